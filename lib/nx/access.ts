/**
 * Indexing with `at` and `range`: positions, ranges, dynamic scalar tensors, by position or by axis name.
 */
import type { Indexed, OnlyAxes } from "../core/axis-types";
import { ArgumentError, didYouMean, show } from "../core/errors";
import { formatShape, type Names } from "../core/shape";
import { isInteger } from "../core/types";
import type { Index, IndexByName, IndexRange } from "../methods";
import { Tensor, type Operand } from "../tensor";
import { alias, asTensor, run, template } from "./dispatch";

/**
 * A half-open range of positions for {@link Tensor.at}: `start` is included, `end` is not, as in `Array.prototype.slice`.
 *
 * @param start - first position, from the back when negative; the beginning when left out
 * @param end - position after the last, from the back when negative; the end when left out
 * @param step - distance of the positions, at least 1
 * @returns the range; `Nx.range()` is the whole axis
 * @throws ArgumentError when a bound is not an integer, or the step not a positive one
 * @example
 * ```ts
 * const t = Nx.iota([4, 2], { names: ["x", "y"] });
 * t.at({ x: Nx.range(1, -1) });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [2, 3],
 * //     [4, 5]
 * //   ]
 * // >
 * t.at({ x: Nx.range(2, 6) });
 * // throws ArgumentError: Nx.at: range 2 to 6 is out of bounds for axis "x" of size 4
 * ```
 * @example
 * ```ts
 * Nx.iota([4, 2]).at(Nx.range(2), 0);
 * // => #Nx.Tensor<
 * //   s64[2]
 * //   [4, 6]
 * // >
 * Nx.iota([10]).at(Nx.range(1, undefined, 3));
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [1, 4, 7]
 * // >
 * ```
 */
export function range(start?: number, end?: number, step?: number): IndexRange {
  for (const bound of [start, end]) {
    if (bound !== undefined && !Number.isInteger(bound)) {
      throw new ArgumentError(`range expects integers or nothing, got: ${show(bound)}`);
    }
  }
  const by = step ?? 1;
  if (!Number.isInteger(by) || by < 1) {
    throw new ArgumentError(
      `range expects a positive integer as step, got: ${show(step)}; Nx.reverse turns an axis round`,
    );
  }
  return Object.freeze({ kind: "range", start, end, step: by });
}

/** What an index selects of one axis. */
interface Selection {
  readonly start: number | null;
  readonly dynamic: Tensor | null;
  readonly length: number;
  readonly step: number;
  readonly drops: boolean;
}

/**
 * Part of a tensor: integers drop an axis, ranges keep it; an object selects by name.
 *
 * Plain positions count from the end when negative, and raise out of bounds. A scalar tensor as a position is read when it is
 * computed, and clamped: it never raises.
 *
 * @param given - any tensor
 * @param indices - for each axis from the first a position, a range that `Nx.range` makes, or a scalar tensor of integers; or one object
 *   with these by the names of axes. Axes without an index are taken whole
 * @returns the tensor's type, without the axes that a position selects from
 * @throws ArgumentError for positions out of bounds and for axes that the tensor does not have
 * @example
 * ```ts
 * const t = Nx.tensor([[10, 20], [30, 40]], { names: ["x", "y"] });
 * t.at(-1);
 * // => #Nx.Tensor<
 * //   s64[y: 2]
 * //   [30, 40]
 * // >
 * t.at({ y: 0 });
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [10, 30]
 * // >
 * t.at(7);
 * // throws ArgumentError: Nx.at: index 7 is out of bounds for axis "x" of size 2 in shape [x: 2][y: 2]
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([10, 20, 30]);
 * t.at(Nx.tensor(7)).toNumber();
 * // => 30
 * t.at(Nx.tensor(-1)).toNumber();
 * // => 10
 * ```
 */
export function at<N extends Names = readonly [], I extends readonly (Index | IndexByName<N>)[] = []>(
  given: Operand<N>,
  ...indices: I & OnlyAxes<N, I>
): Tensor<Indexed<N, I>> {
  const tensor: Tensor = asTensor(given, "Nx.at");
  const { type, shape, names } = tensor;
  const selections = selectionsOf(tensor, byAxis(tensor, indices));
  let isWhole = true;
  let drops = false;
  for (let i = 0; i < selections.length; i++) {
    const selection = selections[i]!;
    drops ||= selection.drops;
    isWhole &&= selection.length === shape[i] && selection.step === 1;
  }
  if (isWhole && !drops) return alias(tensor) as Tensor<Indexed<N, I>>;
  const sliced = slice(tensor, selections);
  if (!drops) return sliced as Tensor<Indexed<N, I>>;
  const [keptSizes, keptNames]: [number[], (string | null)[]] = [[], []];
  for (let i = 0; i < selections.length; i++) {
    if (selections[i]!.drops) continue;
    keptSizes.push(sliced.shape[i]!);
    keptNames.push(names[i]!);
  }
  const out = template(type, Object.freeze(keptSizes), Object.freeze(keptNames));
  return run("reshape", out, [sliced], {}) as Tensor<Indexed<N, I>>;
}

