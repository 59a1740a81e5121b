/**
 * Resizing along axes. Where each entry of the result comes from is known while tracing; the entries are sums of weighted ones.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import { axesOf, bounded, cast, isFloat, operator, pick, range, reshape, type Call, type Operators } from "../operator";
import { numbersOf, type Empty } from "../values";

type Input = Tensor | Empty | undefined;

/** How one axis is resized. */
interface AxisPlan {
  readonly axis: number;
  readonly input: number;
  readonly output: number;
  /** The size of the result, which is a fraction before it is rounded where scales are given. */
  readonly length: number;
  readonly scale: number;
  /** The part of the axis that is taken, as fractions of it. */
  readonly region: readonly [start: number, end: number];
}

/** Entries of the axis and their weights, for each entry of the result. */
type Taps = readonly (readonly (readonly [at: number, weight: number])[])[];

const TRANSFORMS = [
  "half_pixel",
  "half_pixel_symmetric",
  "pytorch_half_pixel",
  "align_corners",
  "asymmetric",
  "tf_half_pixel_for_nn",
  "tf_crop_and_resize",
] as const;

type Transform = (typeof TRANSFORMS)[number];

/** The place in the input of an entry of the result. */
function sourceOf(
  transform: Transform,
  { input, output, length, scale, region: [start, end] }: AxisPlan,
  at: number,
): number {
  switch (transform) {
    case "half_pixel":
      return (at + 0.5) / scale - 0.5;
    case "half_pixel_symmetric": {
      const adjustment = output / (scale * input);
      return (input / 2) * (1 - adjustment) + (at + 0.5) / scale - 0.5;
    }
    case "pytorch_half_pixel":
      return length > 1 ? (at + 0.5) / scale - 0.5 : 0;
    case "align_corners":
      return length > 1 ? (at * (input - 1)) / (length - 1) : 0;
    case "asymmetric":
      return at / scale;
    case "tf_half_pixel_for_nn":
      return (at + 0.5) / scale;
    case "tf_crop_and_resize":
      return length > 1
        ? start * (input - 1) + (at * (end - start) * (input - 1)) / (length - 1)
        : 0.5 * (start + end) * (input - 1);
    default:
      return transform satisfies never;
  }
}

const ROUNDINGS: { readonly [mode: string]: (x: number) => number } = {
  round_prefer_floor: (x) => Math.ceil(x - 0.5),
  round_prefer_ceil: (x) => Math.floor(x + 0.5),
  floor: Math.floor,
  ceil: Math.ceil,
};

/** The weight of entries at a distance. */
const linear = (distance: number): number => Math.max(0, 1 - Math.abs(distance));

const cubic =
  (a: number) =>
  (distance: number): number => {
    const d = Math.abs(distance);
    if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
  };

interface Choices {
  readonly mode: "nearest" | "linear" | "cubic";
  readonly transform: Transform;
  readonly rounding: (x: number) => number;
  readonly cubicA: number;
  readonly excludesOutside: boolean;
  readonly antialias: boolean;
}

function tapsOf(plan: AxisPlan, choices: Choices): Taps {
  const { mode, transform, rounding, cubicA, excludesOutside, antialias } = choices;
  const last = plan.input - 1;
  return range(plan.output).map((at) => {
    const source = sourceOf(transform, plan, at);
    if (mode === "nearest") return [[Math.min(last, Math.max(0, rounding(source))), 1]];
    const shrink = antialias ? Math.min(1, plan.scale) : 1;
    const reach = (mode === "linear" ? 1 : 2) / shrink;
    const kernel = mode === "linear" ? linear : cubic(cubicA);
    const from = shrink === 1 ? Math.floor(source) - reach + 1 : Math.ceil(source - reach);
    const to = shrink === 1 ? Math.floor(source) + reach : Math.floor(source + reach);
    const found = range(to - from + 1).map((i): [number, number] => [from + i, kernel((from + i - source) * shrink)]);
    const inside = excludesOutside ? found.filter(([i]) => i >= 0 && i <= last) : found;
    // a stretched kernel does not add up to 1
    const total = excludesOutside || shrink < 1 ? inside.reduce((sum, [, weight]) => sum + weight, 0) : 1;
    return merged(inside.map(([i, weight]) => [Math.min(last, Math.max(0, i)), weight / total]));
  });
}

/** Entries that stand several times, since places beyond the ends are those of the ends, once with all their weight. */
function merged(taps: readonly (readonly [number, number])[]): [number, number][] {
  const weights = new Map<number, number>();
  for (const [at, weight] of taps) weights.set(at, (weights.get(at) ?? 0) + weight);
  return [...weights].filter(([, weight], _, all) => weight !== 0 || all.length === 1);
}

/** One axis as sums of weighted entries of it. */
function resampled(x: Tensor, axis: number, taps: Taps): Tensor {
  const isMoved = taps.every((list) => list.length === 1 && list[0]![1] === 1);
  if (isMoved)
    return pick(
      x,
      axis,
      taps.map(([only]) => only![0]),
    );
  const width = Math.max(...taps.map((list) => list.length));
  const rank = x.shape.length;
  const shape = range(rank).map((i) => (i === axis ? taps.length : 1));
  const terms = range(width).map((k) => {
    const weights = Nx.tensor(
      taps.map((list) => list[k]?.[1] ?? 0),
      { type: x.type },
    );
    return Nx.multiply(
      pick(
        x,
        axis,
        taps.map((list) => list[k]?.[0] ?? 0),
      ),
      reshape(weights, shape),
    ) as Tensor;
  });
  return terms.reduce((sum, term) => Nx.add(sum, term) as Tensor);
}

