/**
 * The regularized incomplete gamma functions: a series, a continued fraction and an expansion for large a, each where it is good.
 */
import { DefnError } from "../core/errors";
import { whileLoop } from "../defn/control/loop";
import { any } from "../nx/aggregates";
import { asTensor } from "../nx/dispatch";
import {
  abs,
  add,
  divide,
  equal,
  erfc,
  exp,
  expm1,
  greater,
  greaterEqual,
  isNan,
  less,
  lessEqual,
  log,
  log1p,
  logicalAnd,
  logicalNot,
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
import type { BinaryFunction } from "../nx/elementwise/core";
import type { Tensor } from "../tensor";
import { differentiable, ofTwo, polynomial, type OfDoubles } from "./core";
import { logGammaOfNext, stirlingRest } from "./gamma-core";
import { UNIFORM } from "./uniform-table";

const EPSILON = 2 ** -53;
/** Turns of a loop after which elements that have not settled become NaN. */
const MOST_TURNS = 20_000;

/** 1/3, 1/5, 1/7, ...: log(1 + x) is 2 (s + s^3 / 3 + s^5 / 5 + ...) with s = x / (2 + x). */
const ARTANH = Array.from({ length: 18 }, (_, i) => 1 / (2 * i + 3));

/** log(1 + x) - x, with all digits near 0. */
function logLess(x: Tensor): Tensor {
  const s = divide(x, add(x, 2));
  const square = multiply(s, s);
  const near = subtract(multiply(multiply(multiply(s, square), 2), polynomial(square, ARTANH)), multiply(x, s));
  return where(less(abs(x), 0.5), near, subtract(log1p(x), x));
}

/** The same of quotients `whole / part - 1`, without the digits that the difference loses for small quotients. */
export function logLessOf(whole: Tensor, part: Tensor, excess: Tensor): Tensor {
  const quotient = divide(whole, part);
  const x = divide(excess, part);
  return where(less(quotient, 0.5), subtract(log(quotient), x), logLess(x));
}

/** A loop that goes on as long as any element has not settled: in which state those are that have not. */
interface Turning {
  readonly turn: Tensor;
  readonly active: Tensor;
}

/** Repeats a step of elements that have not settled; NaN in place of those that never do. */
export function untilSettled<S extends Readonly<Record<string, Tensor>>>(
  start: S & Turning,
  result: keyof S & string,
  step: (state: S & Turning) => Omit<S, "turn">,
): Tensor {
  const body = (state: S & Turning): S & Turning => {
    const next = step(state);
    const kept = Object.entries<Tensor>(next as Readonly<Record<string, Tensor>>).map(([key, value]) => {
      return [key, key === "active" ? value : where(state.active, value, state[key]!)];
    });
    return { ...(Object.fromEntries(kept) as S & Turning), turn: add(state.turn, 1) };
  };
  const last = whileLoop(
    start as never,
    ((state: Turning) => logicalAnd(any(state.active), less(state.turn, MOST_TURNS))) as never,
    body as never,
  ) as unknown as S & Turning;
  return where(last.active, NaN, last[result]!);
}

/** Sum of x^n / ((a + 1) ... (a + n)), for x that is not much above a (DLMF 8.11.4). */
function series(a: Tensor, x: Tensor, active: Tensor): Tensor {
  const one = add(multiply(x, 0), 1);
  const start = { sum: one, term: one, place: a, turn: first(), active };
  return untilSettled(start, "sum", ({ sum, term, place, active: was }) => {
    const next = add(place, 1);
    const further = multiply(term, divide(x, next));
    const total = add(sum, further);
    return {
      sum: total,
      term: further,
      place: next,
      active: logicalAnd(was, greater(further, multiply(total, EPSILON))),
    };
  });
}

/** The continued fraction DLMF 8.9.2 of gamma(a, x) x^-a exp(x), for x above a and 1, by the method of Lentz. */
function fraction(a: Tensor, x: Tensor, active: Tensor): Tensor {
  const b = add(subtract(x, a), 1);
  const d = divide(1, b);
  const start = { h: d, b, c: add(multiply(x, 0), 1e300), d, n: multiply(x, 0), turn: first(), active };
  return untilSettled(start, "h", (state) => {
    const n = add(state.n, 1);
    const an = multiply(n, subtract(a, n));
    const next = add(state.b, 2);
    const lower = divide(1, apart(add(multiply(an, state.d), next)));
    const upper = apart(add(next, divide(an, state.c)));
    const change = multiply(lower, upper);
    const isActive = logicalAnd(state.active, greater(abs(subtract(change, 1)), EPSILON * 2));
    return { h: multiply(state.h, change), b: next, c: upper, d: lower, n, active: isActive };
  });
}

export const first = (): Tensor => asTensor(0, "Nx.gammainc");

/** 0 as a number that can be divided by. */
export const apart = (x: Tensor): Tensor => where(less(abs(x), 1e-300), 1e-300, x);

/** From here on powers and the gamma function are taken together, by Stirling's formula. */
const LARGE = 10;

/** From here on x^a exp(-x) is 0 for all smaller a. */
const END = 1e4;

/** x^a exp(-x) / gamma(a + 1). */
function factor(a: Tensor, x: Tensor): Tensor {
  const far = max(a, LARGE);
  const exponent = subtract(multiply(far, logLessOf(x, far, subtract(x, far))), stirlingRest(far));
  const large = divide(exp(exponent), sqrt(multiply(far, 2 * Math.PI)));
  const near = min(x, END);
  const half = exp(multiply(near, -0.5)); // the exponential itself may be subnormal where the product is not
  const small = multiply(multiply(multiply(pow(near, a), half), half), exp(negate(logGammaOfNext(a))));
  return where(greaterEqual(a, LARGE), large, small);
}

/** Where the expansion for large a is good: from here on, as near to x. */
const UNIFORM_FROM = 48;
const UNIFORM_WITHIN = 0.35;

/** Both functions by Temme's expansion (DLMF 8.12.3 and 8.12.4). */
function uniform(a: Tensor, x: Tensor): readonly [lower: Tensor, upper: Tensor] {
  const mu = divide(subtract(x, a), a);
  const half = negate(logLess(mu)); // eta^2 / 2
  const root = sqrt(max(multiply(half, 2), 0));
  const eta = where(less(mu, 0), negate(root), root);
  const inverse = divide(1, a);
  const rows = UNIFORM.map((row) => polynomial(eta, row));
  const sum = rows.reduceRight<Tensor | null>(
    (total, row) => (total === null ? row : add(multiply(total, inverse), row)),
    null,
  )!;
  const rest = multiply(divide(exp(negate(multiply(a, half))), sqrt(multiply(a, 2 * Math.PI))), sum);
  const place = multiply(eta, sqrt(multiply(a, 0.5)));
  return [subtract(multiply(erfc(negate(place)), 0.5), rest), add(multiply(erfc(place), 0.5), rest)];
}

/** For x up to 1.1 the upper function as a sum that does not cancel where it is small: of (-x)^n / (n! (a + n)), n from 1 on. */
function upperNearZero(a: Tensor, x: Tensor): Tensor {
  let term: Tensor = add(multiply(x, 0), 1);
  let sum: Tensor = multiply(x, 0);
  for (let n = 1; n <= 20; n++) {
    term = multiply(term, divide(x, -n));
    sum = add(sum, divide(term, add(a, n)));
  }
  const exponent = subtract(multiply(a, log(x)), logGammaOfNext(a));
  return negate(add(expm1(exponent), multiply(multiply(exp(exponent), a), sum)));
}

/** Both functions, P and Q. */
function both(a: Tensor, x: Tensor): readonly [lower: Tensor, upper: Tensor] {
  const isInside = logicalAnd(
    logicalAnd(greater(a, 0), greater(x, 0)),
    logicalAnd(less(a, Infinity), less(x, Infinity)),
  );
  const isUniform = logicalAnd(
    greaterEqual(a, UNIFORM_FROM),
    lessEqual(abs(subtract(x, a)), multiply(a, UNIFORM_WITHIN)),
  );
  const isUpper = logicalAnd(greater(x, 1.1), greater(x, a));
  const bySeries = logicalAnd(isInside, logicalNot(logicalOr(isUniform, isUpper)));
  const byFraction = logicalAnd(isInside, logicalAnd(isUpper, logicalNot(isUniform)));
  const [p, q] = uniform(where(isUniform, a, UNIFORM_FROM), where(isUniform, x, UNIFORM_FROM));
  const scale = factor(where(isInside, a, 1), where(isInside, x, 1));
  const low = multiply(scale, series(where(bySeries, a, 1), where(bySeries, x, 0), bySeries));
  const high = multiply(multiply(scale, a), fraction(where(byFraction, a, 1), where(byFraction, x, 2), byFraction));
  // the smaller share is computed, the larger share is 1 less the smaller
  const isNear = logicalAnd(bySeries, logicalAnd(lessEqual(x, 1.1), less(a, multiply(x, 1.1))));
  const isTiny = logicalAnd(bySeries, logicalAnd(lessEqual(x, 0.5), less(multiply(a, log(x)), -0.4)));
  const fromZero = logicalAnd(
    bySeries,
    logicalAnd(lessEqual(x, 1.1), where(lessEqual(x, 0.5), logicalNot(isTiny), isNear)),
  );
  const upper = where(fromZero, upperNearZero(where(fromZero, a, 1), where(fromZero, x, 1)), subtract(1, low));
  const lower = where(isUniform, p, where(byFraction, subtract(1, high), low));
  return [atEdges(a, x, lower, 0), atEdges(a, x, where(isUniform, q, where(byFraction, high, upper)), 1)];
}

/** At 0 and infinities, and NaN outside of the domain; `near` is the value at x = 0. */
function atEdges(a: Tensor, x: Tensor, inside: Tensor, near: 0 | 1): Tensor {
  const isOutside = logicalOr(logicalOr(less(a, 0), less(x, 0)), logicalOr(isNan(a), isNan(x)));
  const isUnknown = logicalOr(logicalAnd(equal(a, 0), equal(x, 0)), logicalAnd(equal(a, Infinity), equal(x, Infinity)));
  const atStart = logicalOr(equal(x, 0), equal(a, Infinity));
  const atEnd = logicalOr(equal(a, 0), equal(x, Infinity));
  const value = where(atStart, near, where(atEnd, 1 - near, inside));
  return where(logicalOr(isOutside, isUnknown), NaN, value);
}

/** A derivative that is not known in closed form: wanting it is an error. */
export const unknownSlope =
  (fn: string, operand: string): OfDoubles =>
  () => {
    throw new DefnError(
      `${fn} has no gradient with respect to ${operand}; it has one with respect to x, or hold ${operand} constant with Nx.Defn.stopGrad`,
    );
  };

const density: OfDoubles = differentiable(
  "gamma density",
  (a, x) => {
    const inside = divide(multiply(factor(a!, x!), a!), x!);
    // x^(a - 1) / gamma(a) at 0: infinite below 1, 1 there, 0 above
    return where(equal(x!, 0), where(less(a!, 1), Infinity, where(equal(a!, 1), 1, 0)), inside);
  },
  [
    unknownSlope("the density of Nx.gammainc", "a"),
    (a, x) => multiply(density(a!, x!), subtract(divide(subtract(a!, 1), x!), 1)),
  ],
);

/**
 * The regularized lower incomplete gamma function P(a, x): the integral of `t^(a-1) exp(-t)` from 0 to x, over the whole integral. It is the
 * share of gamma distributed numbers of shape `a` below `x`.
 *
 * The smaller one of P and 1 - P keeps its digits, in the tails as many as the exponential of its size has. It goes from 0 at `x` = 0 to 1,
 * and is NaN for negative operands. It has a gradient with respect to `x`, and none with respect to `a`.
 *
 * @param left - `a`, a real tensor or number
 * @param right - `x`, a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a float tensor of the merged type, `f32` for integers, with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit; DefnError for a gradient with respect to `a`
 * @example
 * ```ts
 * Nx.gammainc(2, Nx.f32([0, 1, 2, 10], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [0.0, 0.26424113, 0.59399414, 0.9995006]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.grad((a: Nx.Tensor) => Nx.gammainc(a, 2))(Nx.f32(3));
 * // throws DefnError: Nx.gammainc has no gradient with respect to a; it has one with respect to x, or hold a constant with Nx.Defn.stopGrad
 * ```
 */
export const gammainc: BinaryFunction = ofTwo(
  "gammainc",
  differentiable("gammainc", (a, x) => both(a!, x!)[0], [unknownSlope("Nx.gammainc", "a"), (a, x) => density(a!, x!)]),
);

/**
 * The regularized upper incomplete gamma function Q(a, x) = 1 - P(a, x), which keeps its digits where it is near 0: see `Nx.gammainc`.
 *
 * @param left - `a`, a real tensor or number
 * @param right - `x`, a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a float tensor of the merged type, `f32` for integers, with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit; DefnError for a gradient with respect to `a`
 * @example
 * ```ts
 * Nx.gammaincc(2, Nx.f32([0, 1, 2, 50], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [1.0, 0.7357589, 0.40600586, 9.836624e-21]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.grad((a: Nx.Tensor) => Nx.gammaincc(a, 2))(Nx.f32(3));
 * // throws DefnError: Nx.gammaincc has no gradient with respect to a
 * ```
 */
export const gammaincc: BinaryFunction = ofTwo(
  "gammaincc",
  differentiable("gammaincc", (a, x) => both(a!, x!)[1], [
    unknownSlope("Nx.gammaincc", "a"),
    (a, x) => negate(density(a!, x!)),
  ]),
);
