/**
 * The singular values of real bidiagonal matrices to full relative precision, by implicit QR with and without shift (Demmel &
 * Kahan 1990, "Accurate singular values of bidiagonal matrices"; dbdsqr of LAPACK).
 */
import { noConvergence } from "./eigh";
import { enlarging, hypot, rotateLines, SMALLEST, type Lines } from "./lines";

/** Entries above the diagonal are negligible next to so many times the smallest singular value. */
const NEGLIGIBLE = 4 * Number.EPSILON;
/** Sweeps for each singular value that are never reached: about two are usual. */
const MOST_SWEEPS = 60;

/**
 * Singular values, with any sign, replace the diagonal `d`, and entries above it in `e` become 0; the columns of u and v, as lines,
 * are rotated along. Small values are found first at the end of a block, so one whose large end is there is seen from the
 * other side: with its rows and columns in the other order, transposed.
 */
export function diagonalise(d: Float64Array, e: Float64Array, u: Lines, v: Lines): void {
  const n = d.length;
  const rotations = { left: u.on.zeros(2 * n), right: u.on.zeros(2 * n) };
  const block = new Block(d, e);
  let left = MOST_SWEEPS * n;
  for (let end = n - 1; end > 0;) {
    const begin = beginOf(e, end);
    if (begin === end) {
      end--;
      continue;
    }
    if (left-- === 0) throw noConvergence("singular values", MOST_SWEEPS * n);
    block.take(begin, end);
    const smallest = clearNegligible(block);
    if (smallest !== null) {
      sweep(block, shiftOf(block, smallest), rotations);
      const { first, by } = block;
      rotateLines(by === 1 ? v : u, first, by, rotations.right, end - begin);
      rotateLines(by === 1 ? u : v, first, by, rotations.left, end - begin);
    }
    block.put();
  }
}

/** Where the block that ends at a position begins. */
function beginOf(e: Float64Array, end: number): number {
  let begin = end;
  while (begin > 0 && Math.abs(e[begin - 1]!) > SMALLEST) begin--;
  if (begin > 0) e[begin - 1] = 0;
  return begin;
}

/** A block of the matrix whose entries above the diagonal are not negligible, copied out and back. */
class Block {
  readonly d: Float64Array;
  readonly e: Float64Array;
  /** The number of entries above the diagonal. */
  last = 0;
  /** Its first row in the matrix, and whether the next lies behind it or in front of it. */
  first = -1;
  by: 1 | -1 = 1;
  #begin = -1;
  #end = -1;

  constructor(
    private readonly diagonal: Float64Array,
    private readonly above: Float64Array,
  ) {
    this.d = new Float64Array(diagonal.length);
    this.e = new Float64Array(diagonal.length);
  }

