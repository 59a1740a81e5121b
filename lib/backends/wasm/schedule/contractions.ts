/** From where on contractions and convolutions are worth staging, and how they are cut, with the kernels around them. */
import { roundUp } from "../../../core/round-up";
import { picosecondsOf } from "./cuts";

/** Elements that are copied at a time: they stay in a core's first cache. */
const BLOCK = 4096;
/** Picoseconds on one thread that are worth handing to other threads, which are awake where the contraction was shared. */
const BLOCKS_SHARED_FROM = 4e7;
/** Calls for each thread. */
const BLOCKS_EACH = 3;

/** A kernel over at most so many elements that are in the caches, or are to be. */
interface AroundContraction {
  readonly most: number;
  readonly ops: number;
  /** Whether an operand or a result is copied. */
  readonly staged: boolean;
  readonly step: number;
  /** Elements of a row, none of which is cut; 1 where there are none. */
  readonly row: number;
}

/**
 * How such a kernel is cut: elements of a chunk, and of a call, whole steps, so that no call writes what another one does. Rows that
 * are no whole steps are done in order.
 */
export function cutBlocks(
  { most, ops, staged, step, row }: AroundContraction,
  threads: number,
): { readonly span: number; readonly each: number } {
  const unit = row === 1 ? step : row;
  const whole = Math.ceil(most / unit) * unit;
  if (threads === 1 || picosecondsOf(most, ops) < BLOCKS_SHARED_FROM || unit % step !== 0) {
    const span = staged ? Math.min(BLOCK, whole) : whole;
    return { span, each: span };
  }
  return { span: whole, each: Math.ceil(Math.max(BLOCK, most / (BLOCKS_EACH * threads)) / unit) * unit };
}

/** Products of elements from which on staging matrices takes less time than the loops of the reference (f32, squares). */
export const DOT_FROM = 2 ** 12;
/** A module for integers takes as long to make as the loops take for so many times more; results are the same. */
export const INTEGER_DOT_TIMES = 2 ** 8;
/**
 * The same as DOT_FROM for a convolution, whose input is laid out among zeros first (f32, kernels of 3 x 3). Its sums of f32 are made in f32 from here
 * on, and in f64 below, so that the choice may depend on sizes alone.
 */
export const CONV_FROM = 2 ** 15;
/** Elements of a block of positions that is packed at a time: it stays in the second-level cache. */
const CONV_BLOCK = 2 ** 16;
/** Positions of a block, at least, so that the filters are not read too often, and at most. */
const CONV_BLOCK_LEAST = 64;
const CONV_BLOCK_MOST = 2048;
/** Filters of a group up to which positions are not packed, but read where they lie (3 x 3 of 16 to 32 channels: 0.82 to 0.85 of the time with 48 and 64). */
const CONV_DIRECT_ROWS = 64;
/** Columns that are done for each of a line at most, where the last ones are done twice. */
const CONV_LINE_WASTE = 1.34;
/** Parts that a convolution is cut into. */
const CONV_PARTS = 16;
/** Products that make a part worth handing to another thread. */
const CONV_PART_FROM = 2 ** 20;
/** Steps of k between which sums are written back, so that two panels stay in the first-level cache. */
export const STRETCH = 256;
/**
 * Right operands of products with up to so many rows, or of so many bytes, are read where they lie (48 x 48 of f32: 0.7 of the time that
 * packing takes, 64 x 64 0.87, 100 x 100 0.97, 128 x 128 1.0), and so are left ones that do not lie in rows, of so few columns of the result
 * or so few bytes.
 */
const DIRECT_ROWS = 16;
const DIRECT_BYTES = 2 ** 16;
/** The same for more rows by operands that stay in the second-level cache (24 x 300 x 300 of f32 0.7 of the time, 32 0.9, 64 0.95; by 1000 x 1000 1.0). */
const DIRECT_CACHED_ROWS = 64;
const DIRECT_CACHED_BYTES = 2 ** 19;
/** Rows of a region at most: their panels over a stretch stay in the second-level cache; and at least, if there are so many. */
const REGION_ROWS = 128;
const REGION_ROWS_LEAST = 32;
/** Columns of a region, a multiple of those of a tile. */
const REGION_COLUMNS = 512;
/** Bytes of planes that are set to zero at a time before elements are copied there: they stay in the second-level cache (8 x 32 x 56 x 56, filters of one channel: 0.7 of the time with all at once). */
const ZEROED_AT_ONCE = 2 ** 18;
/** Elements packed by one call. */
const PACK_AT_ONCE = 2 ** 16;
/** Parts that work is cut into, if they are worth handing to another thread: products of a call that are. */
const MATMUL_PARTS = 16;
const CALL_LEAST = 2 ** 20;
/** The same for calls that do little with each element. */
export const LIGHT_CALL_LEAST = 2 ** 15;
/** Products of a call that multiplies lines with a vector, at least; and how many calls there are at most for that. */
const LINES_LEAST = 2 ** 17;
const LINE_CALLS = 8;
/**
 * Lines side by side that a call takes at least: narrower strips of a matrix are read slowly. With more of them there are fewer calls to share (one
 * thread: 0.72 to 0.86 of the time with 2048 for 1000 x 1000 to 1000 x 3000 of f32, two threads 1.3 for 4000 x 2048).
 */
