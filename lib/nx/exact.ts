/**
 * Comparisons, extremes and bounds of integers with plain numbers: exact, whatever the number. What that comes to is decided in
 * `core/bounds` from a number of the class; here it is carried out with the number itself, which in a trace is a parameter.
 */
import { MIN } from "../backends/ops";
import { between, comparand, isWhole, type Between, type Comparand } from "../core/bounds";
import { Complex } from "../core/complex";
import { unnamed } from "../core/names";
import { isStrict } from "../core/promotion-scope";
import { SCALAR_SHAPE } from "../core/shape";
import { isInteger, isIntegral, mergeScalar, type DType } from "../core/types";
import { WeakTensor, type Operand, type Tensor } from "../tensor";
import {
  alias,
  asTensor,
  cast,
  constantOn,
  isStrong,
  isWeak,
  pair,
  representativeOf,
  run,
  template,
  usable,
  weakType,
  type Weak,
} from "./dispatch";

/** Two operands of a comparison, not both of which have a type of their own; a plain number beside integers becomes one that compares exactly. */
export function comparedPair(left: Operand, right: Operand, fn: string, takesComplex = false): [Tensor, Tensor] {
  if (isStrong(left)) {
    const other = isWeak(right) ? comparedTo(left, right, fn, takesComplex) : null;
    return other === null ? pair(left, right, fn) : [left, other];
  }
  if (isStrong(right)) {
    const other = isWeak(left) ? comparedTo(right, left, fn, takesComplex) : null;
    return other === null ? pair(left, right, fn) : [other, right];
  }
  return comparedNumbers(left as Weak, right as Weak) ?? pair(left, right, fn);
}

/** The same for equality, which complex numbers have, too. */
export const equatedPair = (left: Operand, right: Operand, fn: string): [Tensor, Tensor] =>
  comparedPair(left, right, fn, true);

/** A real number, or one of its class; null for all else. */
function realOf(value: unknown): number | bigint | null {
  const given = value instanceof WeakTensor ? value.number.representative : value;
  return typeof given === "number" || typeof given === "bigint" ? given : null;
}

function comparedTo(t: Tensor, value: Weak, fn: string, takesComplex: boolean): Tensor | null {
  // most numbers are small; those that strict promotion does not let pass are refused where they meet the tensor
  if (!isInteger(t.type) || Number.isSafeInteger(value) || isStrict()) return null;
  const given = representativeOf(value);
  const isComplex = given instanceof Complex;
  if (isComplex && !takesComplex) return null;
  const real = isComplex && given.im === 0 ? given.re : given;
  const other = comparand(t.type, real);
  if (other !== null) return placed(usable(t, fn), value, other);
  return real === given ? null : inType(usable(t, fn), value, mergeScalar(t.type, real));
}

/** Two plain real numbers as tensors of types that hold them exactly; null for other operands and under strict promotion. */
function comparedNumbers(left: Weak, right: Weak): [Tensor, Tensor] | null {
  const [l, r] = [realOf(left), realOf(right)];
  if (l === null || r === null || isStrict()) return null;
  const [first, second] = [exactType(l), exactType(r)];
  return [
    placed(null, left, comparand(second, l) ?? { type: first, instead: null }),
    placed(null, right, comparand(first, r) ?? { type: second, instead: null }),
  ];
}

/** A type that holds a number exactly; that of doubles for a bigint of more than 64 bits, which is beyond all others there, too. */
function exactType(value: number | bigint): DType {
  if (typeof value === "number" ? !isIntegral(value) : comparand("u64", value) !== null) return "f64";
  return comparand("s64", value) === null ? "s64" : "u64";
}

function placed(t: Tensor | null, value: Weak, { type, instead }: Comparand): Tensor {
  return instead === null ? inType(t, value, type) : constantOn(t, instead, type);
}

/** A plain number on the backend of a tensor. */
function inType(t: Tensor | null, value: Weak, type: DType): Tensor {
  return value instanceof WeakTensor ? value.number.as(type) : constantOn(t, value, type);
}

/** A whole number, of any size; null for all else. */
function wholeOf(value: unknown): number | bigint | null {
  const real = realOf(value);
  return isWhole(real) ? real : null;
}

