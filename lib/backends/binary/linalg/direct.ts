/**
 * Decompositions in finitely many steps, in blocks of columns (Golub & Van Loan, Matrix Computations, 4th ed., 3.2.11 and 4.2.9): a
 * block is worked on column by column, then one product of matrices does what it means for all others.
 */
import {
  areFinite,
  found,
  hypot,
  identityLines,
  isWhole,
  subtractProducts,
  swapLines,
  transposeLines,
  copyLines,
  unsetLines,
  type Lines,
} from "./lines";
import { carefulWorkshop } from "./loops";
import { BLOCK } from "./reflections";
import { moveMultipliers, pivotRoot, singular } from "./whole";

/** l with a = l l^H, of the lower triangle of `a` given as rows. */
export function cholesky(a: Lines): Lines {
  const n = a.count;
  const u = transposeLines(a, true);
  for (let begin = 0; begin < n; begin += BLOCK) {
    const end = Math.min(n, begin + BLOCK);
    for (let k = begin; k < end; k++) {
      subtractOuter(u, [begin, k], [k, k + 1]);
      divideByRoot(u, k);
    }
    for (let i = end; i < n; i += BLOCK) subtractOuter(u, [begin, end], [i, Math.min(n, i + BLOCK)]);
  }
  const l = transposeLines(u, true);
  for (let i = 0; i < n; i++) {
    l.re.fill(0, i * n + i + 1, i * n + n);
    l.im?.fill(0, i * n + i, i * n + n);
  }
  return l;
}

/** Divides what is left of a row by the root of its pivot. */
function divideByRoot({ re, im, count: n }: Lines, k: number): void {
  const root = pivotRoot(re[k * n + k]!, k, n);
  re[k * n + k] = root;
  for (let at = k * n + k + 1; at < k * n + n; at++) {
    re[at]! /= root;
    if (im) im[at]! /= root;
  }
}

/** Takes what some finished rows of u are the cause of, u^H u, from other rows, from their diagonal on. */
function subtractOuter(u: Lines, [begin, end]: readonly [number, number], [from, to]: readonly [number, number]): void {
  const n = u.count;
  subtractProducts(
    [u, { at: from * n + from, row: n }],
    [u, { at: begin * n + from, row: 1, step: n, conjugated: true }],
    [u, { at: begin * n + from, row: n }],
    [to - from, n - from, end - begin],
  );
}

/** What `lu` gives: the order the rows were brought into, l with ones on its diagonal, u; both as rows. */
interface LU {
  readonly order: Float64Array;
  readonly l: Lines;
  readonly u: Lines;
}

/** Gaussian elimination with partial pivoting on rows: the first of the largest pivots. */
export function lu(rows: Lines): LU {
  const n = rows.count;
  const u = copyLines(rows);
  const order = rows.on.unset(n);
  if (!isWhole(rows)) blockedLU(u, order);
  else if (!rows.on.whole.lu(u.re, 0, order)) {
    u.re.set(rows.re);
    blockedLU(u, order);
  }
  return { order, ...separated(u) };
}

function blockedLU(u: Lines, order: Float64Array): void {
  const n = u.count;
  for (let i = 0; i < n; i++) order[i] = i;
  for (let begin = 0; begin < n; begin += BLOCK) {
    const end = Math.min(n, begin + BLOCK);
    for (let k = begin; k < end; k++) {
      const pivot = pivotRow(u, k);
      // Multipliers, which lie where zeros come to be, move along.
      swapLines(u, k, pivot);
      [order[k], order[pivot]] = [order[pivot]!, order[k]!];
      if (modulus(u, k * n + k) === 0) continue;
      for (let i = k + 1; i < n; i++) divideBy(u, i * n + k, u.re[k * n + k]!, u.im ? u.im[k * n + k]! : 0);
      eliminate(u, [k, k + 1], [k + 1, n], [k + 1, end]);
    }
    for (let i = begin + 1; i < end; i++) eliminate(u, [begin, i], [i, i + 1], [end, n]);
    eliminate(u, [begin, end], [end, n], [end, n]);
  }
}

type Range = readonly [from: number, to: number];

/** Takes multiples of finished rows from other rows, in some columns. */
function eliminate(u: Lines, [begin, end]: Range, [row, lastRow]: Range, [column, lastColumn]: Range): void {
  const n = u.count;
  subtractProducts(
    [u, { at: row * n + column, row: n }],
    [u, { at: row * n + begin, row: n, step: 1 }],
    [u, { at: begin * n + column, row: n }],
    [lastRow - row, lastColumn - column, end - begin],
  );
}

/** Multipliers and what is left of the rows, which lie in one matrix. */
function separated(u: Lines): { l: Lines; u: Lines } {
  const n = u.count;
  const l = identityLines(u.on, n, n, u.im !== null);
  moveMultipliers(l.re, u.re, 0, n);
  if (u.im) moveMultipliers(l.im!, u.im, 0, n);
  return { l, u };
}

