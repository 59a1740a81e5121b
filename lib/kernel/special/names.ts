/**
 * The names of the special functions kernels can compute. Knows nothing of how.
 */

export const SPECIAL_UNARY = [
  "exp",
  "exp2",
  "expm1",
  "log",
  "log2",
  "log10",
  "log1p",
  "sin",
  "cos",
  "tan",
  "asin",
  "acos",
  "atan",
  "sinh",
  "cosh",
  "tanh",
  "asinh",
  "acosh",
  "atanh",
  "rsqrt",
  "cbrt",
  "erf",
  "erfc",
  "erfInv",
  "sigmoid",
  "softplus",
  "silu",
  "quickGelu",
  "gelu",
  "geluTanh",
  "mish",
  "selu",
  "softsign",
  "hardSigmoid",
  "hardSwish",
] as const;

export const SPECIAL_BINARY = ["pow", "atan2", "logAddExp"] as const;

export type SpecialUnary = (typeof SPECIAL_UNARY)[number];
export type SpecialBinary = (typeof SPECIAL_BINARY)[number];
