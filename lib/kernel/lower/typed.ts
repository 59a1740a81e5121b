/**
 * Values of element types in the kernel language: how each type is loaded, kept between ops, rounded to itself and stored.
 * Between two fused ops a value is exactly what it would be had it been stored and loaded again.
 */
import { bf16FromNumber, f16FromNumber } from "../../core/half";
import { bitsOf, isComplex, isUnsigned, type DType } from "../../core/types";
import type { Builder } from "../builder";
import {
  storageKind,
  type FloatKind,
  type KernelOutput,
  type Kind,
  type MaskOf,
  type NumberKind,
  type Value,
} from "../value";
import { floatOfWide, isWide } from "./wide";

/** A value of an element type. */
export interface Typed {
  readonly type: DType;
  /** One value, or real and imaginary part. Half floats are kept as f32, integers below 32 bits as i32 in their range. */
  readonly parts: readonly Value<NumberKind>[];
  /** The mask a truth value (`u8`, 0 or 1) was made from. */
  readonly mask?: Value<"m32">;
  /** The bits of a half float, where they are known. */
  readonly bits?: Value<"i32">;
  /** What a half float was rounded from, which its bits are made of where they are not known. */
  readonly unrounded?: Value<"f32">;
  /** Whether no element is one that ops refuse: a zero divisor, a negative shift. Constants need not say so. */
  readonly accepted?: boolean;
}

/** The kind a type is kept in between ops. */
export const laneOf = (type: DType): NumberKind => (type === "f16" || type === "bf16" ? "f32" : storageKind(type));

/** Whether every value of the type is a value of f32. */
export const fitsF32 = (type: DType): boolean => FITS_F32.has(type);

const FITS_F32: ReadonlySet<DType> = new Set<DType>(["u8", "s8", "u16", "s16", "f16", "bf16", "f32"]);

/** An element of an input. */
export const load = (k: Builder, input: number, type: DType): Typed =>
  fromStored(k, type, isComplex(type) ? [k.load(input, 0), k.load(input, 1)] : [k.load(input)]);

/** An element as it is stored: a value, or two parts. */
export function fromStored(k: Builder, type: DType, stored: readonly Value[]): Typed {
  if (type !== "f16" && type !== "bf16") return { type, parts: stored as Typed["parts"] };
  const bits = stored[0] as Value<"i32">;
  return { type, parts: [type === "f16" ? decodeF16(k, bits) : decodeBf16(k, bits)], bits };
}

/** A real constant; numbers beyond the type's range must not come here. */
export function constant(k: Builder, type: DType, value: number, imaginary = 0): Typed {
  if (type === "f16") return half(k, type, k.i32(f16FromNumber(value)), decodeF16);
  if (type === "bf16") return half(k, type, k.i32(bf16FromNumber(value)), decodeBf16);
  const lane = laneOf(type);
  const parts = [k.constant(lane, lane === "i32" ? wrappedNumber(type, value) : value)];
  return { type, parts: isComplex(type) ? [...parts, k.constant(lane, imaginary)] : parts };
}

function wrappedNumber(type: DType, value: number): number {
  const shift = 32 - bitsOf(type);
  return isUnsigned(type) ? (value << shift) >>> shift : (value << shift) >> shift;
}

const half = (
  k: Builder,
  type: DType,
  bits: Value<"i32">,
  decode: (k: Builder, bits: Value<"i32">) => Value<"f32">,
): Typed => ({ type, parts: [decode(k, bits)], bits });

const halfOf = (type: DType, unrounded: Value<"f32">, round: (x: Value<"f32">) => Value<"f32">): Typed => ({
  type,
  parts: [round(unrounded)],
  unrounded,
});

/** The value as it is stored. */
export function store(k: Builder, value: Typed): KernelOutput {
  const { type, parts, bits, unrounded } = value;
  if (type !== "f16" && type !== "bf16") return { type, values: parts };
  const encode = type === "f16" ? encodeF16 : encodeBf16;
  return { type, values: [bits ?? encode(k, unrounded ?? (parts[0] as Value<"f32">))] };
}

/**
 * What is known of a result that is to be rounded: a sum is one of two half floats of the type, a ratio their product or quotient. NaN of
 * these is that of an operand or the machine's own, whose last digits are zeros.
 */
type Origin = "any" | "sum" | "ratio";

/**
 * A float result in the lane it was computed in, rounded to `type` once: on the way from f64 to half floats it is rounded to
 * odd, which the second rounding does not notice. Null where `type` is no float.
 */
export function rounded(k: Builder, type: DType, result: Value<FloatKind>, origin: Origin = "any"): Typed | null {
  const narrow = (): Value<"f32"> =>
    result.kind === "f32" ? (result as Value<"f32">) : roundedToOdd(k, type, result as Value<"f64">);
  switch (type) {
    case "f64":
      return result.kind === "f64" ? { type, parts: [result] } : { type, parts: [k.promote(result as Value<"f32">)] };
    case "f32":
      return result.kind === "f32" ? { type, parts: [result] } : { type, parts: [k.demote(result as Value<"f64">)] };
    case "f16":
      return halfOf(type, narrow(), (x) => TO_F16[origin](k, x));
    case "bf16":
      return halfOf(type, narrow(), (x) => (origin === "any" ? roundedToBf16(k, x) : k.float(digitsOf(k, x, 16))));
    default:
      return null;
  }
}

