/**
 * The random functions of the main module, which take no key: each call makes a key. They exist because Nx has them; their
 * results cannot be reproduced.
 */
import { runWithDefault } from "../backends/default";
import { resolveDefault } from "../backends/registry";
import type { AxisOf } from "../core/axis-types";
import { defaultFloat } from "../core/default-types";
import { checkNames, unnamed } from "../core/names";
import { checkOptions, type AlsoAxes } from "../core/options";
import { checkShape, resolveAxis, SCALAR_SHAPE, sizeOf, type Axis, type Names, type Shape } from "../core/shape";
import { isInteger, normalizeType } from "../core/types";
import { reshapeTo } from "../nx/aggregates/core";
import { renamed, type TensorOptions } from "../nx/creation/tensor";
import type { ShapeLike } from "../nx/creation";
import { asTensor, isScalar, run, template } from "../nx/dispatch";
import { Tensor, type Operand } from "../tensor";
import { normalWith, uniformWith } from "./floats";
import { randintWith } from "./integers";
import { key } from "./keys";
import { shuffleWith } from "./permute";

/**
 * Random numbers that are equally likely anywhere from `min` to below `max`, other ones at each call.
 *
 * Prefer `Nx.Random.uniform`, which gives the same numbers for the same key. In a function given to `defn` the numbers are
 * drawn when the function is traced, so that every call of it gets the same ones.
 *
 * @param shape - the shape; of a tensor its shape and names are taken
 * @param min - lowest value, 0 when left out
 * @param max - end of the range, 1 when left out
 * @param options - `type` (`f32`; with an integer type integers are drawn), `names`, `backend`
 * @returns a tensor of that shape
 * @throws ArgumentError for a malformed shape, names that do not fit, `min` above `max`
 * @deprecated draw with a key: `Nx.Random.uniform`
 * @example
 * ```ts
 * const t = Nx.randomUniform([2, 3], -1, 1, { names: ["x", "y"] });
 * t.shape;
 * // => [2, 3]
 * t.names;
 * // => ["x", "y"]
 * Nx.all(Nx.logicalAnd(Nx.greaterEqual(t, -1), Nx.lessEqual(t, 1)));
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * ```
 * @example
 * ```ts
 * Nx.type(Nx.randomUniform([10], 5, 10, { type: "u8" }));
 * // => "u8"
 * Nx.randomUniform([2, 0]);
 * // throws ArgumentError: shape of Nx.randomUniform must hold positive integers only, got 0 in [2, 0]
 * ```
 */
export function randomUniform<const N extends Names = Names, const M extends Names = N>(
  shape: ShapeLike<N>,
  min: Operand = 0,
  max: Operand = 1,
  options?: TensorOptions<M>,
): Tensor<M> {
  const fn = "Nx.randomUniform";
  const sample = (drawn: TensorOptions & { shape: Shape }): Tensor =>
    drawn.type !== undefined && isInteger(normalizeType(drawn.type))
      ? randintWith(fn, freshKey(), min, max, drawn)
      : uniformWith(fn, freshKey(), [min, max, drawn]);
  return drawLike(fn, shape, options, sample) as Tensor<M>;
}

/**
 * Normally distributed random numbers, other ones at each call.
 *
 * Prefer `Nx.Random.normal`, which gives the same numbers for the same key. In a function given to `defn` the numbers are
 * drawn when the function is traced, so that every call of it gets the same ones.
 *
 * @param shape - the shape; of a tensor its shape and names are taken
 * @param mean - the mean, 0 when left out
 * @param standardDeviation - the standard deviation, 1 when left out
 * @param options - `type` (`f32`), `names`, `backend`
 * @returns a tensor of that shape
 * @throws ArgumentError for a malformed shape, names that do not fit, types that are not floating
 * @deprecated draw with a key: `Nx.Random.normal`
 * @example
 * ```ts
 * Nx.randomNormal(Nx.iota([2, 3], { names: ["x", "y"] })).names;
 * // => ["x", "y"]
 * Nx.type(Nx.randomNormal([10], 0, 1, { type: "f64" }));
 * // => "f64"
 * ```
 * @example
 * ```ts
 * Nx.randomNormal([10], 0, 1, { type: "s32" });
 * // throws ArgumentError: Nx.randomNormal cannot draw samples of type s32
 * ```
 */
