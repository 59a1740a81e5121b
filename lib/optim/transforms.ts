/**
 * Parts that optimizers are made of: what happens to gradients on their way to the parameters.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  checkOptions,
  checkRate,
  checkState,
  checkTensors,
  mapTensors,
  needed,
  NOT_NEGATIVE,
  noSteps,
  numberArgument,
  optimizer,
  POSITIVE,
  rateAt,
  shown,
  total,
  type Optimizer,
  type OptimizerState,
  type Rate,
  wideType,
} from "./common";

/**
 * The parameters after a step: each with its update added, in its own type.
 *
 * @param params - a tensor or any container of them
 * @param updates - what `update` of an optimizer gave, in the same container
 * @returns a container like the parameters
 * @throws ArgumentError for containers of different structure or without tensors, and for updates that do not fit the shape of a parameter
 * @example
 * ```ts
 * import { applyUpdates } from "nx-numerics/optim";
 * applyUpdates({ w: Nx.f32([1, 2], { names: ["x"] }) }, { w: Nx.f32([0.5, -1], { names: ["x"] }) }).w;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.5, 1.0]
 * // >
 * applyUpdates({ w: Nx.f32(1) }, { v: Nx.f32(1) } as never);
 * // throws ArgumentError: Nx.Defn.Composite.map expects containers of the same structure
 * ```
 */
export function applyUpdates<P>(params: P, updates: NoInfer<P>): P {
  checkTensors("applyUpdates", params);
  return mapTensors(
    (p, u) => {
      const sum = p.add(u!);
      if (sum.size === p.size && sum.rank === p.rank) return sum.asType(p.type);
      throw new ArgumentError(`applyUpdates expects an update for ${shown(p)}, got ${shown(u)}`);
    },
    params,
    updates,
  );
}

/**
 * Several parts as one optimizer: each is given the updates of the one before.
 *
 * @param parts - optimizers and parts of them, at least one
 * @returns an optimizer
 * @throws ArgumentError for what is no optimizer
 * @example
 * ```ts
 * import { chain, clipByGlobalNorm, sgd } from "nx-numerics/optim";
 * const optimizer = chain(clipByGlobalNorm(1), sgd(0.5));
 * const params = Nx.f64([1, 2]);
 * const [updates] = optimizer.update(Nx.f64([3, 4]), optimizer.init(params));
 * updates;
 * // => #Nx.Tensor<
 * //   f64[2]
 * //   [-0.30000000000000004, -0.4]
 * // >
 * chain();
 * // throws ArgumentError: chain expects one optimizer at least
 * ```
 */
export function chain(...parts: readonly Optimizer[]): Optimizer {
  if (parts.length === 0) throw new ArgumentError("chain expects one optimizer at least");
  for (const part of parts) {
    if (typeof (part as Partial<Optimizer> | null)?.update === "function") continue;
    throw new ArgumentError(`chain expects optimizers such as adam(0.001), got: ${shown(part)}`);
  }
  return chained("chain", parts);
}

/** Parts as one optimizer of a name. */
export function chained(name: string, parts: readonly Optimizer[]): Optimizer {
  interface State {
    readonly parts: readonly OptimizerState[];
  }
  return optimizer<State>(
    name,
    (params) => ({ parts: parts.map((part) => part.init(params)) }),
    <G>(gradients: G, state: State, params: unknown) => {
      checkState(name, state, ["parts"]);
      const next: OptimizerState[] = [];
      const updates = parts.reduce((before, part, i) => {
        const [after, own] = part.update(before, state.parts[i]!, params);
        next.push(own);
        return after;
      }, gradients);
      return [updates, { parts: next }] as [G, State];
    },
  );
}

/** A part that remembers nothing. */
function stateless(name: string, change: <G>(gradients: G, params: unknown) => G): Optimizer {
  return optimizer<object>(
    name,
    () => ({}),
    (gradients, state, params) => {
      checkState(name, state, []);
      return [change(gradients, params), state];
    },
  );
}

