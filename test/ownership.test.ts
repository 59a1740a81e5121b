/**
 * Whoever releases a result never takes an operand along, nor the other way round: for every public function and method, with
 * operands for which it has nothing to do and others.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import * as elsewhere from "../lib/nx/elsewhere/functions";
import { NAMESPACES } from "./namespaces";

type AnyFunction = (...args: never[]) => unknown;
/** Makes the arguments of a call afresh, since a test releases them. */
type Arguments = () => readonly unknown[];

/** Weights made of a length. */
const WINDOWS = Object.keys(Nx.Signal).filter(
  (name) => !/stft$|^spectrogram$|dct$|^hilbert$|filt|^butter$|^melFilters$/.test(name),
);

const named = (): Nx.Tensor => Nx.f32([0.5, 0.25, 0.75], { names: ["x"] });

const functionsOf = (face: object, prefix = ""): [string, AnyFunction][] =>
  Object.entries(face)
    .filter((entry): entry is [string, AnyFunction] => typeof entry[1] === "function" && /^[a-z]/.test(entry[0]))
    .map(([name, fn]) => [prefix + name, fn]);

/** Names of other libraries, which say what to write. */
const isElsewhere = (fn: AnyFunction): boolean => {
  try {
    fn(Nx.f32([1]) as never);
  } catch (error) {
    return error instanceof Nx.NxError && /^nx-numerics has no method/.test(error.message);
  }
  return false;
};

const methods: [string, AnyFunction][] = Object.getOwnPropertyNames(Nx.Tensor.prototype).flatMap((name) => {
  const value: unknown = Object.getOwnPropertyDescriptor(Nx.Tensor.prototype, name)!.value;
  if (typeof value !== "function" || name === "constructor") return [];
  return [[`t.${name}`, (t: Nx.Tensor, ...args: never[]) => (value as AnyFunction).apply(t, args)]];
});

const functions = [
  ...functionsOf(Nx).filter(([name]) => !(name in elsewhere)),
  ...NAMESPACES.flatMap((name) => functionsOf(Nx[name], `${name}.`)),
  ...functionsOf(Nx.Defn.Composite, "Defn.Composite."),
  ...methods.filter(([, fn]) => !isElsewhere(fn)),
];

/** Tensors for which many functions have nothing to do: of one axis, of one element, of integers, an identity, a random key. */
const TENSORS: readonly (() => Nx.Tensor)[] = [
  () => Nx.f32([0.5, 0.25, 0.75]),
  () => Nx.tensor([1, 2, 3]),
  () => Nx.u8([1, 0]),
  () => Nx.f32(0.5),
  () => Nx.f64([[1]]),
  () => Nx.f64([1]),
  () => Nx.eye(2, { type: "f64" }),
  () => Nx.tensor([new Nx.Complex(1, 2)]),
  () => Nx.Random.key(1),
  () => Nx.vectorize(Nx.f32([[1, 2]]), "v"),
];

const GENERAL: readonly Arguments[] = TENSORS.flatMap((make) => [
  () => [make()],
  () => [make(), make()],
  () => [make(), 1],
  () => [[make()]],
  () => [{ a: make(), b: "text" }, make()],
]);

const vector = (): Nx.Tensor => Nx.f32([1, 2, 3]);
const matrix = (): Nx.Tensor => Nx.f64([[2, 1], [1, 3]]); // prettier-ignore
const same = (x: Nx.Tensor): Nx.Tensor => x;
const fixed = () => Nx.Quantized.quantize(vector(), { type: "sa8", scale: 3, scaleFracBits: 6 });

