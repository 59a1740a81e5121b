/**
 * Eigenvalues and vectors of hermitian matrices: reflections to a real tridiagonal matrix (Golub & Van Loan 8.3.1; tred2
 * and htridi of EISPACK), then implicit QL with Wilkinson's shift (8.3.5; imtql2).
 */
import { ArgumentError } from "../../../core/errors";
import {
  chosen,
  dotsWith,
  found,
  hypot,
  identityLines,
  inOrder,
  joinPhase,
  areFinite,
  makePositive,
  normalise,
  pick,
  scaleLine,
  SMALLEST,
  subtractProducts,
  swapLines,
  rotateLines,
  zeroLines,
  type Lines,
} from "./lines";
import { noReflections, reflectDiagonal, reflectTo, scale, type Reflections } from "./reflections";

/** Eigenvalues, and vectors as lines. */
interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Lines;
}

/** Of the lower triangle of `a`, given as rows; values by descending modulus, positive ones first where these are equal. */
export function eigh(rows: Lines): Eigen {
  const a = hermitianColumns(rows);
  if (!areFinite(a)) throw notFinite();
  const size = normalise(a);
  const { diagonal, off, vectors } = tridiagonal(a);
  implicitQL(diagonal, off, vectors);
  const order = inOrder(
    diagonal.length,
    (i, j) => Math.abs(diagonal[j]!) - Math.abs(diagonal[i]!) || diagonal[j]! - diagonal[i]!,
  );
  const sorted = pick(vectors, order);
  for (let i = 0; i < sorted.count; i++) makePositive(sorted, i);
  return { values: chosen(diagonal, order, size), vectors: sorted };
}

export function notFinite(): ArgumentError {
  return new ArgumentError(
    "the decomposition needs finite numbers, but the matrix holds NaN or infinities; look for them with Nx.isNan and Nx.isInfinity",
  );
}

/** The whole hermitian matrix as columns, from its lower triangle. */
function hermitianColumns({ on, count: n, re, im }: Lines): Lines {
  const a = zeroLines(on, n, n, im !== null);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = re[i * n + j]!;
      a.re[j * n + i] = value;
      a.re[i * n + j] = value;
      if (!im || i === j) continue;
      a.im![j * n + i] = im[i * n + j]!;
      a.im![i * n + j] = -im[i * n + j]!;
    }
  }
  return a;
}

interface Tridiagonal {
  readonly diagonal: Float64Array;
  /** Entries beside the diagonal; the last is 0. */
  readonly off: Float64Array;
  /** Columns of the unitary matrix that the reduction multiplies with. */
  readonly vectors: Lines;
}

function tridiagonal(a: Lines): Tridiagonal {
  const n = a.count;
  const isComplex = a.im !== null;
  const reflections = noReflections(a, Math.max(1, n - 1), n, 1);
  const off = { re: new Float64Array(n), im: new Float64Array(n) };
  const pair = zeroLines(a.on, 2, n, isComplex);
  for (let k = 0; k < n - 1; k++) {
    const isReflected = reflectTo(a, k, reflections, k);
    off.re[k] = found.re;
    off.im[k] = found.im;
    if (isReflected) updateBothSides(a, reflections, k, pair);
  }
  const diagonal = new Float64Array(n);
  for (let i = 0; i < n; i++) diagonal[i] = a.re[i * n + i]!;
  const vectors = identityLines(a.on, n, n, isComplex);
  const moduli = makeReal(off, vectors);
  reflectDiagonal(vectors, reflections);
  return { diagonal, off: moduli, vectors };
}

/** a - v w^H - w v^H with w = p - (beta / 2) (v^H p) v, p = beta a v, on what is left of the matrix. `pair` becomes v and w. */
function updateBothSides(a: Lines, { vectors, betas, sums }: Reflections, k: number, pair: Lines): void {
  const n = a.count;
  const [from, rest, beta] = [k + 1, n - k - 1, betas[k]!];
  dotsWith(sums, a, from, rest, vectors, k, from);
  scale(sums, rest, beta);
  const parts = [
    [pair.re, vectors.re, sums.re],
    [pair.im, vectors.im, sums.im],
  ] as const;
  for (const [to, v, p] of parts) {
    to?.set(v!.subarray(k * n + from, (k + 1) * n), from);
    to?.set(p!.subarray(0, rest), n + from);
  }
  dotsWith(sums, pair, 0, 1, pair, 1, from);
  scale(sums, 1, beta / 2);
  subtractProducts(
    [pair, { at: n + from, row: 0 }],
    [sums, { at: 0, row: 0, step: 0 }],
    [pair, { at: from, row: 0 }],
    [1, rest, 1],
  );
  subtractProducts(
    [a, { at: from * n + from, row: n }],
    [pair, { at: n + from, row: 1, step: -n, conjugated: true }],
    [pair, { at: from, row: n }],
    [rest, rest, 2],
  );
}

