/**
 * A Kalman filter: level and slope behind the yearly temperature of the earth, with noises of greatest likelihood.
 */
import * as Nx from "nx-numerics";
import { minimize } from "nx-numerics/optim";
import { globalTemperature } from "../data";

const { temperature, years } = globalTemperature();
const transition = Nx.f64([[1, 1], [0, 1]]); // prettier-ignore
const observe = Nx.f64([1, 0]);
const start = { mean: Nx.f64([0, 0]), covariance: Nx.eye(2, { type: "f64" }), logLikelihood: Nx.f64(0) };

/** The filter, given the logarithms of the variances of measurements, and of what drives level and slope. */
export const filter = (noise: Nx.Tensor<readonly ["noise"]>) => {
  const variances = noise.exp();
  const drive = Nx.makeDiagonal(variances.at(Nx.range(1)));
  return Nx.Defn.scan(
    ({ mean, covariance, logLikelihood }, y) => {
      const shared = covariance.dot(observe);
      const variance = shared.dot(observe).add(variances.at(0));
      const surprise = Nx.subtract(y, mean.dot(observe));
      const known = mean.add(shared.multiply(surprise).divide(variance));
      const rest = covariance.subtract(Nx.outer(shared, shared).divide(variance));
      const next = {
        mean: transition.dot(known),
        covariance: transition.dot(rest).dot(transition.transpose()).add(drive),
        logLikelihood: Nx.formula`${logLikelihood} - 0.5 * (log(2 * pi * ${variance}) + ${surprise} ** 2 / ${variance})`,
      };
      return [next, known];
    },
    start,
    temperature,
  );
};

export const found = minimize(
  (noise) => filter(noise)[0].logLikelihood.negate(),
  Nx.f64([-4, -6, -8], { names: ["noise"] }),
);
export const [{ logLikelihood }, states] = filter(found.params);
export const deviations = found.params.divide(2).exp();

console.log(`log likelihood ${logLikelihood.item().toFixed(4)} after ${found.steps.item()} steps`);
console.log("standard deviations of measurement, level and slope");
deviations.print({ precision: 4 });
console.log(`level and slope in ${years.at(-1).item()}`);
states.at(-1).print({ precision: 3 });
