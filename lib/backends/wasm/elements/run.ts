/**
 * Runs an element-wise kernel over a whole space through WebAssembly, chunk by chunk, here or on other threads. How that is done
 * is planned once for operands that are walked and lie alike.
 */
import { bytesOf } from "../../../core/types";
import { interpret } from "../../../kernel/interpret/run";
import { keyOf } from "../../../kernel/key";
import type { Elements, Reader } from "../../../kernel/operand";
import { opsOf, type Kernel } from "../../../kernel/value";
import { tuning } from "../../tuning";
import { wasmKernel } from "../codegen";
import { borrow, inScratch, VIEW, views } from "../memory/linear";
import type { KernelModule } from "../modules/module";
import { isLoaded } from "../modules/cache";
import { baseOf, baseOfArray, copyOut, Layout, NOWHERE, viewedBy, type Operand } from "../placement";
import { Plans, type Plan } from "../placement/plans";
import { orElse } from "../memory/refusal";
import { lineLength, byLineOf, runByLine, type ByLine } from "../lines/element-wise";
import { SHARED_FROM_ELEMENTS } from "../schedule/cuts";
import { cutElements, ELEMENTWISE_AT_ONCE, isForThreads, isLight, STEP } from "../schedule/element-wise";
import { runByRows } from "./rows";
import { runChunks } from "../placement/chunks";
import { threadCount } from "../threads";
import { isWarm } from "../modules/tiering";

/** Bytes of the widest element. */
const WIDEST = 16;

/** Arguments of the function of a kernel, used for every small call. */
const argumentsOf = new WeakMap<KernelModule, number[]>();

/** Does a small space at once. */
function runSmall(
  kernel: Kernel,
  module: KernelModule,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
): void {
  const { inputs, outputs: results } = kernel;
  let args = argumentsOf.get(module);
  if (!args) argumentsOf.set(module, (args = []));
  const length = Math.ceil(size / STEP) * STEP;
  let at = borrow(length * WIDEST * (inputs.length + results.length));
  const memory = views();
  args[0] = size;
  for (let i = 0; i < inputs.length; i++) {
    const { type, uniform } = inputs[i]!;
    readers[i]!.read(memory[VIEW[type]], at / bytesOf(type), 0, uniform ? 1 : size);
    args[i + 1] = at;
    at += length * bytesOf(type);
  }
  for (let i = 0; i < results.length; i++) {
    args[inputs.length + i + 1] = at;
    at += length * bytesOf(results[i]!.type);
  }
  module.exports.run!(...args);
  for (let i = 0; i < results.length; i++) {
    copyOut(results[i]!.type, args[inputs.length + i + 1]!, size, outputs[i]!, 0);
  }
}

const plans = new Plans<Plan | ByLine>();

/** Runs a kernel over operands that are several arrays as one where these lie; false where it does not. Comes with the functions that join tensors. */
export const segments: { run: ((...args: Required<Parameters<typeof runKernel>>) => boolean) | null } = { run: null };

/** Flags of operands: one is read as a view, one is several arrays as one. */
const VIEWS = 1;
const JOINED = 2;

/** The flags of operands; none where elements are read one after the other. */
function flagsOf(readers: readonly Reader[]): number {
  let flags = 0;
  for (let i = 0; i < readers.length; i++) {
    const { kind } = readers[i]!.access;
    if (kind === "strided" || kind === "periodic") flags |= VIEWS;
    else if (kind === "joined") flags |= JOINED;
  }
  return flags;
}

/** Whether one of some arrays is read by an operand. */
function isRead(readers: readonly Reader[], outputs: readonly Elements[]): boolean {
  for (let i = 0; i < readers.length; i++) if (outputs.includes(readers[i]!.elements)) return true;
  return false;
}

/**
 * Where operands and results begin. A result that is written over an operand has rooms of its own where threads share the work:
 * what one did not finish must find its operands.
 */
