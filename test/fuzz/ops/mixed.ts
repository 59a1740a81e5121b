/** Steps whose operands have other types than their results, which are copied first, and reductions of small arrays seen again and again. */
import type { DType, Tensor } from "nx-numerics";
import { DTYPES, isComplex } from "../../../lib/core/types";
import type { Generator, Make, Rows } from "../generate";
import { call, ref, sizeOf, type Expr } from "../program";
import { hasAxes } from "./shape";

const isReal = (t: Tensor): boolean => !isComplex(t.type);

/** Axes that rows are looked up or written along. */
const someAxes = (g: Generator, { shape }: Tensor): number[] => {
  const axes = g.r.some([...shape.keys()], 0.6);
  return axes.length > 0 ? axes : [g.r.below(shape.length)];
};

/** Numbers below a few limits, a row for each place, of any type that indices may have. */
function places(g: Generator, limits: readonly number[], count: number): Expr {
  const type = g.r.pick<DType>(["s32", "u32", "s64", "u64", "u8"]);
  const columns = limits.map((limit) => {
    const numbers = call("Nx.multiply", call("Nx.iota", [count, 1], { type: "s32" }), g.r.between(1, 97));
    return call("Nx.asType", call("Nx.remainder", numbers, Math.min(limit, 256)), type);
  });
  return columns.length === 1 ? columns[0]! : call("Nx.concatenate", columns, { axis: 1 });
}

const updated = (fn: string): Make => (g) => {
  const x = g.pick(hasAxes);
  if (!x) return null;
  const axes = someAxes(g, x.t);
  const rest = x.t.shape.filter((_, axis) => !axes.includes(axis));
  const shape = [Math.max(1, Math.min(g.r.pick([3, 20, 500]), Math.floor(g.most / sizeOf(rest)))), ...rest];
  const fitting = g.pick((t) => sizeOf(t.shape) === sizeOf(shape));
  const numbers = call("Nx.remainder", call("Nx.iota", shape, { type: "s32" }), 7);
  const updates = fitting ? call("Nx.reshape", ref(fitting.id), shape) : call("Nx.asType", numbers, g.r.pick(DTYPES));
  return call(fn, ref(x.id), places(g, axes.map((axis) => x.t.shape[axis]!), shape[0]!), updates, { axes });
}; // prettier-ignore

const scattered: Make = (g) => {
  const x = g.pick((t) => hasAxes(t) && isReal(t) && sizeOf(t.shape) <= 2000);
  if (!x) return null;
  const dims = x.t.shape.map((dim) => g.r.between(1, Math.min(dim, 3)));
  const source = call("Nx.asType", call("Nx.windowMax", ref(x.id), dims, { strides: dims }), g.r.pick(DTYPES));
  const initial = call("Nx.tensor", g.r.between(0, 2), { type: g.r.pick(DTYPES) });
  const fn = g.r.pick(["Nx.windowScatterMax", "Nx.windowScatterMin"]);
  return call(fn, ref(x.id), source, initial, dims, { strides: dims });
};

const ofNoAxes: Make = (g) => {
  const x = g.pick();
  return x && call(g.r.pick(["Nx.sum", "Nx.product"]), ref(x.id), { axes: [] });
};

/** A small array that is read where it lies, for each of many rows. */
const again: Make = (g) => {
  const x = g.pick((t) => isReal(t) && sizeOf(t.shape) * 30 <= g.most);
  if (!x) return null;
  const bare = call("Nx.rename", ref(x.id), x.t.shape.map(() => null)); // prettier-ignore
  const rows = call("Nx.broadcast", bare, [g.r.between(2, 30), ...x.t.shape]);
  const axis = g.r.between(0, x.t.shape.length);
  if (g.r.chance(0.3)) return call("Nx.argmax", rows, { axis });
  return call(g.r.pick(["Nx.sum", "Nx.reduceMax", "Nx.any"]), rows, { axes: [axis] });
};

export const MIXED: Rows = {
  indexedAdd: updated("Nx.indexedAdd"),
  indexedPut: updated("Nx.indexedPut"),
  windowScatter: scattered,
  sumOfNoAxes: ofNoAxes,
  again,
};
