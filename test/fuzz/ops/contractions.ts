/**
 * Steps around contractions: products along any axes, convolutions of all kinds, and what goes into them and comes of them: an element for
 * each row, column or channel, views, reductions, conversions. What a step wants beside a value is often an input of its own.
 */
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { DTYPES, isComplex, isInteger } from "../../../lib/core/types";
import type { Generator, Make, Rows, Value } from "../generate";
import { plainNumber, scalar } from "../inputs";
import { call, ref, sizeOf, type Expr, type Options } from "../program";
import { CONTROL } from "./control";
import { either } from "./elementwise";
import { REDUCTIONS, whole } from "./reductions";
import { hasAxes, SHAPE } from "./shape";

/** Sizes about those of tiles, vectors and short lines. */
const SIZES = [1, 1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 20, 23, 24, 25, 31, 32, 33, 40, 47, 48, 63, 64, 65, 70];
const SMALL = [1, 2, 3, 4, 5, 6, 8];
const LONG = [96, 130, 200, 257, 300, 512, 700];

/** Products that a contraction may sum: the reference sums them one by one. */
const MOST_PRODUCTS = 2e6;

/** Whether sums are exact, since operands are whole numbers of at most 8: then they are those of every backend. */
export type Sums = "exact" | "rounded";

const COMMON_TYPES: readonly DType[] = [
  "f32",
  "f32",
  "f32",
  "f32",
  "f32",
  "f32",
  "f64",
  "f64",
  "f16",
  "bf16",
  "s32",
  "u8",
  "c64",
  "s64",
];

function typeFor(g: Generator, sums: Sums): DType {
  const type = g.r.chance(0.8) ? g.r.pick(COMMON_TYPES) : g.r.pick(DTYPES);
  return sums === "rounded" && isInteger(type) ? "f32" : type;
}

/** A further input of a shape: of the type of its neighbour, mostly. */
function given(g: Generator, sums: Sums, shape: readonly number[], like?: DType): Value {
  const type = like !== undefined && g.r.chance(0.75) ? like : typeFor(g, sums);
  const values = sums === "exact" ? "whole" : "plain";
  const pool = Array.from({ length: Math.min(sizeOf(shape), g.r.pick([31, 61])) }, () => scalar(g.r, type, values));
  return g.input({ id: g.fresh(), type, shape, names: shape.map(() => null), pool, mix: [g.r.pick([1, 7]), g.r.pick([0, 3])] }); // prettier-ignore
}

const isSmallWhole = (t: Tensor): boolean =>
  isInteger(t.type) ||
  (t.toFlatList() as (number | Nx.Complex)[])
    .flatMap((n) => (n instanceof Nx.Complex ? [n.re, n.im] : [n]))
    .every((n) => Number.isInteger(n) && Math.abs(n) <= 8);

/** A value as operand of a contraction, without names, which would have to fit. */
function operand(sums: Sums, x: Value): Expr {
  const fitting = sums === "rounded" || isSmallWhole(x.t) ? ref(x.id) : whole(x);
  const isNamed = x.t.names.some((name) => name !== null);
  return isNamed ? call("Nx.rename", fitting, x.t.shape.map(() => null)) : fitting; // prettier-ignore
}

const isContracted = (t: Tensor): boolean => hasAxes(t) && sizeOf(t.shape) <= 30_000;

/** Sizes of further axes, so that so many elements stay within what a value may have; larger ones beside few elements. */
function freeSizes(g: Generator, room: number, beside: number): number[] {
  const some = beside < 400 ? SIZES.slice(9) : SIZES;
  const sizes = Array.from({ length: g.r.pick([0, 1, 1, 1, 1, 1, 2]) }, () =>
    g.r.pick(g.r.chance(0.85) ? some : SMALL),
  );
  if (g.r.chance(0.15)) sizes.push(g.r.pick(LONG));
  while (sizeOf(sizes) > room) sizes.pop();
  return sizes;
}

