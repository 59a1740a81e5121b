/**
 * Learning rates that change from step to step. They are computed in `f64`, and take the type of the parameters where they meet them.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Operand, type Tensor } from "nx-numerics";
import {
  checkOptions,
  COUNT,
  FINITE,
  NOT_NEGATIVE,
  numberArgument,
  numberOption,
  POSITIVE,
  shown,
  STEPS,
} from "./common";

const asDouble = (step: Operand): Tensor => Nx.toTensor(step).asType("f64");

/** The part of `steps` that is over after `begin`, from 0 to 1. */
const progress = (step: Operand, steps: number, begin = 0): Tensor =>
  asDouble(step).subtract(begin).divide(steps).clip(0, 1);

/**
 * The same value at every step.
 *
 * @param value - a number
 * @returns a schedule
 * @throws ArgumentError for what is no number
 * @example
 * ```ts
 * import { constantSchedule } from "nx-numerics/optim";
 * constantSchedule(0.1)(Nx.tensor(7)).item();
 * // => 0.1
 * constantSchedule(NaN);
 * // throws ArgumentError: constantSchedule expects the value to be a number, got: NaN
 * ```
 */
export function constantSchedule(value: number): (step: Operand) => Tensor {
  numberArgument("constantSchedule", "the value", value);
  return () => Nx.f64(value);
}

/** Options of {@link exponentialDecay}. */
export interface ExponentialDecayOptions {
  /** Steps after which the value is multiplied by `rate`. */
  readonly transitionSteps: number;
  /** Factor for so many steps. */
  readonly rate: number;
  /** Steps with the first value; 0 when left out. */
  readonly transitionBegin?: number;
  /** Whether the value changes at once after so many steps, in place of a little at each; false when left out. */
  readonly staircase?: boolean;
}

/**
 * The value times `rate` to the power of the steps over `transitionSteps`.
 *
 * @param value - at the first step
 * @param options - `transitionSteps` and `rate`; `transitionBegin`, `staircase`
 * @returns a schedule
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { exponentialDecay } from "nx-numerics/optim";
 * const schedule = exponentialDecay(1, { transitionSteps: 2, rate: 0.25 });
 * [0, 1, 2].map((step) => schedule(step).item());
 * // => [1, 0.5, 0.25]
 * exponentialDecay(1, { transitionSteps: 0, rate: 0.25 });
 * // throws ArgumentError: option transitionSteps of exponentialDecay must be a whole number of at least 1, got: 0
 * ```
 */
export function exponentialDecay(value: number, options: ExponentialDecayOptions): (step: Operand) => Tensor {
  const fn = "exponentialDecay";
  numberArgument(fn, "the value", value);
  const given = checkOptions(fn, options, ["transitionSteps", "rate", "transitionBegin", "staircase"]);
  const steps = numberOption(fn, "transitionSteps", given.transitionSteps, NaN, STEPS);
  const rate = numberOption(fn, "rate", given.rate, NaN, POSITIVE);
  if (Number.isNaN(steps) || Number.isNaN(rate))
    throw new ArgumentError(`${fn} needs the options transitionSteps and rate`);
  const begin = numberOption(fn, "transitionBegin", given.transitionBegin, 0, COUNT);
  return (step) => {
    const part = asDouble(step).subtract(begin).max(0).divide(steps);
    return Nx.pow(rate, given.staircase === true ? part.floor() : part).multiply(value);
  };
}

/** Options of {@link cosineDecay}. */
export interface CosineDecayOptions {
  /** Steps to the end of the decay. */
  readonly decaySteps: number;
  /** What is left at the end, as a part of the first value; 0 when left out. */
  readonly alpha?: number;
}

