/** Steps with functions in them: branches, loops, functions of elements, transforms inside of programs; and creation. */
import type { Tensor } from "nx-numerics";
import * as Nx from "nx-numerics";
import { isComplex } from "../../../lib/core/types";
import type { Generator, Make, Rows } from "../generate";
import { randomType } from "../inputs";
import { call, item, ref, sizeOf, type Expr } from "../program";
import { hasAxes } from "./shape";

const isReal = (t: Tensor): boolean => !isComplex(t.type);
const isSmall = (t: Tensor): boolean => sizeOf(t.shape) <= 2000;
/** Functions inside functions inside functions would be as slow as they are unlike what anyone writes. */
const isShallow = (g: Generator): boolean => g.depth < 2;

const last = (inner: Generator): Expr => inner.last();

const cond: Make = (g) => {
  const x = g.pick(isReal);
  const y = g.pick(isSmall);
  if (!x || !y || !isShallow(g)) return null;
  const predicate = call(g.r.pick(["Nx.any", "Nx.all"]), call("Nx.greater", ref(x.id), g.r.between(-1, 2)));
  const branch = (): Expr => g.body([], (inner) => inner.like(y.t), g.r.below(4), [y]);
  return call("Nx.Defn.cond", [[predicate, branch()]], branch());
};

/** Wrapped, whatever the body makes of the state: the shape of a state is that of its start. */
const whileLoop: Make = (g) => {
  const x = g.pick(isSmall);
  if (!x || !isShallow(g)) return null;
  const counter = Nx.tensor(0);
  const rounds = g.r.between(0, 6);
  const test = g.body([[counter, x.t]], (inner) => call("Nx.less", ref(inner.values.at(-2)!.id), rounds), 0);
  const step = g.body([[counter, x.t]], (inner) => {
    const isState = (t: Tensor): boolean => t === counter;
    const count = inner.values.find(({ t }) => isState(t))!;
    return [call("Nx.add", ref(count.id), 1), inner.like(x.t)];
  });
  return item(call("Nx.Defn.whileLoop", [call("Nx.tensor", 0), ref(x.id)], test, step), 1);
};

const foriLoop: Make = (g) => {
  const x = g.pick(isSmall);
  if (!x || !isShallow(g)) return null;
  const turn = g.body([Nx.tensor(0), x.t], (inner) => inner.like(x.t));
  return call("Nx.Defn.foriLoop", 0, g.r.between(0, 3), turn, ref(x.id));
};

/** Positions beyond both ends are those of the first and the last function. */
const switched: Make = (g) => {
  const y = g.pick(isSmall);
  if (!y || !isShallow(g)) return null;
  const branch = (): Expr => g.body([], (inner) => inner.like(y.t), g.r.below(4), [y]);
  return call("Nx.Defn.switch", call("Nx.tensor", g.r.between(-1, 3)), [branch(), branch(), branch()]);
};

const scan: Make = (g) => {
  const xs = g.pick((t) => hasAxes(t) && isSmall(t) && t.shape[0]! <= 40);
  const init = g.pick((t) => sizeOf(t.shape) <= 50);
  if (!xs || !init || !isShallow(g)) return null;
  const entry = xs.t.at(0);
  const body = g.body([init.t, entry], (inner) => [inner.like(init.t), inner.last()]);
  return item(call("Nx.Defn.scan", body, ref(init.id), ref(xs.id)), g.r.below(2));
};

const mapped =
  (fn: string): Make =>
  (g) => {
    const xs = g.pick((t) => hasAxes(t) && isSmall(t) && t.shape[0]! <= 40);
    if (!xs || !isShallow(g)) return null;
    const body = g.body([xs.t.at(0)], last);
    return fn === "Nx.Defn.vmap" ? call(call(fn, body), ref(xs.id)) : call(fn, body, ref(xs.id));
  };

const scalarOf = (t: Tensor): Tensor => t.flatten().at(0);

const map: Make = (g) => {
  const x = g.pick((t) => sizeOf(t.shape) <= 100);
  if (!x || !isShallow(g)) return null;
  return call(
    "Nx.map",
    ref(x.id),
    g.body([scalarOf(x.t)], (inner) => inner.like(scalarOf(x.t))),
  );
};

