/**
 * Bringing several tensors to the same vectorized axes, as functions of several tensors do with their operands.
 */
import { ArgumentError, show } from "../../core/errors";
import { booleanOption, checkOptions } from "../../core/options";
import { withInFront } from "../../core/names";
import type { Names } from "../../core/shape";
import { apart, asTensor } from "../../nx/dispatch";
import { renamed } from "../../nx/creation/tensor";
import type { Operand, Tensor } from "../../tensor";
import type { Tensors } from "../trace";
import { alignTo, spreadTo, unionOf, type VectorizedAxes } from "./axes";
import { vectorized, vectorizedOf } from "./backend";

/** Options of `Nx.broadcastVectors` and `Nx.reshapeVectors`. */
export interface TogetherOptions<A extends boolean = boolean> {
  /** Whether tensors of fewer axes get axes of size 1 in front; false by default. */
  readonly alignRanks?: A;
}

/** The tensors as they were, but for vectorized axes and, where ranks are aligned, axes in front. */
export type Revectorized<T extends readonly Operand[], A extends boolean> = A extends false
  ? Tensors<T>
  : { readonly [I in keyof T]: Tensor };

/**
 * Vectorizes tensors over the same axes, of the same sizes: each is repeated along those that it lacks, or has with size 1.
 *
 * @param tensors - an array of tensors, vectorized or not, and plain numbers
 * @param options - `alignRanks`: whether tensors of fewer axes get axes of size 1 in front, as many as the others have
 * @returns an array of the tensors with all vectorized axes, in the order in which they are first met
 * @throws ArgumentError where axes of one name have different sizes, none of them 1
 * @example
 * ```ts
 * const x = Nx.vectorize(Nx.tensor([1, 2]), "x");
 * const y = Nx.vectorize(Nx.tensor([[10], [20]], { names: ["y", "z"] }), "y");
 * const [both] = Nx.broadcastVectors([x, y, 5]);
 * Nx.devectorize(both);
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [1, 1],
 * //     [2, 2]
 * //   ]
 * // >
 * Nx.broadcastVectors([x, y], { alignRanks: true }).map((t) => t.shape);
 * // => [[1], [1]]
 * ```
 * @example
 * ```ts
 * Nx.broadcastVectors([Nx.vectorize(Nx.iota([2]), "x"), Nx.vectorize(Nx.iota([3]), "x")]);
 * // throws ArgumentError: Nx.broadcastVectors: the vectorized axis "x" has size 2 in one operand and 3 in another
 * ```
 */
export function broadcastVectors<const T extends readonly Operand[], const A extends boolean = false>(
  tensors: T,
  options?: TogetherOptions<A>,
): Revectorized<T, A> {
  const made = together("Nx.broadcastVectors", tensors, options, (union, t, rank) => {
    const names = namesOf(t, rank);
    const value = vectorizedOf(t);
    const aligned = { inner: alignTo(union, value, rank), axes: sized(union, value.axes) };
    return wrapped(apart(spreadTo(union, aligned), value.inner), union, names);
  });
  return made as unknown as Revectorized<T, A>;
}

/**
 * Vectorizes tensors over the same axes without repeating elements: axes that a tensor lacks have size 1.
 *
 * Functions of several tensors take an axis of size 1 together with one of any size, as they broadcast ordinary axes.
 *
 * @param tensors - an array of tensors, vectorized or not, and plain numbers
 * @param options - `alignRanks`: whether tensors of fewer axes get axes of size 1 in front, as many as the others have
 * @returns an array of the tensors with all vectorized axes, in the order in which they are first met
 * @throws ArgumentError where axes of one name have different sizes, none of them 1
 * @example
 * ```ts
 * const x = Nx.vectorize(Nx.tensor([1, 2]), "x");
 * const y = Nx.vectorize(Nx.tensor([[10], [20], [30]], { names: ["y", "z"] }), "y");
 * const [a, b] = Nx.reshapeVectors([x, y]);
 * a;
 * // => #Nx.Tensor<
 * //   s64
 * //   vectorized[x: 2][y: 1]
 * //   [
 * //     [1],
 * //     [2]
 * //   ]
 * // >
 * Nx.devectorize(a.add(b)).shape;
 * // => [2, 3, 1]
 * ```
 * @example
 * ```ts
 * Nx.reshapeVectors(Nx.tensor([1, 2]) as never);
 * // throws ArgumentError: Nx.reshapeVectors expects an array of tensors, got: a tensor s64[2]
 * ```
 */
export function reshapeVectors<const T extends readonly Operand[], const A extends boolean = false>(
  tensors: T,
  options?: TogetherOptions<A>,
): Revectorized<T, A> {
  const made = together("Nx.reshapeVectors", tensors, options, (union, t, rank) => {
    const value = vectorizedOf(t);
    return wrapped(apart(alignTo(union, value, rank), value.inner), sized(union, value.axes), namesOf(t, rank));
  });
  return made as unknown as Revectorized<T, A>;
}

function together(
  fn: string,
  tensors: unknown,
  options: TogetherOptions | undefined,
  bring: (union: VectorizedAxes, t: Tensor, rank: number) => Tensor,
): readonly Tensor[] {
  options = checkOptions(fn, options, ["alignRanks"]);
  const alignRanks = booleanOption(fn, "alignRanks", options?.alignRanks, false);
  if (!Array.isArray(tensors)) throw new ArgumentError(`${fn} expects an array of tensors, got: ${show(tensors)}`);
  const all = Array.from<unknown, Tensor>(tensors, (value) => asTensor(value, fn));
  const union = unionOf(all.map((t) => vectorizedOf(t).axes));
  const rank = alignRanks ? Math.max(...all.map((t) => t.shape.length)) : 0;
  return all.map((t) => bring(union, t, rank));
}

/** The axes of `union` as an inner tensor has them that was aligned to it: those it lacked have size 1. */
const sized = (union: VectorizedAxes, own: VectorizedAxes): VectorizedAxes =>
  union.map((axis) => ({ ...axis, size: own.find(({ name }) => name === axis.name)?.size ?? 1 }));

function namesOf({ names }: Tensor, rank: number): Names {
  let all = names;
  while (all.length < rank) all = withInFront(null, all);
  return all;
}

function wrapped(inner: Tensor, axes: VectorizedAxes, names: Names): Tensor {
  const shape = Object.freeze(inner.shape.slice(axes.length));
  return axes.length === 0 ? renamed(inner, names) : vectorized(inner, axes, { type: inner.type, shape, names });
}
