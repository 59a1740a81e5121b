/**
 * The Schur decomposition of general matrices: a = q t q^H, with q unitary and t triangular. Complex matrices are brought there by
 * single shifts (Golub & Van Loan 7.5; comqr2 of EISPACK), real ones by double shifts (francis.ts), whose pairs of conjugate
 * eigenvalues are separated at the end, so that they are conjugate to the last bit and others are real.
 */
import { divide } from "./direct";
import { noConvergence, notFinite } from "./eigh";
import { francis, type RealSchur } from "./francis";
import { hessenberg } from "./hessenberg";
import { areFinite, enlarging, found, hypot, largestPart, SMALLEST, zeroLines, type Lines } from "./lines";

/** More steps than any matrix is known to take for one eigenvalue. */
const MOST_STEPS = 60;
const OTHER_SHIFT_EACH = 10;

/** Complex lines. */
export interface ComplexLines extends Lines {
  readonly im: Float64Array;
}

export const complexLines = ({ on }: Lines, count: number, length: number): ComplexLines =>
  zeroLines(on, count, length, true) as ComplexLines;

export interface Schur {
  /** Upper triangular, as rows. */
  readonly t: ComplexLines;
  /** The columns of a unitary matrix as lines. */
  readonly q: ComplexLines;
}

/** Of a matrix given as rows. */
export function schur(rows: Lines): Schur {
  if (!areFinite(rows)) throw notFinite();
  const similar = hessenberg(rows);
  if (rows.im === null) return separated(rows, francis(similar));
  const on = { t: similar.h as ComplexLines, q: similar.q as ComplexLines };
  singleShifts(on);
  return on;
}

// ---------------------------------------------------------------------------------------------- real matrices

/** Blocks of two rows made triangular by unitary rotations. */
function separated(like: Lines, { n, h, q }: RealSchur): Schur {
  const on = { t: complexLines(like, n, n), q: complexLines(like, n, n) };
  on.t.re.set(h);
  on.q.re.set(q);
  for (let k = 0; k < n - 1; k++) {
    if (h[(k + 1) * n + k] !== 0) separate(on, k);
  }
  return on;
}

/** The pair of rows k and k + 1: (l - d, c) is a vector of the eigenvalue l of ((a, b), (c, d)). */
function separate(on: Schur, k: number): void {
  const { t } = on;
  const n = t.count;
  const at = k * n + k;
  const [a, b, c, d] = [t.re[at]!, t.re[at + 1]!, t.re[at + n]!, t.re[at + n + 1]!];
  const half = (a - d) / 2;
  const [mean, root] = [d + half, Math.sqrt(-(half * half + b * c))];
  const length = hypot(hypot(half, root), c);
  rotate(on, k, n, k + 2, { c: half / length, ci: root / length, s: c / length, si: 0 });
  for (const [i, sign] of [
    [at, 1],
    [at + n + 1, -1],
  ] as const) {
    t.re[i] = mean;
    t.im[i] = sign * root;
  }
  t.re[at + n] = 0;
  t.im[at + n] = 0;
}

/** A unitary matrix of two rows, whose first column is (c, s) and whose second (-conj s, conj c). */
interface Rotation {
  readonly c: number;
  readonly ci: number;
  readonly s: number;
  readonly si: number;
}

/** t becomes g^H t g and q becomes q g, for a rotation g of rows k and k + 1; rows from column k on, columns above row `end`. */
function rotate({ t, q }: Schur, k: number, first: number, end: number, g: Rotation): void {
  const n = t.count;
  const from = Math.min(k, first);
  const back = { c: g.c, ci: -g.ci, s: g.s, si: -g.si };
  mix(t, k * n + from, (k + 1) * n + from, 1, n - from, back);
  mix(t, k, k + 1, n, end, g);
  mix(q, k * n, (k + 1) * n, 1, n, g);
}

/** Of pairs (x, y): x becomes c x + s y, and y becomes conj(c) y - conj(s) x. */
function mix({ re, im }: ComplexLines, a: number, b: number, step: number, count: number, g: Rotation): void {
  const { c, ci, s, si } = g;
  for (let i = 0; i < count; i++, a += step, b += step) {
    const xr = re[a]!;
    const xi = im[a]!;
    const yr = re[b]!;
    const yi = im[b]!;
    re[a] = c * xr - ci * xi + (s * yr - si * yi);
    im[a] = c * xi + ci * xr + (s * yi + si * yr);
    re[b] = c * yr + ci * yi - (s * xr + si * xi);
    im[b] = c * yi - ci * yr - (s * xi - si * xr);
  }
}

