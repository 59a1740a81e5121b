/**
 * Samples by rejection: gamma, and beta and Dirichlet made of it, Poisson. Candidates are drawn for all elements at once until each has
 * one that is taken, in a loop that traces, so that results are the same in functions and alone.
 */
import { ArgumentError, show } from "../core/errors";
import { checkOptions } from "../core/options";
import { checkShape, type Names, type Shape } from "../core/shape";
import { finiteLimits, isUnsigned, normalizeType, toFloating, type DType } from "../core/types";
import { whileLoop } from "../defn/control/loop";
import { any } from "../nx/aggregates";
import { renamed } from "../nx/creation/tensor";
import { asTensor, cast, constant, isScalar, run, template } from "../nx/dispatch";
import {
  abs,
  add,
  divide,
  exp,
  floor,
  greater,
  greaterEqual,
  less,
  lessEqual,
  log,
  log1p,
  max,
  logicalAnd,
  logicalNot,
  logicalOr,
  multiply,
  negate,
  select,
  sigmoid,
  sqrt,
  square,
  subtract,
} from "../nx/elementwise";
import { broadcast } from "../nx/shape";
import { softmax } from "../nx/softmax";
import { lgamma } from "../special";
import type { Operand, Tensor } from "../tensor";
import { checkKey, integerOnly, parameter, readDraw, type Draw, type RandomOptions, type SampleNames } from "./draw";
import { normalSplit, realFloat, unit, workType, type Drawn } from "./floats";
import { splitInTwo } from "./keys";

/** A parameter in the shape of the sample. */
const spread = (value: Operand, type: DType, draw: Draw): Tensor => broadcast(parameter(value, type, draw), draw.shape);

/** The value, whose gradient by the parameters is an error: a change of them changes which candidates are taken. */
function constantIn(fn: string, value: Tensor, parameters: readonly Tensor[], instead: string): Tensor {
  return run("block", template(value.type, value.shape, value.names), [value, ...parameters], {
    name: "rejected",
    options: { fn, instead },
    fn: (x) => x!,
  });
}

/**
 * Logarithms of gamma samples (Marsaglia & Tsang, "A simple method for generating gamma variables", 2000), which small parameters do not
 * bring to 0: below 1 the sample is one of a + 1 times u^(1/a).
 */
function logGamma(fn: string, key: Tensor, a: Tensor): Tensor {
  const { type, shape } = a;
  const { own, next } = splitInTwo(key, fn);
  const given = a;
  a = select(isProper(given), given, 1); // with others the loop would never end
  const isSmall = less(a, 1);
  const d = subtract(select(isSmall, add(a, 1), a), constant(1 / 3, type));
  const c = divide(constant(1 / 3, type), sqrt(d));
  const { value } = whileLoop(
    { key: next, value: broadcast(constant(0, type), shape), isOpen: broadcast(constant(1, "u8"), shape) },
    ({ isOpen }) => any(isOpen),
    ({ key: last, value: taken, isOpen }) => {
      const first = splitInTwo(last, fn);
      const second = splitInTwo(first.next, fn);
      const x = normalSplit(first.own, { shape, type });
      const u = subtract(1, unit(second.own, type, shape)); // above 0
      const root = add(1, multiply(c, x));
      const logV = multiply(3, log(select(greater(root, 0), root, 1)));
      const bound = add(multiply(0.5, square(x)), multiply(d, add(subtract(1, exp(logV)), logV)));
      const isTaken = logicalAnd(greater(root, 0), less(log(u), bound));
      return {
        key: second.next,
        value: select(logicalAnd(isOpen, isTaken), add(log(d), logV), taken),
        isOpen: logicalAnd(isOpen, logicalNot(isTaken)),
      };
    },
  );
  const u = log1p(negate(unit(own, type, shape)));
  const boosted = add(value, select(isSmall, divide(u, select(isSmall, a, 1)), 0));
  return select(isProper(given), boosted, NaN);
}

const isProper = (a: Tensor): Tensor => logicalAnd(greater(a, 0), less(a, Infinity));

