/**
 * Decompositions in finitely many steps: Cholesky, LU, QR, and triangular systems.
 */
import { ArgumentError } from "../../../core/errors";
import { addScaled, dotLines, found, identityLines, swapLines, transposeLines, zeroLines, type Lines } from "./lines";

/** l with a = l l^H, of the lower triangle of `a` given as rows (Golub & Van Loan, Matrix Computations, 4th ed., 4.2.5). */
export function cholesky(a: Lines): Lines {
  const n = a.count;
  const l = zeroLines(n, n, a.im !== null);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const at = i * n + j;
      dotLines(l, j, l, i, 0, j);
      const re = a.re[at]! - found.re;
      const im = (a.im?.[at] ?? 0) - found.im;
      if (i === j) l.re[at] = pivotRoot(re, i, n);
      else {
        l.re[at] = re / l.re[j * n + j]!;
        if (l.im) l.im[at] = im / l.re[j * n + j]!;
      }
    }
  }
  return l;
}

function pivotRoot(pivot: number, at: number, n: number): number {
  if (pivot > 0 && pivot < Infinity) return Math.sqrt(pivot);
  throw new ArgumentError(
    `the Cholesky decomposition needs a positive definite matrix, but the leading ${at + 1}x${at + 1} block of this ${n}x${n} ` +
      `matrix is not (pivot ${pivot}); use Nx.LinAlg.lu or Nx.LinAlg.eigh, or add to the diagonal`,
  );
}

/** What `lu` gives: the order the rows were brought into, l with ones on its diagonal, u; both as rows. */
interface LU {
  readonly order: Int32Array;
  readonly l: Lines;
  readonly u: Lines;
}

/** Gaussian elimination with partial pivoting on rows (Golub & Van Loan 3.4.4): the first of the largest pivots. */
export function lu(rows: Lines): LU {
  const n = rows.count;
  const isComplex = rows.im !== null;
  const u: Lines = { ...rows, re: rows.re.slice(), im: rows.im && rows.im.slice() };
  const l = identityLines(n, n, isComplex);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let k = 0; k < n; k++) {
    const pivot = pivotRow(u, k);
    swapLines(u, k, pivot);
    swapMultipliers(l, k, pivot);
    [order[k], order[pivot]] = [order[pivot]!, order[k]!];
    for (let i = k + 1; i < n; i++) eliminate(l, u, i, k);
  }
  return { order, l, u };
}

const modulus = (x: Lines, at: number): number => (x.im ? Math.hypot(x.re[at]!, x.im[at]!) : Math.abs(x.re[at]!));

function pivotRow(u: Lines, k: number): number {
  const n = u.count;
  let best = k;
  for (let i = k + 1; i < n; i++) if (modulus(u, i * n + k) > modulus(u, best * n + k)) best = i;
  return best;
}

/** Only what has been eliminated so far moves with the rows; the diagonal stays. */
function swapMultipliers(l: Lines, i: number, j: number): void {
  if (i === j) return;
  const n = l.length;
  for (const part of l.im ? [l.re, l.im] : [l.re]) {
    for (let k = 0; k < i; k++) [part[i * n + k], part[j * n + k]] = [part[j * n + k]!, part[i * n + k]!];
  }
}

function eliminate(l: Lines, u: Lines, i: number, k: number): void {
  const n = u.length;
  const [at, pivot] = [i * n + k, k * n + k];
  if (modulus(u, pivot) === 0) return;
  divide(u.re[at]!, u.im?.[at] ?? 0, u.re[pivot]!, u.im?.[pivot] ?? 0);
  const [fr, fi] = [found.re, found.im];
  l.re[at] = fr;
  if (l.im) l.im[at] = fi;
  u.re[at] = 0;
  if (u.im) u.im[at] = 0;
  if (fr !== 0 || fi !== 0) addScaled(u, i, -fr, -fi, u, k, k + 1, n);
}

/** The quotient of two complex numbers, scaled against overflow (Smith 1962), left in `found`. */
function divide(ar: number, ai: number, br: number, bi: number): void {
  if (bi === 0) {
    found.re = ar / br;
    found.im = ai / br;
    return;
  }
  if (Math.abs(br) >= Math.abs(bi)) {
    const ratio = bi / br;
    const scale = br + bi * ratio;
    found.re = (ar + ai * ratio) / scale;
    found.im = (ai - ar * ratio) / scale;
    return;
  }
  const ratio = br / bi;
  const scale = br * ratio + bi;
  found.re = (ar * ratio + ai) / scale;
  found.im = (ai * ratio - ar) / scale;
}

/** A reflection I - beta v v^H; v is a line of `vectors` from position `from` on. */
interface Reflections {
  readonly vectors: Lines;
  readonly betas: Float64Array;
}

/**
 * Writes to line `k` of `into` the vector of the reflection that maps positions `from` on of line `line` of `x` to a
 * multiple of the first unit vector; gives beta, 0 where nothing needs reflecting. `found` holds that multiple.
 * For real lines it is the norm, computed without cancellation (Parlett 1971); for complex ones -e^(i arg x0) times it.
 */
