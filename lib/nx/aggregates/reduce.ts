/**
 * Reducing with a function of the user's.
 */
import { ArgumentError, show } from "../../core/errors";
import { checkOptions } from "../../core/options";
import type { Names } from "../../core/shape";
import { commonType } from "../../core/promotion";
import { mergeScalar, normalizeType, type DType } from "../../core/types";
import { Tensor, type Operand } from "../../tensor";
import { asTensorLike, cast, constant, isScalar, pair, run, template } from "../dispatch";
import { named } from "../elementwise/core";
import { AXES_OPTIONS, readAxes, shapeText, type AxesChoice, type AxesOf, type Reduced } from "./core";

/** Options of `Nx.reduce`. */
export interface ReduceOptions<A, K> extends AxesChoice<A, K> {
  /** Element type of the result and of what the function is given. */
  readonly type?: DType;
}

/** Puts one element into the accumulator; both are scalars. */
export type Reducer = (element: Tensor<readonly []>, accumulator: Tensor<readonly []>) => Operand;

const FN = "Nx.reduce";

/**
 * Reduces with a function of your own, which puts one element after the other into an accumulator.
 *
 * A backend may take the elements in any order and start from the accumulator more than once, so the function should be
 * associative and the accumulator neutral to it. Prefer {@link sum}, {@link reduceMax} and the like where they do: a
 * function of scalars is slow.
 *
 * @param tensor - numbers of any type and shape
 * @param accumulator - scalar to start from
 * @param fn - given an element and the accumulator as scalar tensors, returns the new accumulator, a scalar
 * @param options - `axes` to reduce, all when left out; `keepAxes` to keep them with size 1; `type` of the result
 * @returns `type` or else the merged type of the tensor and the accumulator, without the reduced axes unless they are kept
 * @throws ArgumentError where the accumulator or what the function returns is not a scalar, and for unknown axes
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
export function reduce<N extends Names = readonly [], const A extends AxesOf<N> = never, K extends boolean = false>(
  tensor: Operand<N>,
  accumulator: Operand,
  fn: Reducer,
  options?: ReduceOptions<A, K>,
): Tensor<Reduced<N, A, K>> {
  checkReducer(FN, fn);
  const [t, initial] = pair(tensor as Operand, accumulator, FN);
  if (initial.shape.length > 0) {
    throw new ArgumentError(`${FN} expects a scalar as accumulator, got: ${shapeText(initial)}`);
  }
  options = checkOptions(FN, options, [...AXES_OPTIONS, "type"]);
  const { axes, keepAxes, shape, names } = readAxes(FN, t, options, ["type"]);
  const type = options?.type === undefined ? commonType(FN, t, initial) : normalizeType(options.type);
  const inputs = [cast(t, type), startOf(accumulator, initial, type)];
  const attrs = { fn: scalarReducer(FN, fn, type), axes, keepAxes };
  return run("reduce", template(type, shape, names), inputs, attrs) as Tensor<Reduced<N, A, K>>;
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
