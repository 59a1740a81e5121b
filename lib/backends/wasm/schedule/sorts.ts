/** From where on sorts, transforms and decompositions are vector code, and how sorts are cut. */
/**
 * Elements from which on the module of a sort is made for one of them; and from which on sorting by vector code is faster than the loops of the
 * reference once there is one (f32: 64 take 0.7 of the time, 200 0.6).
 */
export const SORT_FROM = 256;
export const SORT_AGAIN_FROM = 64;
/** Lines of up to this length go through a network, where they fill at least half of its lanes (measured). */
const NETWORK_TO = 512;
/** Lines of up to this length always do. */
const NETWORK_ALWAYS_TO = 64;
/** From this length on, digits of 11 bits are worth their larger counts (measured). */
const WIDE_DIGITS_FROM = 2048;
/** Elements that are sorted at a time, unless a line is longer. */
const SORTED_AT_ONCE = 16_384;
/** What work may take of memory, which is not given back to the system; larger work is the binary backend's. */
export const WORK_BYTES_MOST = 2 ** 29;
/** Elements from which on the module of transforms is made for one of them, and from which on it is used once it is there (128 f32: 0.83 of the time, 256 0.55). */
export const FFT_FROM = 512;
export const FFT_AGAIN_FROM = 128;
/** Pairs of numbers that are worked on at a time where lines are short: they stay in the first cache. */
const FFT_PAIRS = 512;
/**
 * Bytes of each row at least, where lines lie side by side: less would be fetched again for the next lines (1000 x 1000 of c128 along its columns
 * took 15 ms with 64 bytes, 12 with 256; of c64 9 with 256, 13 with 512).
 */
const FFT_ROW_BYTES = 256;

/** Pairs of some lines of length `n` that are worked on at a time; each takes so many bytes of a row where lines lie side by side. */
export const pairsTogether = (n: number, lines: number, bytes = FFT_ROW_BYTES): number =>
  Math.max(1, Math.min(Math.max(Math.floor(FFT_PAIRS / n), FFT_ROW_BYTES / bytes), lines >> 1));

/** Elements of a matrix from which on its decompositions by vector code are faster than by the loops of the reference (qr of f32). */
export const LINALG_FROM = 256;
/**
 * Rows up to which an LU or Cholesky decomposition finishes row by row, and is not worth products of blocks (LU of 32 rows took 3.3 us and 5.4, of 64
 * 20.6 and 20.6, of 100 76 and 62; Cholesky 2.3 and 2.8, of 48 9.8 and 6.3): no more than a block of the binary backend has, whose numbers differ behind
 * a pivot of 0.
 */
export const AT_ONCE_TO = 32;
/**
 * The same for substitution, by the square of rows times columns (24 x 24 unknowns took 1.5 us and 1.6, 32 x 32 3.4 and 2.7; one column of 64 1.0 and
 * 1.4, of 200 9.6 and 8.9).
 */
export const AT_ONCE_PRODUCTS = 2 ** 14;

/** Lines of `n` elements along the middle axis of `[before, n, after]` elements. */
type Split = readonly [before: number, n: number, after: number];

/** Whether lines go through a network, which takes so many at a time. */
export const isForNetwork = ([before, n, after]: Split, together: number): boolean =>
  n <= NETWORK_ALWAYS_TO || (n <= NETWORK_TO && before * after >= together / 2);

/** Bits of a digit of the keys of lines. */
export const digitBits = (n: number): number => (n >= WIDE_DIGITS_FROM ? 11 : 8);

/** Lines that are sorted together: `[groups, n, width]` elements from element `first` on, `after` of them from row to row. */
export interface Block {
  readonly first: number;
  readonly groups: number;
  readonly width: number;
}

/** Elements of a block at most. */
export const sortedAtOnce = ([, n, after]: Split, isShort: boolean): number =>
  isShort ? Math.min(SORTED_AT_ONCE, n * after) + SORTED_AT_ONCE : Math.max(SORTED_AT_ONCE, n);

/** Blocks of lines, the largest of `most` elements. Lines that are not short lie side by side, or are the only ones. */
export function cutSort(
  [before, n, after]: Split,
  isShort: boolean,
): { readonly blocks: readonly Block[]; readonly most: number } {
  const size = n * after;
  const blocks: Block[] = [];
  if (size <= SORTED_AT_ONCE || !isShort) {
    const together = Math.max(1, Math.min(before, Math.floor(SORTED_AT_ONCE / size)));
    for (let group = 0; group < before; group += together) {
      blocks.push({ first: group * size, groups: Math.min(together, before - group), width: after });
    }
    return { blocks, most: together * size };
  }
  const width = Math.min(after, Math.floor(SORTED_AT_ONCE / n));
  for (let group = 0; group < before; group++) {
    for (let column = 0; column < after; column += width) {
      blocks.push({ first: group * size + column, groups: 1, width: Math.min(width, after - column) });
    }
  }
  return { blocks, most: n * width };
}
