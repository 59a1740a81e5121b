/**
 * Steps of `direct.ts` for each element of small real matrices, which lie one behind the other: between many of them nothing is made.
 */
import { ArgumentError } from "../../../core/errors";
import type { LinalgAttrs, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isComplex } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import { loadF64, storeF64 } from "../../arrays/convert";
import { elementsOf, type Elements } from "../../arrays/storage";
import { checkHermitian } from "./hermitian";
import { ONE_LOOP_TO } from "./lines";

/** Numbers of matrices that are worked on at once: few enough for the first cache. */
const MANY = 2048;

/** Works on so many matrices of doubles. */
type Work = (inputs: readonly Float64Array[], outs: readonly Float64Array[], count: number) => void;

/**
 * Works on a batch of small real matrices: 1000 systems of 3 equations 6,080 us -> 380. Those of a group with a number that is not finite are left to `alone`.
 *
 * @returns whether there is such work for these matrices
 */
export function workOnSmall(
  attrs: LinalgAttrs,
  inputs: readonly Tensor[],
  outs: readonly Template[],
  results: readonly Elements[],
  alone: (index: number) => void,
): boolean {
  const count = sizeOf(inputs[0]!.shape.slice(0, -2));
  const work = count > 1 ? workOf(attrs, inputs) : null; // one Cholesky decomposition alone: 3.1 us -> 4.1
  if (work === null) return false;
  const sizeIn = ({ shape }: Template): number => shape.at(-2)! * shape.at(-1)!;
  const most = Math.min(count, Math.ceil(MANY / Math.max(...inputs.map(sizeIn))));
  const rooms = [...inputs, ...outs].map((t) => new Float64Array(most * sizeIn(t)));
  const [given, made] = [rooms.slice(0, inputs.length), rooms.slice(inputs.length)];
  for (let first = 0; first < count; first += most) {
    const now = Math.min(most, count - first);
    inputs.forEach((t, k) => loadF64(t.type, elementsOf(t), first * sizeIn(t), given[k]!, now * sizeIn(t)));
    if (!inputs.every((t, k) => areFinite(given[k]!, now * sizeIn(t)))) {
      for (let i = first; i < first + now; i++) alone(i);
      continue;
    }
    work(given, made, now);
    outs.forEach((t, k) => storeF64(t.type, results[k]!, first * sizeIn(t), made[k]!, now * sizeIn(t)));
  }
  return true;
}

function workOf(attrs: LinalgAttrs, inputs: readonly Tensor[]): Work | null {
  const [{ type, shape }, right] = inputs as [Tensor, Tensor?];
  const n = shape.at(-1)!;
  if (shape.at(-2)! > ONE_LOOP_TO || n > ONE_LOOP_TO || inputs.some((t) => isComplex(t.type))) return null;
  switch (attrs.op) {
    case "cholesky":
      return ([a], [l], count) => {
        for (let i = 0, at = 0; i < count; i++, at += n * n) {
          checkHermitian("cholesky", { count: n, re: a!, im: null }, type, at);
          smallCholesky(a!, l!, at, n);
        }
      };
    case "lu": {
      const order = new Int32Array(n);
      return ([a], [p, l, u], count) => {
        u!.set(a!);
        p!.fill(0);
        l!.fill(0);
        for (let at = 0; at < count * n * n; at += n * n) {
          smallLU(u!, at, order);
          moveMultipliers(l!, u!, at, n);
          for (let i = 0; i < n; i++) {
            l![at + i * n + i] = 1;
            p![at + order[i]! * n + i] = 1;
          }
        }
      };
    }
    case "triangularSolve": {
      const width = right!.shape.at(-1)!;
      return ([a, b], [x], count) => {
        x!.set(b!);
        for (let i = 0; i < count; i++) {
          smallTriangularSolve(a!, i * n * n, n, x!, i * n * width, width, attrs.lower, attrs.transform === "none");
        }
      };
    }
    default:
      return null;
  }
}

function areFinite(x: Float64Array, count: number): boolean {
  for (let k = 0; k < count; k++) if (!(Math.abs(x[k]!) < Infinity)) return false;
  return true;
}

/** l with a = l l^T of a matrix at a position of `a`. */
export function smallCholesky(a: Float64Array, l: Float64Array, at: number, n: number): void {
  for (let i = 0; i < n; i++) {
    const row = at + i * n;
    for (let j = 0; j <= i; j++) {
      let left = a[row + j]!;
      for (let k = 0; k < j; k++) left -= l[row + k]! * l[at + j * n + k]!;
      l[row + j] = i === j ? pivotRoot(left, i, n) : left / l[at + j * n + j]!;
    }
    l.fill(0, row + i + 1, row + n);
  }
}

export function pivotRoot(pivot: number, at: number, n: number): number {
  if (pivot > 0 && pivot < Infinity) return Math.sqrt(pivot);
  throw new ArgumentError(
    `the Cholesky decomposition needs a positive definite matrix, but the leading ${at + 1}x${at + 1} block of this ${n}x${n} ` +
      `matrix is not (pivot ${pivot}); use Nx.LinAlg.lu or Nx.LinAlg.eigh, or add to the diagonal`,
  );
}

/** Multipliers and what is left of the rows of a matrix, in its place, and the order that its rows came into. */
export function smallLU(u: Float64Array, at: number, order: Int32Array): void {
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
}

function swapRows(u: Float64Array, at: number, order: Int32Array, i: number, j: number): void {
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

/** x with t(a) x = b, where b lies in the place of x; a transform other than none reads columns for rows. */
export function smallTriangularSolve(
  a: Float64Array,
  at: number,
  n: number,
  x: Float64Array,
  atX: number,
  width: number,
  lower: boolean,
  isPlain: boolean,
): void {
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
    const pivot = a[at + i * n + i]!;
    if (pivot === 0) throw singular(i, n);
    for (let c = to; c < to + width; c++) x[c]! /= pivot;
  }
}

export const singular = (i: number, n: number): ArgumentError =>
  new ArgumentError(
    `can't solve for singular matrix: element ${i} of the diagonal of the ${n}x${n} triangle is 0; for a solution of least ` +
      `squares use Nx.LinAlg.leastSquares or Nx.LinAlg.pinv`,
  );
