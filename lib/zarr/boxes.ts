/**
 * Boxes of elements: which chunks an array is cut into, and copying boxes between arrays of bytes. Knows sizes and bytes only.
 */

/** Part of an array: where it begins along each axis, and how long it is. */
export interface Box {
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
}

/** Elements in memory, in any order. */
export interface Layout {
  readonly bytes: Uint8Array;
  /** Of the first element, in elements. */
  readonly offset: number;
  /** Distances of neighbours along each axis, in elements. */
  readonly strides: readonly number[];
}

export const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** How many chunks there are along each axis. */
export const gridOf = (shape: readonly number[], chunks: readonly number[]): number[] =>
  shape.map((size, axis) => Math.ceil(size / chunks[axis]!));

/** The coordinates of the cell with a number in row-major order. */
export function cellAt(counts: readonly number[], number: number): number[] {
  const cell = counts.map(() => 0);
  for (let axis = counts.length - 1, rest = number; axis >= 0; axis--) {
    cell[axis] = rest % counts[axis]!;
    rest = Math.floor(rest / counts[axis]!);
  }
  return cell;
}

/** The part of an array that a chunk covers, without what the last chunk of an axis has beyond it. */
export function boxOfChunk(shape: readonly number[], chunks: readonly number[], cell: readonly number[]): Box {
  const starts = cell.map((at, axis) => at * chunks[axis]!);
  return { starts, lengths: starts.map((start, axis) => Math.min(chunks[axis]!, shape[axis]! - start)) };
}

/** Whether a box is whole chunks: none of them has elements outside of it. */
export function isWholeChunks(shape: readonly number[], chunks: readonly number[], { starts, lengths }: Box): boolean {
  return starts.every((start, axis) => {
    const end = start + lengths[axis]!;
    return start % chunks[axis]! === 0 && (end % chunks[axis]! === 0 || end === shape[axis]);
  });
}

/** The cells whose chunks have elements in a box, in row-major order. */
export function cellsOf(chunks: readonly number[], { starts, lengths }: Box): number[][] {
  const first = starts.map((start, axis) => Math.floor(start / chunks[axis]!));
  const counts = starts.map(
    (start, axis) => Math.floor((start + lengths[axis]! - 1) / chunks[axis]!) - first[axis]! + 1,
  );
  return Array.from({ length: product(counts) }, (_, number) =>
    cellAt(counts, number).map((at, axis) => at + first[axis]!),
  );
}

export function rowMajor(lengths: readonly number[]): number[] {
  const strides = lengths.map(() => 1);
  for (let axis = lengths.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1]! * lengths[axis + 1]!;
  return strides;
}

/** Where the element at a position lies. */
export const offsetAt = (strides: readonly number[], position: readonly number[]): number =>
  position.reduce((offset, at, axis) => offset + at * strides[axis]!, 0);

/** Copies a box of elements of so many bytes. What is contiguous on both sides goes in one piece. */
export function copyBox(to: Layout, from: Layout, lengths: readonly number[], width: number): void {
  let run = 1;
  let outer = lengths.length;
  while (
    outer > 0 &&
    (lengths[outer - 1] === 1 || (to.strides[outer - 1] === run && from.strides[outer - 1] === run))
  ) {
    run *= lengths[--outer]!;
  }
  if (outer === lengths.length && outer > 0) return copyElements(to, from, lengths, width);
  const copyRun = (target: number, source: number): void =>
    to.bytes.set(from.bytes.subarray(source * width, (source + run) * width), target * width);
  overAxes(lengths.slice(0, outer), to, from, copyRun);
}

/** Calls `visit` with where each position over the first axes lies on both sides. */
function overAxes(
  lengths: readonly number[],
  to: Layout,
  from: Layout,
  visit: (target: number, source: number) => void,
  axis = 0,
  target = to.offset,
  source = from.offset,
): void {
  if (axis === lengths.length) return visit(target, source);
  for (let i = 0; i < lengths[axis]!; i++) {
    overAxes(lengths, to, from, visit, axis + 1, target + i * to.strides[axis]!, source + i * from.strides[axis]!);
  }
}

/** Element by element, in words of four bytes at most: floats would lose the payloads of NaN, and big integers are slow. */
function copyElements(to: Layout, from: Layout, lengths: readonly number[], width: number): void {
  const word = Math.min(width, 4);
  const per = width / word;
  const [target, source] = [wordsOf(to.bytes, word), wordsOf(from.bytes, word)];
  const last = lengths.length - 1;
  const [count, targetStep, sourceStep] = [lengths[last]!, to.strides[last]! * per, from.strides[last]! * per];
  overAxes(lengths.slice(0, last), to, from, (targetAt, sourceAt) => {
    for (let i = 0, t = targetAt * per, s = sourceAt * per; i < count; i++, t += targetStep, s += sourceStep) {
      for (let part = 0; part < per; part++) target[t + part] = source[s + part]!;
    }
  });
}

function wordsOf(bytes: Uint8Array, word: number): Uint8Array | Uint16Array | Uint32Array {
  if (word === 1) return bytes;
  const aligned = bytes.byteOffset % word === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset, byteLength } = aligned;
  return word === 2
    ? new Uint16Array(buffer, byteOffset, byteLength / 2)
    : new Uint32Array(buffer, byteOffset, byteLength / 4);
}
