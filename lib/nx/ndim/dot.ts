/**
 * Sums of products over axes: `dot`, `matmul`, `outer`.
 */
import { MULTIPLY } from "../../backends/ops";
import type { AxisOf, MatrixNames, OuterNames, PairsOf, Product, Shared } from "../../core/axis-types";
import { fitting } from "../../core/entry";
import { DOT } from "../../backends/primitives";
import { ArgumentError, show } from "../../core/errors";
import { mergeNames, uniqueNames, unnamed } from "../../core/names";
import { checkOptions } from "../../core/options";
import {
  allAxes,
  freeAxes,
  checkSize,
  formatShape,
  resolveAxes,
  sameShape,
  sizeOf,
  type Axis,
  type Name,
  type Names,
} from "../../core/shape";
import { commonType } from "../../core/promotion";
import type { Operand, Tensor } from "../../tensor";
import { asTensors, run, template } from "../dispatch";
import { multiply } from "../elementwise";
import { broadcastPair } from "../elementwise/core";
import { broadcast } from "../shape/layout";
import { permuted } from "../shape/move";

/** Which axes of two tensors go together, by position or name: of the left one, of the right one. */
export type AxisPairs = readonly [left: readonly Axis[], right: readonly Axis[]];

/** Names of axes that both tensors have. */
export type SharedAxes = string | readonly string[];

/** Options of {@link dot}. */
export interface DotOptions<C = SharedAxes | AxisPairs, B = C> {
  /** Axes whose products are summed: names that both have, or pairs; by default the last of the left and the second last of the right. */
  readonly contract?: C;
  /** Axes that go together entry by entry: names that both have, wherever they stand, or pairs of the first axes of both tensors. */
  readonly batch?: B;
}

const FN = "Nx.dot";

/**
 * Sums of products over pairs of axes: the inner product, matrices times vectors and matrices, and their like for any
 * number of axes.
 *
 * Without axes the last axis of the left is contracted with the second last of the right, or with its only one; a scalar
 * multiplies. Axes may also be given in place, as in Nx: `dot(left, axes, right, axes)` and
 * `dot(left, axes, batchAxes, right, axes, batchAxes)`. Integers wrap around in the result's type. Sums of floats: the backend
 * `binary` accumulates in f64, in ascending order, and rounds once; `wasm` sums products of f32 and c64 in f32.
 *
 * @param left - a tensor or a plain number, which is not weak here
 * @param right - the same
 * @param options - `contract`: axes to sum over; `batch`: axes that are kept in common. Each is the name of an axis that both tensors
 *   have, a list of such names, or a pair of lists, of the left and of the right; batch axes in pairs must be the first ones of each
 *   tensor
 * @returns the merged type; the batch axes, then the other axes of the left, then those of the right, with their names
 * @throws ArgumentError where sizes of paired axes differ, a tensor has no axis of a name, batch axes in pairs are not the first ones,
 *   or a name is left twice
 * @example By a name that both have
 * ```ts
 * const inputs = Nx.tensor([[1, 2], [3, 4]], { names: ["sample", "feature"] });
 * const weights = Nx.tensor([[1, 10], [2, 20], [0, 1]], { names: ["unit", "feature"] });
 * Nx.dot(inputs, weights, { contract: "feature" });
 * // => #Nx.Tensor<
 * //   s64[sample: 2][unit: 3]
 * //   [
 * //     [21, 42, 2],
 * //     [43, 86, 4]
 * //   ]
 * // >
 *
 * // @ts-expect-error the right one has no axis "sample"
 * Nx.dot(inputs, weights, { contract: "sample" });
 * // throws ArgumentError: Nx.dot: no axis named "sample" in shape [unit: 3][feature: 2]: the axes are "unit", "feature"
 * ```
 * @example
 * ```ts
 * const a = Nx.tensor([[1, 2], [3, 4]], { names: ["i", "j"] });
 * Nx.dot(a, Nx.tensor([10, 100], { names: ["j"] }));
 * // => #Nx.Tensor<
 * //   s64[i: 2]
 * //   [210, 430]
 * // >
 * Nx.dot(a, a.rename(["k", "i"]), { contract: [["i"], ["i"]] });
 * // => #Nx.Tensor<
 * //   s64[j: 2][k: 2]
 * //   [
 * //     [7, 15],
 * //     [10, 22]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([2, 1, 3]);
 * Nx.dot(t, [2], [0], t, [2], [0]);
 * // => #Nx.Tensor<
 * //   s64[2][1][1]
 * //   [
 * //     [
 * //       [5]
 * //     ],
 * //     [
 * //       [50]
 * //     ]
 * //   ]
 * // >
 * Nx.dot(Nx.iota([2, 3]), Nx.iota([2, 3]));
 * // throws ArgumentError: Nx.dot cannot contract axis 1 of size 3 of [2][3] with axis 0 of size 2 of [2][3]
 * ```
 */
