/**
 * Normalizations of networks.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  axesOf,
  axisOf,
  cast,
  filled,
  operator,
  overChannels,
  range,
  reshape,
  several,
  type Call,
  type Operators,
  type Result,
} from "../operator";

interface Standard {
  readonly y: Tensor;
  readonly mean: Tensor;
  /** 1 / sqrt(variance + epsilon). */
  readonly scale: Tensor;
}

/** Elements less their mean, by their standard deviation, over axes that stay with size 1. */
function standardized(x: Tensor, axes: readonly number[], epsilon: number): Standard {
  const mean = Nx.mean(x, { axes, keepAxes: true }) as Tensor;
  const centred = Nx.subtract(x, mean) as Tensor;
  const variance = Nx.mean(Nx.multiply(centred, centred), { axes, keepAxes: true });
  const scale = Nx.rsqrt(Nx.add(variance, epsilon)) as Tensor;
  return { y: Nx.multiply(centred, scale) as Tensor, mean, scale };
}

const spatialAxes = (x: Tensor): number[] => range(x.shape.length).slice(2);

function batchNormalization(
  call: Call,
  x: Tensor,
  scale: Tensor,
  bias: Tensor,
  mean: Tensor,
  variance: Tensor,
): Result {
  const { attributes } = call;
  const epsilon = attributes.float("epsilon", 1e-5);
  const isTraining =
    call.opset >= 14 ? attributes.flag("training_mode") : call.opset < 7 && !attributes.flag("is_test");
  const wide = (t: Tensor): Tensor => overChannels(t, x.shape.length);
  if (!isTraining) return scaledBy(x, wide(mean), wide(variance), wide(scale), wide(bias), epsilon);
  const axes = [0, ...spatialAxes(x)];
  const [now, spread] = [Nx.mean(x, { axes }) as Tensor, Nx.variance(x, { axes }) as Tensor];
  const momentum = attributes.float("momentum", 0.9);
  const running = (old: Tensor, next: Tensor): Tensor =>
    cast(Nx.add(Nx.multiply(old, momentum), Nx.multiply(next, 1 - momentum)) as Tensor, old.type);
  return several(
    scaledBy(x, wide(now), wide(spread), wide(scale), wide(bias), epsilon),
    running(mean, now),
    running(variance, spread),
  );
}

function scaledBy(x: Tensor, mean: Tensor, variance: Tensor, scale: Tensor, bias: Tensor, epsilon: number): Tensor {
  const factor = Nx.multiply(scale, Nx.rsqrt(Nx.add(variance, epsilon)));
  return cast(Nx.add(Nx.multiply(Nx.subtract(x, mean), factor), bias) as Tensor, x.type);
}

function layerNormalization(call: Call, x: Tensor, scale: Tensor, bias?: Tensor): Result {
  const rank = x.shape.length;
  const axes = range(rank).slice(axisOf(call.attributes.int("axis", -1), rank));
  const { y, mean, scale: inverse } = standardized(inStash(call, x), axes, call.attributes.float("epsilon", 1e-5));
  const scaled = Nx.multiply(cast(y, x.type), scale) as Tensor;
  return several(bias === undefined ? scaled : (Nx.add(scaled, bias) as Tensor), mean, inverse);
}

/** Half floats are normalized as `f32` unless the model says otherwise. */
const inStash = (call: Call, x: Tensor): Tensor =>
  call.attributes.int("stash_type", 1) === 1 && (x.type === "f16" || x.type === "bf16") ? cast(x, "f32") : x;

function rmsNormalization(call: Call, x: Tensor, scale: Tensor): Tensor {
  const rank = x.shape.length;
  const axes = range(rank).slice(axisOf(call.attributes.int("axis", -1), rank));
  const wide = inStash(call, x);
  const mean = Nx.mean(Nx.multiply(wide, wide), { axes, keepAxes: true });
  const y = Nx.multiply(wide, Nx.rsqrt(Nx.add(mean, call.attributes.float("epsilon", 1e-5)))) as Tensor;
  return Nx.multiply(cast(y, x.type), scale) as Tensor;
}

