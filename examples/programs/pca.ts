/**
 * Principal components of the measures of penguins: the directions in which they differ most, by two roads.
 */
import * as Nx from "nx-numerics";
import { penguins } from "../data";

const measures = penguins().measures.asType("f64");
const z = Nx.zscore(measures, "penguin");

const covariance = Nx.covariance(z);
export const [variances, directions] = Nx.LinAlg.eigh(covariance, { name: "component" });
export const shares = variances.divide(variances.sum());
export const scores = z.dot(directions.at({ component: Nx.range(0, 2) }));

const [, singular] = Nx.LinAlg.svd(z, { name: "component", fullMatrices: false });
export const bySvd = singular.square().divide(z.axisSize("penguin"));

console.log("share of the variance of each component");
shares.print({ precision: 4 });
console.log("directions");
directions.print({ precision: 4 });
console.log(`by singular values the same: ${Nx.allClose(variances, bySvd, { rtol: 1e-12 }).item() === 1}`);
console.log("two components of the first penguins");
scores.at({ penguin: Nx.range(0, 3) }).print({ precision: 3 });
