/** Steps that move elements about: views, joins, padding, picking and putting. */
import type { Tensor } from "nx-numerics";
import { isComplex, isInteger } from "../../../lib/core/types";
import type { Generator, Make, Rows, Value } from "../generate";
import { plainNumber } from "../inputs";
import { call, item, ref, sizeOf, type Expr, type Options } from "../program";
import { either } from "./elementwise";

export const hasAxes = (t: Tensor): boolean => t.shape.length > 0;
const isMatrix = (t: Tensor): boolean => t.shape.length === 2;

export const axisPosition = (t: Tensor, axis: number | string): number =>
  typeof axis === "string" ? t.names.indexOf(axis) : (axis + t.shape.length) % t.shape.length;

/** Sizes whose product is a number: its small factors, one after another. */
function factors(g: Generator, size: number): number[] {
  const out: number[] = [];
  let rest = size;
  while (rest > 1 && out.length < 4) {
    const small = [2, 3, 5, 7, 11, 13, 17, 31].filter((p) => rest % p === 0);
    const factor = small.length > 0 && g.r.chance(0.7) ? g.r.pick(small) : rest;
    out.push(factor);
    rest /= factor;
  }
  if (rest > 1) out.push(rest);
  if (g.r.chance(0.3)) out.push(1);
  return g.r.shuffled(out);
}

const some = (make: (g: Generator, x: Value) => Expr | null, ok: (t: Tensor) => boolean = () => true): Make => (g) => {
  const x = g.pick(ok);
  return x && make(g, x);
}; // prettier-ignore

const VIEWS: Rows = {
  reshape: some((g, x) => either(g, "reshape", x, factors(g, sizeOf(x.t.shape)))),
  flatten: some((g, x) => either(g, "flatten", x)),
  transpose: (g) => {
    const x = g.pick((t) => sizeOf(t.shape) > Math.max(...t.shape)) ?? g.pick(hasAxes);
    return x && either(g, "transpose", x, ...(g.r.chance(0.4) ? [] : [{ axes: g.r.shuffled([...x.t.shape.keys()]) }]));
  },
  squeeze: some((g, x) => either(g, "squeeze", x)),
  newAxis: some((g, x) => either(g, "newAxis", x, g.r.between(0, x.t.shape.length), g.r.pick([null, "z", "y"]))),
  broadcast: some((g, x) => {
    const front = g.r.some([2, 3, g.r.between(1, 40)], 0.5);
    const shape = [...front, ...x.t.shape.map((dim) => (dim === 1 ? g.r.between(1, 5) : dim))];
    return sizeOf(shape) <= g.most ? either(g, "broadcast", x, shape) : null;
  }),
  tile: some((g, x) => {
    const times = x.t.shape.map(() => g.r.pick([1, 1, 2, 3]));
    return sizeOf(times) * sizeOf(x.t.shape) <= g.most ? either(g, "tile", x, times) : null;
  }, hasAxes),
  reverse: some((g, x) => either(g, "reverse", x, ...(g.r.chance(0.6) ? [{ axes: g.axes(x.t) }] : [])), hasAxes),
  rename: some((g, x) => either(g, "rename", x, g.r.pick([x.t.shape.map(() => null), x.t.shape.map((_, i) => "pqrst"[i] ?? null)])), hasAxes),
  takeDiagonal: some((g, x) => call("Nx.takeDiagonal", ref(x.id), ...g.r.some([{ offset: g.r.between(-1, 1) }])), (t) => t.shape.length >= 2),
  makeDiagonal: some((_, x) => call("Nx.makeDiagonal", ref(x.id)), (t) => t.shape.length >= 1 && sizeOf(t.shape) * t.shape.at(-1)! <= 5000),
}; // prettier-ignore

const range = (g: Generator, dim: number): Expr => {
  const start = g.r.below(dim);
  const end = g.r.between(start + 1, dim);
  if (g.r.chance(0.2)) return call("Nx.range", start - dim);
  return g.r.chance(0.2) ? call("Nx.range") : call("Nx.range", start, end);
};

