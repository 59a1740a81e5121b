/**
 * First-order optimizers, each a few lines of its paper. Numbers that all tensors share are weak, so that every tensor keeps its type.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  checkOptions,
  FRACTION,
  mapTensors,
  noSteps,
  NOT_NEGATIVE,
  numberOption,
  optimizer,
  POSITIVE,
  shown,
  wideType,
  type Optimizer,
  type Rate,
} from "./common";
import { chained, decay, descend, type DecayOptions } from "./transforms";

const zerosLike = (params: unknown): unknown => mapTensors((p) => p.multiply(0), params);

/** The running mean with the weight `decay` for what was before. */
const blend = (decay: number, before: unknown, now: unknown): unknown =>
  mapTensors((m, g) => m.multiply(decay).add(g!.multiply(1 - decay)), before, now);

/** Half floats in f32: a thousandth of the square of a number below 0.005 is 0 in f16. */
const wide = (t: Tensor): Tensor => t.asType(wideType(t.type));

const squares = (gradients: unknown): unknown => mapTensors((g) => wide(g).square(), gradients);

/** Divides a running mean that began with 0 by the weight of what is in it after so many steps. */
function unbiased(mean: Tensor, decay: number, steps: Tensor): Tensor {
  const type = wideType(mean.type);
  const weight = Nx.subtract(1, Nx.pow(Nx.tensor(decay, { type }), steps.asType(type)));
  return mean.divide(weight.asType(mean.type));
}

function flag(fn: string, key: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value === true;
  throw new ArgumentError(`option ${key} of ${fn} must be true or false, got: ${shown(value)}`);
}

/** Options of {@link sgd}. */
export interface SgdOptions {
  /** Part of the last update that goes into the next; 0 when left out. */
  readonly momentum?: number;
  /** Whether the gradient counts as one taken a step ahead (Nesterov); false when left out. */
  readonly nesterov?: boolean;
}

/**
 * Gradient descent, with momentum where asked for: m = momentum m + g, and the update is -rate m, with Nesterov's form -rate (g + momentum m).
 * (Sutskever, Martens, Dahl, Hinton 2013: On the importance of initialization and momentum in deep learning, in the form of Bengio 2012.)
 *
 * @param learningRate - a number, a scalar tensor or a schedule
 * @param options - `momentum`, `nesterov`
 * @returns an optimizer
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { applyUpdates, sgd } from "nx-numerics/optim";
 * const optimizer = sgd(0.25, { momentum: 0.5 });
 * let params = Nx.f32([1, 2], { names: ["x"] });
 * let state = optimizer.init(params);
 * for (let i = 0; i < 2; i++) {
 *   const [updates, next] = optimizer.update(Nx.f32([4, 4], { names: ["x"] }), state);
 *   [params, state] = [applyUpdates(params, updates), next];
 * }
 * params;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [-1.5, -0.5]
 * // >
 * sgd(0.1, { momentum: 1 });
 * // throws ArgumentError: option momentum of sgd must be a number from 0 to below 1, got: 1
 * ```
 */
export function sgd(learningRate: Rate, options?: SgdOptions): Optimizer {
  const given = checkOptions("sgd", options, ["momentum", "nesterov"]);
  const momentum = numberOption("sgd", "momentum", given.momentum, 0, FRACTION);
  const nesterov = flag("sgd", "nesterov", given.nesterov);
  const step = descend("sgd", learningRate);
  if (momentum === 0) return step;
  interface State {
    readonly trace: unknown;
  }
  const carry = (before: unknown, gradients: unknown): unknown =>
    mapTensors((g, m) => g.add(m!.multiply(momentum)), gradients, before);
  const part = optimizer<State>(
    "sgd",
    (params) => ({ trace: zerosLike(params) }),
    <G>(gradients: G, state: State) => {
      const trace = carry(state.trace, gradients);
      return [(nesterov ? carry(trace, gradients) : trace) as G, { trace }] as [G, State];
    },
  );
  return chained("sgd", [part, step]);
}

