/**
 * Folding an array of groups x rows x columns along its rows: the one loop behind all reductions. Pieces of rows are loaded
 * into a small buffer in the type work is done in, and a kernel folds them into a row of accumulators, so that memory is
 * read in order whether the reduced axis is an inner or an outer one.
 *
 * The order of the operations depends on the shape only. The rows of one result are cut into blocks of 128, counted from
 * the first. Sums and products of a block have eight accumulators, started from 0 or 1: accumulator j takes rows j, j + 8,
 * j + 16 and so on, and the block's result is ((a0+a4)+(a2+a6))+((a1+a5)+(a3+a7)). The results of blocks are combined in
 * pairs: block 0 with 1, 2 with 3, then 0-1 with 2-3 and so on as a binary counter does; what is left over is added from the
 * back. (Halving a list of results again and again, where an odd last one goes on as it is, gives the same tree.) The error
 * of a sum so grows with the logarithm of its length (Higham, "The accuracy of floating point summation", 1993). Extremes,
 * truth and integers do not depend on the order; complex products have their own, described in `fold-kernels.ts`.
 */
import { sizeOf, type Shape } from "../../core/shape";
import { LANES, type Kernel, type Work } from "./fold-kernels";

/** Entries of the load buffer: 32 kB of f64. */
export const CHUNK = 4096;
/** Columns handled at a time when the rows are long. */
const TILE = 256;
const BLOCK = 128;
/** Rows loaded at a time when they are long; pieces end on a multiple of the accumulators except at the end of all rows. */
const GROUP = 2 * LANES;

/** Groups x rows x columns of entries, row-major. A result has groups x columns entries. */
export interface Grid {
  readonly groups: number;
  readonly rows: number;
  readonly columns: number;
}

/** The grid along one axis, or of all elements. */
export function gridOf(shape: Shape, axis: number | null): Grid {
  if (axis === null) return { groups: 1, rows: sizeOf(shape), columns: 1 };
  return { groups: sizeOf(shape.slice(0, axis)), rows: shape[axis]!, columns: sizeOf(shape.slice(axis + 1)) };
}

/** Reads `n` entries from entry `from` of a source to the buffer, at `at`. */
export type Loader<A extends Work> = (from: number, buffer: A, at: number, n: number) => void;

/** A piece of rows in the buffer, packed: `rows` of them from `row`, columns `column` to `column + width`, at `at`. */
export interface Piece {
  group: number;
  column: number;
  width: number;
  row: number;
  rows: number;
  at: number;
}

/** Loads the whole grid piece by piece; rows of one group and column come in order, no piece crosses a block. */
export function walkPieces<A extends Work>(
  grid: Grid,
  buffer: A,
  load: Loader<A>,
  visit: (piece: Piece) => void,
): void {
  if (grid.rows * grid.columns <= CHUNK) walkSmall(grid, buffer, load, visit);
  else if (grid.columns <= TILE) walkTall(grid, buffer, load, visit);
  else walkWide(grid, buffer, load, visit);
}

/** Several groups per load. */
function walkSmall<A extends Work>(grid: Grid, buffer: A, load: Loader<A>, visit: (piece: Piece) => void): void {
  const { groups, rows, columns } = grid;
  const size = rows * columns;
  const perLoad = Math.floor(CHUNK / size);
  const piece: Piece = { group: 0, column: 0, width: columns, row: 0, rows: 0, at: 0 };
  for (let group = 0; group < groups; group += perLoad) {
    const count = Math.min(perLoad, groups - group);
    load(group * size, buffer, 0, count * size);
    for (let g = 0; g < count; g++) {
      piece.group = group + g;
      for (let row = 0; row < rows; row += BLOCK) {
        piece.row = row;
        piece.rows = Math.min(BLOCK, rows - row);
        piece.at = g * size + row * columns;
        visit(piece);
      }
    }
  }
}

/** Several loads per group, each of as many whole rows as fit. */
function walkTall<A extends Work>(grid: Grid, buffer: A, load: Loader<A>, visit: (piece: Piece) => void): void {
  const { groups, rows, columns } = grid;
  const room = Math.floor(CHUNK / columns);
  // Whole blocks where any fit.
  const step = room - (room % (room >= BLOCK ? BLOCK : LANES));
  const piece: Piece = { group: 0, column: 0, width: columns, row: 0, rows: 0, at: 0 };
  for (piece.group = 0; piece.group < groups; piece.group++) {
    for (let first = 0; first < rows; first += step) {
      const end = Math.min(first + step, rows);
      load((piece.group * rows + first) * columns, buffer, 0, (end - first) * columns);
      for (piece.row = first; piece.row < end; piece.row += piece.rows) {
        piece.rows = Math.min(end - piece.row, BLOCK - (piece.row % BLOCK));
        piece.at = (piece.row - first) * columns;
        visit(piece);
      }
    }
  }
}

