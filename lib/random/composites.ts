/**
 * The random functions as users call them: samples by rejection are loops, which cost milliseconds to trace and compile, so a call that
 * comes again runs as one compiled function. 36 numbers of a gamma distribution: 4,000 us -> 40.
 */
import { compositeOfAnySize, compositeOfFewPasses, compositeOfOftenCalled } from "../nx/composite";
import { named } from "../nx/elementwise/core";
import type { Operand, Tensor } from "../tensor";
import type { RandomOptions } from "./draw";
import * as random from "./index";
import { checkedRate } from "./rejection";

export * from "./index";

export const beta = compositeOfAnySize(random.beta);
export const betaSplit = compositeOfAnySize(random.betaSplit);
export const categorical = compositeOfOftenCalled(random.categorical);
export const categoricalSplit = compositeOfOftenCalled(random.categoricalSplit);
export const dirichlet = compositeOfAnySize(random.dirichlet);
export const dirichletSplit = compositeOfAnySize(random.dirichletSplit);
export const gamma = compositeOfAnySize(random.gamma);
export const gammaSplit = compositeOfAnySize(random.gammaSplit);
export const multivariateNormal = compositeOfOftenCalled(random.multivariateNormal);
export const multivariateNormalSplit = compositeOfOftenCalled(random.multivariateNormalSplit);
export const shuffle = compositeOfFewPasses(random.shuffle, 2);

/** A plain rate is a parameter of what was compiled, which does not see the number. */
function ofRate<F extends typeof random.poisson | typeof random.poissonSplit>(fn: F): F {
  const compiled = compositeOfAnySize(fn);
  return named(fn.name, (key: Tensor, rate: Operand, options?: RandomOptions) =>
    compiled(key, checkedRate(`Nx.Random.${fn.name}`, rate), options),
  ) as unknown as F;
}

export const poisson = ofRate(random.poisson);
export const poissonSplit = ofRate(random.poissonSplit);

/** Of a key, two parameters or none, and options. */
function ofParameters<F extends typeof random.normal | typeof random.normalSplit>(fn: F): F {
  const drawn = fn as unknown as (...args: unknown[]) => unknown;
  return compositeOfFewPasses(
    named(fn.name, (key: Tensor, first: unknown, second: unknown, options: unknown) =>
      drawn(key, first, second, options),
    ),
  ) as unknown as F;
}

export const normal = ofParameters(random.normal);
export const normalSplit = ofParameters(random.normalSplit);
