/**
 * Running reductions along an axis, in one pass: each line, or each row of lines that lie side by side, continues the one
 * before. Floats are accumulated in f64 and rounded once for each result, integers are exact modulo their width.
 *
 * Sums of floats narrower than f64 go by fours, counted from where the scan begins: with h held before the elements a, b, c, d, the results are
 * h + a, h + (a + b), h + ((a + b) + c) and h + ((a + b) + (c + d)), and the last of them is held from then on. Only one
 * addition in four waits for another, rounding errors add up from run to run only, and results still never fall where no
 * element is negative. Everything else is joined element after element: in f64 the
 * order would show.
 */
import { sizeOf, type Shape } from "../../core/shape";
import { isComplex, isFloat, isUnsigned, is64Bit, type DType } from "../../core/types";
import type { CumulativeOp } from "../../ops";
import { loadC128, loadF64, loadI32, storeC128, storeF64, storeI32 } from "../arrays/convert";
import { elementsAs } from "../arrays/operands";
import type { ArrayPrimitive } from "../arrays/primitives";
import type { Elements } from "../arrays/storage";
import { C128_ROWS, F64_ROWS, I32_ROWS, wideRows, type Row, type RowOp } from "./rows";

/** Where the lines of a scan lie: element `i` of a line is `step` elements after the one before it. */
interface Lines {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
  readonly reverse: boolean;
}

function linesOf(shape: Shape, axis: number, reverse: boolean): Lines {
  return { outer: sizeOf(shape.slice(0, axis)), length: shape[axis]!, inner: sizeOf(shape.slice(axis + 1)), reverse };
}

/** Lets every row of every block continue the row before it. */
function scanRows<A>(data: A, row: Row<A>, { outer, length, inner, reverse }: Lines): void {
  const step = reverse ? -inner : inner;
  for (let block = 0; block < outer; block++) {
    let before = (block * length + (reverse ? length - 1 : 0)) * inner;
    for (let i = 1; i < length; i++, before += step) row(data, before + step, data, before, 1, inner);
  }
}

const ROW_OPS = {
  cumulativeMax: "max",
  cumulativeMin: "min",
  cumulativeProduct: "product",
  cumulativeSum: "sum",
} as const satisfies { readonly [K in CumulativeOp]: RowOp };

function scanWide(op: CumulativeOp, type: DType, elements: Elements, lines: Lines): Elements {
  const data = (elements as Int32Array).slice();
  scanRows(data, wideRows(ROW_OPS[op], !isUnsigned(type)), lines);
  return data;
}

function scanComplex(op: CumulativeOp, type: DType, elements: Elements, lines: Lines, out: Elements): Elements {
  const count = elements.length / 2;
  const data = new Float64Array(elements.length);
  loadC128(type, elements, 0, data, count);
  scanRows(data, C128_ROWS[op === "cumulativeProduct" ? "product" : "sum"], lines);
  storeC128(type, out, 0, data, count);
  return out;
}

/** Integers of up to 32 bits wrap in sums and products; order is theirs as numbers. */
function scanInt32(
  op: "cumulativeProduct" | "cumulativeSum",
  elements: Elements,
  lines: Lines,
  out: Elements,
): Elements {
  const data = new Int32Array(elements.length);
  loadI32("s32", elements, 0, data, elements.length);
  scanRows(data, I32_ROWS[ROW_OPS[op]], lines);
  storeI32("s32", out, 0, data, elements.length);
  return out;
}

function scanF64(op: CumulativeOp, type: DType, elements: Elements, lines: Lines, out: Elements): Elements {
  const data = new Float64Array(elements.length);
  loadF64(type, elements, 0, data, elements.length);
  if (op === "cumulativeSum" && type !== "f64") sumRuns(data, lines);
  else if (lines.inner === 1) scanLines(data, F64_LINES[op], lines);
  else scanRows(data, F64_ROWS[ROW_OPS[op]], lines);
  storeF64(type, out, 0, data, elements.length);
  return out;
}