/**
 * Draws floats of the gamma distribution of scale 1, and gives the next key. Multiply by a scale, or divide by a rate,
 * for others (Marsaglia & Tsang, "A simple method for generating gamma variables", ACM TOMS 26, 2000).
 *
 * @param key - a key
 * @param concentration - the shape parameter, above 0: a number, or a tensor that broadcasts to the shape; NaN comes of others
 * @param options - `shape` (that of the parameters, so a scalar for plain numbers), `names`, `type`
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for parameters that do not broadcast to the shape,
 *   and for types that are not real floats
 * @example
 * ```ts
 * Nx.Random.gamma(Nx.Random.key(1), 2.5, { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.8355986, 2.006531, 0.60757625]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.gamma(Nx.Random.key(1), 2, { type: "s32" });
 * // throws ArgumentError: Nx.Random.gamma cannot draw samples of type s32
 * ```
 */
export function gamma<const M extends Names = Names>(
  key: Tensor,
  concentration: Operand,
  options?: RandomOptions<M>,
): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.gamma");
  return [gammaWith("Nx.Random.gamma", own, concentration, options) as Tensor<M>, next];
}

/**
 * Draws numbers as {@link gamma} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param concentration - the shape parameter, above 0: a number, or a tensor that broadcasts to the shape; NaN comes of others
 * @param options - `shape`, `names`, `type`, as for `gamma`
 * @returns the sample alone
 * @throws ArgumentError as `gamma` does
 * @example
 * ```ts
 * Nx.Random.gammaSplit(Nx.Random.key(1), 2.5, { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [2.2043264, 1.6084583, 0.45853156]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.gammaSplit(Nx.Random.key(1), 2, { type: "s32" });
 * // throws ArgumentError: Nx.Random.gammaSplit cannot draw samples of type s32
 * ```
 */
export function gammaSplit<const M extends Names = Names>(
  key: Tensor,
  concentration: Operand,
  options?: RandomOptions<M>,
): Tensor<M> {
  const fn = "Nx.Random.gammaSplit";
  return gammaWith(fn, checkKey(key, fn), concentration, options) as Tensor<M>;
}

function gammaWith(fn: string, key: Tensor, concentration: Operand, options: RandomOptions | undefined): Tensor {
  const draw = readDraw(fn, { concentration }, options, (type) => realFloat(fn, toFloating(type)));
  const a = spread(concentration, workType(draw.type), draw);
  const value = constantIn(fn, exp(logGamma(fn, key, a)), [a], "scale a sample of fixed concentration");
  return renamed(cast(value, draw.type), draw.names);
}

/**
 * Draws floats of the beta distribution, between 0 and 1, and gives the next key. Made of two gamma samples x and y as x / (x + y).
 *
 * @param key - a key
 * @param a - the first parameter, above 0: a number, or a tensor that broadcasts to the shape; NaN comes of others
 * @param b - the second one
 * @param options - `shape` (that of the parameters, so a scalar for plain numbers), `names`, `type`
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for parameters that do not broadcast to the shape,
 *   and for types that are not real floats
 * @example
 * ```ts
 * Nx.Random.beta(Nx.Random.key(1), 2, 3, { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.48876548, 0.12338134, 0.41040954]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.beta(Nx.Random.key(1), Nx.f32([1, 2]), 2, { shape: [3] });
 * // throws ArgumentError: a of Nx.Random.beta has shape [2], which does not broadcast to the shape [3] of the sample
 * ```
 */
export function beta<const M extends Names = Names>(
  key: Tensor,
  a: Operand,
  b: Operand,
  options?: RandomOptions<M>,
): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.beta");
  return [betaWith("Nx.Random.beta", own, a, b, options) as Tensor<M>, next];
}

/**
 * Draws numbers as {@link beta} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param a - the first parameter, above 0: a number, or a tensor that broadcasts to the shape; NaN comes of others
 * @param b - the second one
 * @param options - `shape`, `names`, `type`, as for `beta`
 * @returns the sample alone
 * @throws ArgumentError as `beta` does
 * @example
 * ```ts
 * Nx.Random.betaSplit(Nx.Random.key(1), 2, 3, { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.25541127, 0.45781195, 0.076282464]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.betaSplit(Nx.Random.key(1), Nx.f32([1, 2]), 2, { shape: [3] });
 * // throws ArgumentError: a of Nx.Random.betaSplit has shape [2], which does not broadcast to the shape [3] of the sample
 * ```
 */
