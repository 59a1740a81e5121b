/**
 * Writes tfjs-table.json next to this file: what the left cells of the tables of docs/from-tensorflow.md are in TensorFlow.js.
 *
 * Run: npm --prefix bench ci && npx tsx test/oracles/make_tfjs_table.ts
 *
 * It goes by the rules of beside.py.
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { otherRows } from "../../scripts/others";

/** What of TensorFlow.js is called here. */
interface TfTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  dataSync(): Iterable<number>;
  reshape(shape: readonly number[]): TfTensor;
  square(): TfTensor;
  sum(): TfTensor;
}
interface Tf {
  readonly Tensor: new () => TfTensor;
  tensor(values: unknown, shape?: readonly number[], type?: string): TfTensor;
  complex(real: readonly number[], imaginary: readonly number[]): TfTensor;
  range(start: number, stop: number): TfTensor;
}

const tf = createRequire(new URL("../../bench/package.json", import.meta.url))("@tensorflow/tfjs") as Tf;

/** How names alone are called, and codes that need more than what is given. */
const CALLS: Readonly<Record<string, string>> = {
  'tf.conv2d(tf.ones([4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, "same")':
    'tf.conv2d(tf.ones([4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, "same").reshape([1, 1, 4, 4])',
  'tf.maxPool(m.expandDims(2), 2, 2, "valid")': 'tf.maxPool(m.expandDims(2), 2, 2, "valid").squeeze([2])',
  'tf.avgPool(m.expandDims(2), 2, 1, "valid")': 'tf.avgPool(m.expandDims(2), 2, 1, "valid").squeeze([2])',
  "tf.valueAndGrad(f)(x)": "(({ value, grad }) => [value, grad])(tf.valueAndGrad(f)(x))",
  "tf.valueAndGrads((p, q) => p.mul(q).sum())([x, y])":
    "(({ value, grads }) => [value, grads])(tf.valueAndGrads((p, q) => p.mul(q).sum())([x, y]))",
  "tf.bincount": "tf.bincount(i, [], 3)",
  "tf.denseBincount": "tf.denseBincount(i, [], 3)",
  "tf.spectral.fft": "tf.spectral.fft(tf.complex(x, [0, 0, 0]))",
  "tf.fft": "tf.fft(tf.complex(x, [0, 0, 0]))",
  "tf.ifft": "tf.ifft(tf.complex(x, [0, 0, 0]))",
  "tf.irfft": "tf.irfft(tf.complex(x, [0, 0, 0])).flatten()",
  "tf.step": "tf.step(x)",
  "tf.squeeze": "tf.squeeze(x.expandDims(0))",
  "tf.logicalAnd": "mask.logicalAnd(x.greater(0))",
  "tf.logicalOr": "mask.logicalOr(x.greater(0))",
  "tf.logicalXor": "mask.logicalXor(x.greater(0))",
  "tf.addN": "tf.addN([a, b, a])",
  "tf.batchNorm": "((t) => tf.batchNorm(a, t.mean, t.variance))(tf.moments(a, 0))",
  "tf.batchNorm2d": "((t) => tf.batchNorm2d(a, t.mean, t.variance))(tf.moments(a, 0))",
  "tf.localResponseNormalization": "tf.localResponseNormalization(x.reshape([1, 1, 3]), 1).flatten()",
  "tf.movingAverage": "tf.movingAverage(tf.variable(x), y, 0.9, undefined, false)",
  "tf.math.confusionMatrix": "tf.math.confusionMatrix(i, i, 3)",
  "tf.buffer": "((t) => (t.set(7, 0), t.set(8, 2), t.toTensor()))(tf.buffer([3]))",
  "tf.sparseToDense": "tf.sparseToDense([[0], [2]], [7, 8], [3])",
  "tf.reverse1d": "tf.reverse1d(x)",
  "tf.reverse2d": "tf.reverse2d(a, 0)",
  "tf.reverse3d": "tf.reverse3d(s, 0)",
  "tf.reverse4d": "tf.reverse4d(s.expandDims(0), 1)",
  "tf.slice1d": "tf.slice1d(x, 1, 2)",
  "tf.slice4d": "tf.slice4d(s.expandDims(0), [0, 0, 1, 0], [1, 2, 1, 2])",
  "tf.pad1d": "tf.pad1d(x, [1, 1])",
  "tf.pad2d": "tf.pad2d(a, [[1, 1], [0, 0]])",
  "tf.pad3d": "tf.pad3d(s, [[1, 1], [0, 0], [0, 0]])",
  "tf.pad4d": "tf.pad4d(s.expandDims(0), [[0, 0], [1, 1], [0, 0], [0, 0]])",
  "tf.mirrorPad": 'tf.mirrorPad(x, [[2, 2]], "reflect")',
  "tf.broadcastArgs": 'tf.broadcastArgs(tf.tensor([2, 3], [2], "int32"), tf.tensor([3], [1], "int32"))',
  "tf.depthToSpace": "tf.depthToSpace(tf.range(0, 16).reshape([1, 2, 2, 4]), 2)",
  "tf.spaceToBatchND": "tf.spaceToBatchND(tf.range(0, 16).reshape([1, 4, 4, 1]), [2, 2], [[0, 0], [0, 0]])",
  "tf.batchToSpaceND": "tf.batchToSpaceND(tf.range(0, 16).reshape([4, 2, 2, 1]), [2, 2], [[0, 0], [0, 0]])",
  "tf.searchSorted": "tf.searchSorted(x, y).flatten()",
  "tf.upperBound": "tf.upperBound(x, y).flatten()",
  "tf.lowerBound": "tf.lowerBound(x, y).flatten()",
  "tf.meshgrid": "tf.meshgrid(x, y)",
  "tf.divNoNan": "tf.divNoNan(a, b)",
  "tf.Tensor.asType": 'x.asType("int32")',
  "tf.Tensor.asScalar": "tf.tensor([3]).asScalar()",
  "tf.Tensor.as2D": "a.as2D(3, 2)",
  "tf.Tensor.as3D": "a.as3D(1, 3, 2)",
  "tf.Tensor.as4D": "a.as4D(1, 1, 3, 2)",
  "tf.Tensor.as5D": "a.as5D(1, 1, 1, 3, 2)",
  "tf.Tensor.reshapeAs": "a.reshapeAs(a.transpose())",
  "tf.Tensor.buffer": "(await a.buffer()).values",
  "tf.Tensor.bufferSync": "a.bufferSync().values",
  "tf.inTopKAsync": "await tf.inTopKAsync(a, i.slice(0, 2), 2)",
  "tf.setdiff1dAsync": "(await tf.setdiff1dAsync(x, y))[0]",
  "tf.signal.frame": "tf.signal.frame(tf.range(0, 64), 16, 8)",
  "tf.signal.hannWindow": "tf.signal.hannWindow(16)",
  "tf.signal.hammingWindow": "tf.signal.hammingWindow(16)",
  "tf.cosineWindow": "tf.cosineWindow(16, 0.5, 0.5)",
  "tf.enclosingPowerOfTwo": "tf.enclosingPowerOfTwo(100)",
  "tf.conv1d":
    'tf.conv1d(tf.range(0, 4).reshape([4, 1]), tf.range(0, 3).reshape([3, 1, 1]), 1, "same").reshape([1, 1, 4])',
  "tf.conv3d": 'tf.conv3d(tf.ones([4, 4, 4, 1]), tf.ones([3, 3, 3, 1, 1]), 1, "same").reshape([1, 1, 4, 4, 4])',
  "tf.conv2dTranspose":
    'tf.conv2dTranspose(tf.range(0, 16).reshape([4, 4, 1]), tf.range(0, 9).reshape([3, 3, 1, 1]), [9, 9, 1], 2, "valid").reshape([1, 1, 9, 9])',
  "tf.conv3dTranspose":
    'tf.conv3dTranspose(tf.ones([4, 4, 4, 1]), tf.ones([3, 3, 3, 1, 1]), [9, 9, 9, 1], 2, "valid").reshape([1, 1, 9, 9, 9])',
  "tf.depthwiseConv2d":
    'tf.depthwiseConv2d(tf.ones([4, 4, 2]), tf.ones([3, 3, 2, 1]), 1, "valid").transpose([2, 0, 1]).expandDims()',
  "tf.avgPool3d": 'tf.avgPool3d(s.expandDims(3), [1, 2, 2], 1, "valid").squeeze([3])',
  "tf.maxPool3d": 'tf.maxPool3d(s.expandDims(3), [1, 2, 2], 1, "valid").squeeze([3])',
  "tf.pool": 'tf.pool(m.expandDims(2), 2, "max", "valid").squeeze([2])',
  "tf.image.flipLeftRight": "tf.image.flipLeftRight(a.expandDims(0).expandDims(3)).squeeze()",
  "tf.image.threshold": 'tf.image.threshold(a.expandDims(2), "binary", false, 3 / 255).squeeze([2])',
  "tf.image.grayscaleToRGB": "tf.image.grayscaleToRGB(a.expandDims(2))",
  "tf.image.rgbToGrayscale": "tf.image.rgbToGrayscale(a.expandDims(0)).squeeze([0, 2])",
  "tf.image.resizeNearestNeighbor": "tf.image.resizeNearestNeighbor(a.expandDims(2), [4, 6]).squeeze([2])",
  "tf.image.resizeBilinear": "tf.image.resizeBilinear(a.expandDims(2), [2, 5], true).squeeze([2])",
  "tf.tensor1d": "tf.tensor1d([1, 2])",
  "tf.util.toNestedArray": "tf.util.toNestedArray([2, 3], a.dataSync())",
  "tf.util.toTypedArray": 'tf.util.toTypedArray(a.arraySync(), "float32")',
  "tf.util.flatten": "tf.util.flatten(a.arraySync())",
  "tf.util.sizeFromShape": "tf.util.sizeFromShape([2, 3])",
};

