/**
 * Code that copies boxes of items between two places at any steps, all sizes baked in: what moving elements about comes down
 * to. Knows bytes and steps, not types and shapes.
 */
import {
  advance,
  call,
  copyOne,
  func,
  i32,
  isSize,
  local,
  repeat,
  shuffleItems,
  splatItem,
  storeFirst,
  v128,
  type Code,
  type Func,
  type Input,
  type Int,
  type Size,
  type Vector,
} from "../asm";
import { joinedAxes, type BoxAxis as Axis } from "../copy/boxes";
import { transposeFunction } from "../copy/transpose-code";
import { PATTERN_VECTORS_MOST, TRANSPOSED_FROM, UNROLLED } from "../schedule/programs";

/** An address in memory: an integer of the function, and bytes behind it. */
export interface Address {
  readonly base: Int;
  readonly offset: number;
}

export const at = (base: Int, offset = 0): Address => ({ base, offset });

/** Items of so many bytes on a box of axes. */
export interface Box {
  readonly axes: readonly Axis[];
  readonly bytes: number;
}

/** The box of a shape with steps in items; axes of one item are dropped, neighbours that both ends walk as one are joined. */
export function boxOf(shape: readonly number[], from: readonly number[], to: readonly number[], bytes: number): Box {
  const axes = joinedAxes(shape.map((size, i) => ({ size, from: from[i]! * bytes, to: to[i]! * bytes })));
  const last = axes.at(-1);
  if (last?.from !== bytes || last.to !== bytes) return { axes, bytes };
  return { axes: axes.slice(0, -1), bytes: bytes * last.size };
}

/** Copies a box; source and target do not overlap. */
export function copyBox({ axes, bytes }: Box, source: Address, target: Address): void {
  const [first, ...rest] = axes;
  if (!first) return copyRun(bytes, source, target);
  if (rest.length === 0 && copyLine(first, bytes, source, target)) return;
  const each = rest.reduce((n, { size }) => n * size, piecesOf(bytes));
  if (each * first.size <= UNROLLED) return copyItems(axes, bytes, source, target);
  if (2 * each <= UNROLLED || rest.length === 0) return copyTogether(first, rest, bytes, source, target);
  if (copyTransposed(axes, bytes, source, target)) return;
  const [from, to] = [pointerAt(source), pointerAt(target)];
  times(first.size, () => {
    copyBox({ axes: rest, bytes }, at(from), at(to));
    advance(from, first.from);
    advance(to, first.to);
  });
}

/** `(from, to)`: copies a box. */
export const boxFunction = (box: Box): Func<readonly ["i32", "i32"], readonly []> =>
  func({ in: ["i32", "i32"], out: [] }, ([from, to]) => copyBox(box, at(from), at(to)));

/** A pointer of its own to what lies some bytes behind an address. */
export const pointerTo = (base: Int, offset: Input<"i32"> = 0): Int => local.fresh("i32", i32.add(base, offset));

/** The body so many times. */
export function times(count: number, body: () => void): void {
  if (count === 0) return;
  if (count === 1) return body();
  const left = local.fresh("i32", count);
  repeat(() => {
    body();
    local.tee(left, i32.sub(left, 1));
  });
}

// ---------------------------------------------------------------------------------------------------------- items one by one

/** All items, each by instructions of its own. */
function copyItems(axes: readonly Axis[], bytes: number, source: Address, target: Address): void {
  const lowest = (end: "from" | "to"): number =>
    axes.reduce((sum, axis) => sum + Math.min(0, (axis.size - 1) * axis[end]), 0);
  // Offsets of instructions are not negative.
  const lying = (place: Address, low: number): Address =>
    place.offset + low >= 0 ? place : at(pointerTo(place.base, place.offset + low), -low);
  const [from, to] = [lying(source, lowest("from")), lying(target, lowest("to"))];
  const last = axes.at(-1);
  if (last?.from === 0 && last.to === bytes && isSize(bytes)) {
    const put = (s: number, t: number) => fill(last.size * bytes, [splatOf(bytes, shifted(from, s))], shifted(to, t));
    eachItem(axes.slice(0, -1), 0, 0, put);
  } else eachItem(axes, 0, 0, (s, t) => copyRun(bytes, shifted(from, s), shifted(to, t)));
}

