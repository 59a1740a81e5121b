/**
 * Running reductions in WebAssembly, bit for bit those of the binary backend. Complex numbers and small work are left to that.
 */
import type { PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf, isComplex, type DType } from "../../../core/types";
import type { CumulativeOp } from "../../../ops";
import type { Kernel } from "../../../kernel/value";
import { forLength, SCANS, type Scan } from "../../../kernel/recurrence";
import { elementsAs } from "../../arrays/operands";
import type { Elements } from "../../arrays/storage";
import { linesOf, type Lines } from "../../binary/scan";
import { arrays } from "../arrays";
import { moduleBytes } from "../emit";
import { inScratch, scratch, SLACK } from "../memory";
import { loadModule, type KernelModule } from "../module";
import { plain } from "../plain";
import { runChunks } from "../chunks";
import { tuning } from "../../tuning";
import { Stored } from "../placement";
import { CHUNK_BYTES, SCAN_FROM, reductionSlots } from "../schedule";
import { threadCount, type Call } from "../threads/index";
import { finisher } from "./folds";
import { Kept } from "./kept";
import { RUN } from "./scan-by-fours-code";
import { lineFunctions, scanFunctions, storedAs } from "./scan-code";
import { shortLines } from "./scan-short-code";
import { SIDE } from "./short-code";
import { entryBytes } from "./steps";

interface Scanner {
  /** The type of the operand, and that of the results. */
  readonly type: DType;
  readonly to: DType;
  /** The type that results have before they are rounded. */
  readonly out: DType;
  /** Bytes of an entry of what is held. */
  readonly entry: 4 | 8;
  readonly module: KernelModule;
}

const kept = new Kept<Scanner>();

/** Whether lines are so short that several are done at a time. */
const areShort = ({ outer, length, inner }: Lines): boolean => inner === 1 && outer > 1 && length <= SIDE;

/** Of elements of a type, or of what a kernel computes of them. */
function scannerFor(op: CumulativeOp, of: DType | Kernel, lines: Lines): Scanner {
  const short = areShort(lines);
  return kept.get(of, `${op} ${short ? `short ${lines.reverse} ${lines.length <= 2}` : ""}`, (over) => {
    const to = typeof of === "string" ? of : of.outputs[0]!.type;
    const scan = over(SCANS[op])!;
    const out = storedAs(SCANS[op](to));
    const functions = short ? shortFunctions(scan, lines, out) : scanFunctions(scan, out);
    return { type: scan.type, to, out, entry: entryBytes(scan), module: loadModule(moduleBytes(functions)) };
  });
}

/** For lines of up to four neighbouring elements. */
function shortFunctions(scan: Scan, { length, reverse }: Lines, out: DType) {
  const { start, lines } = lineFunctions(scan, out);
  return { start, lines: shortLines(forLength(scan, length, out), out, reverse, lines) };
}

export const wasmCumulative: PrimitiveFunction<"cumulative"> = (out, inputs, attrs) => {
  const { type, shape } = out;
  if (isComplex(type) || sizeOf(shape) < SCAN_FROM) return plain.cumulative(out, inputs, attrs);
  const source = elementsAs(type, inputs[0]!);
  const target = arrays.unset(type, shape);
  const lines = linesOf(shape, attrs.axis, attrs.reverse);
  if (lines.length === 1) {
    target.set(source as never);
    return arrays.hold(target);
  }
  scanAll(scannerFor(attrs.op, type, lines), source, target, lines);
  return arrays.hold(target);
};

/** Running reductions of what a kernel computes; null where that is narrower than its operand. */
export function scanOver(kernel: Kernel, op: CumulativeOp, source: Elements, lines: Lines): Elements | null {
  const [from, to] = [kernel.inputs[0]!.type, kernel.outputs[0]!.type];
  if (bytesOf(to) < bytesOf(from)) return null;
  const target = arrays.unset(to, [lines.outer * lines.length * lines.inner]);
  scanAll(scannerFor(op, kernel, lines), source, target, lines);
  return target;
}

function scanAll(scanner: Scanner, source: Elements, target: Elements, lines: Lines): void {
  const { type, to, out } = scanner;
  const task = {
    ...scanner,
    source: new Stored(type, source),
    target: new Stored(to, target),
    lines,
    finish: finisher(out, to),
  };
  inScratch(() => scan(task));
}

interface Task extends Scanner {
  readonly source: Stored;
  readonly target: Stored;
  readonly lines: Lines;
  readonly finish: ReturnType<typeof finisher>;
}

/** Where a piece is: operand, results, results rounded, and what is held before and after it. */
interface Place {
  readonly x: number;
  readonly to: number;
  readonly rounded: number;
  readonly before: number;
  readonly after: number;
}

function placeFor({ type, to, out, finish }: Task, elements: number, entries: number): Place {
  const stateBytes = entries * 8 + SLACK;
  return {
    x: scratch(elements * bytesOf(type) + SLACK),
    to: scratch(elements * bytesOf(out) + SLACK),
    rounded: finish ? scratch((elements + 16) * bytesOf(to) + SLACK) : 0,
    before: scratch(stateBytes),
    after: scratch(stateBytes),
  };
}

