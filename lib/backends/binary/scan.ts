/**
 * Running reductions along an axis, in one pass: each line, or each row of lines that lie side by side, continues the one
 * before. Floats are accumulated in f64 and rounded once for each result, integers are exact modulo their width.
 */
import type { PrimitiveFunction } from "../../backend";
import { max, min, multiply } from "../../core/int64";
import { sizeOf, type Shape } from "../../core/shape";
import { isComplex, isFloat, isUnsigned, isWide, type DType } from "../../core/types";
import type { CumulativeOp } from "../../ops";
import { loadC128, loadF64, loadI32, storeC128, storeF64, storeI32 } from "./convert";
import { elementsAs } from "./operands";
import { allocateFor, BinaryData, type Elements } from "./storage";

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

/** Combines `n` entries from `at` on with the entries at `before`, in place. */
type Row<A> = (data: A, at: number, before: number, n: number) => void;

/** Lets every row of every block continue the row before it; `width` array entries make one element. */
function scanRows<A>(data: A, row: Row<A>, { outer, length, inner, reverse }: Lines, width: number): void {
  const n = inner * width;
  const step = reverse ? -n : n;
  for (let block = 0; block < outer; block++) {
    let before = (block * length + (reverse ? length - 1 : 0)) * n;
    for (let i = 1; i < length; i++, before += step) row(data, before + step, before, n);
  }
}

const F64_ROWS: { readonly [K in CumulativeOp]: Row<Float64Array> } = {
  cumulativeMax: (data, at, before, n) => {
    for (let k = 0; k < n; k++) data[at + k] = Math.max(data[at + k]!, data[before + k]!);
  },
  cumulativeMin: (data, at, before, n) => {
    for (let k = 0; k < n; k++) data[at + k] = Math.min(data[at + k]!, data[before + k]!);
  },
  cumulativeProduct: (data, at, before, n) => {
    for (let k = 0; k < n; k++) data[at + k]! *= data[before + k]!;
  },
  cumulativeSum: (data, at, before, n) => {
    for (let k = 0; k < n; k++) data[at + k]! += data[before + k]!;
  },
};

const I32_ROWS: { readonly [K in "cumulativeProduct" | "cumulativeSum"]: Row<Int32Array> } = {
  cumulativeProduct: (data, at, before, n) => {
    for (let k = 0; k < n; k++) data[at + k] = Math.imul(data[at + k]!, data[before + k]!);
  },
  cumulativeSum: (data, at, before, n) => {
    for (let k = 0; k < n; k++) data[at + k]! += data[before + k]!;
  },
};

const complexProduct: Row<Float64Array> = (data, at, before, n) => {
  for (let k = 0; k < n; k += 2) {
    const [a, b] = [data[at + k]!, data[at + k + 1]!];
    const [c, d] = [data[before + k]!, data[before + k + 1]!];
    data[at + k] = a * c - b * d;
    data[at + k + 1] = a * d + b * c;
  }
};

/** Sums of pairs of halves; the carry is what the low half fell short of. */
const wideSum: Row<Int32Array> = (data, at, before, n) => {
  for (let k = 0; k < n; k += 2) {
    const low = (data[at + k]! >>> 0) + (data[before + k]! >>> 0);
    data[at + k] = low;
    data[at + k + 1]! += data[before + k + 1]! + (low >= 2 ** 32 ? 1 : 0);
  }
};

type WideLoop = (out: Int32Array, x: Int32Array, y: Int32Array, n: number, signed: boolean) => void;

/** A row of 64-bit integers by one of the loops over pairs, through arrays of a single pair. */
function wideRow(loop: WideLoop, signed: boolean): Row<Int32Array> {
  const [x, y] = [new Int32Array(2), new Int32Array(2)];
  return (data, at, before, n) => {
    for (let k = 0; k < n; k += 2) {
      x[0] = data[at + k]!;
      x[1] = data[at + k + 1]!;
      y[0] = data[before + k]!;
      y[1] = data[before + k + 1]!;
      loop(x, x, y, 1, signed);
      data[at + k] = x[0];
      data[at + k + 1] = x[1];
    }
  };
}

function wideRows(op: CumulativeOp, signed: boolean): Row<Int32Array> {
  switch (op) {
    case "cumulativeSum":
      return wideSum;
    case "cumulativeProduct":
      return wideRow(multiply, signed);
    case "cumulativeMax":
      return wideRow(max, signed);
    case "cumulativeMin":
      return wideRow(min, signed);
    default:
      return op satisfies never;
  }
}

function scanWide(op: CumulativeOp, type: DType, elements: Elements, lines: Lines): Elements {
  const data = (elements as Int32Array).slice();
  scanRows(data, wideRows(op, !isUnsigned(type)), lines, 2);
  return data;
}

function scanComplex(op: CumulativeOp, type: DType, elements: Elements, lines: Lines, out: Elements): Elements {
  const count = elements.length / 2;
  const data = new Float64Array(elements.length);
  loadC128(type, elements, 0, data, count);
  scanRows(data, op === "cumulativeProduct" ? complexProduct : F64_ROWS.cumulativeSum, lines, 2);
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
  scanRows(data, I32_ROWS[op], lines, 1);
  storeI32("s32", out, 0, data, elements.length);
  return out;
}

function scanF64(op: CumulativeOp, type: DType, elements: Elements, lines: Lines, out: Elements): Elements {
  const data = new Float64Array(elements.length);
  loadF64(type, elements, 0, data, elements.length);
  if (lines.inner === 1) scanLines(data, F64_LINES[op], lines);
  else scanRows(data, F64_ROWS[op], lines, 1);
  storeF64(type, out, 0, data, elements.length);
  return out;
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

const cumulative: PrimitiveFunction<"cumulative"> = (out, [x], { op, axis, reverse }) => {
  const { type } = out;
  const lines = linesOf(out.shape, axis, reverse);
  const elements = elementsAs(type, x!);
  if (isWide(type)) return new BinaryData(scanWide(op, type, elements, lines));
  const result = allocateFor(type, out.shape);
  if (isComplex(type)) return new BinaryData(scanComplex(op, type, elements, lines, result));
  const wraps = !isFloat(type) && (op === "cumulativeSum" || op === "cumulativeProduct");
  if (wraps) return new BinaryData(scanInt32(op, elements, lines, result));
  return new BinaryData(scanF64(op, type, elements, lines, result));
};

/** The primitive of running reductions. */
export const scans = { cumulative };
