/**
 * Products of matrices that lie in the memory of kernels, cut into regions that threads work on; right ones are packed into panels first
 * where they are large or do not lie in rows.
 * Works with addresses and strides; knows neither tensors nor how operands got there.
 */
import { roundUp } from "../../../core/round-up";
import { copyBox } from "../copy";
import { runCalls, threadCount, type Call } from "../threads/index";
import { STEP } from "../schedule/element-wise";
import { inScratch, scratch, SLACK } from "../memory/linear";
import type { KernelModule } from "../modules/module";
import type { Lanes } from "../asm";
import { contractionModule, type ContractionModule, type SumType } from "./functions";
import { throughModule, type Through, type Way } from "./through";
import { TILE_ROWS, tileColumns, tileRows } from "./tile";
import {
  columnsPacked,
  columnsThrough,
  cutHandedOn,
  cutRegions,
  isReadInPlace,
  LIGHT_CALL_LEAST,
  linesAtOnce,
  matricesPacked,
  packedTogether,
  rowsThrough,
  STRETCH,
  type Rectangle,
  type Sizes,
} from "../schedule/contractions";

/** Where matrices lie: element (i, j) of matrix b at `address`, and `offsets[b] + i * row + j * column` elements on. */
export interface Operand {
  readonly address: number;
  readonly offsets: ArrayLike<number>;
  readonly row: number;
  readonly column: number;
  /** What makes the elements, of a matrix that is multiplied with a vector, where these lie nowhere. */
  readonly through?: Through;
}

/** What is done to the result while it is at hand. */
export interface Epilogue {
  /**
   * Called when `count` rows of the result from `start` on are done: they lie in one piece at the address.
   * Rows are numbered on from matrix to matrix. It may change them.
   */
  readonly afterRows?: (start: number, count: number, address: number) => void;
  /** Whether rows are done with then: all that are handed on lie at the address of the result, which has room for no more. */
  readonly passing?: boolean;
}

/** Rows of the result that are handed on at a time at most. */
export function rowsHandedOn(type: SumType, sizes: Sizes): number {
  const { batch, m, n } = sizes;
  if (m === 1 || n === 1) return batch * m;
  const { matrices, rows } = cutHandedOn(sizes, contractionModule(type).lanes.size);
  return Math.min(batch, matrices) * rows;
}

interface Work {
  readonly code: ContractionModule;
  readonly sizes: Sizes;
  readonly a: Operand;
  readonly b: Operand;
  /** Address of the result: row-major, one matrix behind the other. */
  readonly c: number;
  readonly epilogue: Epilogue;
}

/** Bytes of scratch space that {@link multiply} takes at most besides operands and result. */
export function scratchBytes(type: SumType, sizes: Sizes): number {
  const { lanes } = contractionModule(type);
  return heldTogether(lanes, sizes) * packedBytes(lanes, sizes) + 4096;
}

/** Bytes of both operands of a matrix in other orders. */
const packedBytes = (lanes: Lanes, { m, k, n }: Sizes): number => (m + roundUp(n, tileColumns(lanes))) * k * lanes.size;

/** Matrices of a batch that are packed at the same time. */
const heldTogether = (lanes: Lanes, sizes: Sizes): number => packedTogether(sizes.batch, packedBytes(lanes, sizes));

/** Runs calls that make so many products (or copies) together, here where handing them to threads would take longer. */
function run(module: KernelModule, name: string, calls: readonly Call[], work: number): void {
  runCalls(module, name, calls, work / calls.length >= LIGHT_CALL_LEAST);
}

/**
 * `c = a b` for each matrix of a batch. The order of every sum depends on the sizes and strides alone, not on threads.
 * To be called in scratch space.
 */
export function multiply(
  type: SumType,
  a: Operand,
  b: Operand,
  c: number,
  sizes: Sizes,
  epilogue: Epilogue = {},
): void {
  const work = { code: contractionModule(type), sizes, a, b, c, epilogue };
  inScratch(() => {
    if (sizes.m === 1 || sizes.n === 1) timesVectors(work);
    else timesMatrices(work);
  });
}

/** Matrices by vectors: a row of the left operand stands for a line, or a column of the right one where that has more. */
function timesVectors(work: Work): void {
  const { code, sizes, a, b } = work;
  const isTransposed = sizes.n !== 1;
  const matrix = isTransposed ? transposed(b) : a;
  const vector = isTransposed ? a : transposed(b);
  const inPieces = matrix.column === 1 || matrix.row === 1;
  if (!inPieces) return timesMatrices(work);
  const dots = sizes.inOrder ? "dotsInOrder" : "dots";
  const name = matrix.row === 1 && matrix.column !== 1 ? "multiples" : dots;
  const lines = isTransposed ? sizes.n : sizes.m;
  const { module, calls } = matrix.through
    ? callsThrough(work, name, matrix as ThroughOperand, vector, lines)
    : { module: code.module, calls: vectorCalls(work, matrix, vector, lines) };
  run(module, name, calls, sizes.batch * lines * sizes.k);
  work.epilogue.afterRows?.(0, sizes.batch * sizes.m, work.c);
}

