/**
 * One tensor as several: split, unstack.
 */
import { ArgumentError, show } from "../../core/errors";
import { checkOptions, type AlsoAxes } from "../../core/options";
import { formatShape, resolveAxis, type Axis, type Names } from "../../core/shape";
import type { AxisOf, Drop, Entry } from "../../core/axis-types";
import { sliceAlong } from "../aggregates/core";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, run, template } from "../dispatch";

/** Options of `Nx.split`. */
export interface SplitOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis that is cut, by position or name; the first when left out. */
  readonly axis?: A;
}

/** The parts of a tensor cut at `C`: two for one place; for a list one more than it has, any number where its length is not known. */
export type Parts<T, C> = C extends readonly number[]
  ? number extends C["length"]
    ? T[]
    : [first: T, ...rest: { -readonly [I in keyof C]: T }]
  : [left: T, right: T];

/**
 * Cuts a tensor in two along an axis, or in more where several places are given.
 *
 * @param tensor - a tensor of at least one axis
 * @param at - how many entries the left part has (no number of parts, as in NumPy), from the end when negative; or, as a number between 0 and 1 that is not whole, which
 *   share of them, rounded up; or a list of ascending positions at which a new part begins
 * @param options - `axis` (the first)
 * @returns the parts, of the same type and names: two, or one more than positions were given
 * @throws ArgumentError where a part would be empty
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] });
 * const [left, right] = Nx.split(t, 2, { axis: "y" });
 * left;
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [1, 2],
 * //     [4, 5]
 * //   ]
 * // >
 * right.shape;
 * // => [ 2, 1 ]
 * ```
 * @example
 * Samples for training and for testing, and three parts:
 * ```ts
 * Nx.split(Nx.iota([10]), 0.75).map((part) => part.size);
 * // => [ 8, 2 ]
 * const [first, second, rest] = Nx.split(Nx.iota([10]), [3, 4]);
 * [first.size, second.size, rest.size];
 * // => [ 3, 1, 6 ]
 * Nx.split(Nx.iota([10]), 10);
 * // throws ArgumentError: Nx.split of axis 0 of size 10 in shape [10] expects parts of at least one entry, got a cut at 10
 * ```
 */
export function split<N extends Names, const C extends number | readonly number[]>(
  tensor: Operand<N>,
  at: C,
  options?: AxisOf<N> | SplitOptions<AxisOf<N>>,
): Parts<Tensor<N>, C> {
  const fn = "Nx.split";
  const choice = checkOptions<SplitOptions>(fn, options, ["axis"]);
  const t: Tensor = asTensor(tensor, fn);
  const axis = resolveAxis(choice?.axis === undefined ? 0 : choice.axis, t.shape, t.names);
  const size = t.shape[axis]!;
  const cuts = Array.isArray(at) ? Array.from(at as readonly unknown[]) : [cutOf(at, size)];
  const edges = [0, ...cuts, size];
  cuts.forEach((cut, i) => {
    if (Number.isInteger(cut) && (cut as number) > Number(edges[i]) && (cut as number) < size) return;
    throw new ArgumentError(
      `${fn} of axis ${axis} of size ${size} in shape ${formatShape(t.shape, t.names)} expects parts of at least one entry, ` +
        `got a cut at ${show(Array.isArray(at) ? cut : at)}`,
    );
  });
  const parts = edges
    .slice(1)
    .map((end, i) => sliceAlong(t, axis, edges[i] as number, (end as number) - (edges[i] as number)));
  return parts as readonly Tensor[] as Parts<Tensor<N>, C>;
}

/** Where one number cuts: a position, one from the end, or a share. */
function cutOf(at: unknown, size: number): unknown {
  if (typeof at !== "number") return at;
  if (at > 0 && at < 1) return Math.ceil(at * size);
  return at < 0 ? size + at : at;
}

/**
 * The entries of an axis as tensors without it; the converse of `Nx.stack`.
 *
 * @param tensor - a tensor of at least one axis
 * @param options - `axis` (the first)
 * @returns a list with a tensor for each entry
 * @throws ArgumentError for an axis that the tensor does not have
 * @example
 * ```ts
 * Nx.unstack(Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] }), { axis: "y" });
 * // => [
 * //   #Nx.Tensor<
 * //     s64[x: 2]
 * //     [1, 3]
 * //   >,
 * //   #Nx.Tensor<
 * //     s64[x: 2]
 * //     [2, 4]
 * //   >
 * // ]
 * Nx.unstack(Nx.tensor(1));
 * // throws ArgumentError: Nx.unstack: given axis (0) invalid for shape [] with rank 0; a scalar has no axes
 * ```
 */
export function unstack<N extends Names, const A extends AxisOf<N> = never>(
  tensor: Operand<N>,
  options?: A | SplitOptions<A>,
): Tensor<[A] extends [never] ? Entry<N> : Drop<N, A>>[] {
  const fn = "Nx.unstack";
  const choice = checkOptions<SplitOptions>(fn, options, ["axis"]);
  const t: Tensor = asTensor(tensor, fn);
  const axis = resolveAxis(choice?.axis === undefined ? 0 : choice.axis, t.shape, t.names);
  const rest = <T>(values: readonly T[]): readonly T[] => Object.freeze(values.filter((_, i) => i !== axis));
  const out = template(t.type, rest(t.shape), rest(t.names));
  return Array.from({ length: t.shape[axis]! }, (_, i) =>
    run("reshape", out, [sliceAlong(t, axis, i, 1)], {}),
  ) as Tensor[] as ReturnType<typeof unstack<N, A>>;
}
