/**
 * Kernels over parts of a space whose elements lie partly in the memory of kernels: before a contraction, to bring operands
 * there, and after it, on the rows that are done. Knows operands and addresses, not what is contracted.
 */
import type { NestSpace } from "../../../backend";
import { bytesOf } from "../../../core/types";
import type { Access, Elements, Reader } from "../../../kernel/operand";
import { opsOf, type Kernel } from "../../../kernel/value";
import { wasmKernel } from "../codegen";
import { STEP } from "../schedule/element-wise";
import { scratch, views } from "../memory/linear";
import type { KernelModule } from "../modules/module";
import { baseOf, baseOfArray, bring, copyOut, Layout, NOWHERE, roomBytes, type Operand } from "../placement";
import { linesModule, type LineNest } from "../lines/code";
import { constantAlong, nestOf, placed } from "../lines/element-wise";
import { cutBlocks } from "../schedule/contractions";
import { runCalls, threadCount, type Call } from "../threads/index";

/** A kernel and how its operands are had. */
export interface Task {
  readonly kernel: Kernel;
  readonly key: string;
  /** Where inputs are read from; null for those that lie in memory, at an address that each run is told. */
  readonly readers: readonly (Reader | null)[];
  /** Where outputs go; null for one that stays in memory. */
  readonly outputs: readonly (Elements | null)[];
  /** How it goes row by row, where operands that stay the same along rows, or begin anew with each, are not spread for it. */
  readonly rows?: Rows | null;
}

interface Rows {
  readonly nest: LineNest;
  /** How each operand takes part; null for those that lie in memory. */
  readonly places: readonly (readonly [space: NestSpace, walk: Access] | null)[];
}

/** How a kernel over so many elements goes row by row; null where no operand asks for that, rows are short or no part of a unit. */
export function rowsFor(kernel: Kernel, readers: Task["readers"], size: number, unit: number): Rows | null {
  const lengths = readers.map((reader) => (reader ? constantAlong(reader) : 0)).filter((n) => n > 0);
  const length = Math.min(...lengths);
  if (lengths.length === 0 || length < STEP || unit % length !== 0) return null;
  const places = readers.map((reader) => reader && placed(reader, length, false));
  const isMoved = places.some((place) => place?.[0] === "full" && place[1].kind !== "contiguous");
  const spaces = places.map((place) => place ?? (["full"] as const));
  return isMoved ? null : { nest: nestOf(kernel, spaces, size, length, false), places };
}

/** Whether all lies in the memory of kernels that has an element for each of the space: what would be copied is not run by rows. */
export const isInPlace = ({ readers, outputs }: Task, { places }: Rows): boolean =>
  readers.every((reader, i) => places[i]?.[0] !== "full" || baseOf(reader!) !== NOWHERE) &&
  outputs.every((output) => !output || baseOfArray(output) !== NOWHERE);

/** Bytes of scratch space that a task over so many elements together takes at most, those that it is given included. */
export function bytesOfBlocks({ kernel: { inputs, outputs }, rows }: Task, count: number): number {
  const bytes = [...inputs, ...outputs].reduce((sum, { type }) => sum + roomBytes(type, count), 0);
  return rows ? bytes + (rows.nest.groups + rows.nest.rows) * 16 * inputs.length + 4096 : bytes;
}

const moduleOf = ({ kernel, key, rows }: Task): KernelModule =>
  rows ? linesModule(rows.nest) : wasmKernel(kernel, key);

/** Compiles the kernel of a task. */
export const prepare = (task: Task): void => void moduleOf(task);

/** A task with room for its operands; to be made and used in the same scratch space. */
export class Blocks {
  private readonly operands: readonly Operand[];
  private readonly layout: Layout;
  /** The addresses of operands; given operands have none. */
  private readonly origins: readonly number[];
  /** Elements of a chunk, and of a call. */
  private readonly span: number;
  private readonly each: number;
  /** Elements that an entry of an operand stands for: 1, or a row for operands that are constant along rows. */
  private readonly paces: readonly number[];
  /** The tables of addresses for calls that go row by row. */
  private readonly tables: number;

  /** For runs over at most `most` elements. */
  constructor(
    private readonly task: Task,
    most: number,
  ) {
    const { kernel, outputs, rows } = task;
    const { inputs } = kernel;
    const readers = task.readers.map((reader, i) => {
      return reader && rows ? reader.through(rows.places[i]![1]) : reader;
    });
    const spaces = readers.map((reader, i): NestSpace => {
      return rows?.places[i]?.[0] ?? (reader && inputs[i]!.uniform ? "one" : "full");
    });
    const length = rows?.nest.rows ?? 1;
    const held: { readonly [S in NestSpace]: number } = {
      one: 1,
      line: rows?.nest.groups ?? 1,
      group: length,
      part: 1,
      full: 1,
    };
    this.operands = [
      ...inputs.map(({ type }, i) => {
        const kind = !readers[i] ? "given" : spaces[i] === "full" ? "staged" : "uniform";
        return operandOf(type, kind, held[spaces[i]!]);
      }),
      ...kernel.outputs.map(({ type }, i) => operandOf(type, outputs[i] ? "staged" : "given")),
    ];
    this.paces = this.operands.map((_, i) => {
      const space = spaces[i] ?? "full";
      return space === "full" ? 1 : space === "line" ? length : Infinity;
    });
    const bases = [
      ...readers.map((reader, i) => (reader && spaces[i] === "full" ? baseOf(reader) : NOWHERE)),
      ...outputs.map((output) => (output ? baseOfArray(output) : NOWHERE)),
    ];
    const staged = bases.some((base, i) => base === NOWHERE && this.operands[i]!.kind === "staged");
    const { span, each } = cutBlocks({ most, ops: opsOf(kernel), staged, step: STEP, row: length }, threadCount());
    [this.span, this.each] = [span, each];
    this.layout = new Layout(this.operands, bases, span, 1);
    this.origins = this.layout.origins(bases);
    this.tables = rows ? scratch(4 * this.operands.length * Math.ceil(span / each)) : 0;
    for (const i of this.layout.uniform) {
      const { type, each } = this.operands[i]!;
      bring(type, readers[i]!, 0, each, this.origins[i]!);
    }
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
      for (const i of layout.uniform) addresses[i]! += this.bytesTo(i, start + done);
      this.compute(addresses, n);
      for (const i of layout.staged) {
        if (i >= length) copyOut(operands[i]!.type, addresses[i]!, n, task.outputs[i - length]!, start + done);
      }
    }
  }

  /** Bytes from the first entry of an operand to that of an element. */
  private bytesTo(i: number, element: number): number {
    return Math.floor(element / this.paces[i]!) * bytesOf(this.operands[i]!.type);
  }

  private compute(addresses: readonly number[], n: number): void {
    const { task, each } = this;
    const module = moduleOf(task);
    const calls: Call[] = [];
    for (let at = 0, table = this.tables; at < n; at += each, table += 4 * addresses.length) {
      const moved = addresses.map((address, i) => address + this.bytesTo(i, at));
      const count = Math.min(each, n - at);
      if (!task.rows) calls.push([count, ...moved]);
      else {
        const length = task.rows.nest.rows;
        views().s32.set(moved, table / 4);
        calls.push([count / length, count / length, length, table, 0]);
      }
    }
    if (calls.length > 1) runCalls(module, "run", calls);
    else module.exports.run!(...calls[0]!);
  }
}

const operandOf = (type: Operand["type"], kind: Operand["kind"], each = 1): Operand => ({ type, kind, each, spare: 0 });
