/**
 * Copying planes of items in the memory of kernels: what slices, reversals, broadcasts, joins and operands seen through
 * strides are made of. Knows bytes and steps, not types and shapes.
 */
import type { CopyRows, Elements } from "../../../kernel/operand";
import type { Additions, Copier, Picks, PlaneCopy, Words } from "../../arrays/copier";
import { addressOf, arena } from "../arena";
import { isSize, type Code, type Size } from "../asm";
import { inScratch, scratch, views } from "../memory";
import { exportsOf } from "../module-cache";
import { orElse } from "../refusal";
import {
  addedFunction,
  addedRunsFunction,
  itemsFunction,
  largestFunction,
  pickedFunction,
  pickedRunsFunction,
  repeatedFunction,
  reversedFunction,
  runsFunction,
  spreadFunction,
} from "./code";
import { turnFunction } from "./transpose-code";
import { SHORT_ROW, SIDE_BY_SIDE, TRANSPOSED_ITEMS } from "../schedule";

/** A plane: items of `bytes` bytes; addresses and steps in bytes. */
export interface Plane {
  readonly from: number;
  readonly fromRow: number;
  readonly fromStep: number;
  readonly to: number;
  readonly toRow: number;
  readonly toStep: number;
  readonly outer: number;
  readonly inner: number;
  readonly bytes: number;
}

const run = (name: string, make: () => Code, args: readonly number[]): void => {
  exportsOf(`move ${name}`, () => ({ [name]: make() }))[name]!(...args);
};

/** Copies a plane; source and target do not overlap. */
export const copyPlane: (plane: Plane) => void = orElse(copyByVectors, copyPlainly);

/** Item by item, without a module: what was copied before is copied again. */
function copyPlainly({ from, fromRow, fromStep, to, toRow, toStep, outer, inner, bytes }: Plane): void {
  const { u8 } = views();
  for (let i = 0; i < outer; i++) {
    for (let j = 0; j < inner; j++) {
      const at = from + i * fromRow + j * fromStep;
      u8.copyWithin(to + i * toRow + j * toStep, at, at + bytes);
    }
  }
}

function copyByVectors(plane: Plane): void {
  const { from, fromRow, fromStep, to, toRow, toStep, outer, inner, bytes } = plane;
  if (inner === 1 && outer > 1) {
    return copyPlane({ ...plane, fromStep: fromRow, toStep: toRow, fromRow: 0, toRow: 0, inner: outer, outer: 1 });
  }
  const rows = [from, fromRow, to, toRow, outer] as const;
  if (fromStep === bytes && toStep === bytes) return copyRuns(rows, inner * bytes);
  if (isSize(bytes)) {
    if (fromRow === bytes && fromStep !== 0 && toStep === bytes && outer > 1) return turnPlane(plane, bytes);
    if (isSpread(plane) && bytes !== 16 && inner * bytes < 16) {
      return run(`spread${bytes}x${inner}`, () => spreadFunction(bytes, inner), [from, to, outer]);
    }
    if (bytes !== 16 && toStep === bytes && inner * bytes >= 16) {
      if (fromStep === 0) return run(`repeated${bytes}`, () => repeatedFunction(bytes), [...rows, inner]);
      if (fromStep === -bytes) return run(`reversed${bytes}`, () => reversedFunction(bytes), [...rows, inner]);
    }
    return copyItems(plane, bytes);
  }
  for (let i = 0; i < outer; i++) copyRuns([from + i * fromRow, fromStep, to + i * toRow, toStep, inner], bytes);
}

/** Whether neighbouring items become rows next to each other, each the same item again and again. */
const isSpread = ({ fromRow, fromStep, toRow, toStep, inner, bytes }: Plane): boolean =>
  fromStep === 0 && fromRow === bytes && toStep === bytes && toRow === inner * bytes;

/** Items one by one. */
function copyItems({ from, fromRow, fromStep, to, toRow, toStep, outer, inner }: Plane, bytes: Size): void {
  const args =
    inner < SHORT_ROW && outer > inner
      ? [from, fromStep, fromRow, to, toStep, toRow, inner, outer]
      : [from, fromRow, fromStep, to, toRow, toStep, outer, inner];
  run(`items${bytes}`, () => itemsFunction(bytes), args);
}

/** Rows whose first items are neighbours, some at a time, so that what is read stays in the caches. */
function turnPlane(plane: Plane, bytes: Size): void {
  const { from, fromStep, to, toRow, outer, inner } = plane;
  const together = Math.max(SIDE_BY_SIDE, Math.floor(TRANSPOSED_ITEMS / inner));
  for (let row = 0; row < outer; row += together) {
    const rows = Math.min(together, outer - row);
    const [source, target] = [from + row * bytes, to + row * toRow];
    if ((bytes === 4 || bytes === 8) && inner * bytes >= 16) {
      run(`turned${bytes}`, () => turnFunction(bytes), [target, toRow, source, fromStep, inner, rows]);
    } else copyItems({ ...plane, from: source, to: target, outer: rows }, bytes);
  }
}

/** The largest piece that a run of bytes can be copied in. */
const pieceOf = (bytes: number): Size => (bytes >= 16 ? 16 : bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1);

/** Rows of neighbouring bytes. */
function copyRuns(rows: readonly number[], bytes: number): void {
  const piece = pieceOf(bytes);
  run(`runs${piece}`, () => runsFunction(piece), [...rows, bytes]);
}

/** Copies between arrays in the memory of kernels. */
export const copier: Copier = {
  planes: (src, dst) => (addressOf(src) === null || addressOf(dst) === null ? null : copyWords),
  picked: orElse(pick, () => false),
  added: orElse(add, () => false),
  areBelow: orElse(areBelow, () => false),
};

function pick(src: Elements, dst: Elements, { outer, size, picks }: Picks, bytes: number): boolean {
  const [from, to] = [addressOf(src), addressOf(dst)];
  if (from === null || to === null) return false;
  inScratch(() => {
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

function copyPicked(from: number, picks: number, to: number, n: number, bytes: number): void {
  if (isSize(bytes)) return run(`picked${bytes}`, () => pickedFunction(bytes), [from, picks, to, n]);
  const piece = pieceOf(bytes);
  run(`pickedRuns${piece}`, () => pickedRunsFunction(piece), [from, picks, to, n, bytes]);
}

const copyWords: PlaneCopy = (src: Words, s, s0, s1, dst: Words, d, d0, d1, n0, n1, length) => {
  const word = src.BYTES_PER_ELEMENT;
  copyPlane({
    from: src.byteOffset + s * word,
    fromRow: s0 * word,
    fromStep: s1 * word,
    to: dst.byteOffset + d * word,
    toRow: d0 * word,
    toStep: d1 * word,
    outer: n0,
    inner: n1,
    bytes: length * word,
  });
};

/** How rows of an array in the memory of kernels are copied there; undefined where its reader has to do it. */
export function copyRowsOf(elements: Elements, width: 1 | 2): CopyRows | undefined {
  const base = addressOf(elements);
  if (base === null) return undefined;
  const bytes = width * elements.BYTES_PER_ELEMENT;
  return (dst, at, toPitch, from, pitch, step, inner, rows) => {
    copyPlane({
      from: base + from * bytes,
      fromRow: pitch * bytes,
      fromStep: step * bytes,
      to: dst.byteOffset + at * bytes,
      toRow: toPitch * bytes,
      toStep: bytes,
      outer: rows,
      inner,
      bytes,
    });
  };
}
