/** Steps that look up, write, order and reduce with options, of f64, for functions that are differentiated. */
import type { DType, Tensor } from "nx-numerics";
import type { Generator, Make, Rows, Value } from "../generate";
import { call, item, ref, sizeOf, type Expr, type Options } from "../program";
import { countsOf, windowsOver } from "./indexing";
import { hasAxes } from "./shape";

const on =
  (make: (g: Generator, x: Value) => Expr | null, ok: (t: Tensor) => boolean = hasAxes): Make =>
  (g) => {
    const x = g.pick((t) => t.type === "f64" && ok(t));
    return x && make(g, x);
  };

const bare = ({ id, t }: Value): Expr => call("Nx.rename", ref(id), t.shape.map(() => null)); // prettier-ignore
const list = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Positions as a literal of any integer type. */
const places = (g: Generator, shape: readonly number[], limit: (i: number) => number): Expr =>
  call("Nx.asType", call("Nx.reshape", call("Nx.tensor", list(sizeOf(shape), (i) => g.r.below(limit(i)))), shape), g.r.pick(["s64", "u8", "s32", "u64"])); // prettier-ignore

/** As many elements of a value as a shape has, all different and none the same again. */
const filled = (x: Value, shape: readonly number[]): Expr => {
  const size = sizeOf(shape);
  const many = call("Nx.tile", call("Nx.flatten", bare(x)), [Math.ceil(size / sizeOf(x.t.shape))]);
  const part = call("Nx.reshape", call("Nx.slice", many, [0], [size]), shape);
  return call("Nx.sin", call("Nx.add", part, call("Nx.multiply", call("Nx.iota", shape), 0.37)));
};

/** Windows of padding alone have infinite extremes, which differences cannot take. */
const finite = (e: Expr): Expr => call("Nx.select", call("Nx.isInfinity", e), 0, e);

const windowed = (name: string): Make =>
  on((g, x) => {
    const laid = windowsOver(g, x.t.shape);
    if (!laid || sizeOf(laid.window) > 40) return null;
    const { window, ...options } = laid;
    return finite(call(`Nx.${name}`, ref(x.id), window, options as unknown as Options));
  });

const scattered = (name: string): Make =>
  on((g, x) => {
    const laid = windowsOver(g, x.t.shape, false);
    if (!laid) return null;
    const { window, strides, padding } = laid;
    const count = countsOf(x.t.shape, laid);
    const y = g.pick((t) => t.type === "f64")!;
    return sizeOf(count) > 60 ? null : call(`Nx.${name}`, bare(x), filled(y, count), 0, window, { strides, padding });
  });

const updated = (name: string): Make =>
  on((g, x) => {
    const chosen = g.r.shuffled(g.r.some([...x.t.shape.keys()], 0.6));
    const axes = chosen.length > 0 ? chosen : [g.r.below(x.t.shape.length)];
    const count = g.r.between(1, 4);
    const at = places(g, [count, axes.length], (i) => x.t.shape[axes[i % axes.length]!]!);
    const y = g.pick((t) => t.type === "f64")!;
    return call(`Nx.${name}`, ref(x.id), at, filled(y, [count, ...x.t.shape.filter((_, axis) => !axes.includes(axis))]), { axes }); // prettier-ignore
  });

const start = (g: Generator, dim: number): Expr => {
  const place = g.r.between(-1, dim);
  return g.r.chance(0.5) ? call("Nx.tensor", place) : place;
};