const modulus = (x: Lines, at: number): number => (x.im ? hypot(x.re[at]!, x.im[at]!) : Math.abs(x.re[at]!));

function pivotRow(u: Lines, k: number): number {
  const n = u.count;
  let best = k;
  let most = modulus(u, k * n + k);
  for (let i = k + 1, at = i * n + k; i < n; i++, at += n) {
    const size = modulus(u, at);
    if (size > most) [best, most] = [i, size];
  }
  return best;
}

/** The quotient of two complex numbers, scaled against overflow (Smith 1962), left in `found`. */
export function divide(ar: number, ai: number, br: number, bi: number): void {
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

/** Divides an element. */
function divideBy(x: Lines, at: number, re: number, im: number): void {
  if (!x.im) {
    x.re[at]! /= re;
    return;
  }
  divide(x.re[at]!, x.im[at]!, re, im);
  x.re[at] = found.re;
  x.im[at] = found.im;
}

/** x with a x = b by the LU decomposition; a and b as rows. */
export function solve(a: Lines, b: Lines): Lines {
  const { order, l, u } = lu(a);
  const half = triangularSolve(...withCare(l, permuted(b, order)), { lower: true, transform: "none" });
  return triangularSolve(...withCare(u, half), { lower: false, transform: "none" });
}

/**
 * Lines in another order, as by a product with a permutation: there is no -0, and zeros times numbers that are not finite make NaN of the others
 * in a column.
 */
function permuted(x: Lines, order: Float64Array): Lines {
  const { count, length, re, im } = x;
  const to = unsetLines(x.on, count, length, im !== null);
  const isOdd = (k: number): boolean => !Number.isFinite(re[k]!) || (im !== null && !Number.isFinite(im[k]!));
  for (let j = 0; j < length; j++) {
    let odd = 0;
    for (let k = j; k < re.length; k += length) odd += Number(isOdd(k));
    for (let i = 0; i < count; i++) {
      const [at, k] = [i * length + j, order[i]! * length + j];
      const zero = odd > Number(isOdd(k)) ? NaN : 0;
      to.re[at] = re[k]! + zero + (im ? 0 * im[k]! : 0);
      if (im) to.im![at] = im[k]! + zero + 0 * re[k]!;
    }
  }
  return to;
}

/** Both as they are where all numbers are finite, as after a step that left the range they may not be. */
function withCare(a: Lines, b: Lines): readonly [Lines, Lines] {
  if (a.on === b.on && areFinite(a) && areFinite(b)) return [a, b];
  return [
    { ...a, on: carefulWorkshop },
    { ...b, on: carefulWorkshop },
  ];
}

/** How the matrix of a triangular system is read. */
interface Triangle {
  readonly lower: boolean;
  readonly transform: "none" | "transpose" | "adjoint";
}

/** x with t(a) x = b by substitution (Golub & Van Loan 3.1); a and b as rows. */
export function triangularSolve(a: Lines, b: Lines, { lower, transform }: Triangle): Lines {
  const n = a.count;
  const x = copyLines(b);
  const width = x.length;
  if (isWhole(a) && !b.im && a.on.whole.triangularSolve(a.re, 0, n, x.re, 0, width, lower, transform === "none"))
    return x;
  const isForward = lower === (transform === "none");
  // An upper triangle is solved from its last row on, which has a single unknown.
  const by = isForward ? 1 : -1;
  const rowOf = (step: number): number => (isForward ? step : n - 1 - step);
  const [row, step] = transform === "none" ? [n, 1] : [1, n];
  const conjugated = transform === "adjoint";
  /** Takes what some rows found are the cause of from others. */
  const take = ([begin, end]: Range, [from, to]: Range): void =>
    subtractProducts(
      [x, { at: rowOf(from) * width, row: by * width }],
      [a, { at: rowOf(from) * row + rowOf(begin) * step, row: by * row, step: by * step, conjugated }],
      [x, { at: rowOf(begin) * width, row: by * width }],
      [to - from, width, end - begin],
    );
  for (let begin = 0; begin < n; begin += BLOCK) {
    const end = Math.min(n, begin + BLOCK);
    for (let k = begin; k < end; k++) {
      take([begin, k], [k, k + 1]);
      const [i, at] = [rowOf(k), rowOf(k) * n + rowOf(k)];
      divideLine(x, i, a.re[at]!, a.im ? (conjugated ? -a.im[at]! : a.im[at]!) : 0, n);
    }
    take([begin, end], [end, n]);
  }
  return x;
}

function divideLine(x: Lines, i: number, re: number, im: number, n: number): void {
  if (re === 0 && im === 0) throw singular(i, n);
  for (let k = i * x.length; k < (i + 1) * x.length; k++) divideBy(x, k, re, im);
}