/** Long rows: a few at a time, in tiles of columns. */
function walkWide<A extends Work>(grid: Grid, buffer: A, load: Loader<A>, visit: (piece: Piece) => void): void {
  const { groups, rows, columns } = grid;
  const piece: Piece = { group: 0, column: 0, width: 0, row: 0, rows: 0, at: 0 };
  for (piece.group = 0; piece.group < groups; piece.group++) {
    for (piece.column = 0; piece.column < columns; piece.column += TILE) {
      const width = (piece.width = Math.min(TILE, columns - piece.column));
      for (piece.row = 0; piece.row < rows; piece.row += piece.rows) {
        piece.rows = Math.min(GROUP, rows - piece.row);
        const from = (piece.group * rows + piece.row) * columns + piece.column;
        for (let i = 0; i < piece.rows; i++) load(from + i * columns, buffer, i * width, width);
        visit(piece);
      }
    }
  }
}

/** Folds the rows of a grid; the result has an accumulator per group and column. */
export function foldRows<A extends Work>(kernel: Kernel<A>, grid: Grid, load: Loader<A>): A {
  const { groups, rows, columns } = grid;
  const result = kernel.create(groups * columns);
  const buffer = kernel.create(Math.min(CHUNK, groups * rows * columns));
  if (rows <= BLOCK && (!kernel.lanes || rows * columns <= CHUNK)) {
    walkPieces(grid, buffer, load, (piece) =>
      foldPiece(kernel, result, piece.group * columns + piece.column, buffer, piece, rows),
    );
    return result;
  }
  const blocks = new BlockStack(kernel, rows, Math.min(columns, TILE));
  walkPieces(grid, buffer, load, (piece) => {
    const { width } = piece;
    if (foldPiece(kernel, blocks.sums, blocks.top(width), buffer, piece, rows)) blocks.push(width);
    if (piece.row + piece.rows === rows) blocks.finish(result, piece.group * columns + piece.column, width);
  });
  return result;
}

/** Folds a piece into the accumulators of its block; whether the block is complete, and its result in the first row. */
function foldPiece<A extends Work>(
  kernel: Kernel<A>,
  sums: A,
  at: number,
  buffer: A,
  piece: Piece,
  allRows: number,
): boolean {
  const { width, row, rows } = piece;
  const begins = row % BLOCK === 0;
  const ends = row + rows === allRows || (row + rows) % BLOCK === 0;
  if (kernel.lanes && begins && ends) {
    kernel.lanes.block(sums, at, buffer, piece.at, rows, width);
    return true;
  }
  const used = begins ? kernel.start(sums, at, buffer, piece.at, width) : 0;
  if (used < rows) kernel.rows(sums, at, buffer, piece.at + used * width, rows - used, width);
  if (ends) kernel.lanes?.close(sums, at, width);
  return ends;
}

/** Results of blocks waiting for a partner: a binary counter whose digits are rows of accumulators. */
class BlockStack<A extends Work> {
  readonly sums: A;
  private readonly kernel: Kernel<A>;
  private depth = 0;
  private count = 0;

  constructor(kernel: Kernel<A>, rows: number, width: number) {
    // A row for each level, and above them the accumulators of the block at work.
    const levels = 1 + Math.ceil(Math.log2(rows / BLOCK + 1));
    this.kernel = kernel;
    this.sums = kernel.create((levels + LANES) * width);
  }

  /** Where the next block has its accumulators, and its result in the end. */
  top(width: number): number {
    return this.depth * width;
  }

  push(width: number): void {
    this.depth++;
    this.count++;
    for (let i = this.count; (i & 1) === 0; i >>>= 1) this.join(width);
  }

  private join(width: number): void {
    this.depth--;
    this.kernel.join(this.sums, (this.depth - 1) * width, this.depth * width, width);
  }

  finish(result: A, at: number, width: number): void {
    while (this.depth > 1) this.join(width);
    for (let i = 0; i < width; i++) result[at + i] = this.sums[i]!;
    this.depth = this.count = 0;
  }
}
