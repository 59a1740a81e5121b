/** The namespaces, `defn` and its kin. */
import * as Nx from "nx-numerics";
import { row, untyped, type Row, type Rows } from "../row";
import { ab, images, key, x, xy, y, yz } from "./operands";

type Space<T, F> = { [K in keyof T & string]: T[K] extends F ? K : never }[keyof T & string];

const constants = (...names: Space<typeof Nx.Constants, (type: "f32") => Nx.Tensor<readonly []>>[]): Rows =>
  Object.fromEntries(
    names.map((name): [string, Row] => {
      const call = Nx.Constants[name] as (type: "f32") => Nx.Tensor;
      const text = `Nx.Constants.${name}("f32")`;
      return [`Constants.${name}`, { rule: "scalar", call: () => call("f32"), text, names: [] }];
    }),
  );

const fx = { type: "fx8", fracBits: 4 } as const;
const q = Nx.Quantized.quantize(Nx.f32([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] }), fx); // prettier-ignore
const u = Nx.Random.uniform(key, { shape: [3], names: ["y"] })[0];
const spread = Nx.f64([[1, 0, 0], [0, 1, 0], [0, 0, 1]]); // prettier-ignore
const rows = (t: typeof y): Nx.Tensor<readonly []> => Nx.sum(t);
const batch = Nx.Batch.stack([x, x]);

type Windows = Space<typeof Nx.Signal, (length: number, options: { name: "x" }) => Nx.Tensor<readonly ["x"]>>;

const windows = (...names: Windows[]): Rows =>
  Object.fromEntries(
    names.map((name): [string, Row] => {
      const call = Nx.Signal[name] as (length: number, options: { name: "x" }) => Nx.Tensor<readonly ["x"]>;
      const text = `Nx.Signal.${name}(4, { name: "x" })`;
      return [`Signal.${name}`, { rule: "given", call: () => call(4, { name: "x" }), text, names: ["x"] }];
    }),
  );

type Met = Space<typeof Nx.byName, (left: typeof yz, right: typeof xy) => Nx.Tensor<readonly ["y", "z", "x"]>>;

const byName = (...names: Met[]): Rows =>
  Object.fromEntries(
    names.map((name): [string, Row] => {
      const call = Nx.byName[name] as (left: typeof yz, right: typeof xy) => Nx.Tensor<readonly ["y", "z", "x"]>;
      const text = `Nx.byName.${name}(yz, xy)`;
      return [`byName.${name}`, { rule: "met", call: () => call(yz, xy), text, names: ["y", "z", "x"] }];
    }),
  );