const STRIP = 512;
const STRIP_ALONE = 2048;
/** Bytes of rows that go through a kernel before they are multiplied with a vector: they stay in the first cache. */
const THROUGH_BYTES = 2 ** 14;
/** Such rows, of so many bytes, at a time: whole fours, which is how many lines are summed side by side. */
export const rowsThrough = (bytes: number): number => Math.max(4, Math.floor(THROUGH_BYTES / bytes / 4) * 4);
/** Columns that a call takes of such rows, where sums go down them. */
export const columnsThrough = (columns: number, threads: number): number =>
  Math.ceil(columns / Math.min(LINE_CALLS, threads));
/** The fewest: a row is read piece by piece, and short pieces are read slowly (4000 x 1000 of f32 through relu: 3.9 ms in strips of 512, 2.6 in one). */
const THROUGH_COLUMNS = 2048;
/** Elements of a matrix from which on, and of its rows in which, that is worth a module; and matrices of a batch at most, whose calls have buffers. */
const THROUGH_FROM = 2 ** 15;
const THROUGH_ROW_FROM = 64;
const THROUGH_ROW_MOST = 2 ** 14;
const THROUGH_BATCH = 8;
interface MadeByRows {
  readonly batch: number;
  readonly rows: number;
  /** Elements of a row. */
  readonly length: number;
  /** Whether sums go down the columns. */
  readonly isDown: boolean;
}

/** Whether rows of a matrix go through a kernel by themselves before they are multiplied with a vector, which runs along them or down. */
export function isMadeByRows(sizes: MadeByRows, threads: number): boolean {
  const { batch, rows, length, isDown } = sizes;
  if (batch > THROUGH_BATCH || batch * rows * length < THROUGH_FROM) return false;
  if (isDown && threads > 1 && columnsThrough(length, threads) < THROUGH_COLUMNS) return false;
  return length >= THROUGH_ROW_FROM && length <= THROUGH_ROW_MOST;
}
/** Bytes of scratch space that such a matrix of at most 8 bytes an element takes: a buffer for each call, and operands that are the same along rows or columns. */
export const bytesThrough = (length: number, rows: number, operands: number): number =>
  (LINE_CALLS + 1) * THROUGH_BATCH * (THROUGH_BYTES + 32 * (length + 16)) + 16 * operands * (rows + length + 64);
/** Bytes of packed operands of a batch that are held at the same time. */
const PACKED_AT_ONCE = 2 ** 25;
/** Bytes of finished rows that are handed on at a time, while they lie in the second-level cache. */
const HANDED_ON = 2 ** 20;
/** Bytes of operands and results that are in the memory of kernels at the same time, so that it does not grow for good. */
export const STAGED_AT_ONCE = 2 ** 28;

/** `batch` products of `[m, k]` by `[k, n]`. */
export interface Sizes {
  readonly batch: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** Whether products of a line with a vector are added one after the other, as the reference does with doubles. */
  readonly inOrder?: boolean;
}

/** Units of so many bytes that fill a number of bytes: one at least. */
const unitsIn = (most: number, bytes: number): number => Math.max(1, Math.floor(most / bytes));

/** Results of so many bytes each, out of `count`, that are handed on at a time. */
export const resultsHandedOn = (count: number, bytes: number): number => Math.min(count, unitsIn(HANDED_ON, bytes));

/** What of a product in elements of so many bytes is handed on at a time: several small matrices, or some regions' rows of a large one. */
export function cutHandedOn({ m, n }: Sizes, bytes: number): { readonly matrices: number; readonly rows: number } {
  const rows = Math.min(m, unitsIn(HANDED_ON, n * bytes * REGION_ROWS) * REGION_ROWS);
  return { matrices: rows < m ? 1 : unitsIn(HANDED_ON, m * n * bytes), rows };
}

/** Planes of so many bytes that are set to zero at a time: all where threads share that. */
export const planesTogether = (bytes: number, threads: number): number =>
  threads === 1 ? unitsIn(ZEROED_AT_ONCE, bytes) : Infinity;

/** Matrices of a batch that are packed at the same time, into so many bytes each. */
export const packedTogether = (batch: number, bytes: number): number => Math.min(batch, unitsIn(PACKED_AT_ONCE, bytes));

