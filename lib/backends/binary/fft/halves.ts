/**
 * Transforms of real numbers of an even count n by complex ones of half the length m: numbers at even places are real parts, those at odd
 * places imaginary ones (Press et al., Numerical Recipes, 3rd ed., section 12.3.2). Results are twice as large as those of the
 * transform, and scales take that back. It knows numbers in double precision only.
 */
import type { Parts } from "./roots";

/** The transform of m complex numbers becomes the first m + 1 elements of that of 2 m real ones, times two, in place. */
export function untangle({ re, im }: Parts, roots: Parts, m: number): void {
  const [even, odd] = [2 * re[0]!, 2 * im[0]!];
  re[0] = even + odd;
  re[m] = even - odd;
  im[0] = im[m] = 0;
  for (let k = 1, l = m - 1; k < l; k++, l--) {
    const [evenRe, evenIm] = [re[k]! + re[l]!, im[k]! - im[l]!];
    const [oddRe, oddIm] = [im[k]! + im[l]!, re[l]! - re[k]!];
    const [cos, sin] = [roots.re[k]!, roots.im[k]!];
    const [turnedRe, turnedIm] = [oddRe * cos - oddIm * sin, oddRe * sin + oddIm * cos];
    re[k] = evenRe + turnedRe;
    im[k] = evenIm + turnedIm;
    re[l] = evenRe - turnedRe;
    im[l] = turnedIm - evenIm;
  }
  turnMiddle(re, im, m);
}

/** The inverse of {@link untangle}, times two. */
export function tangle({ re, im }: Parts, roots: Parts, m: number): void {
  const [first, last] = [re[0]!, re[m]!];
  re[0] = first + last;
  im[0] = first - last;
  for (let k = 1, l = m - 1; k < l; k++, l--) {
    const [evenRe, evenIm] = [re[k]! + re[l]!, im[k]! - im[l]!];
    const [turnedRe, turnedIm] = [re[k]! - re[l]!, im[k]! + im[l]!];
    const [cos, sin] = [roots.re[k]!, roots.im[k]!];
    const [oddRe, oddIm] = [turnedRe * cos + turnedIm * sin, turnedIm * cos - turnedRe * sin];
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
