/**
 * Samples that one draw of uniform numbers makes: exponential, Laplace, logistic, Cauchy, truncated normal, Bernoulli, categorical. The
 * uniform numbers are those of `uniform` with the same key.
 */
import type { AxisOf, Given, Without } from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { unnamed } from "../core/names";
import { checkOptions, type AlsoAxes, type More } from "../core/options";
import { checkShape, formatShape, resolveAxis, sameShape, type Axis, type Names, type Shape } from "../core/shape";
import { isComplex, toFloating, type DType } from "../core/types";
import { argmax } from "../nx/aggregates";
import { renamed } from "../nx/creation/tensor";
import { asTensor, cast, constant } from "../nx/dispatch";
import {
  abs,
  add,
  divide,
  erf,
  erfInv,
  less,
  log,
  log1p,
  max,
  min,
  multiply,
  negate,
  sign,
  subtract,
  tan,
} from "../nx/elementwise";
import { moveAxis } from "../nx/shape";
import { Tensor, type Operand } from "../tensor";
import { epsilon, maxFinite } from "../type";
import { checkKey, parameter, readDraw, type RandomOptions } from "./draw";
import { between, gumbelSplit, realFloat, unit, workType, type Drawn } from "./floats";
import { splitInTwo } from "./keys";

/** What the distributions without parameters do. */
function standardWith(
  fn: string,
  key: Tensor,
  options: RandomOptions | undefined,
  sample: (key: Tensor, type: DType, shape: Shape) => Tensor,
): Tensor {
  const draw = readDraw(fn, { location: 0 }, options, (type) => realFloat(fn, toFloating(type)));
  return renamed(rounded(sample(key, workType(draw.type), draw.shape), draw.type), draw.names);
}

/** In the type of the sample, which is finite: tails of `f32` reach beyond `f16`. */
function rounded(sample: Tensor, type: DType): Tensor {
  if (type !== "f16") return cast(sample, type);
  const most = maxFinite(type) as number;
  return cast(min(max(sample, constant(-most, sample.type)), constant(most, sample.type)), type);
}

/**
 * Draws floats of the standard exponential distribution, and gives the next key. Its mean is 1; divide by a rate, or multiply by a mean, for others.
 *
 * @param key - a key
 * @param options - `shape` (a scalar when left out), `names`, `type` (`f32`)
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, and for types that are not real floats
 * @example
 * ```ts
 * Nx.Random.exponential(Nx.Random.key(1), { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.1886894, 4.4724717, 0.9030653]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.exponential(Nx.Random.key(1), { type: "c64" });
 * // throws ArgumentError: Nx.Random.exponential draws real floats, got type c64
 * ```
 */
export function exponential<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.exponential");
  return [standardWith("Nx.Random.exponential", own, options, exponentialOf) as Tensor<M>, next];
}

/**
 * Draws floats as {@link exponential} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param options - `shape`, `names`, `type`, as for `exponential`
 * @returns the sample alone
 * @throws ArgumentError as `exponential` does
 * @example
 * ```ts
 * Nx.Random.exponentialSplit(Nx.Random.key(1), { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.84060943, 0.29922014, 2.2011995]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.exponentialSplit(Nx.Random.key(1), { shape: [0] });
 * // throws ArgumentError: shape of Nx.Random.exponentialSplit must hold positive integers only, got 0 in [0]
 * ```
 */
export function exponentialSplit<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Tensor<M> {
  const fn = "Nx.Random.exponentialSplit";
  return standardWith(fn, checkKey(key, fn), options, exponentialOf) as Tensor<M>;
}

/** The inverse of the distribution function; no sample is infinite, since a uniform one is below 1. */
const exponentialOf = (key: Tensor, type: DType, shape: Shape): Tensor => negate(log1p(negate(unit(key, type, shape))));

/**
 * Draws floats of the standard Laplace distribution, and gives the next key. Two exponential tails, of scale 1 around 0.
 *
 * @param key - a key
 * @param options - `shape` (a scalar when left out), `names`, `type` (`f32`)
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, and for types that are not real floats
 * @example
 * ```ts
 * Nx.Random.laplace(Nx.Random.key(1), { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [-0.49554223, -3.779327, -0.20991823]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.laplace(Nx.Random.key(1), { type: "c64" });
 * // throws ArgumentError: Nx.Random.laplace draws real floats, got type c64
 * ```
 */
