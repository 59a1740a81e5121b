/**
 * The logarithm of the gamma function and its derivatives, in doubles: recurrences to where a polynomial is good, and the asymptotic
 * series of Stirling (DLMF 5.11) from {@link FAR} on. Negative numbers go by reflection (DLMF 5.5.3, 5.15.6).
 */
import type { Tensor } from "../tensor";
import {
  abs,
  add,
  divide,
  equal,
  floor,
  greaterEqual,
  less,
  lessEqual,
  log,
  log1p,
  logicalAnd,
  logicalOr,
  max,
  min,
  multiply,
  negate,
  roundEven,
  sin,
  subtract,
  tan,
  where,
} from "../nx/elementwise";
import { differentiable, polynomial, type OfDoubles } from "./core";

/** log(gamma(2 + y)) / y in 2 y, for |y| up to 1/2; see scripts/accuracy/special-fits.py, as for the others. */
const LOG_GAMMA = [
  0.42278433509846713, 0.1612335167120566, -0.016838075263299536, 0.0025726010534730713, -0.0004615969392917596,
  9.032844783558553e-5, -1.863677987501598e-5, 3.981793163166481e-6, -8.716982450984518e-7, 1.942529474587772e-7,
  -4.387338974983724e-8, 1.0013314167996967e-8, -2.3043112100202176e-9, 5.339813130999916e-10, -1.2481202067269968e-10,
  2.923176066319201e-11, -6.566709534240663e-12, 1.5491338158886129e-12, -5.116584685713687e-13, 1.2167067542304562e-13,
];
/** psi(x) / (x - ROOT) in 2 x - 3, for x from 1 to 2. */
const DIGAMMA = [
  0.9510558760318328, -0.2118137106407303, 0.060135621060196744, -0.018550615381735115, 0.005936795278305649,
  -0.0019350666648590097, 0.0006368880303257201, -0.00021074841140458636, 6.995018873950506e-5, -2.325824239445257e-5,
  7.741232223504057e-6, -2.57809436305308e-6, 8.589127353033379e-7, -2.86315275846934e-7, 9.542050972688906e-8,
  -3.163020268955334e-8, 1.0542687624027994e-8, -3.7075072647122386e-9, 1.2358072433984831e-9, -2.7619635330317715e-10,
  9.206434499177992e-11, -8.498137230186096e-11, 2.832706668021759e-11,
];
/** The positive zero of psi: parts of 27 bits, and the rest. */
const ROOT = [1.4616321474313736, -2.463011267161974e-9, 1.2233227452770237e-17] as const;

/** B(2k) / (2k (2k - 1)): DLMF 5.11.1. */
const STIRLING = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
  43867 / 244188,
];
/** B(2k) / (2k): DLMF 5.11.2. */
const PSI_SERIES = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160, 43867 / 14364];
/** B(2k) / (2k)!: DLMF 2.10.1. */
const EULER_MACLAURIN = [
  1 / 12,
  -1 / 720,
  3.306878306878307e-5,
  -8.267195767195768e-7,
  2.08767569878681e-8,
  -5.284190138687493e-10,
  1.3382536530684679e-11,
  -3.3896802963225827e-13,
  8.586062056277845e-15,
  -2.174868698558062e-16,
  5.50900282836023e-18,
  -1.3954464685812522e-19,
];
const HALF_LOG_TWO_PI = 0.9189385332046728;
const LOG_PI = 1.1447298858494002;
/** From here on the series of Stirling have all digits. */
const FAR = 10;

/** What the formula of Stirling leaves: log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2, for x from FAR on. */
export function stirlingRest(x: Tensor): Tensor {
  const inverse = divide(1, x);
  return multiply(inverse, polynomial(multiply(inverse, inverse), STIRLING));
}

function logGammaFar(x: Tensor): Tensor {
  const main = multiply(subtract(x, 0.5), subtract(log(x), 1));
  return add(main, add(stirlingRest(x), HALF_LOG_TWO_PI - 0.5));
}

