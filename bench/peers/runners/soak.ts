/**
 * A training loop that frees nothing, as a process: `soak.mjs sync|await STEPS SAMPLES` prints its memory as it goes, a line
 * of JSON for each sample. In the first kind the loop never gives control back, so that finalizers cannot run.
 */
import * as Nx from "nx-numerics";
import { dataOf } from "../data";

type Tensor = Nx.Tensor;
type Weights = { w1: Tensor; b1: Tensor; w2: Tensor; b2: Tensor };

let seeds = 0;
const numbers = (...shape: number[]): Tensor =>
  Nx.tensor(dataOf({ shape, seed: ++seeds, low: -0.5, high: 0.5 })).reshape(shape);

const x = numbers(16, 32);
const y = numbers(16, 4);
const rate = Nx.f32(0.01);

function loss({ w1, b1, w2, b2 }: Weights): Tensor {
  const error = x.dot(w1).add(b1).tanh().dot(w2).add(b2).subtract(y);
  return error.multiply(error).mean();
}

const step = Nx.defn((weights: Weights, rate: Tensor): [Tensor, Weights] => {
  const [value, gradient] = Nx.valueAndGrad(loss)(weights);
  const next = (weight: Tensor, slope: Tensor): Tensor => weight.subtract(slope.multiply(rate));
  return [
    value,
    {
      w1: next(weights.w1, gradient.w1),
      b1: next(weights.b1, gradient.b1),
      w2: next(weights.w2, gradient.w2),
      b2: next(weights.b2, gradient.b2),
    },
  ];
});

const [kind, steps, samples] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];

function say(at: number, value: Tensor): void {
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  console.log(JSON.stringify({ step: at, rss, heapUsed, external, arrayBuffers, loss: value.toNumber() }));
}

let weights: Weights = { w1: numbers(32, 64), b1: numbers(64), w2: numbers(64, 4), b2: numbers(4) };
for (let i = 1; i <= steps; i++) {
  const [value, next] = step(weights, rate);
  // Besides the step: a large eager tensor now and then, whose bytes the collector must get back, too.
  if (i % 50 === 0) weights = { ...next, b1: next.b1.add(Nx.sum(Nx.broadcast(value, [100_000])).multiply(0)) };
  else weights = next;
  if (kind === "await") await (i % 10 === 0 ? new Promise((resolve) => setImmediate(resolve)) : Promise.resolve());
  if (i % Math.ceil(steps / samples) === 0) say(i, value);
}
process.exit(0);
