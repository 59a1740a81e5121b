/**
 * Small networks in nx-numerics: a step of training, and forward passes.
 */
import * as Nx from "nx-numerics";
import { EPSILON, HEADS, LEARNING_RATE, type Inputs, type Programs } from "../program";

type Tensor = Nx.Tensor;
type Result = Tensor | Tensor[];

type Weights = [w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor];

const scores = ([w1, b1, w2, b2]: Weights, x: Tensor): Tensor => Nx.relu(x.dot(w1).add(b1)).dot(w2).add(b2);

const loss = (weights: Weights, x: Tensor, labels: Tensor): Tensor =>
  Nx.logSoftmax(scores(weights, x), { axis: 1 })
    .multiply(labels)
    .sum({ axes: [1] })
    .mean()
    .negate();

const train = Nx.defn((weights: Weights, x: Tensor, labels: Tensor): Tensor[] => {
  const slopes = Nx.grad(loss)(weights, x, labels);
  return weights.map((weight, i) => weight.subtract(slopes[i]!.multiply(LEARNING_RATE)));
});

const forward = Nx.defn(scores);

const weightsOf = ({ w1, b1, w2, b2 }: Inputs<Tensor>): Weights => [w1!, b1!, w2!, b2!];

/** A convolution as large as its input, with bias, then the largest of each 2x2. */
const layer = (x: Tensor, filters: Tensor, bias: Tensor): Tensor =>
  Nx.windowMax(Nx.relu(Nx.conv(x, filters, { padding: "same" }).add(bias.reshape([bias.size, 1, 1]))), [1, 1, 2, 2], {
    strides: [1, 1, 2, 2],
  });

const classify = Nx.defn((x: Tensor, { k1, c1, k2, c2, w, b }: Inputs<Tensor>) =>
  layer(layer(x, k1!, c1!), k2!, c2!)
    .reshape([x.shape[0]!, w!.shape[0]!])
    .dot(w!)
    .add(b!),
);

function normalize(x: Tensor, gain: Tensor, shift: Tensor): Tensor {
  const centred = x.subtract(x.mean({ axes: [-1], keepAxes: true }));
  const variance = centred.multiply(centred).mean({ axes: [-1], keepAxes: true });
  return centred.multiply(variance.add(EPSILON).rsqrt()).multiply(gain).add(shift);
}

const split = (x: Tensor): Tensor =>
  x.reshape([x.shape[0]!, HEADS, x.shape[1]! / HEADS]).transpose({ axes: [1, 0, 2] });

function attend(x: Tensor, { wq, wk, wv, wo }: Inputs<Tensor>): Tensor {
  const [query, key, value] = [wq, wk, wv].map((w) => split(x.dot(w!))) as [Tensor, Tensor, Tensor];
  const scale = 1 / Math.sqrt(query.shape[2]!);
  const alike = Nx.dot(query, key, { contract: [[2], [2]], batch: [[0], [0]] });
  const shares = Nx.softmax(alike.multiply(scale), { axis: -1 });
  const mixed = Nx.dot(shares, value, { contract: [[2], [1]], batch: [[0], [0]] });
  return mixed
    .transpose({ axes: [1, 0, 2] })
    .reshape(x.shape)
    .dot(wo!);
}

/** A block that normalizes before it attends, and before its two layers. */
const transform = Nx.defn((x: Tensor, weights: Inputs<Tensor>) => {
  const { g1, s1, g2, s2, w1, b1, w2, b2 } = weights;
  const attended = x.add(attend(normalize(x, g1!, s1!), weights));
  const hidden = Nx.gelu(normalize(attended, g2!, s2!).dot(w1!).add(b1!));
  return attended.add(hidden.dot(w2!).add(b2!));
});

/** A function of the operand x and of all others as weights. */
const weighted =
  (fn: (x: Tensor, weights: Inputs<Tensor>) => Result) =>
  ({ x, ...weights }: Inputs<Tensor>) =>
  (): Result =>
    fn(x!, weights);

export const networks: Programs<Tensor, Result> = {
  train: (inputs) => {
    const weights = weightsOf(inputs);
    return () => train(weights, inputs.x!, inputs.labels!);
  },
  mlp: (inputs) => {
    const weights = weightsOf(inputs);
    return () => forward(weights, inputs.x!);
  },
  cnn: weighted(classify),
  transformer: weighted(transform),
};
