/**
 * Samples of continuous distributions: uniform, normal, Gumbel. Bits become floats between 0 and 1, and these the rest; every
 * step rounds to the type of the sample.
 */
import { THREEFRY_FLOATS } from "../backends/blocks";
import { ArgumentError, show } from "../core/errors";
import { unnamed } from "../core/names";
import type { Names, Shape } from "../core/shape";
import { bitsOf, isComplex, isInteger, toFloating, type DType, type FloatType } from "../core/types";
import { renamed } from "../nx/creation/tensor";
import { cast, constant, run, template } from "../nx/dispatch";
import { add, bitwiseOr, erfInv, log, max, multiply, negate, rightShift, subtract } from "../nx/elementwise";
import { bitcast } from "../nx/type";
import { Tensor, type Operand } from "../tensor";
import { epsilon, smallestPositiveNormal } from "../type";
import {
  checkKey,
  floatOrComplex,
  parameter,
  readDraw,
  splitArguments,
  type RandomOptions,
  type SampleNames,
} from "./draw";
import { splitInTwo } from "./keys";
import { checkBits, randomBits, type BitsType } from "./threefry";

/** A sample and the key to draw the next one with. */
export type Drawn<N extends Names = Names> = [sample: Tensor<N>, key: Tensor<readonly [null]>];

interface FloatFormat {
  readonly bits: BitsType;
  readonly fraction: number;
  /** The bits of 1. */
  readonly one: number | bigint;
}

const FORMAT: { readonly [T in FloatType]: FloatFormat } = {
  bf16: { bits: "u16", fraction: 7, one: 0x3f80 },
  f16: { bits: "u16", fraction: 10, one: 0x3c00 },
  f32: { bits: "u32", fraction: 23, one: 0x3f800000 },
  f64: { bits: "u64", fraction: 52, one: 0x3ff0000000000000n },
};

/** The type that samples of a real float type are made in, where half floats are rounded at the end. */
export const workType = (type: DType): "f32" | "f64" => (type === "f64" ? "f64" : "f32");

/** Floats from 0 to below 1. */
export function unit(key: Tensor, type: DType, shape: Shape): Tensor {
  checkBits(FORMAT[type as FloatType].bits, shape);
  return run("block", template(type, shape, unnamed(shape.length)), [key], {
    name: THREEFRY_FLOATS,
    options: {},
    fn: (k) => unitOf(k!, type, shape),
  });
}

/** Random fraction bits under the exponent of 1, less 1. */
export function unitOf(key: Tensor, type: DType, shape: Shape): Tensor {
  const { bits, fraction, one } = FORMAT[type as FloatType];
  const shifted = rightShift(randomBits(key, bits, shape), constant(bitsOf(type) - fraction, bits));
  return subtract(bitcast(bitwiseOr(shifted, constant(one, bits)), type), constant(1, type));
}

/** Floats from `low` to below `high`, which are in the type of the sample. */
export function between(key: Tensor, low: Tensor, high: Tensor, shape: Shape): Tensor {
  const scaled = multiply(unit(key, low.type, shape), subtract(high, low));
  return max(add(scaled, low), low);
}