export function dot<
  L extends Names = readonly [],
  R extends Names = readonly [],
  const C extends Shared<L, R> | readonly Shared<L, R>[] | PairsOf<L, R> = never,
  const B extends Shared<L, R> | readonly Shared<L, R>[] | PairsOf<L, R> = never,
>(left: Operand<L>, right: Operand<R>, options?: DotOptions<C, B>): Tensor<Product<L, R, C, B>>;
export function dot<
  L extends Names,
  R extends Names,
  const A extends readonly AxisOf<L>[],
  const C extends readonly AxisOf<R>[],
>(left: Operand<L>, leftAxes: A, right: Operand<R>, rightAxes: C): Tensor<Product<L, R, readonly [A, C], never>>;
export function dot<
  L extends Names,
  R extends Names,
  const A extends readonly AxisOf<L>[],
  const B extends readonly AxisOf<L>[],
  const C extends readonly AxisOf<R>[],
  const D extends readonly AxisOf<R>[],
>(
  left: Operand<L>,
  leftAxes: A,
  leftBatch: B,
  right: Operand<R>,
  rightAxes: C,
  rightBatch: D,
): Tensor<Product<L, R, readonly [A, C], readonly [B, D]>>;
export function dot(...args: unknown[]): Tensor {
  const { left, right, options: given } = readArguments(args);
  const options = checkOptions(FN, given, ["contract", "batch"]);
  const [x, y] = asTensors([left, right], FN) as [Tensor, Tensor];
  if (x.shape.length === 0 || y.shape.length === 0) return scalarProduct(x, y, options);
  const contract = options?.contract === undefined ? defaultAxes(x, y) : axisPairs("contract", options.contract, x, y);
  const batch = options?.batch === undefined ? NONE : axisPairs("batch", options.batch, x, y);
  const isOrdered =
    !isShared(options?.batch) || [...batch[0], ...batch[1]].every((axis, i) => axis === i % batch[0].length);
  return isOrdered ? product(x, y, contract, batch) : batchesFirst(x, y, contract, batch);
}

/** Brings batch axes that were found by their names to the front, where the primitive wants them. */
function batchesFirst(x: Tensor, y: Tensor, contract: Pairs, batch: Pairs): Tensor {
  const orderOf = (t: Tensor, first: readonly number[]) => [...first, ...freeAxes(t.shape, first, [])];
  const [left, right] = [orderOf(x, batch[0]), orderOf(y, batch[1])];
  const moved = (axes: readonly number[], order: readonly number[]) => axes.map((axis) => order.indexOf(axis));
  const first = allAxes(batch[0].length);
  const pairs = [moved(contract[0], left), moved(contract[1], right)] as const;
  return product(permuted(x, left), permuted(y, right), pairs, [first, first]);
}

