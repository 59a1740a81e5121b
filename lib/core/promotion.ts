/**
 * Promotion, the type that operands of different types have in common, under the policy in force. `mergeTypes` and
 * `mergeScalar` say what Nx does, which never fails; strict promotion refuses whatever might change a value. Where it does not
 * refuse, both policies give tensors the same type.
 * Knows types, shapes and names, but no tensors.
 */
import { Complex } from "./complex";
import { ArgumentError, show } from "./errors";
import { bf16FromNumber, bf16ToNumber, f16FromNumber, f16ToNumber } from "./half";
import { isStrict } from "./promotion-scope";
import { formatShape, type Names, type Shape } from "./shape";
import {
  bitsOf,
  DTYPES,
  finiteLimits,
  isComplex,
  isFloat,
  isInteger,
  isUnsigned,
  kindOf,
  mergeScalar,
  mergeTypes,
  toReal,
  type ComplexType,
  type DType,
  type FloatType,
  type Scalar,
} from "./types";

/** Bits of the significand, the hidden one included: integers of so many bits are exact. */
const SIGNIFICAND: { readonly [K in FloatType]: number } = { bf16: 8, f16: 11, f32: 24, f64: 53 };

/** Whether a type can hold every value of another one. */
export function holds(into: DType, type: DType): boolean {
  if (into === type) return true;
  if (isComplex(into)) return holds(toReal(into), isComplex(type) ? toReal(type) : type);
  if (isComplex(type)) return false;
  if (isFloat(into)) return isInteger(type) ? magnitudeBits(type) <= SIGNIFICAND[into] : isWider(into, type);
  if (isFloat(type) || (isUnsigned(into) && !isUnsigned(type))) return false;
  return magnitudeBits(type) <= magnitudeBits(into);
}

/** Bits of a magnitude. The smallest negative number takes one bit more, but is a power of two, which floats hold exactly. */
const magnitudeBits = (type: DType): number => bitsOf(type) - (isUnsigned(type) ? 0 : 1);

/** Two float types of equal width hold neither the other: the first has more digits, the second more range. */
const isWider = (into: DType, type: DType): boolean => bitsOf(into) > bitsOf(type);

/** The merged type of strict promotion, or the reason of its refusal. */
type StrictMerge = { readonly type: DType } | { readonly why: string };

/**
 * The candidate has the higher of the two categories (unsigned, signed, float, complex) and the larger of the two widths. It is
 * taken where it holds every value of both. MAX has no complex types; a real operand must fit the parts of a complex one.
 */
export function strictMerge(left: DType, right: DType): StrictMerge {
  const type = candidate(left, right);
  if (type === null) return { why: `${left} and ${right} have as many bits in different formats` };
  const lost = [left, right].find((given) => !holds(type, given));
  return lost === undefined ? { type } : { why: `${type} cannot hold every value of ${lost}` };
}

const CATEGORY = { u: 0, s: 1, bf: 2, f: 2, c: 3 } as const;

/** None where two floats of one width have different formats. */
function candidate(left: DType, right: DType): DType | null {
  const [low, high] = categoryOf(left) <= categoryOf(right) ? [left, right] : [right, left];
  const width = Math.max(widthOf(left), widthOf(right));
  if (categoryOf(low) === categoryOf(high) && widthOf(low) === widthOf(high)) return low === high ? low : null;
  if (isComplex(high)) return width === 64 ? "c128" : "c64";
  const [narrow, wide] = widthOf(high) === width ? [low, high] : [high, low];
  if (categoryOf(wide) === categoryOf(high)) return wide;
  // the higher category in the width of the lower: there is no bf of more than 16 bits
  return `${kindOf(narrow) === "bf" ? "f" : kindOf(narrow)}${width}` as DType;
}

const categoryOf = (type: DType): number => CATEGORY[kindOf(type)];

/** The width for comparisons: a complex type has the width of its parts. */
const widthOf = (type: DType): number => bitsOf(isComplex(type) ? toReal(type) : type);

/** An operand as far as messages show it. */
export interface Typed {
  readonly type: DType;
  readonly shape?: Shape;
  readonly names?: Names;
}

const describe = ({ type, shape, names }: Typed): string => `${type}${shape ? formatShape(shape, names) : ""}`;

/** Common type of two operands of a function, which strict promotion may refuse. */
export function commonType(fn: string, left: Typed, right: Typed): DType {
  const { type } = left;
  if (type === right.type) return type;
  if (isStrict()) checkStrict(fn, left, right);
  return mergeTypes(type, right.type);
}

