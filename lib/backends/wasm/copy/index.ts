/**
 * Copying boxes of items in the memory of kernels: what slices, reversals, broadcasts, joins and operands seen through
 * strides are made of. Knows bytes and steps, not types and shapes.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { Access, CopyBox, CopyOf, ElementBox, Elements, Reader } from "../../../kernel/operand";
import type { BoxCopy, Copier, Words } from "../../arrays/copier";
import { addressOf } from "../memory/arena";
import { define, memory, type Code } from "../asm";
import { inScratch, scratch, SLACK, views } from "../memory/linear";
import { exportsOf } from "../modules/cache";
import { orElse } from "../memory/refusal";
import { bytesOfAll, callsOf, partsOf, planned, type Box, type CopyCall } from "./boxes";
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

/** Runs a function of bytes that stands by itself in a module. */
export const run = (name: string, make: () => Code, args: readonly number[]): void => {
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

/** What loops are left to do. */
const byLoops = (): boolean => false;

/** Copies between arrays in the memory of kernels; lookups and scattered sums come with a group. */
export const copier: Copier = {
  run: orElse(copyRun, () => false),
  boxes: (src, dst) => {
    if (addressOf(dst) !== null && isCopied(src)) return copyWords((box) => copyOf(src, box), dst.byteOffset);
    return Math.max(src.byteLength, dst.byteLength) < STAGED_FROM
      ? null
      : copyWords((box) => stagedOf(src, dst, box), 0);
  },
  picked: byLoops,
  added: byLoops,
  areBelow: byLoops,
  narrowed: byLoops,
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
