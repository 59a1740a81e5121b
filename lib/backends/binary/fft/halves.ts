/**
 * Transforms of real numbers of an even count n by complex ones of half the length m: numbers at even places are real parts, those at odd
 * places imaginary ones (Press et al., Numerical Recipes, 3rd ed., section 12.3.2). Results are twice as large as those of the
 * transform, and scales take that back. It knows numbers in double precision only.
 */
import type { Parts } from "./roots";

/** The transform of m complex numbers becomes the first m + 1 elements of that of 2 m real ones, times two, in place. */
export function untangle({ re, im }: Parts, roots: Parts, m: number): void {
  const even = 2 * re[0]!;
  const odd = 2 * im[0]!;
  re[0] = even + odd;
  re[m] = even - odd;
  im[0] = im[m] = 0;
  for (let k = 1, l = m - 1; k < l; k++, l--) {
    const evenRe = re[k]! + re[l]!;
    const evenIm = im[k]! - im[l]!;
    const oddRe = im[k]! + im[l]!;
    const oddIm = re[l]! - re[k]!;
    const cos = roots.re[k]!;
    const sin = roots.im[k]!;
    const turnedRe = oddRe * cos - oddIm * sin;
    const turnedIm = oddRe * sin + oddIm * cos;
    re[k] = evenRe + turnedRe;
    im[k] = evenIm + turnedIm;
    re[l] = evenRe - turnedRe;
    im[l] = turnedIm - evenIm;
  }
  turnMiddle(re, im, m);
}

/** The inverse of {@link untangle}, times two. */
export function tangle({ re, im }: Parts, roots: Parts, m: number): void {
  const first = re[0]!;
  const last = re[m]!;
  re[0] = first + last;
  im[0] = first - last;
  for (let k = 1, l = m - 1; k < l; k++, l--) {
    const evenRe = re[k]! + re[l]!;
    const evenIm = im[k]! - im[l]!;
    const turnedRe = re[k]! - re[l]!;
    const turnedIm = im[k]! + im[l]!;
    const cos = roots.re[k]!;
    const sin = roots.im[k]!;
    const oddRe = turnedRe * cos + turnedIm * sin;
    const oddIm = turnedIm * cos - turnedRe * sin;
    re[k] = evenRe - oddIm;
    im[k] = evenIm + oddRe;
    re[l] = evenRe + oddIm;
    im[l] = oddRe - evenIm;
  }
  turnMiddle(re, im, m);
}

/** Twice the conjugate of the element in the middle, which is its own partner. */
function turnMiddle(re: Float64Array, im: Float64Array, m: number): void {
  if (m % 2 !== 0) return;
  re[m / 2] = 2 * re[m / 2]!;
  im[m / 2] = -2 * im[m / 2]!;
}
