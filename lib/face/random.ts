/** The namespace `Random` as users call it. */
import { entry } from "../core/entry";
import * as random from "../random";

export type * from "../random";

export const choice = entry("Nx.Random.choice", random.choice, 4);
export const foldIn = entry("Nx.Random.foldIn", random.foldIn);
export const gumbel = entry("Nx.Random.gumbel", random.gumbel);
export const gumbelSplit = entry("Nx.Random.gumbelSplit", random.gumbelSplit);
export const key = entry("Nx.Random.key", random.key);
export const multivariateNormal = entry("Nx.Random.multivariateNormal", random.multivariateNormal);
export const multivariateNormalSplit = entry("Nx.Random.multivariateNormalSplit", random.multivariateNormalSplit);
export const normal = entry("Nx.Random.normal", random.normal, 4);
export const normalSplit = entry("Nx.Random.normalSplit", random.normalSplit, 4);
export const randint = entry("Nx.Random.randint", random.randint);
export const randintSplit = entry("Nx.Random.randintSplit", random.randintSplit);
export const shuffle = entry("Nx.Random.shuffle", random.shuffle);
export const split = entry("Nx.Random.split", random.split);
export const uniform = entry("Nx.Random.uniform", random.uniform, 4);
export const uniformSplit = entry("Nx.Random.uniformSplit", random.uniformSplit, 4);
