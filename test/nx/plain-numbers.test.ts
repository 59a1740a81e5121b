/**
 * No plain number loses digits beside an f64 or c128 tensor: in every place where a public function takes several operands, a
 * plain number gives what the same number as a tensor of the other operand's type gives. A new function has to find its place
 * in one of the tables.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import * as elsewhere from "../../lib/nx/elsewhere/functions";
import { NAMESPACES } from "../namespaces";

type Call = (x: Nx.Tensor, value: Nx.Operand) => Nx.Tensor;

const first = (x: Nx.Tensor): Nx.Tensor => x.at(0);
const key = Nx.Random.key(7);
const either = (
  name:
    | "gammainc"
    | "gammaincc"
    | "lbeta"
    | "xlogy"
    | "max"
    | "min"
    | "pow"
    | "remainder"
    | "divide"
    | "add"
    | "subtract"
    | "multiply"
    | "div"
    | "mul"
    | "sub",
): Call[] => [(x, value) => Nx[name](x, value), (x, value) => Nx[name](value, x)];
const tests = (name: "equal" | "notEqual" | "less" | "lessEqual" | "greater" | "greaterEqual"): Call[] => [
  (x, value) => Nx[name](x, value),
  (x, value) => Nx[name](value, x),
];

/** Functions of complex numbers as well as of real ones. */
const ANY: Readonly<Record<string, readonly Call[]>> = {
  add: either("add"),
  allClose: [(x, value) => Nx.allClose(x, value, { rtol: 0, atol: 0 }), (x, value) => Nx.allClose(value, x)],
  covariance: [
    (x, value) => Nx.covariance(Nx.reshape(x, [x.size, 1]), { mean: Nx.stack([value, first(x)]).slice([0], [1]) }),
  ],
  div: either("div"),
  divide: either("divide"),
  dot: [(x, value) => Nx.dot(x, value), (x, value) => Nx.dot(value, x), (x, value) => Nx.dot(first(x), value)],
  equal: tests("equal"),
  indexedAdd: [(x, value) => Nx.indexedAdd(x, Nx.tensor([1]), value)],
  indexedPut: [(x, value) => Nx.indexedPut(x, Nx.tensor([1]), value)],
  isClose: [
    (x, value) => Nx.isClose(x, value, { rtol: 0, atol: 0 }),
    (x, value) => Nx.isClose(value, x, { rtol: 0, atol: 0 }),
  ],
  formula: [(x, value) => Nx.formula`${x} + ${value}`, (x, value) => Nx.formula`-${x} * (1 + 1) + ${value}`],
  einsum: [(x, value) => Nx.einsum("...,->...", x, value), (x, value) => Nx.einsum(",...->...", value, x)],
  kron: [(x, value) => Nx.kron(x, value), (x, value) => Nx.kron(value, x)],
  linspace: [
    (x, value) => Nx.linspace(first(x), value, { n: 4 }),
    (x, value) => Nx.linspace(value, first(x), { n: 4, endpoint: false }),
  ],
  map: [(x, value) => Nx.map(x, () => value), (x, value) => Nx.map(Nx.u8([1]), () => value, { type: x.type })],
  mul: either("mul"),
  multiply: either("multiply"),
  notEqual: tests("notEqual"),
  outer: [(x, value) => Nx.outer(x, value), (x, value) => Nx.outer(value, x)],
  pad: [(x, value) => Nx.pad(x, value, [[1, 1, 1]])],
  pow: either("pow"),
  putSlice: [(x, value) => Nx.putSlice(first(x), [], value), (x, value) => Nx.putSlice(value, [], first(x))],
  reduce: [
    (x, value) => Nx.reduce(x, value, (element, sum) => Nx.add(element, sum)),
    (x, value) => Nx.reduce(x, 0, () => value),
    (x, value) => Nx.reduce(Nx.u8([1, 2]), value, (element, sum) => Nx.add(element, sum), { type: x.type }),
  ],
  select: [
    (x, value) => Nx.select(Nx.u8([1, 0, 0]), x, value),
    (x, value) => Nx.select(Nx.u8([1, 0, 0]), value, x),
    (x, value) => Nx.select(1, value, x),
  ],
  stack: [(x, value) => Nx.stack([first(x), value]), (x, value) => Nx.stack([value, first(x)])],
  sub: either("sub"),
  subtract: either("subtract"),
  weightedMean: [(x, value) => Nx.weightedMean(first(x), value), (x, value) => Nx.weightedMean(value, first(x))],
  where: [(x, value) => Nx.where(Nx.u8([1, 0, 0]), x, value), (x, value) => Nx.where(Nx.u8([1, 0, 0]), value, x)],
  windowReduce: [
    (x, value) => Nx.windowReduce(x, value, [2], (element, sum) => Nx.add(element, sum)),
    (x, value) => Nx.windowReduce(x, 0, [2], () => value),
  ],
};

