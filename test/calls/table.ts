/**
 * A valid call of every function that users can call: its arguments in front of the options, and options where it takes any.
 * The tests of this folder call each of them wrongly in all ways there are; a function without a row fails them.
 */
import * as Nx from "nx-numerics";
import { BINARY_OPS, UNARY_OPS } from "nx-numerics/backend";
import { DTYPES } from "../../lib/core/types";
import * as elsewhere from "../../lib/nx/elsewhere/functions";

export interface Row {
  readonly args: readonly unknown[];
  /** Valid options; absent where the function takes none. */
  readonly options?: object;
  /** Whether the function cannot do without its options. */
  readonly isBound?: boolean;
  /** Takes back what a call that went well has done to the program. */
  readonly undo?: (result: unknown) => void;
}

const row = (...args: readonly unknown[]): Row => ({ args });
const opt = (options: object, ...args: readonly unknown[]): Row => ({ args, options });
const must = (options: object, ...args: readonly unknown[]): Row => ({ args, options, isBound: true });

const x = Nx.f32(
  [
    [0.5, 0.25, 0.75],
    [0.125, 0.5, 0.25],
  ],
  { names: ["x", "y"] },
);
const ints = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] }); // prettier-ignore
const line = Nx.f32([1, 2, 3, 4]);
const square = Nx.f32([[2, 1], [1, 3]]); // prettier-ignore
const images = Nx.iota([1, 1, 4, 4], { type: "f32" });
const key = Nx.Random.key(1);
const bytes = Nx.serialize(x);
const tuples = Nx.tensor([[0, 1], [1, 2]]); // prettier-ignore
const batch = Nx.Batch.stack([line, line]);
const add = (a: Nx.Tensor, b: Nx.Tensor): Nx.Tensor => Nx.add(a, b);
const same = <T>(value: T): T => value;
const total = (t: Nx.Tensor): Nx.Tensor => Nx.sum(t);
const window = [1, 2];
const fx = Nx.Quantized.quantize(line, { type: "fx8", fracBits: 4 });
const step = { t: line };

/** Rows for functions that are called alike. */
const each = (names: readonly string[], made: Row): Readonly<Record<string, Row>> =>
  Object.fromEntries(names.map((name) => [name, made]));

const integer = new Set<string>(["idiv", "bitwiseNot", "countLeadingZeros", "populationCount", "bitwiseAnd", "bitwiseOr", "bitwiseXor", "leftShift", "rightShift", "quotient"]); // prettier-ignore
const unaryOps = [...Object.keys(UNARY_OPS), "logSigmoid", "swish", "square", "phase", "reciprocal", "isFinite", "logicalNot", "relu", "relu6"]; // prettier-ignore
const binaryOps = [...Object.keys(BINARY_OPS), "copysign", "idiv", "mod", "logAddExp"];
const wholeOps = (names: readonly string[]): string[] => names.filter((name) => integer.has(name));
const otherOps = (names: readonly string[]): string[] => names.filter((name) => !integer.has(name));

