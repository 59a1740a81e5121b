/**
 * Numbers of a table as texts of the same width, with their decimal points below each other: as NumPy prints arrays, whose rules these are
 * (`numpy/_core/arrayprint.py`, `FloatingFormat`). Knows values and types only.
 */
import type { Complex } from "./complex";
import { shortestExponential } from "./format";
import { isComplex, isFloat, type DType, type FloatType } from "./types";

type Value = number | bigint | Complex;

/** From a number of the table to its text. */
type Cell<V> = (value: V) => string;

/** What makes the texts of all these values, of one type; `precision` is how many digits stand behind a point at most, `exponents` whether there may be any. */
export function cellsOf(values: readonly Value[], type: DType, precision: number, exponents = true): Cell<Value> {
  if (isFloat(type)) return floatCells(values.map(Number), type, precision, { exponents }) as Cell<Value>;
  if (isComplex(type))
    return complexCells(values as Complex[], type === "c64" ? "f32" : "f64", precision, exponents) as Cell<Value>;
  const width = Math.max(...values.map((value) => String(value).length));
  return (value) => String(value).padStart(width);
}

function complexCells(
  values: readonly Complex[],
  type: FloatType,
  precision: number,
  exponents: boolean,
): Cell<Complex> {
  const re = floatCells(values.map((value) => value.re), type, precision, { exponents }); // prettier-ignore
  const im = floatCells(values.map((value) => value.im), type, precision, { exponents, isSigned: true }); // prettier-ignore
  return (value) => {
    const text = im(value.im);
    return `${re(value.re)}${text.trimEnd()}i${" ".repeat(text.length - text.trimEnd().length)}`;
  };
}

/** A number with a point, in its parts. */
interface Parts {
  /** With the sign. */
  readonly whole: string;
  readonly fraction: string;
  /** With its sign, such as `+05`; empty without one. */
  readonly exponent: string;
}

const TOO_LARGE = 1e8;
const TOO_SMALL = 1e-4;
const TOO_WIDE = 1000;

function floatCells(
  values: readonly number[],
  type: FloatType,
  precision: number,
  { exponents: mayHave, isSigned = false }: { readonly exponents: boolean; readonly isSigned?: boolean },
): Cell<number> {
  const finite = values.filter(Number.isFinite);
  const sizes = finite.map(Math.abs).filter((size) => size > 0);
  const [least, most] = [sizes.reduce((a, b) => Math.min(a, b), Infinity), sizes.reduce((a, b) => Math.max(a, b), 0)];
  const differs = most >= TOO_LARGE || (most > 0 && (least < TOO_SMALL || most / least > TOO_WIDE));
  const hasExponents = mayHave && differs;
  const split = (x: number): Parts => {
    const { whole, ...rest } = (hasExponents ? scientific : positional)(Math.abs(x), type, precision);
    const sign = x < 0 || Object.is(x, -0) ? "-" : isSigned ? "+" : "";
    return { whole: sign + whole, ...rest };
  };
  const parts = finite.map(split);
  const widest = (of: (part: Parts) => string): number =>
    parts.reduce((most, part) => Math.max(most, of(part).length), 0);
  const [wholes, fractions, exponents] = [widest((p) => p.whole), widest((p) => p.fraction), widest((p) => p.exponent)];
  const behind = fractions + (hasExponents ? exponents + 1 : 0);
  const special = (x: number): string =>
    x !== x ? (isSigned ? "+NaN" : "NaN") : x < 0 ? "-Inf" : isSigned ? "+Inf" : "Inf";
  const others = values
    .filter((x) => !Number.isFinite(x))
    .map((x) => special(x).length - (finite.length > 0 ? behind + 1 : 0));
  const front = Math.max(wholes, ...others);
  const width = finite.length > 0 ? front + 1 + behind : front;
  return (x) => {
    if (!Number.isFinite(x)) return special(x).padStart(width);
    const { whole, fraction, exponent } = split(x);
    if (!hasExponents) return `${whole.padStart(front)}.${fraction}`.padEnd(width);
    return `${whole.padStart(front)}.${filled(x, fraction, fractions)}e${padExponent(exponent, exponents)}`;
  };
}

