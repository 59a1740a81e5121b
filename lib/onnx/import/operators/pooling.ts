/**
 * Pools: windows over the spatial axes of `[batch, channels, ...]`, and their inverse.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  bounded,
  cast,
  filled,
  full,
  isFloat,
  one,
  operator,
  product,
  range,
  reshape,
  several,
  transpose,
  type Call,
  type Operator,
  type Operators,
  type Result,
} from "../operator";
import { outside } from "../outside";
import { numbersOf, type Empty } from "../values";
import { geometryOf, poolGeometry, windowCounts } from "./geometry";

type PoolGeometry = ReturnType<typeof poolGeometry>;

/** Options of windows over all axes, batch and channels included; padding is cropping where it is negative. */
function windows({ strides, dilations, padding, added }: PoolGeometry, isPadded = true) {
  const pads = padding.map(([low, high], i): [number, number] => (isPadded ? [low, high + added[i]!] : [0, added[i]!]));
  return {
    strides: [1, 1, ...strides],
    windowDilations: [1, 1, ...dilations],
    padding: [[0, 0], [0, 0], ...pads] as [number, number][],
  };
}

const windowOf = ({ kernel }: PoolGeometry): number[] => [1, 1, ...kernel];

function maxPool(call: Call, x: Tensor): Result {
  const geometry = poolGeometry(call, x);
  if (call.wants(1)) return withPositions(call, x, geometry);
  return Nx.windowMax(x, windowOf(geometry), windows(geometry)) as Tensor;
}

/** The largest of each window, and where it stands in the whole input, written row by row. */
function withPositions(call: Call, x: Tensor, geometry: PoolGeometry): Result {
  const size = product(geometry.kernel);
  if (size > call.limits.steps) {
    throw new ArgumentError(
      `a window of ${size} elements has more than ${call.limits.steps}, the limit of fromOnnx for positions; ` +
        "raise it by the option limits: { steps } where the model is trusted",
    );
  }
  const spatial = x.shape.slice(2);
  bounded(call, [size, ...x.shape.slice(0, 2), ...windowCounts(spatial, geometry.kernel, geometry, geometry.added)]);
  const columns = call.attributes.flag("storage_order");
  const least = (isFloat(x.type) ? -Infinity : Nx.Type.min(x.type)) as number;
  const entries = Nx.stack(stepped(x, geometry, least), { axis: 0 }) as Tensor;
  const chosen = Nx.argmax(entries, { axis: 0, keepAxis: true }) as Tensor;
  const places = outside(() => {
    const flat = Nx.iota([1, 1, ...(columns ? [...spatial].reverse() : spatial)]) as Tensor;
    const order = [
      0,
      1,
      ...range(spatial.length)
        .reverse()
        .map((i) => i + 2),
    ];
    return Nx.stack(stepped(columns ? (Nx.transpose(flat, { axes: order }) as Tensor) : flat, geometry, 0), {
      axis: 0,
    });
  }) as Tensor;
  const [batch, channels] = x.shape as readonly [number, number];
  const own = Nx.takeAlongAxis(Nx.broadcast(places, entries.shape), chosen, { axis: 0 });
  const start = outside(() =>
    Nx.multiply(Nx.iota([batch * channels]), product(spatial)).reshape([batch, channels, ...filled(spatial.length, 1)]),
  );
  const positions = Nx.add(Nx.squeeze(own, { axes: [0] }), start) as Tensor;
  const values = Nx.takeAlongAxis(entries, chosen, { axis: 0 });
  return several(Nx.squeeze(values, { axes: [0] }) as Tensor, cast(positions, "s64"));
}

/** For each place of the kernel, the elements that it has over all windows. */
function stepped(x: Tensor, geometry: PoolGeometry, fill: number): Tensor[] {
  const { kernel, strides, dilations, padding, added } = geometry;
  const pads = padding.map(([low, high], i): [number, number] => [low, high + added[i]!]);
  const wide = Nx.pad(x, Nx.tensor(fill, { type: x.type }), [[0, 0], [0, 0], ...pads]) as Tensor;
  const lengths = windowCounts(x.shape.slice(2), kernel, geometry, added).map(
    (count, i) => (count - 1) * strides[i]! + 1,
  );
  return range(product(kernel)).map((at) => {
    const starts = kernel.map((size, i) => (Math.floor(at / product(kernel.slice(i + 1))) % size) * dilations[i]!);
    const [batch, channels] = wide.shape as readonly [number, number];
    return Nx.slice(wide, [0, 0, ...starts], [batch, channels, ...lengths], { strides: [1, 1, ...strides] }) as Tensor;
  });
}

function averagePool(call: Call, x: Tensor): Tensor {
  const geometry = poolGeometry(call, x);
  const sum = Nx.windowSum(x, windowOf(geometry), windows(geometry)) as Tensor;
  const isWhole = geometry.padding.flat().every((pad) => pad === 0) && geometry.added.every((pad) => pad === 0);
  if (isWhole) return Nx.divide(sum, product(geometry.kernel)) as Tensor;
  const includes = call.attributes.flag("count_include_pad");
  const counts = outside(() => {
    const ones = full([1, 1, ...x.shape.slice(2)], 1, x.type);
    const wide = Nx.pad(ones, includes ? 1 : 0, [[0, 0], [0, 0], ...geometry.padding]);
    return Nx.windowSum(wide, windowOf(geometry), windows(geometry, false)) as Tensor;
  });
  return Nx.divide(sum, counts) as Tensor;
}