/** What a function is called with for which the general arguments do not do, or miss where it has nothing to do. */
const SPECIAL: Readonly<Record<string, readonly Arguments[]>> = {
  asType: [() => [vector(), "f32"]],
  "Batch.materialize": [
    () => [Nx.Batch.concatenate([vector()])],
    () => [Nx.Batch.stack([vector(), vector()])],
    () => [Nx.Batch.pad(Nx.Batch.concatenate([vector()]), 1)],
  ],
  betainc: [() => [vector(), vector(), vector()]],
  bitcast: [() => [vector(), "f32"], () => [vector(), "u32"]],
  broadcast: [() => [vector(), [3]], () => [vector(), [1, 3]], () => [vector(), vector()]],
  clamp: [() => [vector(), { min: 0 }]],
  clip: [() => [vector(), 0, 9]],
  conv: [() => [Nx.f32([[[1, 2]]]), Nx.f32([[[1]]])]],
  cross: [() => [vector(), vector()]],
  digitize: [() => [vector(), vector()]],
  diff: [() => [vector(), { order: 0 }], () => [vector()]],
  "Defn.assertShape": [() => [vector(), [3]], () => [vector(), "auto"]],
  "Defn.Composite.map": [() => [same, vector()], () => [(_: unknown, y: unknown) => y, [vector()], [vector()]]],
  "Defn.Composite.reduce": [],
  "Defn.cond": [
    () => [[[true, same.bind(null, vector())]], () => vector()],
    ...[0, 1].map((p) => () => {
      const [x, y] = [vector(), vector()];
      return [[[Nx.tensor(p), () => x]], () => y, x, y];
    }),
  ],
  "Defn.customGrad": [() => [vector(), [vector()], (g: unknown) => [g]]],
  "Defn.hook": [() => [vector(), () => 0], () => [[vector(), { a: vector() }], "name"]],
  "Defn.jitApply": [() => [same, [vector()]], () => [(x: unknown) => [x, x], [vector()]]],
  "Defn.jvp": [() => [same, [vector()], [vector()]]],
  "Defn.map": [() => [same, vector()]],
  "Defn.printExpr": [() => [vector(), { print: () => 0 }]],
  "Defn.printValue": [() => [vector(), { print: () => 0 }]],
  "Defn.scan": [() => [(s: unknown, x: unknown) => [s, x], vector(), Nx.f32([[1, 2, 3]])]],
  "Defn.foriLoop": [
    () => [0, 0, (_i: Nx.Tensor, x: unknown) => x, vector()],
    () => [0, 2, (_i: Nx.Tensor, x: unknown) => x, vector()],
  ],
  "Defn.switch": [() => [0, [same], vector()], () => [Nx.tensor(1), [same, same], vector()]],
  "Defn.whileLoop": [
    () => [vector(), () => Nx.tensor(0), same],
    () => [
      [Nx.tensor(0), vector()],
      ([i]: [Nx.Tensor]) => i.less(2),
      ([i, x]: [Nx.Tensor, Nx.Tensor]) => [i.add(1), x],
    ],
  ],
  fill: [() => [[2], Nx.f32(1)]],
  full: [() => [[2], Nx.f32(1)]],
  fullLike: [() => [vector(), 2]],
  gather: [() => [vector(), Nx.tensor([[0]])]],
  indexedAdd: [() => [vector(), Nx.tensor([[0]]), Nx.f32([1])]],
  indexedPut: [() => [vector(), Nx.tensor([[0]]), Nx.f32([1])]],
  interp: [() => [vector(), vector(), vector()]],
  "LinAlg.matrixPower": [() => [matrix(), 1], () => [matrix(), 0]],
  "LinAlg.cholesky": [() => [matrix()]],
  "LinAlg.solve": [() => [matrix(), matrix()]],
  lerp: [() => [vector(), vector(), vector()], () => [vector(), vector(), 0]],
  map: [() => [vector(), same]],
  meshgrid: [() => [[vector()]], () => [[vector(), vector()]]],
  moveAxis: [() => [vector(), 0, 0], () => [matrix(), 0, 1]],
  newAxis: [() => [vector(), 0]],
  oneHot: [() => [Nx.tensor([0, 1]), 2]],
  percentile: [() => [vector(), 50], () => [Nx.f32([1]), 50]],
  quantile: [() => [vector(), 0.5], () => [Nx.f32([1]), [0]]],
  pad: [() => [vector(), 0, [[0, 0, 0]]], () => [Nx.s64([1]), Nx.s64(1), [[1, 0, 0]]]],
  putDiagonal: [() => [matrix(), Nx.f64([1, 2])]],
  putSlice: [() => [vector(), [0], vector()], () => [vector(), [Nx.tensor(0)], Nx.f32([1])]],
  polygamma: [() => [1, vector()]],
  "Signal.lfilter": [() => [vector(), { b: [1] }], () => [vector(), { b: [0.5], a: Nx.f64([1, 0.5]) }]],
  "Signal.filtfilt": [
    () => [vector(), { b: [1], padLength: 0 }],
    () => [vector(), { b: [0.5], a: Nx.f64([1, 0.5]), padLength: 1 }],
  ],
  "Signal.sosfilt": [() => [vector(), { sos: [[1, 0, 0, 1, 0, 0]] }]],
  "Signal.melFilters": [() => [2, { fftLength: 8, samplingRate: 10 }]],
  "Signal.istft": [() => [matrix(), { frameLength: 2, hop: 1 }]],
  "Signal.spectrogram": [() => [vector(), { frameLength: 2 }]],
  "Quantized.dequantize": [() => [fixed()]],
  "Quantized.fakeQuantize": [() => [vector(), { type: "fx8", fracBits: 4 }]],
  "Quantized.fromIntegers": [() => [Nx.s8([1, 2]), { type: "fx8", fracBits: 4 }]],
  "Quantized.quantize": [() => [vector(), { type: "fx8", fracBits: 4 }]],
  "Random.choice": [() => [Nx.Random.key(1), vector()], () => [Nx.Random.key(1), vector(), { replace: false }]],
  "Random.foldIn": [() => [Nx.Random.key(1), Nx.tensor(3)]],
  "Random.multivariateNormal": [() => [Nx.Random.key(1), Nx.f64([0, 0]), Nx.eye(2, { type: "f64" })]],
  "Random.multivariateNormalSplit": [() => [Nx.Random.key(1), Nx.f64([0, 0]), Nx.eye(2, { type: "f64" })]],
  "Random.bernoulli": [() => [Nx.Random.key(1), vector()]],
  "Random.bernoulliSplit": [() => [Nx.Random.key(1), vector()]],
  "Random.beta": [() => [Nx.Random.key(1), vector(), vector()]],
  "Random.betaSplit": [() => [Nx.Random.key(1), vector(), vector()]],
  "Random.categorical": [() => [Nx.Random.key(1), vector()]],
  "Random.categoricalSplit": [() => [Nx.Random.key(1), vector()]],
  "Random.dirichlet": [() => [Nx.Random.key(1), vector()]],
  "Random.dirichletSplit": [() => [Nx.Random.key(1), vector()]],
  "Random.gamma": [() => [Nx.Random.key(1), vector()]],
  "Random.gammaSplit": [() => [Nx.Random.key(1), vector()]],
  "Random.permutation": [() => [Nx.Random.key(1), 3], () => [Nx.Random.key(1), 1]],
  "Random.poisson": [() => [Nx.Random.key(1), vector()]],
  "Random.poissonSplit": [() => [Nx.Random.key(1), vector()]],
  "Random.truncatedNormal": [() => [Nx.Random.key(1), -1, 1]],
  "Random.truncatedNormalSplit": [() => [Nx.Random.key(1), -1, 1]],
  "Random.randint": [() => [Nx.Random.key(1), Nx.tensor(0), Nx.tensor(4)]],
  "Random.randintSplit": [() => [Nx.Random.key(1), Nx.tensor(0), Nx.tensor(4)]],
  "Random.shuffle": [() => [Nx.Random.key(1), vector()], () => [Nx.Random.key(1), Nx.f32([1])]],
  rearrange: [() => [vector(), "x -> x"], () => [matrix(), "x y -> x y"], () => [vector(), "x -> (x)"]],
  formula: [
    () => [Object.assign(["", ""], { raw: ["", ""] }), vector()],
    () => [Object.assign(["+(", ")"], { raw: ["+(", ")"] }), matrix()],
  ],
  einsum: [() => ["i->i", vector()], () => ["i j -> i j", matrix()], () => ["->", Nx.f32(1)]],
  reduce: [() => [vector(), Nx.f32(0), (_: unknown, y: unknown) => y], () => [Nx.f32(1), Nx.f32(0), same]],
  padOuter: [() => [vector(), "cyclic", [[0, 0]]], () => [Nx.f32(1), "mirror", []]],
  reflect: [() => [vector(), { paddingConfig: [[0, 0]] }]],
  rename: [() => [vector(), [null]], () => [vector(), ["x"]]],
  repeat: [() => [vector(), 1], () => [vector(), [1, 1, 1]], () => [vector(), 1, { axis: 0 }]],
  reshape: [() => [vector(), [3]], () => [vector(), [3, 1]], () => [vector(), vector()]],
  reverse: [() => [vector(), { axes: [] }]],
  broadcastVectors: [() => [[vector(), Nx.vectorize(vector(), "x")]], () => [[vector()]]],
  reshapeVectors: [() => [[vector(), Nx.vectorize(vector(), "x")]], () => [[vector()]]],
  runtimeCall: [() => [vector(), vector(), same], () => [[vector(), vector()], vector(), (t: unknown) => [t, t]]],
  revectorize: [() => [Nx.vectorize(vector(), "x"), { x: 3 }], () => [vector(), {}]],
  "Random.split": [() => [Nx.Random.key(1), { parts: 1 }]],
  roll: [() => [vector(), 3], () => [vector(), 3, { axis: 0 }], () => [Nx.f32(1), 2]],
  searchsorted: [() => [vector(), vector()]],
  argwhere: [() => [vector()]],
  compress: [() => [vector(), Nx.tensor([1, 1, 1])]],
  nonzero: [() => [vector()]],
  convolve: [() => [vector(), vector()], () => [vector(), Nx.f32([1])]],
  polyfit: [() => [vector(), vector(), 1]],
  polyval: [() => [Nx.f32([1]), vector()], () => [vector(), vector()]],
  gradient: [() => [vector()]],
  trapezoid: [() => [vector()], () => [Nx.f32([1])]],
  unwrap: [() => [vector()], () => [Nx.f32([1])]],
  segmentMax: [() => [vector(), Nx.tensor([0, 1, 2]), 3]],
  segmentMin: [() => [vector(), Nx.tensor([0, 1, 2]), 3]],
  segmentProduct: [() => [vector(), Nx.tensor([0, 1, 2]), 3]],
  segmentMean: [() => [vector(), Nx.tensor([0, 1, 0]), 2]],
  segmentSum: [() => [vector(), Nx.tensor([0, 1, 2]), 3]],
  select: [() => [Nx.u8(1), vector(), vector()]],
  shuffle: [() => [vector()]],
  slice: [() => [vector(), [0], [3]], () => [vector(), [Nx.tensor(0)], [3]]],
  sliceAlongAxis: [() => [vector(), 0, 3]],
  sort: [() => [Nx.f32([1])]],
  split: [() => [vector(), 1]],
  stack: [() => [[vector()]]],
  swapAxes: [() => [vector(), 0, 0], () => [matrix(), 0, 1]],
  "t.at": [() => [vector(), Nx.range()], () => [vector(), Nx.range(0, 3)], () => [vector(), 0], () => [vector()]],
  take: [() => [vector(), Nx.tensor([0, 1, 2])]],
  takeAlongAxis: [() => [vector(), Nx.tensor([0, 1, 2])]],
  tensor: [() => [vector()], () => [vector(), { type: "f32", names: ["x"] }]],
  tile: [() => [vector(), [1]], () => [vector(), [1, 1]]],
  transpose: [() => [matrix(), { axes: [0, 1] }]],
  vectorize: [() => [vector(), "x"]],
  where: [() => [Nx.u8(1), vector(), vector()]],
  windowReduce: [() => [vector(), Nx.f32(0), [1], (_: unknown, y: unknown) => y]],
  windowScatterMax: [() => [vector(), vector(), Nx.f32(0), [1]]],
  windowScatterMin: [() => [vector(), vector(), Nx.f32(0), [1]]],
  ...Object.fromEntries(["Max", "Mean", "Min", "Product", "Sum"].map((op) => [`window${op}`, [() => [vector(), [1]]]])),
  ...Object.fromEntries(
    ["add", "max", "min", "mul", "sub"].map((op) => [
      `Quantized.${op}`,
      [() => [fixed(), fixed(), { out: fixed().format }]],
    ]),
  ),
  alignAs: [() => [named(), named()], () => [Nx.f32(1), named()]],
  ...Object.fromEntries(
    Object.keys(Nx.byName).map((name) => [
      `byName.${name}`,
      name === "clamp"
        ? [() => [named(), { min: named() }], () => [named(), { max: 9 }]]
        : name === "where"
          ? [() => [Nx.u8([1, 0, 1], { names: ["x"] }), named(), named()]]
          : [() => [named(), named()], () => [Nx.s64([1, 2], { names: ["x"] }), Nx.s64([3, 4, 5], { names: ["y"] })]],
    ]),
  ),
  ...Object.fromEntries(
    [...TYPES()].map((type) => [`t.${type}`, [() => [Nx.tensor([1, 2], { type: type as Nx.DType })]]]),
  ),
};