/** Makes the entries beside the diagonal real and not negative by multiplying the unit vectors with phases. */
function makeReal(off: { re: Float64Array; im: Float64Array }, vectors: Lines): Float64Array {
  const n = vectors.count;
  const moduli = new Float64Array(n);
  found.re = 1;
  found.im = 0;
  for (let k = 0; k < n - 1; k++) {
    moduli[k] = joinPhase(off.re[k]!, off.im[k]!);
    scaleLine(vectors, k + 1, found.re, found.im);
  }
  return moduli;
}

/** More steps than any matrix is known to take for one eigenvalue. */
const MOST_STEPS = 60;

/**
 * Eigenvalues replace the diagonal; the lines of `vectors` are rotated along. QL finds small values first: a block whose
 * large end is in front is reversed (Wilkinson & Reinsch, II/3; dsteqr of LAPACK chooses QR there).
 */
function implicitQL(d: Float64Array, e: Float64Array, vectors: Lines): void {
  const rotations = vectors.on.zeros(2 * d.length);
  for (let l = 0; l < d.length; l++) {
    for (let step = 0; ; step++) {
      const m = endOfBlock(d, e, l);
      if (m === l) break;
      if (step === MOST_STEPS) throw noConvergence("eigenvalues", MOST_STEPS);
      if (step === 0 && Math.abs(d[m]!) < Math.abs(d[l]!)) reverseBlock(d, e, vectors, l, m);
      rotateLines(vectors, m, -1, rotations, sweep(d, e, rotations, l, m));
    }
  }
}

/** The first position from l on whose entry beside the diagonal is negligible. */
function endOfBlock(d: Float64Array, e: Float64Array, l: number): number {
  let m = l;
  for (; m < d.length - 1; m++) {
    const around = Math.abs(d[m]!) + Math.abs(d[m + 1]!);
    if (Math.abs(e[m]!) <= Math.max(Number.EPSILON * around, SMALLEST)) break;
  }
  return m;
}

function reverseBlock(d: Float64Array, e: Float64Array, vectors: Lines, l: number, m: number): void {
  reverse(d, l, m);
  reverse(e, l, m - 1);
  for (let [i, j] = [l, m]; i < j; i++, j--) swapLines(vectors, i, j);
}

/** Reverses the numbers from one position to another. */
function reverse(x: Float64Array, first: number, last: number): void {
  for (let [i, j] = [first, last]; i < j; i++, j--) {
    const held = x[i]!;
    x[i] = x[j]!;
    x[j] = held;
  }
}

export function noConvergence(what: string, steps: number): ArgumentError {
  return new ArgumentError(
    `the ${what} did not converge in ${steps} steps; scale the matrix or look for odd elements in it`,
  );
}

/** One implicit QL step on the block from l to m; the number of rotations, of m with the one in front and so on. */
function sweep(d: Float64Array, e: Float64Array, rotations: Float64Array, l: number, m: number): number {
  const half = (d[l + 1]! - d[l]!) / (2 * e[l]!);
  const root = Math.sqrt(half * half + 1);
  let g = d[m]! - d[l]! + e[l]! / (half + (half < 0 ? -root : root));
  let [s, c, p] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i]!;
    const b = c * e[i]!;
    const r = hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1]! -= p;
      e[m] = 0;
      return m - 1 - i;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1]! - p;
    const t = (d[i]! - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    rotations[2 * (m - 1 - i)] = c;
    rotations[2 * (m - 1 - i) + 1] = s;
  }
  d[l]! -= p;
  e[l] = g;
  e[m] = 0;
  return m - l;
}
