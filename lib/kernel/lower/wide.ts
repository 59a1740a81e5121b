/**
 * Integers of 64 bits as floats.
 */
import type { Builder } from "../builder";
import type { Value } from "../value";

type F64 = Value<"f64">;
type I64 = Value<"i64">;

/** 1.5 * 2^52, whose last place is 1: the last bits of its sum with a number below 2^51 are those of that number. */
export const MAGIC = 6755399441055744;

interface Halves {
  readonly low: Value<"i32">;
  readonly high: Value<"i32">;
}

export const halvesOf = (k: Builder, wide: I64): Halves => ({
  low: k.wrap(wide),
  high: k.wrap(k.shrU(wide, 32)),
});

/** The integer of two halves. */
export const joined = (k: Builder, { low, high }: Halves): I64 => k.or(k.shl(k.extendU(high), 32), k.extendU(low));

/** The digits of a whole number above and below 2^32. */
export function digitsOf(k: Builder, whole: F64): { readonly high: F64; readonly low: F64 } {
  const high = k.floor(k.mul(whole, 2 ** -32));
  return { high, low: k.sub(whole, k.mul(high, 2 ** 32)) };
}

/** The nearest f64. The halves are the digits of 2^84 + high and of 2^52 + low, which are exact: only the sum rounds. */
export function floatOfWide(k: Builder, wide: I64, unsigned: boolean): F64 {
  // the sign bit of the high half counts as 2^31 more
  const bias = 2 ** 84 + 2 ** 52 + (unsigned ? 0 : 2 ** 63);
  const high = k.float(k.xor(k.shrU(wide, 32), k.i64(0x45300000, unsigned ? 0 : 0x80000000)));
  const low = k.float(k.or(k.and(wide, k.i64(0, -1)), k.i64(0x43300000, 0)));
  return k.add(k.sub(high, bias), low);
}

/** As f64, exact below 2^53 and from there on rounded to odd: rounding it further is rounding once. */
export function wideToOdd(k: Builder, wide: I64, unsigned: boolean): F64 {
  const { low, high } = halvesOf(k, wide);
  const isExact = unsigned ? k.ltU(high, 2 ** 21) : k.ltU(k.add(high, 2 ** 21), 2 ** 22);
  const isOdd = k.andnot(k.ne(k.and(low, 0xfff), 0), isExact);
  const cutOff = k.or(k.and(wide, k.i64(-1, ~0xfff)), k.i64(0, 0x800));
  return floatOfWide(k, k.select(k.widen(isOdd), cutOff, wide), unsigned);
}

/** Where an integer is none of s32; of unsigned ones that is from 2^31 on. */
export function isWide(k: Builder, wide: I64, unsigned: boolean): Value<"m32"> {
  const { low, high } = halvesOf(k, wide);
  return unsigned ? k.ne(k.or(high, k.shrU(low, 31)), 0) : k.ne(high, k.shrS(low, 31));
}

/** The nearest f32. Most have 32 bits in truth, and take the way of such integers, which machines convert. */
export const singleOfWide = (k: Builder, wide: I64, unsigned: boolean): Value<"f32"> =>
  k.coldPath(
    isWide(k, wide, unsigned),
    k.fromS32("f32", k.wrap(wide)),
    () => k.demote(wideToOdd(k, wide, unsigned)),
    true,
  );