/** Products of all kinds: vectors, matrices either way round, several axes at once, batches. */
const dot =
  (sums: Sums): Make =>
  (g) => {
    const x = g.pick(isContracted);
    if (!x) return null;
    const { shape } = x.t;
    const batches = shape.length > 1 && g.r.chance(0.35) ? g.r.pick([1, 1, shape.length - 1]) : 0;
    const free = [...shape.keys()].slice(batches);
    const count = g.r.pick([1, 1, 1, 1, 2]);
    const left = g.r.shuffled(g.r.chance(0.6) ? free.slice(-count) : free).slice(0, count);
    const kept = sizeOf(shape) / sizeOf(left.map((axis) => shape[axis]!));
    const room = Math.min(g.most / kept, MOST_PRODUCTS / sizeOf(shape));
    if (room < 1) return null;
    const batch = Array.from({ length: batches }, (_, axis) => axis);
    const found = g.pick((t) => fits(t, batches, left, shape, room)) ?? null;
    const y = found && g.r.chance(0.4) ? found : partner(g, sums, x, batch, left, room);
    const right = placesOf(y.t, batches, left.map((axis) => shape[axis]!)); // prettier-ignore
    if (right === null) return null;
    const [a, b] = [operand(sums, x), operand(sums, y)];
    const isPlain = batches === 0 && left.length === 1 && left[0] === shape.length - 1;
    if (isPlain && right[0] === Math.max(0, y.t.shape.length - 2) && g.r.chance(0.7)) return call("Nx.dot", a, b);
    const options = (l: readonly number[], r: readonly number[]): Options => ({
      contract: [l, r],
      ...(batches > 0 ? { batch: [batch, batch] } : {}),
    });
    return g.r.chance(0.25) ? call("Nx.dot", b, a, options(right, left)) : call("Nx.dot", a, b, options(left, right));
  };

/** Axes of a tensor, behind its batches, that have given sizes; null where it has not these. */
function placesOf({ shape }: Tensor, batches: number, sizes: readonly number[]): number[] | null {
  const places: number[] = [];
  for (const size of sizes) {
    const at = shape.findIndex((dim, axis) => axis >= batches && dim === size && !places.includes(axis));
    if (at < 0) return null;
    places.push(at);
  }
  return places;
}

function fits(t: Tensor, batches: number, left: readonly number[], shape: readonly number[], room: number): boolean {
  const sizes = left.map((axis) => shape[axis]!);
  if (!isContracted(t) || t.shape.slice(0, batches).join() !== shape.slice(0, batches).join()) return false;
  return placesOf(t, batches, sizes) !== null && sizeOf(t.shape) / sizeOf(sizes) / sizeOf(shape.slice(0, batches)) <= room;
} // prettier-ignore

function partner(g: Generator, sums: Sums, { t }: Value, batch: readonly number[], left: readonly number[], room: number): Value {
  const axes = g.r.shuffled([...left.map((axis) => t.shape[axis]!), ...freeSizes(g, room, sizeOf(t.shape))]);
  return given(g, sums, [...batch.map((axis) => t.shape[axis]!), ...axes], t.type);
} // prettier-ignore

const dilated = (dim: number, by: number): number => (dim - 1) * by + 1;

