/**
 * A Gaussian process through the yearly temperature of the earth, whose scales maximise the likelihood; it fills a gap and says how surely.
 * The path of a drawing (.svg) may follow.
 */
import { writeFileSync } from "node:fs";
import * as Nx from "nx-numerics";
import { minimize } from "nx-numerics/optim";
import { band, line, overlay, scatter } from "nx-numerics/plot";
import { globalTemperature } from "../data";

const { temperature, years } = globalTemperature();
const isGap = years.greaterEqual(1939).logicalAnd(years.lessEqual(1945));
export const x = Nx.compress(years, isGap.logicalNot());
const y = Nx.compress(temperature, isGap.logicalNot());
const gap = Nx.compress(years, isGap);
const centre = y.mean();

type Scales = { readonly height: Nx.Tensor; readonly width: Nx.Tensor; readonly noise: Nx.Tensor };

/** How much two years have to do with each other: a bell curve of their distance. Scales are logarithms. */
const kernel = ({ height, width }: Scales, a: Nx.Tensor, b: Nx.Tensor) => {
  const distance = a.newAxis(1, "other").subtract(b.rename(["other"]));
  return Nx.formula`exp(2 * ${height} - 0.5 * (${distance} / exp(${width})) ** 2)`;
};

/** The Cholesky factor of the covariance of what was measured, and weights of the measurements. */
const fit = (scales: Scales) => {
  const noise = Nx.eye(x.size, { type: "f64" }).multiply(scales.noise.multiply(2).exp());
  const factor = Nx.LinAlg.cholesky(kernel(scales, x, x).add(noise));
  return { factor, weights: Nx.LinAlg.choleskySolve(factor, y.subtract(centre)) };
};

/** Minus the logarithm of the marginal likelihood. */
const loss = (scales: Scales) => {
  const { factor, weights } = fit(scales);
  const misfit = y.subtract(centre).dot(weights);
  return misfit
    .divide(2)
    .add(Nx.takeDiagonal(factor).log().sum())
    .add((x.size / 2) * Math.log(2 * Math.PI));
};

export const {
  params: scales,
  value,
  steps,
} = minimize(loss, { height: Nx.f64(-1), width: Nx.f64(3), noise: Nx.f64(-2) });
const { factor, weights } = fit(scales);
const toGap = kernel(scales, x, gap);
export const mean = weights.dot(toGap).add(centre);
const explained = Nx.LinAlg.triangularSolve(factor, toGap);
export const deviation = scales.height.multiply(2).exp().subtract(explained.square().sum(0)).sqrt();

const [reach, at] = [deviation.multiply(2), { x: gap.rename(["other"]) }];
const gapLine = line(mean, { ...at, labels: ["process in the gap"] });
export const figure = overlay(
  [scatter(x, y, { labels: ["measured"] }), band(mean.subtract(reach), mean.add(reach), at), gapLine],
  { xLabel: "year", background: "white", plot: { x: { tickFormat: "d" } } },
);

console.log(`minus log likelihood ${value.item().toFixed(6)} after ${steps.item()} steps`);
console.log(
  `height ${scales.height.exp().item().toFixed(3)}, width ${scales.width.exp().item().toFixed(2)} years, noise ${scales.noise.exp().item().toFixed(4)}`,
);
console.log("the years of the war, with standard deviations");
Nx.stack([gap, mean, deviation], { axis: 1 }).print({ precision: 3, exponents: false });
if (process.argv[2]?.endsWith(".svg")) writeFileSync(process.argv[2], figure.toSvg());
