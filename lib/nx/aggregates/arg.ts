/**
 * Positions of extremes: argmax, argmin.
 */
import { ARG_REDUCE } from "../../backends/primitives";
import type { AxisOf, Reduced } from "../../core/axis-types";
import { checkOptions, wordOption, type More } from "../../core/options";
import type { Axis, Names } from "../../core/shape";
import { isInteger } from "../../core/types";
import { refuseComplex, type ArgReduceOp } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, run, template } from "../dispatch";
import { AXIS_OPTIONS, readAxis, type AxisArgument, type AxisChoice } from "./core";
import { argPresent } from "./missing";

/** Options of `Nx.argmax` and `Nx.argmin`. */
export interface ArgOptions<A, K> extends AxisChoice<A, K> {
  /** Which of several equal extremes: the one with the lowest (default) or the highest index. */
  readonly tieBreak?: TieBreak;
}

export type TieBreak = (typeof TIE_BREAKS)[number];

const TIE_BREAKS = ["low", "high"] as const;

/**
 * Positions of the largest elements, along an axis or in the whole tensor counted row by row.
 *
 * A NaN is larger than everything else here, so that it does not go unnoticed: its position is the result.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axis` to look along, the whole tensor when left out; `keepAxis` to keep it with size 1; `nan`: `"skip"`
 *   leaves NaN out (-1 where all are NaN); `tieBreak`:
 *   `"low"` (default) takes the first of equal elements, `"high"` the last
 * @returns `s64`, without the axis unless it is kept
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.argmax(Nx.tensor([[4, 2, 3], [1, -5, 9]]));
 * // => #Nx.Tensor<
 * //   s64
 * //   5
 * // >
 * Nx.argmax(Nx.tensor([1, Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   s64
 * //   2
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[[4, 2, 3], [1, -5, 3]], [[6, 2, 3], [4, 8, 3]]], { names: ["x", "y", "z"] });
 * Nx.argmax(t, { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][z: 3]
 * //   [
 * //     [0, 0, 0],
 * //     [0, 1, 0]
 * //   ]
 * // >
 * Nx.argmax(t, { axis: "y", tieBreak: "high" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][z: 3]
 * //   [
 * //     [0, 0, 1],
 * //     [0, 1, 1]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.argmax(t, { axis: "yy" });
 * // throws ArgumentError: Nx.argmax: no axis named "yy" in shape [x: 2][y: 2][z: 3]: the axes are "x", "y", "z"; did you mean "y"?
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, NaN, 3], [NaN, NaN, NaN]], { names: ["station", "day"] });
 * Nx.argmax(t, { axis: "day", nan: "skip" });
 * // => #Nx.Tensor<
 * //   s64[station: 2]
 * //   [2, -1]
 * // >
 * ```
 */
export function argmax<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | ArgOptions<A, K>,
  ..._more: More<ArgOptions<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  return argReduce("argmax", tensor, options) as Tensor<Reduced<N, A, K>>;
}

/**
 * Positions of the smallest elements, along an axis or in the whole tensor counted row by row.
 *
 * A NaN counts as smaller than everything else here, so that it does not go unnoticed: its position is the result.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axis` to look along, the whole tensor when left out; `keepAxis` to keep it with size 1; `nan`: `"skip"`
 *   leaves NaN out (-1 where all are NaN); `tieBreak`:
 *   `"low"` (default) takes the first of equal elements, `"high"` the last
 * @returns `s64`, without the axis unless it is kept
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.argmin(Nx.tensor([2.5, 4.5, -Infinity]));
 * // => #Nx.Tensor<
 * //   s64
 * //   2
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[[4, 2, 3], [1, -5, 3]], [[6, 2, 3], [4, 8, 3]]], { names: ["x", "y", "z"] });
 * Nx.argmin(t, { axis: "z" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [1, 1],
 * //     [1, 2]
 * //   ]
 * // >
 * Nx.argmin(t, { axis: "y", keepAxis: true });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 1][z: 3]
 * //   [
 * //     [
 * //       [1, 1, 0]
 * //     ],
 * //     [
 * //       [1, 0, 0]
 * //     ]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.argmin(t, { tieBreak: "first" });
 * // throws ArgumentError: option tieBreak of Nx.argmin must be one of "low", "high", got: "first"
 * ```
 */
export function argmin<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | ArgOptions<A, K>,
  ..._more: More<ArgOptions<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  return argReduce("argmin", tensor, options) as Tensor<Reduced<N, A, K>>;
}

function argReduce(
  op: ArgReduceOp,
  tensor: Operand,
  given: AxisArgument<ArgOptions<Axis | undefined, boolean>>,
): Tensor {
  const fn = `Nx.${op}`;
  const t = asTensor(tensor, fn);
  const options = checkOptions<ArgOptions<Axis | undefined, boolean>>(fn, given, [...AXIS_OPTIONS, "tieBreak"]);
  const over = readAxis(fn, t, options, ["tieBreak"]);
  const tieBreak = wordOption(fn, "tieBreak", options?.tieBreak, TIE_BREAKS, "low");
  refuseComplex(op, t.type);
  if (over.skips && !isInteger(t.type)) return argPresent(op, t, over, tieBreak);
  const { axis, keepAxis, shape, names } = over;
  return run(ARG_REDUCE, template("s64", shape, names), [t], { op, axis, keepAxis, tieBreak });
}
