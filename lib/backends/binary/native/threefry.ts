/**
 * Pseudo-random words of a key and floats made of them, computed in registers. The composites in `lib/random` define them, and
 * these give the same bits.
 *
 * Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011), Threefry with two words of 32
 * bits and 20 rounds.
 */
import type { Template } from "../../../backend";
import { bf16FromNumber, f16FromNumber } from "../../../core/half";
import { sizeOf } from "../../../core/shape";
import { bitsOf, type DType } from "../../../core/types";
import { LARGEST_SIZE } from "../../../kernel/threefry";
import type { Tensor } from "../../../tensor";
import { allocate, elementsOf, type Elements } from "../../arrays/storage";

/** Keeps the bits of the key from being all zeros in its third word. */
const PARITY = 0x1bd11bda;

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

/** The block "threefry2x32": as many words as `out` has elements. */
export function threefry2x32(out: Template, [key]: readonly Tensor[]): Elements {
  return wordsOf(key!, sizeOf(out.shape));
}

/** Words for the counters 0 to n - 1, of which the second half runs beside the first; an odd count is filled up with 0. */
function wordsOf(key: Tensor, count: number): Uint32Array {
  const words = allocate("u32", count);
  const [k0, k1] = elementsOf(key) as unknown as [number, number];
  const half = Math.ceil(count / 2);
  encipher(new Int32Array(words.buffer, words.byteOffset, count), half, 1, half, k0 | 0, k1 | 0, false);
  return words;
}

/** The block "threefryFloats": floats from 0 to below 1 of the type of `out`, their fractions being random bits. */
export function threefryFloats(out: Template, [key]: readonly Tensor[]): Elements | null {
  const count = sizeOf(out.shape);
  switch (out.type) {
    case "f32":
      return singles(wordsOf(key!, count));
    case "f64":
      return doubles(wordsOf(key!, 2 * count), allocate("f64", count));
    case "f16":
      return halves(wordsOf(key!, count), allocate("f16", count), 10, f16FromNumber);
    case "bf16":
      return halves(wordsOf(key!, count), allocate("bf16", count), 7, bf16FromNumber);
    default:
      return null;
  }
}

function singles(words: Uint32Array): Float32Array {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  for (let i = 0; i < words.length; i++) floats[i] = (words[i]! >>> 9) * 2 ** -23;
  return floats;
}

/** Of the 64 bits made of a word of the first half and one of the second, the upper 52. */
function doubles(words: Uint32Array, floats: Float64Array): Float64Array {
  const count = floats.length;
  for (let i = 0; i < count; i++) {
    floats[i] = (words[i]! * 2 ** 20 + (words[count + i]! >>> 12)) * 2 ** -52;
  }
  return floats;
}

/** Of the lower 16 bits the upper ones. */
function halves(words: Uint32Array, floats: Uint16Array, fraction: number, encode: (x: number) => number): Uint16Array {
  const scale = 2 ** -fraction;
  for (let i = 0; i < words.length; i++) floats[i] = encode(((words[i]! & 0xffff) >>> (16 - fraction)) * scale);
  return floats;
}

/** The block "threefryIntegers": integers from 0 to below the option `size`, in the type of `out`. */
export function threefryIntegers(
  out: Template,
  [key]: readonly Tensor[],
  { size }: Readonly<Record<string, unknown>>,
): Elements | null {
  if (typeof size !== "bigint" || size > LARGEST_SIZE) return null;
  const count = sizeOf(out.shape);
  const below = Number(size);
  const remainder = remainderBy(below);
  if (bitsOf(out.type) === 64) return wideIntegers(wordsOf(key!, 4 * count), count, below, remainder);
  return narrowIntegers(out.type, wordsOf(key!, 2 * count), count, below, remainder);
}

type Remainder = (x: number) => number;

/** The remainder of integers up to 2^53; the quotient may be off by one either way. */
function remainderBy(size: number): Remainder {
  const inverse = 1 / size;
  return (x) => {
    const rest = x - Math.floor(x * inverse) * size;
    return rest < 0 ? rest + size : rest >= size ? rest - size : rest;
  };
}

