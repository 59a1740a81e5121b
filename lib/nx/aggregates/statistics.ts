/**
 * Means and what is made of them: mean, weightedMean, variance, standardDeviation. All are compositions.
 */
import type { AxesOf, Reduced } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { mergeNames, unnamed } from "../../core/names";
import { checkOptions, integerOption, type More } from "../../core/options";
import {
  formatShape,
  reducedShape,
  resolveAxes,
  sameShape,
  type Name,
  type Names,
  type Axis,
  type AxisList,
} from "../../core/shape";
import { commonType } from "../../core/promotion";
import { isComplex, toFloating, toReal } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, cast, pair, run, template } from "../dispatch";
import { conjugate, greater, multiply, real, sqrt, subtract, where } from "../elementwise";
import { plainDivide } from "../elementwise/ratio";
import {
  AXES_OPTIONS,
  countOf,
  keeping,
  readAxes,
  reduceOver,
  reshapeTo,
  workingType,
  type AxesArgument,
  type AxesChoice,
  type Reduction,
} from "./core";
import { countsOf, filled, meanOver, meanSome, missingIn } from "./missing";

/** Options of `Nx.variance` and `Nx.standardDeviation`. */
export interface DdofOptions<A, K> extends AxesChoice<A, K> {
  /** What is taken off the number of elements in the divisor ("delta degrees of freedom"); 0 when left out. */
  readonly ddof?: number;
}

/**
 * The arithmetic mean.
 *
 * Integers are summed in 64 bits before they are divided, floats in double precision.
 *
 * @param tensor - numbers of any type and shape
 * @param options - `axes` to average over, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns `f32` for integers, else the tensor's type; without the averaged axes unless they are kept
 * @throws ArgumentError for an axis the tensor does not have
 * @example
 * ```ts
 * Nx.mean(Nx.tensor([1, 2, 4, 3]));
 * // => #Nx.Tensor<
 * //   f32
 * //   2.5
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([2, 2, 3], { names: ["x", "y", "z"] });
 * Nx.mean(t, { axes: ["x", "z"] });
 * // => #Nx.Tensor<
 * //   f32[y: 2]
 * //   [4.0, 7.0]
 * // >
 * Nx.mean(t, { axes: [-1], keepAxes: true });
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 2][z: 1]
 * //   [
 * //     [
 * //       [1.0],
 * //       [4.0]
 * //     ],
 * //     [
 * //       [7.0],
 * //       [10.0]
 * //     ]
 * //   ]
 * // >
 * Nx.mean(t, { axes: [3] });
 * // throws ArgumentError: Nx.mean: given axis (3) invalid for shape [x: 2][y: 2][z: 3] with rank 3
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, NaN, 3], [NaN, NaN, NaN]], { names: ["station", "day"] });
 * Nx.mean(t, { axes: ["day"], nan: "skip" });
 * // => #Nx.Tensor<
 * //   f32[station: 2]
 * //   [2.0, NaN]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.mean(t, { nan: "omit" });
 * // throws ArgumentError: option nan of Nx.mean must be one of "propagate", "skip", got: "omit"
 * ```
 */
export function mean<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const t = asTensor(tensor, "Nx.mean");
  return meanSome(t, readAxes("Nx.mean", t, options)) as Tensor<Reduced<N, A, K>>;
}

/**
 * The mean of squared distances from the mean; for complex numbers of their squared absolute values, which are real.
 *
 * The mean is found first and the distances are taken from it, so that large values that differ little lose nothing.
 *
 * @param tensor - numbers of any type and shape
 * @param options - `axes` to reduce, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out; `ddof` is
 *   taken off the number
 *   of elements in the divisor: 0 (default) for the variance of all there is, 1 for an estimate from a sample
 * @returns `f32` for integers, the type of the parts for complex numbers, else the tensor's type
 * @throws ArgumentError for an axis the tensor does not have, and where `ddof` leaves nothing to divide by
 * @example
 * ```ts
 * Nx.variance(Nx.tensor([[1, 2], [3, 4]]));
 * // => #Nx.Tensor<
 * //   f32
 * //   1.25
 * // >
 * Nx.variance(Nx.tensor([[1, 2], [3, 4]]), { ddof: 1 });
 * // => #Nx.Tensor<
 * //   f32
 * //   1.6666666
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] });
 * Nx.variance(t, { axes: ["y"], keepAxes: true });
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 1]
 * //   [
 * //     [0.25],
 * //     [0.25]
 * //   ]
 * // >
 * Nx.variance(t, { axes: ["y"], ddof: 2 });
 * // throws ArgumentError: option ddof of Nx.variance must be less than the number of elements reduced (2), got: 2
 * ```
 * @example
 * ```ts
 * // each line is divided by as many elements as it has, less ddof; NaN where nothing is left to divide by
 * const t = Nx.tensor([[1, NaN, 3], [2, NaN, NaN]], { names: ["station", "day"] });
 * Nx.variance(t, { axes: ["day"], nan: "skip", ddof: 1 });
 * // => #Nx.Tensor<
 * //   f32[station: 2]
 * //   [2.0, NaN]
 * // >
 * ```
 */
