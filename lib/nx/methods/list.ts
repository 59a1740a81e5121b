/**
 * Which functions are methods of tensors, with the tensor as their first argument: one line each, under the name of the method.
 * `npm run methods` makes the types of the methods of this list (`lib/generated/methods.ts`), with the functions' own signatures and texts.
 */

// element-wise with one operand
export {
  abs,
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  bitwiseNot,
  cbrt,
  ceil,
  conjugate,
  cos,
  cosh,
  countLeadingZeros,
  erf,
  erfInv,
  erfc,
  exp,
  exp2,
  expm1,
  floor,
  gelu,
  geluTanh,
  hardSwish,
  imag,
  isInfinity,
  isNan,
  log,
  log10,
  log1p,
  log2,
  logicalNot,
  mish,
  neg,
  negate,
  populationCount,
  quickGelu,
  real,
  reciprocal,
  rsqrt,
  sigmoid,
  sign,
  silu,
  sin,
  sinh,
  softsign,
  sqrt,
  square,
  swish,
  tan,
  tanh,
  trunc,
} from "../elementwise";
export { celu, elu, hardSigmoid, hardTanh, isFinite, leakyRelu, logSigmoid, phase, relu, relu6 } from "../composites";
export { logSoftmax, round, roundEven, selu, softmax, softplus } from "../composites";

// element-wise with several operands
export {
  add,
  atan2,
  bitwiseAnd,
  bitwiseOr,
  bitwiseXor,
  equal,
  greater,
  greaterEqual,
  idiv,
  leftShift,
  less,
  lessEqual,
  logAddExp,
  logicalAnd,
  logicalOr,
  logicalXor,
  max,
  min,
  mul,
  multiply,
  notEqual,
  pow,
  quotient,
  remainder,
  rightShift,
  select,
  sub,
  subtract,
  where,
} from "../elementwise";
export { clamp, clip, copysign, div, divide, isClose, lerp, mod } from "../composites";

// aggregates
export {
  all,
  any,
  argmax,
  argmin,
  mean,
  median,
  percentile,
  product,
  quantile,
  reduceMax,
  reduceMin,
  sum,
} from "../aggregates";
export { allClose, correlation, covariance, logSumExp, mode } from "../composites";
export { standardDeviation, variance, weightedMean } from "../composites";
export { cumulativeMax, cumulativeMin, cumulativeProduct, cumulativeSum } from "../cumulative";
export { diff } from "../differences";
export { kurtosis, skewness, zscore } from "../composites";
export { compress, groupBy, resample, rolling, unique } from "../groups";
export { trace } from "../ndim";

// shape
export {
  align,
  alignAs,
  axisIndex,
  axisSize,
  broadcast,
  flatten,
  moveAxis,
  newAxis,
  pad,
  padOuter,
  reflect,
  rename,
} from "../shape";
export { rearrange, repeat, reshape, roll, squeeze, swapAxes, tile, transpose } from "../shape";
export { split, unstack } from "../ndim";
export { oneHot, tril, triu } from "../creation";

// order and products
export { argsort, dot, matmul, reverse, sort, topK } from "../ndim";

// indexing
export { at } from "../access";
export { gather, indexedAdd, indexedPut, putSlice, slice, sliceAlongAxis, take, takeAlongAxis } from "../indexed";

// types
export { asType, bitcast } from "../type";
export { bf16, c128, c64, f16, f32, f64, s16, s32, s64, s8, u16, u32, u64, u8 } from "./casts";

// reading and printing
export { toBinary, toFlatList, toList, toNumber, toTypedArray } from "../conversion";
export { item, toFloat64Array, toNumbers } from "../numbers";
export { print } from "../print";
export { read } from "../read";
export { inspect as toString } from "../inspect";
export { toJSON } from "../json";

// values
export { equalsTensor as equals, hashTensor as hashCode } from "../value";
