/**
 * A network of PyTorch, trained on for pictures that it never saw, and written as a file that other engines run.
 * Run with `npm run example:pytorch`.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as Nx from "nx-numerics";
import { fromOnnx, toOnnx } from "nx-numerics/onnx";
import { adam, applyUpdates, softmaxCrossEntropyWithIntegerLabels, type OptimizerState } from "nx-numerics/optim";
import { plot } from "./terminal";

const STEPS = 60;
const BATCH = 128;
const SIDE = 8;
const KINDS = 4; // rows, columns, and the two diagonals

type Weights = Readonly<Record<string, Nx.Tensor>>;
type Pictures = { readonly images: Nx.Tensor; readonly kinds: Nx.Tensor };

/** Lines at random places with noise over them. PyTorch's pictures were bright lines; these are dark ones on a bright ground. */
const pictures = Nx.defn((key: Nx.Tensor, count: number, sign: number): Pictures => {
  const [own, next] = Nx.unstack(Nx.Random.split(key));
  const kinds = Nx.Random.randintSplit(own!, 0, KINDS, { shape: [count] });
  const places = Nx.Random.randintSplit(next!, 0, SIDE, { shape: [count, 1, 1] });
  const row = Nx.iota([SIDE, SIDE], { axis: 0 });
  const column = Nx.iota([SIDE, SIDE], { axis: 1 });
  const lines = Nx.stack([row, column, Nx.mod(row.subtract(column), SIDE), Nx.mod(row.add(column), SIDE)]);
  const lit = Nx.equal(Nx.take(lines, kinds), places).multiply(sign);
  const noise = Nx.Random.normalSplit(Nx.Random.foldIn(own!, 1), 0, 0.3, { shape: [count, SIDE, SIDE] });
  return { images: Nx.newAxis(lit.add(noise), 1), kinds };
}, { staticArgs: [1, 2] }); // prettier-ignore

const model = fromOnnx(readFileSync(new URL("pytorch.onnx", import.meta.url)));
const scores = (weights: Weights, images: Nx.Tensor): Nx.Tensor => model({ image: images }, weights)["scores"]!;

const accuracy = Nx.defn((weights: Weights, { images, kinds }: Pictures) =>
  Nx.equal(Nx.argmax(Nx.rename(scores(weights, images), [null, null]), { axis: 1 }), kinds).mean(),
);

const optimizer = adam(3e-3);

/** One step: the loss, the weights after it, and what the optimizer remembers. */
const step = Nx.defn((weights: Weights, state: OptimizerState, { images, kinds }: Pictures) => {
  const [loss, gradients] = Nx.valueAndGrad((all: Weights) => {
    const each = softmaxCrossEntropyWithIntegerLabels(Nx.rename(scores(all, images), [null, "kind"]), kinds, {
      axis: "kind",
    });
    return Nx.mean(each);
  })(weights);
  const [updates, next] = optimizer.update(gradients, state, weights);
  return { loss, weights: applyUpdates(weights, updates), state: next };
});

/** What a run of the example comes to, so that a test can look at it. */
export function run(): { before: number; after: number; file: Uint8Array; losses: number[] } {
  const percent = (weights: Weights, sign: number): number =>
    Math.round(Number(accuracy(weights, pictures(Nx.Random.key(99), 2000, sign)).toNumber()) * 1000) / 10;
  let weights: Weights = { ...model.parameters };
  let state = optimizer.init(weights);
  const before = percent(weights, -1);
  const losses: number[] = [];
  for (let i = 0; i < STEPS; i++) {
    const after = step(weights, state, pictures(Nx.Random.key(i), BATCH, -1));
    ({ weights, state } = after);
    losses.push(Number(after.loss.toNumber()));
  }
  const image = Nx.template(["picture", 1, SIDE, SIDE], "f32");
  const { bytes } = toOnnx((images: Nx.Tensor) => scores(weights, images), [image], {
    inputNames: ["image"],
    outputNames: ["scores"],
  });
  return { before, after: percent(weights, -1), file: bytes, losses };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { before, after, file, losses } = run();
  const [input] = model.inputs;
  console.log(
    `A network of PyTorch: ${input!.name} [${input!.dims.join(", ")}], ${Object.keys(model.parameters).length} tensors of weights`,
  );
  console.log(`Dark lines, which it never saw: ${before} % right; after ${STEPS} steps here: ${after} %`);
  console.log(plot(losses));
  console.log(
    `Written as ONNX: ${file.length} bytes, ${Object.keys(fromOnnx(file).parameters).length} tensors of weights`,
  );
}
