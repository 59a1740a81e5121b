/**
 * Contiguous parts of tensors, and writing them: `slice`, `sliceAlongAxis`, `putSlice`.
 */
import { PUT_SLICE } from "../../backends/primitives";
import type { AxisOf, MergedInto } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { mergeNames } from "../../core/names";
import { checkOptions, type AlsoAxes, type More } from "../../core/options";
import { formatShape, resolveAxis, type Names, type Axis } from "../../core/shape";
import { commonType } from "../../core/promotion";
import { isInteger } from "../../core/types";
import type { Right, Start } from "../../methods";
import { Tensor, type Operand } from "../../tensor";
import { asTensor, asTensors, run, template } from "../dispatch";

/** Starts as the primitives take them: numbers, and null with a further input for dynamic ones. */
interface Starts {
  readonly starts: readonly (number | null)[];
  readonly dynamic: readonly Tensor[];
}

/** A copy of a list of one entry for each axis, holes as undefined; undefined for anything else. */
function listOf(value: unknown, rank: number): unknown[] | undefined {
  return Array.isArray(value) && value.length === rank ? Array.from(value) : undefined;
}

function readStarts(fn: string, value: unknown, t: Tensor): Starts {
  const list = listOf(value, t.shape.length);
  if (list === undefined) {
    throw new ArgumentError(
      `${fn} expects a list of ${t.shape.length} starts, one for each axis of ${formatShape(t.shape, t.names)}, got: ${show(value)}`,
    );
  }
  const dynamic: Tensor[] = [];
  const starts = list.map((start) => {
    if (!(start instanceof Tensor)) return staticStart(fn, start);
    if (start.shape.length > 0 || !isInteger(start.type)) {
      throw new ArgumentError(
        `${fn} expects a start to be an integer or a scalar integer tensor, got ${start.type}${formatShape(start.shape, start.names)}`,
      );
    }
    dynamic.push(start);
    return null;
  });
  return { starts, dynamic };
}

function staticStart(fn: string, start: unknown): number {
  const value = typeof start === "bigint" ? Number(start) : start;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new ArgumentError(`${fn} expects a start to be an integer or a scalar integer tensor, got: ${show(start)}`);
}

function readLengths(fn: string, value: unknown, t: Tensor): readonly number[] {
  const { shape, names } = t;
  const list = listOf(value, shape.length);
  const isLength = (length: unknown, axis: number) =>
    typeof length === "number" && Number.isInteger(length) && length >= 1 && length <= shape[axis]!;
  if (list?.every(isLength)) return list as number[];
  throw new ArgumentError(
    `${fn} expects a length from 1 to the size of the axis for each axis of ${formatShape(shape, names)}, got: ${show(value)}`,
  );
}

function readStrides(fn: string, value: unknown, rank: number): readonly number[] {
  const one = value === undefined ? 1 : value;
  const list = Array.isArray(value) ? listOf(value, rank) : new Array<unknown>(rank).fill(one);
  const isStride = (stride: unknown) => typeof stride === "number" && Number.isSafeInteger(stride) && stride >= 1;
  if (list?.every(isStride)) return list as number[];
  throw new ArgumentError(
    `option strides of ${fn} must be a positive integer or a list of ${rank}, one for each axis, got: ${show(value)}`,
  );
}

/** A start that is known is brought into the range in which the length fits. */
function clamped(starts: Starts["starts"], lengths: readonly number[], t: Tensor): (number | null)[] {
  return starts.map((start, axis) =>
    start === null ? null : Math.max(0, Math.min(start, t.shape[axis]! - lengths[axis]!)),
  );
}

/**
 * A contiguous part of a tensor.
 *
 * Starts are clamped, plain numbers as well: they are moved so that the part lies within the tensor. One that is too large
 * becomes the largest that fits, a negative one becomes 0. The method `at`, where positions may count from the end, and
 * `Nx.take` raise for plain positions out of bounds.
 *
 * @param tensor - any tensor
 * @param starts - for each axis an integer or a scalar integer tensor, which may be computed
 * @param lengths - for each axis from 1 to its size
 * @param options - `strides`: take every so many elements only; one number or one for each axis
 * @returns the tensor's type and names, shape `ceil(length / stride)` for each axis
 * @throws ArgumentError where starts, lengths or strides are not of that form
 * @example
 * ```ts
 * const t = Nx.iota([3, 4], { names: ["x", "y"] });
 * Nx.slice(t, [1, 0], [2, 4], { strides: [1, 2] });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [4, 6],
 * //     [8, 10]
 * //   ]
 * // >
 * Nx.slice(t, [9, 1], [1, 2]);
 * // => #Nx.Tensor<
 * //   s64[x: 1][y: 2]
 * //   [
 * //     [9, 10]
 * //   ]
 * // >
 * ```
 * @example
 * Starts beyond the last that fits:
 * ```ts
 * const t = Nx.tensor([0, 1, 2, 3, 4], { names: ["x"] });
 * Nx.slice(t, [3], [3]);
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [2, 3, 4]
 * // >
 * t.at(Nx.range(3, 6));
 * // throws ArgumentError: Nx.at: range 3 to 6 is out of bounds for axis "x" of size 5 in shape [x: 5]
 * ```
 * @example
 * ```ts
 * Nx.slice(Nx.iota([3, 4]), [0, 0], [4, 4]);
 * // throws ArgumentError: Nx.slice expects a length from 1 to the size of the axis for each axis of [3][4], got: [4, 4]
 * ```
 */
