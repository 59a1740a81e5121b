/**
 * Elements as unsigned integers that sort the same way: -Inf has the smallest key of a type, NaN the largest, and -0 has
 * that of 0. A key is one word of up to 32 bits, and a second one for 64-bit types. Knows the formats, not tensors.
 */
import { bitsOf, isInteger, isUnsigned, type DType } from "../../core/types";
import type { Words } from "../arrays/copier";

/** Keys of one lane: `low` only where the type needs two words. */
export interface Keys {
  readonly high: Uint32Array;
  readonly low: Uint32Array | null;
}

/** Bits of the first word of a key. */
export function keyBits(type: DType): number {
  return Math.min(32, bitsOf(type));
}

export function allocateKeys(type: DType, length: number): Keys {
  return { high: new Uint32Array(length), low: bitsOf(type) === 64 ? new Uint32Array(length) : null };
}

/** Writes the keys of `n` elements, given as words, from element `at`; all bits are flipped for a descending order. */
export function writeKeys(type: DType, words: Words, at: number, n: number, keys: Keys, descending: boolean): void {
  const { high, low } = keys;
  const flips = descending ? -1 >>> (32 - keyBits(type)) : 0;
  if (isInteger(type)) writeIntegers(type, words, at, n, keys, flips);
  else if (low) writeDoubles(words, at, n, high, low, flips);
  else writeFloats(type, words, at, n, high, flips);
}

/** Signed integers have their sign bit flipped. */
function writeIntegers(type: DType, words: Words, at: number, n: number, { high, low }: Keys, flips: number): void {
  const bits = keyBits(type);
  const mask = -1 >>> (32 - bits);
  const sign = (isUnsigned(type) ? 0 : 1 << (bits - 1)) ^ flips;
  if (low) {
    for (let i = 0, j = 2 * at; i < n; i++, j += 2) {
      low[i] = words[j]! ^ flips;
      high[i] = words[j + 1]! ^ sign;
    }
  } else for (let i = 0; i < n; i++) high[i] = (words[at + i]! ^ sign) & mask;
}

/** Negative floats have all bits flipped, positive ones the sign bit. */
function writeFloats(type: DType, words: Words, at: number, n: number, high: Uint32Array, flips: number): void {
  const bits = keyBits(type);
  const mask = -1 >>> (32 - bits);
  const sign = 1 << (bits - 1);
  const infinity = type === "f32" ? 0x7f800000 : type === "f16" ? 0x7c00 : 0x7f80;
  for (let i = 0; i < n; i++) {
    const word = words[at + i]!;
    const size = word & ~sign & mask;
    const key = size > infinity ? mask : (word & sign) !== 0 && size !== 0 ? ~word : size | sign;
    high[i] = (key ^ flips) & mask;
  }
}

function writeDoubles(words: Words, at: number, n: number, high: Uint32Array, low: Uint32Array, flips: number): void {
  for (let i = 0, j = 2 * at; i < n; i++, j += 2) {
    const lo = words[j]!;
    const hi = words[j + 1]!;
    const size = hi & 0x7fffffff;
    const isNan = size > 0x7ff00000 || (size === 0x7ff00000 && lo !== 0);
    const negative = hi < 0 && (size | lo) !== 0 ? -1 : 0;
    low[i] = (isNan ? -1 : lo ^ negative) ^ flips;
    high[i] = (isNan ? -1 : negative !== 0 ? ~hi : size | -0x80000000) ^ flips;
  }
}
