/**
 * Kernels over parts of a space whose elements lie partly in the memory of kernels: before a contraction, to bring operands
 * there, and after it, on the rows that are done. Knows operands and addresses, not what is contracted.
 */
import { bytesOf, type DType } from "../../../core/types";
import type { Elements, Reader } from "../../../kernel/operand";
import type { Kernel } from "../../../kernel/value";
import { addressOf, contiguousAt } from "../arena";
import { STEP, wasmKernel } from "../codegen";
import { scratch, VIEW, views } from "../memory";
import { copyOut } from "../stream";
import { runCalls, threadCount, type Call } from "../threads/index";
import { copyRowsOf } from "../copy";

/** Elements that are copied at a time: they stay in a core's first cache. */
const BLOCK = 4096;
/** Ops on elements that are worth handing to other threads, about 40 microseconds. */
const SHARED_FROM = 2 ** 19;
/** Calls for each thread. */
const CALLS = 3;

const roundUp = (n: number): number => Math.ceil(n / STEP) * STEP;

/** Room for elements in memory, with what kernels touch behind them. */
export const roomFor = (type: DType, count: number): number => scratch(roundUp(count) * bytesOf(type));

/** A kernel and how its operands are had. */
export interface Task {
  readonly kernel: Kernel;
  readonly key: string;
  /** Where inputs are read from; null for those that lie in memory, at an address that each run is told. */
  readonly readers: readonly (Reader | null)[];
  /** Where outputs go; null for one that stays in memory. */
  readonly outputs: readonly (Elements | null)[];
}

/** Bytes of scratch space that a task over so many elements together takes at most, those that it is given included. */
export function bytesOfBlocks({ kernel: { inputs, outputs } }: Task, count: number): number {
  const bytes = [...inputs, ...outputs].reduce((sum, { type }) => sum + bytesOf(type), 0);
  return roundUp(count + STEP) * bytes;
}

/** Compiles the kernel of a task: to be done outside of scratch space. */
export const prepare = ({ kernel, key }: Task): void => void wasmKernel(kernel, key);

/** How one operand is found: at a place in memory from which the space begins, or in room for a part of the space. */
interface Place {
  readonly type: DType;
  readonly kind: "resident" | "given" | "uniform" | "staged";
  readonly at: number;
}

/** A task with room for its operands; to be made and used in the same scratch space. */
export class Blocks {
  private readonly inputs: readonly Place[];
  private readonly outputs: readonly Place[];
  private readonly span: number;
  private readonly shared: boolean;

  /** For runs over at most `most` elements. */
  constructor(
    private readonly task: Task,
    most: number,
  ) {
    const { kernel, readers, outputs } = task;
    const ops = kernel.values.filter(({ op }) => op !== "load" && op !== "const").length;
    this.shared = threadCount() > 1 && most * ops >= SHARED_FROM;
    const isStaged = readers.some((reader) => reader && !reader.isUniform && contiguousAt(reader) === null);
    const copies = isStaged || outputs.some((output) => output && addressOf(output) === null);
    this.span = copies && !this.shared ? Math.min(BLOCK, roundUp(most)) : roundUp(most);
    this.inputs = kernel.inputs.map(({ type, uniform }, i) => this.inputPlace(type, uniform, readers[i]!));
    this.outputs = kernel.outputs.map(({ type }, i) => this.outputPlace(type, outputs[i]!));
  }

  /** The kernel over elements `start` to `start + count`; `from` and `to` are where those of them are that lie in memory. */
  run(start: number, count: number, from: number, to = 0): void {
    for (let done = 0; done < count; done += this.span) {
      const n = Math.min(this.span, count - done);
      const inputs = this.inputs.map((place) => addressAt(place, start, done, from));
      const outputs = this.outputs.map((place) => addressAt(place, start, done, to));
      this.inputs.forEach(({ kind }, i) => kind === "staged" && this.stage(i, inputs[i]!, start + done, n));
      this.compute(inputs, outputs, n);
      this.outputs.forEach(({ kind, type }, i) => {
        if (kind === "staged") copyOut(type, outputs[i]!, n, this.task.outputs[i]!, start + done);
      });
    }
  }

  private compute(inputs: readonly number[], outputs: readonly number[], n: number): void {
    const module = wasmKernel(this.task.kernel, this.task.key);
    // Whole steps, so that no call writes what another one does.
    const each = this.shared ? roundUp(Math.max(BLOCK, n / (CALLS * threadCount()))) : this.span;
    const places = [...this.inputs, ...this.outputs];
    const addresses = [...inputs, ...outputs];
    const calls: Call[] = [];
    for (let at = 0; at < n; at += each) {
      const moved = addresses.map((address, i) => {
        const { kind, type } = places[i]!;
        return kind === "uniform" ? address : address + at * bytesOf(type);
      });
      calls.push([Math.min(each, n - at), ...moved]);
    }
    if (calls.length > 1) runCalls(module, "run", calls);
    else module.exports["run"]!(...calls[0]!);
  }

  private stage(input: number, address: number, start: number, n: number): void {
    const { type } = this.inputs[input]!;
    const reader = this.task.readers[input]!;
    reader.read(views()[VIEW[type]], address / bytesOf(type), start, n, copyRowsOf(reader));
  }

  private inputPlace(type: DType, uniform: boolean, reader: Reader | null): Place {
    if (!reader) return { type, kind: "given", at: 0 };
    if (uniform) {
      const at = scratch(bytesOf(type));
      reader.read(views()[VIEW[type]], at / bytesOf(type), 0, 1);
      return { type, kind: "uniform", at };
    }
    const at = contiguousAt(reader);
    return at === null ? this.staged(type) : { type, kind: "resident", at };
  }

  private outputPlace(type: DType, output: Elements | null): Place {
    if (!output) return { type, kind: "given", at: 0 };
    const at = addressOf(output);
    return at === null ? this.staged(type) : { type, kind: "resident", at };
  }

  private staged(type: DType): Place {
    return { type, kind: "staged", at: roomFor(type, this.span) };
  }
}

/** Where an operand's elements from `start + done` on are, those that are given beginning with element `start`. */
function addressAt({ kind, type, at }: Place, start: number, done: number, given: number): number {
  switch (kind) {
    case "resident":
      return at + (start + done) * bytesOf(type);
    case "given":
      return given + done * bytesOf(type);
    case "uniform":
    case "staged":
      return at;
    default:
      return kind satisfies never;
  }
}