/**
 * From the value to `alpha` times the value along half a period of a cosine. (Loshchilov, Hutter 2017: SGDR, equation 5.)
 *
 * @param value - at the first step
 * @param options - `decaySteps`; `alpha`
 * @returns a schedule
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { cosineDecay } from "nx-numerics/optim";
 * const schedule = cosineDecay(2, { decaySteps: 10, alpha: 0.5 });
 * [0, 5, 10, 99].map((step) => schedule(step).item());
 * // => [2, 1.5, 1, 1]
 * cosineDecay(2, { decaySteps: 0.5 });
 * // throws ArgumentError: option decaySteps of cosineDecay must be a whole number of at least 1, got: 0.5
 * ```
 */
export function cosineDecay(value: number, options: CosineDecayOptions): (step: Operand) => Tensor {
  const fn = "cosineDecay";
  numberArgument(fn, "the value", value);
  const given = checkOptions(fn, options, ["decaySteps", "alpha"]);
  const steps = numberOption(fn, "decaySteps", given.decaySteps, NaN, STEPS);
  if (Number.isNaN(steps)) throw new ArgumentError(`${fn} needs the option decaySteps`);
  const alpha = numberOption(fn, "alpha", given.alpha, 0, NOT_NEGATIVE);
  return (step) => {
    const wave = progress(step, steps).multiply(Math.PI).cos().add(1).divide(2);
    return wave
      .multiply(1 - alpha)
      .add(alpha)
      .multiply(value);
  };
}

/** Options of {@link warmupCosineDecay}. */
export interface WarmupCosineDecayOptions {
  /** Steps from the first value to the highest, in a straight line. */
  readonly warmupSteps: number;
  /** Steps to the end of the decay, those of the warm-up among them. */
  readonly decaySteps: number;
  /** Value at the first step; 0 when left out. */
  readonly initValue?: number;
  /** Value at the end; 0 when left out. */
  readonly endValue?: number;
}

/**
 * From a small value in a straight line to the highest, then along half a period of a cosine to the last.
 *
 * @param peak - the highest value, after the warm-up
 * @param options - `warmupSteps`, `decaySteps`; `initValue`, `endValue`
 * @returns a schedule
 * @throws ArgumentError for options out of range, and where the decay ends before the warm-up does
 * @example
 * ```ts
 * import { warmupCosineDecay } from "nx-numerics/optim";
 * const schedule = warmupCosineDecay(1, { warmupSteps: 4, decaySteps: 10 });
 * [0, 1, 4, 7, 10].map((step) => schedule(step).item());
 * // => [0, 0.25, 1, 0.5, 0]
 * warmupCosineDecay(1, { warmupSteps: 4, decaySteps: 4 });
 * // throws ArgumentError: warmupCosineDecay expects decaySteps above warmupSteps, got: 4 and 4
 * ```
 */
export function warmupCosineDecay(peak: number, options: WarmupCosineDecayOptions): (step: Operand) => Tensor {
  const fn = "warmupCosineDecay";
  numberArgument(fn, "the peak", peak);
  const given = checkOptions(fn, options, ["warmupSteps", "decaySteps", "initValue", "endValue"]);
  const warmup = numberOption(fn, "warmupSteps", given.warmupSteps, NaN, COUNT);
  const steps = numberOption(fn, "decaySteps", given.decaySteps, NaN, STEPS);
  if (Number.isNaN(warmup) || Number.isNaN(steps))
    throw new ArgumentError(`${fn} needs the options warmupSteps and decaySteps`);
  if (steps <= warmup)
    throw new ArgumentError(`${fn} expects decaySteps above warmupSteps, got: ${steps} and ${warmup}`);
  const init = numberOption(fn, "initValue", given.initValue, 0);
  const end = numberOption(fn, "endValue", given.endValue, 0);
  return (step) => {
    const rising = progress(step, Math.max(1, warmup))
      .multiply(peak - init)
      .add(init);
    const wave = progress(step, steps - warmup, warmup)
      .multiply(Math.PI)
      .cos()
      .add(1)
      .divide(2);
    const falling = wave.multiply(peak - end).add(end);
    return Nx.where(asDouble(step).less(warmup), rising, falling);
  };
}

