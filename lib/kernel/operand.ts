/**
 * Operands of kernels: elements in an ordinary array and strides over the space of a kernel. Elements are copied block by
 * block into contiguous memory, in the order of the space, as they are stored. Knows arrays and strides, not tensors.
 */
import { rowMajorStrides } from "../core/shape";

export type Elements =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Elements read by a kernel: `width` entries each, the first one at element `offset`, `strides` in elements. */
export interface Operand {
  readonly elements: Elements;
  readonly width: 1 | 2;
  readonly offset: number;
  readonly strides: readonly number[];
}

/** How an operand lies in a space, worked out once for each shape and strides. */
export interface Access {
  readonly kind: "uniform" | "contiguous" | "periodic" | "strided" | "joined";
  readonly offset: number;
  readonly walk: Walk;
  /** Reads several arrays as one, where that is how the operand lies. */
  readonly join?: (arrays: readonly Elements[], width: 1 | 2) => Reader;
}

/** A reader of the arrays of an operand: one, or several where its access joins them. */
export const reading = (arrays: readonly Elements[], width: 1 | 2, access: Access): Reader =>
  access.join?.(arrays, width) ?? new Reader(arrays[0]!, width, access);

/** Elements along axes: the first one and the steps at the source and at the target, in elements. */
export interface ElementBox {
  readonly from: number;
  readonly to: number;
  readonly sizes: readonly number[];
  readonly fromSteps: readonly number[];
  readonly toSteps: readonly number[];
}

/** Copies a box of elements of an array to another one. */
export type CopyBox = (dst: Elements, box: ElementBox) => void;

/** How boxes of an array are copied; undefined where that has to be done element by element. */
export type CopyOf = (elements: Elements, width: 1 | 2) => CopyBox | undefined;

/** Elements that are neighbours in an array: the first one. */
export interface Run {
  readonly elements: Elements;
  readonly at: number;
}

/** The elements of an operand in the order of a space. */
export class Reader {
  constructor(
    readonly elements: Elements,
    readonly width: 1 | 2,
    readonly access: Access,
  ) {}

  /** The arrays that are read. */
  get arrays(): readonly Elements[] {
    return [this.elements];
  }

  /** Whether all elements of the space read the same one. */
  get isUniform(): boolean {
    return this.access.kind === "uniform";
  }

  /** The period of a repeating operand in elements; 0 where it does not repeat. */
  get period(): number {
    const { kind, walk } = this.access;
    return kind === "periodic" ? walk.shape[walk.shape.length - 1]! : 0;
  }

  /** Elements of a row where rows can be read side by side; 0 where they can not. */
  get transposedRow(): number {
    const { shape, strides } = this.access.walk;
    const rank = shape.length;
    return rank > 1 && strides[rank - 1] !== 0 && strides[rank - 2] === 1 ? shape[rank - 1]! : 0;
  }

  /**
   * Whether pieces of so many elements of the space read little of each line of memory that they touch, and one of all elements reads
   * more.
   */
  isScattered(piece: number): boolean {
    const { shape, strides } = this.access.walk;
    const last = shape.length - 1;
    if (Math.abs(strides[last] ?? 0) < FAR) return false;
    let near = last;
    for (let axis = 0; axis < last; axis++) {
      if (strides[axis] !== 0 && Math.abs(strides[axis]!) < Math.abs(strides[near]!)) near = axis;
    }
    const block = shape.slice(near + 1).reduce((product, dim) => product * dim, 1);
    return piece / block < Math.min(SIDE_BY_SIDE, shape[near]!);
  }

  /** Whether another reader reads the same elements in the same order. */
  isSame(other: Reader): boolean {
    return this.elements === other.elements && this.access === other.access;
  }

  /** The same elements in another space. */
  through(access: Access): Reader {
    return new Reader(this.elements, this.width, access);
  }

  /** The array in which elements `start` to `start + n` of the space lie in their order, and where; null where they lie in none. */
  runAt(_start: number, _n: number): Run | null {
    return null;
  }

  /** Elements `start` to `start + n` of the space as boxes, to be copied to element `at` of another array and on. */
  boxes(start: number, n: number, at: number, each: (box: ElementBox) => void): void {
    const { walk, offset } = this.access;
    eachBox(walk, offset, start, n, at, each);
  }

  /** Copies elements `start` to `start + n` of the space to `dst`, at element `at`; boxes by the copier that `copyOf` gives, if any. */
  read(dst: Elements, at: number, start: number, n: number, copyOf?: CopyOf): void {
    const { elements, width, access } = this;
    const { kind, offset } = access;
    if (kind === "uniform") copyRun(dst, at, elements, offset, 0, n, width);
    else if (kind === "contiguous") copyRun(dst, at, elements, offset + start, 1, n, width);
    else {
      const copy = n < FEW ? undefined : copyOf?.(elements, width);
      if (copy) this.boxes(start, n, at, (box) => copy(dst, box));
      else if (kind === "periodic") repeat(dst, at, this, start, n);
      else gather(dst, at, this, start, n);
    }
  }
}

