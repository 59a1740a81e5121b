/**
 * Names of special functions that bring their programs, those of complex numbers too: what functions of the API give to
 * `unary` and `binary`. Each stands by itself, so that a bundler drops the programs that no function of a program needs.
 *
 * Programs of f32 are within 1 unit in the last place of the exact value for every argument (scripts/accuracy/f32.ts checks all of them),
 * those of f64 within 2 for every argument tried (scripts/accuracy/f64.ts tries many). Zeros, infinities and NaN as in C99, Annex F.
 */
import { pow as complexPow } from "../../core/complex-math";
import type { SpecialBinary, SpecialUnary } from "../../ops";
import { brings, bringsOfTwo, type Brought } from "./brought";
import * as exponentialComplex from "./complex/exponential";
import * as hyperbolicComplex from "./complex/hyperbolic";
import * as inverseComplex from "./complex/inverse";
import * as logarithmicComplex from "./complex/logarithmic";
import * as rootsComplex from "./complex/roots";
import * as activations32 from "./f32/activations";
import * as error32 from "./f32/error";
import * as exponential32 from "./f32/exponential";
import * as hyperbolic32 from "./f32/hyperbolic";
import * as inverse32 from "./f32/inverse";
import * as logarithmic32 from "./f32/logarithmic";
import * as power32 from "./f32/power";
import * as trigonometric32 from "./f32/trigonometric";
import * as activations64 from "./f64/activations";
import * as error64 from "./f64/error";
import * as exponential64 from "./f64/exponential";
import * as hyperbolic64 from "./f64/hyperbolic";
import * as inverse64 from "./f64/inverse";
import * as logarithm64 from "./f64/logarithm";
import * as power64 from "./f64/power";
import * as roots64 from "./f64/roots";
import * as trigonometric64 from "./f64/trigonometric";

export const EXP = brings("exp", exponential32.exp, exponential64.exp, exponentialComplex.exp);
export const EXP2 = brings("exp2", exponential32.exp2, exponential64.exp2, exponentialComplex.exp2);
export const EXPM1 = brings("expm1", exponential32.expm1, exponential64.expm1, exponentialComplex.expm1);
export const LOG = brings("log", logarithmic32.log, logarithm64.log, logarithmicComplex.log);
export const LOG2 = brings("log2", logarithmic32.log2, logarithm64.log2, logarithmicComplex.log2);
export const LOG10 = brings("log10", logarithmic32.log10, logarithm64.log10, logarithmicComplex.log10);
export const LOG1P = brings("log1p", logarithmic32.log1p, logarithm64.log1p, logarithmicComplex.log1p);
export const SIN = brings("sin", trigonometric32.sin, trigonometric64.sin, hyperbolicComplex.sin);
export const COS = brings("cos", trigonometric32.cos, trigonometric64.cos, hyperbolicComplex.cos);
export const TAN = brings("tan", trigonometric32.tan, trigonometric64.tan, hyperbolicComplex.tan);
export const ASIN = brings("asin", inverse32.asin, inverse64.asin, inverseComplex.asin);
export const ACOS = brings("acos", inverse32.acos, inverse64.acos, inverseComplex.acos);
export const ATAN = brings("atan", inverse32.atan, inverse64.atan, inverseComplex.atan);
export const SINH = brings("sinh", hyperbolic32.sinh, hyperbolic64.sinh, hyperbolicComplex.sinh);
export const COSH = brings("cosh", hyperbolic32.cosh, hyperbolic64.cosh, hyperbolicComplex.cosh);
export const TANH = brings("tanh", hyperbolic32.tanh, hyperbolic64.tanh, hyperbolicComplex.tanh);
export const ASINH = brings("asinh", hyperbolic32.asinh, hyperbolic64.asinh, inverseComplex.asinh);
export const ACOSH = brings("acosh", hyperbolic32.acosh, hyperbolic64.acosh, inverseComplex.acosh);
export const ATANH = brings("atanh", hyperbolic32.atanh, hyperbolic64.atanh, inverseComplex.atanh);
export const RSQRT = brings("rsqrt", power32.rsqrt, roots64.rsqrt, rootsComplex.rsqrt);
export const CBRT = brings("cbrt", power32.cbrt, roots64.cbrt, rootsComplex.cbrt);
export const ERF = brings("erf", error32.erf, error64.erf);
export const ERFC = brings("erfc", error32.erfc, error64.erfc);
export const ERF_INV = brings("erfInv", error32.erfInv, error64.erfInv);
export const SIGMOID = brings("sigmoid", exponential32.sigmoid, exponential64.sigmoid, exponentialComplex.sigmoid);
export const SOFTPLUS = brings("softplus", activations32.softplus, activations64.softplus);
export const SILU = brings("silu", activations32.silu, activations64.silu);
export const QUICK_GELU = brings("quickGelu", activations32.quickGelu, activations64.quickGelu);
export const GELU = brings("gelu", activations32.gelu, error64.gelu);
export const GELU_TANH = brings("geluTanh", activations32.geluTanh, activations64.geluTanh);
export const MISH = brings("mish", activations32.mish, activations64.mish);
export const SELU = brings("selu", activations32.selu, activations64.selu);
export const SOFTSIGN = brings("softsign", activations32.softsign, activations64.softsign);
export const HARD_SIGMOID = brings("hardSigmoid", activations32.hardSigmoid, activations64.hardSigmoid);
export const HARD_SWISH = brings("hardSwish", activations32.hardSwish, activations64.hardSwish);
// pow(x, y), and atan2(y, x) with the height first
export const POW = bringsOfTwo("pow", power32.pow, power64.pow, complexPow);
export const ATAN2 = bringsOfTwo("atan2", inverse32.atan2, inverse64.atan2);
export const LOG_ADD_EXP = bringsOfTwo("logAddExp", activations32.logAddExp, activations64.logAddExp);

/** The functions of one number: none is without programs. */
export const SPECIAL_OF_ONE: { readonly [N in SpecialUnary]: Brought<N> } = {
  exp: EXP,
  exp2: EXP2,
  expm1: EXPM1,
  log: LOG,
  log2: LOG2,
  log10: LOG10,
  log1p: LOG1P,
  sin: SIN,
  cos: COS,
  tan: TAN,
  asin: ASIN,
  acos: ACOS,
  atan: ATAN,
  sinh: SINH,
  cosh: COSH,
  tanh: TANH,
  asinh: ASINH,
  acosh: ACOSH,
  atanh: ATANH,
  rsqrt: RSQRT,
  cbrt: CBRT,
  erf: ERF,
  erfc: ERFC,
  erfInv: ERF_INV,
  sigmoid: SIGMOID,
  softplus: SOFTPLUS,
  silu: SILU,
  quickGelu: QUICK_GELU,
  gelu: GELU,
  geluTanh: GELU_TANH,
  mish: MISH,
  selu: SELU,
  softsign: SOFTSIGN,
  hardSigmoid: HARD_SIGMOID,
  hardSwish: HARD_SWISH,
};

/** The functions of two numbers. */
export const SPECIAL_OF_TWO: { readonly [N in SpecialBinary]: Brought<N> } = {
  pow: POW,
  atan2: ATAN2,
  logAddExp: LOG_ADD_EXP,
};
