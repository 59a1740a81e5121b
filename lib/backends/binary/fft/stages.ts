/**
 * The steps of a mixed-radix Fourier transform that sorts itself (Stockham; Van Loan, "Computational Frameworks for the Fast
 * Fourier Transform", 1992, section 1.7). A step of radix p takes `stride` interleaved transforms of length p * m to
 * p * stride ones of length m, from one pair of arrays to another. It knows numbers in double precision only.
 */
import { partsOf, rootsOf, type Parts } from "./roots";

/** One step: results are multiplied by powers of `roots[stride]`. */
type Stage = (x: Parts, y: Parts, roots: Parts, m: number, stride: number) => void;

const radix2: Stage = ({ re: xr, im: xi }, { re: yr, im: yi }, { re: wr, im: wi }, m, s) => {
  for (let k = 0; k < m; k++) {
    const cos = wr[k * s]!;
    const sin = wi[k * s]!;
    for (let a = s * k, b = s * (k + m), o = 2 * s * k, end = a + s; a < end; a++, b++, o++) {
      const re = xr[a]! - xr[b]!;
      const im = xi[a]! - xi[b]!;
      yr[o] = xr[a]! + xr[b]!;
      yi[o] = xi[a]! + xi[b]!;
      yr[o + s] = re * cos - im * sin;
      yi[o + s] = re * sin + im * cos;
    }
  }
};

const SIN_60 = Math.sqrt(3) / 2;

const radix3: Stage = ({ re: xr, im: xi }, { re: yr, im: yi }, { re: wr, im: wi }, m, s) => {
  for (let k = 0; k < m; k++) {
    const c1 = wr[k * s]!;
    const s1 = wi[k * s]!;
    const c2 = wr[2 * k * s]!;
    const s2 = wi[2 * k * s]!;
    const step = s * m;
    for (let a = s * k, o = 3 * s * k, end = a + s; a < end; a++, o++) {
      const sumR = xr[a + step]! + xr[a + 2 * step]!;
      const sumI = xi[a + step]! + xi[a + 2 * step]!;
      const turnR = SIN_60 * (xi[a + step]! - xi[a + 2 * step]!);
      const turnI = SIN_60 * (xr[a + 2 * step]! - xr[a + step]!);
      const midR = xr[a]! - 0.5 * sumR;
      const midI = xi[a]! - 0.5 * sumI;
      const bR = midR + turnR;
      const bI = midI + turnI;
      const cR = midR - turnR;
      const cI = midI - turnI;
      yr[o] = xr[a]! + sumR;
      yi[o] = xi[a]! + sumI;
      yr[o + s] = bR * c1 - bI * s1;
      yi[o + s] = bR * s1 + bI * c1;
      yr[o + 2 * s] = cR * c2 - cI * s2;
      yi[o + 2 * s] = cR * s2 + cI * c2;
    }
  }
};

const radix4: Stage = ({ re: xr, im: xi }, { re: yr, im: yi }, { re: wr, im: wi }, m, s) => {
  const step = s * m;
  for (let k = 0; k < m; k++) {
    const c1 = wr[k * s]!;
    const s1 = wi[k * s]!;
    const c2 = wr[2 * k * s]!;
    const s2 = wi[2 * k * s]!;
    const c3 = wr[3 * k * s]!;
    const s3 = wi[3 * k * s]!;
    for (let a = s * k, o = 4 * s * k, end = a + s; a < end; a++, o++) {
      const b = a + step;
      const c = a + 2 * step;
      const d = a + 3 * step;
      const acR = xr[a]! + xr[c]!;
      const acI = xi[a]! + xi[c]!;
      const bdR = xr[b]! + xr[d]!;
      const bdI = xi[b]! + xi[d]!;
      const awayR = xr[a]! - xr[c]!;
      const awayI = xi[a]! - xi[c]!;
      const turnR = xi[b]! - xi[d]!;
      const turnI = xr[d]! - xr[b]!;
      yr[o] = acR + bdR;
      yi[o] = acI + bdI;
      yr[o + s] = (awayR + turnR) * c1 - (awayI + turnI) * s1;
      yi[o + s] = (awayR + turnR) * s1 + (awayI + turnI) * c1;
      yr[o + 2 * s] = (acR - bdR) * c2 - (acI - bdI) * s2;
      yi[o + 2 * s] = (acR - bdR) * s2 + (acI - bdI) * c2;
      yr[o + 3 * s] = (awayR - turnR) * c3 - (awayI - turnI) * s3;
      yi[o + 3 * s] = (awayR - turnR) * s3 + (awayI - turnI) * c3;
    }
  }
};

const [COS_72, SIN_72] = [(Math.sqrt(5) - 1) / 4, Math.sqrt(10 + 2 * Math.sqrt(5)) / 4];
const [COS_144, SIN_144] = [-(Math.sqrt(5) + 1) / 4, Math.sqrt(10 - 2 * Math.sqrt(5)) / 4];