export function reflection(x: Lines, line: number, from: number, into: Lines, k: number): number {
  const a = line * x.length;
  let most = 0;
  for (let i = from; i < x.length; i++) most = Math.max(most, Math.abs(x.re[a + i]!), Math.abs(x.im?.[a + i] ?? 0));
  let tail = 0;
  for (let i = from + 1; i < x.length; i++) tail += (x.re[a + i]! / most) ** 2 + ((x.im?.[a + i] ?? 0) / most) ** 2;
  const [re, im] = [x.re[a + from]!, x.im?.[a + from] ?? 0];
  found.re = re;
  found.im = im;
  if (most === 0 || tail === 0) return 0;
  const [xr, xi] = [re / most, im / most];
  const first = Math.hypot(xr, xi);
  const norm = Math.sqrt(tail + first * first);
  const b = k * into.length;
  for (let i = from; i < x.length; i++) {
    into.re[b + i] = x.re[a + i]! / most;
    if (into.im) into.im[b + i] = x.im![a + i]! / most;
  }
  if (!x.im) {
    const v = xr <= 0 ? xr - norm : -tail / (xr + norm);
    into.re[b + from] = v;
    found.re = norm * most;
    return 2 / (tail + v * v);
  }
  const [pr, pi] = first === 0 ? [1, 0] : [xr / first, xi / first];
  const [vr, vi] = [xr + pr * norm, xi + pi * norm];
  into.re[b + from] = vr;
  into.im![b + from] = vi;
  found.re = -pr * norm * most;
  found.im = -pi * norm * most;
  return 2 / (tail + vr * vr + vi * vi); // of v as it was rounded, so that the reflection stays unitary
}

/** Applies a reflection to a line from position `from` on. */
export function reflect(x: Lines, line: number, { vectors, betas }: Reflections, k: number, from: number): void {
  const beta = betas[k]!;
  if (beta === 0) return;
  dotLines(vectors, k, x, line, from, x.length);
  addScaled(x, line, -beta * found.re, -beta * found.im, vectors, k, from, x.length);
}

/** Householder QR of m >= n rows (Golub & Van Loan 5.2.2), all as columns; q has `width` columns. */
export function qr(rows: Lines, width: number): { q: Lines; r: Lines } {
  const columns = transposeLines(rows);
  const [n, m] = [columns.count, columns.length];
  const isComplex = rows.im !== null;
  const steps = m === n ? n - 1 : n;
  const reflections = { vectors: zeroLines(steps, m, isComplex), betas: new Float64Array(steps) };
  for (let k = 0; k < steps; k++) {
    reflections.betas[k] = reflection(columns, k, k, reflections.vectors, k);
    const [re, im] = [found.re, found.im];
    for (let j = k + 1; j < n; j++) reflect(columns, j, reflections, k, k);
    setBelow(columns, k, re, im);
  }
  const q = identityLines(width, m, isComplex);
  for (let k = steps - 1; k >= 0; k--) for (let j = 0; j < width; j++) reflect(q, j, reflections, k, k);
  return { q, r: columns };
}

/** The column below its diagonal is 0, which the reflection gives up to rounding. */
function setBelow(columns: Lines, k: number, re: number, im: number): void {
  const a = k * columns.length;
  columns.re.fill(0, a + k, a + columns.length);
  columns.im?.fill(0, a + k, a + columns.length);
  columns.re[a + k] = re;
  if (columns.im) columns.im[a + k] = im;
}

/** How the matrix of a triangular system is read. */
interface Triangle {
  readonly lower: boolean;
  readonly transform: "none" | "transpose" | "adjoint";
}

/** x with t(a) x = b by substitution (Golub & Van Loan 3.1); a and b as rows. */
export function triangularSolve(a: Lines, b: Lines, { lower, transform }: Triangle): Lines {
  const n = a.count;
  const x: Lines = { ...b, re: b.re.slice(), im: b.im && b.im.slice() };
  const isForward = lower === (transform === "none");
  const entry = (i: number, j: number): void => {
    const at = transform === "none" ? i * n + j : j * n + i;
    found.re = a.re[at]!;
    found.im = transform === "adjoint" ? -(a.im?.[at] ?? 0) : (a.im?.[at] ?? 0);
  };
  for (let step = 0; step < n; step++) {
    const i = isForward ? step : n - 1 - step;
    for (let done = 0; done < step; done++) {
      const j = isForward ? done : n - 1 - done;
      entry(i, j);
      if (found.re !== 0 || found.im !== 0) addScaled(x, i, -found.re, -found.im, x, j, 0, x.length);
    }
    entry(i, i);
    divideLine(x, i, found.re, found.im, n);
  }
  return x;
}

function divideLine(x: Lines, i: number, re: number, im: number, n: number): void {
  if (re === 0 && im === 0) {
    throw new ArgumentError(
      `can't solve for singular matrix: element ${i} of the diagonal of the ${n}x${n} triangle is 0; for a solution of least ` +
        `squares use Nx.LinAlg.leastSquares or Nx.LinAlg.pinv`,
    );
  }
  for (let k = i * x.length; k < (i + 1) * x.length; k++) {
    divide(x.re[k]!, x.im?.[k] ?? 0, re, im);
    x.re[k] = found.re;
    if (x.im) x.im[k] = found.im;
  }
}
