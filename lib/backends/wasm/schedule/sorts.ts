/** How sorts are cut. */
import { NETWORK_ALWAYS_TO, NETWORK_TO, SORTED_AT_ONCE, WIDE_DIGITS_FROM } from "../schedule";

/** Lines of `n` elements along the middle axis of `[before, n, after]` elements. */
type Lines = readonly [before: number, n: number, after: number];

/** Whether lines go through a network, which takes so many at a time. */
export const isForNetwork = ([before, n, after]: Lines, together: number): boolean =>
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
export const sortedAtOnce = ([, n, after]: Lines, isShort: boolean): number =>
  isShort ? Math.min(SORTED_AT_ONCE, n * after) + SORTED_AT_ONCE : Math.max(SORTED_AT_ONCE, n);

/** Blocks of lines, the largest of `most` elements. Lines that are not short lie side by side, or are the only ones. */
export function cutSort(
  [before, n, after]: Lines,
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