/** The operand as a tensor; whole numbers beyond `s64` are `u64`. */
export function asExact(value: unknown, fn: string): Tensor {
  const whole = isStrong(value) ? null : wholeOf(value);
  return whole !== null && exactType(whole) === "u64" ? inType(null, value as Weak, "u64") : asTensor(value, fn);
}

/** Type of elements beside whole numbers, which are weak; other operands are left out. */
export const mergedWhole = (type: DType, values: readonly Operand[]): DType =>
  values
    .map(wholeOf)
    .filter((value) => value !== null)
    .reduce<DType>(mergeScalar, type);

/** Two operands of an extreme, not both of which have a type of their own; the extreme itself where their merged type does not do for it. */
export const extremePair =
  (op: "max" | "min") =>
  (left: Operand, right: Operand, fn: string): [Tensor, Tensor] | Tensor =>
    extremeBeside(op, left, right, fn) ?? pair(left, right, fn);

/** The larger or smaller of integers and a whole number, not both tensors, that their merged type does not do for; null where it does. */
function extremeBeside(op: "max" | "min", left: Operand, right: Operand, fn: string): Tensor | null {
  if (isStrong(left)) return extremeOf(op, left, right, fn);
  if (isStrong(right)) return extremeOf(op, right, left, fn);
  const [l, r] = [wholeOf(left), wholeOf(right)];
  if (l === null || r === null) return null;
  const [one, whole, other] = exactType(l) === "s64" ? [left, l, right] : [right, r, left];
  const type = exactType(whole) === "s64" ? weakType(one as Weak) : exactType(whole);
  return extremeOf(op, inType(null, one as Weak, type), other, fn);
}

function extremeOf(op: "max" | "min", t: Tensor, value: Operand, fn: string): Tensor | null {
  if (!isInteger(t.type) || isMerged(t.type, value) || isStrict()) return null;
  const whole = wholeOf(value);
  if (whole === null) return null;
  const merged = mergeScalar(t.type, whole);
  const found = op === "max" ? between(t.type, merged, whole) : between(t.type, merged, undefined, whole);
  return found === null ? null : keptBetween(usable(t, fn), found, [value, value], (x) => x); // the bound is past all elements
}

/** Whether a number is of those for which the merged type does, which most are; asked first, since it takes no time. */
const isMerged = (type: DType, value: unknown): boolean =>
  Number.isSafeInteger(value) && (type !== "u64" || (value as number) >= 0);

type Bounds = readonly [low: Operand | undefined, high: Operand | undefined];

/**
 * Elements kept between plain numbers of which at least one is not of a size that the merged type takes; null where nothing is to
 * be looked after. `compute` is given elements and bounds in one type, bounds that nothing reaches being left out.
 */
export function boundedBy(
  t: Tensor,
  merged: DType,
  low: Operand | undefined,
  high: Operand | undefined,
  compute: (x: Tensor, low: Tensor | undefined, high: Tensor | undefined) => Tensor,
): Tensor | null {
  if (!isInteger(t.type) || isStrict()) return null;
  const [from, to] = [wholeOf(low), wholeOf(high)];
  if ((from === null && low !== undefined) || (to === null && high !== undefined)) return null;
  const found = between(t.type, merged, from ?? undefined, to ?? undefined);
  return found === null ? null : keptBetween(t, found, [low, high], compute);
}

/** The bounds that were found to matter are those given. */
function keptBetween(t: Tensor, found: Between, bounds: Bounds, compute: Parameters<typeof boundedBy>[4]): Tensor {
  const { work, type } = found;
  const [low, high] = [found.low, found.high].map((bound, i) =>
    bound === undefined ? undefined : inType(t, bounds[i] as Weak, work ?? type),
  );
  if (work === null) return everywhere(t, type, low, high);
  const result = cast(compute(cast(t, work), low, high), type);
  return result === t ? alias(t) : result;
}

/** The least of one or two numbers, in the shape of a tensor. */
function everywhere(t: Tensor, type: DType, low: Tensor | undefined, high: Tensor | undefined): Tensor {
  const out = template(type, SCALAR_SHAPE, unnamed(0));
  const least = low && high ? run("binary", out, [low, high], { op: MIN, type }) : (low ?? high)!;
  return run("broadcast", template(type, t.shape, t.names), [least], { axes: [] });
}