function TYPES(): readonly string[] {
  return ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "bf16", "f16", "f32", "f64", "c64", "c128"];
}

/** Functions of functions: what they make is called with a tensor. */
const WRAPPERS: Readonly<Record<string, (fn: AnyFunction) => AnyFunction>> = {
  "Defn.compile": (compile) => (x: Nx.Tensor) => (compile(same as never, [x] as never) as AnyFunction)(x as never),
  ...Object.fromEntries(
    ["defn", "Defn.defn", "Defn.jit", "Defn.vmap"].map((name) => [
      name,
      (wrap: AnyFunction) => (x: Nx.Tensor) =>
        (wrap(((y: Nx.Tensor) => [y, y, Nx.Defn.stopGrad(y)]) as never) as AnyFunction)(x as never),
    ]),
  ),
  ...Object.fromEntries(
    ["grad", "valueAndGrad", "Defn.grad", "Defn.valueAndGrad", "Defn.jacobian", "Defn.hessian", "Defn.vjp"].map(
      (name) => [
        name,
        (wrap: AnyFunction) => (x: Nx.Tensor) => {
          const scalar = /acob|vjp/.test(name) ? same : (y: Nx.Tensor) => Nx.sum(y);
          if (name === "Defn.vjp") {
            const [value, pull] = wrap(scalar as never, x as never) as [Nx.Tensor, AnyFunction];
            return [value, pull(value as never)];
          }
          return (wrap(scalar as never) as AnyFunction)(x as never);
        },
      ],
    ),
  ),
};

