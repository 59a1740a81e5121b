/**
 * Eigenvalues and vectors of general matrices: those of the triangle of a Schur decomposition, found by substitution from below (Golub &
 * Van Loan 7.6.4), then transformed back and normalised.
 */
import { divide } from "./direct";
import { notFinite } from "./eigh";
import { balance } from "./hessenberg";
import {
  chosen,
  copyLines,
  found,
  hypot,
  inOrder,
  areFinite,
  largestPart,
  makePositive,
  normalise,
  pick,
  subtractProducts,
  type Lines,
} from "./lines";
import { scale } from "./reflections";
import { complexLines, schur, type ComplexLines, type Schur } from "./schur";

interface Eigen {
  readonly values: { readonly re: Float64Array; readonly im: Float64Array };
  /** Vectors as lines. */
  readonly vectors: Lines;
}

/** Of a matrix given as rows; values by descending modulus, where these are equal by descending real, then imaginary part. */
export function eig(rows: Lines): Eigen {
  if (!areFinite(rows)) throw notFinite();
  const a = copyLines(rows);
  const size = normalise(a);
  const scales = balance(a);
  const similar = schur(a);
  const { t } = similar;
  const n = t.count;
  const [re, im, moduli] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k < n; k++) {
    re[k] = t.re[k * n + k]!;
    im[k] = t.im[k * n + k]!;
    moduli[k] = hypot(re[k]!, im[k]!);
  }
  const vectors = transformedBack(similar, trianglesVectors(t));
  const isReal = rows.im === null;
  for (let k = 0; k < n; k++) {
    if (isReal && im[k]! < 0) conjugateOfLast(vectors, k);
    else finish(vectors, k, scales, isReal && im[k] === 0);
  }
  const order = inOrder(n, (i, j) => moduli[j]! - moduli[i]! || re[j]! - re[i]! || im[j]! - im[i]!);
  return { values: { re: chosen(re, order, size), im: chosen(im, order, size) }, vectors: pick(vectors, order) };
}

/** Vectors of the eigenvalues of a triangle given as rows, as lines; each has 1 at its own position or is a multiple of that. */
function trianglesVectors(t: ComplexLines): ComplexLines {
  const n = t.count;
  const x = complexLines(t, n, n);
  // Eigenvalues that are as near as rounding are taken to be that far apart, which leaves a vector of one of them.
  const least = (Number.EPSILON * largestPart(t)) / 2 || Number.MIN_VALUE;
  for (let k = 0; k < n; k++) {
    const own = k * n;
    for (let i = 0; i < k; i++) {
      x.re[own + i] = -t.re[i * n + k]!;
      x.im[own + i] = -t.im[i * n + k]!;
    }
    x.re[own + k] = 1;
    for (let i = k - 1; i >= 0; i--) substitute(t, x, k, i, least);
  }
  return x;
}

/** Numbers beyond it are scaled down before they are multiplied on. */
const LARGE = 2 ** 400;

/** Finds element i of vector k and takes what it is the cause of from those above. */
function substitute(t: ComplexLines, x: ComplexLines, k: number, i: number, least: number): void {
  const n = t.count;
  const at = k * n + i;
  let gap = t.re[i * n + i]! - t.re[k * n + k]!;
  const gapIm = t.im[i * n + i]! - t.im[k * n + k]!;
  if (Math.abs(gap) + Math.abs(gapIm) < least) gap = least;
  divide(x.re[at]!, x.im[at]!, gap, gapIm);
  const size = Math.max(Math.abs(found.re), Math.abs(found.im));
  x.re[at] = found.re;
  x.im[at] = found.im;
  if (size > LARGE) {
    for (let j = k * n; j <= k * n + k; j++) {
      x.re[j]! /= size;
      x.im[j]! /= size;
    }
  }
  const [fr, fi] = [x.re[at]!, x.im[at]!];
  for (let j = 0; j < i; j++) {
    const tr = t.re[j * n + i]!;
    const ti = t.im[j * n + i]!;
    x.re[k * n + j]! -= tr * fr - ti * fi;
    x.im[k * n + j]! -= tr * fi + ti * fr;
  }
}

/** The columns of q combined as the lines of x say. */
function transformedBack({ q }: Schur, x: ComplexLines): ComplexLines {
  const n = q.count;
  const result = complexLines(q, n, n);
  scale(x, n * n, -1);
  const own = { at: 0, row: n };
  subtractProducts([result, own], [x, { ...own, step: 1 }], [q, own], [n, n, n]);
  return result;
}

/** Of a pair of conjugate values of a real matrix the second vector is the conjugate of the first. */
function conjugateOfLast({ re, im, count: n }: ComplexLines, k: number): void {
  re.copyWithin(k * n, (k - 1) * n, k * n);
  for (let i = k * n; i < k * n + n; i++) im[i] = 0 - im[i - n]!;
}

/**
 * Takes the balancing back and brings a vector to length 1, with its largest component positive. A vector of a real value of a real
 * matrix is real up to rounding and a phase.
 */
function finish(vectors: ComplexLines, k: number, scales: Float64Array, isReal: boolean): void {
  const n = scales.length;
  const [re, other] = [vectors.re.subarray(k * n, (k + 1) * n), vectors.im.subarray(k * n, (k + 1) * n)];
  for (let i = 0; i < n; i++) {
    re[i]! *= scales[i]!;
    other[i]! *= scales[i]!;
  }
  if (isReal) {
    makePositive(vectors, k);
    other.fill(0);
  }
  toUnitLength(re, other);
  makePositive(vectors, k);
}

function toUnitLength(re: Float64Array, im: Float64Array): void {
  let most = 0;
  for (let i = 0; i < re.length; i++) most = Math.max(most, Math.abs(re[i]!), Math.abs(im[i]!));
  let sum = 0;
  for (let i = 0; i < re.length; i++) {
    re[i]! /= most;
    im[i]! /= most;
    sum += re[i]! * re[i]! + im[i]! * im[i]!;
  }
  const length = Math.sqrt(sum);
  for (let i = 0; i < re.length; i++) {
    re[i]! /= length;
    im[i]! /= length;
  }
}