export const SPACES: Rows = {
  ...byName("add", "atan2", "bitwiseAnd", "bitwiseOr", "bitwiseXor", "complex", "copysign", "div", "divide", "equal"),
  ...byName("greater", "greaterEqual", "idiv", "leftShift", "less", "lessEqual", "logAddExp", "logicalAnd"),
  ...byName("logicalOr", "logicalXor", "max", "min", "mod", "mul", "multiply", "notEqual", "pow", "quotient"),
  ...byName("remainder", "rightShift", "sub", "subtract"),
  "byName.where": row("met", () => Nx.byName.where(y, yz, xy), ["y", "z", "x"]),
  "byName.clamp": row("met", () => Nx.byName.clamp(yz, { min: 0, max: x }), ["y", "z", "x"]),
  ...windows(
    "bartlett",
    "blackman",
    "blackmanHarris",
    "cosine",
    "flatTop",
    "hamming",
    "hann",
    "nuttall",
    "rectangular",
  ),
  ...windows("triangular", "tukey"),
  "Signal.gaussian": row("given", () => Nx.Signal.gaussian(4, 1, { name: "x" }), ["x"]),
  "Signal.kaiser": row("given", () => Nx.Signal.kaiser(4, 1, { name: "x" }), ["x"]),
  "Signal.stft": row("replaced", () => Nx.Signal.stft(xy), ["x", "frame", "frequency"]),
  "Signal.istft": row("replaced", () => Nx.Signal.istft(Nx.Signal.stft(xy)), ["x", "time"]),
  "Signal.spectrogram": row("replaced", () => Nx.Signal.spectrogram(xy, { frameLength: 2, axis: "x" }), ["frame", "frequency", "y"]), // prettier-ignore
  "Signal.dct": row("same", () => Nx.Signal.dct(xy), ["x", "y"]),
  "Signal.idct": row("same", () => Nx.Signal.idct(xy, { name: "time" }), ["x", "time"]),
  "Signal.hilbert": row("same", () => Nx.Signal.hilbert(xy), ["x", "y"]),
  "Signal.lfilter": row("same", () => Nx.Signal.lfilter(xy, { b: [0.5], a: [1, -0.5] }), ["x", "y"]),
  "Signal.filtfilt": row("same", () => Nx.Signal.filtfilt(xy, { b: [0.5, 0.5], padLength: 1 }), ["x", "y"]),
  "Signal.sosfilt": row("same", () => Nx.Signal.sosfilt(xy, { sos: [[0.5, 0, 0, 1, -0.5, 0]] }), ["x", "y"]),
  "Signal.melFilters": row("given", () => Nx.Signal.melFilters(2, { fftLength: 8, samplingRate: 10 }), ["mel", "frequency"]), // prettier-ignore
  ...constants("e", "eulerGamma", "infinity", "max", "maxFinite", "min", "minFinite", "nan", "negInfinity", "pi"),
  ...constants("smallestPositiveNormal", "epsilon"),
  "Constants.i": row("scalar", () => Nx.Constants.i(), []),
  "Batch.materialize": untyped(
    "new",
    () => Nx.Batch.materialize(batch),
    [null, "x"],
    "a batch does not keep the types of its entries",
  ),

  conv: row("same", () => Nx.conv(images, Nx.ones([1, 1, 2, 2])), ["image", "channel", "row", "column"]),

  defn: row("mapped", () => Nx.defn((t: typeof xy) => t.exp())(xy), ["x", "y"]),
  "Defn.defn": row("mapped", () => Nx.defn((t: typeof xy) => t.exp())(xy), ["x", "y"]),
  "Defn.jit": row("mapped", () => Nx.Defn.jit((t: typeof xy) => t.exp())(xy), ["x", "y"]),
  "Defn.jitApply": row("mapped", () => Nx.Defn.jitApply((t: typeof xy) => t.exp(), [xy]), ["x", "y"]),
  "Defn.compile": row("mapped", () => Nx.Defn.compile((t: typeof xy) => t.exp(), [xy])(xy), ["x", "y"]),
  "Defn.grad": row("container", () => Nx.grad((p: readonly [typeof x, typeof y]) => p[0].sum())([x.f32(), y.f32()]), [["x"], ["y"]]), // prettier-ignore
  "Defn.valueAndGrad": row("container", () => Nx.valueAndGrad((t: typeof x) => Nx.sum(t))(x.f32()), [[], ["x"]]),
  "Defn.assertShape": row("same", () => Nx.Defn.assertShape(xy, [2, 3]), ["x", "y"]),
  "Defn.cond": row("mapped", () => Nx.Defn.cond([[1, () => x]], () => x), ["x"]),
  "Defn.customGrad": row("same", () => Nx.Defn.customGrad(xy, [xy], (g) => [g]), ["x", "y"]),
  runtimeCall: row("container", () => Nx.runtimeCall({ a: xy } as const, x, () => ({ a: xy })).a, ["x", "y"]),
  "Defn.hook": row("container", () => Nx.Defn.hook(xy, () => undefined), ["x", "y"]),
  "Defn.printExpr": row("container", () => Nx.Defn.printExpr(xy, { print: () => undefined }), ["x", "y"]),
  "Defn.printValue": row("container", () => Nx.Defn.printValue(xy, { print: () => undefined }), ["x", "y"]),
  "Defn.stopGrad": row("container", () => Nx.Defn.stopGrad(xy), ["x", "y"]),
  "Defn.untraced": row("container", () => Nx.Defn.untraced(() => xy), ["x", "y"]),
  "Defn.jacobian": row("product", () => Nx.Defn.jacobian((t: typeof xy) => t.sum("x"))(xy.f32()), ["y", "x", null]),
  "Defn.hessian": row("product", () => Nx.Defn.hessian((t: typeof x) => Nx.sum(t))(x.f32()), ["x", null]),
  "Defn.jvp": row("mapped", () => Nx.Defn.jvp((t: typeof x) => t.exp(), [x.f32()], [x.f32()])[0], ["x"]),
  "Defn.vjp": row("mapped", () => Nx.Defn.vjp((t: typeof x) => t.exp(), [x.f32()])[0], ["x"]),
  "Defn.map": row("mapped", () => Nx.Defn.map(rows, xy), ["x"]),
  "Defn.scan": row("mapped", () => Nx.Defn.scan((s: typeof y, r: typeof y) => [s.add(r), Nx.sum(r)], y, xy), [["y"], ["x"]]), // prettier-ignore
  "Defn.vmap": row("mapped", () => Nx.Defn.vmap(rows)(xy), ["x"]),
  "Defn.foriLoop": row("mapped", () => Nx.Defn.foriLoop(0, 3, (_i, t) => t.multiply(2), x), ["x"]),
  "Defn.switch": row("mapped", () => Nx.Defn.switch(1, [() => x, () => x]), ["x"]),
  "Defn.whileLoop": row("mapped", () => Nx.Defn.whileLoop(x, (t) => Nx.less(Nx.sum(t), 9), (t) => t.multiply(2)), ["x"]), // prettier-ignore
  "Defn.Composite.leaves": untyped(
    "container",
    () => Nx.Defn.Composite.leaves([x])[0]!,
    ["x"],
    "a list has one type for all its tensors",
  ),
  "Defn.Composite.map": row("container", () => Nx.Defn.Composite.map((t) => t, [x, y] as const), [["x"], ["y"]]),
  "Defn.Composite.reduce": row("mapped", () => Nx.Defn.Composite.reduce([x, y], Nx.f32(0, { names: [] }), (sum) => sum), []), // prettier-ignore

  "LinAlg.adjoint": row("moved", () => Nx.LinAlg.adjoint(ab), ["b", "a"]),
  "LinAlg.cholesky": row("matrix", () => Nx.LinAlg.cholesky(ab, { name: "new" }), ["a", "new"]),
  "LinAlg.choleskySolve": row("matrix", () => Nx.LinAlg.choleskySolve(ab, Nx.f64([1, 2], { names: ["b"] })), ["a"]),
  "LinAlg.cond": row("reduced", () => Nx.LinAlg.cond(ab), []),
  "LinAlg.determinant": row("reduced", () => Nx.LinAlg.determinant(ab), []),
  "LinAlg.eig": row("matrix", () => Nx.LinAlg.eig(ab, { name: "new" }), [["new"], ["a", "new"]]),
  "LinAlg.eigh": row("matrix", () => Nx.LinAlg.eigh(ab, { name: "new" }), [["new"], ["a", "new"]]),
  "LinAlg.expm": row("same", () => Nx.LinAlg.expm(ab), ["a", "b"]),
  "LinAlg.invert": row("matrix", () => Nx.LinAlg.invert(ab), ["b", "a"]),
  "LinAlg.leastSquares": row("matrix", () => Nx.LinAlg.leastSquares(ab, Nx.f64([1, 2], { names: ["a"] })), ["b"]),
  "LinAlg.logdet": row("reduced", () => Nx.LinAlg.logdet(ab), []),
  "LinAlg.lu": row("matrix", () => Nx.LinAlg.lu(ab, { names: ["i", "j"] }), [
    ["a", "i"],
    ["i", "j"],
    ["j", "b"],
  ]),
  "LinAlg.matrixPower": row("matrix", () => Nx.LinAlg.matrixPower(ab, 2), ["a", "b"]),
  "LinAlg.matrixRank": row("reduced", () => Nx.LinAlg.matrixRank(ab), []),
  "LinAlg.norm": row("reduced", () => Nx.LinAlg.norm(ab, { axes: ["a"] }), ["b"]),
  "LinAlg.pinv": row("matrix", () => Nx.LinAlg.pinv(xy), ["y", "x"]),
  "LinAlg.qr": row("matrix", () => Nx.LinAlg.qr(xy, { name: "new" }), [
    ["x", "new"],
    ["new", "y"],
  ]),
  "LinAlg.slogdet": row("reduced", () => Nx.LinAlg.slogdet(ab), [[], []]),
  "LinAlg.sqrtm": row("same", () => Nx.LinAlg.sqrtm(ab), ["a", "b"]),
  "LinAlg.solve": row("matrix", () => Nx.LinAlg.solve(ab, Nx.f64([[1], [2]], { names: ["a", "c"] })), ["b", "c"]),
  "LinAlg.svd": row("matrix", () => Nx.LinAlg.svd(xy, { name: "new" }), [["x", "new"], ["new"], ["new", "y"]]),
  "LinAlg.triangularSolve": row("matrix", () => Nx.LinAlg.triangularSolve(ab, Nx.f64([1, 2], { names: ["a"] })), ["b"]),

  "Quantized.add": row("merged", () => Nx.Quantized.add(q, q, { out: fx }), ["x", "y"]),
  "Quantized.mul": row("merged", () => Nx.Quantized.mul(q, q, { out: fx }), ["x", "y"]),
  "Quantized.sub": row("merged", () => Nx.Quantized.sub(q, q, { out: fx }), ["x", "y"]),
  "Quantized.max": row("merged", () => Nx.Quantized.max(q, q), ["x", "y"]),
  "Quantized.min": row("merged", () => Nx.Quantized.min(q, q), ["x", "y"]),
  "Quantized.dequantize": row("same", () => Nx.Quantized.dequantize(q), ["x", "y"]),
  "Quantized.fakeQuantize": row("same", () => Nx.Quantized.fakeQuantize(u, fx), ["y"]),
  "Quantized.fromIntegers": row("same", () => Nx.Quantized.fromIntegers(Nx.s8([1], { names: ["x"] }), fx), ["x"]),
  "Quantized.quantize": row("same", () => Nx.Quantized.quantize(u, fx), ["y"]),

  "Random.choice": row("replaced", () => Nx.Random.choice(key, xy, { samples: 2, axis: "x" }), [["x", "y"], [null]]),
  "Random.foldIn": row("none", () => Nx.Random.foldIn(key, 1), [null]),
  "Random.gumbel": row("drawn", () => Nx.Random.gumbel(key, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.bernoulli": row("drawn", () => Nx.Random.bernoulli(key, 0.5, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.bernoulliSplit": row("drawn", () => Nx.Random.bernoulliSplit(key, 0.5, { shape: [2], names: ["x"] }), ["x"]),
  "Random.beta": row("drawn", () => Nx.Random.beta(key, 1, 2, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.betaSplit": row("drawn", () => Nx.Random.betaSplit(key, 1, 2, { shape: [2], names: ["x"] }), ["x"]),
  "Random.cauchy": row("drawn", () => Nx.Random.cauchy(key, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.cauchySplit": row("drawn", () => Nx.Random.cauchySplit(key, { shape: [2], names: ["x"] }), ["x"]),
  "Random.exponential": row("drawn", () => Nx.Random.exponential(key, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.exponentialSplit": row("drawn", () => Nx.Random.exponentialSplit(key, { shape: [2], names: ["x"] }), ["x"]),
  "Random.gamma": row("drawn", () => Nx.Random.gamma(key, 2, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.gammaSplit": row("drawn", () => Nx.Random.gammaSplit(key, 2, { shape: [2], names: ["x"] }), ["x"]),
  "Random.laplace": row("drawn", () => Nx.Random.laplace(key, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.laplaceSplit": row("drawn", () => Nx.Random.laplaceSplit(key, { shape: [2], names: ["x"] }), ["x"]),
  "Random.logistic": row("drawn", () => Nx.Random.logistic(key, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.logisticSplit": row("drawn", () => Nx.Random.logisticSplit(key, { shape: [2], names: ["x"] }), ["x"]),
  "Random.poisson": row("drawn", () => Nx.Random.poisson(key, 2, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.poissonSplit": row("drawn", () => Nx.Random.poissonSplit(key, 2, { shape: [2], names: ["x"] }), ["x"]),
  "Random.truncatedNormal": row("drawn", () => Nx.Random.truncatedNormal(key, -1, 1, { shape: [2], names: ["x"] }), [
    ["x"],
    [null],
  ]),
  "Random.truncatedNormalSplit": row(
    "drawn",
    () => Nx.Random.truncatedNormalSplit(key, -1, 1, { shape: [2], names: ["x"] }),
    ["x"],
  ),
  "Random.categorical": row("reduced", () => Nx.Random.categorical(key, xy), [["x"], [null]]),
  "Random.categoricalSplit": row("reduced", () => Nx.Random.categoricalSplit(key, xy), ["x"]),
  "Random.dirichlet": row("drawn", () => Nx.Random.dirichlet(key, u), [["y"], [null]]),
  "Random.dirichletSplit": row("drawn", () => Nx.Random.dirichletSplit(key, u), ["y"]),
  "Random.permutation": row("given", () => Nx.Random.permutation(key, 3, { name: "x" }), [["x"], [null]]),
  "Random.gumbelSplit": row("drawn", () => Nx.Random.gumbelSplit(key, { shape: [2], names: ["x"] }), ["x"]),
  "Random.key": row("none", () => Nx.Random.key(1), [null]),
  "Random.multivariateNormal": row("drawn", () => Nx.Random.multivariateNormal(key, u, spread), [["y"], [null]]),
  "Random.multivariateNormalSplit": row("drawn", () => Nx.Random.multivariateNormalSplit(key, u, spread), ["y"]),
  "Random.normal": row("drawn", () => Nx.Random.normal(key, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.normalSplit": row("drawn", () => Nx.Random.normalSplit(key, xy, y), ["x", "y"]),
  "Random.randint": row("drawn", () => Nx.Random.randint(key, 0, 9, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.randintSplit": row("drawn", () => Nx.Random.randintSplit(key, 0, xy), ["x", "y"]),
  "Random.shuffle": row("same", () => Nx.Random.shuffle(key, xy), [["x", "y"], [null]]),
  "Random.split": row("none", () => Nx.Random.split(key), [null, null]),
  "Random.uniform": row("drawn", () => Nx.Random.uniform(key, { shape: [2], names: ["x"] }), [["x"], [null]]),
  "Random.uniformSplit": row("drawn", () => Nx.Random.uniformSplit(key, 0, yz), ["y", "z"]),
};
