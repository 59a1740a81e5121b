/**
 * Reducing with a function of the user's.
 */
import { REDUCE } from "../../backends/primitives";
import type { AxesOf, Reduced } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { checkOptions, type More } from "../../core/options";
import type { LaidOut, LayoutPattern, PatternSizes } from "../../core/pattern-types";
import type { Axis, AxisList, Names } from "../../core/shape";
import { commonType } from "../../core/promotion";
import { mergeScalar, normalizeType, type DType } from "../../core/types";
import { Tensor, type Operand } from "../../tensor";
import { asTensorLike, cast, constant, isScalar, pair, run, template } from "../dispatch";
import { named } from "../elementwise/core";
import { reducedBy, type PatternReduction } from "../patterns/reduce";
import { AXES_OPTIONS, readAxes, shapeText, type AxesArgument, type AxesChoice } from "./core";

/** Options of `Nx.reduce`. */
export interface ReduceOptions<A, K> extends AxesChoice<A, K> {
  /** Element type of the result and of what the function is given. */
  readonly type?: DType;
}

/** Puts one element into the accumulator; both are scalars. */
export type Reducer = (element: Tensor<readonly []>, accumulator: Tensor<readonly []>) => Operand;

const FN = "Nx.reduce";

/**
 * Reduces with a function of your own, which puts one element after the other into an accumulator; or, given a pattern, the axes that it
 * leaves out, as `reduce` of einops does.
 *
 * A backend may take the elements in any order and start from the accumulator more than once, so the function should be
 * associative and the accumulator neutral to it. Prefer {@link sum}, {@link reduceMax} and the like where they do: a
 * function of scalars is slow.
 *
 * A pattern is that of {@link rearrange}; words and numbers that stand in front of `->` only are reduced.
 *
 * @param tensor - numbers of any type and shape
 * @param accumulator - scalar to start from; or a pattern
 * @param fn - given an element and the accumulator as scalar tensors, returns the new accumulator, a scalar. For a pattern `"sum"`,
 *   `"mean"`, `"max"`, `"min"`, `"prod"`, `"any"`, `"all"`, or a function of a tensor and the positions of the axes to reduce
 * @param options - `axes` to reduce, all when left out; `keepAxes` to keep them with size 1; `type` of the result. For a pattern the sizes of
 *   words, by the words
 * @returns `type` or else the merged type of the tensor and the accumulator, without the reduced axes unless they are kept
 * @throws ArgumentError where the accumulator or what the function returns is not a scalar, for unknown axes, and for patterns that do not fit
 * @example Pooling by a pattern
 * ```ts
 * const image = Nx.f32([[1, 2, 3, 4], [5, 6, 7, 8]], { names: ["row", "column"] });
 * Nx.reduce(image, "(row 2) (column 2) -> row column", "max");
 * // => #Nx.Tensor<
 * //   f32[row: 1][column: 2]
 * //   [
 * //     [6.0, 8.0]
 * //   ]
 * // >
 * Nx.reduce(image, "row column -> column", "mean");
 * // => #Nx.Tensor<
 * //   f32[column: 4]
 * //   [3.0, 4.0, 5.0, 6.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.reduce(Nx.tensor([[1, 2], [3, 4]]), 0.5, (x, acc) => Nx.add(x, acc));
 * // => #Nx.Tensor<
 * //   f32
 * //   10.5
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] });
 * Nx.reduce(t, 1, (x, acc) => Nx.multiply(x, acc), { axes: ["y"], type: "f64" });
 * // => #Nx.Tensor<
 * //   f64[x: 2]
 * //   [6.0, 120.0]
 * // >
 * Nx.reduce(t, Nx.tensor([0, 0]), (x, acc) => Nx.add(x, acc));
 * // throws ArgumentError: Nx.reduce expects a scalar as accumulator, got: s64[2]
 * ```
 */
export function reduce<
  N extends Names,
  const P extends Operand | string,
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  accumulator: P extends string ? LayoutPattern<P, N> : P,
  fn: P extends string ? PatternReduction : Reducer,
  options?: P extends string ? PatternSizes<P> : A | ReduceOptions<A, K>,
  ...more: More<ReduceOptions<undefined, K>>
): Tensor<P extends string ? LaidOut<P, N> : Reduced<N, A, K>>;
export function reduce(
  tensor: Operand,
  accumulator: Operand | string,
  fn: Reducer | PatternReduction,
  options?: unknown,
): Tensor {
  if (typeof accumulator === "string")
    return reducedBy(FN, tensor, accumulator, fn as PatternReduction, options as object | undefined);
  return folded(
    tensor,
    accumulator,
    fn as Reducer,
    options as AxesArgument<ReduceOptions<Axis | AxisList | undefined, boolean>>,
  );
}

function folded(
  tensor: Operand,
  accumulator: Operand,
  fn: Reducer,
  options: AxesArgument<ReduceOptions<Axis | AxisList | undefined, boolean>>,
): Tensor {
  checkReducer(FN, fn);
  const [t, initial] = pair(tensor, accumulator, FN);
  if (initial.shape.length > 0) {
    throw new ArgumentError(`${FN} expects a scalar as accumulator, got: ${shapeText(initial)}`);
  }
  const given = checkOptions<ReduceOptions<Axis | AxisList | undefined, boolean>>(FN, options, [
    ...AXES_OPTIONS,
    "type",
  ]);
  const { axes, keepAxes, shape, names } = readAxes(FN, t, given, ["type"]);
  const type = given?.type === undefined ? commonType(FN, t, initial) : normalizeType(given.type);
  const inputs = [cast(t, type), startOf(accumulator, initial, type)];
  const attrs = { fn: scalarReducer(FN, fn, type), axes, keepAxes };
  return run(REDUCE, template(type, shape, names), inputs, attrs);
}

/** The accumulator in the type of the result, which a plain number goes straight to where it fits. */
function startOf(accumulator: Operand, initial: Tensor, type: DType): Tensor {
  const fits = isScalar(accumulator) && mergeScalar(type, accumulator) === type;
  return fits ? constant(accumulator, type) : cast(initial, type);
}

/** Refuses what is no function. */
export function checkReducer(name: string, fn: unknown): void {
  if (typeof fn === "function") return;
  throw new ArgumentError(`${name} expects a function of an element and the accumulator, got: ${show(fn)}`);
}

/** The user's function, with its result checked and brought to the type of the accumulator. */
export function scalarReducer(name: string, fn: Reducer, type: DType): (...args: Tensor[]) => Tensor {
  const notScalar = (got: string) =>
    new ArgumentError(`the function given to ${name} must return a scalar, got: ${got}`);
  return named(fn.name, (element: Tensor, accumulator: Tensor) => {
    const given = fn(element as Tensor<readonly []>, accumulator as Tensor<readonly []>) as unknown;
    if (!(given instanceof Tensor || isScalar(given))) throw notScalar(show(given));
    const result = asTensorLike(given, { type }, name);
    if (result.shape.length > 0) throw notScalar(shapeText(result));
    return cast(result, type);
  });
}
