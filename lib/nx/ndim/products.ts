/**
 * Products of vectors and matrices other than `dot`, and the sum of a diagonal: cross, kron, trace.
 */
import type { AxisOf, Batch, Merged } from "../../core/axis-types";
import { ArgumentError } from "../../core/errors";
import { mergeNames, unnamed } from "../../core/names";
import { checkOptions, type AlsoAxes } from "../../core/options";
import { checkSize, formatShape, resolveAxis, type Axis, type Name, type Names } from "../../core/shape";
import { unchecked } from "../../core/promotion-scope";
import type { Right } from "../../methods";
import type { Operand, Tensor } from "../../tensor";
import { sum } from "../aggregates";
import { sliceAlong } from "../aggregates/core";
import { takeDiagonal, type DiagonalOptions } from "../creation";
import { asTensor, pair, run, template } from "../dispatch";
import { multiply, subtract } from "../elementwise";
import { broadcastPair, mergedNames } from "../elementwise/core";
import { concatenate } from "./join";

/** Options of `Nx.cross`. */
export interface CrossOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis of the three components, by position or name, in the result; the last when left out. */
  readonly axis?: A;
}

/**
 * Cross products of vectors with three components.
 *
 * @param left - vectors along an axis of size 3
 * @param right - vectors that broadcast against these
 * @param options - `axis` of the components (the last one), among those of the result
 * @returns the vectors at right angles to both, of the merged type, with the merged names
 * @throws ArgumentError where the axis has not 3 components in each operand
 * @example
 * ```ts
 * Nx.cross(Nx.tensor([1, 0, 0], { names: ["component"] }), Nx.tensor([0, 1, 0]));
 * // => #Nx.Tensor<
 * //   s64[component: 3]
 * //   [0, 0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.cross(Nx.tensor([1, 0]), Nx.tensor([0, 1]));
 * // throws ArgumentError: Nx.cross expects 3 components along axis 0, got shapes [2] and [2]
 * ```
 */
export function cross<L extends Names = readonly [], R extends Names = readonly []>(
  left: Operand<L>,
  right: Right<L, R>,
  options?: AxisOf<L> | AxisOf<R> | CrossOptions<AxisOf<L> | AxisOf<R>>,
): Tensor<Merged<L, R>> {
  const fn = "Nx.cross";
  const choice = checkOptions<CrossOptions>(fn, options, ["axis"]);
  const [a, b] = pair(left, right, fn);
  const shape = broadcastPair(fn, a, b);
  const { length } = shape;
  const named = mergedNames(a, b);
  const axis = length === 0 ? 0 : resolveAxis(choice?.axis === undefined ? -1 : choice.axis, shape, named);
  const along = (t: Tensor): number => axis - length + t.shape.length;
  if (a.shape[along(a)] !== 3 || b.shape[along(b)] !== 3) {
    const shapes = `${formatShape(a.shape, a.names)} and ${formatShape(b.shape, b.names)}`;
    throw new ArgumentError(`${fn} expects 3 components along axis ${axis}, got shapes ${shapes}`);
  }
  const part = (t: Tensor, i: number): Tensor => sliceAlong(t, along(t), i % 3, 1);
  const component = (i: number): Tensor =>
    subtract(multiply(part(a, i + 1), part(b, i + 2)), multiply(part(a, i + 2), part(b, i + 1)));
  return concatenate([component(0), component(1), component(2)], { axis }) as Tensor as Tensor<Merged<L, R>>;
}

/**
 * The Kronecker product: every element of the first operand times the whole second one, block beside block.
 *
 * @param left - numbers of any type and shape
 * @param right - numbers; the operand of lower rank has axes of size 1 added in front
 * @returns a tensor of the merged type, whose sizes are the products of those of the operands, with the merged names
 * @throws ArgumentError for names that do not merge
 * @example
 * ```ts
 * Nx.kron(Nx.eye(2, { names: ["x", "y"] }), Nx.tensor([[1, 2]]));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 4]
 * //   [
 * //     [1, 2, 0, 0],
 * //     [0, 0, 1, 2]
 * //   ]
 * // >
 * Nx.kron(Nx.iota([2], { names: ["x"] }), Nx.iota([2], { names: ["y"] }) as Nx.Tensor);
 * // throws ArgumentError: Nx.kron:
 * ```
 */
export function kron<L extends Names = readonly [], R extends Names = readonly []>(
  left: Operand<L>,
  right: Right<L, R>,
): Tensor<Merged<L, R>> {
  const fn = "Nx.kron";
  const [a, b] = pair(left, right, fn);
  const rank = Math.max(a.shape.length, b.shape.length);
  const widened = <T>(values: readonly T[], value: T): readonly T[] => [
    ...new Array<T>(rank - values.length).fill(value),
    ...values,
  ];
  const [x, y] = [widened(a.shape, 1), widened(b.shape, 1)];
  const shape = Object.freeze(x.map((size, i) => size * y[i]!));
  checkSize(shape, `the result of ${fn}, shape`);
  const names = mergeNames(widened<Name>(a.names, null), shape, widened<Name>(b.names, null), shape);
  const spread = (t: Tensor, sizes: readonly number[], place: 0 | 1): Tensor => {
    const pairs = Object.freeze(sizes.flatMap((size) => (place === 0 ? [size, 1] : [1, size])));
    return run("reshape", template(t.type, pairs, unnamed(pairs.length)), [t], {});
  };
  const blocks = multiply(spread(a, x, 0), spread(b, y, 1));
  return run("reshape", template(blocks.type, shape, names), [blocks], {}) as Tensor as Tensor<Merged<L, R>>;
}

/**
 * The sum of the diagonal of a matrix, or of each matrix of a batch.
 *
 * @param tensor - of shape `[..., m, n]`
 * @param options - `offset` of the diagonal (0)
 * @returns the sums, of the type of `Nx.sum`, with the names of the batch axes
 * @throws ArgumentError for less than two axes, and an offset outside the matrix
 * @example
 * ```ts
 * Nx.trace(Nx.tensor([[1, 2], [3, 4]]));
 * // => #Nx.Tensor<
 * //   s64
 * //   5
 * // >
 * Nx.trace(Nx.iota([2, 2, 2], { names: ["batch", "x", "y"] }), { offset: 1 });
 * // => #Nx.Tensor<
 * //   s64[batch: 2]
 * //   [1, 5]
 * // >
 * Nx.trace(Nx.iota([3]));
 * // throws ArgumentError: Nx.trace expects a tensor of at least 2 axes, got shape [3]
 * ```
 */
export function trace<N extends Names>(tensor: Operand<N>, options?: DiagonalOptions): Tensor<Batch<N>>;
export function trace(tensor: Operand, options?: DiagonalOptions): Tensor {
  const fn = "Nx.trace";
  options = checkOptions(fn, options, ["offset"]);
  const t: Tensor = asTensor(tensor, fn);
  if (t.shape.length < 2) {
    throw new ArgumentError(`${fn} expects a tensor of at least 2 axes, got shape ${formatShape(t.shape, t.names)}`);
  }
  return unchecked(() => sum(takeDiagonal(t, options), { axes: [-1] }));
}
