/**
 * What `nx-numerics/reference` offers: every function on tensors with its documentation, and the types. Its published types are made of
 * this file; the main entry has all of it and more (`api.ts`). What runs is `reference.ts`.
 */
export type * from "./backend-types";
export { binaryBackend } from "./backends/binary";
export {
  container,
  type Collected,
  type Collection,
  type Container,
  type CustomContainer,
  type Recollected,
  type Visit,
} from "./container";
export type { AxisOf, Clash, Drop, Merge } from "./core/axis-types";
export type * as AxisTypes from "./core/axis-types";
export type * as PatternTypes from "./core/pattern-types";
export type { Value } from "./core/bytes";
export { Complex } from "./core/complex";
export { configureFromFile, type BackendSetting, type Config as Settings, type ConfigValues } from "./core/config";
export type { DefaultFloat } from "./core/default-types";
export { SymbolicTemplate, type Dim, type DimPattern, type Dims } from "./core/dims";
export type { AsyncDisposing, Disposing, KeyOf as KeyOfSymbol } from "./core/disposing";
export { ArgumentError, BackendError, ConfigError, NxError } from "./core/errors";
export type { AlsoAxes, AlsoAxis, More, SomeAxes } from "./core/options";
export type { Axis, AxisList, Name, Names, Shape } from "./core/shape";
export type { Promotion } from "./core/promotion-scope";
export type { ComplexType, DType, FloatType, IntegerType, Scalar, SignedType, UnsignedType } from "./core/types";
export type * as Kernels from "./kernel/value";
export type { ArgReduceOp, BinaryOp, CumulativeOp, ReduceOp, UnaryOp, WindowOp } from "./ops";
export { range } from "./nx/access";
export { formula } from "./formula";
export * from "./nx/aggregates";
export * from "./nx/backend";
export {
  byName,
  type ByName,
  type ByNameBounds,
  type ByNameDivision,
  type ByNameFunction,
  type ByNameOp,
} from "./nx/by-name";
export { configure, type Config } from "./nx/configure";
export * from "./nx/conversion";
export {
  correlation,
  covariance,
  type CorrelationOptions,
  type CovarianceOptions,
  type PairNames,
} from "./nx/covariance";
export * from "./nx/creation";
export * from "./nx/cumulative";
export { diff, type DiffOptions } from "./nx/differences";
export * from "./nx/elementwise";
export * from "./nx/groups";
export {
  convolve,
  gradient,
  polyval,
  trapezoid,
  unwrap,
  type ConvolveOptions,
  type GradientOptions,
  type PlacesOptions,
  type TrapezoidOptions,
  type UnwrapOptions,
} from "./nx/lines";
export { kurtosis, skewness, zscore, type KurtosisOptions, type MomentOptions, type ZscoreOptions } from "./nx/moments";
export * from "./nx/guards";
export * from "./nx/indexed";
export { evaluate, explain } from "./nx/evaluate";
export { profile, type Profile, type ProfileRow } from "./nx/profile";
export { inspect } from "./nx/inspect";
export * from "./nx/numbers";
export { print, type TableOptions } from "./nx/print";
export { read } from "./nx/read";
export * from "./nx/ndim";
export type { PatternReduction } from "./nx/patterns/reduce";
export { withFloatType } from "./nx/float-type";
export { withPromotion } from "./nx/promotion";
export * from "./nx/shape";
export * from "./nx/softmax";
export { tidy } from "./nx/tidy";
export * from "./nx/type";
export * from "./nx/windows";
export type * as Methods from "./methods";
export type {
  DivideOptions,
  Index,
  IndexRange,
  InfinityOptions,
  JsonElement,
  JsonTensor,
  ListOf,
  NestedList,
  NestedNumbers,
  NumberList,
  Start,
  TypedArray,
} from "./methods";
export { Tensor, type Operand } from "./tensor";