function instanceNormalization(call: Call, x: Tensor, scale: Tensor, bias: Tensor): Tensor {
  const { y } = standardized(x, spatialAxes(x), call.attributes.float("epsilon", 1e-5));
  const rank = x.shape.length;
  return Nx.add(Nx.multiply(y, overChannels(scale, rank)), overChannels(bias, rank)) as Tensor;
}

/** Scale and bias are of each group before version 21, of each channel from it on. */
function groupNormalization(call: Call, x: Tensor, scale: Tensor, bias: Tensor): Tensor {
  const groups = call.attributes.int("num_groups", 1);
  const [batch, channels, ...rest] = x.shape as readonly [number, number, ...number[]];
  if (channels % groups !== 0) throw new ArgumentError(`${channels} channels cannot be parted in ${groups} groups`);
  const parted = reshape(inStash(call, x), [batch, groups, channels / groups, ...rest]);
  const axes = range(parted.shape.length).slice(2);
  const y = standardized(parted, axes, call.attributes.float("epsilon", 1e-5)).y;
  const width = call.opset < 21 ? 1 : channels / groups;
  const wide = (t: Tensor): Tensor => reshape(t, [1, groups, width, ...filled(rest.length, 1)]);
  return reshape(Nx.add(Nx.multiply(cast(y, x.type), wide(scale)), wide(bias)) as Tensor, x.shape);
}

/** Each element by a power of what its neighbours over the channels amount to. */
function localResponse(call: Call, x: Tensor): Tensor {
  const { attributes } = call;
  const size = attributes.int("size");
  if (size === undefined) throw new ArgumentError("the attribute size is missing");
  const rank = x.shape.length;
  const window = range(rank).map((i) => (i === 1 ? size : 1));
  const padding = window.map((width): [number, number] => [Math.floor((width - 1) / 2), Math.ceil((width - 1) / 2)]);
  const squares = Nx.windowSum(Nx.multiply(x, x), window, { padding });
  const amount = Nx.add(Nx.multiply(squares, attributes.float("alpha", 1e-4) / size), attributes.float("bias", 1));
  return Nx.divide(x, Nx.pow(amount, attributes.float("beta", 0.75))) as Tensor;
}

function meanVariance(call: Call, x: Tensor): Tensor {
  const axes = axesOf(call.attributes.ints("axes") ?? [0, 2, 3], x.shape.length);
  const mean = Nx.mean(x, { axes, keepAxes: true });
  const centred = Nx.subtract(x, mean);
  const deviation = Nx.sqrt(Nx.mean(Nx.multiply(centred, centred), { axes, keepAxes: true }));
  return Nx.divide(centred, Nx.add(deviation, 1e-9)) as Tensor;
}

function lpNormalization(call: Call, x: Tensor): Tensor {
  const axes = [axisOf(call.attributes.int("axis", -1), x.shape.length)];
  const p = call.attributes.int("p", 2);
  if (p !== 1 && p !== 2) throw new ArgumentError(`the attribute p must be 1 or 2, got: ${p}`);
  const sum = Nx.sum(p === 1 ? Nx.abs(x) : Nx.multiply(x, x), { axes, keepAxes: true });
  const norm = p === 1 ? sum : Nx.sqrt(sum);
  return Nx.where(Nx.equal(norm, 0), Nx.zerosLike(x), Nx.divide(x, Nx.where(Nx.equal(norm, 0), 1, norm))) as Tensor;
}

export const NORMALIZATION: Operators = {
  BatchNormalization: operator(5, batchNormalization),
  GroupNormalization: operator(3, groupNormalization),
  InstanceNormalization: operator(3, instanceNormalization),
  LRN: operator(1, localResponse),
  LayerNormalization: operator([2, 3], layerNormalization),
  LpNormalization: operator(1, lpNormalization),
  MeanVarianceNormalization: operator(1, meanVariance),
  RMSNormalization: operator(2, rmsNormalization),
};