export function laplace<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.laplace");
  return [standardWith("Nx.Random.laplace", own, options, laplaceOf) as Tensor<M>, next];
}

/**
 * Draws floats as {@link laplace} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param options - `shape`, `names`, `type`, as for `laplace`
 * @returns the sample alone
 * @throws ArgumentError as `laplace` does
 * @example
 * ```ts
 * Nx.Random.laplaceSplit(Nx.Random.key(1), { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [-0.14746232, 0.65931076, -1.5080526]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.laplaceSplit(Nx.Random.key(1), { shape: [0] });
 * // throws ArgumentError: shape of Nx.Random.laplaceSplit must hold positive integers only, got 0 in [0]
 * ```
 */
export function laplaceSplit<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Tensor<M> {
  const fn = "Nx.Random.laplaceSplit";
  return standardWith(fn, checkKey(key, fn), options, laplaceOf) as Tensor<M>;
}

const laplaceOf = (key: Tensor, type: DType, shape: Shape): Tensor => {
  const u = between(key, constant(epsilon(type) / 2 - 1, type), constant(1, type), shape);
  return multiply(sign(u), log1p(negate(abs(u))));
};

/**
 * Draws floats of the standard logistic distribution, and gives the next key. Its distribution function is `Nx.sigmoid`.
 *
 * @param key - a key
 * @param options - `shape` (a scalar when left out), `names`, `type` (`f32`)
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, and for types that are not real floats
 * @example
 * ```ts
 * Nx.Random.logistic(Nx.Random.key(1), { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.82539237, 4.460987, 0.38332486]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.logistic(Nx.Random.key(1), { type: "c64" });
 * // throws ArgumentError: Nx.Random.logistic draws real floats, got type c64
 * ```
 */
export function logistic<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.logistic");
  return [standardWith("Nx.Random.logistic", own, options, logisticOf) as Tensor<M>, next];
}

/**
 * Draws floats as {@link logistic} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param options - `shape`, `names`, `type`, as for `logistic`
 * @returns the sample alone
 * @throws ArgumentError as `logistic` does
 * @example
 * ```ts
 * Nx.Random.logisticSplit(Nx.Random.key(1), { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.27594805, -1.0532374, 2.0839124]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.logisticSplit(Nx.Random.key(1), { shape: [0] });
 * // throws ArgumentError: shape of Nx.Random.logisticSplit must hold positive integers only, got 0 in [0]
 * ```
 */
export function logisticSplit<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Tensor<M> {
  const fn = "Nx.Random.logisticSplit";
  return standardWith(fn, checkKey(key, fn), options, logisticOf) as Tensor<M>;
}

const logisticOf = (key: Tensor, type: DType, shape: Shape): Tensor => {
  const u = between(key, constant(epsilon(type), type), constant(1, type), shape);
  return subtract(log(u), log1p(negate(u)));
};

/**
 * Draws floats of the standard Cauchy distribution, and gives the next key. It has no mean: samples far out come again and again.
 *
 * @param key - a key
 * @param options - `shape` (a scalar when left out), `names`, `type` (`f32`)
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, and for types that are not real floats
 * @example
 * ```ts
 * Nx.Random.cauchy(Nx.Random.key(1), { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.7045958, 27.863409, 0.30652207]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.cauchy(Nx.Random.key(1), { type: "c64" });
 * // throws ArgumentError: Nx.Random.cauchy draws real floats, got type c64
 * ```
 */
export function cauchy<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.cauchy");
  return [standardWith("Nx.Random.cauchy", own, options, cauchyOf) as Tensor<M>, next];
}

/**
 * Draws floats as {@link cauchy} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param options - `shape`, `names`, `type`, as for `cauchy`
 * @returns the sample alone
 * @throws ArgumentError as `cauchy` does
 * @example
 * ```ts
 * Nx.Random.cauchySplit(Nx.Random.key(1), { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.21875681, -0.9473505, 2.7593613]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.cauchySplit(Nx.Random.key(1), { shape: [0] });
 * // throws ArgumentError: shape of Nx.Random.cauchySplit must hold positive integers only, got 0 in [0]
 * ```
 */
export function cauchySplit<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Tensor<M> {
  const fn = "Nx.Random.cauchySplit";
  return standardWith(fn, checkKey(key, fn), options, cauchyOf) as Tensor<M>;
}

