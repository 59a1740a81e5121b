/**
 * Steps that look elements up, write them, order them, and go over axes and windows, with every option there is: positions of all integer
 * types and beyond the ends where these are clamped, negative and interior padding, dilations, ties, missing values.
 */
import type { DType, Tensor } from "nx-numerics";
import { DTYPES, isComplex, isInteger } from "../../../lib/core/types";
import type { Generator, Make, Rows, Value } from "../generate";
import { plainNumber, scalar, type Values } from "../inputs";
import { call, item, ref, sizeOf, type Expr, type Options } from "../program";
import { CONTROL } from "./control";
import { COMMON, ELEMENTWISE } from "./elementwise";
import { MIXED } from "./mixed";
import { REDUCTIONS, whole } from "./reductions";
import { axisPosition, hasAxes, SHAPE } from "./shape";

const isReal = (t: Tensor): boolean => !isComplex(t.type);
const isLine = (t: Tensor): boolean => hasAxes(t) && isReal(t);
const isSmall = (t: Tensor): boolean => sizeOf(t.shape) <= 3000;

const INDEX_TYPES: readonly DType[] = ["s64", "s64", "s32", "u32", "u64", "u8", "s8", "u16", "s16"];
const LIMITS: Readonly<Partial<Record<DType, number>>> = { u8: 256, s8: 128, u16: 65_536, s16: 32_768 };

const list = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Options, each with a chance. */
const some = (g: Generator, options: Options, chance = 0.4): Options =>
  Object.fromEntries(Object.entries(options).filter(() => g.r.chance(chance)));

const withOptions = (fn: string, args: readonly Expr[], options: Options): Expr =>
  call(fn, ...args, ...(Object.keys(options).length > 0 ? [options] : []));

const on =
  (make: (g: Generator, x: Value) => Expr | null, ok: (t: Tensor) => boolean = () => true): Make =>
  (g) => {
    const x = g.pick(ok);
    return x && make(g, x);
  };

/** A further input, of the type of a value mostly. */
function given(g: Generator, shape: readonly number[], type: DType, values: Values = "plain"): Value {
  const pool = list(Math.min(sizeOf(shape), 37), () => scalar(g.r, type, values));
  return g.input({ id: g.fresh(), type, shape, names: shape.map(() => null), pool, mix: [g.r.pick([1, 7]), g.r.pick([0, 3])] }); // prettier-ignore
}

/** Positions below a limit: an input, computed, or another view of either. */
function places(g: Generator, limit: number, shape: readonly number[]): Expr {
  const type = g.r.pick(INDEX_TYPES.filter((one) => limit <= (LIMITS[one] ?? Infinity) || g.r.chance(0.3)));
  const most = Math.min(limit, LIMITS[type] ?? Infinity);
  const flipped = [...shape].reverse();
  const isTurned = shape.length > 1 && g.r.chance(0.3);
  const laid = isTurned ? flipped : shape;
  const pool = list(Math.min(sizeOf(shape), 41), () => {
    const place = g.r.chance(0.2) ? most - 1 : g.r.below(most);
    return type.endsWith("64") ? BigInt(place) : place;
  });
  const input = g.input({ id: g.fresh(), type, shape: laid, names: laid.map(() => null), pool, mix: [1, 3] });
  const turned: Expr = isTurned ? call("Nx.transpose", ref(input.id)) : ref(input.id);
  return shape.length > 0 && g.r.chance(0.2) ? call("Nx.reverse", turned) : turned;
}