const PIECES: Rows = {
  slice: some((g, x) => {
    const starts = x.t.shape.map((dim) => g.r.below(dim));
    const lengths = x.t.shape.map((dim, i) => g.r.between(1, dim - starts[i]!));
    const given = starts.map((start) => (g.r.chance(0.15) ? call("Nx.tensor", start) : start));
    const options = g.r.chance(0.5) ? [{ strides: x.t.shape.map(() => g.r.between(1, 3)) }] : [];
    return either(g, "slice", x, given, lengths, ...options);
  }, hasAxes),
  sliceAlongAxis: some((g, x) => {
    const axis = g.axis(x.t);
    const dim = x.t.shape[axisPosition(x.t, axis)]!;
    const start = g.r.below(dim);
    return either(g, "sliceAlongAxis", x, start, g.r.between(1, dim - start), { axis });
  }, hasAxes),
  at: some((g, x) => {
    const indices = x.t.shape.slice(0, g.r.between(1, x.t.shape.length)).map((dim) => {
      const place = g.r.between(-dim, dim - 1);
      return g.r.pick([() => range(g, dim), () => range(g, dim), () => place, () => call("Nx.tensor", place)])();
    });
    return call(".at", ref(x.id), ...indices);
  }, hasAxes),
  pad: some((g, x) => {
    const config = x.t.shape.map((dim) => [g.r.between(dim > 2 ? -1 : 0, 3), g.r.between(0, 3), g.r.pick([0, 0, 1, 2])]);
    return sizeOf(x.t.shape.map((dim) => 3 * dim + 6)) <= 3 * g.most ? either(g, "pad", x, plainNumber(g.r), config) : null;
  }, hasAxes),
  reflect: some((g, x) => {
    const paddingConfig = x.t.shape.map((dim) => [g.r.below(Math.min(dim, 3)), g.r.below(Math.min(dim, 3))]);
    return either(g, "reflect", x, { paddingConfig });
  }, hasAxes),
  padOuter: some((g, x) => {
    const config = x.t.shape.map(() => [g.r.pick([0, 1, 2, 9]), g.r.below(4)]);
    const mode = g.r.pick(["cyclic", "replicate", "reflect", "mirror"]);
    return sizeOf(x.t.shape.map((dim) => dim + 12)) <= 3 * g.most ? either(g, "padOuter", x, mode, config) : null;
  }, hasAxes),
  concatenate: some((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    const fits = (t: Tensor) =>
      t.shape.length === x.t.shape.length && t.shape.every((dim, i) => i === axis || dim === x.t.shape[i]);
    const parts = Array.from({ length: g.r.between(1, 3) }, () => ref(g.pick(fits)!.id));
    return call("Nx.concatenate", parts, { axis });
  }, hasAxes),
  stack: some((g, x) => {
    const fits = (t: Tensor) => String(t.shape) === String(x.t.shape);
    const parts = Array.from({ length: g.r.between(1, 3) }, () => ref(g.pick(fits)!.id));
    return call("Nx.stack", parts, ...g.r.some<Options>([{ axis: g.r.between(0, x.t.shape.length) }]));
  }),
}; // prettier-ignore

/** Positions along an axis, as a list or as a tensor that the program has. */
function positions(g: Generator, dim: number, count: number): Expr {
  const found = g.pick((t) => isInteger(t.type) && t.shape.length === 1 && t.shape[0]! <= 50);
  if (found && g.r.chance(0.3))
    return call("Nx.remainder", call("Nx.abs", call("Nx.asType", ref(found.id), "s32")), dim);
  return call(
    "Nx.tensor",
    Array.from({ length: count }, () => g.r.below(dim)),
  );
}

const tuples = (g: Generator, shape: readonly number[], count: number): Expr =>
  call(
    "Nx.tensor",
    Array.from({ length: count }, () => shape.map((dim) => g.r.below(dim))),
  );

const updates = (g: Generator, x: Value, count: number): Expr => {
  const numbers = Array.from({ length: count }, () => g.r.between(0, 5));
  return call("Nx.asType", call("Nx.tensor", numbers), x.t.type);
};

const updated = (fn: string): Make =>
  some((g, x) => {
    const count = g.r.between(1, 6);
    return either(g, fn, x, tuples(g, x.t.shape, count), g.r.chance(0.3) ? g.r.between(0, 3) : updates(g, x, count));
  }, hasAxes);