const MAIN: Readonly<Record<string, Row>> = {
  ...each(otherOps(unaryOps), row(x)),
  ...each(wholeOps(unaryOps), row(ints)),
  ...each(otherOps(binaryOps), row(x, x)),
  ...each(wholeOps(binaryOps), row(ints, ints)),
  ...each(DTYPES, opt({ names: ["a"] }, [1, 2])),
  ...each(["all", "any", "sum", "product", "reduceMax", "reduceMin", "mean"], opt({ axes: ["x"] }, x)),
  ...each(["variance", "standardDeviation"], opt({ axes: ["x"], ddof: 1 }, x)),
  ...each(["argmax", "argmin"], opt({ axis: "x", keepAxis: true }, x)),
  ...each(["median", "mode"], opt({ axis: "x" }, x)),
  ...each(["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"], opt({ axis: "x" }, x)),
  ...each(["softmax", "logSoftmax"], opt({ axis: "x" }, x)),
  ...each(["sort", "argsort"], opt({ axis: "x", direction: "desc" }, x)),
  ...each(["windowSum", "windowProduct", "windowMax", "windowMin", "windowMean"], opt({ strides: 1 }, x, window)),
  ...each(["windowScatterMax", "windowScatterMin"], opt({ strides: [1, 3] }, x, Nx.f32([[1], [2]]), 0, [1, 3])),
  ...each(["fft", "ifft", "irfft", "rfft"], opt({ axis: 0 }, line)),
  ...each(["fftfreq", "rfftfreq"], opt({ spacing: 2 }, 4)),
  ...each(["fftshift", "ifftshift"], opt({ axes: ["x"] }, x)),
  ...each(["fft2", "ifft2"], opt({ axes: [0, 1] }, square)),
  ...each(
    [
      "axes",
      "byteSize",
      "names",
      "rank",
      "shape",
      "size",
      "type",
      "toTensor",
      "toList",
      "toTypedArray",
      "toFloat64Array",
    ],
    row(x),
  ),
  ...each(["toFlatList", "toBinary"], opt({ limit: 1 }, x)),
  backendCopy: row(step, "binary"),
  backendTransfer: row({}, "binary"),
  ...each(["makeDiagonal"], opt({ offset: 1 }, line)),
  ...each(["loadNumpy"], opt({ copy: true }, Nx.toNumpy(x))),
  align: row(x, "y", "x"),
  alignAs: row(x, ints),
  allClose: opt({ rtol: 1 }, x, x),
  arange: opt({ name: "a" }, 0, 4, 2),
  bincount: opt({ length: 7 }, ints),
  digitize: opt({ right: true }, x, line),
  histogram: opt({ bins: 2 }, x),
  interp: opt({ left: 1 }, x, line, line),
  ...each(["percentile", "quantile"], opt({ axis: "x" }, x, 0.5)),
  ...each(["zscore", "skewness", "kurtosis"], opt({ axes: ["y"] }, x)),
  convolve: opt({ mode: "same" }, x, line),
  polyfit: opt({ weights: line }, line, line, 1),
  polyval: row(line, x),
  gradient: opt({ dx: 2 }, x),
  trapezoid: opt({ dx: 2 }, x),
  unwrap: opt({ period: 2 }, x),
  unique: opt({ size: 2 }, x),
  argwhere: opt({ name: "place" }, x),
  nonzero: opt({ name: "place" }, x),
  compress: opt({ name: "place" }, x, x),
  groupBy: opt({ name: "group" }, x, "x", Nx.tensor([1, 0])),
  resample: opt({ boundary: "exact" }, x, "y", 3),
  rolling: opt({ center: true }, x, "y", 2),
  searchsorted: opt({ side: "right" }, line, x),
  ...each(
    ["segmentMax", "segmentMean", "segmentMin", "segmentProduct", "segmentSum"],
    opt({ name: "group" }, x, Nx.tensor([1, 0]), 2),
  ),
  ...each(
    [
      "besselI0",
      "besselI0e",
      "besselI1",
      "besselI1e",
      "besselJ0",
      "besselJ1",
      "besselY0",
      "besselY1",
      "digamma",
      "lgamma",
      "logit",
      "normalCdf",
      "normalQuantile",
      "sinc",
    ],
    row(x),
  ),
  betainc: row(x, x, x),
  ...each(["gammainc", "gammaincc", "lbeta", "xlogy"], row(x, x)),
  polygamma: row(1, x),
  bitSize: row(x),
  correlation: opt({ nan: "skip" }, x),
  covariance: opt({ ddof: 1 }, x),
  cross: opt({ axis: "y" }, x, x),
  diff: opt({ axis: "x" }, x),
  div: opt({ roundingMode: "floor" }, x, x),
  full: opt({ type: "f32" }, [2], 1),
  fullLike: opt({ type: "f64" }, x, 1),
  isClose: opt({ rtol: 1 }, x, x),
  kron: row(x, x),
  logSumExp: opt({ axes: ["x"] }, x),
  meshgrid: opt({ indexing: "ij" }, [line, line]),
  moveAxis: row(x, "y", 0),
  mul: row(x, x),
  neg: row(x),
  oneHot: opt({ name: "class" }, ints, 7),
  ...each(["ones", "zeros"], opt({ type: "u8" }, [2])),
  ...each(["onesLike", "zerosLike"], opt({ type: "u8" }, x)),
  repeat: opt({ axis: "x" }, x, 2),
  roll: opt({ axis: "x" }, x, 1),
  split: opt({ axis: "y" }, x, 1),
  sub: row(x, x),
  swapAxes: row(x, "x", "y"),
  trace: opt({ offset: 1 }, x),
  tri: opt({ k: 1 }, 2, 3),
  ...each(["tril", "triu"], opt({ k: 1 }, x)),
  unstack: opt({ axis: "y" }, x),
  asType: opt({ overflow: "wrap" }, x, "s32"),
  axisIndex: row(x, "y"),
  axisSize: row(x, "y"),
  backendDeallocate: row({}),
  evaluate: row(x),
  explain: row(x),
  profile: row(() => Nx.sum(x)),
  bitcast: row(x, "u32"),
  broadcast: opt({ names: ["a", "b", "c"] }, x, [2, 2, 3]),
  celu: opt({ alpha: 2 }, x),
  ...each(["round", "roundEven"], opt({ decimals: 1 }, x)),
  clamp: must({ min: 0 }, x),
  clip: row(x, 0, 1),
  concatenate: opt({ axis: "x" }, [x, x]),
  configure: row({}),
  configureFromFile: row({}, "a test"),
  broadcastVectors: opt({ alignRanks: true }, [x, 1]),
  conv: opt({ strides: 1 }, images, Nx.broadcast(1, [1, 1, 2, 2])),
  defaultBackend: row("binary"),
  defn: opt({ compiler: "evaluator" }, total),
  deserialize: opt({ copy: true }, bytes),
  devectorize: opt({ keepNames: true }, x),
  divide: opt({ roundingMode: "floor" }, x, x),
  dot: opt({ contract: [[0], [0]] }, square, square),
  matmul: row(square, square),
  elu: opt({ alpha: 2 }, x),
  eye: opt({ type: "f32" }, 2),
  fill: opt({ type: "f32" }, [2], 1),
  flatten: opt({ axes: ["x", "y"] }, x),
  fromBinary: opt({ names: ["a"] }, new Uint8Array(4), "f32"),
  fromMessage: opt({ backend: "binary" }, Nx.toMessage(x)[0]),
  gather: opt({ axes: ["x", "y"] }, x, tuples),
  gelu: opt({ approximate: "none" }, x),
  globalDefaultBackend: row("binary"),
  grad: opt({}, total),
  hardSigmoid: opt({ alpha: 1 }, x),
  hardTanh: opt({ minVal: 0 }, x),
  indexedAdd: opt({ axes: ["x", "y"] }, x, tuples, line.at(Nx.range(0, 2))),
  indexedPut: opt({ axes: ["x", "y"] }, x, tuples, line.at(Nx.range(0, 2))),
  inspect: row(x),
  host: row(),
  iota: opt({ axis: 0 }, [2, 3]),
  isCompatible: row(x, x),
  isInfinity: opt({ detectPositive: false }, x),
  isTensor: row(x),
  leakyRelu: opt({ negSlope: 0.5 }, x),
  lerp: row(x, x, 0.5),
  linspace: must({ n: 3 }, 0, 1),
  loadNumpyArchive: opt({ copy: true }, Nx.toNumpyArchive({ x })),
  loadSafetensors: opt({ copy: true }, Nx.toSafetensors({ x })),
  map: opt({ type: "f64" }, x, (s: Nx.Tensor) => Nx.add(s, 1)),
  newAxis: row(x, 0, "z"),
  outer: row(line, line),
  pad: row(x, 0, [[1, 1, 0], [0, 0, 0]]), // prettier-ignore
  padOuter: row(x, "mirror", [[1, 0], [0, 1]]), // prettier-ignore
  putDiagonal: opt({ offset: 0 }, square, Nx.f32([1, 2])),
  putSlice: row(x, [0, 0], Nx.f32([[1]])),
  randomNormal: opt({ type: "f64" }, [2], 0, 1),
  randomUniform: opt({ type: "f64" }, [2], 0, 1),
  range: row(0, 2, 1),
  read: row(step),
  reduce: opt({ axes: ["x"] }, x, 0, add),
  formula: row(Object.assign(["", " + 1"], { raw: ["", " + 1"] }), x),
  einsum: row("x y, x y -> x", x, x),
  rearrange: opt({ y: 3 }, x, "x y -> y x"),
  reflect: opt({ paddingConfig: [[1, 0], [0, 1]] }, x), // prettier-ignore
  registerBackend: { args: ["ofTheTable", () => Nx.binaryBackend], undo: (forget) => (forget as () => void)() },
  rename: row(x, ["a", "b"]),
  reshape: opt({ names: ["a"] }, x, [6]),
  reverse: opt({ axes: ["x"] }, x),
  reshapeVectors: opt({ alignRanks: true }, [x, 1]),
  revectorize: row(x, { x: 2 }),
  runtimeCall: opt({ options: { scale: 2 } }, x, x, same),
  safetensorsInfo: row(Nx.toSafetensors({ x })),
  select: row(x, x, x),
  selu: opt({ alpha: 1 }, x),
  serialize: opt({ compression: "none" }, x),
  shuffle: opt({ axis: "x" }, x),
  slice: opt({ strides: [1, 1] }, x, [0, 0], [1, 2]),
  sliceAlongAxis: opt({ axis: "x" }, x, 0, 1),
  softplus: opt({ beta: 2 }, x),
  squeeze: opt({ axes: [0] }, Nx.iota([1, 3])),
  stack: opt({ axis: 0 }, [x, x]),
  take: opt({ axis: "x" }, x, Nx.tensor([0, 1])),
  takeAlongAxis: opt({ axis: "x" }, x, Nx.tensor([[0, 0, 1]])),
  takeDiagonal: opt({ offset: 0 }, square),
  template: opt({ names: ["a"] }, [2], "f32"),
  tensor: opt({ type: "f64" }, [1, 2]),
  tidy: row(() => Nx.tensor(1)),
  tile: opt({ names: ["a", "b"] }, x, [2, 1]),
  toBatched: opt({ leftover: "discard" }, x, 1),
  toHeatmap: opt({ ansiEnabled: false }, x),
  toMessage: opt({ shared: true }, x),
  item: row(Nx.f32(1)),
  print: opt({ precision: 2, print: () => undefined }, x),
  toNumber: row(Nx.f32(1)),
  toNumbers: opt({ rank: 2 }, x),
  toNumpy: opt({ version: 2 }, x),
  toNumpyArchive: opt({ compression: "none" }, { x }),
  toSafetensors: opt({ metadata: {} }, { x }),
  toTemplate: row(step),
  topK: opt({ k: 1 }, x),
  transpose: opt({ axes: ["y", "x"] }, x),
  valueAndGrad: opt({ hasAux: false }, total),
  vectorize: row(x, "x"),
  weightedMean: opt({ axes: ["x"] }, x, x),
  where: row(Nx.u8([[1], [0]]), x, x), // prettier-ignore
  windowReduce: opt({ strides: 1 }, x, 0, window, add),
  withDefaultBackend: row("binary", () => 1),
  withFloatType: row("f64", () => 1),
  withPromotion: row("nx", () => 1),
};

