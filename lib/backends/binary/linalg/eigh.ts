/**
 * Eigenvalues and vectors of hermitian matrices: reflections to a real tridiagonal matrix (Golub & Van Loan 8.3.1; tred2
 * and htridi of EISPACK), then implicit QL with Wilkinson's shift (8.3.5; imtql2).
 */
import { ArgumentError } from "../../../core/errors";
import {
  addScaled,
  dotLines,
  found,
  identityLines,
  largestPart,
  makePositive,
  normalise,
  rotateLines,
  scaleLine,
  swapLines,
  zeroLines,
  type Lines,
} from "./lines";
import { reflect, reflection } from "./direct";

/** Eigenvalues, and vectors as lines. */
interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Lines;
}

/** Of the lower triangle of `a`, given as rows; values by descending modulus, positive ones first where these are equal. */
export function eigh(rows: Lines): Eigen {
  const a = hermitianColumns(rows);
  const largest = largestPart(a);
  if (!(largest < Infinity)) throw notFinite();
  const scale = normalise(a);
  const { diagonal, off, vectors } = tridiagonal(a);
  implicitQL(diagonal, off, vectors);
  const order = Array.from(diagonal.keys()).sort(
    (i, j) => Math.abs(diagonal[j]!) - Math.abs(diagonal[i]!) || diagonal[j]! - diagonal[i]!,
  );
  const sorted = pick(vectors, order);
  for (let i = 0; i < sorted.count; i++) makePositive(sorted, i);
  return { values: Float64Array.from(order, (i) => diagonal[i]! * scale), vectors: sorted };
}

export function notFinite(): ArgumentError {
  return new ArgumentError(
    "the decomposition needs finite numbers, but the matrix holds NaN or infinities; look for them with Nx.isNan and Nx.isInfinity",
  );
}

/** The lines at the given positions. */
export function pick(x: Lines, order: readonly number[]): Lines {
  const { length } = x;
  const result = zeroLines(order.length, length, x.im !== null);
  order.forEach((from, to) => {
    result.re.set(x.re.subarray(from * length, (from + 1) * length), to * length);
    if (x.im) result.im!.set(x.im.subarray(from * length, (from + 1) * length), to * length);
  });
  return result;
}

/** The whole hermitian matrix as columns, from its lower triangle. */
function hermitianColumns({ count: n, re, im }: Lines): Lines {
  const a = zeroLines(n, n, im !== null);
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
  const reflections = {
    vectors: zeroLines(Math.max(1, n - 1), n, isComplex),
    betas: new Float64Array(Math.max(1, n - 1)),
  };
  const off = { re: new Float64Array(n), im: new Float64Array(n) };
  const w = zeroLines(1, n, isComplex);
  for (let k = 0; k < n - 1; k++) {
    reflections.betas[k] = reflection(a, k, k + 1, reflections.vectors, k);
    off.re[k] = found.re;
    off.im[k] = found.im;
    if (reflections.betas[k] !== 0) updateBothSides(a, reflections.vectors, k, reflections.betas[k]!, w);
  }
  const diagonal = Float64Array.from({ length: n }, (_, i) => a.re[i * n + i]!);
  const vectors = identityLines(n, n, isComplex);
  const moduli = makeReal(off, vectors);
  for (let k = n - 2; k >= 0; k--) for (let j = 0; j < n; j++) reflect(vectors, j, reflections, k, k + 1);
  return { diagonal, off: moduli, vectors };
}

/** a - v w^H - w v^H with w = p - (beta / 2) (v^H p) v, p = beta a v, on what is left of the matrix. */
function updateBothSides(a: Lines, v: Lines, k: number, beta: number, w: Lines): void {
  const n = a.count;
  for (let i = k + 1; i < n; i++) {
    dotLines(a, i, v, k, k + 1, n);
    w.re[i] = beta * found.re;
    if (w.im) w.im[i] = beta * found.im;
  }
  dotLines(v, k, w, 0, k + 1, n);
  addScaled(w, 0, (-beta / 2) * found.re, (-beta / 2) * found.im, v, k, k + 1, n);
  for (let j = k + 1; j < n; j++) {
    addScaled(a, j, -w.re[j]!, w.im?.[j] ?? 0, v, k, k + 1, n);
    addScaled(a, j, -v.re[k * n + j]!, v.im?.[k * n + j] ?? 0, w, 0, k + 1, n);
  }
}

/** Makes the entries beside the diagonal real and not negative by multiplying the unit vectors with phases. */
function makeReal(off: { re: Float64Array; im: Float64Array }, vectors: Lines): Float64Array {
  const n = vectors.count;
  const moduli = new Float64Array(n);
  let [pr, pi] = [1, 0];
  for (let k = 0; k < n - 1; k++) {
    const [re, im] = [off.re[k]!, off.im[k]!];
    const size = Math.hypot(re, im);
    moduli[k] = size;
    if (size !== 0) [pr, pi] = [(pr * re - pi * im) / size, (pr * im + pi * re) / size];
    scaleLine(vectors, k + 1, pr, pi);
  }
  return moduli;
}

/** More steps than any matrix is known to take for one eigenvalue. */
const MOST_STEPS = 60;

/**
 * Eigenvalues replace the diagonal; the lines of `vectors` are turned along. QL finds small values first: a block whose
 * large end is in front is turned round (Wilkinson & Reinsch, II/3; dsteqr of LAPACK chooses QR there).
 */
function implicitQL(d: Float64Array, e: Float64Array, vectors: Lines): void {
  for (let l = 0; l < d.length; l++) {
    for (let step = 0; ; step++) {
      const m = endOfBlock(d, e, l);
      if (m === l) break;
      if (step === MOST_STEPS) throw noConvergence("eigenvalues", MOST_STEPS);
      if (step === 0 && Math.abs(d[m]!) < Math.abs(d[l]!)) reverseBlock(d, e, vectors, l, m);
      sweep(d, e, vectors, l, m);
    }
  }
}

/** The first position from l on whose entry beside the diagonal is negligible. */
function endOfBlock(d: Float64Array, e: Float64Array, l: number): number {
  let m = l;
  while (m < d.length - 1 && Math.abs(e[m]!) > Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!))) m++;
  return m;
}

function reverseBlock(d: Float64Array, e: Float64Array, vectors: Lines, l: number, m: number): void {
  d.subarray(l, m + 1).reverse();
  e.subarray(l, m).reverse();
  for (let [i, j] = [l, m]; i < j; i++, j--) swapLines(vectors, i, j);
}

export function noConvergence(what: string, steps: number): ArgumentError {
  return new ArgumentError(
    `the ${what} did not converge in ${steps} steps; scale the matrix or look for odd elements in it`,
  );
}

/** One implicit QL step on the block from l to m. */
function sweep(d: Float64Array, e: Float64Array, vectors: Lines, l: number, m: number): void {
  const half = (d[l + 1]! - d[l]!) / (2 * e[l]!);
  const root = Math.sqrt(half * half + 1);
  let g = d[m]! - d[l]! + e[l]! / (half + (half < 0 ? -root : root));
  let [s, c, p] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i]!;
    const b = c * e[i]!;
    const r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1]! -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1]! - p;
    const t = (d[i]! - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    rotateLines(vectors, i, i + 1, c, s);
  }
  d[l]! -= p;
  e[l] = g;
  e[m] = 0;
}
