/**
 * The special functions as kernel programs in f64: each within 2 units in the last place of the exact value for every
 * argument tried (scripts/accuracy/f64.ts tries many). Zeros, infinities and NaN as in C99, Annex F.
 */
import type { Builder } from "../../builder";
import type { SpecialBinary, SpecialUnary } from "../../../ops";
import {
  geluTanh,
  hardSigmoid,
  hardSwish,
  logAddExp,
  mish,
  quickGelu,
  selu,
  silu,
  softplus,
  softsign,
} from "./activations";
import type { F64 } from "./arith";
import { erf, erfc, erfInv, gelu } from "./error";
import { exp, exp2, expm1, sigmoid } from "./exponential";
import { acosh, asinh, atanh, cosh, sinh, tanh } from "./hyperbolic";
import { acos, asin, atan, atan2 } from "./inverse";
import { log, log10, log1p, log2 } from "./logarithm";
import { pow } from "./power";
import { cbrt, rsqrt } from "./roots";
import { cos, sin, tan } from "./trigonometric";

/** The functions of one number; each adds its values to the kernel of the builder. */
export const F64_UNARY: { readonly [K in SpecialUnary]: (k: Builder, x: F64) => F64 } = {
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  rsqrt,
  cbrt,
  erf,
  erfc,
  erfInv,
  sigmoid,
  softplus,
  silu,
  quickGelu,
  gelu,
  geluTanh,
  mish,
  selu,
  softsign,
  hardSigmoid,
  hardSwish,
};

/** Functions of two numbers: pow(x, y), and atan2(y, x) with the height first. */
export const F64_BINARY: { readonly [K in SpecialBinary]: (k: Builder, x: F64, y: F64) => F64 } = {
  pow,
  atan2,
  logAddExp,
};