const SPACES: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  Batch: {
    concatenate: row(batch, [Nx.iota([2, 4], { type: "f32" })]),
    materialize: row(batch),
    merge: row(batch, batch),
    new: row(),
    pad: row(batch, 1),
    split: row(batch, 1),
    stack: row(batch, [line]),
  },
  Constants: {
    ...each(
      ["e", "eulerGamma", "infinity", "max", "maxFinite", "min", "minFinite", "nan"],
      opt({ backend: "binary" }, "f32"),
    ),
    ...each(["negInfinity", "pi", "smallestPositiveNormal", "epsilon"], opt({ backend: "binary" }, "f32")),
    i: opt({ backend: "binary" }, "c64"),
  },
  Defn: {
    assertShape: row(x, [2, 3]),
    checkPure: row(total),
    compile: opt({ compiler: "evaluator" }, total, [x]),
    cond: row([[1, () => x]], () => x),
    customGrad: row(x, [x], (g: Nx.Tensor) => [g]),
    debugExpr: opt({ compiler: "evaluator" }, total),
    toGraph: opt({ sizes: {} }, total, [x]),
    defaultOptions: opt({}),
    defn: opt({ compiler: "evaluator" }, total),
    explain: opt({ compiler: "evaluator" }, total),
    foriLoop: row(0, 3, (i: Nx.Tensor, s: Nx.Tensor) => Nx.add(s, i), Nx.tensor(0)),
    grad: opt({}, total),
    hessian: opt({}, total),
    hook: row(x, "name", same),
    jacobian: opt({}, total),
    jit: opt({ compiler: "evaluator" }, total),
    jitApply: opt({ compiler: "evaluator" }, total, [x]),
    jvp: row(total, [x], [x]),
    lazy: row(Nx.template([2], "f32"), () => Nx.f32([1, 2])),
    map: opt({ axis: 0 }, same, x),
    printExpr: opt({ print: same }, x),
    printValue: opt({ print: same }, x),
    scan: opt({ axis: 0 }, (s: Nx.Tensor, r: Nx.Tensor) => [s, r], Nx.f32(0), line),
    stopGrad: row(x),
    switch: opt({}, 0, [same], x),
    untraced: row(() => x),
    valueAndGrad: opt({ hasAux: false }, total),
    vjp: row(total, [x]),
    vmap: row(total, 0),
    whileLoop: row(Nx.tensor(0), (s: Nx.Tensor) => Nx.less(s, 3), (s: Nx.Tensor) => Nx.add(s, 1)), // prettier-ignore
  },
  "Defn.Composite": {
    count: row(step),
    leaves: row(step),
    map: row(same, step),
    reduce: row(step, 0, add),
  },
  byName: {
    ...each([...otherOps(Object.keys(BINARY_OPS)), "copysign", "mod", "mul", "sub"], row(x, x)),
    ...each([...wholeOps(Object.keys(BINARY_OPS)), "idiv"], row(ints, ints)),
    ...each(["div", "divide"], opt({ roundingMode: "floor" }, x, x)),
    clamp: must({ min: x }, x),
    where: row(ints, x, 0),
  },
  LinAlg: {
    ...each(["adjoint", "determinant", "expm", "invert", "logdet", "slogdet", "sqrtm"], row(square)),
    ...each(["cholesky", "eig", "eigh"], opt({ name: "part" }, square)),
    lu: opt({ names: ["i", "j"] }, square),
    choleskySolve: opt({ lower: false }, square, square),
    cond: opt({ ord: 1 }, square),
    ...each(["matrixRank", "pinv"], opt({ eps: 1e-3 }, square)),
    leastSquares: opt({ eps: 1e-3 }, square, square),
    matrixPower: row(square, 2),
    norm: opt({ axes: [0] }, line),
    qr: opt({ mode: "complete" }, square),
    solve: row(square, square),
    svd: opt({ fullMatrices: false }, square),
    triangularSolve: opt({ lower: false }, square, square),
  },
  Quantized: {
    ...each(["add", "mul", "sub"], must({ out: fx.format }, fx, fx)),
    ...each(["max", "min"], opt({ out: fx.format }, fx, fx)),
    calibrate: opt({ type: "fx8" }, line),
    dequantize: opt({ type: "f64" }, fx),
    fakeQuantize: row(line, fx.format),
    formatForRange: opt({ type: "fx8" }, -1, 1),
    fromIntegers: row(Nx.s8([1]), fx.format),
    inspect: row(fx),
    quantize: row(line, fx.format),
  },
  Signal: {
    ...each(["bartlett", "blackman", "blackmanHarris", "cosine", "flatTop", "hamming", "hann", "nuttall", "rectangular", "triangular", "tukey"], opt({ periodic: true }, 4)), // prettier-ignore
    ...each(["gaussian", "kaiser"], opt({ periodic: true }, 4, 2)),
    spectrogram: must({ frameLength: 2 }, x),
    stft: opt({ axis: "y" }, x),
    istft: opt({ frameLength: 4 }, x),
    ...each(["dct", "idct"], opt({ norm: "ortho" }, x)),
    hilbert: opt({ axis: "y" }, x),
    butter: opt({ samplingRate: 10 }, 2, 0.5),
    filtfilt: must({ b: [1], padLength: 0 }, x),
    sosfilt: must({ sos: [[1, 0, 0, 1, 0, 0]] }, x),
    lfilter: must({ b: [0.5], a: [1, -0.5] }, x),
    melFilters: must({ fftLength: 8, samplingRate: 10 }, 2),
  },
  Random: {
    ...each(
      ["cauchy", "exponential", "gumbel", "laplace", "logistic"].flatMap((name) => [name, `${name}Split`]),
      opt({ shape: [2] }, key),
    ),
    ...each(
      ["bernoulli", "gamma", "poisson"].flatMap((name) => [name, `${name}Split`]),
      opt({ shape: [2] }, key, 0.5),
    ),
    ...each(
      ["beta", "truncatedNormal"].flatMap((name) => [name, `${name}Split`]),
      opt({ shape: [2] }, key, 0.5, 1),
    ),
    ...each(["categorical", "categoricalSplit", "dirichlet", "dirichletSplit"], opt({ shape: [2] }, key, line)),
    permutation: opt({ name: "x" }, key, 3),
    ...each(["normal", "normalSplit", "uniform", "uniformSplit"], opt({ shape: [2] }, key, 0, 1)),
    ...each(["randint", "randintSplit"], opt({ shape: [2] }, key, 0, 5)),
    ...each(["multivariateNormal", "multivariateNormalSplit"], opt({ method: "eigh" }, key, Nx.f32([0, 0]), square)),
    choice: opt({ samples: 2 }, key, line, Nx.f32([0.25, 0.25, 0.25, 0.25])),
    foldIn: row(key, 1),
    key: row(1),
    shuffle: opt({ axis: 0 }, key, line),
    split: opt({ parts: 3 }, key),
  },
  Serving: { create: must({ batchSize: 2 }, same) },
  Type: {
    ...each(
      ["isComplex", "isFloat", "isInteger", "isSigned", "isUnsigned", "max", "maxFinite", "min", "minFinite"],
      row("s8"),
    ),
    ...each(["normalize", "toAggregate", "toComplex", "toFloating", "toReal", "toString"], row("f32")),
    ...each(["epsilon", "smallestPositiveNormal"], row("f32")),
    castNumber: row("s8", 1),
    infer: row(1),
    merge: row("s8", "f32"),
    mergeNumber: row("s8", 1),
  },
};