export function variance<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | DdofOptions<A, K>,
  ..._more: More<DdofOptions<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const t = asTensor(tensor, "Nx.variance");
  return cast(spread("Nx.variance", t, options), toReal(t.type)) as Tensor<Reduced<N, A, K>>;
}

/**
 * The square root of the {@link variance}.
 *
 * @param tensor - numbers of any type and shape
 * @param options - `axes` to reduce, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out; `ddof` as
 *   for the variance
 * @returns `f32` for integers, the type of the parts for complex numbers, else the tensor's type
 * @throws ArgumentError for an axis the tensor does not have, and where `ddof` leaves nothing to divide by
 * @example
 * ```ts
 * Nx.standardDeviation(Nx.tensor([[1, 2], [3, 4]]));
 * // => #Nx.Tensor<
 * //   f32
 * //   1.118034
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2], [10, 20]], { names: ["x", "y"] });
 * Nx.standardDeviation(t, { axes: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[y: 2]
 * //   [4.5, 9.0]
 * // >
 * Nx.standardDeviation(t, { axes: ["x"], ddof: 1 });
 * // => #Nx.Tensor<
 * //   f32[y: 2]
 * //   [6.363961, 12.727922]
 * // >
 * Nx.standardDeviation(t, { ddof: 0.5 });
 * // throws ArgumentError: option ddof of Nx.standardDeviation must be an integer of at least 0, got: 0.5
 * ```
 */
export function standardDeviation<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | DdofOptions<A, K>,
  ..._more: More<DdofOptions<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const t = asTensor(tensor, "Nx.standardDeviation");
  return cast(sqrt(spread("Nx.standardDeviation", t, options)), toReal(t.type)) as Tensor<Reduced<N, A, K>>;
}

/** The variance in the working type. */
function spread(fn: string, t: Tensor, given: AxesArgument<DdofOptions<Axis | AxisList | undefined, boolean>>): Tensor {
  const options = checkOptions<DdofOptions<Axis | AxisList | undefined, boolean>>(fn, given, [...AXES_OPTIONS, "ddof"]);
  const over = readAxes(fn, t, options, ["ddof"]);
  const count = countOf(t.shape, over.axes);
  const ddof = integerOption(fn, "ddof", options?.ddof, 0, 0);
  if (ddof >= count) {
    throw new ArgumentError(
      `option ddof of ${fn} must be less than the number of elements reduced (${count}), got: ${ddof} ` +
        `for shape ${formatShape(t.shape, t.names)}`,
    );
  }
  const missing = missingIn(t, over.skips);
  const distances = distancesFromMean(cast(t, workingType(t.type)), over, missing);
  const total = reduceOver("sum", squares(distances), over);
  const counts = countsOf(t, over, missing);
  if (typeof counts === "number") return plainDivide(total, counts - ddof);
  // NaN is put into the dividend: in front of it the gradient ends, which a divisor would pass on as NaN
  return plainDivide(where(greater(counts, ddof), total, NaN), subtract(counts, ddof));
}

/**
 * Distances from the mean. The mean is rounded to the type, by which all distances are off alike; taking their own mean off
 * them mends that (the corrected two-pass algorithm of Chan, Golub and LeVeque, 1983, in a form that is never negative). Missing elements have none.
 */
export function distancesFromMean(t: Tensor, over: Reduction, missing: Tensor | null): Tensor {
  const kept = keeping(t, over);
  const known = filled(t, missing, 0);
  const rough = filled(subtract(known, meanOver(known, kept, missing)), missing, 0);
  return filled(subtract(rough, meanOver(rough, kept, missing)), missing, 0);
}