const cauchyOf = (key: Tensor, type: DType, shape: Shape): Tensor => {
  const u = between(key, constant(epsilon(type), type), constant(1, type), shape);
  return tan(multiply(subtract(u, constant(0.5, type)), constant(Math.PI, type)));
};

/**
 * Draws floats of the standard normal distribution between two bounds, and gives the next key. Multiply by a standard deviation and add a
 * mean for others, whose bounds are those in units of it. Samples are coarse where both bounds lie far in one tail, beyond 4 in `f32` and 7
 * in `f64`, and where hardly a number is left between the shares that lie below them, beyond 5.5 and 8.3, all are the bound nearer to 0.
 *
 * @param key - a key
 * @param lower - the lowest value: a number, or a tensor that broadcasts to the shape; `-Infinity` for none
 * @param upper - the highest value; `Infinity` for none
 * @param options - `shape` (that of the parameters, so a scalar for plain numbers), `names`, `type`
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for parameters that do not broadcast to the shape, for
 *   types that are not real floats, and for plain bounds that leave no values between them
 * @example
 * ```ts
 * Nx.Random.truncatedNormal(Nx.Random.key(1), -1, 2, { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.6064419, 1.85082, 0.37307245]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.truncatedNormal(Nx.Random.key(1), 2, 1);
 * // throws ArgumentError: lower of Nx.Random.truncatedNormal must be below upper, got: 2 and 1
 * ```
 */
export function truncatedNormal<const M extends Names = Names>(
  key: Tensor,
  lower: Operand,
  upper: Operand,
  options?: RandomOptions<M>,
): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.truncatedNormal");
  return [truncatedNormalWith("Nx.Random.truncatedNormal", own, lower, upper, options) as Tensor<M>, next];
}

/**
 * Draws numbers as {@link truncatedNormal} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param lower - the lowest value: a number, or a tensor that broadcasts to the shape; `-Infinity` for none
 * @param upper - the highest value; `Infinity` for none
 * @param options - `shape`, `names`, `type`, as for `truncatedNormal`
 * @returns the sample alone
 * @throws ArgumentError as `truncatedNormal` does
 * @example
 * ```ts
 * Nx.Random.truncatedNormalSplit(Nx.Random.key(1), -1, 2, { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.31618574, -0.3309346, 1.208933]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.truncatedNormalSplit(Nx.Random.key(1), 2, 1);
 * // throws ArgumentError: lower of Nx.Random.truncatedNormalSplit must be below upper, got: 2 and 1
 * ```
 */
export function truncatedNormalSplit<const M extends Names = Names>(
  key: Tensor,
  lower: Operand,
  upper: Operand,
  options?: RandomOptions<M>,
): Tensor<M> {
  const fn = "Nx.Random.truncatedNormalSplit";
  return truncatedNormalWith(fn, checkKey(key, fn), lower, upper, options) as Tensor<M>;
}

function truncatedNormalWith(
  fn: string,
  key: Tensor,
  lower: Operand,
  upper: Operand,
  options: RandomOptions | undefined,
): Tensor {
  const draw = readDraw(fn, { lower, upper }, options, (type) => realFloat(fn, toFloating(type)));
  if (!(lower instanceof Tensor) && !(upper instanceof Tensor) && !((lower as number) < (upper as number))) {
    throw new ArgumentError(`lower of ${fn} must be below upper, got: ${show(lower)} and ${show(upper)}`);
  }
  const type = workType(draw.type);
  const [from, to] = [parameter(lower, type, draw), parameter(upper, type, draw)];
  const root = constant(Math.SQRT2, type);
  const u = between(key, erf(divide(from, root)), erf(divide(to, root)), draw.shape);
  const edge = 1 - epsilon(type) / 2; // shares round to 1, whose sample would be infinite
  const inner = min(max(u, constant(-edge, type)), constant(edge, type));
  return renamed(cast(min(max(multiply(root, erfInv(inner)), from), to), draw.type), draw.names);
}