export function betaSplit<const M extends Names = Names>(
  key: Tensor,
  a: Operand,
  b: Operand,
  options?: RandomOptions<M>,
): Tensor<M> {
  const fn = "Nx.Random.betaSplit";
  return betaWith(fn, checkKey(key, fn), a, b, options) as Tensor<M>;
}

function betaWith(fn: string, key: Tensor, a: Operand, b: Operand, options: RandomOptions | undefined): Tensor {
  const draw = readDraw(fn, { a, b }, options, (type) => realFloat(fn, toFloating(type)));
  const [first, second] = [a, b].map((value) => spread(value, workType(draw.type), draw)) as [Tensor, Tensor];
  const { own, next } = splitInTwo(key, fn);
  const apart = subtract(logGamma(fn, own, first), logGamma(fn, next, second));
  const value = constantIn(fn, sigmoid(apart), [first, second], "draw with fixed parameters");
  return renamed(cast(value, draw.type), draw.names);
}

/**
 * Draws integers of the Poisson distribution: how often something happens that does so `rate` times on average, and gives the next key.
 *
 * Small rates go by products of uniform numbers (Knuth), from 10 on by transformed rejection (Hörmann, "The transformed rejection method
 * for generating Poisson random variables", 1993), as in JAX.
 *
 * @param key - a key
 * @param rate - the mean, from 0 on: a number, or a tensor that broadcasts to the shape; -1 comes of others, in unsigned types the
 *   largest number
 * @param options - `shape` (that of the parameters, so a scalar for plain numbers), `names`, `type`
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for parameters that do not broadcast to the shape,
 *   types that are no integers, and negative plain rates
 * @example
 * ```ts
 * Nx.Random.poisson(Nx.Random.key(1), 4, { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [3, 4, 5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.poisson(Nx.Random.key(1), -1);
 * // throws ArgumentError: rate of Nx.Random.poisson must be a number of at least 0, got: -1
 * ```
 */
export function poisson<const M extends Names = Names>(
  key: Tensor,
  rate: Operand,
  options?: RandomOptions<M>,
): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.poisson");
  return [poissonWith("Nx.Random.poisson", own, rate, options) as Tensor<M>, next];
}

/**
 * Draws numbers as {@link poisson} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param rate - the mean, from 0 on: a number, or a tensor that broadcasts to the shape; -1 comes of others, in unsigned types the
 *   largest number
 * @param options - `shape`, `names`, `type`, as for `poisson`
 * @returns the sample alone
 * @throws ArgumentError as `poisson` does
 * @example
 * ```ts
 * Nx.Random.poissonSplit(Nx.Random.key(1), 4, { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [4, 6, 5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.poissonSplit(Nx.Random.key(1), -1);
 * // throws ArgumentError: rate of Nx.Random.poissonSplit must be a number of at least 0, got: -1
 * ```
 */
export function poissonSplit<const M extends Names = Names>(
  key: Tensor,
  rate: Operand,
  options?: RandomOptions<M>,
): Tensor<M> {
  const fn = "Nx.Random.poissonSplit";
  return poissonWith(fn, checkKey(key, fn), rate, options) as Tensor<M>;
}

function poissonWith(fn: string, key: Tensor, rate: Operand, options: RandomOptions | undefined): Tensor {
  options = checkOptions(fn, options, ["shape", "names", "type"]);
  const asked = options?.type;
  const rest = { shape: options?.shape, names: options?.names } as RandomOptions;
  const type = asked === undefined ? "s64" : integerOnly(fn)(normalizeType(asked));
  const draw = readDraw(fn, { rate: checkedRate(fn, rate) }, rest, (own) => realFloat(fn, toFloating(own)));
  const mean = spread(rate, "f64", draw);
  const drawn = workType(draw.type);
  const { own, next } = splitInTwo(key, fn);
  const isFit = logicalAnd(greaterEqual(mean, 0), less(mean, Infinity));
  const isSmall = less(mean, FEW);
  const few = byProducts(fn, own, cast(select(logicalAnd(isFit, isSmall), mean, 0), drawn));
  const many = byRejection(fn, next, select(logicalAnd(isFit, logicalNot(isSmall)), mean, FEW), drawn);
  const count = cast(select(isSmall, few, many), type);
  const none = constant(isUnsigned(type) ? finiteLimits(type).max : -1, type);
  return renamed(select(isFit, count, none), draw.names);
}

