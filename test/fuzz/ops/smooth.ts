/** Steps whose derivatives exist at almost every place, with values of middling size: for functions that are differentiated. */
import type { Tensor } from "nx-numerics";
import { isCompatible, type Generator, type Make, type Rows, type Value } from "../generate";
import { call, item, ref, sizeOf, type Expr } from "../program";
import { CONTROL, COUNTED } from "./control";
import { hasAxes, SHAPE } from "./shape";
import { SMOOTH_INDEXING } from "./smooth-indexing";

const isF64 = (t: Tensor): boolean => t.type === "f64";

const on =
  (make: (g: Generator, x: Value) => Expr | null, ok: (t: Tensor) => boolean = () => true): Make =>
  (g) => {
    const x = g.pick((t) => isF64(t) && ok(t));
    return x && make(g, x);
  };

const of = (name: string) => (e: Expr) => call(`Nx.${name}`, e);

/** Something of the size of a value brought into a range in which a function is smooth. */
const within = (low: number, high: number, x: Value): Expr =>
  call("Nx.add", call("Nx.multiply", call("Nx.tanh", ref(x.id)), (high - low) / 2), (low + high) / 2);

/** Functions, and where they are smooth. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  abs: [0.2, 2], acos: [-0.8, 0.8], acosh: [1.3, 3], asin: [-0.8, 0.8], asinh: [-2, 2], atan: [-2, 2], atanh: [-0.8, 0.8],
  cbrt: [0.5, 2], cos: [-3, 3], cosh: [-2, 2], erf: [-2, 2], erfInv: [-0.8, 0.8], erfc: [-2, 2], exp: [-2, 2], exp2: [-2, 2],
  expm1: [-2, 2], gelu: [-3, 3], geluTanh: [-3, 3], log: [0.3, 3], log10: [0.3, 3], log1p: [-0.5, 3], log2: [0.3, 3],
  mish: [-3, 3], quickGelu: [-3, 3], rsqrt: [0.3, 3], selu: [0.3, 2], sigmoid: [-3, 3], silu: [-3, 3], sin: [-3, 3],
  sinh: [-2, 2], softplus: [-3, 3], softsign: [0.3, 3], sqrt: [0.3, 3], tan: [-1, 1], tanh: [-2, 2], reciprocal: [0.4, 2],
  square: [-2, 2], relu: [-2, 2], logSigmoid: [-3, 3], elu: [-2, 2], celu: [-2, 2], leakyRelu: [-2, 2], relu6: [-2, 7],
  besselI0: [-3, 3], besselI0e: [0.2, 3], besselI1: [-3, 3], besselI1e: [0.2, 3], besselJ0: [-12, 12], besselJ1: [-12, 12],
  besselY0: [0.4, 12], besselY1: [0.4, 12], digamma: [0.3, 12], lgamma: [0.3, 12], logit: [0.1, 0.9], normalCdf: [-4, 4],
  normalQuantile: [0.1, 0.9], sinc: [-3, 3],
}; // prettier-ignore

/** Functions that are small wherever they are taken. */
const BOUNDED = ["sin", "cos", "tanh", "sigmoid", "atan", "erf", "softsign", "asinh", "negate"];

const beside = (g: Generator, x: Value): Expr => {
  const y = g.pick((t) => isF64(t) && isCompatible(x.t, t, g.most));
  return y && g.r.chance(0.8) ? ref(y.id) : g.r.pick([0.7, -1.3, 2, 3]);
};

const pair = (make: (x: Expr, y: Expr) => Expr): Make => on((g, x) => make(ref(x.id), beside(g, x)));