/**
 * Draws truth values, 1 with a probability and 0 otherwise, and gives the next key. They are `u8`.
 *
 * @param key - a key
 * @param probability - how likely a 1 is: a number, or a tensor that broadcasts to the shape; below 0 counts as 0, above 1 as 1
 * @param options - `shape` (that of the parameters, so a scalar for plain numbers), `names`, `type`
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for parameters that do not broadcast to the shape,
 *   and for other types than `u8`
 * @example
 * ```ts
 * Nx.Random.bernoulli(Nx.Random.key(1), 0.5, { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   u8[x: 3]
 * //   [0, 0, 0]
 * // >
 * ```
 * @example
 * ```ts
 * const each = Nx.tensor([0, 1], { names: ["x"], type: "f32" });
 * [Nx.Random.bernoulli(Nx.Random.key(1), each)].flat()[0]!.toList();
 * // => [0, 1]
 * Nx.Random.bernoulli(Nx.Random.key(1), 0.5, { type: "f32" });
 * // throws ArgumentError: Nx.Random.bernoulli draws truth values of type u8, got type f32
 * ```
 */
export function bernoulli<const M extends Names = Names>(
  key: Tensor,
  probability: Operand,
  options?: RandomOptions<M>,
): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.bernoulli");
  return [bernoulliWith("Nx.Random.bernoulli", own, probability, options) as Tensor<M>, next];
}

/**
 * Draws numbers as {@link bernoulli} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param probability - how likely a 1 is: a number, or a tensor that broadcasts to the shape; below 0 counts as 0, above 1 as 1
 * @param options - `shape`, `names`, `type`, as for `bernoulli`
 * @returns the sample alone
 * @throws ArgumentError as `bernoulli` does
 * @example
 * ```ts
 * Nx.Random.bernoulliSplit(Nx.Random.key(1), 0.5, { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   u8[x: 3]
 * //   [0, 1, 0]
 * // >
 * ```
 * @example
 * ```ts
 * const each = Nx.tensor([0, 1], { names: ["x"], type: "f32" });
 * [Nx.Random.bernoulliSplit(Nx.Random.key(1), each)].flat()[0]!.toList();
 * // => [0, 1]
 * Nx.Random.bernoulliSplit(Nx.Random.key(1), 0.5, { type: "f32" });
 * // throws ArgumentError: Nx.Random.bernoulliSplit draws truth values of type u8, got type f32
 * ```
 */
export function bernoulliSplit<const M extends Names = Names>(
  key: Tensor,
  probability: Operand,
  options?: RandomOptions<M>,
): Tensor<M> {
  const fn = "Nx.Random.bernoulliSplit";
  return bernoulliWith(fn, checkKey(key, fn), probability, options) as Tensor<M>;
}

function bernoulliWith(fn: string, key: Tensor, probability: Operand, options: RandomOptions | undefined): Tensor {
  options = checkOptions(fn, options, ["shape", "names", "type"]);
  const asked = options?.type;
  const rest = { shape: options?.shape, names: options?.names } as RandomOptions;
  if (asked !== undefined && asked !== "u8") {
    throw new ArgumentError(`${fn} draws truth values of type u8, got type ${show(asked).replaceAll('"', "")}`);
  }
  const draw = readDraw(fn, { probability }, rest, (type) => realFloat(fn, toFloating(type)));
  const type = workType(draw.type); // half floats below 1 are too few for small probabilities
  return renamed(less(unit(key, type, draw.shape), parameter(probability, type, draw)), draw.names);
}

/** Options of `Nx.Random.categorical`. */
export interface CategoricalOptions<A = Axis | undefined, S extends Shape = Shape> extends AlsoAxes<A> {
  /** The axis of the categories, by position or name; the last when left out. */
  readonly axis?: A;
  /** Shape of the sample, which ends with that of the logits without the axis; that alone when left out. */
  readonly shape?: S;
}

/** Names of positions of categories: those of the logits without the axis, behind axes in front that a shape brings. */
export type CategoricalNames<N extends Names, A, S> = [S] extends [never] ? Without<N, Given<A, -1>> : Names;

