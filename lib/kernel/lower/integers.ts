/**
 * Division, shifts and counts of bits of integers in the kernel language, which has neither division of integers nor shifts by
 * other than constants.
 */
import { bitsOf, isUnsigned, is64Bit, type DType } from "../../core/types";
import type { Builder } from "../builder";
import type { Value } from "../value";
import { asFloat, asWide, wrapped, type Typed } from "./typed";
import { digitsOf, floatOfWide, halvesOf, joined, MAGIC } from "./wide";

type I32 = Value<"i32">;
type I64 = Value<"i64">;
type F64 = Value<"f64">;

/** The halves of an integer constant; null of what is none. */
function constantOf({ parts }: Typed): { readonly low: number; readonly high: number } | null {
  const [part] = parts as [Value];
  if (part.op !== "const") return null;
  return { low: part.value, high: part.kind === "i64" ? part.high : part.value >> 31 };
}

/** Whether all elements are known to be divisors: a constant other than zero, or tried before. */
export function isDivisor(y: Typed): boolean {
  const known = constantOf(y);
  return known ? (known.low | known.high) !== 0 : y.accepted === true;
}

/** Whether all elements are known to be counts of a shift of type `out`: no negative numbers in that type. */
export function isCount(y: Typed, out: DType): boolean {
  const known = constantOf(y);
  if (known) return isUnsigned(out) || known.high >= 0;
  return isUnsigned(out) || (isUnsigned(y.type) && y.type !== "u64") || y.accepted === true;
}

// --------------------------------------------------------------------------------------------------------- division

/** Truncated toward zero; the lowest number by -1 wraps to itself. */
export function quotientOf(k: Builder, x: Typed, y: Typed, out: DType): Typed {
  const shifted = shiftedDivision(k, x, y, out);
  if (shifted) return shifted("quotient");
  if (is64Bit(out)) return { type: out, parts: [wideDivision(k, x, y, out, "quotient")] };
  return wrapped(k, out, wordOf(k, k.trunc(k.div(asFloat(k, x, "f64"), asFloat(k, y, "f64")))));
}

/** Of the sign of x. */
export function remainderOf(k: Builder, x: Typed, y: Typed, out: DType): Typed {
  const shifted = shiftedDivision(k, x, y, out);
  if (shifted) return shifted("remainder");
  if (is64Bit(out)) return { type: out, parts: [wideDivision(k, x, y, out, "remainder")] };
  const [a, b] = [asFloat(k, x, "f64"), asFloat(k, y, "f64")];
  // Quotients of 32 bits and what they leave are exact in doubles.
  return wrapped(k, out, wordOf(k, k.sub(a, k.mul(k.trunc(k.div(a, b)), b))));
}

/** The lowest 32 bits of a whole number below 2^51. */
const wordOf = (k: Builder, whole: F64): I32 => k.wrap(k.bits(k.add(whole, MAGIC)));

interface Division<K extends "i32" | "i64" = "i64"> {
  readonly quotient: Value<K>;
  readonly remainder: Value<K>;
}

/** A divisor that is known, as results of a type take it. */
interface Known {
  readonly magnitude: bigint;
  readonly isNegative: boolean;
}

function knownDivisor(y: Typed, out: DType): Known | null {
  const known = constantOf(y);
  if (!known) return null;
  const high = isUnsigned(y.type) && !is64Bit(y.type) ? 0 : known.high;
  const bits = (BigInt(high) << 32n) | BigInt(known.low >>> 0);
  if (isUnsigned(out)) return { magnitude: BigInt.asUintN(bitsOf(out), bits), isNegative: false };
  const value = BigInt.asIntN(bitsOf(out), bits);
  return { magnitude: value < 0n ? -value : value, isNegative: value < 0n };
}

const wideConstant = (k: Builder, value: bigint): I64 =>
  k.i64(Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value)));

/** The magnitude of a number whose sign is a mask, or a magnitude with a sign: `(v ^ mask) - mask`. */
const withSign = <K extends "i32" | "i64">(k: Builder, v: Value<K>, sign: Value<K>): Value<K> =>
  k.sub(k.xor(v, sign), sign);

const signOf = <K extends "i32" | "i64">(k: Builder, v: Value<K>): Value<K> =>
  k.maskBits(k.lt(v, 0)) as unknown as Value<K>;

/** Division by a known power of 2: a shift of the magnitude, and the bits that it drops; null for other divisors. */
function shiftedDivision(k: Builder, x: Typed, y: Typed, out: DType): ((part: keyof Division) => Typed) | null {
  const known = knownDivisor(y, out);
  if (!known || known.magnitude === 0n || (known.magnitude & (known.magnitude - 1n)) !== 0n) return null;
  if (is64Bit(out)) {
    const division = shiftedParts(k, asWide(k, x), known, isUnsigned(out), wideConstant(k, known.magnitude - 1n));
    return (part) => ({ type: out, parts: [division[part]] });
  }
  const division = shiftedParts(k, narrow(x), known, isUnsigned(out), k.i32(Number(known.magnitude - 1n)));
  return (part) => wrapped(k, out, division[part]);
}

