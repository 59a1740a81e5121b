/**
 * Operators of vision that sample images at places between pixels, and that choose among boxes.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  bounded,
  cast,
  full,
  operator,
  product,
  range,
  reshape,
  transpose,
  type Call,
  type Operators,
} from "../operator";
import { Empty, numberOf } from "../values";
import { elements } from "./reductions";

const PADDINGS = ["zeros", "border", "reflection"] as const;
type Padding = (typeof PADDINGS)[number];

const constant = (like: Tensor, value: number): Tensor => Nx.tensor(value, { type: like.type });

/** Places from -1 to 1 as places of pixels, whose corners or whose middles are the ends. */
function pixels(places: Tensor, size: number, isAligned: boolean): Tensor {
  const moved = Nx.add(places, 1);
  return (
    isAligned ? Nx.multiply(moved, (size - 1) / 2) : Nx.divide(Nx.subtract(Nx.multiply(moved, size), 1), 2)
  ) as Tensor;
}

/** Places beyond the ends, brought back by reflection at them. */
function reflected(x: Tensor, size: number, isAligned: boolean): Tensor {
  const [low, high] = isAligned ? [0, size - 1] : [-0.5, size - 0.5];
  const span = high - low;
  if (span === 0) return Nx.zerosLike(x) as Tensor;
  const distance = Nx.abs(Nx.subtract(x, low));
  const rest = Nx.remainder(distance, constant(x, span));
  const turns = Nx.floor(Nx.divide(distance, span));
  const isOdd = Nx.equal(Nx.remainder(turns, constant(x, 2)), 1);
  return Nx.add(Nx.where(isOdd, Nx.subtract(span, rest), rest), low) as Tensor;
}

function brought(x: Tensor, size: number, padding: Padding, isAligned: boolean): Tensor {
  if (padding === "zeros") return x;
  const inside = padding === "reflection" ? reflected(x, size, isAligned) : x;
  return Nx.clip(inside, 0, size - 1) as Tensor;
}

/** By axis: the whole places beside each given place, with their weights. */
type Corners = readonly (readonly [at: Tensor, weight: Tensor])[];

function corners(x: Tensor, mode: "nearest" | "linear" | "cubic"): Corners {
  if (mode === "nearest") return [[Nx.roundEven(x) as Tensor, full([], 1, x.type)]];
  const base = Nx.floor(x) as Tensor;
  const rest = Nx.subtract(x, base) as Tensor;
  if (mode === "linear") {
    return [
      [base, Nx.subtract(1, rest) as Tensor],
      [Nx.add(base, 1) as Tensor, rest],
    ];
  }
  const a = -0.75;
  const near = (d: Tensor): Tensor =>
    Nx.add(Nx.multiply(Nx.multiply(Nx.subtract(Nx.multiply(d, a + 2), a + 3), d), d), 1) as Tensor;
  const far = (d: Tensor): Tensor =>
    Nx.subtract(Nx.multiply(Nx.add(Nx.multiply(Nx.subtract(Nx.multiply(d, a), 5 * a), d), 8 * a), d), 4 * a) as Tensor;
  const other = Nx.subtract(1, rest) as Tensor;
  return [
    [Nx.subtract(base, 1) as Tensor, far(Nx.add(rest, 1) as Tensor)],
    [base, near(rest)],
    [Nx.add(base, 1) as Tensor, near(other)],
    [Nx.add(base, 2) as Tensor, far(Nx.add(other, 1) as Tensor)],
  ];
}

/** Images `[batch, channels, ...]` at the places of a grid `[batch, ..., axes]`, whose last axis holds x, y and so on. */
function gridSample(call: Call, x: Tensor, grid: Tensor): Tensor {
  const { attributes } = call;
  const word = attributes.choice(
    "mode",
    ["bilinear", "nearest", "bicubic", "linear", "cubic"],
    call.opset < 20 ? "bilinear" : "linear",
  );
  const mode = word === "nearest" ? word : word.endsWith("cubic") ? "cubic" : "linear";
  const padding = attributes.choice("padding_mode", PADDINGS, "zeros");
  const isAligned = attributes.flag("align_corners");
  const sizes = x.shape.slice(2);
  const axes = sizes.length;
  const points = grid.shape.slice(1, -1);
  if (grid.shape.length !== axes + 2 || grid.shape.at(-1) !== axes) {
    throw new ArgumentError(
      `the grid of an image of shape [${x.shape.join(", ")}] must have ${axes + 2} axes, the last of size ${axes}, got shape [${grid.shape.join(", ")}]`,
    );
  }
  const [batch, channels] = x.shape as readonly [number, number];
  const count = product(points);
  bounded(call, [batch, channels, count]);
  const places = sizes.map((size, i) => {
    const own = pixels(
      cast(reshape(Nx.sliceAlongAxis(grid, axes - 1 - i, 1, { axis: axes + 1 }) as Tensor, [batch, count]), x.type),
      size,
      isAligned,
    );
    return mode === "cubic" ? own : brought(own, size, padding, isAligned);
  });
  const flat = reshape(x, [batch, channels, product(sizes)]);
  const all = places.map((place) => corners(place, mode));
  const terms = combinations(all).map((chosen) => corner(flat, chosen, { sizes, padding, isAligned }));
  const sum = terms.reduce((a, b) => Nx.add(a, b) as Tensor);
  return reshape(sum, [batch, channels, ...points]);
}