/** For x from -1/2 to FAR: gamma(x) is gamma(2 + y), y from -1/2 to 1/2, times or by the factors between. */
function logGammaNear(x: Tensor): Tensor {
  const whole = roundEven(x);
  const y = subtract(x, whole);
  let factors = where(equal(whole, 1), x, where(less(whole, 1), multiply(x, add(x, 1)), 1));
  for (let i = 1; i <= FAR - 2; i++) factors = multiply(factors, where(greaterEqual(whole, i + 2), subtract(x, i), 1));
  const between = log(abs(factors));
  const series = multiply(y, polynomial(multiply(y, 2), LOG_GAMMA));
  return add(series, where(less(whole, 2), negate(between), between));
}

/** log(gamma(1 + x)) for x >= 0, with all digits near 0. */
export function logGammaOfNext(x: Tensor): Tensor {
  const near = subtract(multiply(x, polynomial(multiply(x, 2), LOG_GAMMA)), log1p(x));
  return where(less(x, 0.5), near, logGamma(add(x, 1)));
}

const rightLogGamma = (x: Tensor): Tensor => where(less(x, FAR), logGammaNear(x), logGammaFar(x));

/** The distance from the nearest whole number, times pi. */
const phase = (x: Tensor): Tensor => multiply(subtract(x, roundEven(x)), Math.PI);

/** log |gamma(x)|, its derivative a further function. */
export const logGamma: OfDoubles = differentiable(
  "lgamma",
  (operand) => {
    const x = operand!;
    const isLeft = lessEqual(x, -0.5);
    const right = rightLogGamma(where(isLeft, subtract(1, x), x));
    const left = subtract(subtract(LOG_PI, log(abs(sin(phase(x))))), right);
    return where(isLeft, where(equal(x, -Infinity), Infinity, left), right);
  },
  [(x) => digammaOf(x!)],
);

/** For x from 0 to FAR: psi(x) is psi of a number from 1 to 2, plus or less the reciprocals between. */
function digammaNear(x: Tensor): Tensor {
  const whole = floor(x);
  const base = where(less(x, 1), add(x, 1), add(subtract(x, whole), 1));
  const distance = subtract(subtract(subtract(base, ROOT[0]), ROOT[1]), ROOT[2]);
  const main = multiply(distance, polynomial(subtract(multiply(base, 2), 3), DIGAMMA));
  let between: Tensor = where(less(x, 1), divide(-1, x), 0);
  for (let i = 1; i <= FAR - 2; i++) {
    between = add(between, where(greaterEqual(whole, i + 1), divide(1, subtract(x, i)), 0));
  }
  return add(main, between);
}

function digammaFar(x: Tensor): Tensor {
  const inverse = divide(1, x);
  const square = multiply(inverse, inverse);
  return subtract(subtract(log(x), multiply(inverse, 0.5)), multiply(square, polynomial(square, PSI_SERIES)));
}

/** Where the gamma function has a pole with no sign: at negative whole numbers. */
const isPole = (x: Tensor): Tensor => logicalAnd(less(x, 0), equal(floor(x), x));

export const digammaOf: OfDoubles = differentiable(
  "digamma",
  (operand) => {
    const x = operand!;
    const isLeft = less(x, 0);
    const z = where(isLeft, subtract(1, x), x);
    const right = where(less(z, FAR), digammaNear(z), digammaFar(z));
    const left = subtract(right, divide(Math.PI, tan(phase(x))));
    return where(isPole(x), NaN, where(isLeft, left, right));
  },
  [(x) => polygammaOf(1)(x!)],
);

/** x^n for a whole n of at least 1, by squaring. */
function power(x: Tensor, n: number): Tensor {
  if (n === 1) return x;
  const half = power(x, Math.floor(n / 2));
  const square = multiply(half, half);
  return n % 2 === 0 ? square : multiply(square, x);
}

