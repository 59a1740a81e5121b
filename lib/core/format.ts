/**
 * Numbers as text, the way tensors print them: the fewest digits that read back as the same element of its own type.
 * Knows values and types only.
 */
import type { Complex } from "./complex";
import { bf16FromNumber, bf16ToNumber, f16FromNumber, f16ToNumber } from "./half";
import { isComplex, isFloat, type DType, type FloatType } from "./types";

interface Precision {
  readonly round: (x: number) => number;
  /** Significant digits that always suffice. */
  readonly digits: number;
  /** All digits of an integer below this bound are significant. */
  readonly exact: number;
}

const PRECISION: { readonly [T in Exclude<FloatType, "f64">]: Precision } = {
  f32: { round: Math.fround, digits: 9, exact: 2 ** 24 },
  f16: { round: (x) => f16ToNumber(f16FromNumber(x)), digits: 5, exact: 2 ** 11 },
  bf16: { round: (x) => bf16ToNumber(bf16FromNumber(x)), digits: 4, exact: 2 ** 8 },
};

/** Decimal exponents written without `e`: those of numbers that are still easy to read. */
const LEAST_PLAIN = -4;
const MOST_PLAIN = 15;

/** A float: `1.0`, `0.1`, `1.5e-7`, `-0.0`, `NaN`, `-Inf`. */
export function formatFloat(x: number, type: FloatType): string {
  if (x !== x) return "NaN";
  if (x === Infinity || x === -Infinity) return x < 0 ? "-Inf" : "Inf";
  if (x === 0) return Object.is(x, -0) ? "-0.0" : "0.0";
  const size = Math.abs(x);
  return (x < 0 ? "-" : "") + layout(shortestExponential(size, type));
}

/** The fewest digits that read back as a positive number, in exponent form. */
export const shortestExponential = (x: number, type: FloatType): string =>
  type === "f64" ? x.toExponential() : shortest(x, PRECISION[type]);

/** An element of any type: integers plain, complex numbers as `1.0-2.0i`. */
export function formatElement(value: number | bigint | Complex, type: DType): string {
  if (isFloat(type)) return formatFloat(Number(value), type);
  if (!isComplex(type)) return String(value);
  const { re, im } = value as Complex;
  const part = type === "c64" ? "f32" : "f64";
  const imaginary = formatFloat(im, part);
  return `${formatFloat(re, part)}${imaginary.startsWith("-") ? "" : "+"}${imaginary}i`;
}

/** Exponent form of the shortest decimal that rounds to `x`, by bisection over the number of digits. */
function shortest(x: number, precision: Precision): string {
  if (x < precision.exact && Number.isInteger(x)) return x.toExponential();
  let low = 1;
  let high = precision.digits;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (decimal(x, middle, precision.round) === null) low = middle + 1;
    else high = middle;
  }
  return decimal(x, low, precision.round) ?? x.toExponential();
}

/** The decimal of so many digits nearest to `x` among those that round to `x`. */
function decimal(x: number, digits: number, round: (x: number) => number): string | null {
  const near = x.toExponential(digits - 1);
  if (round(Number(near)) === x) return near;
  // Floats are sparser above a power of two than below it, so that the next decimal up may do where the nearest is below.
  if (Number(near) > x || !Number.isInteger(Math.log2(x))) return null;
  const [digitsText, exponent] = near.split("e") as [string, string];
  const above = `${Number(digitsText.replace(".", "")) + 1}e${Number(exponent) - digits + 1}`;
  return round(Number(above)) === x ? Number(above).toExponential(digits - 1) : null;
}

/** Exponent form to the form printed. */
function layout(exponential: string): string {
  const at = exponential.indexOf("e");
  const exponent = Number(exponential.slice(at + 1));
  const digits = exponential.slice(0, at).replace(".", "").replace(/0+$/, "") || "0";
  if (exponent < LEAST_PLAIN || exponent > MOST_PLAIN) return `${withPoint(digits, 1)}e${exponent}`;
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  return withPoint(digits.padEnd(exponent + 1, "0"), exponent + 1);
}

function withPoint(digits: string, whole: number): string {
  return `${digits.slice(0, whole)}.${digits.slice(whole) || "0"}`;
}