/** Convolutions of one to three spatial axes: groups, strides, padding, dilations. */
const conv =
  (sums: Sums): Make =>
  (g) => {
    const x = g.pick((t) => t.shape.length >= 3 && t.shape.length <= 5 && sizeOf(t.shape) <= 20_000);
    if (!x) return null;
    const [batch, channels, ...spatial] = x.t.shape as [number, number, ...number[]];
    const rank = spatial.length;
    const each = (make: () => number): number[] => spatial.map(make);
    const divisors = [1, 1, 2, 3, 4, channels].filter((n) => channels % n === 0);
    const groups = g.r.pick(divisors);
    const batchGroups = groups === 1 && batch % 2 === 0 && g.r.chance(0.1) ? 2 : 1;
    const kernel = spatial.map((dim) => g.r.pick([1, 2, 3, 3, 5].filter((n) => n <= dim)));
    const filters = groups * batchGroups * g.r.pick([1, 2, 3, 4, 5, 8, 16].slice(0, groups > 4 ? 2 : 7));
    const products = batch * filters * (channels / groups) * sizeOf(kernel) * sizeOf(spatial);
    if (products > MOST_PRODUCTS || batch * filters * sizeOf(spatial) > g.most) return null;
    const w = given(g, sums, [filters, channels / groups, ...kernel], x.t.type);
    const dilations = g.r.chance(0.2) ? each(() => g.r.between(1, 2)) : null;
    const isNarrow = spatial.some((dim, i) => dilated(kernel[i]!, dilations?.[i] ?? 1) > dim);
    const options: Options = {
      ...(g.r.chance(0.4) ? { strides: g.r.chance(0.5) ? g.r.between(1, 3) : each(() => g.r.between(1, 3)) } : {}),
      ...(isNarrow || g.r.chance(0.5) ? { padding: "same" } : g.r.chance(0.3) ? { padding: spatial.map(() => [g.r.between(0, 2), g.r.between(0, 2)]) } : {}),
      ...(dilations ? { kernelDilation: dilations } : {}),
      ...(rank < 3 && g.r.chance(0.1) ? { inputDilation: 2 } : {}),
      ...(groups > 1 ? { featureGroupSize: groups } : {}),
      ...(batchGroups > 1 ? { batchGroupSize: batchGroups } : {}),
    }; // prettier-ignore
    const args = [operand(sums, x), operand(sums, w)];
    return call("Nx.conv", ...args, ...(Object.keys(options).length > 0 ? [options] : []));
  };

const FOLLOWING = ["add", "add", "subtract", "multiply", "multiply", "max", "min", "less", "divide"] as const;

const isReal = (t: Tensor): boolean => !isComplex(t.type);
const ORDERED = new Set(["max", "min", "less"]);

/** An element for each row, for each column, for each entry of some axes, for all, or for each element. */
function shapeBeside(g: Generator, shape: readonly number[]): number[] {
  const last = shape.length - 1;
  const chosen = g.r.pick<(dim: number, axis: number) => boolean>([
    (_, axis) => axis !== last,
    (_, axis) => axis !== last,
    (_, axis) => axis !== last,
    (_, axis) => axis === last,
    (_, axis) => axis === last - 1,
    (_, axis) => axis === 1,
    () => true,
    () => g.r.chance(0.5),
    () => false,
  ]);
  const sizes = shape.map((dim, axis) => (chosen(dim, axis) ? dim : 1));
  while (sizes[0] === 1 && g.r.chance(0.6)) sizes.shift();
  return sizes;
}

const beside =
  (sums: Sums): Make =>
  (g) => {
    const name = g.r.pick(FOLLOWING);
    const ok = ORDERED.has(name) ? isReal : (): boolean => true;
    const x = g.pick(ok);
    if (!x) return null;
    const bare = x.t.names.every((axis) => axis === null);
    const type = isReal(x.t) || !ORDERED.has(name) ? x.t.type : undefined;
    const isOwn = bare && g.r.chance(0.65);
    const y = isOwn ? given(g, sums, shapeBeside(g, x.t.shape), type) : null;
    if (y && !ok(y.t)) return null;
    const other = y ? ref(y.id) : g.beside(x, ok);
    return g.r.chance(0.3) ? call(`Nx.${name}`, other, ref(x.id)) : either(g, name, x, other);
  };

/** A contraction and what is done with its elements, in one expression: nothing else reads the sums. */
const layer =
  (sums: Sums): Make =>
  (g) => {
    const contraction = g.r.chance(0.6) ? dot(sums)(g) : conv(sums)(g);
    const t = contraction && g.tried(contraction, g.fresh());
    if (!(t instanceof Nx.Tensor) || sizeOf(t.shape) > g.most) return null;
    let made = contraction!;
    for (let count = g.r.between(1, 3); count > 0; count--) {
      if (isReal(t) && g.r.chance(0.25)) made = call(g.r.pick(["Nx.tanh", "Nx.relu", "Nx.abs", "Nx.negate"]), made);
      const other = given(g, sums, shapeBeside(g, t.shape), t.type);
      const isOrdered = isReal(t) && isReal(other.t);
      const name = g.r.pick(FOLLOWING.filter((op) => isOrdered || !ORDERED.has(op)));
      made = g.r.chance(0.2) ? call(`Nx.${name}`, ref(other.id), made) : call(`Nx.${name}`, made, ref(other.id));
    }
    return made;
  };