export function slice<N extends Names = readonly []>(
  tensor: Operand<N>,
  starts: readonly Start[],
  lengths: readonly number[],
  options?: { readonly strides?: number | readonly number[] },
): Tensor<N> {
  options = checkOptions("Nx.slice", options, ["strides"]);
  const t = asTensor(tensor, "Nx.slice");
  const read = readStarts("Nx.slice", starts, t);
  const spans = readLengths("Nx.slice", lengths, t);
  const strides = readStrides("Nx.slice", options?.strides, t.shape.length);
  return sliced(t, read, spans, strides) as Tensor<N>;
}

function sliced(
  t: Tensor,
  { starts, dynamic }: Starts,
  lengths: readonly number[],
  strides: readonly number[],
): Tensor {
  const shape = Object.freeze(lengths.map((length, axis) => Math.ceil(length / strides[axis]!)));
  const attrs = { starts: clamped(starts, lengths, t), lengths, strides };
  return run("slice", template(t.type, shape, t.names), [t, ...dynamic], attrs);
}

/** Options of `Nx.sliceAlongAxis`. */
export interface SliceAlongOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis to cut, by position or name; the first when left out. */
  readonly axis?: A;
  /** Distance of the positions; 1 when left out. */
  readonly strides?: number;
}

/**
 * A contiguous part along one axis; the others are kept whole.
 *
 * @param tensor - a tensor of at least one axis
 * @param start - an integer or a scalar integer tensor, moved so that the part lies within the axis
 * @param length - from 1 to the size of the axis
 * @param options - `axis`: the first by default; `strides`: take every so many only
 * @returns the tensor's type and names
 * @throws ArgumentError where start, length or stride are not of that form
 * @example
 * ```ts
 * const t = Nx.iota([2, 5], { names: ["x", "y"] });
 * Nx.sliceAlongAxis(t, 1, 3, { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [1, 2, 3],
 * //     [6, 7, 8]
 * //   ]
 * // >
 * Nx.sliceAlongAxis(t, 0, 5, { axis: 1, strides: 2 });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [0, 2, 4],
 * //     [5, 7, 9]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.sliceAlongAxis(Nx.iota([2, 5]), 0, 3);
 * // throws ArgumentError: Nx.sliceAlongAxis expects a length from 1 to the size of the axis for each axis of [2][5]
 * ```
 */
export function sliceAlongAxis<N extends Names = readonly []>(
  tensor: Operand<N>,
  start: Start,
  length: number,
  options?: AxisOf<N> | SliceAlongOptions<AxisOf<N>>,
  ..._more: More<SliceAlongOptions<undefined>>
): Tensor<N> {
  const fn = "Nx.sliceAlongAxis";
  const choice = checkOptions<SliceAlongOptions>(fn, options, ["axis", "strides"]);
  const t = asTensor(tensor, fn);
  const axis = resolveAxis(choice?.axis === undefined ? 0 : choice.axis, t.shape, t.names);
  const only = <T>(own: T, others: (dim: number) => T): T[] =>
    t.shape.map((dim, i) => (i === axis ? own : others(dim)));
  const read = readStarts(
    fn,
    only<unknown>(start, () => 0),
    t,
  );
  const lengths = readLengths(
    fn,
    only<unknown>(length, (dim) => dim),
    t,
  );
  const strides = readStrides(
    fn,
    choice?.strides === undefined ? undefined : only<unknown>(choice.strides, () => 1),
    t.shape.length,
  );
  return sliced(t, read, lengths, strides) as Tensor<N>;
}

/**
 * A tensor with a part of it replaced.
 *
 * Starts are clamped as those of {@link slice}: a piece that would reach beyond the tensor is put where it just fits.
 *
 * @param tensor - any tensor
 * @param starts - where the part begins, for each axis an integer or a scalar integer tensor, moved so that it fits
 * @param piece - a tensor of the same rank, no axis larger than the tensor's
 * @returns the merged type, the tensor's shape and the merged names
 * @throws ArgumentError where the piece does not fit or names clash
 * @example
 * ```ts
 * const t = Nx.iota([2, 3], { names: ["x", "y"] });
 * Nx.putSlice(t, [0, 1], Nx.tensor([[7, 8], [9, 10]]));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [0, 7, 8],
 * //     [3, 9, 10]
 * //   ]
 * // >
 * Nx.putSlice(t, [Nx.tensor(5), 0], Nx.f32([[0.5]]));
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 3]
 * //   [
 * //     [0.0, 1.0, 2.0],
 * //     [0.5, 4.0, 5.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.putSlice(Nx.iota([2, 3]), [0, 0], Nx.iota([1, 4]));
 * // throws ArgumentError: Nx.putSlice expects a piece of rank 2 that fits into [2][3], got shape [1][4]
 * ```
 */
export function putSlice<N extends Names = readonly [], R extends Names = readonly []>(
  tensor: Operand<N>,
  starts: readonly Start[],
  piece: Right<N, R>,
): Tensor<MergedInto<N, R>> {
  const fn = "Nx.putSlice";
  const [t, part] = asTensors([tensor, piece], fn) as [Tensor, Tensor];
  const { starts: given, dynamic } = readStarts(fn, starts, t);
  const fits = part.shape.length === t.shape.length && part.shape.every((dim, axis) => dim <= t.shape[axis]!);
  if (!fits) {
    throw new ArgumentError(
      `${fn} expects a piece of rank ${t.shape.length} that fits into ${formatShape(t.shape, t.names)}, got shape ` +
        formatShape(part.shape, part.names),
    );
  }
  const names = mergeNames(t.names, t.shape, part.names, part.shape);
  const out = template(commonType(fn, t, part), t.shape, names);
  const attrs = { starts: clamped(given, part.shape, t) };
  return run(PUT_SLICE, out, [t, part, ...dynamic], attrs) as Tensor<MergedInto<N, R>>;
}
