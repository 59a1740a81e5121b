/**
 * Reflections (Householder), and many of them at once as products of matrices (Schreiber & Van Loan 1989, "A storage-efficient
 * WY representation for products of Householder transformations"); QR.
 */
import { dot } from "./loops";
import {
  dotsWith,
  found,
  hypot,
  identityLines,
  isOneLoop,
  joinPhase,
  subtractProducts,
  transposeLines,
  zeroLines,
  type Lines,
} from "./lines";

/** Reflections that are applied at once, and the columns that other decompositions work on at once. */
export const BLOCK = 32;
/** Elements of vectors that are summed one after the other. */
const STRETCH = 32;
/** Below this many lines reflections are applied one by one: joining them takes longer. */
const JOINED_FROM = 64;

/** Reflections I - beta v v^H; v k is line k of `vectors`, which is 0 before position `offset + k`. */
export interface Reflections {
  readonly vectors: Lines;
  readonly betas: Float64Array;
  readonly offset: number;
  /** A place for sums with each of as many lines. */
  readonly sums: Lines;
}

export const noReflections = (like: Lines, count: number, length: number, offset: number): Reflections => ({
  vectors: zeroLines(like.on, count, length, like.im !== null),
  betas: new Float64Array(count),
  offset,
  sums: zeroLines(like.on, 1, length, like.im !== null),
});

/**
 * Finds reflection `k`, which maps positions from `offset + k` on of a line of `x` to a multiple of the first unit vector; false
 * where nothing needs reflecting. `found` holds that multiple. For real lines it is the norm, computed without cancellation
 * (Parlett 1971); for complex ones -e^(i arg x0) times it.
 */
export function reflectTo(x: Lines, line: number, reflections: Reflections, k: number): boolean {
  const { vectors: into, betas, offset, sums } = reflections;
  const from = offset + k;
  const a = line * x.length;
  const { re: xs, im: ys } = x;
  let most = 0;
  for (let i = a + from; i < a + x.length; i++) most = Math.max(most, Math.abs(xs[i]!), ys ? Math.abs(ys[i]!) : 0);
  const b = k * into.length;
  let tail = 0;
  if (most > 0) {
    for (let i = from; i < x.length; i++) {
      into.re[b + i] = xs[a + i]! / most;
      if (ys) into.im![b + i] = ys[a + i]! / most;
    }
    dotsWith(sums, into, k, 1, into, k, from + 1);
    tail = sums.re[0]!;
  } else if (most !== most) tail = NaN;
  const [re, im] = [xs[a + from]!, ys ? ys[a + from]! : 0];
  found.re = re;
  found.im = im;
  if (tail === 0) return false;
  const [xr, xi] = [re / most, im / most];
  const first = hypot(xr, xi);
  const norm = Math.sqrt(tail + first * first);
  if (!ys) {
    const v = xr <= 0 ? xr - norm : -tail / (xr + norm);
    into.re[b + from] = v;
    found.re = norm * most;
    betas[k] = 2 / (tail + v * v);
    return true;
  }
  [found.re, found.im] = [1, 0];
  joinPhase(xr, xi);
  const { re: pr, im: pi } = found;
  const [vr, vi] = [xr + pr * norm, xi + pi * norm];
  into.re[b + from] = vr;
  into.im![b + from] = vi;
  found.re = -pr * norm * most;
  found.im = -pi * norm * most;
  betas[k] = 2 / (tail + vr * vr + vi * vi); // of v as it was rounded, so that the reflection stays unitary
  return true;
}

/** Applies reflection `k` to lines from `first` up to `end`. */
export function reflect(x: Lines, first: number, end: number, reflections: Reflections, k: number): void {
  const { vectors, betas, offset, sums } = reflections;
  const from = offset + k;
  dotsWith(sums, x, first, end - first, vectors, k, from);
  scale(sums, end - first, betas[k]!);
  subtractProducts(
    [x, { at: first * x.length + from, row: x.length }],
    [sums, { at: 0, row: 1, step: 0, conjugated: true }],
    [vectors, { at: k * vectors.length + from, row: 0 }],
    [end - first, x.length - from, 1],
  );
}