/** A rate, which is no negative plain number. */
export function checkedRate(fn: string, rate: Operand): Operand {
  if (!isScalar(rate) || typeof rate === "object" || (Number(rate) >= 0 && Number(rate) < Infinity)) return rate;
  throw new ArgumentError(`rate of ${fn} must be a number of at least 0, got: ${show(rate)}`);
}

/** Rates below go by products. */
const FEW = 10;

/** How many uniform numbers have a product above e^-mean. */
function byProducts(fn: string, key: Tensor, mean: Tensor): Tensor {
  const { type, shape } = mean;
  const zero = broadcast(constant(0, type), shape);
  return whileLoop(
    { key, count: zero, sum: zero },
    ({ sum }) => any(less(sum, mean)),
    ({ key: last, count, sum }) => {
      const { own, next } = splitInTwo(last, fn);
      const later = subtract(sum, log1p(negate(unit(own, type, shape))));
      const isOpen = less(sum, mean);
      const isCounted = logicalAnd(isOpen, less(later, mean));
      return { key: next, count: select(isCounted, add(count, 1), count), sum: select(isOpen, later, sum) };
    },
  ).count;
}

/** Hörmann's PTRS, for means from 10 on; in doubles, since logarithms of probabilities are differences of numbers as large as the count. */
function byRejection(fn: string, key: Tensor, mean: Tensor, drawn: DType): Tensor {
  const { type, shape } = mean;
  const isLarge = greaterEqual(mean, MANY);
  const logMean = log(mean);
  const b = add(constant(0.931, type), multiply(2.53, sqrt(mean)));
  const a = add(constant(-0.059, type), multiply(0.02483, b));
  const inverseAlpha = add(constant(1.1239, type), divide(constant(1.1328, type), subtract(b, 3.4)));
  const limit = subtract(constant(0.9277, type), divide(constant(3.6224, type), subtract(b, 2)));
  return whileLoop(
    { key, count: broadcast(constant(0, type), shape), isOpen: broadcast(constant(1, "u8"), shape) },
    ({ isOpen }) => any(isOpen),
    ({ key: last, count, isOpen }) => {
      const first = splitInTwo(last, fn);
      const second = splitInTwo(first.next, fn);
      const u = subtract(cast(unit(first.own, drawn, shape), type), 0.5);
      const v = subtract(1, cast(unit(second.own, drawn, shape), type)); // above 0
      const us = subtract(0.5, abs(u));
      const k = floor(add(add(multiply(add(divide(multiply(2, a), us), b), u), mean), 0.43));
      const isQuick = logicalAnd(greaterEqual(us, 0.07), lessEqual(v, limit));
      const isOut = logicalOr(less(k, 0), logicalAnd(less(us, 0.013), greater(v, us)));
      const scaled = log(divide(multiply(v, inverseAlpha), add(divide(a, square(us)), b)));
      const whole = subtract(subtract(multiply(k, logMean), mean), lgamma(add(k, 1)));
      const most = select(isLarge, byDeviance(k, mean), whole);
      const isTaken = logicalOr(isQuick, logicalAnd(logicalNot(isOut), lessEqual(scaled, most)));
      return {
        key: second.next,
        count: select(logicalAnd(isOpen, isTaken), k, count),
        isOpen: logicalAnd(isOpen, logicalNot(isTaken)),
      };
    },
  ).count;
}

/** Rates from here on have logarithms of probabilities by Stirling's formula, whose next term is below 1e-20. */
const MANY = 1e6;

/** The logarithm of the probability of a count near a large mean, without the difference of numbers as large as they are. */
function byDeviance(k: Tensor, mean: Tensor): Tensor {
  const x = divide(subtract(k, mean), mean);
  const near = multiply(mean, subtract(x, multiply(add(x, 1), log1p(max(x, -0.5)))));
  return subtract(near, add(multiply(0.5, log(multiply(2 * Math.PI, max(k, 1)))), divide(1 / 12, max(k, 1))));
}