/** A scalar that is read when the program runs, of any size. */
function start(g: Generator, dim: number): Expr {
  const near = g.r.between(-2, dim + 2);
  if (g.r.chance(0.4)) return near;
  const type = g.r.pick<DType>(["s64", "s64", "s32", "u8", "s8", "u32", "u64", "s16"]);
  const isSigned = type.startsWith("s");
  const far = g.r.pick([2 ** 40, -(2 ** 40), 2 ** 31, -1, 127, 0]);
  const place = g.r.chance(0.15) && type === "s64" ? far : Math.min(isSigned ? near : Math.max(0, near), type.endsWith("8") ? 127 : near); // prettier-ignore
  const literal = call("Nx.tensor", type.endsWith("64") ? BigInt(place) : place, { type });
  const found = g.pick((t) => isInteger(t.type) && sizeOf(t.shape) === 1 && t.shape.length === 0);
  return found && g.r.chance(0.4) ? ref(found.id) : literal;
}

const LOOKUPS: Rows = {
  take: on((g, x) => {
    const axis = g.axis(x.t);
    const dim = x.t.shape[axisPosition(x.t, axis)]!;
    const shape = g.r.pick<() => number[]>([() => [], () => [g.r.between(1, 9)], () => [g.r.between(1, 60)], () => [g.r.between(1, 4), g.r.between(1, 5)], () => [2, 1, 3]])(); // prettier-ignore
    if ((sizeOf(x.t.shape) / dim) * sizeOf(shape) > g.most) return null;
    return call("Nx.take", ref(x.id), places(g, dim, shape), { axis });
  }, hasAxes),
  takeAlongAxis: on((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    const length = g.r.chance(0.5) ? x.t.shape[axis]! : g.r.between(1, 9);
    const shape = x.t.shape.map((dim, i) => (i === axis ? length : dim));
    if (sizeOf(shape) > g.most) return null;
    return call("Nx.takeAlongAxis", ref(x.id), places(g, x.t.shape[axis]!, shape), { axis });
  }, hasAxes),
  gather: on((g, x) => {
    const [axes, columns] = coordinates(
      g,
      x,
      list(g.r.below(3), () => g.r.between(1, 7)),
    );
    const rest = sizeOf(x.t.shape.filter((_, axis) => !axes.includes(axis)));
    return rest * 60 > g.most && rest > 60 ? null : call("Nx.gather", ref(x.id), columns, { axes });
  }, hasAxes),
  ...Object.fromEntries(
    ["indexedAdd", "indexedPut"].map((name) => [
      name,
      on((g, x) => {
        const lead = list(g.r.pick([1, 1, 1, 2, 0]), () => g.r.between(1, 9));
        const [axes, columns] = coordinates(g, x, lead);
        const shape = [...lead, ...x.t.shape.filter((_, axis) => !axes.includes(axis))];
        if (sizeOf(shape) > g.most) return null;
        const type = g.r.chance(0.6) ? x.t.type : g.r.pick(DTYPES);
        const updates = g.r.chance(0.15) ? plainNumber(g.r) : ref(given(g, shape, type, g.r.pick<Values>(["plain", "awkward", "whole"])).id); // prettier-ignore
        return call(`Nx.${name}`, ref(x.id), columns, updates, { axes });
      }, hasAxes),
    ]),
  ),
  slice: on((g, x) => {
    const lengths = x.t.shape.map((dim) => g.r.between(1, dim));
    const starts = x.t.shape.map((dim) => start(g, dim));
    const strides = x.t.shape.map(() => g.r.pick([1, 1, 2, 3, 5, 100]));
    return withOptions("Nx.slice", [ref(x.id), starts, lengths], some(g, { strides }, 0.6));
  }, hasAxes),
  sliceAlongAxis: on((g, x) => {
    const axis = g.axis(x.t);
    const dim = x.t.shape[axisPosition(x.t, axis)]!;
    const options = { axis, ...some(g, { strides: g.r.between(1, 4) }) };
    return call("Nx.sliceAlongAxis", ref(x.id), start(g, dim), g.r.between(1, dim), options);
  }, hasAxes),
  putSlice: on((g, x) => {
    const shape = x.t.shape.map((dim) => g.r.between(1, Math.min(dim, 9)));
    const type = g.r.chance(0.6) ? x.t.type : g.r.pick(DTYPES);
    return call("Nx.putSlice", ref(x.id), x.t.shape.map((dim) => start(g, dim)), ref(given(g, shape, type, "awkward").id)); // prettier-ignore
  }, hasAxes),
  at: on((g, x) => {
    const bound = (dim: number): Expr => g.r.pick<() => Expr>([
      () => call("Nx.range", undefined, undefined, g.r.between(1, 4)),
      () => call("Nx.range", g.r.below(dim), dim, g.r.between(1, 3)),
      () => call("Nx.range", -g.r.between(1, dim), undefined, g.r.between(1, 2)),
      () => g.r.between(-dim, dim - 1),
      () => start(g, dim),
      () => call("Nx.range"),
    ])(); // prettier-ignore
    const named = x.t.names.flatMap((name, axis) => (name === null || g.r.chance(0.4) ? [] : [[name, bound(x.t.shape[axis]!)] as const])); // prettier-ignore
    const safe = (index: Expr): Expr => (typeof index === "number" ? 0 : index);
    if (named.length > 0) return call(".at", ref(x.id), Object.fromEntries(named.map(([name, index]) => [name, safe(index)]))); // prettier-ignore
    return call(".at", ref(x.id), ...x.t.shape.slice(0, g.r.between(1, x.t.shape.length)).map((dim) => safe(bound(dim)))); // prettier-ignore
  }, hasAxes),
};

