/** A network of two layers that learns two spirals in the page: its loss, and where it would change its mind. */
import * as Nx from "nx-numerics";
import { animate, button, canvas, drawLevels, slider, status, type Demo, type Stage } from "./stage";

const POINTS = 200;
const HIDDEN = 32;
const SIDE = 120;
const STEPS = 10;

interface Layer {
  readonly w: Nx.Tensor;
  readonly b: Nx.Tensor;
}
type Network = readonly Layer[];

/** Two spirals, one after the other, with a little noise: places and classes. */
function spirals() {
  const t = Nx.linspace(0.3, 3.2, { n: POINTS / 2 }).multiply(Math.PI);
  const arm = (sign: number) => Nx.stack([t.multiply(t.cos()), t.multiply(t.sin())], { axis: 1 }).multiply(sign / 10);
  const places = Nx.concatenate([arm(1), arm(-1)]).rename(["point", "place"]);
  const noise = Nx.Random.normal(Nx.Random.key(3), 0, 0.02, { shape: [POINTS, 2], names: ["point", "place"] })[0];
  const labels = Nx.iota([POINTS], { names: ["point"] })
    .greaterEqual(POINTS / 2)
    .asType("f32");
  return { places: places.add(noise), labels };
}

function initial(seed: number): Network {
  let key: Nx.Tensor = Nx.Random.key(seed);
  const sizes = [2, HIDDEN, HIDDEN, 1];
  return sizes.slice(1).map((outputs, i) => {
    const [w, next] = Nx.Random.normal(key, 0, 1.5 / Math.sqrt(sizes[i]!), {
      shape: [sizes[i]!, outputs],
      names: ["in", "out"],
    });
    key = next;
    return { w, b: Nx.broadcast(Nx.f32(0), [outputs], { names: ["out"] }) };
  });
}

function logits(network: Network, places: Nx.Tensor): Nx.Tensor {
  const last = network.length - 1;
  const layer = (x: Nx.Tensor, { w, b }: Layer) => Nx.dot(x, w, { contract: [[-1], ["in"]] }).add(b);
  return network
    .reduce((x, one, i) => (i < last ? layer(x, one).tanh() : layer(x, one)), places)
    .squeeze({ axes: [-1] });
}

const loss = (network: Network, places: Nx.Tensor, labels: Nx.Tensor): Nx.Tensor => {
  const z = logits(network, places);
  return z.softplus().subtract(z.multiply(labels)).mean();
};

/** Some steps of gradient descent with momentum, and the loss before them. */
const learn = Nx.defn((network: Network, speed: Network, places: Nx.Tensor, labels: Nx.Tensor, rate: Nx.Tensor) => {
  let [now, moving] = [network, speed];
  for (let step = 0; step < STEPS; step++) {
    const gradient = Nx.grad(loss)(now, places, labels) as Network;
    moving = moving.map(({ w, b }, i) => ({
      w: w.multiply(0.9).add(gradient[i]!.w),
      b: b.multiply(0.9).add(gradient[i]!.b),
    }));
    now = now.map(({ w, b }, i) => ({
      w: w.subtract(moving[i]!.w.multiply(rate)),
      b: b.subtract(moving[i]!.b.multiply(rate)),
    }));
  }
  return { network: now, speed: moving, loss: loss(network, places, labels) };
});

/** What the network thinks of every place of the square from -1 to 1. */
const border = Nx.defn((network: Network) => {
  const along = (axis: number) =>
    Nx.iota([SIDE, SIDE], { axis, type: "f32" })
      .multiply(2 / (SIDE - 1))
      .subtract(1);
  const places = Nx.stack([along(1), along(0)], { axis: -1 });
  return logits(network, places.reshape([SIDE * SIDE, 2]))
    .sigmoid()
    .reshape([SIDE, SIDE])
    .multiply(255)
    .asType("u8");
});

export function open(stage: Stage): Demo {
  const picture = canvas(stage, SIDE, SIDE, "Where the network takes a place for one spiral or the other");
  const say = status(stage);
  const { places, labels } = spirals();
  const dots = places.toFloat64Array();
  let rate = 0;
  let steps = 0;
  let seed = 0;
  let state: { network: Network; speed: Network } = { network: [], speed: [] };
  const begin = (): void => {
    steps = 0;
    const network = initial(++seed);
    state = { network, speed: network.map(({ w, b }) => ({ w: w.multiply(0), b: b.multiply(0) })) };
  };
  begin();
  slider(stage, "rate", [0.005, 0.3, 0.1], (value) => (rate = value));
  button(stage, "Begin again", begin);
  return animate(stage, () => {
    const { loss: value, ...next } = learn(state.network, state.speed, places, labels, Nx.f32(rate));
    state = next;
    steps += STEPS;
    drawLevels(picture, border(state.network));
    for (let i = 0; i < POINTS; i++) {
      picture.fillStyle = i < POINTS / 2 ? "#ffffff" : "#000000";
      picture.fillRect(((dots[2 * i]! + 1) / 2) * SIDE - 1, ((dots[2 * i + 1]! + 1) / 2) * SIDE - 1, 2, 2);
    }
    say(`step ${steps}: loss ${value.item().toFixed(4)}`);
  });
}
