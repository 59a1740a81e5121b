/**
 * Products of complex matrices as products of real ones. A row of the left matrix, its parts side by side as they lie, meets
 * the right matrix with every row followed by the same row times the imaginary unit: the sums are the parts of the result, side
 * by side again. Works with addresses and strides.
 */
import { inScratch, scratch, views } from "../memory/linear";
import { LIGHT_CALL_LEAST, type Sizes } from "../schedule/contractions";
import { runCalls } from "../threads/index";
import { complexModule } from "./complex-code";
import type { LaneType } from "./functions";
import { bringRows, multiply, scratchBytes, type Operand } from "./index";

const sizeOf = (type: LaneType): 4 | 8 => (type === "f32" ? 4 : 8);

/** Sizes of the real product. */
const realSizes = ({ batch, m, k, n }: Sizes): Sizes => ({ batch, m, k: 2 * k, n: 2 * n });

/** Bytes of scratch space that {@link multiplyComplex} takes. */
export function scratchBytesOfComplex(type: LaneType, sizes: Sizes): number {
  const { batch, m, k, n } = sizes;
  const size = sizeOf(type);
  if (m === 1 || n === 1) {
    const lines = m * n;
    return (2 * lines * k + 4 * k + 6 * lines) * batch * size + 8 * k * batch * size + 16384;
  }
  return (2 * m * k + 4 * k * n) * batch * size + scratchBytes(type, realSizes(sizes)) + 4096;
}

/** `c = a b` for each matrix of a batch: parts have the type, operands count complex elements. In scratch space. */
export function multiplyComplex(type: LaneType, a: Operand, b: Operand, c: number, sizes: Sizes): void {
  const { batch, m, k, n } = sizes;
  if (n === 1) inScratch(() => timesVectors(type, a, b, c, sizes));
  else if (m === 1) inScratch(() => timesVectors(type, transposed(b), transposed(a), c, { batch, m: n, k, n: 1 }));
  else {
    inScratch(() => {
      const left = asReal(inRows(type, a, batch, m, k));
      multiply(type, left, asReal(doubled(type, b, batch, k, n)), c, realSizes(sizes));
    });
  }
}

const transposed = (x: Operand): Operand => ({ ...x, row: x.column, column: x.row });

/** The same matrices as real ones, twice as wide; their elements lie side by side. */
const asReal = ({ address, offsets, row }: Operand): Operand => ({
  address,
  offsets: Array.from(offsets, (offset) => 2 * offset),
  row: 2 * row,
  column: 1,
});

/** Matrices with their rows in one piece, in the order of the batch. */
function inRows(type: LaneType, x: Operand, batch: number, rows: number, columns: number): Operand {
  if (x.column === 1) return x;
  const bytes = 2 * sizeOf(type);
  const to = scratch(batch * rows * columns * bytes);
  bringRows(x, bytes, { from: 0, count: batch, rows, columns, to });
  return { address: to, offsets: offsetsOf(batch, rows * columns), row: columns, column: 1 };
}

/** Matrices with each row twice, the second time multiplied by the imaginary unit, in the order of the batch. */
function doubled(type: LaneType, x: Operand, batch: number, rows: number, columns: number): Operand {
  const bytes = 2 * sizeOf(type);
  const each = 2 * rows * columns;
  const to = scratch(batch * each * bytes);
  const most = Math.max(1, Math.ceil(LIGHT_CALL_LEAST / columns));
  const calls: number[][] = [];
  for (let i = 0; i < batch; i++) {
    for (let row = 0; row < rows; row += most) {
      const from = x.address + (x.offsets[i]! + row * x.row) * bytes;
      const target = to + (i * each + 2 * row * columns) * bytes;
      calls.push([from, x.row * bytes, x.column * bytes, Math.min(most, rows - row), columns, target]);
    }
  }
  runCalls(complexModule(sizeOf(type)), "double", calls, batch * rows * columns >= 2 * LIGHT_CALL_LEAST);
  return { address: to, offsets: offsetsOf(batch, each), row: columns, column: 1 };
}

const offsetsOf = (batch: number, each: number): number[] => Array.from({ length: batch }, (_, i) => i * each);

/** Matrices by single columns: nothing is worth doubling but the columns. */
function timesVectors(type: LaneType, a: Operand, b: Operand, c: number, sizes: Sizes): void {
  if (a.row === 1 && a.column !== 1) return addMultiples(type, a, b, c, sizes);
  const { batch, m, k } = sizes;
  const matrix = asReal(inRows(type, a, batch, m, k));
  const vector = asReal(doubled(type, b, batch, k, 1));
  const size = sizeOf(type);
  const [re, im] = [0, 1].map((part) => {
    const to = scratch(batch * m * size);
    const column = { ...vector, address: vector.address + part * size };
    multiply(type, matrix, column, to, { batch, m, k: 2 * k, n: 1 });
    return to / size;
  }) as [number, number];
  const view = views()[type];
  for (let i = 0, to = c / size; i < batch * m; i++, to += 2) {
    view[to] = view[re + i]!;
    view[to + 1] = view[im + i]!;
  }
}

/** Where the columns of a matrix lie in one piece: they are multiplied with the real parts of a column and the imaginary ones. */
function addMultiples(type: LaneType, a: Operand, b: Operand, c: number, { batch, m, k }: Sizes): void {
  const size = sizeOf(type);
  const columns = asReal(transposed(a));
  const factors = { offsets: Array.from(b.offsets, (offset) => 2 * offset), row: 1, column: 2 * b.row };
  const [re, im] = [0, 1].map((part) => {
    const to = scratch(batch * 2 * m * size);
    multiply(type, { ...factors, address: b.address + part * size }, columns, to, { batch, m: 1, k, n: 2 * m });
    return to / size;
  }) as [number, number];
  const view = views()[type];
  for (let i = 0, to = c / size; i < 2 * batch * m; i += 2) {
    view[to + i] = view[re + i]! - view[im + i + 1]!;
    view[to + i + 1] = view[re + i + 1]! + view[im + i]!;
  }
}