  /** Parts of a block are seen from the same side as the block. */
  take(begin: number, end: number): void {
    const { diagonal, above, d, e } = this;
    if (begin > this.#end || end < this.#begin) {
      this.by = Math.abs(diagonal[begin]!) < Math.abs(diagonal[end]!) ? -1 : 1;
    }
    this.#begin = begin;
    this.#end = end;
    this.first = this.by === 1 ? begin : end;
    this.last = end - begin;
    for (let i = 0, at = this.first; i <= this.last; i++, at += this.by) d[i] = diagonal[at]!;
    for (let i = 0, at = this.#firstAbove; i < this.last; i++, at += this.by) e[i] = above[at]!;
  }

  put(): void {
    const { diagonal, above, d, e } = this;
    for (let i = 0, at = this.first; i <= this.last; i++, at += this.by) diagonal[at] = d[i]!;
    for (let i = 0, at = this.#firstAbove; i < this.last; i++, at += this.by) above[at] = e[i]!;
  }

  get #firstAbove(): number {
    return this.by === 1 ? this.#begin : this.#end - 1;
  }
}

/** Makes a negligible entry 0 and gives null; without one a lower bound of the smallest singular value. */
function clearNegligible({ d, e, last }: Block): number | null {
  if (Math.abs(e[last - 1]!) <= NEGLIGIBLE * Math.abs(d[last]!)) {
    e[last - 1] = 0;
    return null;
  }
  let bound = Math.abs(d[0]!);
  let smallest = bound;
  for (let i = 0; i < last; i++) {
    const size = Math.abs(e[i]!);
    if (size <= NEGLIGIBLE * bound) {
      e[i] = 0;
      return null;
    }
    bound = Math.abs(d[i + 1]!) * (bound / (bound + size));
    smallest = Math.min(smallest, bound);
  }
  return smallest;
}

/** The shift: the smaller singular value of the last 2x2 block, or 0 where subtracting it would cost the smallest its digits. */
function shiftOf({ d, e, last }: Block, smallest: number): number {
  let largest = Math.abs(d[last]!);
  for (let i = 0; i < last; i++) largest = Math.max(largest, Math.abs(d[i]!), Math.abs(e[i]!));
  if ((last + 1) * NEGLIGIBLE * (smallest / largest) <= Number.EPSILON) return 0;
  const shift = smallerOf(Math.abs(d[last - 1]!), Math.abs(e[last - 1]!), Math.abs(d[last]!));
  const ratio = shift / Math.abs(d[0]!);
  return d[0] !== 0 && ratio * ratio < Number.EPSILON ? 0 : shift;
}

/** The smaller singular value of [[f, g], [0, h]] of numbers that are not negative (dlas2 of LAPACK). */
function smallerOf(f: number, g: number, h: number): number {
  const [least, most] = [Math.min(f, h), Math.max(f, h)];
  if (least === 0) return 0;
  const [sum, apart] = [1 + least / most, (most - least) / most];
  if (g < most) {
    const square = (g / most) * (g / most);
    return least * (2 / (Math.sqrt(sum * sum + square) + Math.sqrt(apart * apart + square)));
  }
  const small = most / g;
  if (small === 0) return (least * most) / g;
  const [p, q] = [sum * small, apart * small];
  return 2 * (least / (Math.sqrt(1 + p * p) + Math.sqrt(1 + q * q))) * small;
}

interface Rotations {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

const rotation = { c: 1, s: 0, r: 0 };

/** The rotation that brings (f, g) to (r, 0), left in `rotation`. */
function setRotation(f: number, g: number): void {
  if (g === 0) {
    rotation.c = 1;
    rotation.s = 0;
    rotation.r = f;
    return;
  }
  const r = hypot(f, g);
  const by = enlarging(r);
  const length = by === 1 ? r : hypot(by * f, by * g);
  rotation.c = (by * f) / length;
  rotation.s = (by * g) / length;
  rotation.r = r;
}

function note(rotations: Float64Array, i: number): void {
  rotations[2 * i] = rotation.c;
  rotations[2 * i + 1] = rotation.s;
}

/** One step of implicit QR; rotations are of each row with the next, and of each column. */
function sweep(block: Block, shift: number, rotations: Rotations): void {
  if (shift === 0) sweepWithoutShift(block, rotations);
  else sweepWithShift(block, shift, rotations);
}

/** Without shift no difference is taken, so that small singular values keep all of their digits. */
function sweepWithoutShift({ d, e, last }: Block, rotations: Rotations): void {
  let [c, oldC, oldS] = [1, 1, 0];
  for (let i = 0; i < last; i++) {
    setRotation(d[i]! * c, e[i]!);
    note(rotations.right, i);
    if (i > 0) e[i - 1] = oldS * rotation.r;
    c = rotation.c;
    setRotation(oldC * rotation.r, d[i + 1]! * rotation.s);
    note(rotations.left, i);
    d[i] = rotation.r;
    oldC = rotation.c;
    oldS = rotation.s;
  }
  const h = d[last]! * c;
  d[last] = h * oldC;
  e[last - 1] = h * oldS;
}

function sweepWithShift({ d, e, last }: Block, shift: number, rotations: Rotations): void {
  const first = d[0]!;
  let f = (Math.abs(first) - shift) * ((first < 0 ? -1 : 1) + shift / first);
  let g = e[0]!;
  for (let i = 0; i < last; i++) {
    setRotation(f, g);
    note(rotations.right, i);
    if (i > 0) e[i - 1] = rotation.r;
    const { c: cr, s: sr } = rotation;
    f = cr * d[i]! + sr * e[i]!;
    e[i] = cr * e[i]! - sr * d[i]!;
    g = sr * d[i + 1]!;
    d[i + 1]! *= cr;
    setRotation(f, g);
    note(rotations.left, i);
    d[i] = rotation.r;
    const { c: cl, s: sl } = rotation;
    f = cl * e[i]! + sl * d[i + 1]!;
    d[i + 1] = cl * d[i + 1]! - sl * e[i]!;
    if (i === last - 1) break;
    g = sl * e[i + 1]!;
    e[i + 1]! *= cl;
  }
  e[last - 1] = f;
}
