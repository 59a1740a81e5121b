/**
 * Fourier transforms of lengths with a large prime factor, as a convolution whose length is a power of two (Bluestein, "A
 * linear filtering approach to the computation of the discrete Fourier transform", IEEE Transactions on Audio and
 * Electroacoustics 18, 1970).
 */
import { partsOf, rootsOf, type Parts } from "./roots";
import { mixedRadix, mixedRadixOf, type MixedRadix, type Transform } from "./stages";

/** `exp(-pi i k^2 / n)`: the square is taken modulo 2n, where it stays exact. */
function chirpOf(n: number): Parts {
  const roots = rootsOf(2 * n);
  const { re, im } = partsOf(n);
  for (let k = 0, square = 0; k < n; k++) {
    re[k] = roots.re[square]!;
    im[k] = roots.im[square]!;
    square = (square + 2 * k + 1) % (2 * n);
  }
  return { re, im };
}

/** The transform of the conjugate chirp, laid around the ends, divided by the length of the convolution. */
function filterOf(chirp: Parts, n: number, size: number, transform: Transform): Parts {
  const filter = partsOf(size);
  for (let k = 0; k < n; k++) {
    const mirror = k === 0 ? 0 : size - k;
    filter.re[k] = filter.re[mirror] = chirp.re[k]! / size;
    filter.im[k] = filter.im[mirror] = -chirp.im[k]! / size;
  }
  transform(filter);
  return filter;
}

/** Products of numbers in two arrays, the first of which takes them. */
function multiplyInto(a: Parts, b: Parts, n: number): void {
  for (let k = 0; k < n; k++) {
    const re = a.re[k]!;
    const im = a.im[k]!;
    a.re[k] = re * b.re[k]! - im * b.im[k]!;
    a.im[k] = re * b.im[k]! + im * b.re[k]!;
  }
}

/** What a transform by a convolution needs to know. */
export interface Convolution {
  readonly length: number;
  /** The transform whose length is a power of two. */
  readonly inner: MixedRadix;
  readonly chirp: Parts;
  readonly filter: Parts;
}

export function convolutionOf(length: number): Convolution {
  const inner = mixedRadixOf(2 ** Math.ceil(Math.log2(2 * length - 1)));
  const chirp = chirpOf(length);
  return { length, inner, chirp, filter: filterOf(chirp, length, inner.length, mixedRadix(inner)) };
}

/** A transform of any length. */
export function bluestein({ length: n, inner, chirp, filter }: Convolution): Transform {
  const size = inner.length;
  const transform = mixedRadix(inner);
  const work = partsOf(size);
  const exchanged: Parts = { re: work.im, im: work.re };
  return (x) => {
    multiplyInto(x, chirp, n);
    work.re.fill(0, n).set(x.re);
    work.im.fill(0, n).set(x.im);
    transform(work);
    multiplyInto(work, filter, size);
    transform(exchanged); // backwards: a transform with real and imaginary parts exchanged
    for (let k = 0; k < n; k++) {
      x.re[k] = work.re[k]! * chirp.re[k]! - work.im[k]! * chirp.im[k]!;
      x.im[k] = work.re[k]! * chirp.im[k]! + work.im[k]! * chirp.re[k]!;
    }
  };
}