/**
 * Draws positions of categories by the logarithms of their probabilities, and gives the next key.
 *
 * The logarithms need not be normalised: their softmax is what counts. A sample is the position of the largest of the logits and as many
 * samples of the Gumbel distribution, as in JAX.
 *
 * @param key - a key
 * @param logits - logarithms of probabilities, a tensor of at least one axis
 * @param options - `axis` of the categories (the last), `shape` of the sample
 * @returns the positions, `s64`, with the shape and names of the logits without the axis, or in `shape`, where further axes in front
 *   have no names; and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for complex logits and scalars, an axis they do not have, and a shape that does not end
 *   with theirs
 * @example
 * ```ts
 * const logits = Nx.log(Nx.tensor([[0.5, 0.5, 0], [0, 0, 1]], { names: ["case", "kind"] }));
 * Nx.Random.categorical(Nx.Random.key(1), logits)[0];
 * // => #Nx.Tensor<
 * //   s64[case: 2]
 * //   [0, 2]
 * // >
 * Nx.Random.categorical(Nx.Random.key(1), logits, { axis: "kind", shape: [4, 2] })[0].at({ case: 1 }).toList();
 * // => [2, 2, 2, 2]
 * ```
 * @example
 * ```ts
 * Nx.Random.categorical(Nx.Random.key(1), Nx.tensor([0, 0]), { shape: [2, 3], axis: "kind" });
 * // throws ArgumentError: Nx.Random.categorical: no axis named "kind" in shape [2]
 * Nx.Random.categorical(Nx.Random.key(1), Nx.iota([3, 2]), { shape: [2] });
 * // throws ArgumentError: shape of Nx.Random.categorical must end with that of the logits without their axis, [3], got: [2]
 * ```
 */
export function categorical<
  N extends Names,
  const A extends AxisOf<N> | undefined = undefined,
  S extends Shape = never,
>(
  key: Tensor,
  logits: Operand<N>,
  options?: A | CategoricalOptions<A, S>,
  ..._more: More<CategoricalOptions<undefined, S>>
): Drawn<CategoricalNames<N, A, S>>;
export function categorical(key: Tensor, logits: Operand, options?: Axis | CategoricalOptions): Drawn {
  const { own, next } = splitInTwo(key, "Nx.Random.categorical");
  return [categoricalWith("Nx.Random.categorical", own, logits, options), next];
}

/**
 * Draws positions as {@link categorical} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param logits - logarithms of probabilities, a tensor of at least one axis
 * @param options - `axis`, `shape`, as for `categorical`
 * @returns the sample alone
 * @throws ArgumentError as `categorical` does
 * @example
 * ```ts
 * Nx.Random.categoricalSplit(Nx.Random.key(1), Nx.zeros([2, 3], { names: ["case", "kind"] }));
 * // => #Nx.Tensor<
 * //   s64[case: 2]
 * //   [2, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.categoricalSplit(Nx.Random.key(1), Nx.tensor(0));
 * // throws ArgumentError: Nx.Random.categoricalSplit expects real logits of at least one axis, got: s64[]
 * ```
 */
export function categoricalSplit<
  N extends Names,
  const A extends AxisOf<N> | undefined = undefined,
  S extends Shape = never,
>(
  key: Tensor,
  logits: Operand<N>,
  options?: A | CategoricalOptions<A, S>,
  ..._more: More<CategoricalOptions<undefined, S>>
): Tensor<CategoricalNames<N, A, S>>;
export function categoricalSplit(key: Tensor, logits: Operand, options?: Axis | CategoricalOptions): Tensor {
  const fn = "Nx.Random.categoricalSplit";
  return categoricalWith(fn, checkKey(key, fn), logits, options);
}

function categoricalWith(
  fn: string,
  key: Tensor,
  logits: Operand,
  given: Axis | CategoricalOptions | undefined,
): Tensor {
  const options = checkOptions<CategoricalOptions>(fn, given, ["axis", "shape"]);
  const t = asTensor(logits, fn);
  if (t.shape.length === 0 || isComplex(t.type)) {
    throw new ArgumentError(
      `${fn} expects real logits of at least one axis, got: ${t.type}${formatShape(t.shape, t.names)}`,
    );
  }
  const axis = resolveAxis(options?.axis === undefined ? -1 : options.axis, t.shape, t.names);
  const rest = moveAxis(t, axis, -1);
  const batch = rest.shape.slice(0, -1);
  const shape = options?.shape === undefined ? batch : checkShape(options.shape, `shape of ${fn}`);
  const lead = shape.length - batch.length;
  if (lead < 0 || !sameShape(shape.slice(lead), batch)) {
    throw new ArgumentError(
      `shape of ${fn} must end with that of the logits without their axis, ${formatShape(batch)}, got: ${formatShape(shape)}`,
    );
  }
  const type = workType(toFloating(t.type)); // samples of half floats are so few that the first of equal ones would win
  const bare = cast(renamed(rest, unnamed(t.shape.length)), type);
  const noise = gumbelSplit(key, { shape: [...shape, bare.shape[batch.length]!], type });
  const names = Object.freeze([...unnamed(lead), ...rest.names.slice(0, -1)]);
  return renamed(argmax(add(noise, bare), { axis: -1 }), names);
}