function eachItem(axes: readonly Axis[], from: number, to: number, visit: (from: number, to: number) => void): void {
  const [first, ...rest] = axes;
  if (!first) return visit(from, to);
  for (let i = 0; i < first.size; i++) eachItem(rest, from + i * first.from, to + i * first.to, visit);
}

const shifted = ({ base, offset }: Address, by: number): Address => at(base, offset + by);

/** A pointer of its own to a place. */
const pointerAt = ({ base, offset }: Address): Int => pointerTo(base, offset);

/** Several items of the first axis an iteration, with all that is behind each. */
function copyTogether(first: Axis, rest: readonly Axis[], bytes: number, source: Address, target: Address): void {
  const count = rest.reduce((n, { size }) => n * size, piecesOf(bytes));
  const each = Math.max(1, Math.floor(UNROLLED / count));
  const [from, to] = [pointerAt(source), pointerAt(target)];
  const copy = (size: number): void => copyItems([{ ...first, size }, ...rest], bytes, at(from), at(to));
  times(Math.floor(first.size / each), () => {
    copy(each);
    advance(from, each * first.from);
    advance(to, each * first.to);
  });
  if (first.size % each > 0) copy(first.size % each);
}

/** One axis of the same item again and again, or of items against their order; whether it is one. */
function copyLine({ size, from, to }: Axis, bytes: number, source: Address, target: Address): boolean {
  if (to !== bytes || size * bytes < 16) return false;
  if (!isSize(bytes)) return from === 0 && repeatRun(size, bytes, source, target);
  if (from === 0) fill(size * bytes, [splatOf(bytes, source)], target);
  else if (from === -bytes && bytes !== 16) copyReversed(size, bytes, source, target);
  else return false;
  return true;
}

/** A run of bytes again and again: as the vectors after which both the run and a vector begin anew; whether these are few. */
function repeatRun(size: number, bytes: number, source: Address, target: Address): boolean {
  const runs = 16 / (bytes & -bytes & 15 || 16);
  const held = (runs * bytes) / 16;
  if (held > PATTERN_VECTORS_MOST || size < 2 * runs) return false;
  for (let i = 0; i < runs; i++) copyRun(bytes, source, shifted(target, i * bytes));
  const vectors = Array.from({ length: held }, (_, i) =>
    local.fresh("v128", v128.load({ offset: target.offset + 16 * i, align: 1 }, target.base)),
  );
  fill((size - runs) * bytes, vectors, shifted(target, runs * bytes));
  return true;
}

/** Items next to each other against their order, a vector at a time; the last one ends where they begin. */
function copyReversed(size: number, bytes: Exclude<Size, 16>, source: Address, target: Address): void {
  const count = 16 / bytes;
  const order = Array.from({ length: count }, (_, i) => count - 1 - i);
  const vector = local.fresh("v128");
  const reverse = (from: Int, to: Int): void => {
    local.set(vector, v128.load({ align: 1 }, from));
    v128.store({ align: 1 }, to, shuffleItems(bytes, order, vector, vector));
  };
  const from = pointerAt(shifted(source, bytes - 16));
  const to = pointerAt(target);
  times(Math.floor(size / count), () => {
    reverse(from, to);
    advance(from, -16);
    advance(to, 16);
  });
  const over = size % count;
  if (over === 0) return;
  advance(from, (count - over) * bytes);
  advance(to, (over - count) * bytes);
  reverse(from, to);
}