/** Functions that give no tensor that could be an operand, or that do so by what they are for. */
const EXEMPT: readonly (readonly [reason: string, names: readonly string[]])[] = [
  [
    "gives no tensor",
    [
      ..."configure configureFromFile groupBy resample rolling t.groupBy t.resample t.rolling host registerBackend inspect range toHeatmap safetensorsInfo serialize toNumpy toNumpyArchive toSafetensors".split(
        " ",
      ),
      ..."backendDeallocate defaultBackend explain globalDefaultBackend item print toBinary toFlatList toFloat64Array toList toMessage toNumber toNumbers toTypedArray".split(
        " ",
      ),
      ..."isTensor axes axisIndex axisSize bitSize byteSize isCompatible names rank shape size type Serving.create Signal.butter".split(
        " ",
      ),
      ..."Batch.concatenate Batch.merge Batch.new Batch.pad Batch.split Batch.stack".split(" "),
      ..."Defn.checkPure Defn.debugExpr Defn.toGraph Defn.defaultOptions Defn.explain Defn.lazy Defn.Composite.count".split(
        " ",
      ),
      ..."Quantized.calibrate Quantized.formatForRange Quantized.inspect Type.castNumber Type.infer".split(" "),
      ..."Type.isComplex Type.isFloat Type.isInteger Type.isSigned Type.isUnsigned Type.merge Type.mergeNumber".split(
        " ",
      ),
      ..."Type.normalize Type.toAggregate Type.toComplex Type.toFloating Type.toReal Type.toString".split(" "),
      ..."t.axisIndex t.axisSize t.equals t.hashCode t.toBinary t.toFlatList t.toFloat64Array t.toJSON t.toList t.toNumber".split(
        " ",
      ),
      ..."t.item t.print t.toNumbers t.toString t.toTypedArray".split(" "),
    ],
  ],
  [
    "takes no tensor",
    [
      ...WINDOWS.map((name) => `Signal.${name}`),
      ..."deserialize fromMessage loadNumpy loadNumpyArchive loadSafetensors fromBinary arange eye fftfreq iota linspace ones rfftfreq template tri zeros".split(
        " ",
      ),
      ..."Constants.e Constants.epsilon Constants.eulerGamma Constants.i Constants.infinity Constants.max".split(" "),
      ..."Constants.maxFinite Constants.min Constants.minFinite Constants.nan Constants.negInfinity".split(" "),
      ..."Constants.pi Constants.smallestPositiveNormal Random.key randomNormal randomUniform".split(" "),
      ..."Type.epsilon Type.max Type.maxFinite Type.min Type.minFinite Type.smallestPositiveNormal toTemplate".split(
        " ",
      ),
      ..."bf16 c128 c64 f16 f32 f64 s16 s32 s64 s8 u16 u32 u64 u8".split(" "),
    ],
  ],
  [
    "gives what a function of the caller gives",
    [..."tidy profile withDefaultBackend withFloatType withPromotion Defn.untraced Defn.Composite.reduce".split(" ")],
  ],
  ["lists the tensors that a container holds, as indexing it would", ["Defn.Composite.leaves"]],
  ["gives back what it was given", ["evaluate"]],
  ["takes its operand for good: one that need not move is handed on", ["backendTransfer"]],
];