/** Functions of real numbers. */
const REAL: Readonly<Record<string, readonly Call[]>> = {
  atan2: [(x, value) => Nx.atan2(x, value), (x, value) => Nx.atan2(value, x)],
  clamp: [
    (x, value) => Nx.clamp(x, { min: value }),
    (x, value) => Nx.clamp(x, { max: value }),
    (x, value) => Nx.clamp(x, { min: -0.7, max: value }),
  ],
  clip: [(x, value) => Nx.clip(x, value, 1e30), (x, value) => Nx.clip(x, -1e30, value)],
  complex: [(x, value) => Nx.complex(x, value), (x, value) => Nx.complex(value, x)],
  copysign: [(x, value) => Nx.copysign(x, value), (x, value) => Nx.copysign(value, x)],
  digitize: [(x, value) => Nx.digitize(value, x.sort())],
  greater: tests("greater"),
  greaterEqual: tests("greaterEqual"),
  idiv: [],
  interp: [(x, value) => Nx.interp(value, x.sort(), x)],
  betainc: [
    (x, value) => Nx.betainc(Nx.abs(x), 2, value),
    (x, value) => Nx.betainc(value, Nx.abs(x), 0.5),
    (x, value) => Nx.betainc(Nx.abs(x), value, 0.5),
  ],
  gammainc: either("gammainc"),
  gammaincc: either("gammaincc"),
  lbeta: either("lbeta"),
  lerp: [
    (x, value) => Nx.lerp(x, value, 0.3),
    (x, value) => Nx.lerp(value, x, 0.3),
    (x, value) => Nx.lerp(x, 0.7, value),
    (x, value) => Nx.lerp(0.1, value, x),
  ],
  less: tests("less"),
  lessEqual: tests("lessEqual"),
  logSumExp: [(x, value) => Nx.logSumExp(x, { expScalingFactor: value })],
  logAddExp: [(x, value) => Nx.logAddExp(x, value), (x, value) => Nx.logAddExp(value, x)],
  max: either("max"),
  min: either("min"),
  mod: [(x, value) => Nx.mod(x, value), (x, value) => Nx.mod(value, x)],
  "Random.normal": [(x, value) => Nx.Random.normal(key, x, value)[0], (x, value) => Nx.Random.normal(key, value, x)[0]],
  "Random.normalSplit": [(x, value) => Nx.Random.normalSplit(key, value, x)],
  "Random.uniform": [
    (x, value) => Nx.Random.uniform(key, x, value)[0],
    (x, value) => Nx.Random.uniform(key, value, x)[0],
  ],
  "Random.uniformSplit": [(x, value) => Nx.Random.uniformSplit(key, x, value)],
  remainder: either("remainder"),
  searchsorted: [(x, value) => Nx.searchsorted(x.sort(), value)],
  xlogy: either("xlogy"),
  windowScatterMax: [(x, value) => Nx.windowScatterMax(x, x.slice([0], [2]), value, [2], { strides: [1] })],
  polyval: [(x, value) => Nx.polyval(Nx.flatten(x), value)],
  windowScatterMin: [(x, value) => Nx.windowScatterMin(x, x.slice([0], [2]), value, [2], { strides: [1] })],
};

