/**
 * The QR iteration of real matrices by double shifts (Francis 1961; Golub & Van Loan 7.5; hqr2 of EISPACK): blocks of one and of two
 * rows are left on the diagonal, those of two for pairs of conjugate eigenvalues.
 */
import { noConvergence } from "./eigh";
import type { Similar } from "./hessenberg";
import { hypot, SMALLEST } from "./lines";

/** More steps than any matrix is known to take for one pair of eigenvalues. */
const MOST_STEPS = 60;
/** After so many steps without a result the shifts are others, which no symmetry of a matrix repeats. */
const OTHER_SHIFTS_EACH = 10;

/** A real matrix h as rows, and q, whose columns are lines; both as they stand. */
export interface RealSchur {
  readonly n: number;
  readonly h: Float64Array;
  readonly q: Float64Array;
}

/** Makes blocks of h in place; the columns of q are transformed along. */
export function francis({ h: { re: h, count: n }, q: { re: q } }: Similar): RealSchur {
  const on = { n, h, q };
  const size = largestRow(on);
  for (let [end, steps] = [n - 1, 0]; end > 0;) {
    const begin = beginOfBlock(on, end, size);
    if (begin < end - 1) {
      if (steps === MOST_STEPS) throw noConvergence("eigenvalues", MOST_STEPS);
      doubleStep(on, begin, end, ++steps % OTHER_SHIFTS_EACH === 0);
      continue;
    }
    if (begin === end - 1) splitPair(on, begin);
    end = begin - 1;
    steps = 0;
  }
  return on;
}

function largestRow({ n, h }: RealSchur): number {
  let most = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = Math.max(0, i - 1); j < n; j++) sum += Math.abs(h[i * n + j]!);
    most = Math.max(most, sum);
  }
  return most;
}

/** The first row of the block that ends with row `end`: the element in front of it is negligible, and becomes 0. */
function beginOfBlock({ n, h }: RealSchur, end: number, size: number): number {
  let l = end;
  for (; l > 0; l--) {
    const around = Math.abs(h[(l - 1) * n + l - 1]!) + Math.abs(h[l * n + l]!) || size;
    if (Math.abs(h[l * n + l - 1]!) > Math.max(Number.EPSILON * around, SMALLEST)) continue;
    h[l * n + l - 1] = 0;
    break;
  }
  return l;
}

/** The sum and the product of two shifts, as x + y and x y - w. */
interface Shifts {
  readonly x: number;
  readonly y: number;
  readonly w: number;
}

/** The eigenvalues of the last two rows of a block. */
function shiftsAt({ n, h }: RealSchur, end: number, isOther: boolean): Shifts {
  const last = end * n + end;
  const x = h[last]!;
  if (!isOther) return { x, y: h[last - n - 1]!, w: h[last - 1]! * h[last - n]! };
  const s = Math.abs(h[last - 1]!) + Math.abs(h[last - n - 2]!);
  return { x: x + 0.75 * s, y: x + 0.75 * s, w: -0.4375 * s * s };
}

/** The first row from below at which a step may begin, and the reflection it begins with. */
function beginning(
  { n, h }: RealSchur,
  begin: number,
  end: number,
  { x, y, w }: Shifts,
): { readonly m: number; readonly v: Vector } {
  for (let m = end - 2; ; m--) {
    const at = m * n + m;
    const z = h[at]!;
    const r = x - z;
    const s = y - z;
    const v: [number, number, number] = [
      (r * s - w) / h[at + n]! + h[at + 1]!,
      h[at + n + 1]! - z - r - s,
      h[at + 2 * n + 1]!,
    ];
    const size = Math.abs(v[0]) + Math.abs(v[1]) + Math.abs(v[2]);
    for (let i = 0; i < 3; i++) v[i]! /= size;
    if (m === begin) return { m, v };
    const before = Math.abs(h[at - 1]!) * (Math.abs(v[1]) + Math.abs(v[2]));
    const around = Math.abs(h[at - n - 1]!) + Math.abs(z) + Math.abs(h[at + n + 1]!);
    if (before <= Number.EPSILON * Math.abs(v[0]) * around) return { m, v };
  }
}