const ELEMENTS: Rows = {
  ...Object.fromEntries(Object.entries(RANGES).map(([name, [low, high]]) => [name, on((_, x) => of(name)(within(low, high, x)))])),
  ...Object.fromEntries(BOUNDED.map((name) => [`${name} of all`, on((_, x) => of(name)(ref(x.id)))])),
  add: pair((x, y) => call("Nx.add", x, y)),
  subtract: pair((x, y) => call("Nx.subtract", x, y)),
  multiply: pair((x, y) => call("Nx.multiply", x, y)),
  divide: pair((x, y) => call("Nx.divide", x, call("Nx.add", call("Nx.square", y), 0.5))),
  pow: pair((x, y) => call("Nx.pow", call("Nx.add", call("Nx.sigmoid", x), 0.3), call("Nx.sin", y))),
  xlogy: pair((x, y) => call("Nx.xlogy", x, call("Nx.add", call("Nx.square", y), 0.5))),
  powWhole: on((g, x) => call("Nx.pow", call("Nx.tanh", ref(x.id)), g.r.between(0, 4))),
  atan2: pair((x, y) => call("Nx.atan2", x, call("Nx.add", call("Nx.square", y), 0.5))),
  max: pair((x, y) => call("Nx.max", x, y)),
  min: pair((x, y) => call("Nx.min", x, y)),
  logAddExp: pair((x, y) => call("Nx.logAddExp", x, y)),
  gammainc: on((g, x) => call(g.r.pick(["Nx.gammainc", "Nx.gammaincc"]), g.r.pick([0.5, 2, 60]), within(0.2, 80, x))),
  betainc: on((g, x) => call("Nx.betainc", g.r.pick([0.5, 2, 20]), g.r.pick([1, 3]), within(0.1, 0.9, x))),
  lbeta: pair((x, y) => call("Nx.lbeta", call("Nx.exp", call("Nx.sin", x)), call("Nx.exp", call("Nx.sin", y)))),
  lerp: pair((x, y) => call("Nx.lerp", x, y, 0.3)),
  select: pair((x, y) => call("Nx.select", call("Nx.greater", x, 0.11), call("Nx.multiply", x, y), call("Nx.sin", x))),
  clip: on((_, x) => call("Nx.clip", ref(x.id), -1.01, 1.03)),
  remainder: on((_, x) => call("Nx.remainder", ref(x.id), 1.7)),
  complexAbs: pair((x, y) => call("Nx.abs", call("Nx.complex", call("Nx.add", call("Nx.square", x), 0.4), y))),
  complexExp: pair((x, y) => call("Nx.imag", call("Nx.exp", call("Nx.complex", call("Nx.sin", x), y)))),
  throughC128: on((_, x) => call("Nx.real", call("Nx.asType", ref(x.id), "c128"))),
}; // prettier-ignore

const over = (name: string): Make =>
  on((g, x) => call(`Nx.${name}`, ref(x.id), { axes: g.axes(x.t), keepAxes: g.r.chance(0.5) }), hasAxes);
const along = (name: string): Make => on((g, x) => call(`Nx.${name}`, ref(x.id), { axis: g.axis(x.t) }), hasAxes);
const is64Bit = (t: Tensor): boolean => hasAxes(t) && sizeOf(t.shape) > 1;

const bare = (x: Value): Expr =>
  call(
    "Nx.rename",
    ref(x.id),
    x.t.shape.map(() => null),
  );

/** A square matrix that is well conditioned, made of a value. */
const regular = (g: Generator, x: Value): Expr => {
  const n = g.r.between(1, 3);
  const count = n * n;
  const flat = call("Nx.flatten", bare(x));
  const many = call("Nx.tile", flat, [Math.ceil(count / sizeOf(x.t.shape))]);
  const matrix = call("Nx.reshape", call("Nx.slice", many, [0], [count]), [n, n]);
  return call("Nx.add", call("Nx.multiply", call("Nx.tanh", matrix), 0.4), call("Nx.multiply", call("Nx.eye", n), call("Nx.add", call("Nx.iota", [n], { type: "f64" }), 2))); // prettier-ignore
};

