/** Derivatives of the binary ops. */
import {
  abs,
  add,
  divide,
  equal,
  floor,
  greater,
  imag,
  log,
  logicalAnd,
  multiply,
  negate,
  pow,
  real,
  sign,
  subtract,
} from "../../nx/elementwise";
import type { BinaryOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { where } from "./core";
import { isComplex } from "../../core/types";

/** Cotangent of one operand, `x` and `y` being both and `out` the result; null where there is none. */
type Side = ((g: Tensor, x: Tensor, y: Tensor, out: Tensor) => Tensor) | null;
type BinaryRule = readonly [left: Side, right: Side];

const both = (left: Side, right: Side): BinaryRule => [left, right];
const NONE = both(null, null);

/** Of equal operands both get half. */
const winner =
  (wins: (x: Tensor, y: Tensor) => Tensor): Side =>
  (g, x, y) =>
    multiply(g, where(equal(x, y), 0.5, wins(x, y)));

/** d x^y / dx = y x^(y-1), and 0 for y = 0 even at x = 0. */
const powBase: Side = (g, x, y) => {
  const isZero = equal(y, 0);
  return multiply(g, where(isZero, 0, multiply(y, pow(x, where(isZero, 1, subtract(y, 1))))));
};

/** d x^y / dy = x^y log(x), and 0 where the power is 0, since its limit is. */
const powExponent: Side = (g, x, _y, out) => {
  const isZero = logicalAnd(equal(x, 0), equal(out, 0));
  return multiply(g, multiply(out, log(where(isZero, 1, x))));
};

const truncate = (x: Tensor): Tensor => multiply(sign(x), floor(abs(x)));
const squares = (x: Tensor, y: Tensor): Tensor => add(multiply(x, x), multiply(y, y));

export const BINARY_RULES: { readonly [K in BinaryOp]: BinaryRule } = {
  add: both(
    (g) => g,
    (g) => g,
  ),
  atan2: both(
    (g, y, x) => multiply(g, divide(x, squares(x, y))),
    (g, y, x) => negate(multiply(g, divide(y, squares(x, y)))),
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
  logicalAnd: NONE,
  logicalOr: NONE,
  logicalXor: NONE,
  max: both(
    winner((x, y) => greater(x, y)),
    winner((x, y) => greater(y, x)),
  ),
  min: both(
    winner((x, y) => greater(y, x)),
    winner((x, y) => greater(x, y)),
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
    (g, x, y) => negate(multiply(g, truncate(divide(x, y)))),
  ),
  rightShift: NONE,
  subtract: both(
    (g) => g,
    (g) => negate(g),
  ),
};
