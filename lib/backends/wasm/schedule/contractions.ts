/** How contractions and convolutions are cut. */
import { roundUp } from "../../../core/round-up";
import {
  CALL_LEAST,
  CONV_BLOCK,
  CONV_BLOCK_LEAST,
  CONV_BLOCK_MOST,
  CONV_DIRECT_ROWS,
  CONV_LINE_WASTE,
  CONV_PARTS,
  CONV_PART_FROM,
  DIRECT_BYTES,
  DIRECT_CACHED_BYTES,
  DIRECT_CACHED_ROWS,
  DIRECT_ROWS,
  HANDED_ON,
  LINES_LEAST,
  LINE_CALLS,
  MATMUL_PARTS,
  PACKED_AT_ONCE,
  PACK_AT_ONCE,
  REGION_COLUMNS,
  REGION_ROWS,
  REGION_ROWS_LEAST,
  STRIP,
} from "../schedule";

/** `batch` products of `[m, k]` by `[k, n]`. */
export interface Sizes {
  readonly batch: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
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

/** Matrices of a batch that are packed at the same time, into so many bytes each. */
export const packedTogether = (batch: number, bytes: number): number => Math.min(batch, unitsIn(PACKED_AT_ONCE, bytes));

/** Rows of `k` elements that a call brings together, whole tiles of them. */
export const rowsPacked = (k: number, tile: number): number => Math.max(tile, Math.floor(PACK_AT_ONCE / k));

/** Columns of `k` elements that a call packs, whole panels of them; matrices of so many elements that it packs. */
export const columnsPacked = (k: number, panel: number): number => unitsIn(PACK_AT_ONCE, k * panel) * panel;
export const matricesPacked = (elements: number): number => unitsIn(PACK_AT_ONCE, elements);

/** Whether an operand of so many bytes is read where it lies, although rows or panels would be read faster, for so many rows or columns of the other one. */
export const isReadInPlace = (others: number, bytes: number): boolean =>
  others <= DIRECT_ROWS || bytes <= DIRECT_BYTES || (others <= DIRECT_CACHED_ROWS && bytes <= DIRECT_CACHED_BYTES);

/** Lines of `k` elements that a call multiplies with a vector at most; `tile` of them are multiplied together where they lie in one piece each. */
export const linesAtOnce = (lines: number, k: number, tile: number | null): number =>
  roundUp(Math.max(lines / LINE_CALLS, LINES_LEAST / k), tile ?? STRIP);

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
  const share = Math.max(Math.ceil(CONV_PART_FROM / (rows * k * block)), planesAtOnce(units));
  return { block, blocks, units, share, parts: Math.ceil(units / share) };
}

/** Planes, or units of other work of a convolution, of a part. */
export const planesAtOnce = (planes: number): number => Math.ceil(planes / CONV_PARTS);