function scan(task: Task): void {
  const { outer, length, inner } = task.lines;
  const bytes = bytesOf(task.type);
  if (length * inner * bytes <= CHUNK_BYTES) return scanBlocks(task, Math.floor(CHUNK_BYTES / bytes / length / inner));
  const width = inner * bytes * 8 <= CHUNK_BYTES ? inner : Math.min(inner, CHUNK_BYTES / bytes / 8);
  const height = Math.min(length, Math.max(RUN, Math.floor(CHUNK_BYTES / bytes / width / RUN) * RUN));
  for (let block = 0; block < outer; block++) {
    for (let column = 0; column < inner; column += width) {
      inScratch(() => scanLong(task, block * length * inner + column, Math.min(width, inner - column), height));
    }
  }
}

/** Where results from element `at` on belong, if that is in the memory of kernels and they are stored as they are made. */
const resultAt = ({ finish, target }: Task, at: number): number | null => (finish ? null : target.addressOf(at));

/** Takes results of `n` elements out, unless they are where they belong. */
function take(task: Task, place: Place, from: number, n: number, at: number): void {
  const { out, finish, target } = task;
  const address = place.to + from * bytesOf(out);
  finish?.(address, n, place.rounded);
  target.put(finish ? place.rounded : address, n, at);
}

/** Whole blocks of lines, several at a time. */
function scanBlocks(task: Task, most: number): void {
  const { type, module, source, lines } = task;
  const { outer, length, inner } = lines;
  const size = length * inner;
  const together = Math.min(outer, most);
  const pieces = Math.ceil(outer / together);
  const resident = source.isResident && resultAt(task, 0) !== null;
  const places = reductionSlots(pieces, together * size * bytesOf(type), resident, tuning.sharedFrom, threadCount());
  const entries = Math.max(inner, together);
  const at = Array.from({ length: places }, () => placeFor(task, together * size, entries));
  const blocks = (piece: number): number => Math.min(together, outer - piece * together);
  const lying = (piece: number, place: Place): Place => ({
    ...place,
    to: resultAt(task, piece * together * size) ?? place.to,
  });
  for (const { before } of at) module.exports.start!(before, entries);
  runChunks({
    module,
    name: nameFor(inner),
    chunks: pieces,
    slots: places,
    stage(piece, place) {
      const room = lying(piece, at[place]!);
      const x = source.bring(piece * together * size, blocks(piece) * size, room.x);
      return inner < FEW
        ? lineCalls(task, { ...room, x }, blocks(piece), length, inner)
        : Array.from({ length: blocks(piece) }, (_, i) => columnCall(task, { ...room, x }, i * size, length, inner));
    },
    collect: (piece, place) => {
      const first = piece * together * size;
      take(task, lying(piece, at[place]!), 0, blocks(piece) * size, first);
    },
  });
}

/** Fewer columns than this are lines of their own. */
const FEW = 4;
const nameFor = (columns: number): "lines" | "columns" => (columns < FEW ? "lines" : "columns");

/** A call for each column: the lines of all blocks, which have the same place in them. */
function lineCalls(
  { type, out, entry, lines }: Task,
  place: Place,
  blocks: number,
  length: number,
  columns: number,
): Call[] {
  const [from, to] = [bytesOf(type), bytesOf(out)];
  const first = lines.reverse ? (length - 1) * columns : 0;
  const step = lines.reverse ? -columns : columns;
  const line = length * columns;
  return Array.from({ length: columns }, (_, c) => [
    ...[place.x + (first + c) * from, place.to + (first + c) * to, blocks, length],
    ...[step * from, step * to, line * from, line * to],
    // Each column has a state of its own where a single block goes on from piece to piece; else all start alike.
    place.before + (blocks === 1 ? c * entry : 0),
    place.after + (blocks === 1 ? c * entry : 0),
  ]);
}

/** Rows of a block that begins at element `at` of the piece. */
function columnCall({ type, out, lines }: Task, place: Place, at: number, rows: number, columns: number): Call {
  const [from, to] = [bytesOf(type), bytesOf(out)];
  const first = at + (lines.reverse ? (rows - 1) * columns : 0);
  const pitch = lines.reverse ? -columns : columns;
  return [
    ...[place.x + first * from, place.to + first * to, rows, columns],
    ...[pitch * from, pitch * to, place.before, place.after],
  ];
}

/** A block's columns, some rows at a time, each piece going on from the one before it. */
function scanLong(task: Task, origin: number, columns: number, height: number): void {
  const { module, lines } = task;
  const { length, inner, reverse } = lines;
  let place = placeFor(task, height * columns, Math.max(columns, FEW));
  module.exports.start!(place.before, columns);
  const run = module.exports[nameFor(columns)]!;
  for (let done = 0; done < length; done += height) {
    const rows = Math.min(height, length - done);
    const from = origin + (reverse ? length - done - rows : done) * inner;
    const room = piecePlace(task, place, from, rows, columns);
    const calls = columns < FEW ? lineCalls(task, room, 1, rows, columns) : [columnCall(task, room, 0, rows, columns)];
    for (const call of calls) run(...call);
    // Whole rows lie in one piece.
    const [strips, n] = columns === inner ? [1, rows * columns] : [rows, columns];
    for (let i = 0; i < strips; i++) take(task, room, i * n, n, from + i * inner);
    place = { ...place, before: place.after, after: place.before };
  }
}

/** Brings the elements of some rows to their place; whole rows stay where they are if that is in the memory of kernels. */
function piecePlace(task: Task, place: Place, from: number, rows: number, columns: number): Place {
  const { source, lines } = task;
  const x = source.bringRows(rows, columns, lines.inner, from, place.x);
  return { ...place, x, to: (columns === lines.inner ? resultAt(task, from) : null) ?? place.to };
}