/**
 * An f64 as an f32 whose last bit is set where something was cut off (Boldo and Melquiond, "Emulation of FMA and correctly
 * rounded sums: proved algorithms using rounding to odd", 2008). What f32 has as subnormals are zeros of f16, so that for it the digits of
 * normal numbers are enough.
 */
function roundedToOdd(k: Builder, type: DType, x: Value<"f64">): Value<"f32"> {
  if (type === "f16") {
    const rest = k.i64(0, 2 ** 29 - 1);
    const isCut = k.and(k.add(k.and(k.bits(x), rest), rest), k.i64(0, 2 ** 29));
    return k.demote(k.float(k.or(k.andnot(k.bits(x), rest), isCut)));
  }
  const nearest = k.demote(x);
  const back = k.promote(nearest);
  const isAway = k.narrow(k.lt(k.abs(x), k.abs(back)));
  const isCut = k.narrow(k.ne(back, x));
  const towardZero = k.add(k.bits(nearest), k.maskBits(isAway));
  return k.float(k.or(towardZero, k.and(k.maskBits(isCut), 1)));
}

/** An integer result cut to `type`. */
export function wrapped(k: Builder, type: DType, result: Value<"i32"> | Value<"i64">): Typed {
  return { type, parts: [result.kind === "i64" ? result : cut(k, type, result as Value<"i32">)] };
}

function cut(k: Builder, type: DType, result: Value<"i32">): Value<"i32"> {
  switch (type) {
    case "u8":
      return k.and(result, 0xff);
    case "u16":
      return k.and(result, 0xffff);
    case "s8":
      return k.shrS(k.shl(result, 24), 24);
    case "s16":
      return k.shrS(k.shl(result, 16), 16);
    default:
      return result;
  }
}

/** A truth value. */
export function truth<K extends Kind>(k: Builder, mask: Value<MaskOf<K>>): Typed {
  const narrow = (mask.kind === "m64" ? k.narrow(mask as Value<"m64">) : mask) as Value<"m32">;
  return { type: "u8", parts: [k.and(k.maskBits(narrow), 1)], mask: narrow };
}

/** Where a value is not zero; of complex numbers either part. NaN is not zero. */
export function nonZero(k: Builder, value: Typed): Value<"m32"> {
  if (value.mask) return value.mask;
  // Half floats by their bits, all but that of the sign.
  if (value.bits) return k.lt(k.i32(0), k.and(value.bits, 0x7fff));
  const masks = value.parts.map((part) => {
    const mask = k.ne(part, 0) as Value;
    return mask.kind === "m64" ? k.narrow(mask as Value<"m64">) : (mask as Value<"m32">);
  });
  return masks.reduce((a, b) => k.or(a, b));
}

/**
 * A real value as a float of the given kind, rounded once where the kind does not hold the type; 64-bit integers are rounded to
 * f64 first.
 */
export function asFloat<K extends FloatKind>(k: Builder, value: Typed, kind: K): Value<K> {
  const [part] = value.parts as [Value];
  if (part.kind === kind) return part as Value<K>;
  if (part.kind === "f32") return k.promote(part as Value<"f32">) as Value<K>;
  if (part.kind === "f64") return k.demote(part as Value<"f64">) as Value<K>;
  if (part.kind === "i64") {
    const wide = floatOfWide(k, part as Value<"i64">, isUnsigned(value.type));
    return (kind === "f64" ? wide : k.demote(wide)) as Value<K>;
  }
  const word = part as Value<"i32">;
  return value.type === "u32" ? k.fromU32(kind, word) : k.fromS32(kind, word);
}

interface Single {
  readonly value: Value<"f32">;
  /** Where the number may be none of f32; left out where none is. */
  readonly cut?: Value<"m32">;
}

/** Integers below this are numbers of f32. */
const SINGLE = 2 ** 24;

/** A real number that is no f64 as f32. */
export function singleOf(k: Builder, x: Typed): Single {
  if (fitsF32(x.type)) return { value: asFloat(k, x, "f32") };
  const [part] = x.parts as [Value<"i32"> | Value<"i64">];
  const unsigned = isUnsigned(x.type);
  if (part.op === "const" && part.kind === "i32" && Math.abs(part.value) < SINGLE) {
    if (!unsigned || part.value >= 0) return { value: k.f32(part.value) };
  }
  const word = part.kind === "i64" ? k.wrap(part as Value<"i64">) : (part as Value<"i32">);
  const value = k.fromS32("f32", word);
  const isLarge = unsigned ? k.ne(k.shrU(word, 24), 0) : k.ge(k.abs(value), SINGLE);
  return { value, cut: part.kind === "i64" ? k.or(isLarge, isWide(k, part as Value<"i64">, unsigned)) : isLarge };
}