const transposed = (x: Operand): Operand => ({ ...x, row: x.column, column: x.row });

/** Lines that a call takes at most. */
const linesOfCall = ({ sizes }: Work, matrix: Operand, lines: number): number =>
  linesAtOnce(lines, sizes.k, matrix.column === 1 ? TILE_ROWS : null, threadCount());

function vectorCalls(work: Work, matrix: Operand, vector: Operand, lines: number): Call[] {
  const { code, sizes, c } = work;
  const { size } = code.lanes;
  const start = contiguousVectors(work, vector);
  const stride = (matrix.column === 1 ? matrix.row : matrix.column) * size;
  const calls: Call[] = [];
  const most = linesOfCall(work, matrix, lines);
  for (let i = 0; i < sizes.batch; i++) {
    for (let from = 0; from < lines; from += most) {
      const at = matrix.address + (matrix.offsets[i]! + from * matrix.row) * size;
      const to = c + (i * lines + from) * size;
      calls.push([at, stride, start(i), to, Math.min(most, lines - from), sizes.k]);
    }
  }
  return calls;
}

interface ThroughOperand extends Operand {
  readonly through: Through;
}

/** The same for a matrix that a kernel makes: a call has a buffer of its own, for rows of memory that stay in the first cache. */
function callsThrough(
  work: Work,
  way: Way,
  matrix: ThroughOperand,
  vector: Operand,
  lines: number,
): { readonly module: KernelModule; readonly calls: readonly Call[] } {
  const { code, sizes, c } = work;
  const { batch, k } = sizes;
  const { size } = code.lanes;
  const start = contiguousVectors(work, vector);
  const most = way === "multiples" ? columnsThrough(lines, threadCount()) : linesOfCall(work, matrix, lines);
  const pitch = roundUp(way === "multiples" ? Math.min(lines, most) : k, STEP) * size;
  const together = rowsThrough(pitch);
  const calls: Call[] = [];
  for (let i = 0; i < batch; i++) {
    for (let from = 0; from < lines; from += most) {
      const [row, column] =
        way === "multiples" ? [matrix.offsets[i]! / lines, from] : [matrix.offsets[i]! / k + from, 0];
      const { operands } = matrix.through;
      const at = operands.map((along) => along.address + row * along.row + column * along.column);
      const to = [Math.min(most, lines - from), k, start(i), c + (i * lines + from) * size];
      calls.push([...to, scratch(together * pitch + SLACK), pitch, together, ...at, ...operands.map(({ row }) => row)]);
    }
  }
  return { module: throughModule(code.lanes.type, matrix.through, way), calls };
}

/** Addresses of the vectors with their elements side by side. */
function contiguousVectors({ code, sizes }: Work, vector: Operand): (i: number) => number {
  const { size } = code.lanes;
  const { batch, k } = sizes;
  if (vector.column === 1) return (i) => vector.address + vector.offsets[i]! * size;
  const at = scratch(batch * k * size);
  bringRows(vector, size, { from: 0, count: batch, rows: 1, columns: k, to: at });
  return (i) => at + i * k * size;
}

/** Whether a left operand whose rows do not lie in one piece is read where it lies. */
const isLeftInPlace = ({ code: { lanes }, sizes: { m, k, n }, a }: Work): boolean =>
  a.column === 1 || isReadInPlace(n, m * k * lanes.size);

/** Whether the right operand is read where it lies. */
const isRightInPlace = ({ code: { lanes }, sizes: { m, k, n }, b }: Work): boolean =>
  b.column === 1 && isReadInPlace(m, k * n * lanes.size);

/** Where matrices of a batch are that are multiplied at a time; all but the number in bytes. */
interface Lying {
  readonly at: (matrix: number) => number;
  /** From one matrix to the next; null where that varies. */
  readonly next: number | null;
  readonly row: number;
  readonly column: number;
}

/** Brings as many matrices of the batch into other orders as may be held, where they are not read where they lie, multiplies them, and goes on. */
function timesMatrices(work: Work): void {
  const { code, sizes } = work;
  const { batch, m, k, n } = sizes;
  const { size } = code.lanes;
  const [ordered, packed] = [!isLeftInPlace(work), !isRightInPlace(work)];
  const [leftBytes, rightBytes] = [m * k * size, roundUp(n, tileColumns(code.lanes)) * k * size];
  const together = ordered || packed ? heldTogether(code.lanes, sizes) : batch;
  const left = ordered ? scratch(together * leftBytes) : 0;
  const right = packed ? scratch(together * rightBytes) : 0;
  for (let from = 0; from < batch; from += together) {
    const share = { from, count: Math.min(together, batch - from) };
    if (ordered) bringRows(work.a, size, { ...share, rows: m, columns: k, to: left });
    if (packed) run(code.module, "pack", packCalls(work, { ...share, to: right }, rightBytes), share.count * n * k);
    const a = ordered ? packedAt(left, leftBytes, k * size, size) : lying(work.a, from, size);
    const b = packed
      ? packedAt(right, rightBytes, tileColumns(code.lanes) * size, k * size)
      : lying(work.b, from, size);
    multiplyRegions(work, from, share.count, (rectangles, c) => {
      const calls: Call[] = [];
      let elements = 0;
      for (const r of rectangles) {
        addCalls(calls, sizes, size, r, a, b, c + from * m * n * size);
        elements += r.count * r.rows * r.columns;
      }
      run(code.module, "regions", calls, elements * k);
    });
  }
}

