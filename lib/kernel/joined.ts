/**
 * Operands that are several arrays one after the other along an axis: rows, each of which is a run of every array. They are read as if
 * the runs lay side by side, without being copied to an array of their own first.
 */
import type { View } from "../backend";
import { sizeOf } from "../core/shape";
import { Recent } from "./generational-cache";
import { collapse, copyRun, FEW, Reader, type Access, type CopyOf, type Elements, type Run } from "./operand";

/** Arrays that are read as one at most: a piece of each is copied for a chunk of a kernel. */
export const MOST_PARTS = 4;

/** The runs of one array: each of `inner` elements, the first at `offset`, from one row to the next `pitch` elements apart. */
export interface Runs {
  readonly offset: number;
  readonly pitch: number;
  readonly inner: number;
}

/** How the elements of several arrays make one operand. */
export interface JoinedAccess extends Access {
  readonly kind: "joined";
  readonly runs: readonly Runs[];
}

/** The runs of what is seen by a view, which is a part along an axis; null where elements of a run are no neighbours. */
export function runsOf({ shape, strides, offset }: View, axis: number): Runs | null {
  const outer = collapse(shape.slice(0, axis), strides.slice(0, axis));
  const inner = collapse(shape.slice(axis), strides.slice(axis));
  if (outer.shape.length > 1 || inner.shape.length > 1 || (inner.strides[0] ?? 1) !== 1) return null;
  return { offset, pitch: outer.strides[0] ?? 0, inner: sizeOf(shape.slice(axis)) };
}

/** Accesses by their runs: plans are found again by the object. */
const KEPT = 512;
const accesses = new Recent<JoinedAccess>(KEPT);

/** How an operand of so many elements is read, each row of which has these runs. */
export function joinedAccess(runs: readonly Runs[], size: number): JoinedAccess {
  const key = `${size};${runs.map(({ offset, pitch, inner }) => `${offset} ${pitch} ${inner}`).join()}`;
  return accesses.getOrMake(key, () => {
    const made: JoinedAccess = {
      kind: "joined",
      offset: 0,
      walk: { shape: [size], strides: [1] },
      runs,
      join: (arrays, width) => new JoinedReader(arrays, width, made),
    };
    return made;
  });
}

/** Reads several arrays as one. */
export class JoinedReader extends Reader {
  /** Elements of a row. */
  readonly total: number;

  constructor(
    /** The array of each run of a row. */
    private readonly parts: readonly Elements[],
    width: 1 | 2,
    readonly joined: JoinedAccess,
  ) {
    super(parts[0]!, width, joined);
    this.total = joined.runs.reduce((sum, { inner }) => sum + inner, 0);
  }

  override get arrays(): readonly Elements[] {
    return this.parts;
  }

  override isSame(other: Reader): boolean {
    if (!(other instanceof JoinedReader) || other.access !== this.access) return false;
    return this.parts.every((array, i) => array === other.parts[i]);
  }

  /** Elements are in the order of the space: there is no other way to read them. */
  override through(): Reader {
    return this;
  }

  override runAt(start: number, n: number): Run | null {
    const row = Math.floor(start / this.total);
    let skip = start - row * this.total;
    for (const [i, { offset, pitch, inner }] of this.joined.runs.entries()) {
      if (skip < inner) return skip + n > inner ? null : { elements: this.parts[i]!, at: offset + row * pitch + skip };
      skip -= inner;
    }
    return null;
  }

  override read(dst: Elements, at: number, start: number, n: number, copyOf?: CopyOf): void {
    const { total } = this;
    let row = Math.floor(start / total);
    let skip = start - row * total;
    for (let done = 0; done < n; skip = 0) {
      const left = n - done;
      const rows = skip === 0 ? Math.floor(left / total) : 0;
      const count = rows > 0 ? rows * total : Math.min(total - skip, left);
      if (rows > 0) this.readRows(dst, at + done, row, rows, copyOf);
      else this.readPart(dst, at + done, row, skip, count, copyOf);
      done += count;
      row += Math.max(1, rows);
    }
  }

  /** Whole rows, all runs of an array at a time. */
  private readRows(dst: Elements, at: number, row: number, rows: number, copyOf: CopyOf | undefined): void {
    let to = at;
    for (const [i, { offset, pitch, inner }] of this.joined.runs.entries()) {
      this.copy(i, dst, to, offset + row * pitch, pitch, inner, rows, copyOf);
      to += inner;
    }
  }

  /** Some elements of a row. */
  private readPart(
    dst: Elements,
    at: number,
    row: number,
    skip: number,
    count: number,
    copyOf: CopyOf | undefined,
  ): void {
    let begin = 0;
    for (const [i, { offset, pitch, inner }] of this.joined.runs.entries()) {
      const from = Math.max(skip, begin);
      const to = Math.min(skip + count, begin + inner);
      const first = offset + row * pitch + from - begin;
      if (to > from) this.copy(i, dst, at + from - skip, first, pitch, to - from, 1, copyOf);
      begin += inner;
    }
  }

  /** Runs of `n` elements of an array, in as many rows. */
  private copy(
    i: number,
    dst: Elements,
    at: number,
    from: number,
    pitch: number,
    n: number,
    rows: number,
    copyOf: CopyOf | undefined,
  ): void {
    const { width, total } = this;
    const array = this.parts[i]!;
    const copy = rows * n >= FEW ? copyOf?.(array, width) : undefined;
    const box = { from, to: at, sizes: [rows, n], fromSteps: [pitch, 1], toSteps: [total, 1] };
    if (copy) return copy(dst, box);
    for (let r = 0; r < rows; r++) copyRun(dst, at + r * total, array, from + r * pitch, 1, n, width);
  }
}