/** Options of {@link adam}. */
export interface AdamOptions {
  /** Weight of what was before in the mean of the gradients; 0.9 when left out. */
  readonly b1?: number;
  /** The same in the mean of their squares; 0.999 when left out. */
  readonly b2?: number;
  /** What is added to the root of the mean square; 1e-8 when left out. */
  readonly eps?: number;
}

interface AdamState {
  readonly steps: Tensor;
  readonly mean: unknown;
  readonly square: unknown;
}

function scaleByAdam(fn: string, options: AdamOptions): Optimizer {
  const b1 = numberOption(fn, "b1", options.b1, 0.9, FRACTION);
  const b2 = numberOption(fn, "b2", options.b2, 0.999, FRACTION);
  const eps = numberOption(fn, "eps", options.eps, 1e-8, NOT_NEGATIVE);
  return optimizer<AdamState>(
    fn,
    (params) => ({ steps: noSteps(), mean: zerosLike(params), square: mapTensors(wide, zerosLike(params)) }),
    <G>(gradients: G, state: AdamState) => {
      const steps = state.steps.add(1);
      const mean = blend(b1, state.mean, gradients);
      const square = blend(b2, state.square, squares(gradients));
      const updates = mapTensors(
        (m, s) =>
          unbiased(wide(m), b1, steps)
            .divide(unbiased(s!, b2, steps).sqrt().add(eps))
            .asType(m.type),
        mean,
        square,
      );
      return [updates as G, { steps, mean, square }] as [G, AdamState];
    },
  );
}

/**
 * Adam: steps by the mean of the gradients over the root of the mean of their squares, both freed of their bias towards 0.
 * (Kingma, Ba 2015: Adam, algorithm 1.)
 *
 * @param learningRate - a number, a scalar tensor or a schedule
 * @param options - `b1`, `b2`, `eps`
 * @returns an optimizer
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { adam, applyUpdates } from "nx-numerics/optim";
 * const optimizer = adam(0.125);
 * const loss = (w: Nx.Tensor) => w.subtract(3).square().sum();
 * const step = Nx.defn((w: Nx.Tensor, state: ReturnType<typeof optimizer.init>) => {
 *   const [updates, next] = optimizer.update(Nx.grad(loss)(w), state);
 *   return [applyUpdates(w, updates), next] as const;
 * });
 * let w: Nx.Tensor = Nx.f32([0, 5], { names: ["x"] });
 * let state = optimizer.init(w);
 * for (let i = 0; i < 200; i++) [w, state] = step(w, state);
 * w.round();
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [3.0, 3.0]
 * // >
 * adam(0.1, { b1: 2 });
 * // throws ArgumentError: option b1 of adam must be a number from 0 to below 1, got: 2
 * ```
 */
export function adam(learningRate: Rate, options?: AdamOptions): Optimizer {
  return chained("adam", [
    scaleByAdam("adam", checkOptions("adam", options, ["b1", "b2", "eps"])),
    descend("adam", learningRate),
  ]);
}

/** Options of {@link adamw}. */
export interface AdamwOptions extends AdamOptions, DecayOptions {
  /** How fast weights decay, times the learning rate; 0.0001 when left out. */
  readonly weightDecay?: number;
}

/**
 * Adam with weight decay that does not go through its means. (Loshchilov, Hutter 2019: Decoupled weight decay regularization, algorithm 2.)
 *
 * @param learningRate - a number, a scalar tensor or a schedule
 * @param options - `b1`, `b2`, `eps`; `weightDecay`; `mask`: which parameters decay
 * @returns an optimizer, whose `update` needs the parameters
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { adamw } from "nx-numerics/optim";
 * const optimizer = adamw(0.5, { weightDecay: 0.5 });
 * const params = Nx.f32([4, -4], { names: ["x"] });
 * const [updates] = optimizer.update(params.multiply(0), optimizer.init(params), params);
 * updates;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [-1.0, 1.0]
 * // >
 * optimizer.update(params, optimizer.init(params));
 * // throws ArgumentError: adamw looks at the parameters: call update(gradients, state, params)
 * ```
 */