function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((all, list) => all.flatMap((chosen) => list.map((entry) => [...chosen, entry])), [[]]);
}

interface Bounds {
  readonly sizes: readonly number[];
  readonly padding: Padding;
  readonly isAligned: boolean;
}

/** The share of a corner: pixel by weight; nothing beyond the ends where the padding is zeros. */
function corner(flat: Tensor, chosen: Corners, { sizes, padding, isAligned }: Bounds): Tensor {
  const [batch, channels] = flat.shape as readonly [number, number];
  const count = chosen[0]![0].shape[1]!;
  const start = full([batch, count], 0, flat.type);
  const { at, weight, isInside } = chosen.reduce<{ at: Tensor; weight: Tensor; isInside: Tensor | null }>(
    (sum, [raw, share], i) => {
      const size = sizes[i]!;
      const place = brought(raw, size, padding, isAligned);
      const within = Nx.logicalAnd(Nx.greaterEqual(place, 0), Nx.lessEqual(place, size - 1)) as Tensor;
      const held = Nx.clip(place, 0, size - 1);
      return {
        at: Nx.add(Nx.multiply(sum.at, size), held) as Tensor,
        weight: Nx.multiply(sum.weight, share) as Tensor,
        isInside: padding !== "zeros" ? null : sum.isInside ? (Nx.logicalAnd(sum.isInside, within) as Tensor) : within,
      };
    },
    { at: start, weight: constant(flat, 1), isInside: null },
  );
  const indices = Nx.broadcast(reshape(cast(at, "s64"), [batch, 1, count]), [batch, channels, count]);
  const share = isInside ? Nx.where(isInside, weight, constant(flat, 0)) : weight;
  const wide = reshape(Nx.broadcast(share, [batch, count]) as Tensor, [batch, 1, count]);
  return Nx.multiply(Nx.takeAlongAxis(flat, indices, { axis: 2 }), wide) as Tensor;
}

/** Regions of interest `[count, 4]` of images, each a grid of averages, or extremes, of sampled places. */
function roiAlign(call: Call, x: Tensor, rois: Tensor, batches: Tensor): Tensor {
  const { attributes } = call;
  const [rows, columns] = [attributes.int("output_height", 1), attributes.int("output_width", 1)];
  const samples = attributes.int("sampling_ratio", 0);
  const isHalf =
    attributes.choice(
      "coordinate_transformation_mode",
      ["half_pixel", "output_half_pixel"],
      call.opset < 16 ? "output_half_pixel" : "half_pixel",
    ) === "half_pixel";
  if (samples < 1)
    throw new ArgumentError(
      "the attribute sampling_ratio must be 1 or more; the number of samples would depend on data",
    );
  const [, channels, height, width] = x.shape as readonly [number, number, number, number];
  const count = rois.shape[0]!;
  bounded(call, [count, channels, rows * samples, columns * samples]);
  bounded(call, [count, channels, Math.max(height, rows * samples), Math.max(width, columns * samples)]);
  const offset = isHalf ? 0.5 : 0;
  const scale = attributes.float("spatial_scale", 1);
  const edge = (i: number): Tensor =>
    Nx.subtract(Nx.multiply(Nx.sliceAlongAxis(rois, i, 1, { axis: 1 }), scale), offset) as Tensor;
  const line = (low: Tensor, high: Tensor, parts: number): Tensor => {
    const extent = Nx.subtract(high, low);
    const step = Nx.divide(isHalf ? extent : Nx.max(extent, 1), parts * samples);
    const at = Nx.add(Nx.iota([1, parts * samples], { type: x.type, axis: 1 }), 0.5);
    return Nx.add(low, Nx.multiply(at, step)) as Tensor;
  };
  const ys = line(edge(1), edge(3), rows);
  const xs = line(edge(0), edge(2), columns);
  const own = Nx.take(x, batches, { axis: 0 }) as Tensor;
  const down = weighed(own, ys, height, 2);
  const isMax = attributes.choice("mode", ["avg", "max"], "avg") === "max";
  if (isMax) throw new ArgumentError('the mode "max" is not supported');
  const across = weighed(down, xs, width, 3);
  const parted = reshape(across, [count, channels, rows, samples, columns, samples]);
  return Nx.mean(parted, { axes: [3, 5] }) as Tensor;
}

