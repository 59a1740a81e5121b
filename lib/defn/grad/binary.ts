/** Derivatives of the binary ops. */
import {
  abs,
  add,
  divide,
  equal,
  greater,
  imag,
  isFinite,
  isNan,
  log,
  logicalAnd,
  max,
  multiply,
  negate,
  pow,
  real,
  round,
  sigmoid,
  subtract,
} from "../../nx/elementwise";
import type { BinaryOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { constantly, where } from "./core";
import { isComplex } from "../../core/types";

/** Cotangent of one operand, `x` and `y` being both and `out` the result; null where there is none. */
type Side = ((g: Tensor, x: Tensor, y: Tensor, out: Tensor) => Tensor) | null;
type BinaryRule = readonly [left: Side, right: Side];

const both = (left: Side, right: Side): BinaryRule => [left, right];
const NONE = both(null, null);

/**
 * Of equal operands both get half, beside NaN both all. A cotangent is taken or not, since an infinite one times 0 would be NaN.
 */
const unless =
  (loses: (x: Tensor, y: Tensor) => Tensor): Side =>
  (g, x, y) =>
    where(equal(x, y), multiply(g, 0.5), where(loses(x, y), 0, g));

/** d x^y / dx = y x^(y-1), and 0 for y = 0 even at x = 0. */
const powBase: Side = (g, x, y) => {
  const isZero = equal(y, 0);
  return multiply(g, where(isZero, 0, multiply(y, pow(x, where(isZero, 1, subtract(y, 1))))));
};

/** d x^y / dy = x^y log(x), and 0 where the power is 0, since its limit is, at x = 0 and at infinity. */
const powExponent: Side = (g, x, _y, out) => multiply(g, multiply(out, log(where(equal(out, 0), 1, x))));

/**
 * a / (x^2 + y^2) with all three divided by the larger of x and y first, so that no square overflows or vanishes. What they are
 * divided by counts as constant.
 */
function overSquares(a: Tensor, x: Tensor, y: Tensor): Tensor {
  const larger = max(abs(x), abs(y));
  const size = constantly(where(logicalAnd(greater(larger, 0), isFinite(larger)), larger, 1));
  const [p, q] = [divide(x, size), divide(y, size)];
  return divide(divide(divide(a, size), size), add(multiply(p, p), multiply(q, q)));
}

/** Both have a share in the sum of exponentials; equal infinities have no difference and share evenly. */
function shareOf(x: Tensor, y: Tensor): Tensor {
  const apart = subtract(x, y);
  return sigmoid(where(logicalAnd(isNan(apart), equal(x, y)), 0, apart));
}

export const BINARY_RULES: { readonly [K in BinaryOp]: BinaryRule } = {
  add: both(
    (g) => g,
    (g) => g,
  ),
  atan2: both(
    (g, y, x) => multiply(g, overSquares(x, x, y)),
    (g, y, x) => negate(multiply(g, overSquares(y, x, y))),
  ),
  bitwiseAnd: NONE,
  bitwiseOr: NONE,
  bitwiseXor: NONE,
  complex: both(
    (g) => (isComplex(g.type) ? real(g) : g),
    (g) => negate(imag(g)),
  ),
  divide: both(
    (g, _x, y) => divide(g, y),
    (g, _x, y, out) => negate(multiply(g, divide(out, y))),
  ),
  equal: NONE,
  greater: NONE,
  greaterEqual: NONE,
  leftShift: NONE,
  less: NONE,
  lessEqual: NONE,
  logAddExp: both(
    (g, x, y) => multiply(g, shareOf(x, y)),
    (g, x, y) => multiply(g, shareOf(y, x)),
  ),
  logicalAnd: NONE,
  logicalOr: NONE,
  logicalXor: NONE,
  max: both(
    unless((x, y) => greater(y, x)),
    unless((x, y) => greater(x, y)),
  ),
  min: both(
    unless((x, y) => greater(x, y)),
    unless((x, y) => greater(y, x)),
  ),
  multiply: both(
    (g, _x, y) => multiply(g, y),
    (g, x) => multiply(g, x),
  ),
  notEqual: NONE,
  pow: both(powBase, powExponent),
  quotient: NONE,
  remainder: both(
    (g) => g,
    (g, x, y, out) => negate(multiply(g, round(divide(subtract(x, out), y)))),
  ),
  rightShift: NONE,
  subtract: both(
    (g) => g,
    (g) => negate(g),
  ),
};