/** The part that goes against the gradient: updates times minus the rate at each step. */
export function descend(name: string, rate: Rate): Optimizer {
  const checked = checkRate(name, rate);
  const scaled = <G>(gradients: G, step: Tensor): G =>
    mapTensors((g) => g.multiply(rateAt(checked, step, g.type)).negate(), gradients);
  if (typeof checked !== "function") return stateless(name, (gradients) => scaled(gradients, noSteps()));
  interface State {
    readonly step: Tensor;
  }
  return optimizer<State>(
    name,
    () => ({ step: noSteps() }),
    (gradients, state) => {
      checkState(name, state, ["step"]);
      return [scaled(gradients, state.step), { step: state.step.add(1) }];
    },
  );
}

/**
 * Multiplies updates by a number, or by a schedule of them.
 *
 * @param factor - a number, a scalar tensor or a schedule
 * @returns a part for {@link chain}
 * @throws ArgumentError for anything else
 * @example
 * ```ts
 * import { scale } from "nx-numerics/optim";
 * const half = scale(0.5);
 * const [updates] = half.update([Nx.f32([2, 4], { names: ["x"] })], half.init([Nx.f32([1, 1])]));
 * updates[0];
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 *
 * // @ts-expect-error
 * scale("0.5");
 * // throws ArgumentError: scale expects a learning rate: a number, a scalar tensor or a schedule, got: "0.5"
 * ```
 */
export function scale(factor: Rate): Optimizer {
  const against = descend("scale", factor);
  return optimizer<OptimizerState>(
    "scale",
    (params) => against.init(params),
    (gradients, state, params) => {
      const [updates, next] = against.update(gradients, state, params);
      return [mapTensors((u) => u.negate(), updates), next];
    },
  );
}

/**
 * Clips each element of the gradients to the range from `-limit` to `limit`.
 *
 * @param limit - a positive number
 * @returns a part for {@link chain}
 * @throws ArgumentError for a limit that is not positive
 * @example
 * ```ts
 * import { clipByValue } from "nx-numerics/optim";
 * const clip = clipByValue(1);
 * clip.update(Nx.f32([-3, 0.5], { names: ["x"] }), clip.init(Nx.f32([0, 0])))[0];
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [-1.0, 0.5]
 * // >
 * clipByValue(0);
 * // throws ArgumentError: clipByValue expects the limit to be a positive number, got: 0
 * ```
 */
export function clipByValue(limit: number): Optimizer {
  numberArgument("clipByValue", "the limit", limit, POSITIVE);
  return stateless("clipByValue", (gradients) => mapTensors((g) => g.clip(-limit, limit).asType(g.type), gradients));
}

/** Squares, of half floats in f32: those of f16 end at 65504, with numbers of 256. */
const squared = (g: Tensor): Tensor => g.asType(wideType(g.type)).square();

/** The tensor shortened to a norm, where it is longer; `square` is the square of its norm. */
function shortened(g: Tensor, square: Tensor, limit: number): Tensor {
  const norm = square.sqrt();
  const wide = wideType(g.type);
  const factor = Nx.where(norm.greater(limit), Nx.divide(limit, norm), 1).asType(wide);
  return g.asType(wide).multiply(factor).asType(g.type);
}

/**
 * Shortens each tensor of the gradients whose Euclidean norm is above `limit` to that norm.
 *
 * @param limit - a positive number
 * @returns a part for {@link chain}
 * @throws ArgumentError for a limit that is not positive
 * @example
 * ```ts
 * import { clipByNorm } from "nx-numerics/optim";
 * const clip = clipByNorm(1);
 * const state = clip.init([Nx.f32([0, 0]), Nx.f32([0])]);
 * clip.update([Nx.f32([3, 4], { names: ["x"] }), Nx.f32([0.5])], state)[0];
 * // => [
 * //   #Nx.Tensor<
 * //     f32[x: 2]
 * //     [0.6, 0.8]
 * //   >,
 * //   #Nx.Tensor<
 * //     f32[1]
 * //     [0.5]
 * //   >
 * // ]
 * clipByNorm(-1);
 * // throws ArgumentError: clipByNorm expects the limit to be a positive number, got: -1
 * ```
 */
