/**
 * Statistics of sorted elements: median, mode. Both are named blocks: a backend may have its own way, and the functions
 * below are what they mean.
 */
import { checkOptions, type More } from "../../core/options";
import type { Template } from "../../backend";
import { TAKE } from "../../backends/primitives";
import type { AxesOf, Reduced } from "../../core/axis-types";
import { unchecked } from "../../core/promotion-scope";
import { sizeOf, type Names } from "../../core/shape";
import { isFloat, toFloating } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, cast, run, template } from "../dispatch";
import {
  add,
  divide,
  equal,
  floor,
  isNan,
  logicalAnd,
  logicalNot,
  max,
  multiply,
  notEqual,
  select,
  subtract,
  where,
} from "../elementwise";
import { argmax } from "./arg";
import {
  padAlong,
  positionsAlong,
  readLines,
  reshapeTo,
  rowsAlong,
  shiftAlong,
  sliceAlong,
  sortAlong,
  AXES_OPTIONS,
  type AxesArgument,
  type AxesChoice,
} from "./core";
import { elementsAt, sortedAt, sortedPresent } from "./order";
import { mean } from "./statistics";

/**
 * The elements in the middle of the sorted ones; of an even number of elements the mean of the two in the middle.
 *
 * Where there is a NaN the result is NaN, as it is for the mean.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axis` or `axes` to reduce, all elements when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns the tensor's type for an odd number of elements, else a floating type (`f32` for integers)
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.median(Nx.tensor([3, 1, 2]));
 * // => #Nx.Tensor<
 * //   s64
 * //   2
 * // >
 * Nx.median(Nx.tensor([1, 2]));
 * // => #Nx.Tensor<
 * //   f32
 * //   1.5
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] });
 * Nx.median(t, { axis: "x" });
 * // => #Nx.Tensor<
 * //   f32[y: 3]
 * //   [2.5, 3.5, 4.5]
 * // >
 * Nx.median(Nx.tensor([[[1, 2], [3, 4]], [[5, 6], [7, 9]]], { names: ["x", "y", "z"] }), ["x", "z"]);
 * // => #Nx.Tensor<
 * //   f32[y: 2]
 * //   [3.5, 5.5]
 * // >
 * Nx.median(t, { axis: "y", keepAxis: true });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 1]
 * //   [
 * //     [2],
 * //     [5]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.median(t, "z");
 * // throws ArgumentError: Nx.median: no axis named "z" in shape [x: 2][y: 3]: the axes are "x", "y"
 * ```
 * @example
 * ```ts
 * Nx.median(Nx.tensor([[5, NaN, 3], [2, NaN, NaN]], { names: ["x", "y"] }), { axis: "y", nan: "skip" });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [4.0, 2.0]
 * // >
 * ```
 */
export function median<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const t = asTensor(tensor, "Nx.median");
  refuseComplex("median", t.type);
  const { lines, axis, keepAxis, skips, shape, names } = readLines("Nx.median", t, options);
  const count = axis === null ? sizeOf(t.shape) : lines.shape[axis]!;
  const out = template(count % 2 === 1 ? t.type : toFloating(t.type), shape, names);
  if (skips && isFloat(t.type)) return medianPresent(lines, axis, out) as Tensor<Reduced<N, A, K>>;
  return run("block", out, [lines], {
    name: "median",
    options: { axis, keepAxis },
    fn: (x) => medianOf(x!, axis, out),
  }) as Tensor<Reduced<N, A, K>>;
}

function medianOf(x: Tensor, axis: number | null, out: Template): Tensor {
  const lines = axis === null ? reshapeTo(x, [sizeOf(x.shape)]) : x;
  const along = axis ?? 0;
  const count = lines.shape[along]!;
  const [low, high] = [Math.ceil(count / 2) - 1, Math.floor(count / 2)];
  const at = sortedAt(lines, along, isFloat(x.type) ? [low, high, count - 1] : [low, high]);
  const middle = low === high ? at(low, 1) : meanOfTwo(at(low, 2), along, out);
  const last = isFloat(x.type) ? at(count - 1, 1) : null; // NaN is sorted to the end
  return run("reshape", out, [last ? select(isNan(last), last, middle) : middle], {});
}