function basesOf(kernel: Kernel, readers: readonly Reader[], outputs: readonly Elements[], isApart: boolean): number[] {
  const bases: number[] = [];
  for (let i = 0; i < readers.length; i++) bases.push(kernel.inputs[i]!.uniform ? NOWHERE : baseOf(readers[i]!));
  for (let i = 0; i < outputs.length; i++) {
    bases.push(isApart && isRead(readers, [outputs[i]!]) ? NOWHERE : baseOfArray(outputs[i]!));
  }
  return bases;
}

function planOf(
  kernel: Kernel,
  readers: readonly Reader[],
  bases: readonly number[],
  [size, threads, inPlace]: readonly [size: number, threads: number, inPlace: number],
): Plan | ByLine {
  const row = lineLength(readers, size);
  if (row > 0) return byLineOf(kernel, readers, size, row);
  const operands = [...kernel.inputs, ...kernel.outputs.map(({ type }) => ({ type, uniform: false }))];
  const isCopied = bases.some((base, i) => base === NOWHERE && !operands[i]!.uniform);
  const widest = Math.max(...operands.filter(({ uniform }) => !uniform).map(({ type }) => bytesOf(type)));
  const viewed = isCopied ? viewedBy(readers, bases, (i) => operands[i]!.uniform) : null;
  const nest = { size, widest, ops: opsOf(kernel), staged: isCopied, inPlace: inPlace === 1, viewed };
  const periods = readers.map(({ period }) => period);
  const transposedRow = Math.max(0, ...readers.map((reader) => reader.transposedRow));
  const cut = cutElements({ ...nest, transposedRow, periods }, threads);
  const { span, slots, isTogether } = cut;
  const placed = operands.map(({ type, uniform }, i): Operand => {
    const period = readers[i]?.period ?? 0;
    const repeats = period > 0 && span % period === 0;
    return { type, kind: uniform ? "uniform" : "staged", each: 1, spare: 0, repeats, isRead: i < readers.length };
  });
  return { cut, layout: new Layout(placed, bases, span, slots, isTogether) };
}

/** Computes `outputs`, arrays of `size` elements, from the inputs. */
export function runKernel(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string = keyOf(kernel),
): void {
  if (size <= ELEMENTWISE_AT_ONCE) return runSmall(kernel, wasmKernel(kernel, key), readers, outputs, size);
  const flags = flagsOf(readers);
  if (flags & VIEWS && runByRows(kernel, readers, outputs, size, key)) return;
  if (flags & JOINED && segments.run?.(kernel, readers, outputs, size, key)) return;
  const isForAll = size >= SHARED_FROM_ELEMENTS || isForThreads(size, kernel.values.length);
  const threads = isForAll ? threadCount() : 1;
  const isOver = isRead(readers, outputs);
  const inPlace = isOver && (threads === 1 || isLight(opsOf(kernel)));
  const bases = basesOf(kernel, readers, outputs, isOver && !inPlace);
  const figures = [size, threads, Number(inPlace)] as const;
  const plan = plans.get(kernel, readers, bases, figures, () => planOf(kernel, readers, bases, figures));
  if ("nest" in plan) return runByLine(plan, readers, outputs);
  const module = wasmKernel(kernel, key);
  const { cut, layout } = plan;
  inScratch(() =>
    runChunks({
      module,
      name: "run",
      cut,
      length: size,
      layout,
      origins: layout.origins(bases),
      readers,
      results: layout.staged.length === 0 ? [] : outputs.map((elements, i) => [readers.length + i, elements]),
    }),
  );
}

/**
 * The same by the TypeScript executor as long as the kernel is not worth compiling, and where the host refuses what it needs:
 * before anything is computed, so that operands are there still where results are written over them.
 */
export function runWarm(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string = keyOf(kernel),
): void {
  const execute = isReady(key, size) ? runCompiled : interpret;
  execute(kernel, readers, outputs, size, key);
}

/** Whether a kernel is compiled, or worth compiling for so many elements more. */
export const isReady = (key: string, elements: number): boolean =>
  elements >= tuning.compiledFrom || isLoaded(key) || isWarm(key, elements);

export const runCompiled = orElse(runKernel, interpret);