/**
 * Products of matrices, as NumPy's `matmul` and `@` have them: the last two axes are matrices, and the axes in front of these broadcast.
 *
 * A tensor of one axis is a row on the left and a column on the right, whose axis of size 1 the result lacks. For matrices and vectors
 * the same as {@link dot}, which pairs axes in front of matrices otherwise: it gives every product of a left with a right matrix.
 *
 * @param left - matrices `[..., m, k]`, or a vector `[k]`
 * @param right - matrices `[..., k, n]`, or a vector `[k]`
 * @returns the merged type and the shape `[..., m, n]`, as `Nx.dot` gives it: integers wrap around. The axes in front have the merged
 *   names, aligned from the right; `m` has the name of the left, `n` that of the right; those of `k` need not agree
 * @throws ArgumentError for a scalar, sizes of `k` that differ, axes in front that do not broadcast or whose names differ, and a name that
 *   is left twice
 * @example
 * ```ts
 * const batch = Nx.iota([2, 2, 2], { names: ["sample", "row", "column"] });
 * Nx.matmul(batch, Nx.tensor([[1, 0, 2], [0, 1, 1]], { names: [null, "unit"] }));
 * // => #Nx.Tensor<
 * //   s64[sample: 2][row: 2][unit: 3]
 * //   [
 * //     [
 * //       [0, 1, 1],
 * //       [2, 3, 7]
 * //     ],
 * //     [
 * //       [4, 5, 13],
 * //       [6, 7, 19]
 * //     ]
 * //   ]
 * // >
 * batch.matmul(batch.rename(["sample", "row", "other"])).names;
 * // => ["sample", "row", "other"]
 * ```
 * @example
 * ```ts
 * Nx.matmul(Nx.ones([3, 1, 2, 5]), Nx.ones([4, 5, 6])).shape;
 * // => [3, 4, 2, 6]
 * Nx.matmul(Nx.iota([5]), Nx.ones([4, 5, 6])).shape;
 * // => [4, 6]
 * Nx.matmul(Nx.ones([4, 2, 5]), Nx.ones([4, 2, 5]));
 * // throws ArgumentError: Nx.matmul cannot sum axis 2 of size 5 of [4][2][5] with axis 1 of size 2 of [4][2][5]: their sizes must be equal
 * ```
 */
export function matmul<L extends Names, R extends Names>(left: Tensor<L>, right: Tensor<R>): Tensor<MatrixNames<L, R>>;
export function matmul(left: Tensor, right: Tensor): Tensor {
  const [x, y] = asTensors([left, right], "Nx.matmul") as [Tensor, Tensor];
  const [last, inner] = [x.shape.length - 1, Math.max(0, y.shape.length - 2)];
  checkInner(x, y, last, inner);
  if (inner === 0) return product(x, y, [[last], [inner]], NONE);
  if (last === 0) return product(y, x, [[inner], [0]], NONE);
  const [a, b] = [x, y].map((t) => ({ shape: t.shape.slice(0, -2), names: t.names.slice(0, -2) }));
  const front = broadcastPair("Nx.matmul", a!, b!);
  const [stretched, other] = [x, y].map((t) => stretch(t, [...front, ...t.shape.slice(-2)]));
  const batch = allAxes(front.length);
  return product(stretched!, other!, [[batch.length + 1], [batch.length]], [batch, batch]);
}

function checkInner(x: Tensor, y: Tensor, last: number, inner: number): void {
  const [m, n] = [x.shape[last], y.shape[inner]];
  if (m !== undefined && m === n) return;
  const shapes = [x, y].map(({ shape, names }) => formatShape(shape, names));
  throw new ArgumentError(
    m === undefined || n === undefined
      ? `Nx.matmul takes no scalars, which Nx.multiply multiplies, got shapes ${shapes.join(" and ")}`
      : `Nx.matmul cannot sum axis ${last} of size ${m} of ${shapes[0]} with axis ${inner} of size ${n} of ${shapes[1]}: ` +
          `their sizes must be equal; transpose the matrices of one, with Nx.swapAxes(t, -2, -1)`,
  );
}

/** The tensor repeated along axes in front. */
function stretch(t: Tensor, shape: readonly number[]): Tensor {
  if (sameShape(t.shape, shape)) return t;
  const added = shape.length - t.shape.length;
  return broadcast(t, shape, { names: [...unnamed(added), ...t.names] });
}

