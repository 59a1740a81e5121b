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
  exp,
  greater,
  greaterEqual,
  multiply,
  negate,
  sigmoid,
  sin,
  sinh,
  sqrt,
  subtract,
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
 * One function of far elements and one of near ones; neither is given those of the other, which it might make infinite. Complex
 * numbers count as near.
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
  imag: (g) => multiply(g, new Complex(0, -1)),
  isInfinity: null,
  isNan: null,
  log: (g, x) => divide(g, x),
  log10: (g, x) => multiply(divide(g, x), Math.LOG10E),
  log1p: (g, x) => divide(g, add(x, 1)),
  log2: (g, x) => multiply(divide(g, x), Math.LOG2E),
  negate: (g) => negate(g),
  populationCount: null,
  real: (g) => g,
  round: null,
  roundEven: null,
  rsqrt: (g, x, y) => multiply(multiply(g, -0.5), divide(y, x)),
  sigmoid: (g, x, y) => multiply(g, multiply(y, sigmoid(negate(x)))),
  sign: null,
  sin: (g, x) => multiply(g, cos(x)),
  sinh: (g, x) => multiply(g, cosh(x)),
  sqrt: (g, _x, y) => multiply(g, divide(0.5, y)),
  tan: (g, _x, y) => multiply(g, add(square(y), 1)),
  tanh: (g, _x, y) => multiply(g, multiply(oneMinus(y), add(y, 1))),
  trunc: null,
};