/** Why nothing is computed, by patterns of codes or full names. */
const REASONS: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/random|^tf\.(multinomial|truncatedNormal|rand|util\.shuffle)$/, "drawn from other bits"],
  [
    /print|dtype|toString|canvas|memory|OutType|upcastType|^tf\.(backend|getBackend|ready|engine)$|bytes/,
    "a text or an object",
  ],
  [/setBackend|enableDebugMode|^tf\.(time|profile)$|dataToGPU/, "what runs it"],
  [/^tf\.browser|^model|^tf\.io$/, "a canvas or a file"],
  [/signal\.stft/, "zeros up to rounding of 32 bits"],
  [/variableGrads|customGrad/, "variables, or a function of functions"],
  [/^tf\.batchNorm[34]d|^tf\.concat[134]d|^tf\.(tensor[3-6]d)$|^tf\.separableConv2d/, "as the one beside it"],
];

/** As test/docs/given.ts has it. */
const given = (): Record<string, unknown> => ({
  tf,
  a: tf.tensor([[1, 5, 2], [4, 3, 6]]), // prettier-ignore
  b: tf.tensor([[2, 1, 3], [1, 2, 5]]), // prettier-ignore
  x: tf.tensor([-0.5, 1.5, 2]),
  y: tf.tensor([1, 2, 0.25]),
  m: tf.tensor([[4, 1, 0], [1, 3, 1], [0, 1, 2]]), // prettier-ignore
  u: tf.tensor([[1, 5, 2], [4, 3, 6]]), // prettier-ignore
  s: tf.range(0, 8).reshape([2, 2, 2]),
  c: tf.complex([1], [2]),
  i: tf.tensor([0, 2, 2], undefined, "int32"),
  mask: tf.tensor([1, 0, 1], undefined, "bool"),
  gaps: tf.tensor([1, NaN, 3]),
  f: (t: TfTensor) => t.square().sum(),
});