function product(x: Tensor, y: Tensor, contract: Pairs, batch: Pairs): Tensor {
  checkBatch(x, batch[0], contract[0]);
  checkBatch(y, batch[1], contract[1]);
  checkPairs(x, y, contract, "contract");
  checkPairs(x, y, batch, "batch");
  const free = [freeAxes(x.shape, contract[0], batch[0]), freeAxes(y.shape, contract[1], batch[1])] as const;
  const shape = Object.freeze([...along(x.shape, batch[0]), ...along(x.shape, free[0]), ...along(y.shape, free[1])]);
  checkSize(shape, "the result of Nx.dot, shape");
  const common =
    batch[0].length === 0 ? [] : mergeNames(...leading(x, batch[0].length), ...leading(y, batch[1].length));
  const names = Object.freeze([...common, ...along(x.names, free[0]), ...along(y.names, free[1])]);
  const out = template(commonType(FN, x, y), shape, uniqueNames(names, shape));
  return run(DOT, out, [x, y], { contract, batch });
}

type Pairs = readonly [left: readonly number[], right: readonly number[]];

const NONE: Pairs = Object.freeze([Object.freeze([]), Object.freeze([])]) as unknown as Pairs;

interface Arguments {
  readonly left: unknown;
  readonly right: unknown;
  readonly options: DotOptions | undefined;
}

/** The three forms of the arguments as one. */
function readArguments(args: readonly unknown[]): Arguments {
  if (!Array.isArray(args[1])) {
    const [left, right, options] = args.length > 3 ? fitting(FN, 3, args) : args;
    return { left, right, options: options as DotOptions | undefined };
  }
  if (args.length === 4) {
    const [left, first, right, second] = args as [unknown, Axis[], unknown, Axis[]];
    return { left, right, options: { contract: [first, second] } };
  }
  if (args.length === 6) {
    const [left, first, firstBatch, right, second, secondBatch] = args as [
      unknown,
      Axis[],
      Axis[],
      unknown,
      Axis[],
      Axis[],
    ];
    return { left, right, options: { contract: [first, second], batch: [firstBatch, secondBatch] } };
  }
  throw new ArgumentError(
    `${FN} expects (left, right, options), (left, axes, right, axes) or (left, axes, batch, right, axes, batch), got ` +
      `${args.length} arguments of which the second is an array: ${show(args[1])}`,
  );
}

function scalarProduct(x: Tensor, y: Tensor, options: DotOptions | undefined): Tensor {
  if (options?.contract !== undefined) axisPairs("contract", options.contract, x, y);
  if (options?.batch !== undefined) axisPairs("batch", options.batch, x, y);
  return multiply(x, y as never) as Tensor;
}

function defaultAxes(x: Tensor, y: Tensor): Pairs {
  return [[x.shape.length - 1], [Math.max(0, y.shape.length - 2)]];
}

/** Whether axes are given by names that both tensors have. */
const isShared = (value: unknown): value is SharedAxes =>
  typeof value === "string" ||
  (Array.isArray(value) && value.length > 0 && value.every((axis) => typeof axis === "string"));

function axisPairs(option: string, value: unknown, x: Tensor, y: Tensor): Pairs {
  if (isShared(value)) {
    const words = typeof value === "string" ? [value] : value;
    return [resolveAxes(words, x.shape, x.names), resolveAxes(words, y.shape, y.names)];
  }
  if (!Array.isArray(value) || value.length !== 2) {
    throw new ArgumentError(
      `option ${option} of ${FN} must be the name of an axis that both tensors have, a list of such names, or a pair of lists of axes such as [["x"], ["x"]], got: ${show(value)}`,
    );
  }
  const left = resolveAxes(value[0], x.shape, x.names);
  const right = resolveAxes(value[1], y.shape, y.names);
  if (left.length === right.length) return [left, right];
  throw new ArgumentError(
    `option ${option} of ${FN} must list as many axes of the left as of the right, got ${show(value[0])} for shape ` +
      `${formatShape(x.shape, x.names)} and ${show(value[1])} for shape ${formatShape(y.shape, y.names)}`,
  );
}