/** Some axes of a value, and positions along them in the last axis of a tensor. */
function coordinates(g: Generator, { t }: Value, lead: readonly number[]): [number[], Expr] {
  const chosen = g.r.shuffled(g.r.some([...t.shape.keys()], 0.6));
  const axes = chosen.length > 0 ? chosen : [g.r.below(t.shape.length)];
  const shape = [...lead, 1];
  if (axes.length === 1) return [axes, places(g, t.shape[axes[0]!]!, shape)];
  const isLiteral = sizeOf(lead) <= 12 && g.r.chance(0.5);
  if (!isLiteral) {
    const limit = Math.min(...axes.map((axis) => t.shape[axis]!));
    return [axes, places(g, limit, [...lead, axes.length])];
  }
  const flat = list(sizeOf(lead), () => axes.map((axis) => g.r.below(t.shape[axis]!))).flat();
  return [axes, call("Nx.reshape", call("Nx.tensor", flat), [...lead, axes.length])];
}

const ORDER: Rows = {
  ...Object.fromEntries(
    ["sort", "argsort"].map((name) => [
      name,
      on((g, x) => {
        const axis = g.axis(x.t);
        const dim = x.t.shape[axisPosition(x.t, axis)]!;
        const types = INDEX_TYPES.filter((type) => dim <= (LIMITS[type] ?? Infinity));
        const options = some(g, { direction: g.r.pick(["asc", "desc"]), ...(name === "argsort" ? { type: g.r.pick(types) } : {}) }, 0.6); // prettier-ignore
        return call(`Nx.${name}`, ref(x.id), { axis, ...options });
      }, isLine),
    ]),
  ),
  topK: on((g, x) => item(call("Nx.topK", ref(x.id), { k: g.r.between(1, x.t.shape.at(-1)!) }), g.r.below(2)), isLine),
  ...Object.fromEntries(
    ["argmax", "argmin"].map((name) => [
      name,
      on((g, x) => {
        const options = some(g, { tieBreak: g.r.pick(["low", "high"]), keepAxis: true, nan: "skip" });
        return withOptions(`Nx.${name}`, [ref(x.id)], hasAxes(x.t) && g.r.chance(0.75) ? { axis: g.axis(x.t), ...options } : options); // prettier-ignore
      }, isReal),
    ]),
  ),
  ...Object.fromEntries(
    ["median", "mode"].map((name) => [
      name,
      on((g, x) => withOptions(`Nx.${name}`, [ref(x.id)], some(g, { axis: g.axis(x.t), keepAxis: true, nan: "skip" }, 0.6)), isLine),
    ]),
  ),
  quantile: on((g, x) => {
    const share = g.r.pick<Expr>([0, 0.3, 0.5, 1, [0.1, 0.9], 0.999]);
    return call("Nx.quantile", ref(x.id), share, some(g, { axis: g.axis(x.t), keepAxis: true, nan: "skip" }, 0.6));
  }, isLine),
  nonzero: on((g, x) => item(call("Nx.nonzero", ref(x.id), { size: g.r.between(1, 12), fill: 0 }), g.r.below(x.t.shape.length)), hasAxes),
  argwhere: on((g, x) => call("Nx.argwhere", ref(x.id), { size: g.r.between(1, 12), fill: 0 }), hasAxes),
  compress: on((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    const mask = call("Nx.less", call("Nx.iota", [x.t.shape[axis]!]), g.r.between(1, 5));
    return call("Nx.compress", ref(x.id), mask, { axis, size: g.r.between(1, 7), fill: 0 });
  }, hasAxes),
  searchsorted: on((g, x) => {
    const sorted = call("Nx.sort", call("Nx.flatten", ref(x.id)));
    const other = g.pick(isReal)!;
    return call("Nx.searchsorted", sorted, ref(other.id), { side: g.r.pick(["left", "right"]) });
  }, (t) => isReal(t) && isSmall(t)),
  digitize: on((g, x) => call("Nx.digitize", ref(x.id), call("Nx.tensor", g.r.pick([[-2, 0, 1], [5, 2, 0], [0]])), { right: g.r.chance(0.5) }), isReal),
  interp: on((g, x) => call("Nx.interp", ref(x.id), call("Nx.f64", [-2, -0.5, 1, 2]), call("Nx.f64", [1, -1, 3, 0]), some(g, { left: -9, right: 9 })), isReal),
  bincount: on((g, x) => call("Nx.bincount", call("Nx.remainder", call("Nx.abs", call("Nx.asType", ref(x.id), "s32")), 9), { length: g.r.between(9, 12) }), (t) => isReal(t) && isSmall(t)),
}; // prettier-ignore

