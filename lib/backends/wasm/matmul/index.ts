/**
 * Products of matrices that lie in the memory of kernels: packed into panels, then cut into regions that threads work on.
 * Works with addresses and strides; knows neither tensors nor how operands got there.
 */
import { roundUp } from "../../../core/round-up";
import { runCalls, type Call } from "../threads/index";
import { inScratch, scratch } from "../memory";
import { contractionModule, type ContractionModule, type SumType } from "./functions";
import { edgeBytes, TILE_ROWS, tileColumns } from "./tile";
import {
  CALL_LEAST,
  DIRECT_BYTES,
  DIRECT_ROWS,
  HANDED_ON,
  LIGHT_CALL_LEAST,
  LINES_LEAST,
  LINE_CALLS,
  MATMUL_PARTS,
  PACKED_AT_ONCE,
  PACK_AT_ONCE,
  REGION_COLUMNS,
  REGION_ROWS,
  REGION_ROWS_LEAST,
  STRETCH,
  STRIP,
} from "../schedule";

/** `batch` products of `[m, k]` by `[k, n]`. */
export interface Sizes {
  readonly batch: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

/** Where matrices lie: element (i, j) of matrix b at `address`, and `offsets[b] + i * row + j * column` elements on. */
export interface Operand {
  readonly address: number;
  readonly offsets: ArrayLike<number>;
  readonly row: number;
  readonly column: number;
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
export function rowsHandedOn(type: SumType, { batch, m, n }: Sizes): number {
  if (m === 1 || n === 1) return batch * m;
  const bytes = n * contractionModule(type).lanes.size;
  const rows = handedOn(m, bytes);
  return rows < m ? rows : Math.min(batch, matricesHandedOn(m * bytes)) * m;
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

/** Bytes of scratch space that {@link multiply} takes besides operands and result. */
export function scratchBytes(type: SumType, sizes: Sizes): number {
  const code = contractionModule(type);
  const { m, k, n } = sizes;
  const packed = (m + roundUp(n, tileColumns(code.lanes))) * k * code.lanes.size;
  const together = heldTogether(code, sizes);
  return together * (packed + regionCount(sizes) * edgeBytes(code.lanes)) + 4096;
}

/** Runs calls that make so many products (or copies) together, here where handing them to threads would take longer. */
function run({ module }: ContractionModule, name: string, calls: readonly Call[], work: number): void {
  if (work / calls.length >= LIGHT_CALL_LEAST) return runCalls(module, name, calls);
  const fn = module.exports[name]!;
  for (const call of calls) fn(...call);
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
    else if (isDirect(work)) multiplyDirectly(work);
    else multiplyPacked(work);
  });
}

/** Matrices by vectors: a row of the left operand stands for a line, or a column of the right one where that has more. */
function timesVectors(work: Work): void {
  const { code, sizes, a, b } = work;
  const turned = sizes.n !== 1;
  const matrix = turned ? transposed(b) : a;
  const vector = turned ? a : transposed(b);
  const inPieces = matrix.column === 1 || matrix.row === 1;
  if (!inPieces) return multiplyPacked(work);
  const name = matrix.row === 1 && matrix.column !== 1 ? "multiples" : "dots";
  const lines = turned ? sizes.n : sizes.m;
  const calls = vectorCalls(work, matrix, vector, lines);
  run(code, name, calls, sizes.batch * lines * sizes.k);
  work.epilogue.afterRows?.(0, sizes.batch * sizes.m, work.c);
}

const transposed = (x: Operand): Operand => ({ ...x, row: x.column, column: x.row });

function vectorCalls(work: Work, matrix: Operand, vector: Operand, lines: number): Call[] {
  const { code, sizes, c } = work;
  const { size } = code.lanes;
  const start = contiguousVectors(work, vector);
  const stride = (matrix.column === 1 ? matrix.row : matrix.column) * size;
  const calls: Call[] = [];
  const narrowest = matrix.column === 1 ? TILE_ROWS : STRIP;
  const most = roundUp(Math.max(lines / LINE_CALLS, LINES_LEAST / sizes.k), narrowest);
  for (let i = 0; i < sizes.batch; i++) {
    for (let from = 0; from < lines; from += most) {
      const at = matrix.address + (matrix.offsets[i]! + from * matrix.row) * size;
      const to = c + (i * lines + from) * size;
      calls.push([at, stride, start(i), to, Math.min(most, lines - from), sizes.k]);
    }
  }
  return calls;
}

/** Addresses of the vectors with their elements side by side. */
function contiguousVectors({ code, sizes }: Work, vector: Operand): (i: number) => number {
  const { size } = code.lanes;
  const { batch, k } = sizes;
  const addressOf = (i: number): number => vector.address + vector.offsets[i]! * size;
  if (vector.column === 1) return addressOf;
  const at = scratch(batch * k * size);
  const place = (i: number) => [0, addressOf(i), 0, vector.column * size, 1, k, at + i * k * size, 1, 0, 0];
  const calls = Array.from({ length: batch }, (_, i) => place(i));
  run(code, "pack", calls, batch * k);
  return (i) => at + i * k * size;
}

/** Whether operands are read where they lie: a region has at least the columns of a vector. */
function isDirect({ code: { lanes }, sizes: { m, k, n }, b }: Work): boolean {
  const isSmall = m <= DIRECT_ROWS || k * n * lanes.size <= DIRECT_BYTES;
  const isWide = (n - 1) % REGION_COLUMNS >= lanes.count - 1;
  return isSmall && isWide && b.column === 1 && lanes.type !== "s64";
}

function multiplyDirectly(work: Work): void {
  const { code, sizes, a, b } = work;
  const { size } = code.lanes;
  const { m, k, n } = sizes;
  const steps = [a, b].map(({ offsets }) => evenStep(offsets));
  const next = [...steps.map((step) => (step ?? 0) * size), m * n * size];
  const isEven = !steps.includes(null);
  multiplyRegions(work, 0, sizes.batch, (rectangles, c) => {
    const calls: Call[] = [];
    for (const { matrix, count, row, rows, column, columns } of rectangles) {
      const together = isEven ? count : 1;
      for (let i = matrix; i < matrix + count; i += together) {
        const left = a.address + (a.offsets[i]! + row * a.row) * size;
        const right = b.address + (b.offsets[i]! + column) * size;
        const operands = [left, a.row * size, a.column * size, right, b.row * size];
        const result = [c + ((i * m + row) * n + column) * size, n * size];
        calls.push([...operands, ...result, rows, columns, k, STRETCH, together, ...next]);
      }
    }
    run(code, "products", calls, elementsOf(rectangles) * k);
  });
}

const elementsOf = (rectangles: readonly Rectangle[]): number =>
  rectangles.reduce((sum, r) => sum + r.count * r.rows * r.columns, 0);

/** Packs as many matrices of the batch as may be held, multiplies them, and goes on. */
function multiplyPacked(work: Work): void {
  const { code, sizes } = work;
  const { batch, m, k, n } = sizes;
  const { size } = code.lanes;
  const wide = roundUp(n, tileColumns(code.lanes));
  const together = heldTogether(code, sizes);
  const left = scratch(together * m * k * size);
  const right = scratch(together * wide * k * size);
  const edges = scratch(together * regionCount(sizes) * edgeBytes(code.lanes));
  for (let from = 0; from < batch; from += together) {
    const count = Math.min(together, batch - from);
    const calls = [
      ...packCalls(work, 0, work.a, m, { from, count, to: left, step: m * k * size }),
      ...packCalls(work, 1, transposed(work.b), n, { from, count, to: right, step: wide * k * size }),
    ];
    run(code, "pack", calls, count * (m + n) * k);
    multiplyPanels(work, from, count, { left, right, edges });
  }
}

/** Matrices of a batch that are packed at the same time. */
function heldTogether({ lanes }: ContractionModule, { batch, m, k, n }: Sizes): number {
  const bytes = (m + roundUp(n, tileColumns(lanes))) * k * lanes.size;
  return Math.max(1, Math.min(batch, Math.floor(PACKED_AT_ONCE / bytes)));
}

/** Matrices of a batch from `from` on, and where their panels go. */
interface Share {
  readonly from: number;
  readonly count: number;
  readonly to: number;
  readonly step: number;
}

/** Packs `lines` lines of each matrix: several matrices a call where they are small, some panels where they are large. */
function packCalls(work: Work, side: 0 | 1, x: Operand, lines: number, { from, count, to, step }: Share): Call[] {
  const { code, sizes } = work;
  const { size } = code.lanes;
  const { k } = sizes;
  const width = side === 0 ? TILE_ROWS : tileColumns(code.lanes);
  const most = Math.max(width, Math.floor(PACK_AT_ONCE / k / width) * width);
  const apart = evenStep(x.offsets);
  const each = apart === null ? 1 : Math.max(1, Math.floor(PACK_AT_ONCE / (lines * k)));
  const calls: Call[] = [];
  for (let i = 0; i < count; i += each) {
    const source = x.address + x.offsets[from + i]! * size;
    for (let line = 0; line < lines; line += most) {
      const place = [source + line * x.row * size, x.row * size, x.column * size, Math.min(most, lines - line), k];
      const target = to + i * step + line * k * size;
      calls.push([side, ...place, target, Math.min(each, count - i), (apart ?? 0) * size, step]);
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

/** A rectangle of the results of `count` matrices. */
interface Rectangle {
  readonly matrix: number;
  readonly count: number;
  readonly row: number;
  readonly rows: number;
  readonly column: number;
  readonly columns: number;
}

/** Addresses of packed operands and of room for tiles over the edge. */
interface Panels {
  readonly left: number;
  readonly right: number;
  readonly edges: number;
}

function multiplyPanels(work: Work, from: number, count: number, panels: Panels): void {
  const { code, sizes } = work;
  multiplyRegions(work, from, count, (rectangles, to) => {
    const calls = rectangles.map((r, i) =>
      regionCall(work, r, { from, to, panels, edge: panels.edges + i * edgeBytes(code.lanes) }),
    );
    run(code, "regions", calls, elementsOf(rectangles) * sizes.k);
  });
}

/** What makes some rectangles of the results, the first matrix of which lies at an address. */
type MultiplyAll = (rectangles: readonly Rectangle[], to: number) => void;

/** The results of some matrices in rectangles: all, or as many at a time as are handed on. */
function multiplyRegions(work: Work, from: number, count: number, multiplyAll: MultiplyAll): void {
  const { code, sizes, c, epilogue } = work;
  const { m, n } = sizes;
  const { size } = code.lanes;
  if (!epilogue.afterRows) return multiplyAll(rectanglesOf(sizes, 0, count, 0, m), c);
  const rowsAtOnce = handedOn(m, n * size);
  // Several small matrices at once, or a large one a few rows at a time.
  const together = rowsAtOnce < m ? 1 : matricesHandedOn(m * n * size);
  for (let i = 0; i < count; i += together) {
    for (let row = 0; row < m; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, m - row);
      const matrices = Math.min(together, count - i);
      const start = (from + i) * m + row;
      const to = epilogue.passing ? c - start * n * size : c;
      multiplyAll(rectanglesOf(sizes, i, matrices, row, rows), to);
      epilogue.afterRows(start, matrices * rows, to + start * n * size);
    }
  }
}

/** Whole matrices of so many bytes that are handed on at a time. */
const matricesHandedOn = (bytes: number): number => Math.max(1, Math.floor(HANDED_ON / bytes));

/** Rows of the result that are handed on at a time: all, or some regions. */
function handedOn(m: number, rowBytes: number): number {
  const rows = Math.max(REGION_ROWS, Math.floor(HANDED_ON / rowBytes / REGION_ROWS) * REGION_ROWS);
  return Math.min(m, rows);
}

/**
 * Rows of a region: fewer than could be where this leaves threads without work, but enough that a region takes longer than
 * handing it to a thread.
 */
function regionRows({ batch, m, k, n }: Sizes): number {
  const columns = Math.min(n, REGION_COLUMNS);
  const worthIt = Math.ceil(CALL_LEAST / (columns * k));
  const even = Math.ceil((batch * m * Math.ceil(n / REGION_COLUMNS)) / MATMUL_PARTS);
  return roundUp(Math.min(REGION_ROWS, Math.max(REGION_ROWS_LEAST, worthIt, even)), TILE_ROWS);
}

/** Regions of one matrix. */
const regionCount = (sizes: Sizes): number =>
  Math.ceil(sizes.m / regionRows(sizes)) * Math.ceil(sizes.n / REGION_COLUMNS);

/** Regions that cover some rows of some matrices; whole small matrices are taken several at a time. */
function rectanglesOf(sizes: Sizes, first: number, count: number, top: number, height: number): Rectangle[] {
  const { m, k, n } = sizes;
  const most = regionRows(sizes);
  const each = height <= most && n <= REGION_COLUMNS ? Math.max(1, Math.floor(CALL_LEAST / (m * k * n))) : 1;
  const all: Rectangle[] = [];
  for (let i = 0; i < count; i += each) {
    for (let row = top; row < top + height; row += most) {
      for (let column = 0; column < n; column += REGION_COLUMNS) {
        const [rows, columns] = [Math.min(most, top + height - row), Math.min(REGION_COLUMNS, n - column)];
        all.push({ matrix: first + i, count: Math.min(each, count - i), row, rows, column, columns });
      }
    }
  }
  return all;
}

/** Where regions of a share of a batch read and write: the share begins with matrix `from` of the result at `to`. */
interface Destination {
  readonly from: number;
  readonly to: number;
  readonly panels: Panels;
  readonly edge: number;
}

function regionCall(work: Work, r: Rectangle, { from, to: c, panels, edge }: Destination): Call {
  const { code, sizes } = work;
  const { m, k, n } = sizes;
  const { size } = code.lanes;
  const wide = roundUp(n, tileColumns(code.lanes));
  const left = panels.left + (r.matrix * m + r.row) * k * size;
  const right = panels.right + (r.matrix * wide + r.column) * k * size;
  const to = c + (((from + r.matrix) * m + r.row) * n + r.column) * size;
  return [
    ...[left, right, to, n * size, r.rows, r.columns, k, STRETCH, edge],
    ...[r.count, m * k * size, wide * k * size, m * n * size],
  ];
}