function slice(tensor: Tensor, selections: readonly Selection[]): Tensor {
  const rank = selections.length;
  const [shape, lengths, strides] = [new Array<number>(rank), new Array<number>(rank), new Array<number>(rank)];
  const starts = new Array<number | null>(rank);
  const inputs = [tensor];
  for (let i = 0; i < rank; i++) {
    const { start, dynamic, length, step } = selections[i]!;
    shape[i] = Math.ceil(length / step);
    [starts[i], lengths[i], strides[i]] = [start, length, step];
    if (dynamic !== null) inputs.push(dynamic);
  }
  return run("slice", template(tensor.type, Object.freeze(shape), tensor.names), inputs, { starts, lengths, strides });
}

/** The index of every axis; undefined where the axis is taken whole. */
function byAxis(tensor: Tensor, indices: readonly unknown[]): unknown[] {
  const [first] = indices;
  if (indices.length === 1 && isNameMap(first)) return byName(tensor, first);
  if (indices.length > tensor.shape.length) {
    const what = tensor.shape.length === 0 ? "a scalar cannot be indexed" : `expected at most ${tensor.shape.length}`;
    throw new ArgumentError(
      `too many indices (${indices.length}) for shape ${formatShape(tensor.shape, tensor.names)}: ${what}`,
    );
  }
  return tensor.shape.map((_, axis) => indices[axis]);
}

function isNameMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" &&
    value !== null &&
    !(value instanceof Tensor) &&
    !isRange(value) &&
    !Array.isArray(value)
  );
}

const isRange = (value: unknown): value is IndexRange => (value as Partial<IndexRange> | null)?.kind === "range";

function byName({ shape, names }: Tensor, indices: Readonly<Record<string, unknown>>): unknown[] {
  const known = names.filter((name) => name !== null);
  for (const name of Object.keys(indices)) {
    if (known.includes(name)) continue;
    const axes = known.length === 0 ? "the tensor has no named axes" : `the axes are ${known.map(show).join(", ")}`;
    throw new ArgumentError(
      `no axis named ${show(name)} in shape ${formatShape(shape, names)}: ${axes}${didYouMean(name, known)}`,
    );
  }
  return names.map((name) => (name === null ? undefined : indices[name]));
}

function selectionsOf(tensor: Tensor, indices: readonly unknown[]): Selection[] {
  return indices.map((index, axis) => {
    const size = tensor.shape[axis]!;
    if (index === undefined) return { start: 0, dynamic: null, length: size, step: 1, drops: false };
    if (index instanceof Tensor) return { start: null, dynamic: scalarIndex(index), length: 1, step: 1, drops: true };
    if (isRange(index)) return selectRange(index, tensor, axis);
    return { start: position(index, tensor, axis), dynamic: null, length: 1, step: 1, drops: true };
  });
}

function scalarIndex(index: Tensor): Tensor {
  if (index.shape.length === 0 && isInteger(index.type)) return index;
  throw new ArgumentError(
    `an index tensor must be an integer scalar, got ${index.type}${formatShape(index.shape, index.names)}; ` +
      `several positions at once are taken by a range or Nx.take, what a mask keeps by Nx.compress`,
  );
}

function position(index: unknown, tensor: Tensor, axis: number): number {
  if (typeof index !== "number" || !Number.isInteger(index)) {
    throw new ArgumentError(
      `an index must be an integer, a range made by Nx.range or a scalar tensor, got: ${show(index)}${
        Array.isArray(index) ? `; Nx.take(t, Nx.tensor(${show(index)}), { axis }) picks several` : ""
      }`,
    );
  }
  const size = tensor.shape[axis]!;
  if (index >= -size && index < size) return index < 0 ? index + size : index;
  throw new ArgumentError(`index ${index} is out of bounds for ${axisText(tensor, axis)}`);
}

function selectRange(given: IndexRange, tensor: Tensor, axis: number): Selection {
  const size = tensor.shape[axis]!;
  const fromFront = (bound: number) => (bound < 0 ? bound + size : bound);
  const start = fromFront(given.start ?? 0);
  const end = fromFront(given.end ?? size);
  const text = `range ${given.start ?? "start"} to ${given.end ?? "end"}`;
  if (start < 0 || start > size || end < 0 || end > size) {
    throw new ArgumentError(`${text} is out of bounds for ${axisText(tensor, axis)}`);
  }
  if (end <= start)
    throw new ArgumentError(`${text} is empty for ${axisText(tensor, axis)}; empty tensors do not exist`);
  return { start, dynamic: null, length: end - start, step: given.step, drops: false };
}

function axisText({ shape, names }: Tensor, axis: number): string {
  return `axis ${names[axis] === null ? axis : show(names[axis])} of size ${shape[axis]} in shape ${formatShape(shape, names)}`;
}