/** Columns of `k` elements that a call packs, whole panels of them; matrices of so many elements that it packs. */
export const columnsPacked = (k: number, panel: number): number => unitsIn(PACK_AT_ONCE, k * panel) * panel;
export const matricesPacked = (elements: number): number => unitsIn(PACK_AT_ONCE, elements);

/** Whether an operand of so many bytes is read where it lies, although rows or panels would be read faster, for so many rows or columns of the other one. */
export const isReadInPlace = (others: number, bytes: number): boolean =>
  others <= DIRECT_ROWS || bytes <= DIRECT_BYTES || (others <= DIRECT_CACHED_ROWS && bytes <= DIRECT_CACHED_BYTES);

/** Lines of `k` elements that a call multiplies with a vector at most; `tile` of them are multiplied together where they lie in one piece each. */
export const linesAtOnce = (lines: number, k: number, tile: number | null, threads: number): number =>
  roundUp(Math.max(lines / LINE_CALLS, LINES_LEAST / k), tile ?? (threads === 1 ? STRIP_ALONE : STRIP));

/** A rectangle of the results of `count` matrices. */
export interface Rectangle {
  readonly matrix: number;
  readonly count: number;
  readonly row: number;
  readonly rows: number;
  readonly column: number;
  readonly columns: number;
}

/**
 * Rows of a region: fewer than could be where this leaves threads without work, but enough that a region takes longer than
 * handing it to a thread.
 */
function regionRows({ batch, m, k, n }: Sizes, tile: number): number {
  const columns = Math.min(n, REGION_COLUMNS);
  const worthIt = Math.ceil(CALL_LEAST / (columns * k));
  const even = Math.ceil((batch * m * Math.ceil(n / REGION_COLUMNS)) / MATMUL_PARTS);
  return roundUp(Math.min(REGION_ROWS, Math.max(REGION_ROWS_LEAST, worthIt, even)), tile);
}

/** Regions, of whole tiles, that cover some rows of some matrices; whole small matrices are taken several at a time. */
export function cutRegions(sizes: Sizes, tile: number, all: Omit<Rectangle, "column" | "columns">): Rectangle[] {
  const { m, k, n } = sizes;
  const [end, bottom] = [all.matrix + all.count, all.row + all.rows];
  const most = regionRows(sizes, tile);
  const each = all.rows <= most && n <= REGION_COLUMNS ? unitsIn(CALL_LEAST, m * k * n) : 1;
  const regions: Rectangle[] = [];
  for (let { matrix } = all; matrix < end; matrix += each) {
    for (let { row } = all; row < bottom; row += most) {
      for (let column = 0; column < n; column += REGION_COLUMNS) {
        const [rows, columns] = [Math.min(most, bottom - row), Math.min(REGION_COLUMNS, n - column)];
        regions.push({ matrix, count: Math.min(each, end - matrix), row, rows, column, columns });
      }
    }
  }
  return regions;
}

/** A convolution: for each of its groups a product of `rows` filters of `k` places with the positions of the result. */
interface Convolution {
  readonly groups: number;
  readonly rows: number;
  readonly k: number;
  readonly positions: number;
  /** Positions side by side that are read where they are; 0 where positions are packed. */
  readonly line: number;
  /** Columns of a tile. */
  readonly tile: number;
}

/** Whether positions, `line` of them side by side, are read where they are by vectors of `lanes` elements. */
export function isLineDirect(rows: number, line: number, lanes: number): boolean {
  const isWide = line >= lanes && roundUp(line, lanes) <= CONV_LINE_WASTE * line;
  return isWide && rows <= CONV_DIRECT_ROWS;
}

/** Positions of a block. */
function blockOf({ k, positions, line, tile }: Convolution): number {
  if (line > 0) return Math.min(positions, unitsIn(CONV_BLOCK_MOST, line) * line);
  const wanted = Math.max(CONV_BLOCK_LEAST, Math.min(CONV_BLOCK_MOST, Math.floor(CONV_BLOCK / k)));
  return Math.min(roundUp(wanted, tile), roundUp(positions, tile));
}

/** How a convolution is cut: units are blocks of positions of groups of images, parts are some of them in a row. */
interface CutOfConvolution {
  readonly block: number;
  readonly blocks: number;
  readonly units: number;
  readonly share: number;
  readonly parts: number;
}

export function cutConvolution(convolution: Convolution, images: number): CutOfConvolution {
  const { groups, rows, k, positions } = convolution;
  const block = blockOf(convolution);
  const blocks = Math.ceil(positions / block);
  const units = images * groups * blocks;
  const share = Math.max(Math.ceil(CONV_PART_FROM / (rows * k * block)), Math.ceil(units / CONV_PARTS));
  return { block, blocks, units, share, parts: Math.ceil(units / share) };
}