const AXES: Rows = {
  ...Object.fromEntries(["sum", "mean", "product", "reduceMax", "reduceMin"].map((name) => [name, over(name)])),
  logSumExp: over("logSumExp"),
  diff: along("diff"),
  covariance: on((_, x) => call("Nx.covariance", ref(x.id)), (t) => t.shape.length === 2),
  segmentMean: on((_, x) => call("Nx.segmentMean", ref(x.id), call("Nx.tensor", Array.from({ length: x.t.shape[0]! }, (_each, i) => i % 2)), 2), (t) => hasAxes(t) && t.shape[0]! >= 2),
  variance: on((g, x) => call("Nx.variance", ref(x.id), { axes: g.axes(x.t) }), hasAxes),
  // Elements that are all the same are a kink.
  standardDeviation: on((_, x) => call("Nx.standardDeviation", call("Nx.add", call("Nx.sin", ref(x.id)), call("Nx.multiply", call("Nx.iota", x.t.shape), 3))), is64Bit),
  ...Object.fromEntries(
    ["softmax", "logSoftmax", "cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin", "sort", "median"].map((name) => [name, along(name)]),
  ),
  topK: on((g, x) => item(call("Nx.topK", ref(x.id), { k: g.r.between(1, x.t.shape.at(-1)!) }), 0), hasAxes),
  windowSum: on((_, x) => call("Nx.windowSum", ref(x.id), x.t.shape.map((d) => Math.min(d, 2)), { padding: "same" }), hasAxes),
  windowMax: on((g, x) => call("Nx.windowMax", ref(x.id), x.t.shape.map((d) => Math.min(d, 2)), { strides: x.t.shape.map(() => g.r.between(1, 2)) }), hasAxes),
  windowMean: on((_, x) => call("Nx.windowMean", ref(x.id), x.t.shape.map((d) => Math.min(d, 2))), hasAxes),
  windowProduct: on((_, x) => call("Nx.windowProduct", ref(x.id), x.t.shape.map((d) => Math.min(d, 2)), { padding: "same" }), hasAxes),
  dot: on((_, x) => call("Nx.dot", bare(x), call("Nx.transpose", bare(x))), (t) => t.shape.length === 2),
  outer: on((_, x) => (sizeOf(x.t.shape) <= 6 ? call("Nx.outer", ref(x.id), call("Nx.sin", ref(x.id))) : null)),
  conv: on((g, x) => call("Nx.conv", call("Nx.reshape", ref(x.id), [1, 1, sizeOf(x.t.shape)]), call("Nx.f64", [[[0.5, -1, 2]]]), { padding: "same", strides: g.r.between(1, 2) }), (t) => sizeOf(t.shape) >= 3),
  fft: on((g, x) => call("Nx.real", call("Nx.fft", ref(x.id), { axis: g.axis(x.t) })), hasAxes),
  rfft: on((_, x) => call("Nx.irfft", call("Nx.multiply", call("Nx.rfft", ref(x.id), { axis: -1 }), 0.5), { axis: -1 }), is64Bit),
  stft: on((g, x) => call("Nx.real", call("Nx.Signal.stft", ref(x.id), { frameLength: 4, hop: g.r.between(1, 4), axis: g.axis(x.t) })), hasAxes),
  istft: on((g, x) => { const options = { frameLength: 4, hop: g.r.between(1, 2) }; return call("Nx.Signal.istft", call("Nx.Signal.stft", ref(x.id), options), options); }, hasAxes),
  solve: on((g, x) => { const a = regular(g, x); return call("Nx.LinAlg.solve", a, call("Nx.sin", a)); }),
  invert: on((g, x) => call("Nx.LinAlg.invert", regular(g, x))),
  determinant: on((g, x) => call("Nx.LinAlg.determinant", regular(g, x))),
  cholesky: on((g, x) => { const a = regular(g, x); return call("Nx.LinAlg.cholesky", call("Nx.add", a, call("Nx.LinAlg.adjoint", a))); }),
  eigh: on((g, x) => { const a = regular(g, x); return item(call("Nx.LinAlg.eigh", call("Nx.add", a, call("Nx.LinAlg.adjoint", a))), 0); }),
  expm: on((g, x) => call("Nx.LinAlg.expm", regular(g, x))),
  slogdet: on((g, x) => item(call("Nx.LinAlg.slogdet", regular(g, x)), 1)),
  sqrtm: on((g, x) => { const a = regular(g, x); return call("Nx.LinAlg.sqrtm", call("Nx.dot", a, call("Nx.LinAlg.adjoint", a))); }),
  qr: on((g, x) => item(call("Nx.LinAlg.qr", regular(g, x)), g.r.below(2))),
  norm: on((_, x) => call("Nx.LinAlg.norm", ref(x.id)), (t) => t.shape.length === 1),
}; // prettier-ignore

const moving = ["reshape", "flatten", "transpose", "squeeze", "newAxis", "broadcast", "tile", "reverse", "slice", "at", "reflect", "padOuter", "concatenate", "stack", "take", "gather", "putSlice", "takeDiagonal", "makeDiagonal", "moveAxis", "swapAxes", "roll", "repeat", "split", "unstack", "tril", "triu"] as const; // prettier-ignore
/** Functions of scalars (`Nx.map`, `Nx.reduce`) have no gradients, and say so. */
const branching = ["cond", "whileLoop", "scan", "Defn.map", "vmap", "defn"] as const;

/** Rows of any type, which give what they are given. */
const times = (rows: readonly Make[], count: number): Make[] => Array.from({ length: count }, () => rows).flat();

export const SMOOTH: readonly Make[] = [
  ...Object.values(ELEMENTS),
  ...times([ELEMENTS["add"]!, ELEMENTS["multiply"]!, ELEMENTS["sin of all"]!, ELEMENTS["select"]!], 2),
  ...Object.values(AXES),
  ...moving.map((name) => SHAPE[name]!),
  ...times(branching.map((name) => CONTROL[name]!), 2),
  ...Object.values(COUNTED),
  ...times(Object.values(SMOOTH_INDEXING), 2),
  ...times([SMOOTH_INDEXING["beside"]!, SMOOTH_INDEXING["takeAlongAxis"]!, SMOOTH_INDEXING["windowScatterMax"]!], 3),
]; // prettier-ignore