/** Methods that are no functions, or other ones; the rest are functions with the tensor in front. */
const METHODS: Readonly<Record<string, Row>> = {
  ...each(DTYPES, opt({ overflow: "wrap" }, x)),
  at: row(x, 0, 0),
};

/** Methods that any object may have, which the language and its tools call with arguments of their own. */
const PLAIN = ["equals", "hashCode", "toJSON", "toString"];

type AnyFunction = (...args: unknown[]) => unknown;

/** A function that users can call, with the name that messages have for it. */
export interface Called extends Row {
  readonly name: string;
  readonly isMethod?: boolean;
  readonly call: AnyFunction;
}

const isClass = (value: AnyFunction): boolean => /^class\b/.test(Function.prototype.toString.call(value));
/** Names of other libraries are exports that say what to write. */
const ELSEWHERE = new Set<unknown>(Object.values(elsewhere));
const functionsOf = (face: object): [string, AnyFunction][] =>
  Object.entries(face).filter(
    (entry): entry is [string, AnyFunction] =>
      typeof entry[1] === "function" && !isClass(entry[1] as AnyFunction) && !ELSEWHERE.has(entry[1]),
  );

function faceOf(space: string): object {
  return space.split(".").reduce((face: object, part) => Reflect.get(face, part) as object, Nx);
}

