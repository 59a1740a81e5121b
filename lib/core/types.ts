/**
 * Element types and their promotion. The rules are those of Nx: precedence c > f > bf > s > u, plain numbers are weak.
 * Knows nothing of tensors or of how values are stored beyond their width.
 */
import { ArgumentError, didYouMean, show } from "./errors";
import { Complex } from "./complex";
import { defaultComplex, defaultFloat } from "./default-types";

/** Kind of a type: unsigned, signed, brain float, float, complex. Order is precedence. */
type Kind = "u" | "s" | "bf" | "f" | "c";

interface TypeInfo {
  readonly kind: Kind;
  readonly bits: number;
}

export type UnsignedType = "u8" | "u16" | "u32" | "u64";
export type SignedType = "s8" | "s16" | "s32" | "s64";
/** Types of integers. */
export type IntegerType = UnsignedType | SignedType;
/** Types of real floats. */
export type FloatType = "bf16" | "f16" | "f32" | "f64";
/** Types of complex numbers: `c64` is two `f32`, `c128` two `f64`. */
export type ComplexType = "c64" | "c128";

/** Element type of a tensor. */
export type DType = IntegerType | FloatType | ComplexType;

const TYPE_TABLE: { readonly [T in DType]: TypeInfo } = {
  u8: { kind: "u", bits: 8 },
  u16: { kind: "u", bits: 16 },
  u32: { kind: "u", bits: 32 },
  u64: { kind: "u", bits: 64 },
  s8: { kind: "s", bits: 8 },
  s16: { kind: "s", bits: 16 },
  s32: { kind: "s", bits: 32 },
  s64: { kind: "s", bits: 64 },
  bf16: { kind: "bf", bits: 16 },
  f16: { kind: "f", bits: 16 },
  f32: { kind: "f", bits: 32 },
  f64: { kind: "f", bits: 64 },
  c64: { kind: "c", bits: 64 },
  c128: { kind: "c", bits: 128 },
};

/** All element types, in the order of the documentation. */
export const DTYPES = Object.freeze(Object.keys(TYPE_TABLE)) as readonly DType[];

/** The place of each type in that list. */
export const TYPE_NUMBERS = Object.freeze(Object.fromEntries(DTYPES.map((type, i) => [type, i]))) as {
  readonly [T in DType]: number;
};

/** The value of one element; every weak scalar is such a value. */
export type Scalar = number | bigint | boolean | Complex;

const RANK: Record<Kind, number> = { u: 0, s: 1, bf: 2, f: 3, c: 4 };

export const kindOf = (type: DType): Kind => TYPE_TABLE[type].kind;
export const bitsOf = (type: DType): number => TYPE_TABLE[type].bits;
export const bytesOf = (type: DType): number => TYPE_TABLE[type].bits / 8;
export const isInteger = (type: DType): type is IntegerType => {
  const { kind } = TYPE_TABLE[type];
  return kind === "u" || kind === "s";
};
export const isFloat = (type: DType): type is FloatType => {
  const { kind } = TYPE_TABLE[type];
  return kind === "f" || kind === "bf";
};
export const isComplex = (type: DType): type is ComplexType => TYPE_TABLE[type].kind === "c";
export const isUnsigned = (type: DType): type is UnsignedType => TYPE_TABLE[type].kind === "u";
/** 64-bit integers, which no JavaScript number holds. */
export const is64Bit = (type: DType): boolean => type === "s64" || type === "u64";

/** Whether a value names an element type. */
export function isType(value: unknown): value is DType {
  return typeof value === "string" && Object.hasOwn(TYPE_TABLE, value);
}

/** The name here of a type that is called otherwise elsewhere: `"float32"`, `"i64"`, `"bool"`. */
const nameHere = (name: string): string =>
  name
    .replace("uint", "u")
    .replace(/^i(nt)?/, "s")
    .replace("float", "f")
    .replace("complex", "c")
    .replace(/^bool.*/, "u8");

/** The value as a type, or an error that lists the types. */
export function normalizeType(value: unknown): DType {
  if (isType(value)) return value;
  const hint = typeof value === "string" ? didYouMean(nameHere(value), DTYPES) : "";
  throw new ArgumentError(
    `invalid type ${show(value)}${hint}${hint ? " Expected" : ", expected"} one of: ${DTYPES.join(", ")}`,
  );
}

function typeOf(kind: Kind, bits: number): DType {
  return `${kind}${bits}` as DType;
}

const UINT64_END = 2 ** 64;

