/**
 * Elements as unsigned integers that sort the same way: the smallest element has the smallest key, NaN the largest, and
 * -0 and 0 the same. A key is one 32-bit word, or two for 64-bit types. Knows the formats, not tensors.
 */
import { bitsOf, isComplex, kindOf, type DType } from "../../core/types";
import type { Elements } from "./storage";

/** Keys of one lane: `low` only where the type needs two words. */
export interface Keys {
  readonly high: Uint32Array;
  readonly low: Uint32Array | null;
}

/** Significant bits of the first word of a key. */
export function keyBits(type: DType): number {
  return Math.min(32, bitsOf(type));
}

export function allocateKeys(type: DType, length: number): Keys {
  return { high: new Uint32Array(length), low: bitsOf(type) === 64 ? new Uint32Array(length) : null };
}

type WriteKeys = (words: Uint16Array | Int32Array, at: number, n: number, keys: Keys, special: number) => void;

/** Writes the keys of `n` elements from `at`; for a descending order the keys are turned around. */
export function writeKeys(type: DType, elements: Elements, at: number, n: number, keys: Keys, descending: boolean): void {
  if (kindOf(type) === "s" || kindOf(type) === "u") writeIntegers(type, elements, at, n, keys);
  else writeFloats(type, elements, at, n, keys);
  if (!descending) return;
  const mask = keyBits(type) === 32 ? -1 : 2 ** keyBits(type) - 1;
  for (let i = 0; i < n; i++) keys.high[i]! ^= mask;
  if (keys.low) for (let i = 0; i < n; i++) keys.low[i]! ^= -1;
}
