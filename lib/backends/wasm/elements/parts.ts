/**
 * Kernels over rows of elements that lie anywhere in the memory of kernels, in equal steps: a call goes through planes of such rows. Rows end
 * with their last element and no two calls write the same, so threads share the calls.
 */
import { getOrMake } from "../../../core/get-or-make";
import { bytesOf } from "../../../core/types";
import type { Elements, Reader } from "../../../kernel/operand";
import type { Kernel } from "../../../kernel/value";
import { isLarge } from "../../arrays/memory";
import { addressOf } from "../memory/arena";
import { advance, call, define, i32, local, memory, range, when, type Code, type Int } from "../asm";
import type { RowStep } from "../codegen/access";
import { kernelFunction } from "../codegen/function";
import { isCopied, placeOf } from "../copy";
import { inScratch, scratch, views } from "../memory/linear";
import { moduleFor } from "../modules/cache";
import { roomFor, Stored, uniformRoom } from "../placement";
import { STAGED_WHOLE } from "../schedule/copies";
import { STEP } from "../schedule/element-wise";
import { runCalls, type Call } from "../threads";

/** A call: so many planes of so many rows of so many elements. */
export interface Part {
  readonly n: number;
  readonly rows: number;
  readonly planes: number;
  /** The array of each operand, by its number among those of the reader, and how many bytes behind its beginning the operand begins. */
  readonly arrays: readonly number[];
  readonly offsets: readonly number[];
  /** Bytes from a row to the next, of each operand, and those from behind a plane to the next. */
  readonly pitches: readonly number[];
  readonly gaps: readonly number[];
}

/** How a kernel is run. */
export interface ByParts {
  /** The name of the module, which is as long as the kernel: made once. */
  readonly name: string;
  readonly parts: readonly Part[];
  /** Elements from one of a row to the next, of each input. */
  readonly steps: readonly RowStep[];
  /** Groups of four elements side by side at most: no row has fewer elements, or `hasShort` is set, and some may have less than a step. */
  readonly groups: 2 | 4;
  readonly hasShort: boolean;
  /** Whether threads share the parts. */
  readonly isShared: boolean;
}

/** A plan with the name of its module, for the kernel of a key. */
export function byParts(key: string, plan: Omit<ByParts, "name">): ByParts {
  const { steps, groups, hasShort } = plan;
  return { ...plan, name: `rows ${steps.join()} ${groups} ${hasShort} ${key}` };
}

/** Elements are copied before a kernel reads them. */
export const COPIED = "copied";

/**
 * Whether operands lie in the memory of kernels, or are small, and results lie there or found no room there, over no operand: the last elements
 * of a row are done again. Small results lie elsewhere and are quicker made chunk by chunk.
 */
export const areInPlace = ({ inputs }: Kernel, readers: readonly Reader[], outputs: readonly Elements[]): boolean =>
  readers.every(({ arrays }, i) => inputs[i]!.uniform || arrays.every(isCopied)) &&
  outputs.every((array) => isStoredWhole(array) && !readers.some(({ arrays }) => arrays.includes(array)));

const isStoredWhole = (array: Elements): boolean =>
  addressOf(array) !== null || (isLarge(array.byteLength) && array.byteLength <= STAGED_WHOLE);

/**
 * `rows(n, rows, planes, table)` of a kernel. The table has the address of each operand, its bytes from a row to the next and from behind a
 * plane to the next, and for each result a room for a step of elements where rows are short.
 */
function rowsFunction(kernel: Kernel, { steps, groups, hasShort }: ByParts): Code {
  const one = kernelFunction(kernel, { steps, most: groups, isExact: true });
  const { inputs, outputs } = kernel;
  const count = inputs.length + outputs.length;
  const names = Array.from({ length: count }, (_, i) => `operand${i}`);
  return define<string, string, 0>(["n", "rows", "planes", "table"], [...names, "row", "plane"], 0, (v) => {
    const operands = names.map((name) => v[name]!);
    const word = (i: number) => i32.load({ offset: 4 * i }, v.table!);
    const move = (first: number): void => operands.forEach((operand, i) => advance(operand, word(first + i)));
    const eachRow = (body: () => void): void =>
      range(v.plane!, v.planes!, 1, () => {
        range(v.row!, v.rows!, 1, () => {
          body();
          move(count);
        });
        move(2 * count);
      });
    const whole = (): void => eachRow(() => call(one, [v.n!, ...operands]));
    operands.forEach((operand, i) => local.set(operand, word(i)));
    if (!hasShort) return whole();
    i32.ge_u(v.n!, STEP);
    when(whole, () => {
      const rooms = outputs.map((_, i): Int => local.fresh("i32", word(3 * count + i)));
      eachRow(() => {
        call(one, [v.n!, ...operands.slice(0, inputs.length), ...rooms]);
        outputs.forEach(({ type }, i) =>
          memory.copy(operands[inputs.length + i]!, rooms[i]!, i32.mul(v.n!, bytesOf(type))),
        );
      });
    });
  });
}

/** Computes `outputs`, arrays of `size` elements, part by part; arrays that do not lie in the memory of kernels are copied there and back. */
export function runParts(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  plan: ByParts,
): void {
  const { name, parts, hasShort, isShared } = plan;
  const module = moduleFor(name, () => ({ rows: rowsFunction(kernel, plan) }));
  inScratch(() => {
    const places = new Map<Elements, number>();
    const bases = readers.map((reader, i) => {
      const { type, uniform } = kernel.inputs[i]!;
      return uniform
        ? [uniformRoom(type, reader)]
        : reader.arrays.map((array) => getOrMake(places, array, () => placeOf(array)));
    });
    const results = kernel.outputs.map(({ type }, i) => new Stored(type, outputs[i]!));
    const targets = results.map((result, i) => result.addressOf(0) ?? roomFor(kernel.outputs[i]!.type, size));
    bases.push(...targets.map((target) => [target]));
    const rooms = hasShort ? kernel.outputs.length : 0;
    const words = 3 * bases.length + rooms;
    let table = scratch(4 * words * parts.length);
    const calls: Call[] = [];
    for (const { n, rows, planes, arrays, offsets, pitches, gaps } of parts) {
      const short = rooms > 0 && n < STEP ? kernel.outputs.map(({ type }) => roomFor(type, STEP)) : [];
      const memory = views().s32;
      for (let i = 0, at = table / 4; i < bases.length; i++, at++) {
        memory[at] = bases[i]![arrays[i]!]! + offsets[i]!;
        memory[at + bases.length] = pitches[i]!;
        memory[at + 2 * bases.length] = gaps[i]!;
      }
      if (short.length > 0) memory.set(short, table / 4 + 3 * bases.length);
      calls.push([n, rows, planes, table]);
      table += 4 * words;
    }
    runCalls(module, "rows", calls, isShared);
    results.forEach((result, i) => result.put(targets[i]!, size, 0));
  });
}