/** Whether a number is inferred as an integer: integral, and small enough that 64 bits hold it. */
export function isIntegral(value: number): boolean {
  return Number.isInteger(value) && value < UINT64_END && value >= -(2 ** 63);
}

/**
 * Type of a plain value: integral numbers and bigints `s64`, other numbers `f32`, booleans `u8`, Complex `c64`; or the types given
 * for floats and complex numbers.
 */
export function inferScalar(value: Scalar, float: DType = defaultFloat(), complex: DType = defaultComplex()): DType {
  if (typeof value === "number") return isIntegral(value) ? "s64" : float;
  if (typeof value === "bigint") return "s64";
  if (typeof value === "boolean") return "u8";
  return complex;
}

/**
 * Common type of two tensors' types. Never an error; the higher kind wins with its own width. Only u with s widens, and c64 with
 * f64, whose digits it would lose.
 */
export function mergeTypes(left: DType, right: DType): DType {
  if (left === right) return left;
  const [low, high] = RANK[kindOf(left)] <= RANK[kindOf(right)] ? [left, right] : [right, left];
  if (kindOf(low) === kindOf(high)) return bitsOf(low) > bitsOf(high) ? low : high;
  if (kindOf(low) === "u" && kindOf(high) === "s") {
    return typeOf("s", Math.max(Math.min(2 * bitsOf(low), 64), bitsOf(high)));
  }
  if (low === "f64") return "c128";
  return high;
}

/** Type of a tensor's type with a weak scalar: the tensor's own where the value fits its kind. */
export function mergeScalar(type: DType, value: Scalar): DType {
  if (value instanceof Complex) return toComplex(type);
  const kind = kindOf(type);
  if (kind !== "u" && kind !== "s") return type;
  if (typeof value === "boolean") return type;
  if (typeof value === "number" && !isIntegral(value)) return defaultFloat();
  if (kind === "s") return typeOf("s", Math.max(bitsOf(type), signedBits(value)));
  if (value >= 0) return typeOf("u", Math.max(bitsOf(type), unsignedBits(value)));
  return typeOf("s", Math.max(Math.min(2 * bitsOf(type), 64), signedBits(value)));
}

function unsignedBits(value: number | bigint): number {
  return value <= 0xff ? 8 : value <= 0xffff ? 16 : value <= 0xffffffff ? 32 : 64;
}

function signedBits(value: number | bigint): number {
  if (value >= -0x80 && value <= 0x7f) return 8;
  if (value >= -0x8000 && value <= 0x7fff) return 16;
  return value >= -0x80000000 && value <= 0x7fffffff ? 32 : 64;
}

/** Floats and complex stay, integers become `f32`, or what floats are by default. */
export function toFloating(type: DType): DType {
  return isInteger(type) ? defaultFloat() : type;
}

/** Type that sums and products accumulate in: integers widen to 64 bits of their own sign. */
export function toAggregate(type: DType): DType {
  return isInteger(type) ? typeOf(kindOf(type), 64) : type;
}

/** Real type of the parts: `c64` to `f32`, `c128` to `f64`, integers as {@link toFloating}. */
export function toReal(type: DType): DType {
  return type === "c64" ? "f32" : type === "c128" ? "f64" : toFloating(type);
}

/** Complex type that holds the type: `f64` and `c128` to `c128`, integers to the default, all others to `c64`. */
export function toComplex(type: DType): ComplexType {
  if (isInteger(type)) return defaultComplex();
  return type === "f64" || type === "c128" ? "c128" : "c64";
}

/** Smallest and largest finite value of a real type; bigints for 64-bit integers. */
export function finiteLimits(type: Exclude<DType, ComplexType>): { min: number | bigint; max: number | bigint } {
  switch (type) {
    case "f64":
      return { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };
    case "f32":
      return symmetric(3.4028234663852886e38);
    case "f16":
      return symmetric(65504);
    case "bf16":
      return symmetric(3.3895313892515355e38);
    case "u64":
      return { min: 0n, max: 0xffffffffffffffffn };
    case "s64":
      return { min: -0x8000000000000000n, max: 0x7fffffffffffffffn };
    default: {
      const bits = bitsOf(type);
      return isUnsigned(type) ? { min: 0, max: 2 ** bits - 1 } : { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 };
    }
  }
}

/** What no element of a real type is less extreme than. */
export function worstOf(op: "max" | "min", type: DType): number | bigint {
  if (!isInteger(type)) return op === "max" ? -Infinity : Infinity;
  return finiteLimits(type)[op === "max" ? "min" : "max"];
}

const symmetric = (max: number) => ({ min: -max, max });