/** Entries of an axis between its places: the product with weights that are not 0 for the two neighbours. */
function weighed(x: Tensor, places: Tensor, size: number, axis: 2 | 3): Tensor {
  const isInside = Nx.logicalAnd(Nx.greaterEqual(places, -1), Nx.lessEqual(places, size));
  const held = Nx.newAxis(Nx.clip(places, 0, size - 1), 2);
  const entries = Nx.iota([1, 1, size], { axis: 2, type: x.type });
  const near = Nx.max(Nx.subtract(1, Nx.abs(Nx.subtract(held, entries))), 0);
  const weights = Nx.multiply(near, cast(Nx.newAxis(isInside, 2) as Tensor, x.type));
  const moved = Nx.dot(x, [axis], [0], weights, [2], [0]) as Tensor;
  return axis === 3 ? moved : transpose(moved, [0, 1, 3, 2]);
}

/** Grids of places for pictures moved by matrices `[batch, axes, axes + 1]`. */
function affineGrid(call: Call, theta: Tensor, sizeInput: Tensor): Tensor {
  const sizes = (elements(sizeInput, "size") as (number | bigint)[]).map(Number).slice(2);
  bounded(call, [theta.shape[0]!, ...sizes, sizes.length]);
  const isAligned = call.attributes.flag("align_corners");
  const lines = sizes.map((size, axis) => {
    const at = Nx.iota(sizes, { axis, type: theta.type });
    const place = isAligned
      ? Nx.subtract(Nx.multiply(at, 2 / Math.max(1, size - 1)), size > 1 ? 1 : 0)
      : Nx.subtract(Nx.multiply(Nx.add(at, 0.5), 2 / size), 1);
    return reshape(place as Tensor, [product(sizes)]);
  });
  const ones = full([product(sizes)], 1, theta.type);
  const points = Nx.stack([...lines.reverse(), ones], { axis: 0 });
  const moved = Nx.dot(theta, [2], points, [0]) as Tensor;
  return reshape(transpose(moved, [0, 2, 1]), [theta.shape[0]!, ...sizes, sizes.length]);
}

/** A box by two corners; which are they, corners in any order or a centre and sizes, is an attribute. */
type Box = readonly [y1: number, x1: number, y2: number, x2: number];

function boxOf(numbers: readonly number[], isCentred: boolean): Box {
  const [a, b, c, d] = numbers as [number, number, number, number];
  if (isCentred) return [b - d / 2, a - c / 2, b + d / 2, a + c / 2];
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

function overlap(a: Box, b: Box): number {
  const height = Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]));
  const width = Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  const area = (box: Box): number => (box[2] - box[0]) * (box[3] - box[1]);
  const union = area(a) + area(b) - height * width;
  return union > 0 ? (height * width) / union : 0;
}

/** The best boxes of each class that do not overlap better ones: how many there are depends on data. */
function nonMaxSuppression(
  call: Call,
  boxes: Tensor,
  scores: Tensor,
  most?: Tensor,
  iou?: Tensor,
  least?: Tensor,
): Tensor | Empty {
  const limit = most === undefined ? 0 : numberOf(most, "max_output_boxes_per_class");
  const threshold = iou === undefined ? 0 : numberOf(iou, "iou_threshold");
  const floor = least === undefined ? -Infinity : numberOf(least, "score_threshold");
  const [batches, count] = boxes.shape as readonly [number, number, number];
  const classes = scores.shape[1]!;
  const isCentred = call.attributes.flag("center_point_box");
  const corners = elements(boxes, "which boxes stay").map(Number);
  const values = elements(scores, "which boxes stay").map(Number);
  const chosen: number[][] = [];
  for (const batch of range(batches)) {
    const all = range(count).map((i) =>
      boxOf(corners.slice((batch * count + i) * 4, (batch * count + i + 1) * 4), isCentred),
    );
    for (const kind of range(classes)) {
      const score = (i: number): number => values[(batch * classes + kind) * count + i]!;
      const kept: number[] = [];
      for (const i of range(count)
        .filter((at) => score(at) > floor)
        .sort((a, b) => score(b) - score(a) || a - b)) {
        if (kept.length >= limit) break;
        if (kept.every((j) => overlap(all[i]!, all[j]!) <= threshold)) kept.push(i);
      }
      chosen.push(...kept.map((i) => [batch, kind, i]));
    }
  }
  return chosen.length === 0 ? new Empty("s64", [0, 3]) : (Nx.tensor(chosen, { type: "s64" }) as Tensor);
}

export const SAMPLING: Operators = {
  AffineGrid: operator(2, affineGrid, { known: [1] }),
  GridSample: operator(2, gridSample),
  NonMaxSuppression: operator([2, 5], nonMaxSuppression, { known: [2, 3, 4], note: "boxes and scores must be known" }),
  RoiAlign: operator(3, roiAlign, { note: "averages, with a sampling_ratio from 1" }),
};
