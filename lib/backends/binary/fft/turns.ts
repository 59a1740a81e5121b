/**
 * Tables that depend on the length of a transform, such as factors along an axis; those used last are kept.
 */
import { keepingLast } from "./kept";
import { partsOf, rootOf, type Parts } from "./roots";

const TABLES_KEPT = 24;

/** A table of so many elements by its name, which says all that it is made of. */
export const keepingTable = keepingLast<string, object>(TABLES_KEPT);

/** The factors `scale * exp(-2 pi i (first + k * step) / n)` for `count` values of k, the first one times `edge`. */
export interface Turns {
  readonly n: number;
  readonly first: number;
  readonly step: number;
  readonly count: number;
  readonly scale: number;
  readonly edge: number;
}

/** Such factors. */
export const turnsOf = ({ n, first, step, count, scale, edge }: Turns): Parts =>
  keepingTable(`turns ${n} ${first} ${step} ${count} ${scale} ${edge}`, count, () => {
    const { re, im } = partsOf(count);
    for (let k = 0; k < count; k++) {
      const [cos, sin] = rootOf(first + k * step, n);
      const factor = k === 0 ? scale * edge : scale;
      re[k] = factor * cos;
      im[k] = factor * sin;
    }
    return { re, im };
  });

/** Options of the blocks of cosine transforms of `length` elements along an axis. */
export interface CosineOptions {
  readonly axis: number;
  readonly length: number;
  /** What results are multiplied by, and what the first element is multiplied by beside that. */
  readonly scale: number;
  readonly edge: number;
}

/** The factors of these blocks: an eighth of the circle, and what is between that and its end. */
export const cosineTurns = ({ length, scale, edge }: CosineOptions): Parts =>
  turnsOf({ n: 4 * length, first: 0, step: 1, count: Math.floor(length / 2) + 1, scale, edge });