function resize(call: Call, x: Tensor, ...inputs: Input[]): Tensor {
  const { attributes, opset } = call;
  const [roi, scales, sizes] = opset < 11 ? [undefined, inputs[0], undefined] : inputs;
  const transform =
    opset < 11 ? "asymmetric" : attributes.choice("coordinate_transformation_mode", TRANSFORMS, "half_pixel");
  const rounding = opset < 11 ? "floor" : attributes.string("nearest_mode", "round_prefer_floor");
  const isCropped = transform === "tf_crop_and_resize";
  const plans = plansOf(
    call,
    x,
    isCropped ? numbersOf(roi, "roi") : [],
    numbersOf(scales, "scales"),
    numbersOf(sizes, "sizes"),
  );
  const choices: Choices = {
    mode: attributes.choice("mode", ["nearest", "linear", "cubic"], "nearest"),
    transform,
    rounding: ROUNDINGS[rounding] ?? Math.round,
    cubicA: attributes.float("cubic_coeff_a", -0.75),
    excludesOutside: attributes.flag("exclude_outside"),
    antialias: attributes.flag("antialias"),
  };
  const changed = plans.filter(
    ({ input, output, region: [start, end] }) => input !== output || (isCropped && (start !== 0 || end !== 1)),
  );
  const t = choices.mode === "nearest" || isFloat(x.type) ? x : cast(x, "f32");
  const whole = changed.reduce((y, plan) => resampled(y, plan.axis, tapsOf(plan, choices)), t);
  return cast(isCropped ? extrapolated(call, whole, plans) : whole, x.type);
}

/** A value where places are beyond the ends of the input. */
function extrapolated(call: Call, y: Tensor, plans: readonly AxisPlan[]): Tensor {
  const value = Nx.tensor(call.attributes.float("extrapolation_value", 0), { type: y.type });
  return plans.reduce((t, plan) => {
    const isInside = range(plan.output).map((at) => {
      const source = sourceOf("tf_crop_and_resize", plan, at);
      return source >= 0 && source <= plan.input - 1 ? 1 : 0;
    });
    const shape = range(y.shape.length).map((i) => (i === plan.axis ? plan.output : 1));
    return Nx.where(reshape(Nx.tensor(isInside, { type: "u8" }), shape), t, value) as Tensor;
  }, y);
}

function plansOf(call: Call, x: Tensor, roi: number[], scales: number[], sizes: number[]): AxisPlan[] {
  const rank = x.shape.length;
  const axes = axesOf(call.attributes.ints("axes") ?? range(rank), rank);
  const given = sizes.length > 0 ? sizes : scales;
  if (given.length !== axes.length || (scales.length > 0 && sizes.length > 0)) {
    throw new ArgumentError(
      `it needs ${axes.length} scales or ${axes.length} sizes, got ${scales.length} and ${sizes.length}`,
    );
  }
  const outputs = sizes.length > 0 ? keptRatio(call, x, axes, sizes) : null;
  const plans = axes.map((axis, i): AxisPlan => {
    const input = x.shape[axis]!;
    const scale = outputs ? outputs[i]! / input : scales[i]!;
    const region: readonly [number, number] =
      roi.length === 2 * axes.length ? [roi[i]!, roi[i + axes.length]!] : [0, 1];
    const length = outputs ? outputs[i]! : input * (region[1] - region[0]) * scale;
    const output = Math.floor(length);
    if (!(scale > 0) || !(output >= 1))
      throw new ArgumentError(`axis ${axis} of size ${input} cannot be scaled by ${scale}`);
    return { axis, input, output, length, scale, region };
  });
  const shape = [...x.shape];
  for (const { axis, output } of plans) shape[axis] = output;
  bounded(call, shape);
  return plans;
}

/** Sizes that keep the ratio of the axes where the model asks for that. */
function keptRatio(call: Call, x: Tensor, axes: readonly number[], sizes: number[]): number[] {
  const policy = call.attributes.choice(
    "keep_aspect_ratio_policy",
    ["stretch", "not_larger", "not_smaller"],
    "stretch",
  );
  if (policy === "stretch") return sizes;
  const ratios = axes.map((axis, i) => sizes[i]! / x.shape[axis]!);
  const scale = policy === "not_larger" ? Math.min(...ratios) : Math.max(...ratios);
  return axes.map((axis) => Math.floor(scale * x.shape[axis]! + 0.5));
}

/** Version 1 has one number for each of the last two axes. */
function attributeScales({ attributes, opset }: Call): readonly number[] | undefined {
  if (opset >= 7) return attributes.floats("scales");
  return [1, 1, attributes.float("height_scale", 1), attributes.float("width_scale", 1)];
}

function upsample(call: Call, x: Tensor, input?: Tensor): Tensor {
  const scales = input === undefined ? attributeScales(call) : numbersOf(input, "scales");
  if (!scales || scales.length !== x.shape.length) throw new ArgumentError(`it needs ${x.shape.length} scales`);
  const mode = call.attributes.choice("mode", ["nearest", "linear", "bilinear"], "nearest");
  const choices: Choices = {
    mode: mode === "nearest" ? "nearest" : "linear",
    transform: "asymmetric",
    rounding: Math.floor,
    cubicA: 0,
    excludesOutside: false,
    antialias: false,
  };
  const plans = plansOf({ ...call, attributes: call.attributes }, x, [], [...scales], []);
  return plans
    .filter(({ input: from, output }) => from !== output)
    .reduce((y, plan) => resampled(y, plan.axis, tapsOf(plan, choices)), x);
}

export const RESIZE: Operators = {
  Resize: operator([1, 4], resize, { known: [1, 2, 3] }),
  Upsample: operator([1, 2], upsample, { known: [1] }),
};
