/**
 * A small neural network that tells three species of penguins apart by four measures of their bodies.
 * Run with `npm run example:penguins`.
 */
import { fileURLToPath } from "node:url";
import * as Nx from "nx-numerics";
import {
  adamw,
  applyUpdates,
  chain,
  clipByGlobalNorm,
  dropout,
  softmaxCrossEntropyWithIntegerLabels,
  warmupCosineDecay,
  type OptimizerState,
} from "nx-numerics/optim";
import { MEASURES, penguins, SPECIES } from "./data";
import { plot, progress } from "./terminal";

const SEED = 0;
const TRAINING = 240; // penguins to learn from; the other 102 are for the test
const BATCH = 30;
const EPOCHS = 60;
const HIDDEN = 16;
const DROPPED = 0.2; // part of the hidden units that each example of a training step does without

/** Plain objects of tensors are containers: `defn` takes and gives them, and gradients have the same form. */
type Network = {
  readonly toHidden: Nx.Tensor<readonly ["feature", "hidden"]>;
  readonly hiddenBias: Nx.Tensor<readonly ["hidden"]>;
  readonly toClass: Nx.Tensor<readonly ["hidden", "class"]>;
  readonly classBias: Nx.Tensor<readonly ["class"]>;
};

type Sample = {
  readonly measures: Nx.Tensor<readonly ["batch", "feature"]>;
  readonly species: Nx.Tensor<readonly ["batch"]>;
};

/** What a training step passes on: the network, what the optimizer remembers, and the key of the next random numbers. */
type State = { readonly network: Network; readonly optimizer: OptimizerState; readonly key: Nx.Tensor };

/** The learning rate rises for five epochs and falls to nothing until the last. */
const schedule = warmupCosineDecay(0.02, {
  warmupSteps: (5 * TRAINING) / BATCH,
  decaySteps: (EPOCHS * TRAINING) / BATCH,
});
const optimizer = chain(
  clipByGlobalNorm(1),
  adamw(schedule, { weightDecay: 0.01, mask: (parameter) => parameter.rank > 1 }),
);

/** Random weights, as wide as their number of inputs asks for (He et al. 2015, section 2.2). */
const weights = <const N extends Nx.Names>(
  key: Nx.Tensor,
  shape: readonly [inputs: number, outputs: number],
  names: N,
) => Nx.Random.normalSplit(key, 0, Math.sqrt(2 / shape[0]), { shape, names });

function initialState(key: Nx.Tensor): State {
  const keys = Nx.Random.split(key, { parts: 3 });
  const network: Network = {
    toHidden: weights(keys.at(0), [MEASURES.length, HIDDEN], ["feature", "hidden"]),
    hiddenBias: Nx.zeros([HIDDEN], { names: ["hidden"] }),
    toClass: weights(keys.at(1), [HIDDEN, SPECIES.length], ["hidden", "class"]),
    classBias: Nx.zeros([SPECIES.length], { names: ["class"] }),
  };
  return { network, optimizer: optimizer.init(network), key: keys.at(2) };
}

/** One hidden layer with the activation max(x, 0). */
const hiddenLayer = (network: Network, measures: Sample["measures"]) =>
  measures.dot(network.toHidden).add(network.hiddenBias).relu();

/** A score for each penguin and class. */
const scores = (network: Network, hidden: Nx.Tensor) => hidden.dot(network.toClass).add(network.classBias);

/** Mean over the batch of minus the logarithm of the probability that the network gives the right class. */
function loss(network: Network, { measures, species }: Sample, key: Nx.Tensor) {
  const hidden = dropout(key, hiddenLayer(network, measures), { rate: DROPPED });
  return softmaxCrossEntropyWithIntegerLabels(scores(network, hidden), species).mean();
}

