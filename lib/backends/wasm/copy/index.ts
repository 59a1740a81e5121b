/**
 * Copying boxes of items in the memory of kernels: what slices, reversals, broadcasts, joins and operands seen through
 * strides are made of. Knows bytes and steps, not types and shapes.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { Access, CopyBox, CopyOf, ElementBox, Elements, Reader } from "../../../kernel/operand";
import type { Additions, BoxCopy, Copier, Picks, Words } from "../../arrays/copier";
import { addressOf, arena } from "../memory/arena";
import { define, isSize, memory, type Code } from "../asm";
import { inScratch, scratch, SLACK, views } from "../memory/linear";
import { exportsOf } from "../modules/cache";
import { orElse } from "../memory/refusal";
import { bytesOfAll, callsOf, partsOf, pieceOf, planned, type Box, type CopyCall } from "./boxes";
import {
  addedFunction,
  addedRunsFunction,
  largestFunction,
  lowHalvesFunction,
  pickedFunction,
  pickedRunsFunction,
} from "./code";
import {
  COPIES_KEPT,
  copyParts,
  PUT_BYTES,
  RUN_FROM,
  RUN_TO,
  STAGED_FROM,
  STAGED_RUN,
  STAGED_WHOLE,
} from "../schedule/copies";
import { runSteps, threadCount, type Step } from "../threads";
import { copyStaged } from "./staged";

const run = (name: string, make: () => Code, args: readonly number[]): void => {
  exportsOf(`move ${name}`, () => ({ [name]: make() }))[name]!(...args);
};

/** Copies a box; source and target do not overlap. Large ones are shared with other threads. */
export const copyBox: (box: Box) => void = orElse(copyByVectors, copyPlainly);

/** Item by item, without a module: what was copied before is copied again. */
function copyPlainly({ from, to, bytes, axes }: Box): void {
  const { u8 } = views();
  const copy = (axis: number, source: number, target: number): void => {
    if (axis === axes.length) return void u8.copyWithin(target, source, source + bytes);
    const { size, from: step, to: toStep } = axes[axis]!;
    for (let i = 0; i < size; i++) copy(axis + 1, source + i * step, target + i * toStep);
  };
  copy(0, from, to);
}

function copyByVectors(box: Box): void {
  inScratch(() => {
    const calls = copyCalls(box);
    if (copyParts(bytesOfAll(box), threadCount) > 1) runSteps(calls);
    else for (const { module, name, args } of calls) module.exports[name]!(...args);
  });
}

/** The calls that copy a box: several for threads to share where it is large. */
function copyCalls(box: Box): CopyCall[] {
  const plan = planned(box);
  const count = copyParts(bytesOfAll(box), threadCount);
  const parts = count === 1 ? [plan] : partsOf(plan, count);
  return parts.flatMap(callsOf);
}

/** Copies between arrays in the memory of kernels. */
export const copier: Copier = {
  run: orElse(copyRun, () => false),
  boxes: (src, dst) => {
    if (addressOf(dst) !== null && isCopied(src)) return copyWords((box) => copyOf(src, box), dst.byteOffset);
    return Math.max(src.byteLength, dst.byteLength) < STAGED_FROM
      ? null
      : copyWords((box) => stagedOf(src, dst, box), 0);
  },
  picked: orElse(pick, () => false),
  added: orElse(add, () => false),
  areBelow: orElse(areBelow, () => false),
  narrowed: orElse(narrowed, () => false),
};

function copyRun(src: Elements, s: number, dst: Elements, d: number, n: number): boolean {
  const each = src.BYTES_PER_ELEMENT;
  const bytes = n * each;
  if (bytes < RUN_FROM || bytes > RUN_TO) return false;
  const [from, to] = [addressOf(src), addressOf(dst)];
  if (from === null || to === null) return false;
  run("run", () => define(["to", "from", "n"], [], 0, (v) => memory.copy(v.to, v.from, v.n)), [
    to + d * each,
    from + s * each,
    bytes,
  ]);
  return true;
}

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

/** The copy of boxes of words, those of the target from address `base` on. */
const copyWords =
  (copy: (box: Box) => boolean, base: number): BoxCopy =>
  (src: Words, s, from, _dst: Words, d, to, sizes, length) => {
    const word = src.BYTES_PER_ELEMENT;
    const axes = sizes.map((size, i) => ({ size, from: from[i]! * word, to: to[i]! * word }));
    return copy({ from: s * word, to: base + d * word, bytes: length * word, axes });
  };

/** Copies a box that begins so many bytes behind the beginning of an array; false where there is no room to put the array to. */
const copyOf = orElse(
  (elements: Elements, box: Box): boolean =>
    inScratch(() => {
      copyBox({ ...box, from: placeOf(elements) + box.from });
      return true;
    }),
  () => false,
);

