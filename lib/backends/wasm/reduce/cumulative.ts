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
import { inScratch } from "../memory";
import { loadModule, type KernelModule } from "../module";
import { plain } from "../plain";
import { runChunks } from "../chunks";
import { tuning } from "../../tuning";
import { baseOfArray, Layout, NOWHERE, roomFor, Stored, type Operand } from "../placement";
import { Plans } from "../plans";
import { CHUNK_BYTES, cutLongScan, cutScans, SCAN_FROM, type Cut } from "../schedule";
import { threadCount, type Call } from "../threads";
import { finisher } from "./finisher";
import { Kept } from "./kept";
import { RUN } from "./scan-by-fours-code";
import { lineFunctions, scanFunctions, storedAs } from "./scan-code";
import { shortLines } from "./scan-across-rows";
import { SIDE } from "./across-rows";
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

interface Scanning {
  readonly scanner: Scanner;
  readonly elements: Elements;
  readonly source: Stored;
  readonly target: Stored;
  readonly lines: Lines;
  /** Whether results are stored as they are made. */
  readonly isDirect: boolean;
  /** Takes results of `n` elements out, unless they are where they belong. */
  take(address: number, n: number, at: number): void;
}

function scanAll(scanner: Scanner, elements: Elements, results: Elements, lines: Lines): void {
  const { type, to, out } = scanner;
  const finish = finisher(out, to, results.length);
  const target = new Stored(to, results);
  inScratch(() => {
    const rounded = finish ? roomFor(to, CHUNK_BYTES / bytesOf(type)) : 0;
    const take: Scanning["take"] = (address, n, at) => {
      finish?.(address, n, rounded);
      target.put(finish ? rounded : address, n, at);
    };
    scan({ scanner, elements, source: new Stored(type, elements), target, lines, isDirect: !finish, take });
  });
}