const PLACES: Rows = {
  take: some((g, x) => {
    const axis = g.axis(x.t);
    const dim = x.t.shape[axisPosition(x.t, axis)]!;
    const rest = sizeOf(x.t.shape) / dim;
    return rest * 50 <= g.most ? either(g, "take", x, positions(g, dim, g.r.between(1, 9)), { axis }) : null;
  }, hasAxes),
  takeAlongAxis: some((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    const order = call("Nx.argsort", isComplex(x.t.type) ? call("Nx.real", ref(x.id)) : ref(x.id), { axis });
    return either(g, "takeAlongAxis", x, order, { axis });
  }, hasAxes),
  gather: some((g, x) => either(g, "gather", x, tuples(g, x.t.shape, g.r.between(1, 9))), hasAxes),
  indexedAdd: updated("indexedAdd"),
  indexedPut: updated("indexedPut"),
  putSlice: some((g, x) => {
    const piece = g.pick((t) => t.shape.length === x.t.shape.length && t.shape.every((dim, i) => dim <= x.t.shape[i]!));
    const starts = x.t.shape.map((dim, i) => g.r.below(dim - piece!.t.shape[i]! + 1));
    return either(g, "putSlice", x, starts, ref(piece!.id));
  }, hasAxes),
  putDiagonal: some(
    (_, x) => call("Nx.putDiagonal", ref(x.id), call("Nx.takeDiagonal", call("Nx.reverse", ref(x.id)))),
    isMatrix,
  ),
};

const MOVES: Rows = {
  moveAxis: some((g, x) => either(g, "moveAxis", x, g.axis(x.t), g.r.below(x.t.shape.length)), hasAxes),
  swapAxes: some((g, x) => either(g, "swapAxes", x, g.axis(x.t), g.axis(x.t)), hasAxes),
  roll: some((g, x) => either(g, "roll", x, g.r.between(-9, 9), ...g.r.some([{ axis: g.r.below(x.t.shape.length) }])), hasAxes),
  repeat: some((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    const counts = Array.from({ length: x.t.shape[axis]! }, () => g.r.below(3));
    const count = g.r.chance(0.5) ? g.r.between(1, 3) : counts.map((n, i) => (i === 0 ? n + 1 : n));
    return 3 * sizeOf(x.t.shape) <= g.most ? either(g, "repeat", x, count, { axis }) : null;
  }, hasAxes),
  split: some((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    const size = x.t.shape[axis]!;
    return size > 1 ? item(either(g, "split", x, g.r.between(1, size - 1), { axis }), g.r.below(2)) : null;
  }, hasAxes),
  unstack: some((g, x) => {
    const axis = g.r.below(x.t.shape.length);
    return x.t.shape[axis]! <= 20 ? item(either(g, "unstack", x, { axis }), g.r.below(x.t.shape[axis]!)) : null;
  }, hasAxes),
  tril: some((g, x) => either(g, "tril", x, ...g.r.some([{ k: g.r.between(-2, 2) }])), (t) => t.shape.length >= 2),
  triu: some((g, x) => either(g, "triu", x, ...g.r.some([{ k: g.r.between(-2, 2) }])), (t) => t.shape.length >= 2),
  rearrange: some((g, x) => { const words = x.t.shape.map((_, i) => `w${i}`); return call("Nx.rearrange", call("Nx.rename", ref(x.id), x.t.shape.map(() => null)), `${words.join(" ")} -> ${g.r.shuffled(words).join(" ")}`); }, hasAxes),
  einsum: some((_, x) => call("Nx.einsum", "...i,...i->i...", ref(x.id), ref(x.id)), (t) => t.shape.length > 0 && sizeOf(t.shape) <= 2000),
  kron: some((_, x) => call("Nx.kron", ref(x.id), call("Nx.tensor", [1, -2])), (t) => t.shape.length > 0 && sizeOf(t.shape) <= 2000),
  meshgrid: some((g, x) => item(call("Nx.meshgrid", [ref(x.id), call("Nx.iota", [3])], ...g.r.some([{ indexing: "ij" }])), g.r.below(2)), (t) => t.shape.length === 1 && t.shape[0]! <= 2000),
  oneHot: some((g, x) => (sizeOf(x.t.shape) <= 2000 ? either(g, "oneHot", x, g.r.between(1, 4), ...g.r.some([{ axis: 0 }])) : null), (t) => isInteger(t.type)),
}; // prettier-ignore

export const SHAPE: Rows = { ...VIEWS, ...PIECES, ...PLACES, ...MOVES };