/** Planes in which the neighbours of one end are rows of the other; whether they are many enough for a call. */
function copyTransposed(axes: readonly Axis[], bytes: number, source: Address, target: Address): boolean {
  const [outer, inner] = axes.slice(-2) as [Axis, Axis];
  const isPlane = outer.from === bytes && inner.to === bytes && outer.size >= 4 && inner.size >= 4;
  if (axes.length !== 2 || !isPlane || (bytes !== 4 && bytes !== 8)) return false;
  if (outer.size * inner.size < TRANSPOSED_FROM) return false;
  const [from, to] = [pointerAt(source), pointerAt(target)];
  call(TRANSPOSE[bytes], [to, outer.to, from, inner.from, inner.size, outer.size]);
  return true;
}

const TRANSPOSE: { readonly [B in 4 | 8]: Code } = { 4: transposeFunction(4), 8: transposeFunction(8) };

// --------------------------------------------------------------------------------------------------------------------- runs

/** Bytes of a piece of a run that is taken apart by itself. */
const PIECE = 16;

/** Instructions that copy a run of neighbouring bytes. */
const piecesOf = (bytes: number): number => (bytes < PIECE ? bitCount(bytes) : Math.ceil(bytes / PIECE));

const bitCount = (value: number): number => [...value.toString(2)].filter((digit) => digit === "1").length;

/**
 * Neighbouring bytes. The host's own copy would be faster by itself, but it takes 13 times as long where the one end lies some bytes behind the
 * other by the last 12 bits of their addresses (AMD EPYC, 16 to 512 kB), as a shifted array often does.
 */
export function copyRun(bytes: number, source: Address, target: Address): void {
  if (piecesOf(bytes) <= UNROLLED) return copyPieces(bytes, source, target);
  const [from, to] = [pointerAt(source), pointerAt(target)];
  const step = UNROLLED * PIECE;
  times(Math.floor(bytes / step), () => {
    copyPieces(step, at(from), at(to));
    advance(from, step);
    advance(to, step);
  });
  if (bytes % step > 0) copyPieces(bytes % step, at(from), at(to));
}

/** A few bytes; the last piece of a longer run ends where that does. */
function copyPieces(bytes: number, source: Address, target: Address): void {
  let done = 0;
  for (; bytes - done >= PIECE; done += PIECE) copyPiece(PIECE, shifted(source, done), shifted(target, done));
  if (done > 0 && done < bytes) return copyPiece(PIECE, shifted(source, bytes - PIECE), shifted(target, bytes - PIECE));
  for (const size of [8, 4, 2, 1] as const) {
    if ((bytes & size) === 0) continue;
    copyPiece(size, shifted(source, done), shifted(target, done));
    done += size;
  }
}

const copyPiece = (size: Size, from: Address, to: Address): void =>
  copyOne(size, to.base, from.base, from.offset, to.offset);

// -------------------------------------------------------------------------------------------------------------------- fills

/** A vector of one item again and again, which is read now. */
export const splatOf = (bytes: Size, { base, offset }: Address): Vector =>
  local.fresh("v128", splatItem(bytes, base, offset));

/** A vector of the bytes of one item again and again. */
export function constantOf(bytes: Uint8Array): Vector {
  const lanes = Array.from({ length: 16 }, (_, i) => bytes[i % bytes.length]!);
  return local.fresh("v128", v128.const("i8x16", lanes));
}

/** So many bytes of some vectors again and again, from the first byte of the first one on. */
export function fill(bytes: number, vectors: readonly Vector[], target: Address): void {
  const whole = Math.floor(bytes / PIECE);
  const vectorOf = (i: number): Vector => vectors[i % vectors.length]!;
  const put = (count: number, { base, offset }: Address): void => {
    for (let i = 0; i < count; i++) v128.store({ offset: offset + i * PIECE, align: 1 }, base, vectorOf(i));
  };
  const each = Math.max(1, Math.floor(UNROLLED / vectors.length)) * vectors.length;
  if (whole <= each) {
    put(whole, target);
    return storeFirst(bytes % PIECE, target.base, vectorOf(whole), target.offset + whole * PIECE);
  }
  const to = pointerAt(target);
  const iterations = Math.floor(whole / each);
  times(iterations, () => {
    put(each, at(to));
    advance(to, each * PIECE);
  });
  fill(bytes - iterations * each * PIECE, vectors, at(to));
}