export function adamw(learningRate: Rate, options?: AdamwOptions): Optimizer {
  const given = checkOptions("adamw", options, ["b1", "b2", "eps", "weightDecay", "mask"]);
  const weightDecay = numberOption("adamw", "weightDecay", given.weightDecay, 1e-4, NOT_NEGATIVE);
  return chained("adamw", [
    scaleByAdam("adamw", given),
    decay("adamw", weightDecay, given.mask),
    descend("adamw", learningRate),
  ]);
}

/** Options of {@link rmsprop}. */
export interface RmspropOptions {
  /** Weight of what was before in the mean of the squares; 0.9 when left out. */
  readonly decay?: number;
  /** What is added to the mean square under the root; 1e-8 when left out. */
  readonly eps?: number;
  /** Whether the square of the mean is taken from the mean of the squares; false when left out. */
  readonly centered?: boolean;
  /** Part of the last update that goes into the next; 0 when left out. */
  readonly momentum?: number;
}

interface RmspropState {
  readonly square: unknown;
  readonly mean: unknown;
}

/**
 * RMSProp: gradients over the root of the mean of their squares, g / sqrt(v + eps). (Hinton 2012, lecture 6e of Neural Networks for
 * Machine Learning; centred as in Graves 2013: Generating sequences with recurrent neural networks, equations 38 to 41.)
 *
 * @param learningRate - a number, a scalar tensor or a schedule
 * @param options - `decay`, `eps`, `centered`, `momentum`
 * @returns an optimizer
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { rmsprop } from "nx-numerics/optim";
 * const optimizer = rmsprop(0.5, { decay: 0.75, eps: 0 });
 * const [updates] = optimizer.update(Nx.f32([8, -2], { names: ["x"] }), optimizer.init(Nx.f32([0, 0])));
 * updates;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [-1.0, 1.0]
 * // >
 * rmsprop(0.1, { eps: -1 });
 * // throws ArgumentError: option eps of rmsprop must be a number of at least 0, got: -1
 * ```
 */
export function rmsprop(learningRate: Rate, options?: RmspropOptions): Optimizer {
  const fn = "rmsprop";
  const given = checkOptions(fn, options, ["decay", "eps", "centered", "momentum"]);
  const weight = numberOption(fn, "decay", given.decay, 0.9, FRACTION);
  const eps = numberOption(fn, "eps", given.eps, 1e-8, NOT_NEGATIVE);
  const isCentered = flag(fn, "centered", given.centered);
  const momentum = numberOption(fn, "momentum", given.momentum, 0, FRACTION);
  const part = optimizer<RmspropState>(
    fn,
    (params) => ({ square: mapTensors(wide, zerosLike(params)), mean: isCentered ? zerosLike(params) : [] }),
    <G>(gradients: G, state: RmspropState) => {
      const square = blend(weight, state.square, squares(gradients));
      const mean = isCentered ? blend(weight, state.mean, gradients) : [];
      const spread = isCentered ? mapTensors((s, m) => s.subtract(wide(m!).square()), square, mean) : square;
      const updates = mapTensors((g, s) => wide(g).divide(s!.add(eps).sqrt()).asType(g.type), gradients, spread);
      return [updates, { square, mean }] as [G, RmspropState];
    },
  );
  return chained(fn, [part, sgd(learningRate, { momentum })]);
}

/** Options of {@link lion}. */
export interface LionOptions extends DecayOptions {
  /** Weight of what was before in the update; 0.9 when left out. */
  readonly b1?: number;
  /** The same in the mean that is kept; 0.99 when left out. */
  readonly b2?: number;
  /** How fast weights decay, times the learning rate; 0.001 when left out. */
  readonly weightDecay?: number;
}

