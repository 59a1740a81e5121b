/**
 * A small neural network that tells three species of penguins apart by four measures of their bodies.
 * Run with `npm run example:penguins`.
 */
import { fileURLToPath } from "node:url";
import * as Nx from "nx-numerics";
import { MEASURES, penguins, SPECIES } from "./data";
import { plot, progress } from "./terminal";

const SEED = 0;
const TRAINING = 240; // penguins to learn from; the other 102 are for the test
const BATCH = 30;
const EPOCHS = 60;
const HIDDEN = 16;

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

/** What a training step passes on: the network, and Adam's running means of the gradient and of its square. */
type State = { readonly network: Network; readonly mean: Network; readonly square: Network; readonly steps: Nx.Tensor };

const { map } = Nx.Defn.Composite;

/** Random weights, as wide as their number of inputs asks for (He et al. 2015, section 2.2). */
const weights = <const N extends Nx.Names>(
  key: Nx.Tensor,
  shape: readonly [inputs: number, outputs: number],
  names: N,
) => Nx.Random.normalSplit(key, 0, Math.sqrt(2 / shape[0]), { shape, names });

const zeros = <const N extends Nx.Names>(size: number, names: N) => Nx.broadcast(Nx.f32(0), [size], { names });

function initialState(key: Nx.Tensor): State {
  const keys = Nx.Random.split(key);
  const network: Network = {
    toHidden: weights(keys.at(0), [MEASURES.length, HIDDEN], ["feature", "hidden"]),
    hiddenBias: zeros(HIDDEN, ["hidden"]),
    toClass: weights(keys.at(1), [HIDDEN, SPECIES.length], ["hidden", "class"]),
    classBias: zeros(SPECIES.length, ["class"]),
  };
  const nothing = map((parameter) => parameter.multiply(0), network);
  return { network, mean: nothing, square: nothing, steps: Nx.tensor(0) };
}

/** A score for each penguin and class: one hidden layer with the activation max(x, 0). */
function scores(network: Network, measures: Sample["measures"]) {
  const hidden = measures.dot(network.toHidden).add(network.hiddenBias).max(0);
  return hidden.dot(network.toClass).add(network.classBias);
}

/** 1 in the column of each penguin's class, 0 in the others. */
const oneHot = (classes: Nx.Tensor, axis: string) =>
  Nx.equal(classes.newAxis(-1, axis), Nx.iota([SPECIES.length], { names: [axis] }));

/** Mean over the batch of minus the logarithm of the probability that the network gives the right class. */
function crossEntropy(network: Network, { measures, species }: Sample) {
  const z = scores(network, measures);
  const shifted = z.subtract(z.reduceMax({ axes: ["class"], keepAxes: true }));
  const ofSpecies = shifted.multiply(oneHot(species, "class")).sum({ axes: ["class"] });
  const ofAll = shifted.exp().sum({ axes: ["class"] });
  return ofAll.log().subtract(ofSpecies).mean();
}

/** Adam: Kingma and Ba 2015, algorithm 1. */
function adam(state: State, gradient: Network, rate = 0.003, decay = 0.9, squareDecay = 0.999): State {
  const steps = state.steps.add(1);
  const mean = map((m, g) => m.multiply(decay).add(g.multiply(1 - decay)), state.mean, gradient);
  const square = map((s, g) => s.multiply(squareDecay).add(g.pow(2).multiply(1 - squareDecay)), state.square, gradient);
  const unbiased = (t: Nx.Tensor, d: number) => t.divide(Nx.subtract(1, Nx.pow(d, steps)));
  const update = (w: Nx.Tensor, m: Nx.Tensor, s: Nx.Tensor) =>
    w.subtract(unbiased(m, decay).multiply(rate).divide(unbiased(s, squareDecay).sqrt().add(1e-8)));
  return { network: map(update, state.network, mean, square), mean, square, steps };
}

/** Loss, gradient and update in one function, traced at the first batch and run from the cache at all others. */
const trainingStep = Nx.defn((state: State, batch: Sample) => {
  const [loss, gradient] = Nx.valueAndGrad(crossEntropy)(state.network, batch);
  return { state: adam(state, gradient), loss };
});

/** The part of the penguins of the test that are told right, and how many of each species were taken for each. */
const evaluate = Nx.defn((network: Network, { measures, species }: Sample) => {
  const predicted = scores(network, measures).argmax({ axis: "class" });
  const [rows, columns] = [oneHot(species, "actual"), oneHot(predicted, "predicted")];
  const confusion = Nx.dot(rows.asType("s64"), columns, { contract: [["batch"], ["batch"]] });
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
    const row = confusion.at({ actual }).toFlatList();
    console.log(`${name.padEnd(11)}${row.map((count) => String(count).padStart(11)).join("")}`);
  });
  console.log(String(Nx.toHeatmap(confusion)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
