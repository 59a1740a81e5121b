/**
 * Integers of tensors together with the range they are known to lie in. The range decides in how many bits they are computed, and
 * which saturations cannot happen and are left out; it never decides a result.
 */
import { cast, constant } from "../nx/dispatch";
import { add, bitwiseAnd, leftShift, max, min, multiply, rightShift, subtract } from "../nx/elementwise";
import type { Tensor } from "../tensor";
import { largest, saturate, shifted, type Rounding } from "./host";

/** Elements from `low` to `high`. */
export interface Ranged {
  readonly values: Tensor;
  readonly low: bigint;
  readonly high: bigint;
}

type Lane = "s32" | "s64";

/** The narrowest type for all of these numbers. */
function laneOf(...numbers: readonly bigint[]): Lane {
  return numbers.every((n) => saturate(n, 32) === n) ? "s32" : "s64";
}

/** Elements of a tensor of integers, which may be any of its type. */
export function elements(values: Tensor, bits: 8 | 16): Ranged {
  const high = largest(bits);
  return { values, low: -high - 1n, high };
}

/** A constant next to elements of a type. */
const literal = (value: bigint, lane: Lane): number | bigint => (lane === "s32" ? Number(value) : value);

/** A count of bits: of an unsigned type, which kernels need not look at for negative numbers. */
const count8 = (n: bigint): Tensor => constant(Number(n), "u8");

const corners = (low: bigint, high: bigint, values: Tensor): Ranged => ({ values, low, high });

export function plus(a: Ranged, b: Ranged): Ranged {
  const [low, high] = [a.low + b.low, a.high + b.high];
  const lane = laneOf(low, high, a.low, a.high, b.low, b.high);
  return corners(low, high, add(cast(a.values, lane), cast(b.values, lane)));
}

export function minus(a: Ranged, b: Ranged): Ranged {
  const [low, high] = [a.low - b.high, a.high - b.low];
  const lane = laneOf(low, high, a.low, a.high, b.low, b.high);
  return corners(low, high, subtract(cast(a.values, lane), cast(b.values, lane)));
}

export function times(a: Ranged, b: Ranged): Ranged {
  const products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  const low = products.reduce((x, y) => (x < y ? x : y));
  const high = products.reduce((x, y) => (x > y ? x : y));
  const lane = laneOf(low, high, a.low, a.high, b.low, b.high);
  return corners(low, high, multiply(cast(a.values, lane), cast(b.values, lane)));
}

/** The larger or the smaller of two elements. */
export function extreme(op: "max" | "min", a: Ranged, b: Ranged): Ranged {
  const pick = (x: bigint, y: bigint): bigint => (x < y === (op === "min") ? x : y);
  const lane = laneOf(a.low, a.high, b.low, b.high);
  const fn = op === "max" ? max : min;
  return corners(pick(a.low, b.low), pick(a.high, b.high), fn(cast(a.values, lane), cast(b.values, lane)));
}

export function plusNumber(x: Ranged, by: bigint): Ranged {
  if (by === 0n) return x;
  const [low, high] = [x.low + by, x.high + by];
  const lane = laneOf(low, high, x.low, x.high, by);
  return corners(low, high, add(cast(x.values, lane), literal(by, lane)));
}

/** By a factor that is not negative. */
export function timesNumber(x: Ranged, by: bigint): Ranged {
  if (by === 1n) return x;
  const [low, high] = [x.low * by, x.high * by];
  const lane = laneOf(low, high, x.low, x.high, by);
  return corners(low, high, multiply(cast(x.values, lane), literal(by, lane)));
}

/** The nearest number of a range. */
function clamped(x: Ranged, low: bigint, high: bigint): Ranged {
  const lane = laneOf(x.low, x.high, low, high);
  let { values } = x;
  if (x.low < low) values = max(cast(values, lane), literal(low, lane));
  if (x.high > high) values = min(cast(values, lane), literal(high, lane));
  const within = (n: bigint): bigint => (n < low ? low : n > high ? high : n);
  return corners(within(x.low), within(x.high), values);
}

/** The nearest number of so many bits. */
export const saturated = (x: Ranged, bits: number): Ranged => clamped(x, -largest(bits) - 1n, largest(bits));

/**
 * Divided by 2^count and rounded, within so many bits; by a negative count multiplied, where `leftBits` may be less if what
 * follows saturates to these anyway. Right shifts are by less than `bits`.
 */
export function scaled(x: Ranged, count: number, bits: number, rounding: Rounding, leftBits = bits): Ranged {
  if (count === 0) return x;
  return count < 0 ? shiftedLeft(x, -count, leftBits) : shiftedRight(x, count, bits, rounding);
}

/** What overflows is cut before it is shifted, to the number one above the range. */
function shiftedLeft(x: Ranged, count: number, bits: number): Ranged {
  const n = BigInt(Math.min(count, bits - 1));
  const end = (largest(bits) + 1n) >> n;
  const fitting = clamped(x, -end, end);
  const [low, high] = [fitting.low << n, fitting.high << n];
  const lane = laneOf(low, high, fitting.low, fitting.high);
  return saturated(corners(low, high, leftShift(cast(fitting.values, lane), count8(n))), bits);
}

function shiftedRight(x: Ranged, count: number, bits: number, rounding: Rounding): Ranged {
  const n = BigInt(count);
  const half = 1n << (n - 1n);
  const lifted =
    rounding === "up"
      ? clamped(plusNumber(x, half), x.low, largest(bits))
      : plusNumber(plus(x, lastKept(x, n)), half - 1n);
  const lane = laneOf(lifted.low, lifted.high);
  const values = rightShift(cast(lifted.values, lane), count8(n));
  return corners(shifted(x.low, count, bits, rounding), shifted(x.high, count, bits, rounding), values);
}

/** The last bit that a right shift leaves: 1 for odd numbers, which halves must not stay at. */
function lastKept(x: Ranged, n: bigint): Ranged {
  const lane = laneOf(x.low, x.high);
  return corners(0n, 1n, bitwiseAnd(rightShift(cast(x.values, lane), count8(n)), 1));
}