/**
 * Draws floats that are equally likely anywhere from `min` to below `max`, and gives the next key.
 *
 * There are as many different values between 0 and 1 as the fraction of the type has: 2^23 in `f32`. Rounding may give `max`
 * itself where the bounds are not 0 and 1.
 *
 * @param key - a key
 * @param min - lowest value, 0 when left out: a number, or a tensor that broadcasts to the shape
 * @param max - end of the range, 1 when left out
 * @param options - `shape` (that of the bounds, so a scalar for plain numbers), `names`, `type` (that of the bounds, `f32` for
 *   integers); the two parts of a complex type are drawn one by one
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for complex bounds, bounds that do not broadcast to the shape, `min` above
 *   `max`, and types that are not floating
 * @example
 * ```ts
 * const [sample, key] = Nx.Random.uniform(Nx.Random.key(1701));
 * sample;
 * // => #Nx.Tensor<
 * //   f32
 * //   0.9728644
 * // >
 * Nx.Random.uniform(key, 10, 20, { shape: [2, 2], names: ["x", "y"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 2]
 * //   [
 * //     [19.4845, 10.669453],
 * //     [18.518724, 19.41359]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.uniform(Nx.Random.key(1701), { shape: [3, 2], type: "f16" })[0];
 * // => #Nx.Tensor<
 * //   f16[3][2]
 * //   [
 * //     [0.754, 0.6484],
 * //     [0.7295, 0.2148],
 * //     [0.09766, 0.06934]
 * //   ]
 * // >
 * Nx.Random.uniform(Nx.Random.key(1701), { shape: [2], type: "s32" });
 * // throws ArgumentError: Nx.Random.uniform cannot draw samples of type s32
 * ```
 */
export function uniform<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Drawn<M>;
export function uniform<
  L extends Names = readonly [],
  R extends Names = readonly [],
  const M extends Names = never,
  S extends Shape = never,
>(key: Tensor, min: Operand<L>, max: Operand<R>, options?: RandomOptions<M, S>): Drawn<SampleNames<L, R, M, S>>;
export function uniform(key: Tensor, ...args: readonly unknown[]): Drawn {
  const { own, next } = splitInTwo(key, "Nx.Random.uniform");
  return [uniformWith("Nx.Random.uniform", own, args), next];
}

/**
 * Draws floats as {@link uniform} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param min - lowest value, 0 when left out: a number, or a tensor that broadcasts to the shape
 * @param max - end of the range, 1 when left out
 * @param options - `shape`, `names`, `type`, as for `uniform`
 * @returns the sample alone
 * @throws ArgumentError as `uniform` does
 * @example
 * ```ts
 * const keys = Nx.Random.split(Nx.Random.key(12));
 * Nx.Random.uniformSplit(keys.at(0));
 * // => #Nx.Tensor<
 * //   f32
 * //   0.15313792
 * // >
 * Nx.Random.uniformSplit(keys.at(1), -1, 1, { shape: [2], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [-0.8205967, -0.3168149]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.uniformSplit(Nx.Random.key(12), 1, 0);
 * // throws ArgumentError: min of Nx.Random.uniformSplit must not be above max, got: 1 and 0
 * ```
 */
export function uniformSplit<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Tensor<M>;
export function uniformSplit<
  L extends Names = readonly [],
  R extends Names = readonly [],
  const M extends Names = never,
  S extends Shape = never,
>(key: Tensor, min: Operand<L>, max: Operand<R>, options?: RandomOptions<M, S>): Tensor<SampleNames<L, R, M, S>>;
export function uniformSplit(key: Tensor, ...args: readonly unknown[]): Tensor {
  return uniformWith("Nx.Random.uniformSplit", checkKey(key, "Nx.Random.uniformSplit"), args);
}

/** What the uniform functions do; `fn` is named in errors. */
export function uniformWith(fn: string, key: Tensor, args: readonly unknown[]): Tensor {
  const [min, max, options] = splitArguments(args, [0, 1]);
  const draw = readDraw(fn, { min, max }, options, toFloating);
  checkRange(fn, min, max);
  return floatOrComplex(draw, (type, shape) =>
    min === 0 && max === 1 // scaling and shifting would change nothing
      ? unit(key, type, shape)
      : between(key, parameter(min, type, draw), parameter(max, type, draw), shape),
  );
}

function checkRange(fn: string, min: Operand, max: Operand): void {
  if (min instanceof Tensor || max instanceof Tensor || (min as number) <= (max as number)) return;
  throw new ArgumentError(`min of ${fn} must not be above max, got: ${show(min)} and ${show(max)}`);
}

