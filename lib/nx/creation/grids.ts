/**
 * Tensors spread over further axes: meshgrid, oneHot.
 */
import { IOTA } from "../../backends/primitives";
import { EQUAL } from "../../backends/ops";
import type { Given, Insert, Known, OperandNames, Unguessed } from "../../core/axis-types";
import { mapContainer, type Container } from "../../container";
import { defaultFloat } from "../../core/default-types";
import { ArgumentError, show } from "../../core/errors";
import { checkName, uniqueNames, unnamed } from "../../core/names";
import { checkOptions, integerOption, type AlsoAxes, type More } from "../../core/options";
import { checkSize, formatShape, type Name, type Names } from "../../core/shape";
import { isInteger, mergeTypes, normalizeType, type DType } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, asTensors, cast, run, template } from "../dispatch";

/** Names of the axes of a grid of vectors in a list. */
export type GridNames<T, I> =
  VectorNames<T> extends infer V extends Names
    ? Known<V> extends false
      ? Names
      : [I] extends ["ij"]
        ? V
        : ["ij"] extends [I]
          ? Names
          : V extends readonly [infer F extends Name, infer S extends Name, ...infer R extends Names]
            ? readonly [S, F, ...R]
            : V
    : Names;

export type VectorNames<T> = T extends readonly []
  ? readonly []
  : T extends readonly [infer F, ...infer R]
    ? OperandNames<F> extends readonly [infer H extends Name]
      ? readonly [H, ...VectorNames<R>]
      : Names
    : Names;

/** Options of `Nx.meshgrid`. */
export interface MeshgridOptions<I = "xy" | "ij"> {
  /**
   * The order of axes: `"ij"`, that of the vectors, or `"xy"`, in which the first two are exchanged as in pictures, whose rows are `y`.
   * `"xy"` when left out, as in NumPy.
   */
  readonly indexing?: I;
}

/**
 * The coordinates of a grid: for each of several vectors its elements spread over a grid with one axis for each vector.
 *
 * @param vectors - a list, or any container, of vectors; names of their axes become those of the grid
 * @param options - `indexing`: `"xy"` (default) exchanges the first two axes, `"ij"` leaves all axes in the order of the vectors
 * @returns a list of tensors of the grid's shape, one for each vector, of the type of the vector
 * @throws ArgumentError for operands that are no vectors, for two axes of one name, and for no vectors
 * @example
 * ```ts
 * const x = Nx.tensor([1, 2, 3], { names: ["x"] });
 * const y = Nx.f32([0.5, 1.5], { names: ["y"] });
 * Nx.meshgrid([x, y]);
 * // => [
 * //   #Nx.Tensor<
 * //     s64[y: 2][x: 3]
 * //     [
 * //       [1, 2, 3],
 * //       [1, 2, 3]
 * //     ]
 * //   >,
 * //   #Nx.Tensor<
 * //     f32[y: 2][x: 3]
 * //     [
 * //       [0.5, 0.5, 0.5],
 * //       [1.5, 1.5, 1.5]
 * //     ]
 * //   >
 * // ]
 * ```
 * @example
 * ```ts
 * Nx.meshgrid([Nx.iota([2]), Nx.iota([3])], { indexing: "ij" })[1];
 * // => #Nx.Tensor<
 * //   s64[2][3]
 * //   [
 * //     [0, 1, 2],
 * //     [0, 1, 2]
 * //   ]
 * // >
 * Nx.meshgrid([Nx.iota([2, 2])]);
 * // throws ArgumentError: Nx.meshgrid expects vectors, got shape [2][2] at 0
 * ```
 */
export function meshgrid<const T extends Container<Operand>, I extends "xy" | "ij" = "xy">(
  vectors: T,
  options?: MeshgridOptions<I>,
): Tensor<GridNames<T, I>>[];
export function meshgrid(vectors: Container<Operand>, options?: MeshgridOptions): Tensor[] {
  const fn = "Nx.meshgrid";
  options = checkOptions(fn, options, ["indexing"]);
  const { indexing = "xy" } = options ?? {};
  if (indexing !== "xy" && indexing !== "ij") {
    throw new ArgumentError(`option indexing of ${fn} must be "xy" or "ij", got: ${show(indexing)}`);
  }
  const leaves: unknown[] = [];
  mapContainer(vectors, (leaf) => leaves.push(leaf));
  const tensors = leaves.length === 0 ? [] : asTensors(leaves, fn);
  if (tensors.length === 0) throw new ArgumentError(`${fn} expects a list of at least one vector, got none`);
  tensors.forEach(({ shape, names }, i) => {
    if (shape.length === 1) return;
    throw new ArgumentError(`${fn} expects vectors, got shape ${formatShape(shape, names)} at ${i}`);
  });
  const order = tensors.map((_, i) => (indexing === "xy" && i < 2 && tensors.length > 1 ? 1 - i : i));
  const shape = Object.freeze(order.map((i) => tensors[i]!.shape[0]!));
  checkSize(shape, `the result of ${fn}, shape`);
  const names = uniqueNames(Object.freeze(order.map((i) => tensors[i]!.names[0]!)), shape);
  return tensors.map((t, i) => run("broadcast", template(t.type, shape, names), [t], { axes: [order.indexOf(i)] }));
}