function shiftedParts<K extends "i32" | "i64">(
  k: Builder,
  x: Value<K>,
  { magnitude, isNegative }: Known,
  isPlain: boolean,
  rest: Value<K>,
): Division<K> {
  const count = magnitude.toString(2).length - 1;
  const halved = (v: Value<K>): Value<K> => (count === 0 ? v : k.shrU(v, count));
  if (isPlain) return { quotient: halved(x), remainder: k.and(x, rest) };
  const sign = signOf(k, x);
  const size = withSign(k, x, sign);
  const quotient = withSign(k, halved(size), isNegative ? k.not(sign) : sign);
  return { quotient, remainder: withSign(k, k.and(size, rest), sign) };
}

/** Numbers with a sign that stay below 2^51, as most do, in doubles; others by magnitudes, to which signs are put back. */
function wideDivision(k: Builder, x: Typed, y: Typed, out: DType, part: keyof Division): I64 {
  const [a, b] = [asWide(k, x), asWide(k, y)];
  const known = knownDivisor(y, out);
  if (isUnsigned(out)) return unsignedDivision(k, a, b, known)[part];
  const any = (): I64 => {
    const [left, right] = [signOf(k, a), signOf(k, b)];
    const { quotient, remainder } = unsignedDivision(k, withSign(k, a, left), withSign(k, b, right), known);
    return part === "quotient" ? withSign(k, quotient, k.xor(left, right)) : withSign(k, remainder, left);
  };
  if (known && known.magnitude >> 51n !== 0n) return any();
  const far = (v: I64): I64 => k.shrU(k.add(v, k.i64(2 ** 19, 0)), 52);
  const [p, q] = [a, b].map((v) => k.sub(k.float(k.add(v, magicBits(k))), MAGIC)) as [F64, F64];
  const whole = k.trunc(k.div(p, q));
  const result = part === "quotient" ? whole : k.sub(p, k.mul(whole, q));
  const usual = k.sub(k.bits(k.add(result, MAGIC)), magicBits(k));
  return k.coldPath(k.ne(known ? far(a) : k.or(far(a), far(b)), 0), usual, any, true);
}

const magicBits = (k: Builder): I64 => k.i64(0x43380000, 0);

/** Divisors from here on take steps of their own. */
const LARGE_DIVISOR = 62;

/**
 * The quotient in doubles is off by 2^-51 of itself and 1; what it leaves, a number of either sign not far above the divisor,
 * is divided again, and a last step of 1 puts that right. Divisors from 2^62 on, for which this could leave the range, go in
 * three times at most.
 */
function unsignedDivision(k: Builder, a: I64, size: I64, known: Known | null): Division {
  const b = known ? wideConstant(k, known.magnitude) : size;
  const divisor = known ? k.f64(Number(known.magnitude)) : floatOfWide(k, b, true);
  const first = wideOf(k, k.floor(k.div(floatOfWide(k, a, true), divisor)));
  const rest = k.sub(a, k.mul(first, b));
  const second = signedWideOf(k, k.floor(k.div(floatOfWide(k, rest, false), divisor)));
  const near = { quotient: k.add(first, second), remainder: k.sub(rest, k.mul(second, b)) };
  const lifted = stepped(k, near, b, k.lt(near.remainder, 0), 1);
  const usual = stepped(k, lifted, b, k.le(b, lifted.remainder), -1);
  if (known && known.magnitude >> BigInt(LARGE_DIVISOR) === 0n) return usual;
  const isLarge = k.ne(k.shrU(b, LARGE_DIVISOR), 0);
  const cold = (part: keyof Division) => (): I64 => repeatedSubtraction(k, a, b)[part];
  return {
    quotient: k.coldPath(isLarge, usual.quotient, cold("quotient")),
    remainder: k.coldPath(isLarge, usual.remainder, cold("remainder")),
  };
}

/** Where the mask holds, the divisor is added to the remainder or taken off, and the quotient follows. */
function stepped(k: Builder, { quotient, remainder }: Division, b: I64, mask: Value<"m64">, by: 1 | -1): Division {
  const bits = k.maskBits(mask);
  const part = k.and(b, bits);
  return by === 1
    ? { quotient: k.add(quotient, bits), remainder: k.add(remainder, part) }
    : { quotient: k.sub(quotient, bits), remainder: k.sub(remainder, part) };
}

function repeatedSubtraction(k: Builder, a: I64, b: I64): Division {
  let division: Division = { quotient: k.i64(0, 0), remainder: a };
  for (let i = 0; i < 3; i++) division = stepped(k, division, b, k.leU(b, division.remainder), -1);
  return division;
}

/** A whole number from 0 to 2^64 as bits; 2^64 itself comes out 2^32 too low. */
function wideOf(k: Builder, whole: F64): I64 {
  const { high, low } = digitsOf(k, whole);
  return joined(k, { high: k.truncU(high), low: k.truncU(low) });
}