const packedAt = (address: number, next: number, row: number, column: number): Lying => ({
  ...{ next, row, column },
  at: (matrix) => address + matrix * next,
});

function lying({ address, offsets, row, column }: Operand, from: number, size: number): Lying {
  const step = evenStep(offsets);
  const at = (matrix: number): number => address + offsets[from + matrix]! * size;
  return { at, next: step === null ? null : step * size, row: row * size, column: column * size };
}

/** Matrices of a batch from `from` on, and where they go. */
interface Share {
  readonly from: number;
  readonly count: number;
  readonly to: number;
}

/** Brings matrices, of elements of so many bytes, to where their rows lie in one piece one after the other. */
export function bringRows(
  { address, offsets, row, column }: Operand,
  bytes: number,
  { from, count, rows, columns, to }: Share & { readonly rows: number; readonly columns: number },
): void {
  const apart = evenStep(offsets);
  const each = rows * columns * bytes;
  const together = apart === null ? 1 : count;
  const axes = [
    { size: together, from: (apart ?? 0) * bytes, to: each },
    { size: rows, from: row * bytes, to: columns * bytes },
    { size: columns, from: column * bytes, to: bytes },
  ];
  for (let i = 0; i < count; i += together) {
    copyBox({ from: address + offsets[from + i]! * bytes, to: to + i * each, bytes, axes });
  }
}

/** Packs each right matrix: several matrices a call where they are small, some panels where they are large. */
function packCalls({ code: { lanes }, sizes: { k, n }, b }: Work, { from, count, to }: Share, step: number): Call[] {
  const { size } = lanes;
  const most = columnsPacked(k, tileColumns(lanes));
  const apart = evenStep(b.offsets);
  const each = apart === null ? 1 : matricesPacked(n * k);
  const calls: Call[] = [];
  for (let i = 0; i < count; i += each) {
    for (let column = 0; column < n; column += most) {
      const source = b.address + (b.offsets[from + i]! + column * b.column) * size;
      const place = [source, b.column * size, b.row * size, Math.min(most, n - column), k];
      const target = to + i * step + column * k * size;
      calls.push([...place, target, Math.min(each, count - i), (apart ?? 0) * size, step]);
    }
  }
  return calls;
}

/** Distance between one matrix of a batch and the next; null where it varies. */
function evenStep(offsets: ArrayLike<number>): number | null {
  const step = offsets.length > 1 ? offsets[1]! - offsets[0]! : 0;
  for (let i = 2; i < offsets.length; i++) if (offsets[i]! - offsets[i - 1]! !== step) return null;
  return step;
}

/** What makes some rectangles of the results, the first matrix of which lies at an address. */
type MultiplyAll = (rectangles: readonly Rectangle[], to: number) => void;

/** The results of some matrices in rectangles: all, or as many at a time as are handed on. */
function multiplyRegions(work: Work, from: number, count: number, multiplyAll: MultiplyAll): void {
  const { code, sizes, c, epilogue } = work;
  const { m, n } = sizes;
  const { size } = code.lanes;
  const tile = tileRows(code.lanes);
  if (!epilogue.afterRows) return multiplyAll(cutRegions(sizes, tile, { matrix: 0, count, row: 0, rows: m }), c);
  const together = cutHandedOn(sizes, size);
  for (let matrix = 0; matrix < count; matrix += together.matrices) {
    for (let row = 0; row < m; row += together.rows) {
      const part = {
        matrix,
        count: Math.min(together.matrices, count - matrix),
        row,
        rows: Math.min(together.rows, m - row),
      };
      const start = (from + matrix) * m + row;
      const to = epilogue.passing ? c - start * n * size : c;
      multiplyAll(cutRegions(sizes, tile, part), to);
      epilogue.afterRows(start, part.count * part.rows, to + start * n * size);
    }
  }
}

/** Adds the calls for a rectangle of the results, the first matrix of which lies at an address: one for each matrix where distances vary. */
function addCalls(calls: Call[], { m, k, n }: Sizes, size: number, r: Rectangle, a: Lying, b: Lying, c: number): void {
  const together = a.next === null || b.next === null ? 1 : r.count;
  for (let i = r.matrix; i < r.matrix + r.count; i += together) {
    const operands = [a.at(i) + r.row * a.row, a.row, a.column, b.at(i) + r.column * b.column, b.row, b.column];
    const result = [c + ((i * m + r.row) * n + r.column) * size, n * size];
    const nexts = [together, a.next ?? 0, b.next ?? 0, m * n * size];
    calls.push([...operands, ...result, r.rows, r.columns, k, STRETCH, ...nexts]);
  }
}