type Vector = readonly [number, number, number];

/** One step of the iteration with two shifts on the rows from `begin` to `end`. */
function doubleStep(on: RealSchur, begin: number, end: number, isOther: boolean): void {
  const { n, h } = on;
  const first = beginning(on, begin, end, shiftsAt(on, end, isOther));
  let v = first.v;
  for (let k = first.m; k < end; k++) {
    const isLast = k === end - 1;
    const at = k * n + k - 1;
    let size = 1;
    if (k > first.m) {
      v = [h[at]!, h[at + n]!, isLast ? 0 : h[at + 2 * n]!];
      size = Math.abs(v[0]) + Math.abs(v[1]) + Math.abs(v[2]);
      if (size === 0) continue;
      v = [v[0] / size, v[1] / size, v[2] / size];
    }
    const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const s = v[0] < 0 ? -length : length;
    if (k > first.m) {
      h[at] = -s * size;
      h[at + n] = 0;
      if (!isLast) h[at + 2 * n] = 0;
    } else if (first.m > begin) h[at] = -h[at]!;
    reflectThree(on, k, end, v, s);
  }
}

/** Applies the reflection of v, of length |s|, to rows and columns from k on, and to q. */
function reflectThree({ n, h, q }: RealSchur, k: number, end: number, [v0, v1, v2]: Vector, s: number): void {
  const p = v0 + s;
  const [f0, f1, f2, g1, g2] = [p / s, v1 / s, v2 / s, v1 / p, v2 / p];
  const isThree = k < end - 1;
  for (let at = k * n + k; at < k * n + n; at++) {
    const t = h[at]! + g1 * h[at + n]! + (isThree ? g2 * h[at + 2 * n]! : 0);
    h[at]! -= t * f0;
    h[at + n]! -= t * f1;
    if (isThree) h[at + 2 * n]! -= t * f2;
  }
  for (let i = 0; i <= Math.min(end, k + 3); i++) {
    const at = i * n + k;
    const t = f0 * h[at]! + f1 * h[at + 1]! + (isThree ? f2 * h[at + 2]! : 0);
    h[at]! -= t;
    h[at + 1]! -= t * g1;
    if (isThree) h[at + 2]! -= t * g2;
  }
  for (let at = k * n; at < k * n + n; at++) {
    const t = f0 * q[at]! + f1 * q[at + n]! + (isThree ? f2 * q[at + 2 * n]! : 0);
    q[at]! -= t;
    q[at + n]! -= t * g1;
    if (isThree) q[at + 2 * n]! -= t * g2;
  }
}

/** Makes a block of two rows triangular where its eigenvalues are real. */
function splitPair({ n, h, q }: RealSchur, k: number): void {
  const at = k * n + k;
  const half = (h[at]! - h[at + n + 1]!) / 2;
  const square = half * half + h[at + 1]! * h[at + n]!;
  if (square < 0) return;
  const root = Math.sqrt(square);
  const z = half + (half < 0 ? -root : root);
  const below = h[at + n]!;
  const length = hypot(below, z);
  const [s, c] = [below / length, z / length];
  for (let j = at; j < k * n + n; j++) {
    const x = h[j]!;
    const y = h[j + n]!;
    h[j] = c * x + s * y;
    h[j + n] = c * y - s * x;
  }
  for (let i = k; i <= (k + 1) * n + k; i += n) {
    const x = h[i]!;
    const y = h[i + 1]!;
    h[i] = c * x + s * y;
    h[i + 1] = c * y - s * x;
  }
  for (let i = k * n; i < k * n + n; i++) {
    const x = q[i]!;
    const y = q[i + n]!;
    q[i] = c * x + s * y;
    q[i + n] = c * y - s * x;
  }
  h[at + n] = 0;
}
