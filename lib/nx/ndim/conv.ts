/**
 * Convolution.
 */
import type { AxisOf, Permute } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { CONV } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { checkOptions, integerOption } from "../../core/options";
import {
  checkSize,
  formatShape,
  inversePermutation,
  resolveAxes,
  type Axis,
  type Names,
  type Shape,
} from "../../core/shape";
import { commonType } from "../../core/promotion";
import { toFloating } from "../../core/types";
import { reach, readPadding, readSteps, type Padding } from "../windows/geometry";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, run, template } from "../dispatch";

/** Options of {@link conv}. */
export interface ConvOptions<P = readonly Axis[], Q = readonly Axis[]> {
  /** Distance between positions of the kernel, one number or one for each spatial axis; 1 by default. */
  readonly strides?: number | readonly number[];
  /** `"valid"` (default) for none, `"same"`, or `[low, high]` for each spatial axis; negative padding crops. */
  readonly padding?: Padding;
  /** Elements of the input are spread this far apart, with zeros in between; 1 by default. */
  readonly inputDilation?: number | readonly number[];
  /** Elements of the kernel are spread this far apart; 1 by default. */
  readonly kernelDilation?: number | readonly number[];
  /** Groups of channels that have filters of their own; 1 by default. */
  readonly featureGroupSize?: number;
  /** Groups of entries of the batch that have filters of their own; 1 by default. */
  readonly batchGroupSize?: number;
  /** Axes of the input that are batch, channels and the spatial ones, by position or name. */
  readonly inputPermutation?: P;
  /** Axes of the kernel that are filters, channels and the spatial ones, by position or name. */
  readonly kernelPermutation?: readonly Axis[];
  /** Axes of the result that batch, filters and the spatial axes become. */
  readonly outputPermutation?: Q;
}

/** Names of the input for the axes of the result: where its axes are given in an order, and those of the result in another, not followed. */
export type ConvNames<N extends Names, P extends readonly unknown[], Q extends readonly unknown[]> = [P, Q] extends [
  Q,
  P,
]
  ? N
  : [Q] extends [never]
    ? Permute<N, P>
    : Names;

const FN = "Nx.conv";
const OPTIONS = [
  "strides",
  "padding",
  "inputDilation",
  "kernelDilation",
  "featureGroupSize",
  "batchGroupSize",
  "inputPermutation",
  "kernelPermutation",
  "outputPermutation",
];

/**
 * The convolution of neural networks: a kernel goes over the spatial axes of the input, and at each position the products
 * with what it covers are summed (the kernel is not reversed).
 *
 * `"same"` pads `floor((e - 1) / 2)` before and `ceil((e - 1) / 2)` behind, `e` being the extent of the dilated kernel,
 * whatever the strides are. Sums of floats are accumulated as those of {@link dot} are.
 *
 * @param input - shape `[batch][channels][...spatial]`, at least three axes
 * @param kernel - shape `[filters][channels / featureGroupSize][...spatial]`, of the same rank
 * @param options - see {@link ConvOptions}
 * @returns the merged floating type and shape `[batch / batchGroupSize][filters][...spatial]`, with the names of the input
 * @throws ArgumentError where ranks or channels do not fit, the kernel is larger than the padded input, or groups do not
 *   divide what they group
 * @example
 * ```ts
 * const image = Nx.iota([1, 1, 3, 3], { names: ["n", "c", "y", "x"] });
 * Nx.conv(image, Nx.broadcast(1, [1, 1, 2, 2]), { strides: [1, 1] });
 * // => #Nx.Tensor<
 * //   f32[n: 1][c: 1][y: 2][x: 2]
 * //   [
 * //     [
 * //       [
 * //         [8.0, 12.0],
 * //         [20.0, 24.0]
 * //       ]
 * //     ]
 * //   ]
 * // >
 * Nx.squeeze(Nx.conv(Nx.iota([1, 1, 5]), Nx.tensor([[[1, 0, -1]]]), { padding: "same" }));
 * // => #Nx.Tensor<
 * //   f32[5]
 * //   [-1.0, -2.0, -2.0, -2.0, 3.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.conv(Nx.iota([1, 2, 5]), Nx.iota([1, 3, 2]));
 * // throws ArgumentError: Nx.conv expects a kernel of 2 channels for an input of 2 channels and featureGroupSize 1
 * ```
 */
export function conv<
  N extends Names = readonly [],
  const P extends readonly AxisOf<N>[] = never,
  const Q extends readonly AxisOf<N>[] = never,
>(input: Operand<N>, kernel: Operand, options?: ConvOptions<P, Q>): Tensor<ConvNames<N, P, Q>>;
export function conv(input: Operand, kernel: Operand, options?: ConvOptions): Tensor {
  options = checkOptions(FN, options, OPTIONS);
  const [x, w] = [asTensor(input, FN), asTensor(kernel, FN)];
  checkRanks(x, w);
  const orders = readOrders(x, w, options);
  const [moved, filters] = [permuted(x, orders.input), permuted(w, orders.kernel)];
  const rank = x.shape.length - 2;
  const attrs = {
    strides: readSteps(FN, "strides", options?.strides, rank),
    inputDilation: readSteps(FN, "inputDilation", options?.inputDilation, rank),
    kernelDilation: readSteps(FN, "kernelDilation", options?.kernelDilation, rank),
    featureGroups: integerOption(FN, "featureGroupSize", options?.featureGroupSize, 1, 1),
    batchGroups: integerOption(FN, "batchGroupSize", options?.batchGroupSize, 1, 1),
  };
  const spatial = filters.shape.slice(2);
  const padding = readPadding(FN, options?.padding, spatial, attrs.kernelDilation);
  checkGroups(moved, filters, attrs);
  const results = spatialShape(moved, filters, { ...attrs, padding });
  const shape = Object.freeze([moved.shape[0]! / attrs.batchGroups, filters.shape[0]!, ...results]);
  checkSize(shape, "the result of Nx.conv, shape");
  const type = toFloating(commonType(FN, x, w));
  const result = run(CONV, template(type, shape, unnamed(shape.length)), [moved, filters], { ...attrs, padding });
  return placed(result, orders.output, orders.input, x.names);
}