/**
 * Draws vectors of shares, which are positive and sum up to 1, of the Dirichlet distribution, and gives the next key. Made of gamma samples,
 * each divided by their sum.
 *
 * @param key - a key
 * @param concentration - the parameters, above 0: a tensor whose last axis is that of the shares
 * @param options - `shape` of how many vectors to draw, which the axes in front of the last broadcast to (theirs when left out); `names` of all
 *   axes, that of the shares last; `type` (that of the parameters, `f32` for integers)
 * @returns the sample, of that shape and a last axis of shares, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for parameters without axes or that do not broadcast, and types that are not real floats
 * @example
 * ```ts
 * const [sample] = Nx.Random.dirichlet(Nx.Random.key(1), Nx.f32([2, 2, 4], { names: ["share"] }));
 * sample;
 * // => #Nx.Tensor<
 * //   f32[share: 3]
 * //   [0.15510142, 0.43295926, 0.41193932]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.dirichlet(Nx.Random.key(1), Nx.f64([1, 2]), { shape: [5] })[0].shape;
 * // => [5, 2]
 * Nx.Random.dirichlet(Nx.Random.key(1), 2);
 * // throws ArgumentError: Nx.Random.dirichlet expects parameters of at least one axis, got a scalar
 * ```
 */
export function dirichlet<N extends Names, const M extends Names = never, S extends Shape = never>(
  key: Tensor,
  concentration: Operand<N>,
  options?: RandomOptions<M, S>,
): Drawn<SampleNames<readonly [], N, M, S>>;
export function dirichlet(key: Tensor, concentration: Operand, options?: RandomOptions): Drawn {
  const { own, next } = splitInTwo(key, "Nx.Random.dirichlet");
  return [dirichletWith("Nx.Random.dirichlet", own, concentration, options), next];
}

/**
 * Draws vectors as {@link dirichlet} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param concentration - the parameters, above 0: a tensor whose last axis is that of the shares
 * @param options - `shape`, `names`, `type`, as for `dirichlet`
 * @returns the sample alone
 * @throws ArgumentError as `dirichlet` does
 * @example
 * ```ts
 * Nx.Random.dirichletSplit(Nx.Random.key(1), Nx.f32([2, 2, 4], { names: ["share"] }));
 * // => #Nx.Tensor<
 * //   f32[share: 3]
 * //   [0.41611052, 0.28979355, 0.294096]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.dirichletSplit(Nx.Random.key(1), Nx.f32([1, 2]), { type: "u8" });
 * // throws ArgumentError: Nx.Random.dirichletSplit cannot draw samples of type u8
 * ```
 */
export function dirichletSplit<N extends Names, const M extends Names = never, S extends Shape = never>(
  key: Tensor,
  concentration: Operand<N>,
  options?: RandomOptions<M, S>,
): Tensor<SampleNames<readonly [], N, M, S>>;
export function dirichletSplit(key: Tensor, concentration: Operand, options?: RandomOptions): Tensor {
  const fn = "Nx.Random.dirichletSplit";
  return dirichletWith(fn, checkKey(key, fn), concentration, options);
}

function dirichletWith(fn: string, key: Tensor, concentration: Operand, options: RandomOptions | undefined): Tensor {
  options = checkOptions(fn, options, ["shape", "names", "type"]);
  const t = asTensor(concentration, fn);
  const size = t.shape[t.shape.length - 1];
  if (size === undefined) throw new ArgumentError(`${fn} expects parameters of at least one axis, got a scalar`);
  const front: Shape =
    options?.shape === undefined ? t.shape.slice(0, -1) : checkShape(options.shape, `shape of ${fn}`);
  const whole = { ...options, shape: [...front, size] };
  const draw = readDraw(fn, { concentration: t }, whole, (type) => realFloat(fn, toFloating(type)));
  const a = spread(t, workType(draw.type), draw);
  const value = softmax(logGamma(fn, key, a), { axis: -1 });
  const sample = constantIn(fn, value, [a], "draw with fixed parameters");
  return renamed(cast(sample, draw.type), draw.names);
}