/** An integer as i64, extended by its sign where it has one. */
export function asWide(k: Builder, value: Typed): Value<"i64"> {
  const [part] = value.parts as [Value];
  if (part.kind === "i64") return part as Value<"i64">;
  const word = part as Value<"i32">;
  return isUnsigned(value.type) ? k.extendU(word) : k.extendS(word);
}

/** The fields of f16 moved to their places in f32 give the value times 2^-112, subnormals included. */
function decodeF16(k: Builder, bits: Value<"i32">): Value<"f32"> {
  const fields = k.and(k.shrS(k.shl(bits, 16), 3), 0x8fffe000 | 0);
  const finite = k.mul(k.float(fields), 2 ** 112);
  const isSpecial = k.maskBits(k.le(k.f32(2 ** 16), k.abs(finite)));
  return k.float(k.or(k.bits(finite), k.and(isSpecial, 0x7f800000)));
}

const decodeBf16 = (k: Builder, bits: Value<"i32">): Value<"f32"> => k.float(k.shl(bits, 16));

const signBit = (k: Builder, x: Value<"f32">): Value<"i32"> => k.and(k.bits(x), 0x80000000 | 0);

/**
 * The size of a number plus 2^13 times its power of two, at least 0.5: the last place of that sum is where f16 has its own. Infinities
 * and what is beyond the range are 2^16.
 */
function alignedToF16(k: Builder, x: Value<"f32">): { readonly sum: Value<"f32">; readonly power: Value<"i32"> } {
  const size = k.pmin(k.abs(x), 2 ** 16);
  const power = k.max(k.add(k.and(k.bits(size), 0x7f800000), 13 << 23), 126 << 23);
  return { sum: k.add(size, k.float(power)), power };
}

/** Numbers that f16 has, infinite from 2^16 on. */
const withinF16 = (k: Builder, x: Value<"f32">): Value<"f32"> => k.mul(k.mul(x, 2 ** 112), 2 ** -112);

/** The bits of the nearest number that is one of f16, ties to even, without the sign. */
function sizeInF16(k: Builder, x: Value<"f32">): Value<"i32"> {
  const { sum, power } = alignedToF16(k, x);
  return k.bits(withinF16(k, k.sub(sum, k.float(power))));
}

/** The nearest number that is one of f16, ties to even. Last digits of NaN are zeros, as everywhere between operations. */
const roundedToF16 = (k: Builder, x: Value<"f32">): Value<"f32"> =>
  k.float(k.or(signBit(k, x), k.and(sizeInF16(k, x), ~0x1fff)));

/** As {@link roundedToF16}: a sum of half floats has no digits below those of the subnormals. */
const roundedSum = (k: Builder, x: Value<"f32">): Value<"f32"> => withinF16(k, k.float(digitsOf(k, x, 13)));

/** As {@link roundedToF16}, where the number is below 2^115 or not finite: the addend of infinities and NaN is the least one. */
function roundedRatio(k: Builder, x: Value<"f32">): Value<"f32"> {
  const power = k.max(k.add(k.and(k.bits(x), 0x7f800000), (13 << 23) + (1 << 22)), (126 << 23) + (1 << 22));
  const nearest = k.sub(k.add(x, k.float(power)), k.float(power));
  return k.float(k.or(signBit(k, x), k.bits(withinF16(k, nearest))));
}

const TO_F16 = { any: roundedToF16, sum: roundedSum, ratio: roundedRatio };

/** To nearest, ties to even; NaN becomes the quiet one of its sign. */
function encodeF16(k: Builder, x: Value<"f32">): Value<"i32"> {
  const { sum, power } = alignedToF16(k, x);
  // the last digits of the sum, and the exponent that the power stands for
  const size = k.sub(k.add(k.sub(k.bits(sum), power), k.shrU(power, 13)), 126 << 10);
  return k.or(k.shrU(signBit(k, x), 16), k.select(k.ne(x, x), k.i32(0x7e00), size));
}

/** The bits of a number with half a last place, that of bit `last`, added to them, or a little less where that is even. */
function carried(k: Builder, x: Value<"f32">, last: 13 | 16): Value<"i32"> {
  const bits = k.bits(x);
  return k.add(k.add(bits, 2 ** (last - 1) - 1), k.and(k.shrU(bits, last), 1));
}

/** The bits of a number rounded to bit `last`, ties to even. */
const digitsOf = (k: Builder, x: Value<"f32">, last: 13 | 16): Value<"i32"> => k.and(carried(k, x, last), -(2 ** last));

/** The nearest number that is one of bf16, ties to even. */
const roundedToBf16 = (k: Builder, x: Value<"f32">): Value<"f32"> =>
  k.select(k.eq(x, x), k.float(digitsOf(k, x, 16)), NaN);

/** To nearest, ties to even; NaN becomes the quiet one of its sign. */
function encodeBf16(k: Builder, x: Value<"f32">): Value<"i32"> {
  const nan = k.or(k.shrU(signBit(k, x), 16), 0x7fc0);
  return k.select(k.eq(x, x), k.shrU(carried(k, x, 16), 16), nan);
}