const OVER: Rows = {
  ...Object.fromEntries(
    ["sum", "product", "mean", "reduceMax", "reduceMin", "all", "any", "variance", "logSumExp"].map((name) => [
      name,
      on(
        (g, x) => {
          const skips = name !== "all" && name !== "any" && name !== "logSumExp";
          const axes = hasAxes(x.t) ? { axes: g.r.shuffled(g.axes(x.t)) } : {};
          return withOptions(`Nx.${name}`, [ref(x.id)], some(g, { ...axes, keepAxes: true, ...(skips && isReal(x.t) ? { nan: "skip" } : {}) }, 0.6)); // prettier-ignore
        },
        (t) => isReal(t) || ["sum", "product", "mean", "variance"].includes(name),
      ),
    ]),
  ),
  ...Object.fromEntries(
    ["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"].map((name) => [
      name,
      on(
        (g, x) => call(`Nx.${name}`, ref(x.id), { axis: g.axis(x.t), ...some(g, { reverse: true, nan: "skip" }) }),
        (t) => hasAxes(t) && (isReal(t) || name.endsWith("Sum") || name.endsWith("Product")),
      ),
    ]),
  ),
  diff: on((g, x) => call("Nx.diff", ref(x.id), { axis: g.axis(x.t), order: g.r.below(3) }), hasAxes),
  gradient: on(
    (g, x) => call("Nx.gradient", ref(x.id), { axis: g.axis(x.t), ...some(g, { dx: 0.5 }) }),
    (t) => isLine(t) && t.shape.every((n) => n > 1),
  ),
  unwrap: on((g, x) => call("Nx.unwrap", ref(x.id), { axis: g.axis(x.t), ...some(g, { period: 3 }) }), isLine),
  trapezoid: on((g, x) => call("Nx.trapezoid", ref(x.id), { axis: g.axis(x.t), ...some(g, { dx: 0.5 }) }), isLine),
};