/** Applies reflection `k`, of offset 1, to the rows from `first` on of columns: a - beta (a v) v^H. */
export function reflectRows(a: Lines, { vectors, betas, sums }: Reflections, k: number, first: number): void {
  const n = a.count;
  const [from, rest] = [k + 1, n - k - 1];
  const columns = { at: from * n + first, row: n };
  const own = { at: first, row: 0 };
  sums.re.fill(0);
  sums.im?.fill(0);
  subtractProducts([sums, own], [vectors, { at: k * n + from, row: 0, step: 1 }], [a, columns], [1, n - first, rest]);
  scale(sums, n, -betas[k]!);
  subtractProducts(
    [a, columns],
    [vectors, { at: k * n + from, row: 1, step: 0, conjugated: true }],
    [sums, own],
    [rest, n - first, 1],
  );
}

/** Multiplies the first numbers by a real one. */
export function scale({ re, im }: Lines, count: number, f: number): void {
  for (let i = 0; i < count; i++) {
    re[i]! *= f;
    if (im) im[i]! *= f;
  }
}

/**
 * The triangular t by which the reflections from `begin` up to `end`, one after the other, are I - v t v^H, transposed; for those
 * in the other order conjugated.
 */
function factorOf({ vectors, betas, offset }: Reflections, begin: number, end: number, isReversed: boolean): Lines {
  const n = end - begin;
  const t = zeroLines(vectors.on, n, n, vectors.im !== null);
  const sums = zeroLines(vectors.on, 1, n, vectors.im !== null);
  for (let k = 0; k < n; k++) {
    // v k is 0 before its own position, so the sums run from there on.
    dotsWith(sums, vectors, begin, k, vectors, begin + k, offset + begin + k);
    scale(sums, k, betas[begin + k]!);
    const [own, above] = [
      { at: k * n, row: 0 },
      { at: 0, row: n },
    ];
    subtractProducts([t, own], [sums, { at: 0, row: 0, step: 1 }], [t, above], [1, k, k]);
    t.re[k * n + k] = betas[begin + k]!;
  }
  if (!isReversed) return t;
  return transposeLines(t, true);
}

/**
 * Applies the reflections from `begin` up to `end` to lines of x from `first` on: the last of them first, or with `isReversed` the
 * first of them, which is the inverse.
 */
function reflectAll(
  x: Lines,
  first: number,
  reflections: Reflections,
  [begin, end]: readonly [number, number],
  isReversed: boolean,
): void {
  const { vectors, offset } = reflections;
  const [rows, n, from] = [x.count - first, end - begin, offset + begin];
  const length = x.length - from;
  if (rows <= 0 || n <= 0) return;
  const isComplex = vectors.im !== null;
  const across = zeroLines(x.on, length, n, isComplex);
  for (let k = 0; k < n; k++) {
    for (let i = k; i < length; i++) {
      const at = (begin + k) * vectors.length + from + i;
      across.re[i * n + k] = vectors.re[at]!;
      if (across.im) across.im[i * n + k] = -vectors.im![at]!;
    }
  }
  // Both sums come with the other sign, which is gone after the second.
  const transformed = zeroLines(x.on, rows, n, isComplex);
  const own = { at: 0, row: n };
  const part = { at: first * x.length + from, row: x.length };
  const t = factorOf(reflections, begin, end, isReversed);
  const sums = sumsByStretches(x, part, across, rows);
  subtractProducts([transformed, own], [sums, { ...own, step: 1 }], [t, own], [rows, n, n]);
  subtractProducts(
    [x, part],
    [transformed, { ...own, step: 1 }],
    [vectors, { at: begin * vectors.length + from, row: vectors.length }],
    [rows, length, n],
  );
}

/** The products of rows of x with all of `across`, negative; stretches are summed by themselves, so that rounding does not add up. */
function sumsByStretches(x: Lines, { at, row }: { at: number; row: number }, across: Lines, rows: number): Lines {
  const [n, length] = [across.length, across.count];
  const [sums, stretch] = [zeroLines(x.on, rows, n, x.im !== null), zeroLines(x.on, rows, n, x.im !== null)];
  for (let from = 0; from < length; from += STRETCH) {
    const into = from === 0 ? sums : stretch;
    subtractProducts(
      [into, { at: 0, row: n }],
      [x, { at: at + from, row, step: 1 }],
      [across, { at: from * n, row: n }],
      [rows, n, Math.min(STRETCH, length - from)],
    );
    if (from === 0) continue;
    for (const [to, part] of [
      [sums.re, stretch.re],
      [sums.im, stretch.im],
    ] as const) {
      if (to) for (let i = 0; i < to.length; i++) to[i]! += part![i]!;
      part?.fill(0);
    }
  }
  return sums;
}