function lpPool(call: Call, x: Tensor): Tensor {
  const geometry = poolGeometry(call, x);
  const p = call.attributes.int("p", 2);
  const powers = Nx.pow(Nx.abs(x), p);
  return Nx.pow(Nx.windowSum(powers, windowOf(geometry), windows(geometry)), 1 / p) as Tensor;
}

/** A reduction over all spatial axes, which stay with size 1. */
const globally = (fn: (x: Tensor, over: { readonly axes: number[]; readonly keepAxes: true }) => Tensor): Operator =>
  one((x) => {
    if (x.shape.length < 3) throw new ArgumentError(`its input has no spatial axes: [${x.shape.join(", ")}]`);
    return fn(x, { axes: range(x.shape.length).slice(2), keepAxes: true });
  });

function globalLpPool(call: Call, x: Tensor): Tensor {
  const p = call.attributes.int("p", 2);
  const axes = range(x.shape.length).slice(2);
  return Nx.pow(Nx.sum(Nx.pow(Nx.abs(x), p), { axes, keepAxes: true }), 1 / p) as Tensor;
}

/** Puts elements back where a pool with positions took them from; all others are 0. */
function maxUnpool(call: Call, x: Tensor, positions: Tensor, outputShape?: Tensor | Empty): Tensor {
  const shape = bounded(
    call,
    outputShape === undefined ? unpooledShape(call, x) : numbersOf(outputShape, "output_shape"),
  );
  const inner = outputShape === undefined ? shape : unpooledShape(call, x);
  const at = inner.every((size, i) => size === shape[i]) ? positions : outsideOrNot(positions, inner, shape);
  const zeros = full([product(shape)], 0, x.type);
  const flat = Nx.indexedPut(zeros, reshape(at, [x.size, 1]), reshape(x, [x.size])) as Tensor;
  return reshape(flat, shape);
}

/** Positions in one shape as those of the same coordinates in another. */
function outsideOrNot(positions: Tensor, from: readonly number[], to: readonly number[]): Tensor {
  let rest = positions;
  let flat: Tensor = Nx.zerosLike(positions) as Tensor;
  for (let i = from.length - 1, step = 1; i >= 0; step *= to[i]!, i--) {
    flat = Nx.add(flat, Nx.multiply(Nx.remainder(rest, from[i]!), step)) as Tensor;
    rest = Nx.quotient(rest, from[i]!) as Tensor;
  }
  return flat;
}

function unpooledShape(call: Call, x: Tensor): number[] {
  const kernel = call.attributes.ints("kernel_shape");
  if (!kernel) throw new ArgumentError("the attribute kernel_shape is missing");
  const n = kernel.length;
  const strides = call.attributes.ints("strides") ?? filled(n, 1);
  const pads = call.attributes.ints("pads") ?? filled(2 * n, 0);
  const spatial = x.shape.slice(2).map((size, i) => (size - 1) * strides[i]! + kernel[i]! - pads[i]! - pads[i + n]!);
  return [...x.shape.slice(0, 2), ...spatial];
}

/** Blocks `[batch, channels * places, count]` added up where they lie in images: the inverse of taking them out, but for overlaps. */
function col2im(call: Call, x: Tensor, image: Tensor, block: Tensor): Tensor {
  const [sizes, kernel] = [numbersOf(image, "image_shape"), numbersOf(block, "block_shape")];
  const places = product(kernel);
  const [batch, rows, count] = x.shape as readonly [number, number, number];
  const whole = full([1, 1, ...bounded(call, sizes)], 0, "u8");
  if (kernel.length !== sizes.length || rows % places !== 0)
    throw new ArgumentError(`blocks [${kernel.join(", ")}] do not fit ${rows} rows and images [${sizes.join(", ")}]`);
  const { strides, dilations, padding } = geometryOf(call, whole, kernel);
  const wide = sizes.map((size, i) => size + padding[i]![0] + padding[i]![1]);
  const channels = rows / places;
  bounded(call, [batch, channels, ...wide]);
  const at = outside(() => {
    const flat = Nx.iota([1, 1, ...wide], { type: "s64" }) as Tensor;
    const none = sizes.map((): [number, number] => [0, 0]);
    const own = { kernel, strides, dilations, padding: none, added: filled(sizes.length, 0) };
    return Nx.stack(stepped(flat, own, 0).map((t) => reshape(t, [t.size]))) as Tensor;
  });
  if (at.shape[1] !== count)
    throw new ArgumentError(
      `images [${sizes.join(", ")}] have ${at.shape[1]} blocks [${kernel.join(", ")}], got ${count}`,
    );
  const elements = transpose(reshape(x, [batch * channels, places * count]), [1, 0]);
  const zeros = full([product(wide), batch * channels], 0, x.type);
  const sums = transpose(Nx.indexedAdd(zeros, reshape(at, [at.size, 1]), elements) as Tensor, [1, 0]);
  const images = reshape(sums, [batch, channels, ...wide]);
  return Nx.slice(images, [0, 0, ...padding.map(([low]) => low)], [batch, channels, ...sizes]) as Tensor;
}

export const POOLING: Operators = {
  AveragePool: operator(1, averagePool),
  Col2Im: operator(3, col2im, { known: [1, 2] }),
  GlobalAveragePool: globally((x, over) => Nx.mean(x, over) as Tensor),
  GlobalLpPool: operator(1, globalLpPool),
  GlobalMaxPool: globally((x, over) => Nx.reduceMax(x, over) as Tensor),
  LpPool: operator(1, lpPool),
  MaxPool: operator(1, maxPool),
  MaxUnpool: operator([2, 3], maxUnpool, { known: [2] }),
};