/** Axes and steps along them, as few as possible. */
export interface Walk {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** The step in elements that a walk takes after so many elements of the space. */
export function stepAt({ shape, strides }: Walk, below: number): number {
  let inner = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const outer = inner * shape[axis]!;
    if (below < outer) return (strides[axis]! * below) / inner;
    inner = outer;
  }
  return 0;
}

/**
 * The numbers of elements after which some walks over `size` elements take another step, ascending up to that size: between two of them
 * each goes in equal steps. Null where one does not divide the next.
 */
export function commonEnds(walks: readonly Walk[], size: number): number[] | null {
  const ends = new Set([size]);
  for (const { shape } of walks) {
    let inner = 1;
    for (let axis = shape.length - 1; axis > 0; axis--) ends.add((inner *= shape[axis]!));
  }
  const found = [...ends].sort((a, b) => a - b);
  return found.every((end, i) => i === 0 || end % found[i - 1]! === 0) ? found : null;
}

/** The same walk with as few axes as possible: axes that continue each other become one. */
export function collapse(shape: readonly number[], strides: readonly number[]): Walk {
  const dims: number[] = [];
  const steps: number[] = [];
  shape.forEach((dim, axis) => {
    if (dim === 1) return;
    const last = dims.length - 1;
    if (last >= 0 && steps[last] === strides[axis]! * dim) {
      dims[last]! *= dim;
      steps[last] = strides[axis]!;
    } else {
      dims.push(dim);
      steps.push(strides[axis]!);
    }
  });
  return { shape: dims, strides: steps };
}

/** How an operand of these strides lies in a space of this shape. */
export function accessOf(shape: readonly number[], strides: readonly number[], offset: number): Access {
  const walk = collapse(shape, strides);
  return { kind: kindOf(walk), offset, walk };
}

function kindOf({ strides }: Walk): Access["kind"] {
  const rank = strides.length;
  if (strides.every((stride) => stride === 0)) return "uniform";
  if (strides[rank - 1] !== 1) return "strided";
  if (rank === 1) return "contiguous";
  return strides.slice(0, -1).every((stride) => stride === 0) ? "periodic" : "strided";
}

/** How to read an operand over a space. */
export function readerOf({ elements, width, offset, strides }: Operand, shape: readonly number[]): Reader {
  return new Reader(elements, width, accessOf(shape, strides, offset));
}

/** A run of elements repeated: the first period is copied from the operand, the others from what was written. */
function repeat(dst: Elements, at: number, { elements, width, access }: Reader, start: number, n: number): void {
  const { offset, walk } = access;
  const period = walk.shape[walk.shape.length - 1]!;
  const phase = start % period;
  const head = Math.min(n, period - phase);
  copyRun(dst, at, elements, offset + phase, 1, head, width);
  let done = head + Math.min(n - head, phase);
  copyRun(dst, at + head, elements, offset, 1, done - head, width);
  while (done < n) {
    const count = Math.min(done, n - done);
    dst.copyWithin((at + done) * width, at * width, (at + count) * width);
    done += count;
  }
}

/** Runs at least this long are copied by the engine. */
const LONG_RUN = 32;

/** Rows copied side by side where neighbours in memory are neighbours across rows: so many elements share a cache line. */
export const SIDE_BY_SIDE = 16;

/**
 * Elements from one to the next from which on little is read of a line: rows of 4 to 12 elements that are transposed, plus others of their
 * shape, take 0.3 to 0.8 of the time where they are copied together (a million of f32), rows of 2 or 3 as long or 1.15 times as long.
 */
const FAR = 4;

/** Elements below which a call for boxes of them is not worth it. */
export const FEW = 64;

/** Elements of a walk, `n` from `start` on, as boxes: what is left of begun rows and planes, whole ones, and what begins behind them. */
function eachBox(
  { shape, strides }: Walk,
  offset: number,
  start: number,
  n: number,
  at: number,
  each: (box: ElementBox) => void,
): void {
  const rank = shape.length;
  const toSteps = rowMajorStrides(shape);
  const go = (axis: number, from: number, begin: number, count: number, to: number): void => {
    if (count === 0) return;
    if (axis >= rank) return each({ from, to, sizes: [], fromSteps: [], toSteps: [] });
    const block = toSteps[axis]!;
    let place = Math.floor(begin / block);
    let done = 0;
    const part = (first: number, some: number): void => {
      go(axis + 1, from + place * strides[axis]!, first, some, to + done);
      done += some;
    };
    const first = begin - place * block;
    if (first > 0) {
      part(first, Math.min(block - first, count));
      place++;
    }
    const whole = Math.floor((count - done) / block);
    if (whole > 0) {
      const sizes = [whole, ...shape.slice(axis + 1)];
      const [fromSteps, toOwn] = [strides.slice(axis), toSteps.slice(axis)];
      each({ from: from + place * strides[axis]!, to: to + done, sizes, fromSteps, toSteps: toOwn });
      place += whole;
      done += whole * block;
    }
    if (done < count) part(0, count - done);
  };
  go(0, offset, start, n, at);
}

