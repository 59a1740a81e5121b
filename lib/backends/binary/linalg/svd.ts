/**
 * Singular values and vectors by one-sided Jacobi rotations (Hestenes 1958; Demmel & Veselic 1992, "Jacobi's method is
 * more accurate than QR") on the triangular factor of a QR decomposition (Drmac & Veselic 2008).
 */
import {
  addScaled,
  dotLines,
  found,
  identityLines,
  largestPart,
  makePositive,
  normalise,
  scaleLine,
  transposeLines,
  turnLines,
  zeroLines,
  type Lines,
} from "./lines";
import { qr } from "./direct";
import { noConvergence, notFinite, pick } from "./eigh";

/** Singular values, descending, and vectors as lines: columns of u and of v. */
interface SVD {
  readonly values: Float64Array;
  readonly u: Lines;
  readonly v: Lines;
}

/** Of a matrix given as rows; u and v have as many columns as asked for, at least the smaller of the sizes. */
export function svd(rows: Lines, uWidth: number, vWidth: number): SVD {
  if (!(largestPart(rows) < Infinity)) throw notFinite();
  if (rows.count < rows.length) {
    const { values, u, v } = tall(transposeLines(rows, true), vWidth, uWidth);
    return finished(values, v, u);
  }
  const { values, u, v } = tall(rows, uWidth, vWidth);
  return finished(values, u, v);
}

/** The signs are those that make the largest component of each column of u positive. */
function finished(values: Float64Array, u: Lines, v: Lines): SVD {
  for (let i = 0; i < u.count; i++) {
    makePositive(u, i);
    if (i < values.length) scaleLine(v, i, found.re, found.im);
  }
  for (let i = values.length; i < v.count; i++) makePositive(v, i);
  return { values, u, v };
}

/** For at least as many rows as columns: a = q r, and r^H = x s y^H gives a = (q y) s x^H. */
function tall(rows: Lines, uWidth: number, vWidth: number): SVD {
  const n = rows.length;
  const own: Lines = { ...rows, re: rows.re.slice(), im: rows.im && rows.im.slice() };
  const scale = normalise(own);
  const { q, r } = qr(own, n);
  const square = zeroLines(n, n, rows.im !== null);
  for (let j = 0; j < n; j++) {
    square.re.set(r.re.subarray(j * r.length, j * r.length + n), j * n);
    if (r.im) square.im!.set(r.im.subarray(j * r.length, j * r.length + n), j * n);
  }
  const x = transposeLines(square, true); // columns of r^H
  const y = identityLines(n, n, rows.im !== null);
  rotateAll(x, y);
  const lengths = Float64Array.from({ length: n }, (_, i) => lengthOf(x, i));
  const order = Array.from(lengths.keys()).sort((i, j) => lengths[j]! - lengths[i]!);
  const u = combine(q, pick(y, order));
  const v = pick(x, order);
  const values = Float64Array.from(order, (i) => lengths[i]!);
  const rank = normaliseLines(v, values);
  return {
    values: values.map((value) => value * scale),
    u: completed(u, n, uWidth),
    v: completed(v, rank, vWidth),
  };
}

function lengthOf(x: Lines, i: number): number {
  dotLines(x, i, x, i, 0, x.length);
  return Math.sqrt(found.re);
}

/** Sweeps that are never reached: convergence is quadratic once the columns are nearly orthogonal. */
const MOST_SWEEPS = 60;

/** Turns pairs of columns of x until all are orthogonal to working precision, and those of y along with them. */
function rotateAll(x: Lines, y: Lines): void {
  const n = x.count;
  const squares = new Float64Array(n);
  // what rounding leaves of a turn: of long columns the root of their length (dgesvj of LAPACK), of short ones a few units
  const negligible = Math.max(4, Math.sqrt(n)) * (Number.EPSILON / 2);
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    for (let i = 0; i < n; i++) squares[i] = lengthOf(x, i) ** 2;
    let turned = 0;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) if (turnPair(x, y, p, q, squares, negligible)) turned++;
    }
    if (turned === 0) return;
  }
  throw noConvergence("singular values", MOST_SWEEPS);
}

/** Columns shorter than this next to a matrix of ones count as zero: their squares must keep all of their digits. */
const SHORTEST = 1e-145;

/** Makes columns p and q orthogonal; false where they are already. */
function turnPair(x: Lines, y: Lines, p: number, q: number, squares: Float64Array, negligible: number): boolean {
  const [alpha, beta] = [squares[p]!, squares[q]!];
  if (Math.min(alpha, beta) < SHORTEST * SHORTEST) return false;
  dotLines(x, p, x, q, 0, x.length);
  const size = x.im ? Math.hypot(found.re, found.im) : Math.abs(found.re);
  if (size <= negligible * Math.sqrt(alpha) * Math.sqrt(beta)) return false;
  const [wr, wi] = [found.re / size, -found.im / size];
  const zeta = (beta - alpha) / (2 * size);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  const tau = (c * t) / (1 + c);
  turnLines(x, p, q, c * t, tau, wr, wi);
  turnLines(y, p, q, c * t, tau, wr, wi);
  squares[p] = Math.max(0, alpha - t * size);
  squares[q] = beta + t * size;
  return true;
}

/** The columns of `q` combined as each line of `y` says. */
function combine(q: Lines, y: Lines): Lines {
  const result = zeroLines(y.count, q.length, q.im !== null);
  for (let j = 0; j < y.count; j++) {
    for (let k = 0; k < q.count; k++) {
      const at = j * y.length + k;
      addScaled(result, j, y.re[at]!, y.im?.[at] ?? 0, q, k, 0, q.length);
    }
  }
  return result;
}

/** Divides columns by their lengths; gives how many are long enough to have a direction, the others being cleared. */
function normaliseLines(v: Lines, values: Float64Array): number {
  let rank = 0;
  for (let i = 0; i < v.count; i++) {
    if (values[i]! >= SHORTEST) {
      scaleLine(v, i, 1 / values[i]!, 0);
      rank++;
    } else values[i] = 0;
  }
  return rank;
}

/** `width` orthonormal lines of which the first `count` are given: the others are unit vectors made orthogonal to them. */
function completed(x: Lines, count: number, width: number): Lines {
  if (count === width && x.count === width) return x;
  const m = x.length;
  const result = zeroLines(width, m, x.im !== null);
  result.re.set(x.re.subarray(0, count * m));
  if (x.im) result.im!.set(x.im.subarray(0, count * m));
  const covered = new Float64Array(m);
  for (let i = 0; i < count; i++) cover(covered, result, i);
  for (let i = count; i < width; i++) {
    const unit = covered.reduce((best, value, k) => (value < covered[best]! ? k : best), 0);
    result.re[i * m + unit] = 1;
    for (let pass = 0; pass < 2; pass++) makeOrthogonal(result, i);
    scaleLine(result, i, 1 / lengthOf(result, i), 0);
    cover(covered, result, i);
  }
  return result;
}

/** Adds to each position how much of its unit vector a line takes up. */
function cover(covered: Float64Array, x: Lines, i: number): void {
  for (let k = 0; k < x.length; k++) covered[k]! += x.re[i * x.length + k]! ** 2 + (x.im?.[i * x.length + k] ?? 0) ** 2;
}

function makeOrthogonal(x: Lines, i: number): void {
  for (let j = 0; j < i; j++) {
    dotLines(x, j, x, i, 0, x.length);
    addScaled(x, i, -found.re, -found.im, x, j, 0, x.length);
  }
}