/** Where a piece is: operand, results, and what is held before and after it. */
interface Place {
  readonly x: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

/** The operands of pieces of so many elements for each unit, with a number of entries that are held. */
const operandsOf = ({ scanner: { type, out } }: Scanning, each: number, entries: number): readonly Operand[] => [
  { type, kind: "staged", each, spare: 0 },
  { type: out, kind: "staged", each, spare: 0 },
  { type: "f64", kind: "staged", each: 0, spare: entries },
  { type: "f64", kind: "staged", each: 0, spare: entries },
];

function scan(scanning: Scanning): void {
  const { outer, length, inner } = scanning.lines;
  const bytes = bytesOf(scanning.scanner.type);
  if (length * inner * bytes <= CHUNK_BYTES) return scanBlocks(scanning);
  const { width, height } = cutLongScan(length, inner, bytes, RUN);
  for (let block = 0; block < outer; block++) {
    for (let column = 0; column < inner; column += width) {
      inScratch(() => scanLong(scanning, block * length * inner + column, Math.min(width, inner - column), height));
    }
  }
}

interface Plan {
  readonly cut: Cut;
  readonly layout: Layout;
}

const plans = new Plans<Plan>();

/** Whole blocks of lines, several at a time. */
function scanBlocks(scanning: Scanning): void {
  const { scanner, lines, elements, source, target, isDirect } = scanning;
  const { module, type } = scanner;
  const { outer, length, inner } = lines;
  const size = length * inner;
  const base = isDirect ? (target.addressOf(0) ?? NOWHERE) : NOWHERE;
  const bases = [baseOfArray(elements), base, NOWHERE, NOWHERE];
  const figures = [outer, size, inner, threadCount(), tuning.sharedFrom] as const;
  const { cut, layout } = plans.get(module, [], bases, figures, () => {
    const isResident = source.isResident && base !== NOWHERE;
    const made = cutScans(outer, size * bytesOf(type), isResident, tuning.sharedFrom, threadCount());
    const operands = operandsOf(scanning, size, Math.max(inner, made.span));
    return { cut: made, layout: new Layout(operands, bases, made.span, made.slots) };
  });
  const origins = layout.origins(bases);
  for (let slot = 0; slot < cut.slots; slot++) {
    module.exports.start!(layout.addresses(origins, slot, 0)[2]!, Math.max(inner, cut.span));
  }
  runChunks({
    module,
    name: nameFor(inner),
    cut,
    layout,
    origins,
    length: outer,
    least: 1,
    readers: [],
    results: [],
    callsOf({ start, n, addresses }) {
      const x = source.bring(start * size, n * size, addresses[0]!);
      const place = { x, to: addresses[1]!, before: addresses[2]!, after: addresses[3]! };
      if (inner < FEW) return lineCalls(scanning, place, n, length, inner);
      return Array.from({ length: n }, (_, i) => columnCall(scanning, place, i * size, length, inner));
    },
    collect:
      base === NOWHERE ? ({ start, n, addresses }) => scanning.take(addresses[1]!, n * size, start * size) : null,
  });
}

/** Fewer columns than this are lines of their own. */
const FEW = 4;
const nameFor = (columns: number): "lines" | "columns" => (columns < FEW ? "lines" : "columns");

/** A call for each column: the lines of all blocks, which have the same place in them. */
function lineCalls(
  { scanner: { type, out, entry }, lines }: Scanning,
  { x, to, before, after }: Place,
  blocks: number,
  length: number,
  columns: number,
): Call[] {
  const [bytes, toBytes] = [bytesOf(type), bytesOf(out)];
  const first = lines.reverse ? (length - 1) * columns : 0;
  const step = lines.reverse ? -columns : columns;
  const line = length * columns;
  return Array.from({ length: columns }, (_, c) => [
    ...[x + (first + c) * bytes, to + (first + c) * toBytes, blocks, length],
    ...[step * bytes, step * toBytes, line * bytes, line * toBytes],
    // Each column has a state of its own where a single block goes on from piece to piece; else all start alike.
    before + (blocks === 1 ? c * entry : 0),
    after + (blocks === 1 ? c * entry : 0),
  ]);
}

/** Rows of a block that begins at element `at` of the piece. */
function columnCall(
  { scanner: { type, out }, lines }: Scanning,
  { x, to, before, after }: Place,
  at: number,
  rows: number,
  columns: number,
): Call {
  const [bytes, toBytes] = [bytesOf(type), bytesOf(out)];
  const first = at + (lines.reverse ? (rows - 1) * columns : 0);
  const pitch = lines.reverse ? -columns : columns;
  return [
    ...[x + first * bytes, to + first * toBytes, rows, columns],
    ...[pitch * bytes, pitch * toBytes, before, after],
  ];
}

/** A block's columns, some rows at a time, each piece going on from the one before it. */
function scanLong(scanning: Scanning, origin: number, columns: number, height: number): void {
  const { scanner, lines, source, target, isDirect } = scanning;
  const { module, out } = scanner;
  const { length, inner, reverse } = lines;
  const bases = [NOWHERE, NOWHERE, NOWHERE, NOWHERE];
  const room = new Layout(operandsOf(scanning, columns, Math.max(columns, FEW)), bases, height, 1).origins(bases);
  let [before, after] = room.slice(2) as [number, number];
  module.exports.start!(before, columns);
  const run = module.exports[nameFor(columns)]!;
  for (let done = 0; done < length; done += height) {
    const rows = Math.min(height, length - done);
    const from = origin + (reverse ? length - done - rows : done) * inner;
    const x = source.bringRows(rows, columns, inner, from, room[0]!);
    // Whole rows lie in one piece, and stay where they are if that is in the memory of kernels.
    const isWhole = columns === inner;
    const to = (isWhole && isDirect ? target.addressOf(from) : null) ?? room[1]!;
    const place = { x, to, before, after };
    const calls =
      columns < FEW ? lineCalls(scanning, place, 1, rows, columns) : [columnCall(scanning, place, 0, rows, columns)];
    for (const call of calls) run(...call);
    const [strips, n] = isWhole ? [1, rows * columns] : [rows, columns];
    for (let i = 0; i < strips; i++) scanning.take(to + i * n * bytesOf(out), n, from + i * inner);
    [before, after] = [after, before];
  }
}
