/** Reductions, running reductions, order, shape, indexing, windows. */
import * as Nx from "nx-numerics";
import { row, untyped, type Row, type Fitting, type Rows } from "../row";
import { x, xy, xyz, y, yz } from "./operands";

type Reduction = (t: typeof xyz, options: { readonly axes: readonly ["y"] }) => Nx.Tensor<readonly ["x", "z"]>;
type OfOneAxis = (t: typeof xyz, options: { readonly axis: "y" }) => Nx.Tensor<readonly ["x", "z"]>;
type Along = (t: typeof xyz, options: { readonly axis: "y" }) => typeof xyz;
type Windowed = (t: typeof xy, window: readonly number[]) => typeof xy;

const rows = <K extends string>(names: readonly K[], made: (name: K) => Omit<Row, "rule">, rule: Row["rule"]): Rows =>
  Object.fromEntries(names.map((name) => [name, { rule, ...made(name) }]));

const reductions = <const K extends readonly (keyof typeof Nx)[]>(names: K & Fitting<typeof Nx, K, Reduction>): Rows =>
  rows(
    names,
    (name) => ({
      call: () => (Nx[name] as Reduction)(xyz, { axes: ["y"] }),
      text: `Nx.${name}(xyz, { axes: ["y"] })`,
      names: ["x", "z"],
    }),
    "reduced",
  );

const ofOneAxis = <const K extends readonly (keyof typeof Nx)[]>(names: K & Fitting<typeof Nx, K, OfOneAxis>): Rows =>
  rows(
    names,
    (name) => ({
      call: () => (Nx[name] as OfOneAxis)(xyz, { axis: "y" }),
      text: `Nx.${name}(xyz, { axis: "y" })`,
      names: ["x", "z"],
    }),
    "reduced",
  );

const along = <const K extends readonly (keyof typeof Nx)[]>(names: K & Fitting<typeof Nx, K, Along>): Rows =>
  rows(
    names,
    (name) => ({
      call: () => (Nx[name] as Along)(xyz, { axis: "y" }),
      text: `Nx.${name}(xyz, { axis: "y" })`,
      names: ["x", "y", "z"],
    }),
    "same",
  );

const windowed = <const K extends readonly (keyof typeof Nx)[]>(names: K & Fitting<typeof Nx, K, Windowed>): Rows =>
  rows(
    names,
    (name) => ({
      call: () => (Nx[name] as Windowed)(xy, [1, 2]),
      text: `Nx.${name}(xy, [1, 2])`,
      names: ["x", "y"],
    }),
    "same",
  );

/** Why types do not follow. */
const VECTORIZED = "vectorized axes are not in types";
const PICK = Nx.tensor([2, 0], { names: ["pick"] });
const PAIRS = Nx.tensor([[0, 0], [1, 2]], { names: ["pick", null] }); // prettier-ignore