const exempt = new Set(EXEMPT.flatMap(([, names]) => names));

function tensorsOf(value: unknown): Nx.Tensor[] {
  if (typeof value === "object" && value !== null && "next" in value)
    return [...(value as unknown as Iterable<Nx.Tensor>)];
  if (value instanceof Nx.Batch.Batch) return [];
  return Nx.Defn.Composite.leaves(value).filter((t) => t instanceof Nx.Tensor);
}

/** The elements of a tensor, of one without vectorized axes. */
const read = (t: Nx.Tensor): string => {
  if (t.backend.name === "template") return "";
  const plain = Nx.devectorize(t);
  const text = Array.from(Nx.toBinary(plain)).join(" ");
  return `${plain.type} ${text}`;
};

/** The arguments of calls that work, and give tensors. */
async function workingCalls(name: string, fn: AnyFunction): Promise<Arguments[]> {
  const plain = name.replace(/^t\./, "");
  const lists = [...(SPECIAL[name] ?? SPECIAL[plain] ?? []), ...GENERAL];
  const working: Arguments[] = [];
  for (const make of lists) {
    if (name !== plain && !(make()[0] instanceof Nx.Tensor)) continue;
    try {
      if (tensorsOf(await fn(...(make() as never[]))).length > 0) working.push(make);
    } catch (error) {
      if (!(error instanceof Nx.NxError)) throw error;
    }
  }
  return working;
}