/** Sums and differences of the elements opposite each other, rotated by one and by two fifths of the circle. */
const radix5: Stage = ({ re: xr, im: xi }, { re: yr, im: yi }, { re: wr, im: wi }, m, s) => {
  const step = s * m;
  for (let k = 0; k < m; k++) {
    const c1 = wr[k * s]!;
    const s1 = wi[k * s]!;
    const c2 = wr[2 * k * s]!;
    const s2 = wi[2 * k * s]!;
    const c3 = wr[3 * k * s]!;
    const s3 = wi[3 * k * s]!;
    const c4 = wr[4 * k * s]!;
    const s4 = wi[4 * k * s]!;
    for (let a = s * k, o = 5 * s * k, end = a + s; a < end; a++, o++) {
      const b = a + step;
      const c = a + 2 * step;
      const d = a + 3 * step;
      const e = a + 4 * step;
      const beR = xr[b]! + xr[e]!;
      const beI = xi[b]! + xi[e]!;
      const cdR = xr[c]! + xr[d]!;
      const cdI = xi[c]! + xi[d]!;
      const outerR = xr[a]! + COS_72 * beR + COS_144 * cdR;
      const outerI = xi[a]! + COS_72 * beI + COS_144 * cdI;
      const innerR = xr[a]! + COS_144 * beR + COS_72 * cdR;
      const innerI = xi[a]! + COS_144 * beI + COS_72 * cdI;
      const apartR = xr[b]! - xr[e]!;
      const apartI = xi[b]! - xi[e]!;
      const nearR = xr[c]! - xr[d]!;
      const nearI = xi[c]! - xi[d]!;
      const turnR = SIN_72 * apartI + SIN_144 * nearI;
      const turnI = -SIN_72 * apartR - SIN_144 * nearR;
      const flipR = SIN_144 * apartI - SIN_72 * nearI;
      const flipI = -SIN_144 * apartR + SIN_72 * nearR;
      yr[o] = xr[a]! + beR + cdR;
      yi[o] = xi[a]! + beI + cdI;
      put(yr, yi, o + s, outerR + turnR, outerI + turnI, c1, s1);
      put(yr, yi, o + 2 * s, innerR + flipR, innerI + flipI, c2, s2);
      put(yr, yi, o + 3 * s, innerR - flipR, innerI - flipI, c3, s3);
      put(yr, yi, o + 4 * s, outerR - turnR, outerI - turnI, c4, s4);
    }
  }
};

function put(yr: Float64Array, yi: Float64Array, at: number, re: number, im: number, cos: number, sin: number): void {
  yr[at] = re * cos - im * sin;
  yi[at] = re * sin + im * cos;
}

/** Any radix, by the definition: for primes from 7 on that are small enough for their square not to matter. */
const radixOf =
  (p: number): Stage =>
  ({ re: xr, im: xi }, { re: yr, im: yi }, { re: wr, im: wi }, m, s) => {
    const step = s * m;
    for (let k = 0; k < m; k++) {
      for (let r = 0; r < p; r++) {
        const cos = wr[k * r * s]!;
        const sin = wi[k * r * s]!;
        for (let a = s * k, o = s * (p * k + r), end = a + s; a < end; a++, o++) {
          let [re, im] = [xr[a]!, xi[a]!];
          for (let j = 1, power = r; j < p; j++, power = power + r < p ? power + r : power + r - p) {
            const c = wr[power * step]!;
            const d = wi[power * step]!;
            re += xr[a + j * step]! * c - xi[a + j * step]! * d;
            im += xr[a + j * step]! * d + xi[a + j * step]! * c;
          }
          yr[o] = re * cos - im * sin;
          yi[o] = re * sin + im * cos;
        }
      }
    }
  };

/** Factors of a length in the order of the steps: fours first, then a two, then the primes from 3 on. */
export function factorsOf(length: number): number[] {
  const factors: number[] = [];
  let rest = length;
  for (let p = 4; rest > 1; p = p === 4 ? 2 : p === 2 ? 3 : p + 2) {
    if (p * p > rest && p > 4) p = rest;
    for (; rest % p === 0; rest /= p) factors.push(p);
  }
  return factors;
}

function stageOf(radix: number): Stage {
  if (radix === 2) return radix2;
  if (radix === 3) return radix3;
  if (radix === 4) return radix4;
  return radix === 5 ? radix5 : radixOf(radix);
}

/** A transform of one length in place, with work arrays of its own; `x` may be given with its parts exchanged. */
export type Transform = (x: Parts) => void;

/** What a transform of a length whose prime factors are small needs to know. */
export interface MixedRadix {
  readonly length: number;
  readonly factors: readonly number[];
  readonly roots: Parts;
}

export const mixedRadixOf = (length: number): MixedRadix => ({
  length,
  factors: factorsOf(length),
  roots: rootsOf(length),
});

/** A transform of a length whose prime factors are small. */
export function mixedRadix({ length, factors, roots }: MixedRadix): Transform {
  const stages = factors.map((radix) => ({ radix, run: stageOf(radix) }));
  const work = partsOf(length);
  return (x) => {
    let [from, to] = [x, work];
    let stride = 1;
    for (const { radix, run } of stages) {
      run(from, to, roots, length / stride / radix, stride);
      stride *= radix;
      [from, to] = [to, from];
    }
    if (from === x) return;
    x.re.set(work.re);
    x.im.set(work.im);
  };
}