export const AXES: Rows = {
  ...reductions(["all", "any", "sum", "product", "reduceMax", "reduceMin", "mean", "variance", "standardDeviation"]),
  ...reductions(["logSumExp"]),
  ...ofOneAxis(["argmax", "argmin", "median", "mode"]),
  ...along(["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin", "softmax", "logSoftmax"]),
  ...along(["sort", "argsort", "diff", "gradient", "unwrap"]),
  ...windowed(["windowSum", "windowProduct", "windowMax", "windowMin", "windowMean"]),
  allClose: row("scalar", () => Nx.allClose(xy, xy), []),
  weightedMean: row("reduced", () => Nx.weightedMean(xy, xy, { axes: ["x"] }), ["y"]),
  reduce: row("reduced", () => Nx.reduce(xy, 0, (a, b) => Nx.add(a, b), { axes: ["x"] }), ["y"]),
  quantile: row("reduced", () => Nx.quantile(xy, 0.5, { axis: "x" }), ["y"]),
  percentile: row("reduced", () => Nx.percentile(xy, 50, { axis: "x" }), ["y"]),
  correlation: row("given", () => Nx.correlation(xy, { names: ["a", "b"] }), ["a", "b"]),
  covariance: row("given", () => Nx.covariance(xy), [null, null]),
  bincount: row("given", () => Nx.bincount(xy, { name: "class" }), ["class"]),
  histogram: row("none", () => Nx.histogram(xy, { bins: 2 }), [[null], [null]]),
  digitize: row("same", () => Nx.digitize(xy, y), ["x", "y"]),
  interp: row("same", () => Nx.interp(xy, y, y), ["x", "y"]),
  searchsorted: row("same", () => Nx.searchsorted(y, xy), ["x", "y"]),
  argwhere: row("given", () => Nx.argwhere(xy, { name: "place" }), ["place", null]),
  nonzero: row("given", () => Nx.nonzero(xy, { name: "place" })[0]!, ["place"]),
  zscore: row("same", () => Nx.zscore(xy, { axes: ["y"] }), ["x", "y"]),
  skewness: row("reduced", () => Nx.skewness(xy, { axes: ["y"] }), ["x"]),
  kurtosis: row("reduced", () => Nx.kurtosis(xy, { axes: ["y"] }), ["x"]),
  trapezoid: row("reduced", () => Nx.trapezoid(xy, { axis: "y" }), ["x"]),
  convolve: row("same", () => Nx.convolve(xy, y), ["x", "y"]),
  polyval: row("same", () => Nx.polyval(y, xy), ["x", "y"]),
  polyfit: row("given", () => Nx.polyfit(y, y, 1, { name: "power" }), ["power"]),
  compress: row("same", () => Nx.compress(xy, Nx.tensor([0, 1, 1]), { axis: "y" }), ["x", "y"]),
  groupBy: row("replaced", () => Nx.groupBy(xy, "y", ["a", "b", "a"], { name: "group" }).sum(), ["x", "group"]),
  resample: row("same", () => Nx.resample(xy, "y", 3).sum(), ["x", "y"]),
  rolling: row("same", () => Nx.rolling(xy, "y", 2).sum(), ["x", "y"]),
  unique: row("given", () => Nx.unique(xy, { name: "value" }).values, ["value"]),
  segmentMax: row("replaced", () => Nx.segmentMax(xy, Nx.tensor([1, 0]), 2, { name: "group" }), ["group", "y"]),
  segmentMin: row("replaced", () => Nx.segmentMin(xy, Nx.tensor([1, 0]), 2, { name: "group" }), ["group", "y"]),
  segmentProduct: row("replaced", () => Nx.segmentProduct(xy, Nx.tensor([1, 0]), 2, { name: "group" }), ["group", "y"]),
  segmentSum: row("replaced", () => Nx.segmentSum(xy, Nx.tensor([1, 0]), 2, { name: "group" }), ["group", "y"]),
  segmentMean: row("replaced", () => Nx.segmentMean(xy, Nx.tensor([1, 0]), 2, { name: "group" }), ["group", "y"]),
  fft: row("same", () => Nx.fft(xyz, { axis: "y", name: "frequency" }), ["x", "frequency", "z"]),
  ifft: row("same", () => Nx.ifft(xyz, { axis: "y" }), ["x", "y", "z"]),
  rfft: row("same", () => Nx.rfft(xyz, { axis: -1, name: "frequency" }), ["x", "y", "frequency"]),
  irfft: row("same", () => Nx.irfft(xyz, { axis: "y", name: "time" }), ["x", "time", "z"]),
  fft2: row("same", () => Nx.fft2(xyz, { axes: ["y", "z"], names: ["fy", "fz"] }), ["x", "fy", "fz"]),
  fftshift: row("same", () => Nx.fftshift(xyz), ["x", "y", "z"]),
  ifftshift: row("same", () => Nx.ifftshift(xyz), ["x", "y", "z"]),
  ifft2: row("same", () => Nx.ifft2(xyz, { axes: ["y", "z"] }), ["x", "y", "z"]),
  topK: row("same", () => Nx.topK(xy, { k: 2 }), [
    ["x", "y"],
    ["x", "y"],
  ]),
  reverse: row("same", () => Nx.reverse(xy, { axes: ["x"] }), ["x", "y"]),
  roll: row("same", () => Nx.roll(xy, 1, { axis: "x" }), ["x", "y"]),
  repeat: row("same", () => Nx.repeat(xy, 2, { axis: "x" }), ["x", "y"]),
  tril: row("same", () => Nx.tril(xy), ["x", "y"]),
  triu: row("same", () => Nx.triu(xy), ["x", "y"]),
  pad: row("same", () => Nx.pad(x, 0, [[1, 1]]), ["x"]),
  padOuter: row("same", () => Nx.padOuter(x, "cyclic", [[1, 1]]), ["x"]),
  reflect: row("same", () => Nx.reflect(x, { paddingConfig: [[1, 1]] }), ["x"]),
  split: row("same", () => Nx.split(xy, 1, { axis: "y" }), [
    ["x", "y"],
    ["x", "y"],
  ]),
  unstack: row("reduced", () => Nx.unstack(xy, { axis: "y" })[0]!, ["x"]),
  windowReduce: row("same", () => Nx.windowReduce(xy, 0, [1, 2], (a, b) => Nx.add(a, b)), ["x", "y"]),
  windowScatterMax: row("same", () => Nx.windowScatterMax(xy, Nx.s64([[1], [2]]), 0, [1, 3], { strides: [1, 3] }), ["x", "y"]), // prettier-ignore
  windowScatterMin: row("same", () => Nx.windowScatterMin(xy, Nx.s64([[1], [2]]), 0, [1, 3], { strides: [1, 3] }), ["x", "y"]), // prettier-ignore

  alignAs: row("moved", () => Nx.alignAs(y, xyz), ["x", "y", "z"]),
  align: row("moved", () => Nx.align(xy, "y", "batch", "x"), ["y", "batch", "x"]),
  broadcast: row("given", () => Nx.broadcast(y, [2, 3], { names: ["a", "b"] }), ["a", "b"]),
  flatten: row("new", () => Nx.flatten(xyz, { axes: ["y", "z"], name: "yz" }), ["x", "yz"]),
  newAxis: row("new", () => Nx.newAxis(xy, 1, "new"), ["x", "new", "y"]),
  oneHot: row("new", () => Nx.oneHot(xy, 7, { name: "class" }), ["x", "y", "class"]),
  rename: row("given", () => Nx.rename(xy, ["a", null]), ["a", null]),
  reshape: row("given", () => Nx.reshape(xy, [3, 2], { names: ["a", null] }), ["a", null]),
  squeeze: row("reduced", () => Nx.squeeze(Nx.newAxis(xy, 0, "one"), { axes: ["one"] }), ["x", "y"]),
  tile: row("given", () => Nx.tile(xy, [2, 1], { names: ["a", "b"] }), ["a", "b"]),
  transpose: row("moved", () => Nx.transpose(xyz, { axes: ["z", "x", "y"] }), ["z", "x", "y"]),
  rearrange: row("given", () => Nx.rearrange(xyz, "x y z -> z (x y)"), ["z", null]),
  moveAxis: row("moved", () => Nx.moveAxis(xyz, "z", 0), ["z", "x", "y"]),
  swapAxes: row("moved", () => Nx.swapAxes(xyz, "x", "z"), ["z", "y", "x"]),
  concatenate: row("merged", () => Nx.concatenate([xy, xy], { axis: "y" }), ["x", "y"]),
  stack: row("new", () => Nx.stack([xy, xy], { name: "new" }), ["new", "x", "y"]),
  meshgrid: row("product", () => Nx.meshgrid([x, y], { indexing: "ij" })[0]!, ["x", "y"]),
  makeDiagonal: row("new", () => Nx.makeDiagonal(x), [null, null]),
  takeDiagonal: row("reduced", () => Nx.takeDiagonal(Nx.iota([2, 3, 3], { names: ["x", null, null] })), ["x", null]),
  putDiagonal: row("same", () => Nx.putDiagonal(xy, Nx.tensor([7, 8])), ["x", "y"]),
  trace: row("reduced", () => Nx.trace(xyz), ["x"]),

  at: row("reduced", () => xyz.at({ x: 0, y: Nx.range(0, 2) }), ["y", "z"]),
  take: row("replaced", () => Nx.take(xy, PICK, { axis: "y" }), ["x", "pick"]),
  takeAlongAxis: row("same", () => Nx.takeAlongAxis(xy, Nx.argsort(xy), { axis: "y" }), ["x", "y"]),
  gather: row("replaced", () => Nx.gather(xyz, PAIRS, { axes: ["x", "y"] }), ["pick", "z"]),
  slice: row("same", () => Nx.slice(xy, [0, 0], [1, 2]), ["x", "y"]),
  sliceAlongAxis: row("same", () => Nx.sliceAlongAxis(xy, 0, 1, { axis: "y" }), ["x", "y"]),
  putSlice: row("merged", () => Nx.putSlice(xy, [0, 0], Nx.tensor([[7]], { names: ["x", null] })), ["x", "y"]),
  indexedAdd: row("same", () => Nx.indexedAdd(xy, PAIRS, Nx.tensor([7, 8])), ["x", "y"]),
  indexedPut: row("same", () => Nx.indexedPut(xy, PAIRS, Nx.tensor([7, 8])), ["x", "y"]),
  shuffle: row("same", () => Nx.shuffle(xy, { axis: "y" }), ["x", "y"]),
  vectorize: row("reduced", () => Nx.vectorize(xy, "x"), ["y"]),
  devectorize: untyped("new", () => Nx.devectorize(Nx.vectorize(xy, "x")), ["x", "y"], VECTORIZED),
  broadcastVectors: row("same", () => Nx.broadcastVectors([xy, x]), [["x", "y"], ["x"]]),
  reshapeVectors: row("same", () => Nx.reshapeVectors([xy, x]), [["x", "y"], ["x"]]),
  revectorize: untyped("reduced", () => Nx.revectorize(xy, { batch: 2 }), ["x", "y"], VECTORIZED),

  dot: row("product", () => Nx.dot(xy, yz), ["x", "z"]),
  matmul: row("product", () => Nx.matmul(xy, yz), ["x", "z"]),
  outer: row("product", () => Nx.outer(x, y), ["x", "y"]),
  formula: row("merged", () => Nx.formula`${xy} * 2 + ${y}`, ["x", "y"]),
  einsum: row("given", () => Nx.einsum("x y, y z -> z x", xy, yz), ["z", "x"]),
  kron: row("merged", () => Nx.kron(xy, xy), ["x", "y"]),
  cross: row("merged", () => Nx.cross(xy, xy), ["x", "y"]),
};