const wrapped = (name: string, fn: AnyFunction): AnyFunction => WRAPPERS[name]?.(fn) ?? fn;

describe("results and operands", () => {
  it.each(functions.filter(([name]) => !exempt.has(name)))(
    "are released apart from each other: %s",
    async (name, raw) => {
      const fn = wrapped(name, raw);
      const calls = await workingCalls(name, fn);
      expect(calls.length, "no arguments that give a tensor; the table needs some").toBeGreaterThan(0);
      for (const make of calls) {
        const args = make();
        const operands = tensorsOf(args.filter((arg) => typeof arg !== "function"));
        const before = operands.map(read);
        const results = tensorsOf(await fn(...(args as never[])));
        const expected = results.map(read);
        // one result after the other: those that are left stay as they are
        results.forEach((result, i) => {
          Nx.backendDeallocate(result);
          expect(results.slice(i + 1).map(read)).toEqual(expected.slice(i + 1));
        });
        expect(operands.map(read)).toEqual(before);
        const again = tensorsOf(await fn(...(args as never[])));
        Nx.backendDeallocate(operands);
        const left = again.map(read);
        if (name !== "shuffle") expect(left).toEqual(expected); // whose numbers are others at each call
      }
    },
  );

  it("are tested for all functions: those left out say why", () => {
    const names = new Set(functions.map(([name]) => name));
    expect([...exempt, ...Object.keys(SPECIAL), ...Object.keys(WRAPPERS)].filter((name) => !names.has(name))).toEqual(
      [],
    );
  });
});