/** Running sums by fours of all lines. */
function sumRuns(data: Float64Array, { outer, length, inner, reverse }: Lines): void {
  const step = reverse ? -inner : inner;
  const first = reverse ? (length - 1) * inner : 0;
  for (let block = 0; block < outer; block++) {
    const start = block * length * inner + first;
    if (inner === 1) sumLine(data, start, step, 0, length, -0);
    else sumColumns(data, start, step, length, inner);
  }
}

/** Elements `i` up to `n` of a line that begins at `start`, with `held` before them. */
function sumLine(data: Float64Array, start: number, step: number, i: number, n: number, held: number): void {
  let at = start + i * step;
  for (const whole = i + ((n - i) & -4); i < whole; i += 4, at += 4 * step) {
    const [a, b, c] = [data[at]!, data[at + step]!, data[at + 2 * step]!];
    const two = a + b;
    const four = two + (c + data[at + 3 * step]!);
    data[at] = held + a;
    data[at + step] = held + two;
    data[at + 2 * step] = held + (two + c);
    data[at + 3 * step] = held += four;
  }
  for (let sum = -0; i < n; i++, at += step) data[at] = held + (sum += data[at]!);
}

/** Lines that lie side by side: all of them for four rows, before the next four. */
function sumColumns(data: Float64Array, start: number, step: number, n: number, columns: number): void {
  for (let i = 0; i < n; i += 4) {
    const end = Math.min(n, i + 4);
    const before = start + (i - 1) * step;
    for (let k = 0; k < columns; k++) sumLine(data, start + k, step, i, end, i === 0 ? -0 : data[before + k]!);
  }
}

/** One line of neighbouring elements, with the running value in a local; `step` is 1 or -1. */
type Line = (data: Float64Array, from: number, step: number, n: number) => void;

function scanLines(data: Float64Array, line: Line, { outer, length, reverse }: Lines): void {
  for (let block = 0; block < outer; block++) {
    line(data, block * length + (reverse ? length - 1 : 0), reverse ? -1 : 1, length);
  }
}

function runSum(data: Float64Array, from: number, step: number, n: number): void {
  let held = data[from]!;
  for (let i = 1, at = from + step; i < n; i++, at += step) data[at] = held += data[at]!;
}

function runProduct(data: Float64Array, from: number, step: number, n: number): void {
  let held = data[from]!;
  for (let i = 1, at = from + step; i < n; i++, at += step) data[at] = held *= data[at]!;
}

function runMax(data: Float64Array, from: number, step: number, n: number): void {
  let held = data[from]!;
  for (let i = 1, at = from + step; i < n; i++, at += step) data[at] = held = Math.max(held, data[at]!);
}

function runMin(data: Float64Array, from: number, step: number, n: number): void {
  let held = data[from]!;
  for (let i = 1, at = from + step; i < n; i++, at += step) data[at] = held = Math.min(held, data[at]!);
}

const F64_LINES: { readonly [K in CumulativeOp]: Line } = {
  cumulativeMax: runMax,
  cumulativeMin: runMin,
  cumulativeProduct: runProduct,
  cumulativeSum: runSum,
};

const cumulative: ArrayPrimitive<"cumulative"> =
  (memory) =>
  (out, [x], { op, axis, reverse }) => {
    const { type } = out;
    const lines = linesOf(out.shape, axis, reverse);
    const elements = elementsAs(type, x!);
    if (is64Bit(type)) return memory.hold(scanWide(op, type, elements, lines));
    const result = memory.zeroed(type, out.shape);
    if (isComplex(type)) return memory.hold(scanComplex(op, type, elements, lines, result));
    const wraps = !isFloat(type) && (op === "cumulativeSum" || op === "cumulativeProduct");
    if (wraps) return memory.hold(scanInt32(op, elements, lines, result));
    return memory.hold(scanF64(op, type, elements, lines, result));
  };

/** The primitive of running reductions. */
export const scans = { cumulative };