/** Loss, gradient and update in one function, traced at the first batch and run from the cache at all others. */
const trainingStep = Nx.defn((state: State, batch: Sample) => {
  const [own, next] = Nx.Random.split(state.key);
  const [value, gradient] = Nx.valueAndGrad(loss)(state.network, batch, own!);
  const [updates, remembered] = optimizer.update(gradient, state.optimizer, state.network);
  const network = applyUpdates(state.network, updates);
  return { state: { network, optimizer: remembered, key: next! }, loss: value };
});

/** The part of the penguins of the test that are told right, and how many of each species were taken for each. */
const evaluate = Nx.defn((network: Network, { measures, species }: Sample) => {
  const predicted = scores(network, hiddenLayer(network, measures)).argmax({ axis: "class" });
  const rows = species.oneHot(SPECIES.length, { type: "s64", name: "actual" });
  const columns = predicted.oneHot(SPECIES.length, { type: "s64", name: "predicted" });
  const confusion = Nx.dot(rows, columns, { contract: "batch" });
  return { accuracy: Nx.equal(predicted, species).mean(), confusion };
});

/** The penguins of the given rows. */
const pick = (all: { readonly measures: Nx.Tensor; readonly species: Nx.Tensor }, rows: Nx.Tensor) =>
  ({ measures: all.measures.take(rows), species: all.species.take(rows) }) as Sample;

/** Shuffled row numbers on the axis `batch`, and the next key. */
const shuffled = (key: Nx.Tensor, rows: number) => Nx.Random.shuffle(key, Nx.iota([rows], { names: ["batch"] }));

/** Training and test set, standardised by means and deviations of the training set alone. */
function split(key: Nx.Tensor) {
  const all = penguins();
  const [order] = shuffled(key, all.species.axisSize("penguin"));
  const training = pick(all, order.at(Nx.range(0, TRAINING)));
  const test = pick(all, order.at(Nx.range(TRAINING)));
  const mean = training.measures.mean({ axes: ["batch"] });
  const deviation = training.measures.standardDeviation({ axes: ["batch"] });
  const standard = (set: Sample) => ({ ...set, measures: set.measures.subtract(mean).divide(deviation) });
  return { training: standard(training), test: standard(test) };
}

/** Trains a network and tests it. Every random choice follows from the seed. */
export function train(seed: number, onEpoch: (epoch: number, loss: number) => void) {
  const keys = Nx.Random.split(Nx.Random.key(seed), { parts: 3 });
  const { training, test } = split(keys.at(0));
  let state = initialState(keys.at(1));
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    const [order] = shuffled(Nx.Random.foldIn(keys.at(2), epoch), TRAINING);
    const losses = [];
    for (const rows of Nx.toBatched(order, BATCH)) {
      const step = trainingStep(state, pick(training, rows));
      state = step.state;
      losses.push(step.loss);
    }
    onEpoch(epoch, Nx.stack(losses).mean().item());
  }
  return evaluate(state.network, test);
}

function main(): void {
  console.log(`Penguins of the Palmer archipelago: ${TRAINING} to learn from, by ${MEASURES.length} measures each\n`);
  const losses: number[] = [];
  const { accuracy, confusion } = train(SEED, (epoch, loss) => {
    losses.push(loss);
    progress(epoch, EPOCHS, `epoch ${epoch} of ${EPOCHS}, loss ${loss.toFixed(3)}`);
  });
  console.log(`\nLoss by epoch\n${plot(losses)}`);
  const told = accuracy.item() * 100;
  console.log(`\nSpecies told right: ${told.toFixed(1)} % of ${confusion.sum().item()} penguins not seen before`);
  console.log(`${"".padEnd(11)}${SPECIES.map((name) => name.padStart(11)).join("")}  <- predicted`);
  SPECIES.forEach((name, actual) => {
    const row = confusion.at({ actual }).toNumbers();
    console.log(`${name.padEnd(11)}${row.map((count) => String(count).padStart(11)).join("")}`);
  });
  console.log(String(Nx.toHeatmap(confusion)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
