/**
 * Making tensors: the public functions of the group.
 */
export { tensor, type NamesOfData, type TensorData, type TensorOptions, type TypedOptions } from "./tensor";
export { bf16, c128, c64, f16, f32, f64, s16, s32, s64, s8, u16, u32, u64, u8 } from "./typed";
export {
  eye,
  fill,
  fromBinary,
  iota,
  template,
  toTemplate,
  type IotaOptions,
  type ShapeLike,
  type WithTensors,
} from "./generators";
export {
  arange,
  full,
  fullLike,
  ones,
  onesLike,
  zeros,
  zerosLike,
  type ArangeOptions,
  type LikeOptions,
} from "./filled";
export { meshgrid, oneHot, type GridNames, type MeshgridOptions, type VectorNames, type OneHotOptions } from "./grids";
export { tri, tril, triu, type TriangleOptions, type TriOptions } from "./triangles";
export { linspace, type LinspaceOptions } from "./linspace";
export { makeDiagonal, putDiagonal, takeDiagonal, type DiagonalOptions } from "./diagonal";
export type { NestedData, NumericArray } from "./nested-core";