/**
 * A value that is multiplied by a factor after each of some steps.
 *
 * @param value - at the first step
 * @param factors - for numbers of steps, the factor that holds from then on
 * @returns a schedule
 * @throws ArgumentError for steps that are no whole numbers and factors that are no numbers
 * @example
 * ```ts
 * import { piecewiseConstant } from "nx-numerics/optim";
 * const schedule = piecewiseConstant(1, { 10: 0.5, 20: 0.1 });
 * [9, 10, 20].map((step) => schedule(step).item());
 * // => [1, 0.5, 0.05]
 * piecewiseConstant(1, { 1.5: 2 });
 * // throws ArgumentError: piecewiseConstant expects whole numbers of steps, got: "1.5"
 * ```
 */
export function piecewiseConstant(value: number, factors: Readonly<Record<number, number>>): (step: Operand) => Tensor {
  const fn = "piecewiseConstant";
  numberArgument(fn, "the value", value);
  if (typeof factors !== "object" || factors === null || Nx.isTensor(factors)) {
    throw new ArgumentError(`${fn} expects factors by their steps, such as { 100: 0.1 }, got: ${shown(factors)}`);
  }
  const pieces = Object.entries(factors).map(([step, factor]) => {
    if (!/^\d+$/.test(step))
      throw new ArgumentError(`${fn} expects whole numbers of steps, got: ${JSON.stringify(step)}`);
    return [Number(step), numberArgument(fn, `the factor at ${step}`, factor, FINITE)] as const;
  });
  return (step) => {
    const at = asDouble(step);
    return pieces.reduce<Tensor>(
      (held, [from, factor]) => Nx.where(at.greaterEqual(from), held.multiply(factor), held),
      Nx.f64(value),
    );
  };
}

/** Options of {@link polynomialDecay}. */
export interface PolynomialDecayOptions {
  /** The value at the end; 0 when left out. */
  readonly endValue?: number;
  /** Steps from the first value to the last. */
  readonly transitionSteps: number;
  /** The power of the part that is left; 1, a straight line, when left out. */
  readonly power?: number;
  /** Steps with the first value; 0 when left out. */
  readonly transitionBegin?: number;
}

/**
 * From the value to `endValue` by a power of the part of the steps that is left; with power 1 in a straight line.
 *
 * @param value - at the first step
 * @param options - `transitionSteps`; `endValue`, `power`, `transitionBegin`
 * @returns a schedule
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { polynomialDecay } from "nx-numerics/optim";
 * const schedule = polynomialDecay(4, { transitionSteps: 4, power: 2 });
 * [0, 1, 2, 4, 5].map((step) => schedule(step).item());
 * // => [4, 2.25, 1, 0, 0]
 * polynomialDecay(4, { transitionSteps: 4, power: -1 });
 * // throws ArgumentError: option power of polynomialDecay must be a positive number, got: -1
 * ```
 */
export function polynomialDecay(value: number, options: PolynomialDecayOptions): (step: Operand) => Tensor {
  const fn = "polynomialDecay";
  numberArgument(fn, "the value", value);
  const given = checkOptions(fn, options, ["endValue", "transitionSteps", "power", "transitionBegin"]);
  const steps = numberOption(fn, "transitionSteps", given.transitionSteps, NaN, STEPS);
  if (Number.isNaN(steps)) throw new ArgumentError(`${fn} needs the option transitionSteps`);
  const end = numberOption(fn, "endValue", given.endValue, 0);
  const power = numberOption(fn, "power", given.power, 1, POSITIVE);
  const begin = numberOption(fn, "transitionBegin", given.transitionBegin, 0, COUNT);
  return (step) =>
    Nx.subtract(1, progress(step, steps, begin))
      .pow(power)
      .multiply(value - end)
      .add(end);
}
