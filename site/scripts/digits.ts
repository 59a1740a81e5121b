/**
 * Trains the network of the demonstration of digits and writes it as an ONNX model: `npx tsx site/scripts/digits.ts digits.csv.gz`.
 *
 * The data are the 1,797 digits of 8x8 pixels of scikit-learn (`sklearn/datasets/data/digits.csv.gz`, a copy of the test set of Alpaydin and
 * Kaynak's Optical Recognition of Handwritten Digits, UCI, 1998, CC BY 4.0). They are not part of this repository; the trained weights are.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as Nx from "nx-numerics";
import { toOnnx } from "nx-numerics/onnx";
import { adam, applyUpdates, softmaxCrossEntropyWithIntegerLabels } from "nx-numerics/optim";

const SIDE = 8;
const BATCH = 64;
const EPOCHS = 60;
const CHANNELS = 12;
const TEST = 297;

const rows = gunzipSync(readFileSync(process.argv[2]!))
  .toString()
  .trim()
  .split("\n")
  .map((line) => line.split(",").map(Number));
const pixels = Nx.f32(rows.map((row) => row.slice(0, SIDE * SIDE)))
  .divide(16)
  .reshape([rows.length, 1, SIDE, SIDE], { names: ["digit", "channel", "row", "column"] });
const labels = Nx.s64(
  rows.map((row) => row.at(-1)!),
  { names: ["digit"] },
);

interface Weights {
  readonly first: Nx.Tensor;
  readonly second: Nx.Tensor;
  readonly bias: Nx.Tensor;
  readonly dense: Nx.Tensor;
  readonly offset: Nx.Tensor;
}

function initial(seed: number): Weights {
  const [a, b, c] = Nx.unstack(Nx.Random.split(Nx.Random.key(seed), { parts: 3 }));
  const normal = (key: Nx.Tensor, shape: readonly number[], inputs: number): Nx.Tensor =>
    Nx.Random.normalSplit(key, 0, Math.sqrt(2 / inputs), { shape: [...shape] });
  return {
    first: normal(a!, [CHANNELS, 1, 3, 3], 9),
    second: normal(b!, [2 * CHANNELS, CHANNELS, 3, 3], 9 * CHANNELS),
    bias: Nx.zeros([2 * CHANNELS, 1, 1]),
    dense: normal(c!, [2 * CHANNELS * 16, 10], 2 * CHANNELS * 16),
    offset: Nx.zeros([10]),
  };
}

/** Two convolutions, the second one of every other place, and a layer to ten scores. */
function scores({ first, second, bias, dense, offset }: Weights, images: Nx.Tensor): Nx.Tensor {
  const plain = images.rename([null, null, null, null]);
  const edges = Nx.conv(plain, first, { padding: "same" }).relu();
  const parts = Nx.conv(edges, second, { padding: [[1, 0], [1, 0]], strides: 2 }).add(bias).relu(); // prettier-ignore
  return parts
    .reshape([images.shape[0]!, 2 * CHANNELS * 16])
    .dot(dense)
    .add(offset);
}

const optimizer = adam(0.002);
const loss = (weights: Weights, images: Nx.Tensor, digits: Nx.Tensor): Nx.Tensor =>
  softmaxCrossEntropyWithIntegerLabels(scores(weights, images), digits.rename([null])).mean();
const step = Nx.defn(
  (weights: Weights, state: ReturnType<typeof optimizer.init>, images: Nx.Tensor, digits: Nx.Tensor) => {
    const [value, gradient] = Nx.valueAndGrad(loss)(weights, images, digits);
    const [updates, next] = optimizer.update(gradient, state);
    return [applyUpdates(weights, updates), next, value] as const;
  },
);

let drawn = 1;
/** Numbers from 0 to 1 (Park and Miller, 1988). */
const random = (): number => (drawn = (drawn * 48_271) % 2_147_483_647) / 2_147_483_647;

/** Images up to a pixel aside, and of other darkness, as drawn ones are. */
function moved(images: Nx.Tensor): Nx.Tensor {
  const [down, right] = [Math.floor(3 * random()), Math.floor(3 * random())];
  const padded = Nx.pad(images, 0, [[0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 1, 0]]); // prettier-ignore
  const cut = Nx.slice(padded, [0, 0, down, right], [images.shape[0]!, 1, SIDE, SIDE]);
  return cut.multiply(0.8 + 0.4 * random()).clip(0, 1);
}

const count = rows.length - TEST;
let weights = initial(5);
let state = optimizer.init(weights);
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  const order = Nx.Random.permutation(Nx.Random.key(epoch), count)[0];
  let last = 0;
  for (let at = 0; at + BATCH <= count; at += BATCH) {
    const picked = Nx.slice(order, [at], [BATCH]);
    const images = moved(Nx.take(pixels, picked, { axis: "digit" }));
    const [next, kept, value] = step(weights, state, images, Nx.take(labels, picked, { axis: "digit" }));
    [weights, state, last] = [next, kept, value.item() as number];
  }
  if (epoch % 10 === 9) console.log(`epoch ${epoch + 1}: loss ${last.toFixed(4)}`);
}

const unseen = Nx.slice(pixels, [count, 0, 0, 0], [TEST, 1, SIDE, SIDE]);
const right = scores(weights, unseen)
  .argmax(1)
  .equal(Nx.slice(labels, [count], [TEST]).rename([null]))
  .mean();
console.log(`${(100 * (right.item() as number)).toFixed(1)} % of ${TEST} digits not seen in training are told right`);

const model = toOnnx(
  (image: Nx.Tensor) => Nx.softmax(scores(weights, image)),
  [Nx.template([1, 1, SIDE, SIDE], "f32")],
  {
    inputNames: ["image"],
    outputNames: ["digit"],
  },
);
const file = new URL("../demos/digits.onnx", import.meta.url);
writeFileSync(file, model.bytes);
console.log(`${model.bytes.length} bytes; ${model.notes.join("; ")}`);
