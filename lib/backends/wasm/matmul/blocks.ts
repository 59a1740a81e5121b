/**
 * Kernels over parts of a space whose elements lie partly in the memory of kernels: before a contraction, to bring operands
 * there, and after it, on the rows that are done. Knows operands and addresses, not what is contracted.
 */
import { bytesOf } from "../../../core/types";
import type { Elements, Reader } from "../../../kernel/operand";
import type { Kernel } from "../../../kernel/value";
import { STEP, wasmKernel } from "../codegen";
import { baseOf, baseOfArray, bring, copyOut, Layout, NOWHERE, roomBytes, type Operand } from "../placement";
import { cutBlocks } from "../schedule";
import { runCalls, threadCount, type Call } from "../threads/index";

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
export const bytesOfBlocks = ({ kernel: { inputs, outputs } }: Task, count: number): number =>
  [...inputs, ...outputs].reduce((sum, { type }) => sum + roomBytes(type, count), 0);

/** Compiles the kernel of a task: to be done outside of scratch space. */
export const prepare = ({ kernel, key }: Task): void => void wasmKernel(kernel, key);

/** A task with room for its operands; to be made and used in the same scratch space. */
export class Blocks {
  private readonly operands: readonly Operand[];
  private readonly layout: Layout;
  /** The addresses of operands; given operands have none. */
  private readonly origins: readonly number[];
  /** Elements of a chunk, and of a call. */
  private readonly span: number;
  private readonly each: number;

  /** For runs over at most `most` elements. */
  constructor(
    private readonly task: Task,
    most: number,
  ) {
    const { kernel, readers, outputs } = task;
    const { inputs } = kernel;
    this.operands = [
      ...inputs.map(({ type, uniform }, i) => operandOf(type, readers[i] ? (uniform ? "uniform" : "staged") : "given")),
      ...kernel.outputs.map(({ type }, i) => operandOf(type, outputs[i] ? "staged" : "given")),
    ];
    const bases = [
      ...readers.map((reader, i) => (reader && !inputs[i]!.uniform ? baseOf(reader) : NOWHERE)),
      ...outputs.map((output) => (output ? baseOfArray(output) : NOWHERE)),
    ];
    const staged = bases.some((base, i) => base === NOWHERE && this.operands[i]!.kind === "staged");
    const ops = kernel.values.filter(({ op }) => op !== "load" && op !== "const").length;
    const { span, each } = cutBlocks({ most, ops, staged, step: STEP }, threadCount());
    [this.span, this.each] = [span, each];
    this.layout = new Layout(this.operands, bases, span, 1);
    this.origins = this.layout.origins(bases);
    for (const i of this.layout.uniform) bring(inputs[i]!.type, readers[i]!, 0, 1, this.origins[i]!);
  }

  /** The kernel over elements `start` to `start + count`; `from` and `to` are where those of them are that lie in memory. */
  run(start: number, count: number, from: number, to = 0): void {
    const { operands, layout, span, task } = this;
    const { length } = task.readers;
    const origins = this.origins.map((origin, i) => {
      const { kind, type } = operands[i]!;
      return kind === "given" ? (i < length ? from : to) - start * bytesOf(type) : origin;
    });
    for (let done = 0; done < count; done += span) {
      const n = Math.min(span, count - done);
      const addresses = layout.addresses(origins, 0, start + done);
      for (const i of layout.staged) {
        if (i < length) bring(operands[i]!.type, task.readers[i]!, start + done, n, addresses[i]!);
      }
      this.compute(addresses, n);
      for (const i of layout.staged) {
        if (i >= length) copyOut(operands[i]!.type, addresses[i]!, n, task.outputs[i - length]!, start + done);
      }
    }
  }

  private compute(addresses: readonly number[], n: number): void {
    const module = wasmKernel(this.task.kernel, this.task.key);
    const calls: Call[] = [];
    for (let at = 0; at < n; at += this.each) {
      const moved = addresses.map((address, i) => {
        const { kind, type } = this.operands[i]!;
        return kind === "uniform" ? address : address + at * bytesOf(type);
      });
      calls.push([Math.min(this.each, n - at), ...moved]);
    }
    if (calls.length > 1) runCalls(module, "run", calls);
    else module.exports["run"]!(...calls[0]!);
  }
}

const operandOf = (type: Operand["type"], kind: Operand["kind"]): Operand => ({ type, kind, each: 1, spare: 0 });