function checkBatch({ shape, names }: Tensor, batch: readonly number[], contract: readonly number[]): void {
  const isFirst = batch.every((axis, i) => axis === i);
  if (isFirst && !contract.some((axis) => batch.includes(axis))) return;
  const why = isFirst ? "an axis cannot be a batch axis and be contracted too" : "batch axes must be successive from 0";
  throw new ArgumentError(
    `${FN}: ${why}, got batch axes ${show(batch)} and contracted axes ${show(contract)} for shape ${formatShape(shape, names)}; ` +
      `transpose the tensor so that its batch axes come first`,
  );
}

/** What a list has at some axes; a loop, since maps over frozen lists are slow. */
function along<T>(list: readonly T[], axes: readonly number[]): T[] {
  const some: T[] = [];
  for (let i = 0; i < axes.length; i++) some.push(list[axes[i]!]!);
  return some;
}

/** Names and sizes of the first axes. */
const leading = ({ names, shape }: Tensor, count: number) => [names.slice(0, count), shape.slice(0, count)] as const;

function checkPairs(x: Tensor, y: Tensor, [left, right]: Pairs, verb: string): void {
  left.forEach((axis, i) => {
    const other = right[i]!;
    if (x.shape[axis] === y.shape[other]) return;
    throw new ArgumentError(
      `${FN} cannot ${verb} axis ${axis} of size ${x.shape[axis]!} of ${formatShape(x.shape, x.names)} with axis ${other} ` +
        `of size ${y.shape[other]!} of ${formatShape(y.shape, y.names)}: their sizes must be equal; ` +
        `transpose one, or say the axes: { contract: [[...], [...]] }`,
    );
  });
}

/**
 * Products of all pairs of elements of two tensors, which are taken as vectors.
 *
 * @param left - a tensor or a plain number
 * @param right - the same
 * @returns the merged type and shape `[elements of left][elements of right]`; the axes keep the names of operands that
 *   are vectors
 * @throws ArgumentError where both vectors have the same name
 * @example
 * ```ts
 * Nx.outer(Nx.tensor([1, 2], { names: ["x"] }), Nx.tensor([10, 100], { names: ["y"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [10, 100],
 * //     [20, 200]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.outer(2, Nx.f32([[1, 2], [3, 4]]));
 * // => #Nx.Tensor<
 * //   f32[1][4]
 * //   [
 * //     [2.0, 4.0, 6.0, 8.0]
 * //   ]
 * // >
 * Nx.outer(Nx.tensor([1], { names: ["x"] }), Nx.tensor([1], { names: ["x"] }));
 * // throws ArgumentError: Nx.outer: operation would result in duplicate names ["x", "x"]
 * ```
 */
export function outer<L extends Names = readonly [], R extends Names = readonly []>(
  left: Operand<L>,
  right: Operand<R>,
): Tensor<OuterNames<L, R>> {
  const [x, y] = asTensors([left, right], "Nx.outer") as [Tensor, Tensor];
  const [m, n] = [sizeOf(x.shape), sizeOf(y.shape)];
  const shape = Object.freeze([m, n]);
  checkSize(shape, "the result of Nx.outer, shape");
  const nameOf = (t: Tensor): Name => (t.shape.length === 1 ? t.names[0]! : null);
  const names = uniqueNames(Object.freeze([nameOf(x), nameOf(y)]), shape);
  const column = run("reshape", template(x.type, Object.freeze([m, 1]), NO_NAMES), [x], {});
  const row = run("reshape", template(y.type, Object.freeze([1, n]), NO_NAMES), [y], {});
  const type = commonType("Nx.outer", x, y);
  return run("binary", template(type, shape, names), [column, row], { op: MULTIPLY, type }) as Tensor as Tensor<
    OuterNames<L, R>
  >;
}

const NO_NAMES = Object.freeze([null, null]);
