/** The price of a European option over strikes and times (Black and Scholes 1973), and its greeks: gradients of the price by `grad` and `vmap`. */
import * as Nx from "nx-numerics";
import { canvas, drawLevels, slider, status, type Demo, type Stage } from "./stage";

const STRIKES = 160;
const TIMES = 100;

/** A call, of scalars. */
function price(spot: Nx.Tensor, volatility: Nx.Tensor, rate: Nx.Tensor, strike: Nx.Tensor, time: Nx.Tensor): Nx.Tensor {
  const width = volatility.multiply(time.sqrt());
  const d1 = spot
    .divide(strike)
    .log()
    .add(rate.add(volatility.square().divide(2)).multiply(time))
    .divide(width);
  const discounted = strike.multiply(rate.multiply(time).negate().exp());
  return spot.multiply(Nx.normalCdf(d1)).subtract(discounted.multiply(Nx.normalCdf(d1.subtract(width))));
}

const delta = Nx.grad(price);
const gamma = Nx.grad(delta);
const vega = Nx.grad((v: Nx.Tensor, s: Nx.Tensor, r: Nx.Tensor, k: Nx.Tensor, t: Nx.Tensor) => price(s, v, r, k, t));
const GREEKS = {
  price,
  delta,
  gamma,
  vega: (s: Nx.Tensor, v: Nx.Tensor, r: Nx.Tensor, k: Nx.Tensor, t: Nx.Tensor) => vega(v, s, r, k, t),
} as const;

/** A function of scalars over a grid of strikes and times. */
const surfaceOf = (fn: typeof price) => {
  const overStrikes = Nx.Defn.vmap(fn, [null, null, null, 0, null]);
  return Nx.defn(Nx.Defn.vmap(overStrikes, [null, null, null, null, 0]) as typeof price);
};

const level = Nx.defn((surface: Nx.Tensor) => {
  const [low, high] = [surface.reduceMin(), surface.reduceMax()];
  return surface.subtract(low).divide(high.subtract(low).max(1e-12)).multiply(255).asType("u8");
});

export function open(stage: Stage): Demo {
  const strikes = Nx.linspace(60, 140, { n: STRIKES, name: "strike", type: "f64" });
  const times = Nx.linspace(0.02, 2, { n: TIMES, name: "time", type: "f64" });
  const surfaces = Object.entries(GREEKS).map(([name, fn]) => {
    const heading = document.createElement("h2");
    heading.textContent = name;
    stage.root.append(heading);
    return {
      name,
      surface: surfaceOf(fn),
      picture: canvas(stage, STRIKES, TIMES, `${name} by strike (across) and time (down)`),
    };
  });
  const say = status(stage);
  const settings = { spot: 100, volatility: 0.2, rate: 0.03 };
  let isOpen = false;
  const draw = (): void => {
    if (!isOpen) return;
    const begun = performance.now();
    const [spot, volatility, rate] = Object.values(settings).map((value) => Nx.f64(value));
    const middles = surfaces.map(({ name, surface, picture }) => {
      const values = surface(spot!, volatility!, rate!, strikes, times);
      drawLevels(picture, level(values));
      return `${name} ${values
        .at(TIMES / 2, STRIKES / 2)
        .item()
        .toPrecision(4)}`;
    });
    const milliseconds = (performance.now() - begun).toFixed(1);
    say(`At the middle: ${middles.join(", ")}. Four surfaces of ${STRIKES * TIMES} options in ${milliseconds} ms.`);
  };
  slider(stage, "spot", [60, 140, settings.spot], (value) => ((settings.spot = value), draw()));
  slider(stage, "volatility", [0.05, 0.8, settings.volatility], (value) => ((settings.volatility = value), draw()));
  slider(stage, "rate", [-0.02, 0.1, settings.rate], (value) => ((settings.rate = value), draw()));
  isOpen = true;
  draw();
  return { close: () => undefined };
}