export const SMOOTH_INDEXING: Rows = {
  ...Object.fromEntries(["windowSum", "windowMean", "windowMax", "windowMin", "windowProduct"].map((name) => [name, windowed(name)])),
  ...Object.fromEntries(["windowScatterMax", "windowScatterMin"].map((name) => [name, scattered(name)])),
  ...Object.fromEntries(["indexedAdd", "indexedPut"].map((name) => [name, updated(name)])),
  pad: on((g, x) => {
    const y = g.pick((t) => t.type === "f64" && t.shape.length === 0);
    const config = x.t.shape.map((dim) => {
      const interior = g.r.pick([0, 0, 1, 2]);
      const length = (dim - 1) * interior + dim;
      const low = g.r.between(-length, 2);
      return [low, Math.max(g.r.between(-length, 2), 1 - length - low), interior];
    });
    return call("Nx.pad", ref(x.id), y ? ref(y.id) : 0.3, config);
  }),
  slice: on((g, x) => {
    const lengths = x.t.shape.map((dim) => g.r.between(1, dim));
    return call("Nx.slice", ref(x.id), x.t.shape.map((dim) => start(g, dim)), lengths, { strides: lengths.map(() => g.r.between(1, 3)) });
  }),
  putSlice: on((g, x) => {
    const y = g.pick((t) => t.type === "f64")!;
    const shape = x.t.shape.map((dim) => g.r.between(1, dim));
    return call("Nx.putSlice", ref(x.id), x.t.shape.map((dim) => start(g, dim)), filled(y, shape));
  }),
  take: on((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    return call("Nx.take", bare(x), places(g, g.r.pick([[], [3], [2, 2]]), () => x.t.shape[axis]!), { axis });
  }),
  takeAlongAxis: on((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    const shape = x.t.shape.map((dim, i) => (i === axis ? g.r.between(1, 4) : dim));
    return call("Nx.takeAlongAxis", ref(x.id), places(g, shape, () => x.t.shape[axis]!), { axis });
  }),
  gather: on((g, x) => {
    const axes = g.r.shuffled([...x.t.shape.keys()]).slice(0, g.r.between(1, x.t.shape.length));
    const lead = g.r.pick([[], [2], [2, 2]]);
    return call("Nx.gather", bare(x), places(g, [...lead, axes.length], (i) => x.t.shape[axes[i % axes.length]!]!), { axes });
  }),
  sorted: on((g, x) => call("Nx.sort", ref(x.id), { axis: g.axis(x.t), direction: g.r.pick(["asc", "desc"]) })),
  quantile: on((g, x) => call("Nx.quantile", ref(x.id), g.r.pick([0.1, 0.3, 0.77]), { axis: g.axis(x.t) })),
  ...Object.fromEntries(
    ["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"].map((name) => [
      name,
      on((g, x) => call(`Nx.${name}`, ref(x.id), { axis: g.axis(x.t), reverse: g.r.chance(0.6) })),
    ]),
  ),
  segments: on((g, x) => call(g.r.pick(["Nx.segmentSum", "Nx.segmentMax", "Nx.segmentMin", "Nx.segmentProduct"]), bare(x), call("Nx.tensor", list(x.t.shape[0]!, (i) => i % 2)), 2), (t) => hasAxes(t) && t.shape[0]! >= 2),
  grouped: on((g, x) => call(`.${g.r.pick(["sum", "mean", "max", "min", "product", "median", "first", "last"])}`, call("Nx.groupBy", bare(x), 0, list(x.t.shape[0]!, (i) => i % 2), { groups: 2, name: null })), (t) => hasAxes(t) && t.shape[0]! >= 2),
  rolled: on((g, x) => call(`.${g.r.pick(["sum", "mean", "max", "min", "product", "median"])}`, call("Nx.rolling", bare(x), 0, g.r.between(1, Math.min(3, x.t.shape[0]!)), { minPeriods: 1, center: g.r.chance(0.5) }))),
  dot: on((g, x) => {
    const count = g.r.between(0, x.t.shape.length);
    const axes = g.r.shuffled([...x.t.shape.keys()]).slice(0, count);
    const batches = count > 1 && g.r.chance(0.5) ? 1 : 0;
    const sizes = axes.map((axis) => x.t.shape[axis]!);
    const free = g.r.pick([[], [2], [2, 3]]);
    const order = g.r.shuffled([...[...sizes, ...free].keys()]);
    const other = call("Nx.transpose", filled(x, [...sizes, ...free]), { axes: order });
    const own = axes.map((_, i) => order.indexOf(i));
    const options = { contract: [axes.slice(batches), own.slice(batches)], batch: [axes.slice(0, batches), own.slice(0, batches)] };
    const [l, r] = [options.contract, options.batch];
    return g.r.chance(0.5) ? call("Nx.dot", bare(x), other, options) : call("Nx.dot", other, bare(x), { contract: [l[1]!, l[0]!], batch: [r[1]!, r[0]!] });
  }, (t) => sizeOf(t.shape) <= 12),
  conv: on((g, x) => {
    const rank = g.r.between(1, 2);
    const groups = g.r.pick([1, 1, 2]);
    const batchGroups = groups === 1 ? g.r.pick([1, 2]) : 1;
    const spatial = list(rank, () => g.r.between(1, 4));
    const kernel = list(rank, () => g.r.between(1, 3));
    const inputDilation = list(rank, () => g.r.pick([1, 1, 2, 3]));
    const kernelDilation = list(rank, () => g.r.pick([1, 1, 2]));
    const padding = spatial.map((dim, i) => {
      const low = g.r.pick([0, 0, 1, 2, -1, 4]);
      const span = (dim - 1) * inputDilation[i]! + 1;
      return [low, Math.max(g.r.pick([0, 0, 1, -1, 3]), (kernel[i]! - 1) * kernelDilation[i]! + 1 - span - low)];
    });
    const own = g.r.between(1, 2);
    const image = filled(x, [batchGroups * g.r.between(1, 2), groups * own, ...spatial]);
    const y = g.pick((t) => t.type === "f64")!;
    const weights = filled(y, [groups * batchGroups * g.r.between(1, 2), own, ...kernel]);
    return call("Nx.conv", image, weights, { strides: list(rank, () => g.r.between(1, 3)), padding, inputDilation, kernelDilation, featureGroupSize: groups, batchGroupSize: batchGroups });
  }, () => true),
  fft: on((g, x) => call("Nx.abs", call("Nx.add", call(`Nx.${g.r.pick(["fft", "ifft", "rfft"])}`, ref(x.id), { axis: g.axis(x.t), length: g.r.pick<Expr>(["powerOfTwo", g.r.between(1, 9)]) }), 9))),
  beside: on((g, x) => {
    const type = g.r.pick<DType>(["s64", "u64", "u32", "s16", "u8", "f32", "f16", "bf16"]);
    const numbers = type === "s64" || type === "u64" ? [16_777_217, 2 ** 40 + 1, 3] : type === "u32" ? [16_777_217, 5] : [1.5, 7, 2].map((n) => (type.includes("f") ? n : Math.ceil(n)));
    const y = call("Nx.tensor", g.r.chance(0.5) ? g.r.pick(numbers) : [g.r.pick(numbers)], { type });
    const unit = call("Nx.add", call("Nx.multiply", call("Nx.tanh", bare(x)), 0.3), 1.1);
    return g.r.pick<() => Expr>([
      () => call("Nx.divide", call("Nx.multiply", unit, y), 1e7),
      () => call("Nx.multiply", call("Nx.divide", unit, y), 10),
      () => call("Nx.log", call("Nx.divide", y, unit)),
      () => call("Nx.log", call("Nx.pow", y, unit)),
      () => call("Nx.atan2", y, unit),
      () => call("Nx.max", unit, y),
      () => call("Nx.clip", unit, 0.1, y),
      () => call("Nx.log", call("Nx.logAddExp", unit, y)),
      () => call("Nx.divide", call("Nx.lerp", unit, 0.5, y), 1e7),
    ])();
  }, () => true),
  clipped: on((_, x) => call("Nx.clip", ref(x.id), call("Nx.tensor", -1), call("Nx.tensor", 1)), () => true),
  narrow: on((g, x) => call("Nx.pow", call("Nx.add", call("Nx.abs", ref(x.id)), 0.5), call("Nx.tensor", g.r.pick([-3, -2, 2, 5, -1, 0]), { type: g.r.pick(["s8", "s16", "s64", "f32"]) })), () => true),
  einsum: on((g, x) => call("Nx.einsum", g.r.pick(["...i,...i->i...", "...i,...i->...", "...i,...i->i"]), bare(x), filled(x, x.t.shape))),
  convolve: on((g, x) => call("Nx.convolve", ref(x.id), call("Nx.f64", [0.5, -1, 2]), { mode: g.r.pick(["same", "full"]), axis: g.axis(x.t) })),
  gradient: on((g, x) => call("Nx.gradient", ref(x.id), { axis: g.axis(x.t), dx: 0.5 }), (t) => hasAxes(t) && t.shape.every((n) => n > 1)),
  trapezoid: on((g, x) => call("Nx.trapezoid", ref(x.id), { axis: g.axis(x.t), dx: 0.5 })),
  kurtosis: on((g, x) => call(g.r.pick(["Nx.skewness", "Nx.kurtosis"]), filled(x, [5])), () => true),
  zscore: on((_, x) => call("Nx.zscore", filled(x, [5])), () => true),
  interp: on((_, x) => call("Nx.interp", call("Nx.sin", ref(x.id)), call("Nx.f64", [-1.01, -0.333, 0.417, 1.02]), call("Nx.f64", [1, -1, 3, 0])), () => true),
  polyval: on((g, x) => call("Nx.polyval", filled(g.pick((t) => t.type === "f64")!, [3]), call("Nx.sin", ref(x.id))), () => true),
  nth: on((g, x) => item(call("Nx.topK", ref(x.id), { k: g.r.between(1, x.t.shape.at(-1)!) }), 0)),
  nanSkip: on((g, x) => call(`Nx.${g.r.pick(["sum", "mean", "product", "variance", "reduceMax"])}`, ref(x.id), { axes: g.axes(x.t), nan: "skip" }), (t) => hasAxes(t) && sizeOf(t.shape) > 2),
}; // prettier-ignore
