/**
 * Singular values and vectors: a QR decomposition where there are more rows than columns (Chan 1982), then of small matrices rotations
 * (jacobi.ts), of others reflections to a real bidiagonal matrix (Golub & Kahan 1965) and its implicit QR iteration (bidiagonal.ts).
 */
import { diagonalise } from "./bidiagonal";
import { notFinite } from "./eigh";
import { jacobi } from "./jacobi";
import {
  chosen,
  copyLines,
  found,
  identityLines,
  inOrder,
  joinPhase,
  areFinite,
  makePositive,
  normalise,
  pick,
  scaleLine,
  subtractProducts,
  transposeLines,
  zeroLines,
  type Lines,
} from "./lines";
import { noReflections, qr, reflect, reflectDiagonal, reflectRows, reflectTo, scale } from "./reflections";

/** Columns of matrices that are rotated, which is faster up to 8 of them and more accurate at any size. */
export const JACOBI_TO = 16;

/** Singular values, descending, and vectors as lines: columns of u and of v. */
export interface SVD {
  readonly values: Float64Array;
  readonly u: Lines;
  readonly v: Lines;
}

/** Of a matrix given as rows; u and v have as many columns as asked for, at least the smaller of the sizes. */
export function svd(rows: Lines, uWidth: number, vWidth: number): SVD {
  if (!areFinite(rows)) throw notFinite();
  if (rows.count < rows.length) {
    const { values, u, v } = tall(transposeLines(rows, true), vWidth);
    return finished(values, v, u);
  }
  const { values, u, v } = tall(rows, uWidth);
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

/** For at least as many rows as columns. */
function tall(rows: Lines, width: number): SVD {
  const n = rows.length;
  const own = copyLines(rows);
  const size = normalise(own);
  const isSmall = n <= JACOBI_TO;
  if (rows.count === n && !isSmall) {
    const { values, u, v } = square(transposeLines(own));
    return { values: values.map((value) => value * size), u, v };
  }
  const { q, r } = qr(own, width);
  const triangle = zeroLines(rows.on, n, n, rows.im !== null);
  for (let j = 0; j < n; j++) {
    triangle.re.set(r.re.subarray(j * r.length, j * r.length + n), j * n);
    triangle.im?.set(r.im!.subarray(j * r.length, j * r.length + n), j * n);
  }
  const { values, u, v } = (isSmall ? jacobi(triangle) : null) ?? square(triangle);
  return { values: values.map((value) => value * size), u: combined(q, u), v };
}

/** The first columns of q combined as the columns of u say, then the others as they are. */
function combined(q: Lines, u: Lines): Lines {
  const [n, m] = [u.count, q.length];
  const result = copyLines(q);
  result.re.fill(0, 0, n * m);
  result.im?.fill(0, 0, n * m);
  const opposite = copyLines(u);
  scale(opposite, n * n, -1);
  const own = { at: 0, row: m };
  subtractProducts([result, own], [opposite, { at: 0, row: n, step: 1 }], [q, own], [n, m, n]);
  return result;
}

/** Of a square matrix given as columns. */
function square(a: Lines): SVD {
  const n = a.count;
  const { diagonal, off, u, v } = bidiagonal(a);
  diagonalise(diagonal, off, u, v);
  const order = inOrder(n, (i, j) => Math.abs(diagonal[j]!) - Math.abs(diagonal[i]!));
  for (let i = 0; i < n; i++) if (diagonal[i]! < 0) scaleLine(v, i, -1, 0);
  return { values: chosen(diagonal.map(Math.abs), order), u: pick(u, order), v: pick(v, order) };
}

interface Bidiagonal {
  readonly diagonal: Float64Array;
  /** Entries above the diagonal; the last is 0. */
  readonly off: Float64Array;
  /** Columns of the unitary matrices on both sides. */
  readonly u: Lines;
  readonly v: Lines;
}

interface Numbers {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

const numbers = (n: number): Numbers => ({ re: new Float64Array(n), im: new Float64Array(n) });

function keep({ re, im }: Numbers, k: number): void {
  re[k] = found.re;
  im[k] = found.im;
}

function bidiagonal(a: Lines): Bidiagonal {
  const n = a.count;
  const isComplex = a.im !== null;
  const left = noReflections(a, n, n, 0);
  const right = noReflections(a, n, n, 1);
  const [diagonal, off] = [numbers(n), numbers(n)];
  const row = zeroLines(a.on, 1, n, isComplex);
  for (let k = 0; k < n; k++) {
    const isLeft = reflectTo(a, k, left, k);
    keep(diagonal, k);
    if (isLeft) reflect(a, k + 1, n, left, k);
    if (k === n - 1) break;
    for (let j = k + 1; j < n; j++) {
      row.re[j] = a.re[j * n + k]!;
      if (row.im) row.im[j] = -a.im![j * n + k]!;
    }
    const isRight = reflectTo(row, 0, right, k);
    keep(off, k);
    if (isRight) reflectRows(a, right, k, k + 1);
  }
  const [u, v] = [identityLines(a.on, n, n, isComplex), identityLines(a.on, n, n, isComplex)];
  const moduli = makeReal(diagonal, off, u, v);
  reflectDiagonal(u, left);
  reflectDiagonal(v, right);
  return { ...moduli, u, v };
}

/**
 * Makes both diagonals real and not negative by phases of the unit vectors on both sides. Entries of `off` are those of the
 * reflected rows conjugated.
 */
function makeReal(diagonal: Numbers, off: Numbers, u: Lines, v: Lines): { diagonal: Float64Array; off: Float64Array } {
  const n = u.count;
  const moduli = { diagonal: new Float64Array(n), off: new Float64Array(n) };
  found.re = 1;
  found.im = 0;
  for (let k = 0; k < n; k++) {
    moduli.diagonal[k] = joinPhase(diagonal.re[k]!, diagonal.im[k]!);
    scaleLine(u, k, found.re, found.im);
    if (k === n - 1) break;
    moduli.off[k] = joinPhase(off.re[k]!, off.im[k]!);
    scaleLine(v, k + 1, found.re, found.im);
  }
  return moduli;
}