function signedWideOf(k: Builder, whole: F64): I64 {
  return withSign(k, wideOf(k, k.abs(whole)), k.maskBits(k.lt(whole, 0)));
}

// ----------------------------------------------------------------------------------------------------------- shifts

/** Zero for counts beyond the width. */
export function shiftLeft(k: Builder, x: Typed, y: Typed, out: DType): Typed {
  return is64Bit(out)
    ? { type: out, parts: [shiftWide(k, asWide(k, x), y, (v, count) => k.shl(v, count))] }
    : shiftNarrow(k, narrow(x), y, out, (v, count) => k.shl(v, count), k.i32(0));
}

/** Filled with the sign of signed types, else with zeros, also for counts beyond the width. */
export function shiftRight(k: Builder, x: Typed, y: Typed, out: DType): Typed {
  const signed = !isUnsigned(out);
  if (is64Bit(out)) {
    // Machines shift 64-bit lanes logically: the complement of negative numbers is not negative, and fills with zeros.
    const wide = asWide(k, x);
    const sign = signed ? k.maskBits(k.lt(wide, 0)) : k.i64(0, 0);
    const shifted = shiftWide(k, k.xor(wide, sign), y, (v, count) => k.shrU(v, count));
    return { type: out, parts: [k.xor(shifted, sign)] };
  }
  const beyond = signed ? k.shrS(narrow(x), 31) : k.i32(0);
  return shiftNarrow(k, narrow(x), y, out, (v, n) => (signed ? k.shrS(v, n) : k.shrU(v, n)), beyond);
}

const narrow = ({ parts }: Typed): I32 => parts[0] as I32;

/** A shift by each bit of the count that is set. */
function shiftNarrow(k: Builder, x: I32, y: Typed, out: DType, by: (v: I32, n: number) => I32, beyond: I32): Typed {
  const known = constantOf(y);
  const bits = bitsOf(out);
  if (known) return wrapped(k, out, known.high === 0 && known.low >>> 0 < bits ? by(x, known.low) : beyond);
  const count = narrow(y);
  let value = x;
  for (let step = 1; step < bits; step *= 2) value = k.select(k.ne(k.and(count, step), 0), by(value, step), value);
  return wrapped(k, out, k.select(k.ltU(count, bits), value, beyond));
}

/** Zero for counts beyond the width. */
function shiftWide(k: Builder, x: I64, y: Typed, by: (v: I64, n: number) => I64): I64 {
  const known = constantOf(y);
  const zero = k.i64(0, 0);
  if (known) return known.high === 0 && known.low >>> 0 < 64 ? by(x, known.low) : zero;
  const count = asWide(k, y);
  let value = x;
  for (let step = 1; step < 64; step *= 2) value = k.select(k.ne(k.and(count, step), 0), by(value, step), value);
  return k.select(k.eq(k.shrU(count, 6), 0), value, zero);
}

// -------------------------------------------------------------------------------------------------------- bit counts

/** The number of set bits: sums of neighbouring bits, pairs and fours; a product adds up the bytes. */
function setBits(k: Builder, word: I32): I32 {
  const pairs = k.sub(word, k.and(k.shrU(word, 1), 0x55555555));
  const fours = k.add(k.and(pairs, 0x33333333), k.and(k.shrU(pairs, 2), 0x33333333));
  return k.shrU(k.mul(k.and(k.add(fours, k.shrU(fours, 4)), 0x0f0f0f0f), 0x01010101), 24);
}

/** The number of zero bits above the highest set one, 32 of zero: by the exponent of the word as a double. */
function leadingZeros(k: Builder, word: I32): I32 {
  const exponent = k.wrap(k.shrU(k.bits(k.fromU32("f64", word)), 52));
  return k.select(k.eq(word, 0), k.i32(32), k.sub(k.i32(1023 + 31), exponent));
}

/** The bits of an integer below 64 bits, others zero. */
function ownBits(k: Builder, x: Typed): I32 {
  const bits = bitsOf(x.type);
  return bits === 32 ? narrow(x) : k.and(narrow(x), (1 << bits) - 1);
}

const counted = (k: Builder, out: DType, count: I32): Typed =>
  is64Bit(out) ? { type: out, parts: [k.extendU(count)] } : wrapped(k, out, count);

export function populationCount(k: Builder, x: Typed, out: DType): Typed {
  if (!is64Bit(x.type)) return counted(k, out, setBits(k, ownBits(k, x)));
  const { low, high } = halvesOf(k, x.parts[0] as I64);
  return counted(k, out, k.add(setBits(k, low), setBits(k, high)));
}

export function countLeadingZeros(k: Builder, x: Typed, out: DType): Typed {
  if (!is64Bit(x.type)) return counted(k, out, k.sub(leadingZeros(k, ownBits(k, x)), 32 - bitsOf(x.type)));
  const { low, high } = halvesOf(k, x.parts[0] as I64);
  const below = k.add(leadingZeros(k, low), 32);
  return counted(k, out, k.select(k.eq(high, 0), below, leadingZeros(k, high)));
}