const alone: Make = (g) => {
  const x = g.pick(isReal);
  return x && either(g, g.r.pick(["negate", "abs", "exp", "tanh", "relu", "sigmoid", "square", "sqrt"]), x);
};

const chosen: Make = (g) => {
  const x = g.pick(isReal);
  return x && call("Nx.select", call("Nx.greater", ref(x.id), plainNumber(g.r)), ref(x.id), g.beside(x, isReal));
};

const cast: Make = (g) => {
  const x = g.pick();
  return x && either(g, "asType", x, g.r.pick(g.r.chance(0.8) ? COMMON_TYPES : DTYPES));
};

const clipped: Make = (g) => {
  const x = g.pick(isReal);
  return x && either(g, "clip", x, -g.r.between(0, 9), g.r.between(0, 9));
};

const named = (rows: Rows, ...names: readonly string[]): Make[] => names.map((name) => rows[name]!);
const times = (count: number, rows: readonly Make[]): Make[] => Array.from({ length: count }, () => rows).flat();

export const contractionsOf = (sums: Sums): readonly Make[] => [
  ...times(20, [dot(sums)]),
  ...times(12, [conv(sums)]),
  ...times(40, [layer(sums)]),
  ...times(35, [beside(sums)]),
  ...times(8, [alone, cast]),
  ...times(3, [chosen, clipped]),
  ...times(4, named(SHAPE, "transpose")),
  ...times(2, named(SHAPE, "reshape", "newAxis", "moveAxis", "broadcast", "sliceAlongAxis", "concatenate")),
  ...named(SHAPE, "flatten", "squeeze", "slice", "stack", "pad", "reverse", "split", "rename"),
  ...times(3, named(REDUCTIONS, "sum", "reduceMax", "softmax")),
  ...named(REDUCTIONS, "mean", "variance", "argmax", "cumulativeSum", "cumulativeMax", "logSumExp", "any", "sort", "reduceMin"),
  ...times(2, named(CONTROL, "whileLoop", "scan", "defn", "vmap")),
  ...named(CONTROL, "cond", "Defn.map"),
]; // prettier-ignore

/** An operand of a product or a convolution, as a program begins with it. */
export function beginWith(sums: Sums): (g: Generator) => void {
  return (g) => {
    const type = typeFor(g, sums);
    const isConv = g.r.chance(0.4);
    const shape = isConv ? imageShape(g) : matrixShape(g);
    given(g, sums, shape, type);
  };
}

function matrixShape(g: Generator): number[] {
  const front = g.r.pick<() => number[]>([() => [], () => [], () => [], () => [g.r.pick(SMALL)], () => [g.r.pick(SMALL), g.r.pick(SMALL)]])(); // prettier-ignore
  const rows = g.r.chance(0.25) ? g.r.pick(LONG) : g.r.pick(SIZES.slice(6));
  const shape = [...front, rows, g.r.pick(SIZES.slice(3))];
  return g.r.chance(0.08) ? shape.slice(-1) : shape;
}

function imageShape(g: Generator): number[] {
  const spatial = g.r.pick<() => number[]>([
    () => [g.r.pick([...SIZES, ...LONG])],
    () => [g.r.pick(SIZES.slice(0, 20)), g.r.pick(SIZES.slice(0, 20))],
    () => [g.r.pick(SMALL), g.r.pick(SMALL), g.r.pick(SMALL)],
  ])();
  const channels = g.r.pick([1, 1, 2, 3, 4, 6, 8, 12]);
  const batch = g.r.pick([1, 1, 2, 3, 4, 13]);
  const room = Math.floor(20_000 / sizeOf(spatial));
  return [Math.max(1, Math.min(batch, Math.floor(room / channels))), channels, ...spatial];
}
