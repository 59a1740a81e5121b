/**
 * Making tensors: the public functions of the group.
 */
export {
  bf16,
  c128,
  c64,
  f16,
  f32,
  f64,
  s16,
  s32,
  s64,
  s8,
  tensor,
  u16,
  u32,
  u64,
  u8,
  type TensorData,
  type TensorOptions,
  type TypedOptions,
} from "./tensor";
export type { NestedData, NumericArray } from "./nested-core";
