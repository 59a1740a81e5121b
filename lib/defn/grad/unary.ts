/** Derivatives of the unary ops. */
import { isComplex } from "../../core/types";
import { Complex } from "../../core/complex";
import {
  abs,
  add,
  conjugate,
  cos,
  cosh,
  divide,
  equal,
  erfc,
  exp,
  greater,
  greaterEqual,
  less,
  lessEqual,
  multiply,
  negate,
  sigmoid,
  sin,
  sinh,
  softplus,
  sqrt,
  subtract,
  tanh,
} from "../../nx/elementwise";
import type { UnaryOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { where } from "./core";

/** Cotangent of the operand `x` from that of the result `y`; null for ops that are constant where they are smooth. */
type UnaryRule = ((g: Tensor, x: Tensor, y: Tensor) => Tensor) | null;

const square = (x: Tensor): Tensor => multiply(x, x);
const oneMinus = (x: Tensor): Tensor => subtract(1, x);

/** 1 - x^2, which would cancel near 1 if the square were rounded first. */
const oneMinusSquare = (x: Tensor): Tensor => multiply(oneMinus(x), add(x, 1));

/** From here on x^2 + 1 is x^2 in every type; a square beyond it may overflow, and 0 times an infinity would be NaN. */
const FAR = 2 ** 28;

/**
 * Applies `far` to large elements and `near` to small elements; neither sees elements of the other kind, which might become
 * infinite. Complex numbers count as near.
 */
function apart(x: Tensor, far: (x: Tensor) => Tensor, near: (x: Tensor) => Tensor): Tensor {
  if (isComplex(x.type)) return near(x);
  const isFar = greater(abs(x), FAR);
  return where(isFar, far(where(isFar, x, FAR)), near(where(isFar, 1, x)));
}

/** exp(-x^2), which is 0 in every type beyond 30. */
function bell(x: Tensor): Tensor {
  const inner = where(greater(abs(x), 30), 30, x);
  return exp(negate(square(inner)));
}

/** At 0 the derivative is 1 for real numbers, as of x >= 0, and 0 for complex ones. */
function magnitude(g: Tensor, x: Tensor, y: Tensor): Tensor {
  if (!isComplex(x.type)) return where(greaterEqual(x, 0), g, negate(g));
  const isZero = equal(y, 0);
  const direction = divide(conjugate(x), where(isZero, 1, y));
  return multiply(g, where(isZero, 0, direction));
}

/**
 * The slope of an activation that is its operand times a share, which is 0 or 1 in every type beyond `limit`: no infinite element
 * meets a share, or a slope, of 0.
 */
const gate =
  (limit: number, slope: (x: Tensor) => Tensor): UnaryRule =>
  (g, x) =>
    multiply(g, slope(where(greater(x, limit), limit, where(less(x, -limit), -limit, x))));

/** The slope of x sigmoid(v): sigmoid(v) (1 + x v' sigmoid(-v)). */
const gated = (x: Tensor, v: Tensor, slope: Tensor | number): Tensor =>
  multiply(sigmoid(v), add(multiply(multiply(x, slope), sigmoid(negate(v))), 1));

/** v = x (a + b x^2), whose slope is a + 3 b x^2. */
function gatedByTanh(x: Tensor): Tensor {
  const [a, b] = [2 * Math.sqrt(2 / Math.PI), 2 * Math.sqrt(2 / Math.PI) * 0.044715];
  const square = multiply(x, x);
  return gated(x, multiply(x, add(multiply(square, b), a)), add(multiply(square, 3 * b), a));
}

/** The share of normal numbers below x, and x times their density there. */
function gatedByNormal(x: Tensor): Tensor {
  const share = multiply(erfc(multiply(x, -Math.SQRT1_2)), 0.5);
  return add(share, multiply(multiply(x, exp(multiply(multiply(x, x), -0.5))), 1 / Math.sqrt(2 * Math.PI)));
}

/** Of x t with t = tanh(softplus(x)). */
function gatedBySoftplus(x: Tensor): Tensor {
  const t = tanh(softplus(x));
  return add(t, multiply(multiply(x, sigmoid(x)), multiply(oneMinus(t), add(t, 1))));
}

export const UNARY_RULES: { readonly [K in UnaryOp]: UnaryRule } = {
  abs: magnitude,
  acos: (g, x) => negate(divide(g, sqrt(oneMinusSquare(x)))),
  acosh: (g, x) => divide(g, multiply(sqrt(subtract(x, 1)), sqrt(add(x, 1)))),
  asin: (g, x) => divide(g, sqrt(oneMinusSquare(x))),
  asinh: (g, x) =>
    divide(
      g,
      apart(x, abs, (near) => sqrt(add(square(near), 1))),
    ),
  atan: (g, x) =>
    apart(
      x,
      (far) => divide(divide(g, far), far),
      (near) => divide(g, add(square(near), 1)),
    ),
  atanh: (g, x) => divide(g, oneMinusSquare(x)),
  bitwiseNot: null,
  cbrt: (g, _x, y) => divide(divide(g, y), multiply(3, y)),
  ceil: null,
  conjugate: (g) => conjugate(g),
  cos: (g, x) => negate(multiply(g, sin(x))),
  cosh: (g, x) => multiply(g, sinh(x)),
  countLeadingZeros: null,
  erf: (g, x) => multiply(g, multiply(2 / Math.sqrt(Math.PI), bell(x))),
  erfInv: (g, _x, y) => multiply(g, multiply(Math.sqrt(Math.PI) / 2, exp(square(y)))),
  erfc: (g, x) => multiply(g, multiply(-2 / Math.sqrt(Math.PI), bell(x))),
  exp: (g, _x, y) => multiply(g, y),
  exp2: (g, _x, y) => multiply(g, multiply(y, Math.LN2)),
  expm1: (g, x) => multiply(g, exp(x)),
  floor: null,
  gelu: gate(40, gatedByNormal),
  geluTanh: gate(30, gatedByTanh),
  hardSigmoid: (g, x) => where(greaterEqual(abs(x), 3), 0, multiply(g, 1 / 6)),
  hardSwish: (g, x) => {
    const inner = divide(add(multiply(where(greaterEqual(abs(x), 3), 0, x), 2), 3), 6);
    return multiply(g, where(greaterEqual(x, 3), 1, where(lessEqual(x, -3), 0, inner)));
  },
  imag: (g) => multiply(g, new Complex(0, -1)),
  isInfinity: null,
  isNan: null,
  log: (g, x) => divide(g, x),
  log10: (g, x) => multiply(divide(g, x), Math.LOG10E),
  log1p: (g, x) => divide(g, add(x, 1)),
  log2: (g, x) => multiply(divide(g, x), Math.LOG2E),
  mish: gate(800, gatedBySoftplus),
  negate: (g) => negate(g),
  populationCount: null,
  quickGelu: gate(800, (x) => gated(x, multiply(x, 1.702), 1.702)),
  real: (g) => g,
  round: null,
  roundEven: null,
  rsqrt: (g, x, y) => multiply(multiply(g, -0.5), divide(y, x)),
  selu: (g, x) => {
    const isAbove = greater(x, 0);
    const below = multiply(exp(where(isAbove, 0, x)), 1.7580993408473768);
    return multiply(g, where(isAbove, 1.0507009873554805, below));
  },
  sigmoid: (g, x, y) => multiply(g, multiply(y, sigmoid(negate(x)))),
  sign: null,
  silu: gate(800, (x) => gated(x, x, 1)),
  sin: (g, x) => multiply(g, cos(x)),
  sinh: (g, x) => multiply(g, cosh(x)),
  softplus: (g, x) => multiply(g, sigmoid(x)),
  softsign: (g, x) => {
    const most = x.type === "f64" ? 2 ** 1023 : 2 ** 127; // the reciprocal of an infinity would have no slope
    const part = divide(1, add(where(greater(abs(x), most), most, abs(x)), 1));
    return multiply(g, multiply(part, part));
  },
  sqrt: (g, _x, y) => multiply(g, divide(0.5, y)),
  tan: (g, _x, y) => multiply(g, add(square(y), 1)),
  tanh: (g, _x, y) => multiply(g, multiply(oneMinus(y), add(y, 1))),
  trunc: null,
};