/** Why the others are in neither table. */
const OTHERS: Readonly<Record<string, string>> = {
  "one operand": `fftshift ifftshift Signal.dct Signal.hilbert Signal.idct Signal.stft Signal.istft Signal.spectrogram besselI0 besselI0e besselI1 besselI1e besselJ0 besselJ1 besselY0 besselY1 digamma lgamma logit normalCdf normalQuantile sinc polygamma
    abs acos acosh all any argmax argmin argsort asin asinh asType atan atanh bitcast bitwiseNot broadcast cbrt correlation kurtosis skewness zscore diff
    ceil celu conjugate cos cosh countLeadingZeros cumulativeMax cumulativeMin cumulativeProduct cumulativeSum elu erf erfInv
    erfc exp exp2 expm1 fft fft2 fill flatten floor gelu geluTanh hardSigmoid hardSwish hardTanh ifft ifft2 imag irfft isFinite
    isInfinity isNan leakyRelu moveAxis neg oneHot padOuter percentile quantile rearrange repeat roll split swapAxes trace tril triu unstack log log10 log1p log2 logSigmoid logSoftmax logicalNot mean median mish mode negate newAxis phase
    populationCount product quickGelu real reciprocal reduceMax reduceMin reflect relu relu6 rename reshape reverse rfft round
    roundEven rsqrt selu shuffle sigmoid sign silu sin sinh slice softmax softplus softsign sort sqrt square squeeze
    standardDeviation sum swish tan tanh tensor tile toTensor topK transpose trunc variance windowMax windowMean windowMin
    windowProduct windowSum`,
  "further operands are indices": `gather take takeAlongAxis sliceAlongAxis`,
  "truth values, each for itself": `logicalAnd logicalOr logicalXor`,
  "parameters of a distribution, each for itself": `Random.bernoulli Random.bernoulliSplit Random.beta Random.betaSplit Random.gamma
    Random.gammaSplit Random.poisson Random.poissonSplit Random.truncatedNormal Random.truncatedNormalSplit`,
  "integers only": `bitwiseAnd bitwiseOr bitwiseXor leftShift quotient rightShift Random.randint Random.randintSplit
    Random.foldIn`,
  "no scalars": `Signal.filtfilt Signal.lfilter Signal.sosfilt bincount concatenate conv cross histogram convolve polyfit gradient trapezoid unwrap segmentMax segmentMean segmentMin segmentProduct segmentSum argwhere compress groupBy nonzero resample rolling unique makeDiagonal meshgrid putDiagonal takeDiagonal Random.multivariateNormal Random.choice
    Random.categorical Random.categoricalSplit Random.dirichlet Random.dirichletSplit
    Random.multivariateNormalSplit Random.shuffle Random.split matmul LinAlg.adjoint LinAlg.cholesky LinAlg.choleskySolve LinAlg.cond
    LinAlg.determinant LinAlg.eig LinAlg.eigh LinAlg.expm LinAlg.logdet LinAlg.slogdet LinAlg.sqrtm
    LinAlg.invert LinAlg.leastSquares LinAlg.lu LinAlg.matrixPower LinAlg.matrixRank LinAlg.norm LinAlg.pinv LinAlg.qr
    LinAlg.solve LinAlg.svd LinAlg.triangularSolve align alignAs Batch.concatenate`,
  "aligned by name, then computed by the function of that name": Object.keys(Nx.byName)
    .map((name) => `byName.${name}`)
    .join(" "),
  "entries have one type": `Batch.stack Batch.materialize Batch.merge Batch.new Batch.pad Batch.split`,
  "formats of their own": `Quantized.add Quantized.calibrate Quantized.dequantize Quantized.fakeQuantize
    Quantized.formatForRange Quantized.fromIntegers Quantized.inspect Quantized.max Quantized.min Quantized.mul
    Quantized.quantize Quantized.sub`,
  "numbers are arguments and results of traced functions": `defn grad valueAndGrad Defn.compile Defn.cond Defn.customGrad
    Defn.defn Defn.grad Defn.hessian Defn.hook Defn.jacobian Defn.jit Defn.jitApply Defn.jvp Defn.lazy Defn.map Defn.scan
    runtimeCall Defn.stopGrad Defn.untraced Defn.valueAndGrad Defn.vjp Defn.vmap Defn.whileLoop Defn.foriLoop Defn.switch Defn.explain Defn.debugExpr Defn.toGraph Defn.checkPure Serving.create`,
  "no operands that meet": `broadcastVectors reshapeVectors axes axisIndex axisSize backendCopy backendDeallocate backendTransfer arange bf16 bitSize full fullLike ones onesLike tri zeros zerosLike byteSize c128 c64
    configure configureFromFile defaultBackend deserialize devectorize evaluate explain eye f16 f32 f64 fromBinary fromMessage globalDefaultBackend host inspect
    iota isCompatible isTensor item loadNumpy loadNumpyArchive loadSafetensors names print profile randomNormal randomUniform range rank read registerBackend revectorize
    s16 s32 s64 s8 safetensorsInfo serialize shape size template toBatched toBinary toFlatList toFloat64Array toHeatmap toList toMessage toNumber toNumbers toNumpy
    toNumpyArchive toSafetensors toTemplate toTypedArray type u16 u32 u64 u8 vectorize tidy withDefaultBackend withFloatType withPromotion
    Constants.e Constants.epsilon Constants.eulerGamma Constants.i Constants.infinity Constants.max Constants.maxFinite
    Constants.min Constants.minFinite Constants.nan Constants.negInfinity Constants.pi Constants.smallestPositiveNormal
    Type.castNumber Type.epsilon Type.infer Type.isComplex Type.isFloat Type.isInteger Type.isSigned Type.isUnsigned Type.max
    Type.maxFinite Type.merge Type.mergeNumber Type.min Type.minFinite Type.normalize Type.smallestPositiveNormal
    Type.toAggregate Type.toComplex Type.toFloating Type.toReal Type.toString Defn.assertShape Defn.defaultOptions
    Defn.printExpr Defn.printValue fftfreq rfftfreq Signal.bartlett Signal.blackman Signal.blackmanHarris Signal.butter Signal.cosine
    Signal.flatTop Signal.gaussian Signal.hamming Signal.hann Signal.kaiser Signal.melFilters Signal.nuttall Signal.rectangular Signal.triangular
    Signal.tukey Random.gumbel Random.gumbelSplit Random.key
    Random.cauchy Random.cauchySplit Random.exponential Random.exponentialSplit Random.laplace Random.laplaceSplit Random.logistic
    Random.logisticSplit Random.permutation`,
};