/** Two words for each integer: (first * 2^bits + second) modulo the size, of the lower bits of both. */
function narrowIntegers(type: DType, words: Uint32Array, count: number, size: number, mod: Remainder): Elements {
  const mask = 0xffffffff >>> (32 - bitsOf(type));
  const factor = 2 ** bitsOf(type) % size;
  const integers = allocate(type, count);
  for (let i = 0; i < count; i++) {
    const first = (words[i]! & mask) >>> 0;
    const second = (words[count + i]! & mask) >>> 0;
    integers[i] = mod(mod(first) * factor + mod(second));
  }
  return integers;
}

/** Four words for each integer: the upper halves of the first and the second number, then the lower halves. */
function wideIntegers(words: Uint32Array, count: number, size: number, mod: Remainder): Int32Array {
  const root = 2 ** 32 % size;
  const factor = (root * root) % size;
  const integers = allocate("s64", count);
  for (let i = 0; i < count; i++) {
    const first = mod(mod(words[i]!) * root + words[2 * count + i]!);
    const second = mod(mod(words[count + i]!) * root + words[3 * count + i]!);
    integers[2 * i] = mod(first * factor + second);
  }
  return integers;
}

/** The block "threefryFolds": for each integer the pair of words that its upper and its lower half become, as rows. */
export function threefryFolds(_out: Template, [key, data]: readonly Tensor[]): Elements {
  const numbers = elementsOf(data!) as ArrayLike<number>;
  const is64Bit = bitsOf(data!.type) === 64;
  const pairs = allocate("u32", 2 * sizeOf(data!.shape));
  const words = new Int32Array(pairs.buffer, pairs.byteOffset, pairs.length);
  for (let i = 0; i < words.length; i += 2) {
    // 64-bit integers lie as their lower and upper halves
    words[i] = is64Bit ? numbers[i + 1]! : numbers[i / 2]! < 0 ? -1 : 0;
    words[i + 1] = is64Bit ? numbers[i]! : numbers[i / 2]!;
  }
  const [k0, k1] = elementsOf(key!) as unknown as [number, number];
  encipher(words, words.length / 2, 2, 1, k0 | 0, k1 | 0, true);
  return pairs;
}

/**
 * Enciphers `count` pairs of words, those that are given or else their positions: the first words are `step` apart, the second ones lie `apart`
 * behind them, a position of 0 where the words end. Each round reads the second word before the assignment inside the line changes the first.
 */
function encipher(
  words: Int32Array,
  count: number,
  step: number,
  apart: number,
  k0: number,
  k1: number,
  isGiven: boolean,
): void {
  const k2 = k0 ^ k1 ^ PARITY;
  const end = words.length;
  for (let i = 0, first = 0; i < count; i++, first = (first + step) | 0) {
    const second = (first + apart) | 0;
    let x0 = ((isGiven ? words[first]! : first) + k0) | 0;
    let x1 = ((isGiven ? words[second]! : second < end ? second : 0) + k1) | 0;
    x1 = rotate(x1, 13) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 15) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 26) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 6) ^ (x0 = (x0 + x1) | 0);
    x0 = (x0 + k1) | 0;
    x1 = (x1 + k2 + 1) | 0;
    x1 = rotate(x1, 17) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 29) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 16) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 24) ^ (x0 = (x0 + x1) | 0);
    x0 = (x0 + k2) | 0;
    x1 = (x1 + k0 + 2) | 0;
    x1 = rotate(x1, 13) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 15) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 26) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 6) ^ (x0 = (x0 + x1) | 0);
    x0 = (x0 + k0) | 0;
    x1 = (x1 + k1 + 3) | 0;
    x1 = rotate(x1, 17) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 29) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 16) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 24) ^ (x0 = (x0 + x1) | 0);
    x0 = (x0 + k1) | 0;
    x1 = (x1 + k2 + 4) | 0;
    x1 = rotate(x1, 13) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 15) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 26) ^ (x0 = (x0 + x1) | 0);
    x1 = rotate(x1, 6) ^ (x0 = (x0 + x1) | 0);
    words[first] = x0 + k2;
    if (second < end) words[second] = x1 + k0 + 5;
  }
}
