/**
 * Losses of classifiers, and the steps of optimizers that models for training hold.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import { cast, full, operator, range, reshape, several, type Call, type Operators, type Result } from "../operator";
import { logSoftmax } from "./activations";

/** Less the score of the class that is right, by its weight; classes are the second axis. */
function negativeLogLikelihood(call: Call, scores: Tensor, target: Tensor, weight?: Tensor): Tensor {
  const { attributes } = call;
  const reduction = attributes.choice("reduction", ["none", "mean", "sum"], "mean");
  const ignored = attributes.int("ignore_index");
  const isKept = ignored === undefined ? null : (Nx.notEqual(target, ignored) as Tensor);
  const classes = isKept ? (Nx.where(isKept, target, Nx.zerosLike(target)) as Tensor) : target;
  const chosen = Nx.takeAlongAxis(scores, Nx.newAxis(classes, 1), { axis: 1 });
  const loss = Nx.negate(reshape(chosen as Tensor, target.shape)) as Tensor;
  const own = weight === undefined ? null : (Nx.take(weight, classes) as Tensor);
  const shares = isKept
    ? (Nx.multiply(own ?? full(target.shape, 1, scores.type), cast(isKept, scores.type)) as Tensor)
    : own;
  const weighed = shares ? (Nx.multiply(loss, shares) as Tensor) : loss;
  if (reduction === "none") return weighed;
  const sum = Nx.sum(weighed) as Tensor;
  if (reduction === "sum") return sum;
  return Nx.divide(sum, shares ? Nx.sum(shares) : target.size) as Tensor;
}

function softmaxCrossEntropy(call: Call, scores: Tensor, labels: Tensor, weights?: Tensor): Result {
  const logs = logSoftmax(scores, 1);
  return several(negativeLogLikelihood(call, logs, labels, weights), logs);
}

type Triple = readonly Tensor[];

/** An optimizer over several tensors: after rate and step come all tensors, all gradients, and all of each state. */
const optimizer = (states: number, step: (call: Call, rate: Tensor, count: Tensor, part: Triple) => Triple) =>
  operator([2 + 2 + states, Infinity], (call: Call, rate: Tensor, count: Tensor, ...rest: Tensor[]): Result => {
    const tensors = rest.length / (2 + states);
    if (!Number.isInteger(tensors))
      throw new ArgumentError(`${rest.length} tensors are not ${2 + states} for each parameter`);
    const parts = range(tensors).map((i) => {
      const own = range(2 + states).map((k) => rest[k * tensors + i]!);
      const { shape } = own[0]!;
      const other = own.find((t) => t.shape.join() !== shape.join())?.shape;
      if (other === undefined) return step(call, rate, count, own);
      throw new ArgumentError(
        `a parameter of shape [${shape.join(", ")}] has a gradient or state of shape [${other.join(", ")}]`,
      );
    });
    return several(...range(1 + states).flatMap((k) => parts.map((part) => part[k]!)));
  });

const scaled = (x: Tensor, by: number | Tensor): Tensor => Nx.multiply(x, by) as Tensor;

const regularized = (call: Call, x: Tensor, g: Tensor): Tensor =>
  Nx.add(scaled(x, call.attributes.float("norm_coefficient", 0)), g) as Tensor;

const adagrad = optimizer(1, (call, rate, count, [x, gradient, h]) => {
  const decayed = Nx.divide(
    rate,
    Nx.add(scaled(cast(count, "f32"), call.attributes.float("decay_factor", 0)), 1),
  ) as Tensor;
  const g = regularized(call, x!, gradient!);
  const squares = Nx.add(h!, scaled(g, g)) as Tensor;
  const adapted = Nx.add(Nx.sqrt(squares), call.attributes.float("epsilon", 1e-6));
  return [Nx.subtract(x!, Nx.divide(scaled(g, decayed), adapted)) as Tensor, squares];
});

const adam = optimizer(2, (call, rate, count, [x, gradient, v, h]) => {
  const [alpha, beta] = [call.attributes.float("alpha", 0.9), call.attributes.float("beta", 0.999)];
  const g = regularized(call, x!, gradient!);
  const mean = Nx.add(scaled(v!, alpha), scaled(g, 1 - alpha)) as Tensor;
  const squares = Nx.add(scaled(h!, beta), scaled(scaled(g, g), 1 - beta)) as Tensor;
  const steps = cast(count, "f32");
  const correction = Nx.divide(Nx.sqrt(Nx.subtract(1, Nx.pow(beta, steps))), Nx.subtract(1, Nx.pow(alpha, steps)));
  const adjusted = Nx.where(Nx.greater(count, 0), scaled(rate, correction as Tensor), rate);
  const change = Nx.divide(
    scaled(mean, adjusted as Tensor),
    Nx.add(Nx.sqrt(squares), call.attributes.float("epsilon", 1e-6)),
  );
  const next = Nx.subtract(x!, change) as Tensor;
  return [scaled(next, 1 - call.attributes.float("norm_coefficient_post", 0)), mean, squares];
});

const momentum = optimizer(1, (call, rate, count, [x, gradient, v]) => {
  const g = regularized(call, x!, gradient!);
  const alpha = call.attributes.float("alpha", 0);
  const share = Nx.where(Nx.greater(count, 0), call.attributes.float("beta", 1), 1) as Tensor;
  const mean = Nx.add(scaled(v!, alpha), scaled(g, cast(share, g.type))) as Tensor;
  const isNesterov = call.attributes.choice("mode", ["standard", "nesterov"], "standard") === "nesterov";
  const direction = isNesterov ? Nx.add(g, scaled(mean, alpha)) : mean;
  return [Nx.subtract(x!, scaled(direction as Tensor, rate)) as Tensor, mean];
});

export const LOSSES: Operators = {
  NegativeLogLikelihoodLoss: operator([2, 3], negativeLogLikelihood),
  SoftmaxCrossEntropyLoss: operator([2, 3], softmaxCrossEntropy),
};

export const TRAINING: Operators = { Adagrad: adagrad, Adam: adam, Momentum: momentum };