/** Copies along the innermost axis, row by row; several rows at a time where that reads memory in order. */
function gather(dst: Elements, at: number, reader: Reader, start: number, n: number): void {
  const { elements: src, width, access } = reader;
  const { offset, walk } = access;
  const { shape, strides } = walk;
  const inner = shape.at(-1)!;
  const step = strides.at(-1)!;
  const together = reader.transposedRow > 0 && width === 1 ? SIDE_BY_SIDE : 1;
  let row = Math.floor(start / inner);
  let skip = start - row * inner;
  for (let done = 0; done < n; skip = 0) {
    const from = offset + rowOffset(row, shape, strides);
    const isWhole = skip === 0 && n - done >= inner;
    const rows = isWhole ? Math.min(Math.floor((n - done) / inner), rowsLeft(row, shape), together) : 1;
    const count = isWhole ? inner : Math.min(inner - skip, n - done);
    if (rows > 1) copyTransposed(dst, at + done, src, from, step, inner, rows);
    else copyRun(dst, at + done, src, from + skip * step, step, count, width);
    done += rows * count;
    row += rows;
  }
}

/** The number of rows from this row to the end of the second last axis. */
function rowsLeft(row: number, shape: readonly number[]): number {
  const dim = shape[shape.length - 2] ?? 1;
  return dim - (row % dim);
}

/** Some rows of `inner` elements, each `step` apart, whose first elements are neighbours in memory. */
function copyTransposed(
  dst: Elements,
  at: number,
  src: Elements,
  from: number,
  step: number,
  inner: number,
  rows: number,
): void {
  if (dst instanceof Float32Array) return copyTransposedFloats(dst, at, src as Float32Array, from, step, inner, rows);
  for (let i = 0; i < inner; i++) {
    const first = from + i * step;
    for (let r = 0, to = at + i; r < rows; r++, to += inner) dst[to] = src[first + r]!;
  }
}

/** Of its own, since a loop that sees one array type only is faster. */
function copyTransposedFloats(
  dst: Float32Array,
  at: number,
  src: Float32Array,
  from: number,
  step: number,
  inner: number,
  rows: number,
): void {
  for (let i = 0; i < inner; i++) {
    const first = from + i * step;
    for (let r = 0, to = at + i; r < rows; r++, to += inner) dst[to] = src[first + r]!;
  }
}

/** Where a row begins: the offset of its first element. */
export function rowOffset(row: number, shape: readonly number[], strides: readonly number[]): number {
  let offset = 0;
  for (let axis = shape.length - 2, rest = row; axis >= 0; axis--) {
    const dim = shape[axis]!;
    const next = Math.floor(rest / dim);
    offset += (rest - next * dim) * strides[axis]!;
    rest = next;
  }
  return offset;
}

/** Copies `n` elements, `step` apart at the source. */
export function copyRun(
  dst: Elements,
  at: number,
  src: Elements,
  from: number,
  step: number,
  n: number,
  width: 1 | 2,
): void {
  if (width === 2) return copyPairs(dst, at, src, from, step, n);
  if (step === 0) {
    dst.fill(src[from]!, at, at + n);
  } else if (step === 1 && n >= LONG_RUN) {
    dst.set(src.subarray(from, from + n), at);
  } else if (dst instanceof Float32Array) {
    copyFloats(dst, at, src as Float32Array, from, step, n);
  } else {
    for (let i = 0, j = from; i < n; i++, j += step) dst[at + i] = src[j]!;
  }
}

/** Of its own, since a loop that sees one array type only is faster. */
function copyFloats(dst: Float32Array, at: number, src: Float32Array, from: number, step: number, n: number): void {
  for (let i = 0, j = from; i < n; i++, j += step) dst[at + i] = src[j]!;
}

function copyPairs(dst: Elements, at: number, src: Elements, from: number, step: number, n: number): void {
  if (step === 1 && n >= LONG_RUN) return dst.set(src.subarray(2 * from, 2 * (from + n)), 2 * at);
  for (let i = 0, j = 2 * from; i < n; i++, j += 2 * step) {
    dst[2 * (at + i)] = src[j]!;
    dst[2 * (at + i) + 1] = src[j + 1]!;
  }
}