/** Multiplies the columns of a diagonal matrix by the unitary matrix that all reflections make. */
export function reflectDiagonal(x: Lines, reflections: Reflections): void {
  const { count } = reflections.vectors;
  if (x.count < JOINED_FROM) {
    for (let k = count - 1; k >= 0; k--) reflect(x, reflections.offset + k, x.count, reflections, k);
    return;
  }
  for (let begin = Math.floor((count - 1) / BLOCK) * BLOCK; begin >= 0; begin -= BLOCK) {
    // The columns in front are 0 where these reflections begin.
    reflectAll(x, reflections.offset + begin, reflections, [begin, Math.min(count, begin + BLOCK)], false);
  }
}

/** Householder QR of m >= n rows (Golub & Van Loan, Matrix Computations, 4th ed., 5.2.2-3), all as columns; q has `width` columns. */
export function qr(rows: Lines, width: number): { q: Lines; r: Lines } {
  const columns = transposeLines(rows);
  const [n, m] = [columns.count, columns.length];
  if (isOneLoop(rows)) return smallQR(columns, identityLines(rows.on, width, m, false));
  const isComplex = rows.im !== null;
  const steps = m === n ? n - 1 : n;
  const reflections = noReflections(columns, steps, m, 0);
  const together = n < JOINED_FROM ? n : BLOCK;
  for (let begin = 0; begin < steps; begin += together) {
    const end = Math.min(n, begin + together);
    for (let k = begin; k < Math.min(steps, end); k++) {
      const isDone = !reflectTo(columns, k, reflections, k);
      setColumn(columns, k, k);
      if (!isDone) reflect(columns, k + 1, end, reflections, k);
    }
    reflectAll(columns, end, reflections, [begin, Math.min(steps, end)], true);
  }
  const q = identityLines(rows.on, width, m, isComplex);
  reflectDiagonal(q, reflections);
  return { q, r: columns };
}

/** Sets a column from a position on to the number in `found` and zeros, which its reflection gives up to rounding. */
export function setColumn({ re, im, length }: Lines, k: number, from: number): void {
  const at = k * length + from;
  re.fill(0, at, (k + 1) * length);
  im?.fill(0, at, (k + 1) * length);
  re[at] = found.re;
  if (im) im[at] = found.im;
}

/** The same steps for a real matrix, without places for sums or factors. */
function smallQR(r: Lines, q: Lines): { q: Lines; r: Lines } {
  const [n, m] = [r.count, r.length];
  const steps = m === n ? n - 1 : n;
  const vectors = r.on.zeros(steps * m);
  const betas = r.on.zeros(steps);
  for (let k = 0; k < steps; k++) {
    betas[k] = reflectColumn(r.re, k, vectors, m);
    if (betas[k] !== 0) reflectColumns(r.re, k + 1, n, vectors, betas[k]!, k, m);
  }
  for (let k = steps - 1; k >= 0; k--) reflectColumns(q.re, k, q.count, vectors, betas[k]!, k, m);
  return { q, r };
}

/** Finds the reflection of a column, brings it to its multiple of a unit vector and gives beta. */
function reflectColumn(x: Float64Array, k: number, vectors: Float64Array, m: number): number {
  const [from, end] = [k * m + k, (k + 1) * m];
  let most = 0;
  for (let i = from; i < end; i++) most = Math.max(most, Math.abs(x[i]!));
  if (most > 0) for (let i = from; i < end; i++) vectors[i] = x[i]! / most;
  const tail = most > 0 ? dot(vectors, from + 1, vectors, from + 1, end - from - 1) : most;
  const first = x[from]!;
  x.fill(0, k * m + k, end);
  x[from] = first;
  if (tail === 0) return 0;
  const part = first / most;
  const size = Math.abs(part);
  const norm = Math.sqrt(tail + size * size);
  const v = part <= 0 ? part - norm : -tail / (part + norm);
  vectors[from] = v;
  x[from] = norm * most;
  return 2 / (tail + v * v);
}

function reflectColumns(
  x: Float64Array,
  first: number,
  end: number,
  v: Float64Array,
  beta: number,
  k: number,
  m: number,
): void {
  for (let i = first; i < end; i++) {
    const f = dot(x, i * m + k, v, k * m + k, m - k) * beta;
    for (let j = k; j < m; j++) x[i * m + j]! -= f * v[k * m + j]!;
  }
}
