/**
 * Singular values and vectors by one-sided Jacobi rotations (Hestenes 1958; Demmel & Veselic 1992, "Jacobi's method is more accurate
 * than QR"). Small singular values of matrices whose columns differ in size keep all of their digits, which a bidiagonal matrix loses;
 * the time grows faster with the size.
 */
import { noConvergence } from "./eigh";
import { chosen, found, hypot, identityLines, inOrder, pick, scaleLine, transposeLines, type Lines } from "./lines";
import type { SVD } from "./svd";

/** Sweeps that are never reached: convergence is quadratic once the columns are nearly orthogonal. */
const MOST_SWEEPS = 60;
/** Columns shorter than this next to a matrix of ones have no direction: their squares must keep all of their digits. */
const SHORTEST = 1e-145;

/**
 * Of a triangle given as columns, a = u s v^H, by the columns of a^H (Drmac & Veselic 2008); null where a singular value is zero, of
 * which rotations find no vector.
 */
export function jacobi(a: Lines): SVD | null {
  const n = a.count;
  const x = transposeLines(a, true);
  const y = identityLines(a.on, n, n, a.im !== null);
  rotateAll(x, y);
  const lengths = new Float64Array(n);
  for (let i = 0; i < n; i++) lengths[i] = lengthOf(x, i);
  if (lengths.some((length) => length < SHORTEST)) return null;
  const order = inOrder(n, (i, j) => lengths[j]! - lengths[i]!);
  order.forEach((i) => scaleLine(x, i, 1 / lengths[i]!, 0));
  return { values: chosen(lengths, order), u: pick(y, order), v: pick(x, order) };
}

/** The sum of conj(x) y over two lines, left in `found`. */
function dot({ re, im, length }: Lines, i: number, j: number): void {
  found.re = dotReal(re, i * length, re, j * length, length);
  found.im = 0;
  if (!im) return;
  found.re += dotReal(im, i * length, im, j * length, length);
  found.im = dotReal(re, i * length, im, j * length, length) - dotReal(im, i * length, re, j * length, length);
}

function dotReal(x: Float64Array, a: number, y: Float64Array, b: number, length: number): number {
  let s0 = 0;
  let s1 = 0;
  let k = 0;
  for (; k + 1 < length; k += 2) {
    s0 += x[a + k]! * y[b + k]!;
    s1 += x[a + k + 1]! * y[b + k + 1]!;
  }
  if (k < length) s0 += x[a + k]! * y[b + k]!;
  return s0 + s1;
}

function lengthOf(x: Lines, i: number): number {
  dot(x, i, i);
  return Math.sqrt(found.re);
}

/** Rotates pairs of columns of x until all are orthogonal to working precision, and those of y along with them. */
function rotateAll(x: Lines, y: Lines): void {
  const n = x.count;
  const squares = new Float64Array(n);
  // What rounding leaves of a rotation: of long columns the root of their length (dgesvj of LAPACK), of short ones a few units.
  const negligible = Math.max(4, Math.sqrt(n)) * (Number.EPSILON / 2);
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    for (let i = 0; i < n; i++) squares[i] = lengthOf(x, i) ** 2;
    let isRotated = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) if (rotatePair(x, y, p, q, squares, negligible)) isRotated = true;
    }
    if (!isRotated) return;
  }
  throw noConvergence("singular values", MOST_SWEEPS);
}

/** Makes columns p and q orthogonal; false where they are already. */
function rotatePair(x: Lines, y: Lines, p: number, q: number, squares: Float64Array, negligible: number): boolean {
  const [alpha, beta] = [squares[p]!, squares[q]!];
  if (Math.min(alpha, beta) < SHORTEST * SHORTEST) return false;
  dot(x, p, q);
  const size = x.im ? hypot(found.re, found.im) : Math.abs(found.re);
  if (size <= negligible * Math.sqrt(alpha) * Math.sqrt(beta)) return false;
  const [wr, wi] = [found.re / size, -found.im / size];
  const zeta = (beta - alpha) / (2 * size);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + hypot(1, zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  const tau = (c * t) / (1 + c);
  rotate(x, p, q, c * t, tau, wr, wi);
  rotate(y, p, q, c * t, tau, wr, wi);
  squares[p] = Math.max(0, alpha - t * size);
  squares[q] = beta + t * size;
  return true;
}

/**
 * Rotates two lines in their plane by what is added, so that rounding is in proportion to the angle (Rutishauser 1966) and many small
 * rotations do not change lengths: with `tau = s / (1 + c)` p becomes `p - s (w q + tau p)` and q becomes `q + s (conj(w) p - tau q)`,
 * where w = wr + i wi has modulus 1 (and is real for real lines).
 */
function rotate(x: Lines, p: number, q: number, s: number, tau: number, wr: number, wi: number): void {
  const { re, im, length } = x;
  const [a, b] = [p * length, q * length];
  if (!im) return turnReal(re, a, b, s * wr, s * tau, length);
  for (let k = 0; k < length; k++) {
    const pr = re[a + k]!;
    const pi = im[a + k]!;
    const qr = re[b + k]!;
    const qi = im[b + k]!;
    re[a + k] = pr - s * (wr * qr - wi * qi + tau * pr);
    im[a + k] = pi - s * (wr * qi + wi * qr + tau * pi);
    re[b + k] = qr + s * (wr * pr + wi * pi - tau * qr);
    im[b + k] = qi + s * (wr * pi - wi * pr - tau * qi);
  }
}

function turnReal(x: Float64Array, a: number, b: number, s: number, lost: number, length: number): void {
  for (let k = 0; k < length; k++) {
    const p = x[a + k]!;
    const q = x[b + k]!;
    x[a + k] = p - (s * q + lost * p);
    x[b + k] = q + (s * p - lost * q);
  }
}