/** The digits behind the point, as many as those of all others: the further ones are those of the number itself. */
function filled(x: number, fraction: string, count: number): string {
  if (fraction.length === count) return fraction;
  const [text] = roundedExponential(Math.abs(x), count).split("e") as [string];
  return text.slice(text.indexOf(".") + 1);
}

const padExponent = (exponent: string, width: number): string =>
  exponent[0]! + exponent.slice(1).padStart(width - 1, "0");

/** A number that is not negative as digits with a point: the shortest that read back as itself, or so many as there may be. */
function positional(x: number, type: FloatType, precision: number): Parts {
  const { digits, exponent } = shortestDigits(x, type);
  if (digits.length - 1 - exponent > precision) return pointed(rounded(x, precision));
  if (exponent < 0) return { whole: "0", fraction: "0".repeat(-exponent - 1) + digits, exponent: "" };
  const all = digits.padEnd(exponent + 1, "0");
  return { whole: all.slice(0, exponent + 1), fraction: all.slice(exponent + 1), exponent: "" };
}

function scientific(x: number, type: FloatType, precision: number): Parts {
  let { digits, exponent } = shortestDigits(x, type);
  if (digits.length - 1 > precision) ({ digits, exponent } = digitsOf(roundedExponential(x, precision)));
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return { whole: digits[0]!, fraction: digits.slice(1), exponent: (exponent < 0 ? "-" : "+") + size };
}

interface Digits {
  /** Significant digits without zeros at the end. */
  readonly digits: string;
  readonly exponent: number;
}

function shortestDigits(x: number, type: FloatType): Digits {
  if (x === 0) return { digits: "", exponent: -1 };
  const { digits, exponent } = digitsOf(shortestExponential(x, type));
  return isHalfway(x, digits.length - 1) ? digitsOf(roundedExponential(x, digits.length - 1)) : { digits, exponent };
}

function digitsOf(exponential: string): Digits {
  const [text, exponent] = exponential.split("e") as [string, string];
  return { digits: text.replace(".", "").replace(/0+$/, ""), exponent: Number(exponent) };
}

function pointed(text: string): Parts {
  const [whole = "", fraction = ""] = text.split(".");
  return { whole, fraction: fraction.replace(/0+$/, ""), exponent: "" };
}

/** The digits of a double do not end sooner than this behind those where it could be halfway between two shorter numbers. */
const BEYOND = 40;

/** Rounded to so many digits behind the point, halves to the even digit, where `toFixed` rounds them up. */
function rounded(x: number, precision: number): string {
  const text = x.toFixed(precision);
  return isHalf(x.toFixed(Math.min(100, precision + BEYOND)), precision) ? evenBelow(text, precision) : text;
}

function evenBelow(text: string, precision: number): string {
  return Number(text.at(-1)) % 2 === 0 ? text : (Number(text) - 10 ** -precision).toFixed(precision);
}

/** The same for so many digits behind the first one. */
function roundedExponential(x: number, precision: number): string {
  const text = x.toExponential(precision);
  if (!isHalfway(x, precision)) return text;
  const [digits, exponent] = text.split("e") as [string, string];
  return `${evenBelow(digits, precision)}e${exponent}`;
}

/** Whether a number lies halfway between two of so many digits behind the first one. */
const isHalfway = (x: number, precision: number): boolean =>
  isHalf(x.toExponential(Math.min(100, precision + BEYOND)).split("e")[0]!, precision);

/** Whether what stands behind so many digits is exactly a half of the last of them. */
const isHalf = (text: string, precision: number): boolean =>
  /^50*$/.test(text.slice(text.indexOf(".") + 1 + precision));