/** The accumulator is of the type of the elements, and so is what the function gives. */
const fold = (g: Generator, x: { t: Tensor }): Expr =>
  g.body([scalarOf(x.t), scalarOf(x.t)], (inner) => inner.like(scalarOf(x.t)));

const reduce: Make = (g) => {
  const x = g.pick((t) => hasAxes(t) && sizeOf(t.shape) <= 100);
  if (!x || !isShallow(g)) return null;
  return call("Nx.reduce", ref(x.id), g.r.between(0, 2), fold(g, x), { axes: [g.axis(x.t)] });
};

const windowReduce: Make = (g) => {
  const x = g.pick((t) => hasAxes(t) && sizeOf(t.shape) <= 60);
  if (!x || !isShallow(g)) return null;
  const dims = x.t.shape.map((dim) => g.r.between(1, Math.min(2, dim)));
  return call("Nx.windowReduce", ref(x.id), 0, dims, fold(g, x));
};

const inner: Make = (g) => {
  const x = g.pick(isSmall);
  return x && isShallow(g) ? call(call("Nx.defn", g.body([x.t], last)), ref(x.id)) : null;
};

const vectorized: Make = (g) => {
  const x = g.pick((t) => hasAxes(t) && isSmall(t) && t.shape[0]! <= 40 && t.names[0] !== null);
  if (!x || !isShallow(g)) return null;
  const fn = g.r.pick(["Nx.sin", "Nx.sum", "Nx.negate", "Nx.cumulativeMax"]);
  const middle = call("Nx.vectorize", ref(x.id), x.t.names[0]!);
  return call("Nx.devectorize", call(fn === "Nx.cumulativeMax" && x.t.shape.length < 2 ? "Nx.exp" : fn, middle));
};

const TYPED = ["f32", "f64", "s32", "u8", "bf16"] as const;

const CREATION: Rows = {
  iota: (g) => call("Nx.iota", [g.r.between(1, 40), g.r.between(1, 9)].slice(g.r.below(2)), { type: randomType(g.r) }),
  eye: (g) => call("Nx.eye", g.r.between(1, 6), { type: g.r.pick(TYPED) }),
  fill: (g) => call("Nx.fill", [g.r.between(1, 9)], g.r.between(0, 5), { type: randomType(g.r) }),
  linspace: (g) => call("Nx.linspace", g.r.between(-4, 0), g.r.between(1, 9), { n: g.r.between(1, 33) }),
  uniform: (g) => drawn(g, "uniform"),
  normal: (g) => drawn(g, "normal"),
  exponential: (g) => item(call("Nx.Random.exponential", call("Nx.Random.key", g.r.below(99)), { shape: [g.r.between(1, 300)] }), 0),
  bernoulli: (g) => item(call("Nx.Random.bernoulli", call("Nx.Random.key", g.r.below(99)), 0.3, { shape: [g.r.between(1, 300)] }), 0),
  gamma: (g) => item(call("Nx.Random.gamma", call("Nx.Random.key", g.r.below(99)), g.r.pick([0.5, 1, 4]), { shape: [g.r.between(1, 50)] }), 0),
  permutation: (g) => item(call("Nx.Random.permutation", call("Nx.Random.key", g.r.below(99)), g.r.between(1, 300)), 0),
  randint: (g) => item(call("Nx.Random.randint", call("Nx.Random.key", g.r.below(99)), 0, 50, { shape: [g.r.between(1, 99)] }), 0),
}; // prettier-ignore

const drawn = (g: Generator, fn: string): Expr =>
  item(
    call(`Nx.Random.${fn}`, call("Nx.Random.key", g.r.below(99)), 0, 1, {
      shape: [g.r.between(1, 300)],
      type: g.r.pick(["f32", "f64", "bf16"]),
    }),
    0,
  );

export const CONTROL: Rows = {
  cond,
  whileLoop,
  scan,
  "Defn.map": mapped("Nx.Defn.map"),
  vmap: mapped("Nx.Defn.vmap"),
  map,
  reduce,
  windowReduce,
  defn: inner,
  vectorized,
  ...CREATION,
};

/** Of programs that are differentiated. */
export const COUNTED: Rows = { foriLoop, switch: switched };