/** Methods of other libraries say what to write, whatever they are called with. */
function isElsewhere(method: AnyFunction): boolean {
  try {
    method.call(x);
  } catch (error) {
    return error instanceof Nx.NxError && error.message.startsWith("nx-numerics has no method");
  }
  return false;
}

const methods: [string, AnyFunction][] = Object.getOwnPropertyNames(Nx.Tensor.prototype)
  .filter((name) => name !== "constructor" && !PLAIN.includes(name))
  .map((name): [string, unknown] => [name, Object.getOwnPropertyDescriptor(Nx.Tensor.prototype, name)!.value])
  .filter(
    (entry): entry is [string, AnyFunction] => typeof entry[1] === "function" && !isElsewhere(entry[1] as AnyFunction),
  )
  .map(([name, method]) => [name, (t, ...args) => method.call(t, ...args)]);

const called = (prefix: string, rows: Readonly<Record<string, Row>>, functions: [string, AnyFunction][]): Called[] =>
  functions.map(([name, call]) => {
    if (!Object.hasOwn(rows, name)) throw new Error(`test/calls/table.ts has no row for ${prefix}${name}`);
    const { undo } = rows[name]!;
    const undone: AnyFunction = (...args) => {
      const result = call(...args);
      undo!(result);
      return result;
    };
    return { ...rows[name]!, name: `${prefix}${name}`, call: undo ? undone : call };
  });

/** Names of functions that are there twice. */
const ALIASES: Readonly<Record<string, string>> = {
  "Nx.grad": "Nx.Defn.grad",
  "Nx.valueAndGrad": "Nx.Defn.valueAndGrad",
};

/** Every function and every method, with a valid call. */
export const CALLED: readonly Called[] = [
  ...called("Nx.", MAIN, functionsOf(Nx)),
  ...Object.entries(SPACES).flatMap(([space, rows]) => called(`Nx.${space}.`, rows, functionsOf(faceOf(space)))),
  ...called("Nx.", { ...MAIN, ...METHODS }, methods).map((entry) => ({ ...entry, isMethod: true })),
].map((entry) => ({ ...entry, name: ALIASES[entry.name] ?? entry.name }));

/** Namespaces of functions that have no table here. */
export const UNLISTED: readonly string[] = Object.entries(Nx)
  .filter(([name, value]) => /^[A-Z][a-z]/.test(name) && Object.prototype.toString.call(value) === "[object Module]")
  .map(([name]) => name)
  .filter((name) => !Object.hasOwn(SPACES, name));