/**
 * Lion: steps of the same size by the sign of a mean of the gradients. (Chen et al. 2023: Symbolic discovery of optimization algorithms,
 * program 1.)
 *
 * @param learningRate - a number, a scalar tensor or a schedule
 * @param options - `b1`, `b2`; `weightDecay`; `mask`: which parameters decay
 * @returns an optimizer, whose `update` needs the parameters
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { lion } from "nx-numerics/optim";
 * const optimizer = lion(0.25, { weightDecay: 0 });
 * const params = Nx.f32([1, 1], { names: ["x"] });
 * const [updates] = optimizer.update(Nx.f32([100, -0.001], { names: ["x"] }), optimizer.init(params), params);
 * updates;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [-0.25, 0.25]
 * // >
 * lion(0.1, { b2: 1 });
 * // throws ArgumentError: option b2 of lion must be a number from 0 to below 1, got: 1
 * ```
 */
export function lion(learningRate: Rate, options?: LionOptions): Optimizer {
  const fn = "lion";
  const given = checkOptions(fn, options, ["b1", "b2", "weightDecay", "mask"]);
  const b1 = numberOption(fn, "b1", given.b1, 0.9, FRACTION);
  const b2 = numberOption(fn, "b2", given.b2, 0.99, FRACTION);
  const weightDecay = numberOption(fn, "weightDecay", given.weightDecay, 1e-3, NOT_NEGATIVE);
  interface State {
    readonly mean: unknown;
  }
  const part = optimizer<State>(
    fn,
    (params) => ({ mean: zerosLike(params) }),
    <G>(gradients: G, { mean }: State) => {
      const updates = mapTensors((t) => t.sign(), blend(b1, mean, gradients));
      return [updates as G, { mean: blend(b2, mean, gradients) }] as [G, State];
    },
  );
  return chained(fn, [part, decay(fn, weightDecay, given.mask), descend(fn, learningRate)]);
}

/** Options of {@link adagrad}. */
export interface AdagradOptions {
  /** The sum of squares before the first step; 0.1 when left out. */
  readonly initialAccumulator?: number;
  /** What is added to the sum of squares under the root; 1e-7 when left out. */
  readonly eps?: number;
}

/**
 * Adagrad: gradients over the root of the sum of all their squares, g / sqrt(v + eps). (Duchi, Hazan, Singer 2011: Adaptive subgradient
 * methods for online learning and stochastic optimization, figure 1, with diagonal matrices.)
 *
 * @param learningRate - a number, a scalar tensor or a schedule
 * @param options - `initialAccumulator`, `eps`
 * @returns an optimizer
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { adagrad } from "nx-numerics/optim";
 * const optimizer = adagrad(1, { initialAccumulator: 9, eps: 0.0001 });
 * const [updates] = optimizer.update(Nx.f32([4], { names: ["x"] }), optimizer.init(Nx.f32([0])));
 * updates.multiply(1000).round();
 * // => #Nx.Tensor<
 * //   f32[x: 1]
 * //   [-800.0]
 * // >
 * adagrad(0.1, { eps: 0 });
 * // throws ArgumentError: option eps of adagrad must be a positive number, got: 0
 * ```
 */
export function adagrad(learningRate: Rate, options?: AdagradOptions): Optimizer {
  const fn = "adagrad";
  const given = checkOptions(fn, options, ["initialAccumulator", "eps"]);
  const initial = numberOption(fn, "initialAccumulator", given.initialAccumulator, 0.1, NOT_NEGATIVE);
  const eps = numberOption(fn, "eps", given.eps, 1e-7, POSITIVE);
  interface State {
    readonly square: unknown;
  }
  const part = optimizer<State>(
    fn,
    (params) => ({ square: mapTensors((p) => wide(p).multiply(0).add(initial), params) }),
    <G>(gradients: G, state: State) => {
      const square = mapTensors((s, g) => s.add(wide(g!).square()), state.square, gradients);
      const updates = mapTensors((g, s) => wide(g).divide(s!.add(eps).sqrt()).asType(g.type), gradients, square);
      return [updates, { square }] as [G, State];
    },
  );
  return chained(fn, [part, descend(fn, learningRate)]);
}
