/**
 * Rows of elements folded into other rows, in each representation that results are accumulated in: doubles, 32-bit integers
 * that wrap, 64-bit integers and complex numbers as pairs. Running reductions and windows are made of these.
 */
import { multiply as multiplyComplex } from "../../core/complex-math";
import { max, min, multiply } from "../../core/int64";

/** The combining functions that rows have. */
export type RowOp = "max" | "min" | "product" | "sum";

/** Folds `n` elements of `x`, from `from` on and `step` apart, into those of `out` from `at` on; all counts in elements. */
export type Row<A> = (out: A, at: number, x: A, from: number, step: number, n: number) => void;

export const F64_ROWS: { readonly [K in RowOp]: Row<Float64Array> } = {
  max: (out, at, x, from, step, n) => {
    for (let k = 0; k < n; k++, from += step) out[at + k] = Math.max(out[at + k]!, x[from]!);
  },
  min: (out, at, x, from, step, n) => {
    for (let k = 0; k < n; k++, from += step) out[at + k] = Math.min(out[at + k]!, x[from]!);
  },
  product: (out, at, x, from, step, n) => {
    for (let k = 0; k < n; k++, from += step) out[at + k]! *= x[from]!;
  },
  sum: (out, at, x, from, step, n) => {
    for (let k = 0; k < n; k++, from += step) out[at + k]! += x[from]!;
  },
};

/** Sums and products modulo 2^32, of which narrower integers are the lower bits. */
export const I32_ROWS: { readonly [K in "product" | "sum"]: Row<Int32Array> } = {
  product: (out, at, x, from, step, n) => {
    for (let k = 0; k < n; k++, from += step) out[at + k] = Math.imul(out[at + k]!, x[from]!);
  },
  sum: (out, at, x, from, step, n) => {
    for (let k = 0; k < n; k++, from += step) out[at + k]! += x[from]!;
  },
};

/** Complex numbers as pairs. */
export const C128_ROWS: { readonly [K in "product" | "sum"]: Row<Float64Array> } = {
  product: (out, at, x, from, step, n) => {
    for (let k = 2 * at, j = 2 * from, end = k + 2 * n; k < end; k += 2, j += 2 * step) {
      multiplyComplex(out[k]!, out[k + 1]!, x[j]!, x[j + 1]!, out, k);
    }
  },
  sum: (out, at, x, from, step, n) => {
    for (let k = 2 * at, j = 2 * from, end = k + 2 * n; k < end; k += 2, j += 2 * step) {
      out[k]! += x[j]!;
      out[k + 1]! += x[j + 1]!;
    }
  },
};

/** Sums of pairs of halves; the carry is what the low half fell short of. */
const wideSum: Row<Int32Array> = (out, at, x, from, step, n) => {
  for (let k = 2 * at, j = 2 * from, end = k + 2 * n; k < end; k += 2, j += 2 * step) {
    const low = (out[k]! >>> 0) + (x[j]! >>> 0);
    out[k] = low;
    out[k + 1]! += x[j + 1]! + (low >= 2 ** 32 ? 1 : 0);
  }
};

type WideLoop = (out: Int32Array, x: Int32Array, y: Int32Array, n: number, signed: boolean) => void;

/** A row of 64-bit integers by one of the loops over pairs, through arrays of a single pair. */
function wideRow(loop: WideLoop, signed: boolean): Row<Int32Array> {
  const [held, next] = [new Int32Array(2), new Int32Array(2)];
  return (out, at, x, from, step, n) => {
    for (let k = 2 * at, j = 2 * from, end = k + 2 * n; k < end; k += 2, j += 2 * step) {
      held[0] = out[k]!;
      held[1] = out[k + 1]!;
      next[0] = x[j]!;
      next[1] = x[j + 1]!;
      loop(held, held, next, 1, signed);
      out[k] = held[0];
      out[k + 1] = held[1];
    }
  };
}

/** Rows of 64-bit integers. */
export function wideRows(op: RowOp, signed: boolean): Row<Int32Array> {
  switch (op) {
    case "sum":
      return wideSum;
    case "product":
      return wideRow(multiply, signed);
    case "max":
      return wideRow(max, signed);
    case "min":
      return wideRow(min, signed);
    default:
      return op satisfies never;
  }
}