// ---------------------------------------------------------------------------------------------- complex matrices

const modulusOf = ({ re, im }: ComplexLines, at: number): number => Math.abs(re[at]!) + Math.abs(im[at]!);

function singleShifts(on: Schur): void {
  const { t } = on;
  const n = t.count;
  const size = largestPart(t);
  for (let [end, steps] = [n - 1, 0]; end > 0;) {
    const begin = beginOfBlock(t, end, size);
    if (begin === end) {
      end--;
      steps = 0;
      continue;
    }
    if (steps === MOST_STEPS) throw noConvergence("eigenvalues", MOST_STEPS);
    steps++;
    shiftAt(t, end, steps % OTHER_SHIFT_EACH === 0);
    singleStep(on, begin, end, found.re, found.im);
  }
}

function beginOfBlock(t: ComplexLines, end: number, size: number): number {
  const n = t.count;
  let l = end;
  for (; l > 0; l--) {
    const around = modulusOf(t, (l - 1) * n + l - 1) + modulusOf(t, l * n + l) || size;
    if (modulusOf(t, l * n + l - 1) > Math.max(Number.EPSILON * around, SMALLEST)) continue;
    t.re[l * n + l - 1] = 0;
    t.im[l * n + l - 1] = 0;
    break;
  }
  return l;
}

/** The eigenvalue of the last two rows of a block that is next to the last element (Wilkinson), left in `found`. */
function shiftAt(t: ComplexLines, end: number, isOther: boolean): void {
  const { re, im, count: n } = t;
  const last = end * n + end;
  const [dr, di] = [re[last]!, im[last]!];
  if (isOther) {
    found.re = dr + 0.75 * modulusOf(t, last - 1);
    found.im = di;
    return;
  }
  const [hr, hi] = [(re[last - n - 1]! - dr) / 2, (im[last - n - 1]! - di) / 2];
  const [br, bi, cr, ci] = [re[last - n]!, im[last - n]!, re[last - 1]!, im[last - 1]!];
  const [wr, wi] = [br * cr - bi * ci, br * ci + bi * cr];
  squareRoot(hr * hr - hi * hi + wr, 2 * hr * hi + wi);
  let { re: rr, im: ri } = found;
  if (hr * rr + hi * ri < 0) [rr, ri] = [-rr, -ri];
  if (wr === 0 && wi === 0) [found.re, found.im] = [0, 0];
  else divide(wr, wi, hr + rr, hi + ri);
  found.re = dr - found.re;
  found.im = di - found.im;
}

/** One implicit step on the rows from `begin` to `end`. */
function singleStep(on: Schur, begin: number, end: number, sr: number, si: number): void {
  const { t } = on;
  const { re, im, count: n } = t;
  for (let k = begin; k < end; k++) {
    const isFirst = k === begin;
    const at = k * n + (isFirst ? k : k - 1);
    const g = rotationTo(re[at]! - (isFirst ? sr : 0), im[at]! - (isFirst ? si : 0), re[at + n]!, im[at + n]!);
    rotate(on, k, isFirst ? k : k - 1, Math.min(end, k + 2) + 1, g);
    if (isFirst) continue;
    re[at + n] = 0;
    im[at + n] = 0;
  }
}

/** The rotation whose adjoint maps (x, y) to a multiple of the first unit vector: (c, s) is along it. */
function rotationTo(xr: number, xi: number, yr: number, yi: number): Rotation {
  const whole = hypot(hypot(xr, xi), hypot(yr, yi));
  if (whole === 0) return { c: 1, ci: 0, s: 0, si: 0 };
  const f = enlarging(whole);
  const length = f === 1 ? whole : hypot(hypot(f * xr, f * xi), hypot(f * yr, f * yi));
  return { c: (f * xr) / length, ci: (f * xi) / length, s: (f * yr) / length, si: (f * yi) / length };
}

// ---------------------------------------------------------------------------------------------- complex numbers

/** The principal square root, left in `found`. */
export function squareRoot(re: number, im: number): void {
  const size = hypot(re, im);
  if (size === 0) {
    found.re = 0;
    found.im = 0;
    return;
  }
  const most = Math.sqrt((size + Math.abs(re)) / 2);
  const least = im / (2 * most);
  found.re = re >= 0 ? most : Math.abs(least);
  found.im = re >= 0 ? least : im < 0 ? -most : most;
}