export function randomNormal<const N extends Names = Names, const M extends Names = N>(
  shape: ShapeLike<N>,
  mean: Operand = 0,
  standardDeviation: Operand = 1,
  options?: TensorOptions<M>,
): Tensor<M> {
  const fn = "Nx.randomNormal";
  return drawLike(fn, shape, options, (drawn) =>
    normalWith(fn, freshKey(), [mean, standardDeviation, drawn]),
  ) as Tensor<M>;
}

/** Draws a sample in the shape that the first argument stands for, on the backend that the options name. */
function drawLike(
  fn: string,
  like: unknown,
  options: TensorOptions | undefined,
  sample: (options: TensorOptions & { shape: Shape }) => Tensor,
): Tensor {
  options = checkOptions(fn, options, ["type", "names", "backend"]);
  const { shape, names } = shapeOf(fn, like);
  const draw = (): Tensor => {
    const drawn = sample({ shape, type: options?.type === undefined ? defaultFloat() : options.type });
    return renamed(drawn, options?.names === undefined ? names : checkNames(options.names, shape));
  };
  return options?.backend === undefined ? draw() : runWithDefault(resolveDefault(options.backend), draw);
}

function shapeOf(fn: string, like: unknown): { readonly shape: Shape; readonly names: Names } {
  if (like instanceof Tensor) return like;
  const shape = isScalar(like) ? SCALAR_SHAPE : checkShape(like, `shape of ${fn}`);
  return { shape, names: unnamed(shape.length) };
}

/** Options of `Nx.shuffle`. */
export interface ShuffleAxis<A = Axis> extends AlsoAxes<A> {
  /** The axis whose entries change places, by position or name; all elements when left out. */
  readonly axis?: A;
}

/**
 * The elements in random order, another one at each call.
 *
 * Prefer `Nx.Random.shuffle`, which gives the same order for the same key. In a function given to `defn` the order is drawn
 * when the function is traced, so that every call of it gets the same one.
 *
 * @param tensor - any tensor
 * @param options - `axis` whose entries change places as a whole; all elements do, each for itself, when left out
 * @returns the tensor in another order, of the same type, shape and names
 * @throws ArgumentError for an axis the tensor does not have
 * @deprecated draw with a key: `Nx.Random.shuffle`
 * @example
 * ```ts
 * const t = Nx.iota([3, 2], { names: ["x", "y"] });
 * Nx.sum(Nx.shuffle(t));
 * // => #Nx.Tensor<
 * //   s64
 * //   15
 * // >
 * Nx.sum(Nx.shuffle(t, { axis: "x" }), { axes: ["x"] });
 * // => #Nx.Tensor<
 * //   s64[y: 2]
 * //   [6, 9]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.shuffle(Nx.iota([3, 2]), { axis: 2 });
 * // throws ArgumentError: Nx.shuffle: given axis (2) invalid for shape [3][2] with rank 2
 * ```
 */
export function shuffle<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxisOf<N> | ShuffleAxis<AxisOf<N>>,
): Tensor<N> {
  const choice = checkOptions<ShuffleAxis>("Nx.shuffle", options, ["axis"]);
  const t = asTensor(tensor, "Nx.shuffle");
  if (choice?.axis !== undefined) {
    const axis = resolveAxis(choice.axis, t.shape, t.names);
    return shuffleWith(freshKey(), t, axis, false)[0] as Tensor<N>;
  }
  const [shuffled] = shuffleWith(freshKey(), reshapeTo(t, [sizeOf(t.shape)]), 0, false);
  return run("reshape", template(t.type, t.shape, t.names), [shuffled], {}) as Tensor<N>;
}

interface Host {
  readonly crypto?: { getRandomValues?(words: Uint32Array): Uint32Array };
}

/** A secret key, from the random source of the host where there is one. */
function freshKey(): Tensor {
  const words = new Uint32Array(2);
  const { crypto } = globalThis as Host;
  if (crypto?.getRandomValues) crypto.getRandomValues(words);
  else for (let i = 0; i < 2; i++) words[i] = Math.random() * 2 ** 32;
  return key((BigInt(words[0]!) << 32n) | BigInt(words[1]!));
}