/** Windows of all kinds: for each axis a size, a stride, a dilation and padding, in which one fits at least. */
interface Laid {
  readonly window: number[];
  readonly strides: number[];
  readonly windowDilations: number[];
  readonly padding: [number, number][];
}

export function windowsOver(g: Generator, shape: readonly number[], dilates = true): Laid | null {
  const laid: Laid = { window: [], strides: [], windowDilations: [], padding: [] };
  for (const dim of shape) {
    const size = g.r.pick([1, 2, 2, 3, g.r.between(1, 12)]);
    const dilation = dilates ? g.r.pick([1, 1, 2, 3]) : 1;
    const low = g.r.pick([0, 0, 1, 3, -1, 7]);
    const reach = (size - 1) * dilation + 1;
    const high = Math.max(g.r.pick([0, 0, 1, 2, -1, 6]), reach - dim - low);
    laid.window.push(size);
    laid.strides.push(g.r.pick([1, 1, 2, 3, 5]));
    laid.windowDilations.push(dilation);
    laid.padding.push([low, high]);
  }
  return sizeOf(laid.padding.map(([low, high], i) => shape[i]! + low + high)) <= g.most ? laid : null;
}

/** How many windows there are along each axis of a shape, where none has dilations. */
export const countsOf = (shape: readonly number[], { window, strides, padding }: Laid): number[] =>
  shape.map((dim, i) => Math.floor((dim + padding[i]![0] + padding[i]![1] - window[i]!) / strides[i]!) + 1);

const windowed = (name: string, ok: (t: Tensor) => boolean): Make =>
  on((g, x) => {
    const laid = windowsOver(g, x.t.shape);
    if (!laid) return null;
    const { window, ...options } = laid;
    return call(`Nx.${name}`, ref(x.id), window, options as unknown as Options);
  }, ok); // prettier-ignore

const scattered = (name: string): Make =>
  on((g, x) => {
    const laid = windowsOver(g, x.t.shape, false);
    if (!laid) return null;
    const { window, strides, padding } = laid;
    const count = countsOf(x.t.shape, laid);
    const source = given(g, count, g.r.chance(0.7) ? "f32" : g.r.pick(DTYPES.filter((type) => !isComplex(type))));
    return call(`Nx.${name}`, ref(x.id), ref(source.id), g.r.between(-1, 2), window, { strides, padding });
  }, isLine); // prettier-ignore

const WINDOWS: Rows = {
  ...Object.fromEntries(["windowSum", "windowProduct", "windowMean"].map((name) => [name, windowed(name, hasAxes)])),
  ...Object.fromEntries(["windowMax", "windowMin"].map((name) => [name, windowed(name, isLine)])),
  ...Object.fromEntries(["windowScatterMax", "windowScatterMin"].map((name) => [name, scattered(name)])),
  pad: on((g, x) => {
    const config = x.t.shape.map((dim) => {
      const interior = g.r.pick([0, 0, 0, 1, 2, 5]);
      const length = (dim - 1) * interior + dim;
      const low = g.r.pick([0, 1, -1, 3, -length, -length - 2, g.r.between(-length, 4)]);
      const high = Math.max(g.r.pick([0, 1, -1, 4, g.r.between(-length, 5)]), 1 - length - low);
      return [low, high, interior];
    });
    const shape = config.map(([low, high, interior], i) => (x.t.shape[i]! - 1) * interior! + x.t.shape[i]! + low! + high!); // prettier-ignore
    if (sizeOf(shape) > g.most) return null;
    const value = g.r.chance(0.6) ? plainNumber(g.r) : ref(given(g, [], g.r.chance(0.7) ? x.t.type : g.r.pick(DTYPES), "awkward").id); // prettier-ignore
    return call("Nx.pad", ref(x.id), value, config);
  }, hasAxes),
};

