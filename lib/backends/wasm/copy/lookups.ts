/**
 * Lookups and scattered sums between arrays in the memory of kernels, in place of loops.
 */
import type { Elements } from "../../../kernel/operand";
import type { Additions, Copier, Picks } from "../../arrays/copier";
import { isSize } from "../asm";
import { addressOf, arena } from "../memory/arena";
import { inScratch, scratch, views } from "../memory/linear";
import { orElse } from "../memory/refusal";
import { pieceOf } from "./boxes";
import { isCopied, placeOf, run } from "./index";
import {
  addedFunction,
  addedRunsFunction,
  largestFunction,
  lowHalvesFunction,
  pickedFunction,
  pickedRunsFunction,
} from "./lookup-code";

function pick(src: Elements, dst: Elements, { outer, size, picks }: Picks, bytes: number): boolean {
  const to = addressOf(dst);
  if (to === null || !isCopied(src)) return false;
  inScratch(() => {
    const from = placeOf(src);
    const numbers = wordsAt(picks);
    for (let o = 0; o < outer; o++) {
      copyPicked(from + o * size * bytes, numbers, to + o * picks.length * bytes, picks.length, bytes);
    }
  });
  return true;
}

/** Sums that are no memory of kernels are copied there and back, which pays where they are no more than the updates. */
function add({ sums, picks, run: length, values }: Additions): boolean {
  const [held, terms] = [addressOf(sums), addressOf(values)];
  if (terms === null || (held === null && sums.length > values.length)) return false;
  const size = values.BYTES_PER_ELEMENT as 4 | 8;
  inScratch(() => {
    const to = held ?? scratch(sums.byteLength);
    if (held === null) views().f64.set(sums, to / 8);
    const args = [to, wordsAt(picks), terms, picks.length];
    if (length === 1) run(`added${size}`, () => addedFunction(size), args);
    else run(`addedRuns${size}`, () => addedRunsFunction(size), [...args, length]);
    if (held === null) sums.set(views().f64.subarray(to / 8, to / 8 + sums.length));
  });
  return true;
}

/** Where words are, which may be seen through another array than that of their tensor: in scratch memory if in no other of kernels. */
function wordsAt(words: Uint32Array): number {
  if (arena.covers(words)) return words.byteOffset;
  const at = scratch(words.byteLength);
  views().u32.set(words, at / 4);
  return at;
}

function areBelow(positions: Uint32Array, size: number): boolean {
  if (!arena.covers(positions)) return false;
  const whole = positions.length & -4;
  for (let i = whole; i < positions.length; i++) if (positions[i]! >= size) return false;
  return inScratch(() => {
    const to = scratch(16);
    run("largest", largestFunction, [positions.byteOffset, whole, to]);
    return views()
      .u32.subarray(to / 4, to / 4 + 4)
      .every((largest) => largest < size);
  });
}

function narrowed(pairs: Int32Array, into: Uint32Array, size: number): boolean {
  if (!arena.covers(pairs) || !arena.covers(into)) return false;
  const whole = into.length & -4;
  for (let i = whole; i < into.length; i++) {
    into[i] = pairs[2 * i]!;
    if (pairs[2 * i + 1] !== 0 || into[i]! >= size) return false;
  }
  return inScratch(() => {
    const seen = scratch(32);
    run("lowHalves", lowHalvesFunction, [pairs.byteOffset, whole, into.byteOffset, seen]);
    const words = views().u32.subarray(seen / 4, seen / 4 + 8);
    return words.every((word, i) => (i < 4 ? word < size : word === 0));
  });
}

function copyPicked(from: number, picks: number, to: number, n: number, bytes: number): void {
  if (isSize(bytes)) return run(`picked${bytes}`, () => pickedFunction(bytes), [from, picks, to, n]);
  const piece = pieceOf(bytes);
  run(`pickedRuns${piece}`, () => pickedRunsFunction(piece), [from, picks, to, n, bytes]);
}

/** What a copier does for lookups. */
export const lookups: Pick<Copier, "picked" | "added" | "areBelow" | "narrowed"> = {
  picked: orElse(pick, () => false),
  added: orElse(add, () => false),
  areBelow: orElse(areBelow, () => false),
  narrowed: orElse(narrowed, () => false),
};