/** The median of the elements that are not missing, which lie in front of the others when sorted. */
function medianPresent(x: Tensor, axis: number | null, out: Template): Tensor {
  return unchecked(() => {
    const { sorted, along, last, isNone } = sortedPresent(x, axis);
    const at = (place: Tensor): Tensor => elementsAt(sorted, along, floor(divide(place, 2)));
    const [low, high] = [at(last), at(add(last, 1))];
    const middle = where(equal(low, high), low, divide(add(low, high), 2)); // infinite ones, and sums beyond f64
    return run("reshape", out, [cast(where(isNone, NaN, middle), x.type)], {});
  });
}

/** The mean of the two in the middle, in f64 so that their sum does not overflow. */
const meanOfTwo = (two: Tensor, axis: number, out: Template): Tensor =>
  cast(mean(cast(two, "f64"), { axes: [axis], keepAxes: true }), out.type);

/**
 * The elements that occur most often; of several that are equally frequent the smallest.
 *
 * All NaNs count as one value, larger than every number. With `keepAxis` the mode of a scalar has one axis.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axis` or `axes` to reduce, all elements when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns the tensor's type, without the axes unless they are kept
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.mode(Nx.tensor([1, 2, 2, 3, 5]));
 * // => #Nx.Tensor<
 * //   s64
 * //   2
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 2, 3, 5], [1, 1, 76, 8, 1]], { names: ["x", "y"] });
 * Nx.mode(t, { axis: "x" });
 * // => #Nx.Tensor<
 * //   s64[y: 5]
 * //   [1, 1, 2, 3, 1]
 * // >
 * Nx.mode(t, { axis: "y", keepAxis: true });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 1]
 * //   [
 * //     [2],
 * //     [1]
 * //   ]
 * // >
 * Nx.mode(t, { axis: 2 });
 * // throws ArgumentError: Nx.mode: given axis (2) invalid for shape [x: 2][y: 5] with rank 2
 * ```
 */
export function mode<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<ModeNames<N, A, K>> {
  const given = asTensor(tensor, "Nx.mode");
  const choice = checkOptions<AxesChoice>("Nx.mode", options as AxesArgument, AXES_OPTIONS);
  const t = given.shape.length === 0 && choice?.keepAxes === true ? reshapeTo(given, [1]) : given;
  refuseComplex("mode", t.type);
  const { lines, axis, keepAxis, skips, shape, names } = readLines("Nx.mode", t, choice);
  const out = template(t.type, shape, names);
  if (skips && isFloat(t.type)) return modeOf(lines, axis, out, true) as Tensor<ModeNames<N, A, K>>;
  return run("block", out, [lines], {
    name: "mode",
    options: { axis, keepAxis },
    fn: (x) => modeOf(x!, axis, out),
  }) as Tensor<ModeNames<N, A, K>>;
}

/** Names of the result of `mode`: those without the axis; where the axis of a scalar is kept, one without a name. */
export type ModeNames<N extends Names, A, K extends boolean> = [N, K] extends [readonly [], true]
  ? readonly [null]
  : Reduced<N, A, K>;

/** Sorts the lines and takes the first element that ends the longest run of equal ones; those of NaN do not count where they are skipped. */
function modeOf(x: Tensor, axis: number | null, out: Template, skips = false): Tensor {
  const sorted = sortAlong(rowsAlong(x, axis), 1);
  const [rows, length] = sorted.shape as [number, number];
  const positions = positionsAlong("u32", [1, length], 1);
  const runs = subtract(positions, runStarts(sorted, positions));
  const ends = argmax(skips ? where(isNan(sorted), 0, add(runs, 1)) : runs, { axis: 1 });
  const flat = add(ends, multiply(positionsAlong("s64", [rows], 0), length));
  const values = run(TAKE, template(x.type, flat.shape, flat.names), [reshapeTo(sorted, [rows * length]), flat], {
    axis: 0,
  });
  return run("reshape", out, [values], {});
}

/**
 * For every element of sorted rows the position where its run of equal elements begins: a running maximum over the
 * positions that differ from the one before, in steps that double (Hillis and Steele, 1986).
 */
function runStarts(sorted: Tensor, positions: Tensor): Tensor {
  const length = sorted.shape[1]!;
  if (length === 1) return positions;
  const before = sliceAlong(sorted, 1, 0, length - 1);
  const differs = notEqual(sliceAlong(sorted, 1, 1, length - 1), before);
  const begins = isFloat(sorted.type) ? logicalAnd(differs, logicalNot(isNan(before))) : differs;
  let starts: Tensor = multiply(cast(padAlong(begins, 1, 1, 0), "u32"), positions);
  for (let step = 1; step < length; step *= 2) starts = max(starts, shiftAlong(starts, 1, step));
  return starts;
}