/** What our code gives to its function: of a method, the tensor first; of any other code, the tensors it names. */
function argumentsOf(ours: string): readonly string[] {
  const call = /^([a-z]\w*)\.\w+\(([^(){}]*)\)$/.exec(ours) ?? /^Nx\.[\w.]+\(([^(){}]*)\)$/.exec(ours);
  const named = ours.match(/(?<![\w.])(?:[abcimsuxy]|mask|gaps)(?![\w:])/g) ?? [];
  return call ? call.slice(1).filter((text) => text !== "") : [...new Set(named)];
}

/** How a code that is a name alone is evaluated: a function with our arguments, a method or property of the first of them. */
function called(name: string, ours: string): string {
  const [first = "", ...rest] = argumentsOf(ours);
  const member = /^tf\.Tensor\.(\w+)$/.exec(name)?.[1];
  if (member === undefined) return `${name}(${[first, ...rest].filter(Boolean).join(", ")})`;
  const isMethod = typeof Reflect.get(tf.tensor([1]), member) === "function";
  return isMethod ? `${first}.${member}(${rest.join(", ")})` : `${first}.${member}`;
}

const coded = (number: number): number | string => (Number.isFinite(number) ? number : String(number)); // as test/oracles/read.ts reads it

/** Shape and elements, or a list of entries; undefined for what has no numbers. */
function entry(value: unknown): unknown {
  if (value instanceof tf.Tensor) {
    if (value.dtype === "string") return undefined;
    const elements = [...value.dataSync()].map(Number);
    if (value.dtype !== "complex64") return { shape: value.shape, elements: elements.map(coded) };
    return {
      shape: value.shape,
      elements: elements.flatMap((re, at) => (at % 2 === 0 ? [[re, elements[at + 1]]] : [])),
    };
  }
  if (ArrayBuffer.isView(value)) return entry(tf.tensor([...(value as Float32Array)]));
  if (typeof value === "number" || typeof value === "boolean") return { shape: [], elements: [coded(Number(value))] };
  if (Array.isArray(value) && value.every((item) => typeof item === "number")) return entry(tf.tensor(value));
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.values(value as object).map(entry);
  return entries.length === 0 || entries.includes(undefined) ? undefined : entries;
}

