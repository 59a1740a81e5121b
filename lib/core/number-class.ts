/**
 * Classes of plain numbers. Numbers of one class have one type wherever a type is inferred, alone or beside any other, and are
 * all beyond an integer type or all within it, so that a function that was traced for one of them is the same function for all. Whether a type holds a number exactly, which only
 * strict promotion asks, may differ within a class.
 */
import { Complex } from "./complex";
import type { Scalar } from "./types";

/** A plain number that is computed with; booleans are values of the program where functions are traced. */
export type PlainNumber = Exclude<Scalar, boolean>;

/** Where integers take more bits: unsigned and signed ones of 8, 16, 32 and 64, and those beyond. */
const UPPER = Object.freeze([2 ** 7, 2 ** 8, 2 ** 15, 2 ** 16, 2 ** 31, 2 ** 32, 2 ** 63, 2 ** 64]);
const LOWER = Object.freeze([-(2 ** 7), -(2 ** 15), -(2 ** 31), -(2 ** 63)]);

const COMPLEX = 0;
const FRACTION = 1;
const BIGINT = 32;
const REAL_PART = 64;

/**
 * The class of a number. Fractions, NaN and the infinities are one, since only floats hold them. Complex numbers without an
 * imaginary part, which integers may equal, go by their real part.
 */
export function numberClassOf(value: PlainNumber): number {
  if (typeof value === "bigint") return BIGINT + bitsClass(value);
  if (value instanceof Complex) return value.im === 0 ? REAL_PART + numberClassOf(value.re) : COMPLEX;
  return Number.isInteger(value) ? bitsClass(value) : FRACTION;
}

/** Integers by how many of the limits they are past. */
function bitsClass(value: number | bigint): number {
  let past = 0;
  if (value < 0) {
    while (past < LOWER.length && value < LOWER[past]!) past++;
    return 2 + past;
  }
  while (past < UPPER.length && value >= UPPER[past]!) past++;
  return 2 + LOWER.length + 1 + past;
}