/**
 * Draws normally distributed floats, and gives the next key.
 *
 * @param key - a key
 * @param mean - the mean, 0 when left out: a number, or a tensor that broadcasts to the shape
 * @param standardDeviation - the standard deviation, 1 when left out
 * @param options - `shape` (that of the parameters, so a scalar for plain numbers), `names`, `type` (that of the parameters,
 *   `f32` for integers); the two parts of a complex type are drawn one by one, each with this mean and standard deviation
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for complex parameters, parameters that do not broadcast to the shape, and
 *   types that are not floating
 * @example
 * ```ts
 * const [sample, key] = Nx.Random.normal(Nx.Random.key(42));
 * sample;
 * // => #Nx.Tensor<
 * //   f32
 * //   1.3694694
 * // >
 * Nx.Random.normal(key, 10, 0.5, { shape: [3], names: ["x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [10.339517, 9.389697, 10.473353]
 * // >
 * ```
 * @example
 * With a mean for each column:
 * ```ts
 * const means = Nx.tensor([0, 100, 200], { names: ["column"] });
 * Nx.Random.normal(Nx.Random.key(42), means, 1, { shape: [2, 3], names: ["row", "column"] })[0];
 * // => #Nx.Tensor<
 * //   f32[row: 2][column: 3]
 * //   [
 * //     [-0.5533879, 100.94428, 200.14539],
 * //     [-0.5769757, 101.12518, 201.07889]
 * //   ]
 * // >
 * Nx.Random.normal(Nx.Random.key(42), means, 1, { shape: [2] });
 * // throws ArgumentError: mean of Nx.Random.normal has shape [column: 3], which does not broadcast to the shape [2] of the sample
 * ```
 */
export function normal<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Drawn<M>;
export function normal<
  L extends Names = readonly [],
  R extends Names = readonly [],
  const M extends Names = never,
  S extends Shape = never,
>(
  key: Tensor,
  mean: Operand<L>,
  standardDeviation: Operand<R>,
  options?: RandomOptions<M, S>,
): Drawn<SampleNames<L, R, M, S>>;
export function normal(key: Tensor, ...args: readonly unknown[]): Drawn {
  const { own, next } = splitInTwo(key, "Nx.Random.normal");
  return [normalWith("Nx.Random.normal", own, args), next];
}

/**
 * Draws normally distributed floats as {@link normal} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param mean - the mean, 0 when left out: a number, or a tensor that broadcasts to the shape
 * @param standardDeviation - the standard deviation, 1 when left out
 * @param options - `shape`, `names`, `type`, as for `normal`
 * @returns the sample alone
 * @throws ArgumentError as `normal` does
 * @example
 * ```ts
 * Nx.Random.normalSplit(Nx.Random.key(42));
 * // => #Nx.Tensor<
 * //   f32
 * //   -0.18471174
 * // >
 * Nx.Random.normalSplit(Nx.Random.key(42), 5, 2, { shape: [2], names: ["x"], type: "f64" });
 * // => #Nx.Tensor<
 * //   f64[x: 2]
 * //   [5.373871103587652, 7.130667424235368]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.normalSplit(Nx.Random.key(42), 0, 1, { type: "u8" });
 * // throws ArgumentError: Nx.Random.normalSplit cannot draw samples of type u8
 * ```
 */
export function normalSplit<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Tensor<M>;
export function normalSplit<
  L extends Names = readonly [],
  R extends Names = readonly [],
  const M extends Names = never,
  S extends Shape = never,
>(
  key: Tensor,
  mean: Operand<L>,
  standardDeviation: Operand<R>,
  options?: RandomOptions<M, S>,
): Tensor<SampleNames<L, R, M, S>>;
export function normalSplit(key: Tensor, ...args: readonly unknown[]): Tensor {
  return normalWith("Nx.Random.normalSplit", checkKey(key, "Nx.Random.normalSplit"), args);
}

