/**
 * A network with dropout that tells apart two moons: half circles that interlock, with noise.
 */
import * as Nx from "nx-numerics";
import { adam, applyUpdates, dropout, sigmoidBinaryCrossEntropy } from "nx-numerics/optim";

/** `count` points, half of them on each moon, with noise, and which moon they are on. */
function moons(key: Nx.Tensor, count: number) {
  const moon = Nx.iota([count], { names: ["point"] }).remainder(2);
  const angle = Nx.linspace(0, Math.PI, { n: count, name: "point" });
  const x = Nx.where(moon, Nx.subtract(1, angle.cos()), angle.cos());
  const y = Nx.where(moon, Nx.subtract(0.5, angle.sin()), angle.sin());
  const clean = Nx.stack([x, y], { axis: 1, name: "coordinate" });
  return { points: clean.add(Nx.Random.normalSplit(key, 0, 0.1, { shape: clean.shape })), moon };
}

const layer = <const I extends string, const O extends string>(
  key: Nx.Tensor,
  [i, inputs]: [I, number],
  [o, outputs]: [O, number],
) => ({
  weights: Nx.Random.normalSplit(key, 0, Math.sqrt(2 / inputs), { shape: [inputs, outputs], names: [i, o] }),
  bias: Nx.zeros([outputs], { names: [o] }),
});
const keys = Nx.Random.split(Nx.Random.key(1), { parts: 5 });
const initial = {
  hidden: layer(keys.at(0), ["coordinate", 2], ["unit", 32]),
  out: layer(keys.at(1), ["unit", 32], ["score", 1]),
};
type Network = typeof initial;
type Sample = ReturnType<typeof moons>;

const activate = ({ hidden }: Network, points: Sample["points"]) => points.dot(hidden.weights).add(hidden.bias).relu();
const score = ({ out }: Network, units: ReturnType<typeof activate>) =>
  units.dot(out.weights).add(out.bias).squeeze("score");
const loss = (network: Network, { points, moon }: Sample, key: Nx.Tensor) =>
  sigmoidBinaryCrossEntropy(score(network, dropout(key, activate(network, points), { rate: 0.2 })), moon).mean();

const optimizer = adam(0.02);
const sample = moons(keys.at(2), 256);
const step = ([network, state]: readonly [Network, ReturnType<typeof optimizer.init>], key: Nx.Tensor) => {
  const [value, gradient] = Nx.valueAndGrad(loss)(network, sample, key);
  const [updates, next] = optimizer.update(gradient, state);
  return [[applyUpdates(network, updates), next], value] as const;
};
const train = Nx.defn((network: Network, keys: Nx.Tensor) =>
  Nx.Defn.scan(step, [network, optimizer.init(network)], keys),
);

export const [[trained], losses] = train(initial, Nx.Random.split(keys.at(4), { parts: 200 }));
const test = moons(keys.at(3), 1000);
export const told = score(trained, activate(trained, test.points)).greater(0).equal(test.moon).mean();

console.log("loss, means of 40 steps");
losses.resample(0, 40).mean().print({ precision: 3 });
console.log(`${(100 * told.item()).toFixed(1)} % of 1000 new points told right`);
