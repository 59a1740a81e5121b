/**
 * The regularized incomplete beta function, by a continued fraction (DLMF 8.17.22) on the side of the mean where that converges fast.
 */
import type { Merge } from "../core/axis-types";
import { commonTypeOf } from "../core/promotion";
import { unchecked } from "../core/promotion-scope";
import type { Names } from "../core/shape";
import { toFloating } from "../core/types";
import type { Right } from "../methods";
import { asTensors, cast } from "../nx/dispatch";
import {
  abs,
  add,
  divide,
  equal,
  exp,
  greater,
  greaterEqual,
  isNan,
  less,
  logicalAnd,
  logicalOr,
  max,
  min,
  multiply,
  negate,
  pow,
  sqrt,
  subtract,
  where,
} from "../nx/elementwise";
import { refuseComplex } from "../ops";
import type { Operand, Tensor } from "../tensor";
import { alike, differentiable, type OfDoubles } from "./core";
import { logBeta, stirlingRest } from "./gamma-core";
import { apart, first, logLessOf, unknownSlope, untilSettled } from "./incomplete-gamma";

const EPSILON = 2 ** -53;
/** From here on the powers and the beta function are taken together, by Stirling's formula. */
const LARGE = 10;

/** x^a (1 - x)^b / B(a, b). */
function factor(a: Tensor, b: Tensor, x: Tensor): Tensor {
  const y = subtract(1, x);
  const [p, q] = [max(a, LARGE), max(b, LARGE)];
  const sum = add(p, q);
  const excess = subtract(multiply(x, q), multiply(y, p));
  const powers = add(
    multiply(p, logLessOf(multiply(x, sum), p, excess)),
    multiply(q, logLessOf(multiply(y, sum), q, negate(excess))),
  );
  const rest = subtract(stirlingRest(sum), add(stirlingRest(p), stirlingRest(q)));
  const large = multiply(exp(add(powers, rest)), sqrt(divide(multiply(divide(p, sum), q), 2 * Math.PI)));
  const small = multiply(multiply(pow(x, a), pow(y, b)), exp(negate(logBeta(a, b))));
  return where(greaterEqual(min(a, b), LARGE), large, small);
}

/** The continued fraction by the method of Lentz, two of its terms a turn. */
function fraction(a: Tensor, b: Tensor, x: Tensor, active: Tensor): Tensor {
  const sum = add(a, b);
  const zero = multiply(x, 0);
  const d = divide(1, apart(subtract(1, divide(multiply(sum, x), add(a, 1)))));
  const start = { h: d, c: add(zero, 1), d, m: zero, turn: first(), active };
  return untilSettled(start, "h", (state) => {
    const m = add(state.m, 1);
    const place = add(a, multiply(m, 2));
    const even = divide(multiply(multiply(m, subtract(b, m)), x), multiply(subtract(place, 1), place));
    const d1 = divide(1, apart(add(multiply(even, state.d), 1)));
    const c1 = apart(add(divide(even, state.c), 1));
    const odd = negate(divide(multiply(multiply(add(a, m), add(sum, m)), x), multiply(place, add(place, 1))));
    const d2 = divide(1, apart(add(multiply(odd, d1), 1)));
    const c2 = apart(add(divide(odd, c1), 1));
    const change = multiply(d2, c2);
    const isActive = logicalAnd(state.active, greater(abs(subtract(change, 1)), EPSILON * 2));
    return { h: multiply(multiply(state.h, multiply(d1, c1)), change), c: c2, d: d2, m, active: isActive };
  });
}

function shareBelow(a: Tensor, b: Tensor, x: Tensor): Tensor {
  const isFinite = logicalAnd(less(a, Infinity), less(b, Infinity));
  const isInside = logicalAnd(
    logicalAnd(logicalAnd(greater(a, 0), greater(b, 0)), isFinite),
    logicalAnd(greater(x, 0), less(x, 1)),
  );
  const [p, q, at] = [where(isInside, a, 1), where(isInside, b, 1), where(isInside, x, 0.25)];
  const isLow = less(at, divide(add(p, 1), add(add(p, q), 2)));
  const near = [where(isLow, p, q), where(isLow, q, p), where(isLow, at, subtract(1, at))] as const;
  const tail = multiply(divide(factor(...near), near[0]), fraction(...near, isInside));
  return atEdges(a, b, x, where(isLow, tail, max(subtract(1, tail), 0)));
}

