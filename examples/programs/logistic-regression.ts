/**
 * Logistic regression by Newton's method: does it rain in Seattle, by temperature and wind of the day?
 */
import * as Nx from "nx-numerics";
import { FEATURES, seattleWeather } from "../data";

const weather = seattleWeather().weather.asType("f64");
const rain = weather.at({ feature: 0 }).greater(0);
const measures = weather.at({ feature: Nx.range(1) });
const z = Nx.zscore(measures, "day");
const x = z.pad(1, [
  [0, 0, 0],
  [1, 0, 0],
]); // a column of ones for the constant

type Weights = Nx.Tensor<readonly ["feature"]>;

/** Minus the mean log likelihood: log(1 + e^s) - s where it rains. */
const loss = (w: Weights) => {
  const score = x.dot(w);
  return score.softplus().subtract(score.multiply(rain)).mean();
};

/** Newton's steps until they are 0 to all digits. */
const fit = Nx.defn((start: Weights) =>
  Nx.Defn.whileLoop(
    { w: start, moved: Nx.f64(1), steps: 0 },
    ({ moved }) => moved.greater(1e-14),
    ({ w, steps }) => {
      const step = Nx.LinAlg.solve(Nx.Defn.hessian(loss)(w), Nx.grad(loss)(w));
      return { w: w.subtract(step), moved: step.abs().reduceMax(), steps: steps.add(1) };
    },
  ),
);

export const { w: weights, steps } = fit(Nx.zeros([x.axisSize("feature")], { type: "f64", names: ["feature"] }));
export const errors = Nx.takeDiagonal(Nx.LinAlg.invert(Nx.Defn.hessian(loss)(weights)))
  .divide(x.axisSize("day"))
  .sqrt();
export const told = x.dot(weights).greater(0).equal(rain).mean();

console.log(`${steps.item()} steps of Newton, mean loss ${loss(weights).item().toFixed(6)}`);
console.log(["constant", ...FEATURES.slice(1)].join(", "));
weights.print({ precision: 4 });
console.log("standard errors");
errors.print({ precision: 4 });
console.log(
  `rain told right on ${(100 * told.item()).toFixed(1)} % of days, ${(100 * rain.mean().item()).toFixed(1)} % are wet`,
);
