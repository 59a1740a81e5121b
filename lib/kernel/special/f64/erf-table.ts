/**
 * erf and its slope at multiples of 1/128, for {@link ./error}. Computed once, at the first use, in whole numbers of 2^-160.
 */
import { table } from "../../tables";

export const STEPS = 128;
/** erf(x) is 1 to the last bit from here on. */
export const END = 6;

const BITS = 160n;
const ONE = 1n << BITS;
/** Terms of the Taylor series from one multiple to the next: the last is far below 2^-100. */
const TERMS = 24;
/** 2 / sqrt(pi) in units of 2^-160. */
const SLOPE_AT_ZERO = 1649128000240172121335468122222580532118151184855n;

interface ErfTable {
  readonly value: Float64Array;
  /** What the values lost by rounding. */
  readonly lost: Float64Array;
  readonly slope: Float64Array;
}

let made: ErfTable | undefined;

const erfTable = (): ErfTable => (made ??= makeTable());

export const ERF = table("erf", () => erfTable().value);
export const ERF_LOST = table("erfLost", () => erfTable().lost);
export const ERF_SLOPE = table("erfSlope", () => erfTable().slope);

const times = (a: bigint, b: bigint): bigint => (a * b) >> BITS;

/** A number below 2 in units of 2^-160, rounded to the nearest double. */
function toDouble(units: bigint): number {
  const surplus = BigInt(Math.max(units.toString(2).length - 64, 0));
  // The lowest kept bit is set where more bits were cut, so that Number rounds once and right.
  const kept = units >> surplus;
  const rest = units - (kept << surplus);
  return Number(kept | (rest === 0n ? 0n : 1n)) * 2 ** (Number(surplus) - Number(BITS));
}

function makeTable(): ErfTable {
  const count = STEPS * END + 1;
  const column = (): Float64Array => new Float64Array(count);
  const made = { value: column(), lost: column(), slope: column() };
  let value = 0n;
  // exp(-x^2) is multiplied by exp(-(2 i + 1) / 128^2) from one multiple to the next, and that by exp(-2 / 128^2).
  const unit = expOfSmall(-ONE / BigInt(STEPS * STEPS));
  const square = times(unit, unit);
  let gauss = ONE;
  let factor = unit;
  for (let i = 0; i < count; i++) {
    const slope = times(gauss, SLOPE_AT_ZERO);
    made.value[i] = toDouble(value);
    // Both numbers are multiples of 2^-160, and their difference is short enough for one rounding not to matter.
    made.lost[i] = Number(value - BigInt(made.value[i]! * 2 ** Number(BITS))) * 2 ** -Number(BITS);
    made.slope[i] = toDouble(slope);
    value += times(slope, stepFrom(i)) / BigInt(STEPS);
    gauss = times(gauss, factor);
    factor = times(factor, square);
  }
  return made;
}

function expOfSmall(x: bigint): bigint {
  let sum = ONE;
  let term = ONE;
  for (let n = 1n; n <= 20n; n++) {
    term = times(term, x) / n;
    sum += term;
  }
  return sum;
}

/** (erf(x + h) - erf(x)) / (h erf'(x)) at x = i / 128, h = 1 / 128: sum of a(n) / (n + 1), a(n + 1) from (erf')' = -2x erf'. */
function stepFrom(i: number): bigint {
  const squares = BigInt(STEPS * STEPS);
  let before = 0n;
  let term = ONE;
  let sum = ONE;
  for (let n = 1; n < TERMS; n++) {
    const next = (-2n * (BigInt(i) * term + before)) / squares / BigInt(n);
    before = term;
    term = next;
    sum += term / BigInt(n + 1);
  }
  return sum;
}
