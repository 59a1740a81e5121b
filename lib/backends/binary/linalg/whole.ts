/**
 * Decompositions of whole real matrices of finite numbers, which lie one behind the other: the steps of `direct.ts` for each element.
 */
import { ArgumentError } from "../../../core/errors";
import type { DType } from "../../../core/types";
import { checkHermitian } from "./hermitian";

/** At a position of an array; each gives whether it is done, and nothing of what it left counts where it is not. */
export interface WholeLoops {
  /** l with a = l l^T, of a matrix that is hermitian within what its type allows. */
  cholesky(a: Float64Array, l: Float64Array, at: number, n: number, type: DType): boolean;
  areFinite(x: Float64Array): boolean;
  /** Multipliers and what is left of the rows of a matrix, in its place, and the order that its rows came into. */
  lu(u: Float64Array, at: number, order: Float64Array): boolean;
  /**
   * x with a x = b by what `lu` leaves of a matrix, in its place. There is no -0 among right sides, as behind a product with a permutation. One
   * with a 0 on the diagonal is refused, or has an x that is not finite.
   */
  solve(
    u: Float64Array,
    at: number,
    order: Float64Array,
    b: Float64Array,
    x: Float64Array,
    atX: number,
    width: number,
  ): void;
  /**
   * x with t(a) x = b, where b lies in the place of x; a transform other than none reads columns for rows. A unit triangle has ones for its
   * diagonal, whatever lies there.
   */
  triangularSolve(
    a: Float64Array,
    at: number,
    n: number,
    x: Float64Array,
    atX: number,
    width: number,
    lower: boolean,
    isPlain: boolean,
    isUnit?: boolean,
  ): boolean;
}

const cholesky: WholeLoops["cholesky"] = (a, l, at, n, type) => {
  checkHermitian("cholesky", { count: n, re: a, im: null }, type, at);
  for (let i = 0; i < n; i++) {
    const row = at + i * n;
    for (let j = 0; j <= i; j++) {
      let left = a[row + j]!;
      for (let k = 0; k < j; k++) left -= l[row + k]! * l[at + j * n + k]!;
      l[row + j] = i === j ? pivotRoot(left, i, n) : left / l[at + j * n + j]!;
    }
    l.fill(0, row + i + 1, row + n);
  }
  return true;
};

export function pivotRoot(pivot: number, at: number, n: number): number {
  if (pivot > 0 && pivot < Infinity) return Math.sqrt(pivot);
  throw new ArgumentError(
    `the Cholesky decomposition needs a positive definite matrix, but the leading ${at + 1}x${at + 1} block of this ${n}x${n} ` +
      `matrix is not (pivot ${pivot}); use Nx.LinAlg.lu or Nx.LinAlg.eigh, or add to the diagonal`,
  );
}

const lu: WholeLoops["lu"] = (u, at, order) => {
  const n = order.length;
  for (let i = 0; i < n; i++) order[i] = i;
  for (let k = 0; k < n; k++) {
    const row = at + k * n;
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(u[at + i * n + k]!) > Math.abs(u[at + best * n + k]!)) best = i;
    if (best !== k) swapRows(u, at, order, k, best);
    const pivot = u[row + k]!;
    if (pivot === 0) continue;
    for (let i = k + 1; i < n; i++) {
      const to = at + i * n;
      const f = u[to + k]! / pivot;
      u[to + k] = f;
      for (let j = k + 1; j < n; j++) u[to + j]! -= f * u[row + j]!;
    }
  }
  return true;
};

function swapRows(u: Float64Array, at: number, order: Float64Array, i: number, j: number): void {
  const n = order.length;
  for (let k = 0; k < n; k++) {
    const held = u[at + i * n + k]!;
    u[at + i * n + k] = u[at + j * n + k]!;
    u[at + j * n + k] = held;
  }
  const held = order[i]!;
  order[i] = order[j]!;
  order[j] = held;
}

/** Moves what is below the diagonal of a matrix from u to l, and leaves zeros. */
export function moveMultipliers(l: Float64Array, u: Float64Array, at: number, n: number): void {
  for (let i = 1; i < n; i++) {
    const row = at + i * n;
    for (let k = row; k < row + i; k++) {
      l[k] = u[k]!;
      u[k] = 0;
    }
  }
}

const triangularSolve: WholeLoops["triangularSolve"] = (a, at, n, x, atX, width, lower, isPlain, isUnit) => {
  const [row, step] = isPlain ? [n, 1] : [1, n];
  const isForward = lower === isPlain;
  const by = isForward ? 1 : -1;
  const first = isForward ? 0 : n - 1;
  for (let k = 0, i = first; k < n; k++, i += by) {
    const to = atX + i * width;
    for (let s = 0, j = first; s < k; s++, j += by) {
      const f = a[at + i * row + j * step]!;
      const from = atX + j * width;
      for (let c = 0; c < width; c++) x[to + c]! -= f * x[from + c]!;
    }
    if (isUnit) continue;
    const pivot = a[at + i * n + i]!;
    if (pivot === 0) throw singular(i, n);
    for (let c = to; c < to + width; c++) x[c]! /= pivot;
  }
  return true;
};

const solve: WholeLoops["solve"] = (u, at, order, b, x, atX, width) => {
  const n = order.length;
  lu(u, at, order);
  for (let i = 0; i < n; i++) {
    const [to, from] = [atX + i * width, atX + order[i]! * width];
    for (let j = 0; j < width; j++) x[to + j] = b[from + j]! + 0;
  }
  triangularSolve(u, at, n, x, atX, width, true, true, true);
  triangularSolve(u, at, n, x, atX, width, false, true);
};

/** The sign of a permutation, of which the identity is left: each of its cycles of an even length changes it. */
export function signOf(order: Float64Array): number {
  let sign = 1;
  for (let i = 0; i < order.length; i++) {
    for (let j = order[i]!; j !== i; sign = -sign) {
      const next = order[j]!;
      order[j] = j;
      j = next;
    }
  }
  return sign;
}

export const singular = (i: number, n: number): ArgumentError =>
  new ArgumentError(
    `can't solve for singular matrix: element ${i} of the diagonal of the ${n}x${n} triangle is 0; for a solution of least ` +
      `squares use Nx.LinAlg.leastSquares or Nx.LinAlg.pinv`,
  );

/** Whether all numbers are finite: 0 times each is 0. Four sums at a time, since an addition waits for the one before. */
function areFinite(x: Float64Array): boolean {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let k = 0;
  for (; k + 3 < x.length; k += 4) {
    s0 += 0 * x[k]!;
    s1 += 0 * x[k + 1]!;
    s2 += 0 * x[k + 2]!;
    s3 += 0 * x[k + 3]!;
  }
  for (; k < x.length; k++) s0 += 0 * x[k]!;
  return s0 + s1 + s2 + s3 === 0;
}

/** Plain loops, which do what can be done, and raise what is wrong. */
export const plainWhole: WholeLoops = { areFinite, cholesky, lu, solve, triangularSolve };