function checkRanks(x: Tensor, w: Tensor): void {
  if (x.shape.length >= 3 && x.shape.length === w.shape.length) return;
  throw new ArgumentError(
    `${FN} expects an input [batch][channels][...spatial] and a kernel [filters][channels][...spatial] of the same rank, at ` +
      `least 3, got input ${formatShape(x.shape, x.names)} and kernel ${formatShape(w.shape, w.names)}; add axes with Nx.newAxis`,
  );
}

interface Orders {
  readonly input: readonly number[];
  readonly kernel: readonly number[];
  readonly output: readonly number[];
}

function readOrders(x: Tensor, w: Tensor, options: ConvOptions | undefined): Orders {
  const order = (option: string, value: unknown, { shape, names }: { shape: Shape; names: Names }) => {
    const axes = value === undefined ? shape.map((_, axis) => axis) : resolveAxes(value, shape, names);
    if (axes.length === shape.length) return axes;
    throw new ArgumentError(
      `option ${option} of ${FN} must list all ${shape.length} axes of ${formatShape(shape, names)}, got: ${show(value)}`,
    );
  };
  return {
    input: order("inputPermutation", options?.inputPermutation, x),
    kernel: order("kernelPermutation", options?.kernelPermutation, w),
    output: order("outputPermutation", options?.outputPermutation, x),
  };
}

function permuted(t: Tensor, axes: readonly number[]): Tensor {
  if (axes.every((axis, i) => axis === i)) return t;
  const shape = Object.freeze(axes.map((axis) => t.shape[axis]!));
  return run("transpose", template(t.type, shape, unnamed(shape.length)), [t], { axes });
}

/** The result with batch, filters and spatial axes where they are wanted, and the names the input has for these. */
function placed(result: Tensor, output: readonly number[], input: readonly number[], names: Names): Tensor {
  const axes = inversePermutation(output);
  const shape = Object.freeze(axes.map((axis) => result.shape[axis]!));
  const placedNames = Object.freeze(axes.map((axis) => names[input[axis]!]!));
  const out = template(result.type, shape, placedNames);
  if (!axes.every((axis, i) => axis === i)) return run("transpose", out, [result], { axes });
  return placedNames.every((name) => name === null) ? result : run("reshape", out, [result], {});
}

interface Groups {
  readonly featureGroups: number;
  readonly batchGroups: number;
}

function checkGroups(x: Tensor, w: Tensor, { featureGroups, batchGroups }: Groups): void {
  const [batch, channels] = x.shape as [number, number];
  const [filters, own] = w.shape as [number, number];
  const got = `got input ${formatShape(x.shape)} and kernel ${formatShape(w.shape)}`;
  if (featureGroups > 1 && batchGroups > 1) {
    throw new ArgumentError(`only one of featureGroupSize and batchGroupSize of ${FN} can be greater than 1, got both`);
  }
  if (channels % featureGroups !== 0 || filters % featureGroups !== 0) {
    throw new ArgumentError(`featureGroupSize ${featureGroups} of ${FN} must divide channels and filters, ${got}`);
  }
  if (batch % batchGroups !== 0 || filters % batchGroups !== 0) {
    throw new ArgumentError(`batchGroupSize ${batchGroups} of ${FN} must divide the batch and the filters, ${got}`);
  }
  if (own * featureGroups === channels) return;
  throw new ArgumentError(
    `${FN} expects a kernel of ${channels / featureGroups} channels for an input of ${channels} channels and ` +
      `featureGroupSize ${featureGroups}, ${got}`,
  );
}

interface Geometry {
  readonly strides: readonly number[];
  readonly padding: readonly (readonly [number, number])[];
  readonly inputDilation: readonly number[];
  readonly kernelDilation: readonly number[];
}

function spatialShape(x: Tensor, w: Tensor, geometry: Geometry): number[] {
  return geometry.strides.map((stride, axis) => {
    const [low, high] = geometry.padding[axis]!;
    const span = reach(x.shape[axis + 2]!, geometry.inputDilation[axis]!) + low + high;
    const size = Math.floor((span - reach(w.shape[axis + 2]!, geometry.kernelDilation[axis]!)) / stride) + 1;
    if (size > 0) return size;
    throw new ArgumentError(
      `${FN} would give an empty result: spatial axis ${axis} of the input, ${formatShape(x.shape)}, is ${span} long with ` +
        `padding, which the kernel ${formatShape(w.shape)} with dilation ${geometry.kernelDilation[axis]!} does not fit into`,
    );
  });
}