/** Options of `Nx.oneHot`. */
export interface OneHotOptions<A = number | undefined, M = Name> extends AlsoAxes<A> {
  /** Element type; floats as configured (`f32`) when left out. */
  readonly type?: DType;
  /** Where the axis of classes goes, negative from the end; at the end when left out. */
  readonly axis?: A;
  /** Name of the axis of classes. */
  readonly name?: M;
}

/**
 * Classes as vectors: for each label a vector with 1 at the label's place and zeros elsewhere. Labels that are no class, such as
 * -1, have zeros only.
 *
 * @param labels - integers of any shape, classes from 0 on
 * @param classes - the number of classes
 * @param options - `axis` of the classes (the last one), its `name`, `type` (`f32`)
 * @returns a tensor of the shape of the labels with the axis of classes
 * @throws ArgumentError for labels that are no integers, and a number of classes below 1
 * @example
 * ```ts
 * Nx.oneHot(Nx.tensor([2, 0], { names: ["sample"] }), 3, { name: "class" });
 * // => #Nx.Tensor<
 * //   f32[sample: 2][class: 3]
 * //   [
 * //     [0.0, 0.0, 1.0],
 * //     [1.0, 0.0, 0.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.oneHot(Nx.tensor([1, -1]), 2, { axis: 0, type: "u8" });
 * // => #Nx.Tensor<
 * //   u8[2][2]
 * //   [
 * //     [0, 0],
 * //     [1, 0]
 * //   ]
 * // >
 * Nx.oneHot(Nx.f32([0.5]), 2);
 * // throws ArgumentError: Nx.oneHot expects labels of an integer type, got f32[1]; convert them with Nx.asType
 * ```
 */
export function oneHot<
  N extends Names = readonly [],
  const A extends number | undefined = undefined,
  const M extends Name = null,
>(
  labels: Operand<N>,
  classes: number,
  options?: A | OneHotOptions<A, M>,
  ..._more: More<OneHotOptions<undefined, M>>
): Tensor<Insert<N, Given<A, -1>, Unguessed<M>>>;
export function oneHot(labels: Operand, classes: number, given?: number | OneHotOptions): Tensor {
  const fn = "Nx.oneHot";
  const options = checkOptions<OneHotOptions>(fn, given, ["type", "axis", "name"]);
  const t: Tensor = asTensor(labels, fn);
  const place = `${t.type}${formatShape(t.shape, t.names)}`;
  if (!isInteger(t.type)) {
    throw new ArgumentError(`${fn} expects labels of an integer type, got ${place}; convert them with Nx.asType`);
  }
  if (!Number.isInteger(classes) || classes < 1) {
    throw new ArgumentError(`the number of classes of ${fn} must be a positive integer, got: ${show(classes)}`);
  }
  const rank = t.shape.length + 1;
  const axis = integerOption(fn, "axis", options?.axis, -1);
  const at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank) {
    throw new ArgumentError(
      `option axis of ${fn} must be an integer from ${-rank} to ${rank - 1}, as a new axis of shape ` +
        `${formatShape(t.shape, t.names)}, got: ${axis}`,
    );
  }
  const widened = <T>(values: readonly T[], value: T): readonly T[] =>
    Object.freeze([...values.slice(0, at), value, ...values.slice(at)]);
  const shape = widened(t.shape, classes);
  checkSize(shape, `the result of ${fn}, shape`);
  const names = uniqueNames(widened(t.names, checkName(options?.name ?? null)), shape);
  const column = run("reshape", template(t.type, widened(t.shape, 1), unnamed(rank)), [t], {});
  const counted = Object.freeze(shape.map((size, i) => (i === at ? size : 1)));
  const every = run(IOTA, template("s64", counted, unnamed(rank)), [], { axis: at });
  const hit = run("binary", template("u8", shape, names), [column, every], {
    op: EQUAL,
    type: mergeTypes(t.type, "s64"),
  });
  return cast(hit, options?.type === undefined ? defaultFloat() : normalizeType(options.type));
}