/** The same between arrays of which one lies outside of the memory of kernels; false also where plain loops take no longer. */
const stagedOf = orElse(
  (src: Elements, dst: Elements, box: Box): boolean =>
    box.bytes < STAGED_RUN && bytesOfAll(box) >= STAGED_FROM && inScratch(() => copyStaged(src, dst, box, copyBox)),
  () => false,
);

/** Whether an array lies in the memory of kernels, or is small enough to be put there. */
export const isCopied = (elements: Elements): boolean =>
  addressOf(elements) !== null || elements.byteLength <= PUT_BYTES;

/** Where the elements of such an array are, for as long as the scratch space that was taken; there is room behind them, as behind all. */
export function placeOf(elements: Elements): number {
  const base = addressOf(elements);
  if (base !== null) return base;
  const at = scratch(elements.byteLength + SLACK);
  views().u8.set(new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength), at);
  return at;
}

/** How boxes of an array in the memory of kernels are copied there; undefined where its reader has to do it. */
export function copyBoxesOf(elements: Elements, width: 1 | 2): CopyBox | undefined {
  const from = addressOf(elements);
  return from === null ? undefined : copyFrom(elements, width, from);
}

/** Copies boxes of elements of an array that lies at an address. */
const copyFrom =
  (elements: Elements, width: 1 | 2, from: number): CopyBox =>
  (dst, box) =>
    copyBox(bytesOfBox(elements, width, from, dst.byteOffset, box));

/** Copies boxes to the memory of kernels, of arrays anywhere but of very large ones outside of it; small ones are put into scratch memory once. */
export const copyingBoxes = (work: (copyOf: CopyOf) => void): void =>
  inScratch(() => {
    const places = new Map<Elements, number>();
    work((elements, width) => {
      if (isCopied(elements)) {
        const from = getOrMake(places, elements, () => placeOf(elements));
        return copyFrom(elements, width, from);
      }
      if (elements.byteLength > STAGED_WHOLE) return undefined;
      return (dst, box) => {
        const moved = bytesOfBox(elements, width, 0, dst.byteOffset, box);
        inScratch(() => copyStaged(elements, null, moved, copyBox));
      };
    });
  });

/** Elements of an operand, from one of its space on, as calls that copy them from address 0 to address 0. */
interface Kept {
  readonly n: number;
  readonly bytes: number;
  /** The parts that they are cut into for threads. */
  readonly parts: number;
  readonly calls: readonly CopyCall[];
}

const kept = new WeakMap<Access, Map<number, Kept>>();

/** The calls that copy elements `start` to `start + n` of an operand: planned once for those that are walked alike. */
function keptCalls(reader: Reader, start: number, n: number): Kept {
  const { access, elements, width } = reader;
  const bytes = width * elements.BYTES_PER_ELEMENT;
  const parts = copyParts(n * bytes, threadCount);
  const all = getOrMake(kept, access, () => new Map<number, Kept>());
  const found = all.get(start);
  if (found?.n === n && found.bytes === bytes && found.parts === parts) return found;
  const calls: CopyCall[] = [];
  reader.boxes(start, n, 0, (box) => calls.push(...copyCalls(bytesOfBox(elements, width, 0, 0, box))));
  const made = { n, bytes, parts, calls };
  if (all.size >= COPIES_KEPT) all.clear();
  all.set(start, made);
  return made;
}

/** A call whose source and target lie so many bytes further on. */
function moved({ module, name, args, from, to }: CopyCall, source: number, target: number): Step {
  const own = [...args];
  own[from]! += source;
  own[to]! += target;
  return { module, name, args: own };
}

/** The calls that copy elements of an operand whose array {@link isCopied} to an address, in scratch space. */
export function elementCalls(reader: Reader, start: number, n: number, to: number): Step[] {
  const from = placeOf(reader.elements);
  return keptCalls(reader, start, n).calls.map((call) => moved(call, from, to));
}

/** Copies elements of an operand whose array lies at an address of the memory of kernels; false where the host refuses the code for that. */
export const copyElements = orElse(
  (reader: Reader, from: number, start: number, n: number, to: number): boolean => {
    const { calls, parts } = keptCalls(reader, start, n);
    if (parts > 1) runSteps(calls.map((call) => moved(call, from, to)));
    else {
      for (const call of calls) call.module.exports[call.name]!(...moved(call, from, to).args);
    }
    return true;
  },
  () => false,
);

/** A box of elements of an array that lies at an address, brought to another one. */
function bytesOfBox(elements: Elements, width: 1 | 2, from: number, to: number, box: ElementBox): Box {
  const bytes = width * elements.BYTES_PER_ELEMENT;
  return {
    from: from + box.from * bytes,
    to: to + box.to * bytes,
    bytes,
    axes: box.sizes.map((size, i) => ({ size, from: box.fromSteps[i]! * bytes, to: box.toSteps[i]! * bytes })),
  };
}