function squares(t: Tensor): Tensor {
  return isComplex(t.type) ? real(multiply(t, conjugate(t))) : multiply(t, t);
}

/**
 * The mean with weights: the sum of `tensor * weights` over the sum of the weights.
 *
 * Weights that sum up to zero give NaN or infinities.
 *
 * @param tensor - numbers of any type and shape
 * @param weights - as many as the tensor has elements, in its shape; or with `axes`, in the shape of just those axes
 * @param options - `axes` to average over, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns the merged type of both, `f32` for integers; without the averaged axes unless they are kept
 * @throws ArgumentError where the weights fit neither the tensor nor the axes
 * @example
 * ```ts
 * Nx.weightedMean(Nx.tensor([1, 2, 3]), Nx.tensor([3, 2, 1]));
 * // => #Nx.Tensor<
 * //   f32
 * //   1.6666666
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([3, 4], { names: ["x", "y"] });
 * Nx.weightedMean(t, Nx.tensor([1, 2, 3, 4]), { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [2.0, 6.0, 10.0]
 * // >
 * Nx.weightedMean(t, Nx.tensor([1, 2, 3, 4]), { axes: ["x"] });
 * // throws ArgumentError: Nx.weightedMean: weights of shape [4] do not fit shape [x: 3][y: 4] reduced over ["x"]: expected shape [3] or [3][4]
 * ```
 */
export function weightedMean<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  weights: Operand,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const [t, w] = pair(tensor as Operand, weights, "Nx.weightedMean");
  const given = checkOptions<AxesChoice>("Nx.weightedMean", options as AxesArgument, AXES_OPTIONS);
  const over = readAxes("Nx.weightedMean", t, given);
  const type = commonType("Nx.weightedMean", t, w);
  const missing = missingIn(t, over.skips);
  const factors = filled(cast(placeWeights(w, t, given?.axes), workingType(type)), missing, 0);
  const weighted = multiply(filled(cast(t, workingType(type)), missing, 0), factors);
  const weight = reduceOver("sum", factors, {
    ...over,
    ...reducedShape(factors.shape, factors.names, over.axes, over.keepAxes),
  });
  return cast(plainDivide(reduceOver("sum", weighted, over), weight), toFloating(type)) as Tensor<Reduced<N, A, K>>;
}

/** The weights in the tensor's rank, with size 1 on axes they do not have; their names are checked and then dropped. */
function placeWeights(weights: Tensor, t: Tensor, axes: AxesChoice["axes"]): Tensor {
  if (sameShape(weights.shape, t.shape)) {
    mergeNames(t.names, t.shape, weights.names, weights.shape);
    return reshapeTo(weights, weights.shape);
  }
  if (axes === undefined) throw misfit(weights, t, axes);
  const positions = resolveAxes(axes, t.shape, t.names);
  if (
    !sameShape(
      weights.shape,
      positions.map((axis) => t.shape[axis]!),
    )
  )
    throw misfit(weights, t, axes);
  const names = t.names.map((_, axis): Name => weights.names[positions.indexOf(axis)] ?? null);
  mergeNames(t.names, t.shape, names, t.shape);
  const shape = t.shape.map((size, axis) => (positions.includes(axis) ? size : 1));
  return reshapeTo(inAxisOrder(weights, positions), shape);
}

/** Transposes the weights where the axes were not listed in the order the tensor has them. */
function inAxisOrder(weights: Tensor, positions: readonly number[]): Tensor {
  const axes = positions.map((_, i) => i).sort((i, j) => positions[i]! - positions[j]!);
  if (axes.every((axis, i) => axis === i)) return weights;
  const shape = Object.freeze(axes.map((axis) => weights.shape[axis]!));
  return run("transpose", template(weights.type, shape, unnamed(shape.length)), [weights], { axes });
}

function misfit(weights: Tensor, t: Tensor, axes: AxesChoice["axes"]): ArgumentError {
  const shape = formatShape(t.shape, t.names);
  const head = `weights of shape ${formatShape(weights.shape, weights.names)} do not fit shape ${shape}`;
  if (axes === undefined) {
    return new ArgumentError(
      `${head}: expected the same shape; to weight some axes only, list them in the option axes`,
    );
  }
  const part = resolveAxes(axes, t.shape, t.names).map((axis) => t.shape[axis]!);
  return new ArgumentError(
    `${head} reduced over ${show(axes)}: expected shape ${formatShape(part)} or ${formatShape(t.shape)}`,
  );
}