/** What the normal functions do; `fn` is named in errors. */
export function normalWith(fn: string, key: Tensor, args: readonly unknown[]): Tensor {
  const [mean, standardDeviation, options] = splitArguments(args, [0, 1]);
  const draw = readDraw(fn, { mean, standardDeviation }, options, toFloating);
  return floatOrComplex(draw, (type, shape) => {
    const standard = standardNormal(key, type, shape);
    const scaled = standardDeviation === 1 ? standard : multiply(parameter(standardDeviation, type, draw), standard);
    return mean === 0 ? scaled : add(scaled, parameter(mean, type, draw));
  });
}

/** The inverse of the distribution function at uniform samples from the float after -1 to below 1. */
function standardNormal(key: Tensor, type: DType, shape: Shape): Tensor {
  const u = between(key, constant(epsilon(type) / 2 - 1, type), constant(1, type), shape);
  return multiply(constant(Math.SQRT2, type), erfInv(u));
}

/**
 * Draws floats of the standard Gumbel distribution, that of the largest of many samples, and gives the next key.
 *
 * The index of the largest of `log(p) + gumbel` is a sample of the probabilities `p`.
 *
 * @param key - a key
 * @param options - `shape` (a scalar when left out), `names`, `type` (`f32`)
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, and for types that are not real floats
 * @example
 * ```ts
 * const [sample] = Nx.Random.gumbel(Nx.Random.key(1));
 * sample;
 * // => #Nx.Tensor<
 * //   f32
 * //   -0.729461
 * // >
 * Nx.Random.gumbel(Nx.Random.key(1), { shape: [2, 3], names: ["x", "y"] })[0];
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 3]
 * //   [
 * //     [0.6247939, -0.21740718, 0.76783276],
 * //     [0.77784044, 4.0895305, 0.30290902]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.gumbel(Nx.Random.key(1), { type: "c64" });
 * // throws ArgumentError: Nx.Random.gumbel draws real floats, got type c64
 * ```
 */
export function gumbel<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Drawn<M> {
  const { own, next } = splitInTwo(key, "Nx.Random.gumbel");
  return [gumbelWith("Nx.Random.gumbel", own, options) as Tensor<M>, next];
}

/**
 * Draws floats as {@link gumbel} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param options - `shape`, `names`, `type`, as for `gumbel`
 * @returns the sample alone
 * @throws ArgumentError as `gumbel` does
 * @example
 * ```ts
 * Nx.Random.gumbelSplit(Nx.Random.key(1), { shape: [3], names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.5715286, -0.30192375, 2.1431289]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.gumbelSplit(Nx.Random.key(1), { shape: [0] });
 * // throws ArgumentError: shape of Nx.Random.gumbelSplit must hold positive integers only, got 0 in [0]
 * ```
 */
export function gumbelSplit<const M extends Names = Names>(key: Tensor, options?: RandomOptions<M>): Tensor<M> {
  return gumbelWith("Nx.Random.gumbelSplit", checkKey(key, "Nx.Random.gumbelSplit"), options) as Tensor<M>;
}

function gumbelWith(fn: string, key: Tensor, options: RandomOptions | undefined): Tensor {
  const draw = readDraw(fn, { location: 0 }, options, (type) => realFloat(fn, toFloating(type)));
  const type = workType(draw.type);
  const u = between(key, constant(smallestPositiveNormal(type), type), constant(1, type), draw.shape);
  return renamed(cast(negate(log(negate(log(u)))), draw.type), draw.names);
}

export function realFloat(fn: string, type: DType): DType {
  if (!isComplex(type) && !isInteger(type)) return type;
  throw new ArgumentError(`${fn} draws real floats, got type ${type}; ask for a type such as "f32"`);
}

/** Gumbel samples for the library's own use. */
export function gumbelOf(key: Tensor, type: DType, count: number): Tensor {
  return gumbelWith("Nx.Random.choice", key, { type, shape: [count] });
}