/** The value of a code. */
async function evaluated(code: string): Promise<unknown> {
  const scope = given();
  const module = (await import(
    `data:text/javascript,${encodeURIComponent(`export default async ({ ${Object.keys(scope).join(", ")} }) => (${code})`)}`
  )) as { default: (scope: object) => Promise<unknown> };
  return module.default(scope);
}

const rows: object[] = [];
const failures: string[] = [];
const used = new Set<unknown>();
for (const { theirs, name = "", ours } of otherRows().flatMap(({ library, pairs }) =>
  library === "TensorFlow.js" ? pairs : [],
)) {
  const reason = REASONS.find(([pattern]) => pattern.test(theirs) || pattern.test(name));
  if (reason) {
    used.add(reason);
    rows.push({ theirs, ours, why: reason[1] });
    continue;
  }
  const isName = /^\.?[\w.]+$/.test(theirs);
  const key = [theirs, isName ? name : theirs].find((candidate) => candidate in CALLS);
  if (key !== undefined) used.add(key);
  const call = key === undefined ? (isName ? called(name, ours) : theirs) : CALLS[key]!;
  try {
    const is = entry(await evaluated(call));
    if (is === undefined) failures.push(`${theirs} | ${ours} | ${call} | no numbers`);
    else rows.push({ theirs, ours, ...(call === theirs ? {} : { call }), is });
  } catch (error) {
    failures.push(`${theirs} | ${ours} | ${call} | ${String(error).slice(0, 100)}`);
  }
}
failures.push(
  ...[...Object.keys(CALLS), ...REASONS].filter((key) => !used.has(key)).map((key) => `unused: ${String(key)}`),
);
if (failures.length > 0) throw new Error([...failures, `${failures.length} without a value`].join("\n"));
writeFileSync(
  new URL("tfjs-table.json", import.meta.url),
  `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`,
);
console.log(rows.filter((row) => "is" in row).length, "of", rows.length, "codes");