/** Common type of any number of operands, whatever their order. */
export function commonTypeOf(fn: string, operands: readonly Typed[]): DType {
  const types = operands.map(({ type }) => type);
  if (types.some((type) => type !== types[0]) && isStrict()) {
    const winner = types.find((into) => types.every((type) => holds(into, type)));
    if (winner !== undefined) return winner;
    operands.forEach((left, i) => operands.slice(i + 1).forEach((right) => checkStrict(fn, left, right)));
  }
  return types.reduce(mergeTypes);
}

function checkStrict(fn: string, left: Typed, right: Typed): void {
  const merged = strictMerge(left.type, right.type);
  if ("type" in merged) return;
  throw new ArgumentError(
    `${fn} cannot merge ${describe(left)} and ${describe(right)} under strict promotion: ${merged.why}; ` +
      remedy(left.type, right.type),
  );
}

function remedy(left: DType, right: DType): string {
  const wide = DTYPES.find((type) => holds(type, left) && holds(type, right));
  if (wide !== undefined) return `convert to a type that holds both first, with Nx.asType(tensor, "${wide}")`;
  const type = mergeTypes(left, right);
  return `no type holds both, so choose what may be lost, for example with Nx.asType(tensor, "${type}")`;
}

/** Up to this magnitude a type holds all numbers that do not change it, so that most need no closer look. */
const EXACT = Object.freeze(
  Object.fromEntries(
    DTYPES.map((type) => [type, isInteger(type) ? 2 ** 53 : 2 ** SIGNIFICAND[toReal(type) as FloatType]]),
  ),
) as Readonly<Record<DType, number>>;

/** Type of a plain number beside an operand: weak, and under strict promotion refused where it does not fit. */
export function typeBeside(fn: string, operand: Typed, value: Scalar): DType {
  const { type } = operand;
  const merged = mergeScalar(type, value);
  if (merged === type && typeof value === "number" && Math.abs(value) <= EXACT[type]) return merged;
  if ((merged !== type || !isHeld(type, value)) && isStrict()) throw misfit(fn, operand, value);
  return merged;
}

function misfit(fn: string, operand: Typed, value: Scalar): ArgumentError {
  const { type } = operand;
  const isFraction = typeof value === "number" && !Number.isInteger(value);
  const wide = isFraction || value instanceof Complex ? mergeScalar(type, value) : typeFor(type, value);
  const why = `${type} cannot hold the number ${show(value)}`;
  const how =
    wide === type
      ? `make a tensor of the number, Nx.tensor(${show(value)}, { type: "${type}" }), to have it rounded`
      : `convert the tensor first, with Nx.asType(tensor, "${wide}")`;
  return new ArgumentError(
    `${fn} cannot merge ${describe(operand)} and a plain number under strict promotion: ${why}, and plain numbers never change ` +
      `the type of a tensor; ${how}`,
  );
}

/** The smallest type that holds a type and an integer; the type itself where there is none. */
const typeFor = (type: DType, value: Scalar): DType =>
  DTYPES.find((wide) => holds(wide, type) && isHeld(wide, value)) ?? type;

/**
 * Whether a type holds a plain number: integers exactly; fractions, which few types hold exactly, are rounded to floats, but
 * must not become infinite. Above 2^53 a `number` need not be the integer that was written, so it counts as a fraction.
 */
export function isHeld(type: DType, value: Scalar): boolean {
  if (typeof value === "boolean") return true;
  if (value instanceof Complex) return isComplex(type) && isHeld(type, value.re) && isHeld(type, value.im);
  if (isInteger(type)) return isHeldByInteger(type, value);
  const float = toReal(type) as FloatType;
  const number = Number(value);
  const rounded = roundTo(float, number);
  if (typeof value === "bigint") return Number.isFinite(rounded) && BigInt(rounded) === value;
  if (Number.isSafeInteger(value)) return rounded === value;
  return Number.isFinite(rounded) || !Number.isFinite(value);
}

function isHeldByInteger(type: Exclude<DType, ComplexType>, value: number | bigint): boolean {
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  const { min, max } = finiteLimits(type);
  return value >= min && value <= max;
}

function roundTo(type: FloatType, value: number): number {
  switch (type) {
    case "f64":
      return value;
    case "f32":
      return Math.fround(value);
    case "f16":
      return f16ToNumber(f16FromNumber(value));
    case "bf16":
      return bf16ToNumber(bf16FromNumber(value));
    default:
      return type satisfies never;
  }
}