const TRANSFORMS: Rows = {
  ...Object.fromEntries(
    ["fft", "ifft", "rfft", "irfft"].map((name) => [
      name,
      on(
        (g, x) =>
          call(`Nx.${name}`, ref(x.id), {
            axis: g.axis(x.t),
            ...some(g, { length: g.r.pick(["powerOfTwo", g.r.between(1, 70)]), eps: 0.01 }),
          }),
        (t) => hasAxes(t) && (name !== "rfft" || isReal(t)) && sizeOf(t.shape) <= 20_000,
      ),
    ]),
  ),
  fft2: on((g, x) => {
    const axes = g.r.shuffled([...x.t.shape.keys()]).slice(0, 2);
    return call(g.r.pick(["Nx.fft2", "Nx.ifft2"]), ref(x.id), { axes, ...some(g, { lengths: [g.r.between(1, 9), "powerOfTwo"] }) }); // prettier-ignore
  }, (t) => t.shape.length >= 2 && sizeOf(t.shape) <= 5000), // prettier-ignore
  conv: on((g, x) => {
    const [batch, channels, ...spatial] = x.t.shape as [number, number, ...number[]];
    const groups = g.r.pick([1, 2, 3, channels].filter((n) => channels % n === 0));
    const batchGroups = groups === 1 ? g.r.pick([1, 2, 3].filter((n) => batch % n === 0)) : 1;
    const filters = groups * batchGroups * g.r.between(1, 3);
    const kernel = spatial.map(() => g.r.between(1, 3));
    const inputDilation = spatial.map(() => g.r.pick([1, 1, 2, 3]));
    const kernelDilation = spatial.map(() => g.r.pick([1, 1, 2]));
    const padding = spatial.map((dim, i) => {
      const low = g.r.pick([0, 0, 1, 2, -1, 5]);
      const span = (dim - 1) * inputDilation[i]! + 1;
      return [low, Math.max(g.r.pick([0, 0, 1, -1, 4]), (kernel[i]! - 1) * kernelDilation[i]! + 1 - span - low)];
    });
    if (sizeOf(x.t.shape) * filters * sizeOf(kernel) > 1e6) return null;
    const w = given(g, [filters, channels / groups, ...kernel], x.t.type, "whole");
    const bare = call("Nx.rename", whole(x), x.t.shape.map(() => null)); // prettier-ignore
    const options = { strides: spatial.map(() => g.r.between(1, 3)), padding, inputDilation, kernelDilation };
    return call("Nx.conv", bare, ref(w.id), { ...some(g, options, 0.7), padding, inputDilation, kernelDilation, featureGroupSize: groups, batchGroupSize: batchGroups }); // prettier-ignore
  }, (t) => t.shape.length >= 3 && sizeOf(t.shape) <= 3000), // prettier-ignore
};

const named = (rows: Rows, ...names: readonly string[]): Make[] => names.map((name) => rows[name]!);
const times = (count: number, rows: readonly Make[]): Make[] => list(count, () => rows).flat();

export const INDEXING: readonly Make[] = [
  ...times(4, Object.values(LOOKUPS)),
  ...times(3, Object.values(ORDER)),
  ...times(2, Object.values(OVER)),
  ...times(3, Object.values(WINDOWS)),
  ...Object.values(TRANSFORMS),
  ...times(4, named(SHAPE, "transpose", "reverse", "broadcast")),
  ...times(2, named(SHAPE, "reshape", "concatenate", "stack", "newAxis", "squeeze", "moveAxis", "split", "roll")),
  ...times(2, named(COMMON, "add", "multiply", "max", "less", "negate")),
  ...times(2, named(ELEMENTWISE, "select", "asType", "isNan", "remainder")),
  ...times(3, named(CONTROL, "cond", "whileLoop", "scan", "Defn.map", "vmap", "defn")),
  ...Object.values(MIXED),
  ...named(REDUCTIONS, "softmax", "histogram", "segmentSum", "groupBy", "rolling"),
];
