/**
 * Plain numbers beside integer types, whatever their size: with what a comparison compares, and in which type bounds are kept.
 * Decisions are the same for all numbers of one class (see `number-class`). Knows types and numbers only.
 */
import { Complex } from "./complex";
import { ArgumentError, show } from "./errors";
import { holds, isHeld } from "./promotion";
import { finiteLimits, isInteger, isUnsigned, type DType, type IntegerType, type Scalar } from "./types";

type Whole = number | bigint;

/** Whether a value is a whole number, of any size. */
export const isWhole = (value: unknown): value is Whole => typeof value === "bigint" || Number.isInteger(value);

/** Whether some integer type holds a whole number. */
const hasType = (value: Whole): boolean => isHeld("s64", value) || isHeld("u64", value);

/** A bigint that no integer type holds cannot be stored in one; only its lowest bits could. */
export function checkBits(fn: string, value: Scalar, type: DType): void {
  if (typeof value !== "bigint" || !isInteger(type) || hasType(value)) return;
  throw new ArgumentError(
    `${fn} cannot store ${show(value)}: no integer type holds it, u64 ends at 2^64 - 1 and s64 begins at -2^63; write it as a ` +
      `number, or as a tensor of floats, Nx.f64(${show(value)})`,
  );
}

/** A plain number in a type, or what stands for it there. */
export interface Comparand {
  readonly type: DType;
  /** What stands for every number of the class; null where it is the number itself, of a complex one the real part. */
  readonly instead: number | null;
}

/**
 * What values of a type are compared with in place of a plain number, so that the answer is exact; null where that is the number
 * in the type that it has beside them. Fractions are less than 2^53, where f64 has all integers; what is beyond all integers of 64
 * bits compares like an infinity.
 */
export function comparand(type: DType, value: Scalar): Comparand | null {
  if (!isInteger(type) || typeof value === "boolean") return null;
  if (value instanceof Complex) return { type: "f64", instead: NaN }; // no integer equals a number with an imaginary part
  if (!isWhole(value)) return { type: "f64", instead: null };
  if (!hasType(value)) return { type: "f64", instead: value > 0 ? Infinity : -Infinity };
  return isHeld("s64", value) || isUnsigned(type) ? null : { type: "u64", instead: null };
}

/** Elements of an integer type between bounds. */
export interface Between {
  /** Type to compute in; null where every element gives the same. */
  readonly work: IntegerType | null;
  readonly type: DType;
  /** What no element is below, what none is above; left out where no element is. Of a single value the least of them. */
  readonly low: Whole | undefined;
  readonly high: Whole | undefined;
}

/**
 * How elements of an integer type are kept between whole numbers, and the type of the result: the merged one where it holds all
 * that can come out, else that of the elements; where only a bound can come out, one that holds it. Null where the merged type
 * holds elements and bounds, so that nothing is to be looked after, and where no integer type holds the result.
 */
export function between(type: IntegerType, merged: DType, low?: Whole, high?: Whole): Between | null {
  const bounds = [low, high].filter((bound) => bound !== undefined);
  if (isInteger(merged) && holds(merged, type) && bounds.every((bound) => isHeld(merged, bound))) return null;
  const { min, max } = finiteLimits(type);
  if (high !== undefined && high < min) return single(merged, undefined, high);
  if (low !== undefined && low > max) return single(merged, low, high);
  const [from, to] = [
    low !== undefined && low >= min ? low : undefined,
    high !== undefined && high <= max ? high : undefined,
  ];
  const keepsMerged = isInteger(merged) && isHeld(merged, from ?? min) && isHeld(merged, to ?? max);
  const out = keepsMerged ? merged : type;
  return { work: keepsMerged && holds(merged, type) ? merged : type, type: out, low: from, high: to };
}

/** The lesser of two bounds as the only result. Of two that no type holds, one that the signed type does not hold is the larger. */
function single(merged: DType, low: Whole | undefined, high: Whole | undefined): Between | null {
  const bounds = [low, high].filter((bound) => bound !== undefined);
  const candidates: readonly DType[] = isInteger(merged) ? [merged, "s64", "u64"] : ["s64", "u64"];
  const holdsAll = (type: DType) => bounds.every((bound) => isHeld(type, bound));
  const type = candidates.find(holdsAll) ?? candidates.find((wide) => bounds.some((bound) => isHeld(wide, bound)));
  if (type === undefined) return null;
  const [from, to] = [low, high].map((bound) => (bound !== undefined && isHeld(type, bound) ? bound : undefined));
  return { work: null, type, low: from, high: to };
}