export function clipByNorm(limit: number): Optimizer {
  numberArgument("clipByNorm", "the limit", limit, POSITIVE);
  return stateless("clipByNorm", (gradients) => mapTensors((g) => shortened(g, squared(g).sum(), limit), gradients));
}

/**
 * Shortens the gradients together, as one vector, where their Euclidean norm is above `limit`: their direction stays.
 * (Pascanu, Mikolov, Bengio 2013: On the difficulty of training recurrent neural networks, algorithm 1.)
 *
 * @param limit - a positive number
 * @returns a part for {@link chain}
 * @throws ArgumentError for a limit that is not positive
 * @example
 * ```ts
 * import { clipByGlobalNorm } from "nx-numerics/optim";
 * const clip = clipByGlobalNorm(1);
 * const [{ a, b }] = clip.update({ a: Nx.f64([3], { names: ["x"] }), b: Nx.f64(4) }, clip.init({ a: Nx.f64([0]), b: Nx.f64(0) }));
 * [a.item(), b.item()];
 * // => [0.6000000000000001, 0.8]
 * clipByGlobalNorm(NaN);
 * // throws ArgumentError: clipByGlobalNorm expects the limit to be a positive number, got: NaN
 * ```
 */
export function clipByGlobalNorm(limit: number): Optimizer {
  numberArgument("clipByGlobalNorm", "the limit", limit, POSITIVE);
  return stateless("clipByGlobalNorm", (gradients) => {
    const square = squaredNorm(gradients);
    return mapTensors((g) => shortened(g, square, limit), gradients);
  });
}

/** The square of the norm of all tensors of a container together. */
const squaredNorm = (container: unknown): Tensor => total(container, squared);

/** Options of {@link addDecayedWeights}. */
export interface DecayOptions {
  /** Which parameters decay, by their rank, shape or names: `(p) => p.rank > 1` spares biases. All when left out. */
  readonly mask?: (parameter: Tensor) => boolean;
}

/**
 * Adds the parameters times `rate` to the updates: in front of a step against the gradient it is weight decay.
 *
 * @param rate - a number of at least 0
 * @param options - `mask`: which parameters decay
 * @returns a part for {@link chain}, whose `update` needs the parameters
 * @throws ArgumentError for a negative rate
 * @example
 * ```ts
 * import { addDecayedWeights } from "nx-numerics/optim";
 * const decay = addDecayedWeights(0.1, { mask: (p) => p.rank > 0 });
 * const params = [Nx.f32([10, 20], { names: ["x"] }), Nx.f32(5)];
 * decay.update([Nx.f32([1, 1]), Nx.f32(1)], decay.init(params), params)[0];
 * // => [
 * //   #Nx.Tensor<
 * //     f32[x: 2]
 * //     [2.0, 3.0]
 * //   >,
 * //   #Nx.Tensor<
 * //     f32
 * //     1.0
 * //   >
 * // ]
 * decay.update(params, decay.init(params));
 * // throws ArgumentError: addDecayedWeights looks at the parameters: call update(gradients, state, params)
 * ```
 */
export function addDecayedWeights(rate: number, options?: DecayOptions): Optimizer {
  const fn = "addDecayedWeights";
  numberArgument(fn, "the rate", rate, NOT_NEGATIVE);
  return decay(fn, rate, checkOptions(fn, options, ["mask"]).mask);
}

/** Weight decay as a part of an optimizer of a name. */
export function decay(name: string, rate: number, mask: DecayOptions["mask"]): Optimizer {
  if (mask !== undefined && typeof mask !== "function") {
    throw new ArgumentError(`option mask of ${name} must be a function of a parameter, got: ${shown(mask)}`);
  }
  const decays = (p: Tensor): boolean => mask === undefined || mask(p);
  return stateless(name, (gradients, params) =>
    mapTensors((g, p) => (decays(p!) ? g.add(p!.multiply(rate)) : g), gradients, needed(name, params)),
  );
}