/** At 0, 1 and infinities, and NaN outside of the domain. */
function atEdges(a: Tensor, b: Tensor, x: Tensor, inside: Tensor): Tensor {
  const isBelow = logicalOr(logicalOr(less(a, 0), less(b, 0)), logicalOr(less(x, 0), greater(x, 1)));
  const isMissing = logicalOr(isNan(a), logicalOr(isNan(b), isNan(x)));
  const isUnknown = logicalOr(logicalAnd(equal(a, 0), equal(b, 0)), logicalAnd(equal(a, Infinity), equal(b, Infinity)));
  const isZero = logicalOr(equal(x, 0), logicalOr(equal(b, 0), equal(a, Infinity)));
  const isOne = logicalOr(equal(x, 1), logicalOr(equal(a, 0), equal(b, Infinity)));
  const value = where(equal(x, 0), 0, where(isOne, 1, where(isZero, 0, inside)));
  return where(logicalOr(isBelow, logicalOr(isMissing, isUnknown)), NaN, value);
}

/** x^(a - 1) (1 - x)^(b - 1) / B(a, b). */
const density: OfDoubles = differentiable(
  "beta density",
  (a, b, x) => {
    const y = subtract(1, x!);
    const isEdge = logicalOr(equal(x!, 0), equal(x!, 1));
    const edge = multiply(multiply(pow(x!, subtract(a!, 1)), pow(y, subtract(b!, 1))), exp(negate(logBeta(a!, b!))));
    const at = where(isEdge, 0.5, x!);
    return where(isEdge, edge, divide(factor(a!, b!, at), multiply(at, subtract(1, at))));
  },
  [
    unknownSlope("the density of Nx.betainc", "a"),
    unknownSlope("the density of Nx.betainc", "b"),
    (a, b, x) => {
      const bend = subtract(divide(subtract(a!, 1), x!), divide(subtract(b!, 1), subtract(1, x!)));
      return multiply(density(a!, b!, x!), bend);
    },
  ],
);

const incompleteBeta: OfDoubles = differentiable("betainc", (a, b, x) => shareBelow(a!, b!, x!), [
  unknownSlope("Nx.betainc", "a"),
  unknownSlope("Nx.betainc", "b"),
  (a, b, x) => density(a!, b!, x!),
]);

/**
 * The regularized incomplete beta function I(x; a, b): the integral of `t^(a-1) (1-t)^(b-1)` from 0 to x, over that from 0 to 1. It is the share
 * of beta distributed numbers below `x`; distributions of Student, Fisher and of binomial counts are made of it.
 *
 * It goes from 0 at `x` = 0 to 1 at 1, and is NaN outside, for negative `a` and `b`, and where its continued fraction does not settle, for `a` and
 * `b` of about 1e8. Take the share above as `betainc(b, a, 1 - x)`. It has a gradient with respect to `x`, and none with respect to `a` and `b`.
 *
 * @param a - a real tensor or number
 * @param b - a real tensor or number; shapes broadcast, plain numbers are weak
 * @param x - a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a float tensor of the merged type, `f32` for integers, with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit; DefnError for a gradient with respect to `a` or `b`
 * @example
 * ```ts
 * Nx.betainc(2, 3, Nx.f32([0, 0.25, 0.5, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [0.0, 0.26171875, 0.6875, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.grad((a: Nx.Tensor) => Nx.betainc(a, 2, 0.5))(Nx.f32(3));
 * // throws DefnError: Nx.betainc has no gradient with respect to a; it has one with respect to x, or hold a constant with Nx.Defn.stopGrad
 * ```
 */
export function betainc<A extends Names = readonly [], B extends Names = readonly [], X extends Names = readonly []>(
  a: Operand<A>,
  b: Right<A, B>,
  x: Right<Merge<A, B>, X>,
): Tensor<Merge<Merge<A, B>, X>>;
export function betainc(a: Operand, b: Operand, x: Operand): Tensor {
  const fn = "Nx.betainc";
  const operands = asTensors([a, b, x], fn);
  const type = toFloating(refuseComplex("betainc", commonTypeOf(fn, operands)));
  return unchecked(() => cast(incompleteBeta(...alike(fn, operands)), type));
}