const functionsOf = (face: object, prefix = ""): string[] =>
  Object.entries(face)
    .filter(
      ([name, value]) => typeof value === "function" && /^[a-z]/.test(name) && !(name in elsewhere && prefix === ""),
    )
    .map(([name]) => prefix + name);

describe("the tables", () => {
  it("have every public function, once", () => {
    const all = [...functionsOf(Nx), ...NAMESPACES.flatMap((name) => functionsOf(Nx[name], `${name}.`))];
    const others = Object.values(OTHERS).flatMap((names) => names.split(/\s+/));
    expect([...Object.keys(ANY), ...Object.keys(REAL), ...others].sort()).toEqual(all.sort());
  });
});

const NUMBERS = [0.1, -1 / 3, 3, -2, 1e300, 16777217, 2 ** 53 - 1, 2 ** 63, 2n ** 53n + 1n, 2n ** 63n, true];
const COMPLEX = [new Nx.Complex(0.1, 1 / 3), new Nx.Complex(16777217, -1e200), 0.1, 16777217, 2n ** 63n];

/** What a call gives, as type, shape and bytes; or its error. */
function outcome(call: Call, x: Nx.Tensor, value: Nx.Operand): unknown {
  const result = call(x, value);
  return { type: result.type, shape: result.shape, elements: result.toFlatList() };
}

describe.each(["f64", "c128"] as const)("beside %s", (type) => {
  const x =
    type === "f64" ? Nx.f64([0.7, -1.9, 5e-7]) : Nx.c128([new Nx.Complex(0.7, 1.1), new Nx.Complex(-1.9, 3), 2]);
  const table = Object.entries(type === "f64" ? { ...ANY, ...REAL } : ANY);
  const values: readonly Nx.Scalar[] = type === "f64" ? NUMBERS : [...COMPLEX, 1 / 3];

  it.each(table)("%s", (_name, calls) => {
    for (const call of calls) {
      for (const value of values) {
        expect(outcome(call, x, value)).toEqual(outcome(call, x, Nx.tensor(value, { type })));
      }
    }
  });
});