/** The zeta function of Hurwitz, the sum of (x + k)^-s over all k from 0 on, for x > 0, by Euler and Maclaurin. */
function zeta(s: number, x: Tensor): Tensor {
  const terms = FAR + Math.ceil(s / 2);
  let sum = power(divide(1, x), s);
  for (let k = 1; k < terms; k++) sum = add(sum, power(divide(1, add(x, k)), s));
  const last = add(x, terms);
  const inverse = divide(1, last);
  let rising = s;
  const coefficients = EULER_MACLAURIN.map((c, j) => {
    if (j > 0) rising *= (s + 2 * j - 1) * (s + 2 * j);
    return c * rising;
  });
  const series = multiply(inverse, polynomial(multiply(inverse, inverse), coefficients));
  const integral = multiply(power(inverse, s - 1), 1 / (s - 1));
  return add(sum, add(integral, multiply(power(inverse, s), add(series, 0.5))));
}

/** Coefficients of the polynomial that the nth derivative of cot(x) is in cot(x). */
function cotangentDerivative(n: number): readonly number[] {
  let found = [0, 1];
  for (let i = 0; i < n; i++) {
    const next = new Array<number>(found.length + 1).fill(0);
    found.forEach((c, k) => {
      if (k === 0) return;
      next[k - 1] = next[k - 1]! - k * c;
      next[k + 1] = next[k + 1]! - k * c;
    });
    found = next;
  }
  return found;
}

/** The derivatives of psi, of order n from 1 on. */
export function polygammaOf(n: number): OfDoubles {
  const sign = n % 2 === 0 ? -1 : 1;
  let factorial = 1;
  for (let i = 2; i <= n; i++) factorial *= i;
  return differentiable(
    `polygamma ${n}`,
    (operand) => {
      const x = operand!;
      const isLeft = less(x, 0);
      const z = where(isLeft, subtract(1, x), x);
      const right = multiply(zeta(n + 1, z), sign * factorial);
      const cotangents = polynomial(divide(1, tan(phase(x))), cotangentDerivative(n));
      const left = subtract(multiply(right, -sign), multiply(cotangents, Math.PI ** (n + 1)));
      const atPole = sign > 0 ? Infinity : NaN;
      return where(isPole(x), atPole, where(isLeft, left, right));
    },
    [(x) => polygammaOf(n + 1)(x!)],
  );
}

/** The beta function where one of both is 0: infinite, unless the other is infinite or NaN. */
const atPole = (a: Tensor, b: Tensor): Tensor => where(less(add(abs(a), abs(b)), Infinity), Infinity, NaN);

/** log(gamma(a) gamma(b) / gamma(a + b)), without differences of large numbers where both are positive. */
function logBetaFrom(a: Tensor, b: Tensor): Tensor {
  const [small, large] = [min(a, b), max(a, b)];
  const whole = add(a, b);
  const usual = subtract(add(logGamma(a), logGamma(b)), logGamma(whole));
  const rest = subtract(stirlingRest(large), stirlingRest(whole));
  const share = divide(small, whole);
  const single = add(
    add(logGamma(small), rest),
    add(subtract(small, multiply(small, log(whole))), multiply(subtract(large, 0.5), log1p(negate(share)))),
  );
  const both = add(
    add(add(stirlingRest(small), rest), subtract(HALF_LOG_TWO_PI, multiply(log(large), 0.5))),
    subtract(multiply(subtract(small, 0.5), log(share)), multiply(large, log1p(divide(small, large)))),
  );
  const isOne = logicalAnd(greaterEqual(large, FAR), greaterEqual(small, 0));
  const inside = where(greaterEqual(small, FAR), both, where(isOne, single, usual));
  return where(
    equal(large, Infinity),
    multiply(small, -Infinity),
    where(logicalOr(equal(a, 0), equal(b, 0)), atPole(a, b), inside),
  );
}

const slopeOfLogBeta = (a: Tensor, b: Tensor): Tensor => subtract(digammaOf(a), digammaOf(add(a, b)));

export const logBeta: OfDoubles = differentiable("lbeta", (a, b) => logBetaFrom(a!, b!), [
  (a, b) => slopeOfLogBeta(a!, b!),
  (a, b) => slopeOfLogBeta(b!, a!),
]);
