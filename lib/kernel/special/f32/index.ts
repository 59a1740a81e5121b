/**
 * The special functions as kernel programs in f32: each within 1 unit in the last place of the exact value for every
 * argument (scripts/accuracy/f32.ts checks all of them). Zeros, infinities and NaN as in C99, Annex F.
 */
import type { Builder } from "../../builder";
import type { Value } from "../../value";
import type { SpecialBinary, SpecialUnary } from "../../../ops";
import {
  gelu,
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
import { erf, erfc, erfInv } from "./error";
import { exp, exp2, expm1, sigmoid } from "./exponential";
import { acosh, asinh, atanh, cosh, sinh, tanh } from "./hyperbolic";
import { acos, asin, atan, atan2 } from "./inverse";
import { log, log10, log1p, log2 } from "./logarithmic";
import { cbrt, pow, rsqrt } from "./power";
import { cos, sin, tan } from "./trigonometric";

type Unary = (k: Builder, x: Value<"f32">) => Value<"f32">;
type Binary = (k: Builder, x: Value<"f32">, y: Value<"f32">) => Value<"f32">;

export const F32_UNARY: { readonly [K in SpecialUnary]: Unary } = {
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

/** `atan2` takes the ordinate first, as C does. */
export const F32_BINARY: { readonly [K in SpecialBinary]: Binary } = { pow, atan2, logAddExp };
