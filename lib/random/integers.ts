/**
 * Random integers of a range. Two words of bits are drawn for each, so that the remainder by the size of the range is nearly
 * unbiased.
 */
import { THREEFRY_INTEGERS } from "../backends/blocks";
import { ArgumentError, show } from "../core/errors";
import { unnamed } from "../core/names";
import type { Names, Shape } from "../core/shape";
import { bitsOf, finiteLimits, type DType, type IntegerType } from "../core/types";
import { reshapeTo, sliceAlong } from "../nx/aggregates/core";
import { renamed } from "../nx/creation/tensor";
import { cast, constant, run, template } from "../nx/dispatch";
import { add, greater, multiply, remainder, select, subtract } from "../nx/elementwise";
import { Tensor, type Operand } from "../tensor";
import { checkKey, integerOnly, parameter, readDraw, type Draw, type RandomOptions, type SampleNames } from "./draw";
import type { Drawn } from "./floats";
import { splitInTwo } from "./keys";
import { checkBits, randomBits, type BitsType } from "./threefry";

/**
 * Draws integers that are equally likely anywhere from `min` to below `max`, and gives the next key.
 *
 * @param key - a key
 * @param min - lowest value: an integer, or a tensor of integers that broadcasts to the shape
 * @param max - end of the range, which is not drawn itself
 * @param options - `shape` (that of the bounds, so a scalar for plain numbers), `names`, `type` (that of the bounds)
 * @returns the sample, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for bounds or types that are not integers, bounds that the type cannot hold
 *   or that do not broadcast to the shape, and empty ranges
 * @example
 * ```ts
 * const [sample, key] = Nx.Random.randint(Nx.Random.key(1701), 1, 100);
 * sample;
 * // => #Nx.Tensor<
 * //   s64
 * //   66
 * // >
 * Nx.Random.randint(key, 0, 256, { shape: [4], names: ["byte"], type: "u8" })[0];
 * // => #Nx.Tensor<
 * //   u8[byte: 4]
 * //   [171, 218, 131, 20]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.randint(Nx.Random.key(1701), 1, 100, { shape: [3, 2], type: "u32" })[0];
 * // => #Nx.Tensor<
 * //   u32[3][2]
 * //   [
 * //     [9, 20],
 * //     [19, 6],
 * //     [71, 15]
 * //   ]
 * // >
 * Nx.Random.randint(Nx.Random.key(1701), 5, 5);
 * // throws ArgumentError: max of Nx.Random.randint must be above min, got: 5 and 5
 * ```
 */
export function randint<
  L extends Names = readonly [],
  R extends Names = readonly [],
  const M extends Names = never,
  S extends Shape = never,
>(key: Tensor, min: Operand<L>, max: Operand<R>, options?: RandomOptions<M, S>): Drawn<SampleNames<L, R, M, S>>;
export function randint(key: Tensor, min: Operand, max: Operand, options?: RandomOptions): Drawn {
  const { own, next } = splitInTwo(key, "Nx.Random.randint");
  return [randintWith("Nx.Random.randint", own, min, max, options), next];
}

/**
 * Draws integers as {@link randint} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param min - lowest value: an integer, or a tensor of integers that broadcasts to the shape
 * @param max - end of the range, which is not drawn itself
 * @param options - `shape`, `names`, `type`, as for `randint`
 * @returns the sample alone
 * @throws ArgumentError as `randint` does
 * @example
 * ```ts
 * Nx.Random.randintSplit(Nx.Random.key(1701), -10, 10, { shape: [5], names: ["x"] });
 * // => #Nx.Tensor<
 * //   s64[x: 5]
 * //   [2, -3, -6, 9, -2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.randintSplit(Nx.Random.key(1701), 0, 0.5);
 * // throws ArgumentError: Nx.Random.randintSplit draws integers, got type f32
 * Nx.Random.randintSplit(Nx.Random.key(1701), 0, 300, { type: "u8" });
 * // throws ArgumentError: bounds of Nx.Random.randintSplit must lie within the range of u8, 0 to 255, got: 0 and 300
 * ```
 */
export function randintSplit<
  L extends Names = readonly [],
  R extends Names = readonly [],
  const M extends Names = never,
  S extends Shape = never,
>(key: Tensor, min: Operand<L>, max: Operand<R>, options?: RandomOptions<M, S>): Tensor<SampleNames<L, R, M, S>>;
export function randintSplit(key: Tensor, min: Operand, max: Operand, options?: RandomOptions): Tensor {
  const k = checkKey(key, "Nx.Random.randintSplit");
  return randintWith("Nx.Random.randintSplit", k, min, max, options);
}

/** What the integer functions do; `fn` is named in errors. */
export function randintWith(
  fn: string,
  key: Tensor,
  min: Operand,
  max: Operand,
  options: RandomOptions | undefined,
): Tensor {
  const draw = readDraw(fn, { min, max }, options, integerOnly(fn));
  checkPlain(fn, min, max, draw.type as IntegerType);
  const plain = !(min instanceof Tensor || max instanceof Tensor);
  const offset = plain
    ? offsetsBelow(key, whole(max) - whole(min), draw.type, draw.shape)
    : offsets(key, spanOf(min, max, draw), draw.type, draw.shape);
  const sample = min === 0 ? offset : add(offset, parameter(min, draw.type, draw));
  return renamed(sample, draw.names);
}

const whole = (value: Operand): bigint => BigInt(value as number | bigint | boolean);

/** Checks bounds that are plain numbers: `max` may be one more than the type can hold, since it is not drawn. */
function checkPlain(fn: string, min: Operand, max: Operand, type: IntegerType): void {
  const limits = finiteLimits(type);
  const [lowest, highest] = [BigInt(limits.min), BigInt(limits.max)];
  const [minIsPlain, maxIsPlain] = [!(min instanceof Tensor), !(max instanceof Tensor)];
  const past = minIsPlain && maxIsPlain ? 1n : 0n;
  if (
    (minIsPlain && (whole(min) < lowest || whole(min) > highest)) ||
    (maxIsPlain && (whole(max) < lowest || whole(max) > highest + past))
  ) {
    throw new ArgumentError(
      `bounds of ${fn} must lie within the range of ${type}, ${lowest} to ${highest}, got: ${show(min)} and ${show(max)}; ` +
        `ask for a wider type, or mind that tensors bring their own`,
    );
  }
  if (minIsPlain && maxIsPlain && whole(max) <= whole(min)) {
    throw new ArgumentError(`max of ${fn} must be above min, got: ${show(max)} and ${show(min)}`);
  }
}

/** How many integers there are to draw from, and by what the high bits count. A null size is that of the whole type. */
interface Span {
  readonly size: Tensor | null;
  readonly multiplier: Tensor | null;
}

/** The type that bits are drawn in. */
const drawnType = (type: DType): BitsType => `u${bitsOf(type)}` as BitsType;

/** The type in which products of two remainders fit; in 64 bits they wrap. */
const workType = (type: DType): "u32" | "u64" => (bitsOf(type) <= 16 ? "u32" : "u64");

/** Integers from 0 to below a known size. */
function offsetsBelow(key: Tensor, size: bigint, type: DType, shape: Shape): Tensor {
  checkBits(drawnType(type), [2, ...shape]);
  return run("block", template(type, shape, unnamed(shape.length)), [key], {
    name: THREEFRY_INTEGERS,
    options: { size },
    fn: (k) => offsetsOf(k!, size, type, shape),
  });
}

/** What {@link offsetsBelow} stands for. */
export function offsetsOf(key: Tensor, size: bigint, type: DType, shape: Shape): Tensor {
  const bits = BigInt(bitsOf(type));
  if (size === 1n << bits) return offsets(key, { size: null, multiplier: null }, type, shape);
  const root = (1n << (bits / 2n)) % size;
  const multiplier = BigInt.asUintN(64, root * root) % size;
  const work = workType(type);
  const span = { size: constant(size, work), multiplier: multiplier === 0n ? null : constant(multiplier, work) };
  return offsets(key, span, type, shape);
}

/** With an empty range the size is 0, and dividing by it an error wherever it is computed. */
function spanOf(min: Operand, max: Operand, draw: Draw): Span {
  const { type } = draw;
  const [low, high] = [parameter(min, type, draw), parameter(max, type, draw)];
  const difference = cast(subtract(high, low), drawnType(type));
  const work = workType(type);
  const size = cast(select(greater(high, low), difference, constant(0, drawnType(type))), work);
  const root = remainder(constant(2 ** (bitsOf(type) / 2), work), size);
  return { size, multiplier: remainder(multiply(root, root), size) };
}

/** Integers from 0 to below the size: (high * 2^bits + low) modulo it, where the power of two is reduced already. */
function offsets(key: Tensor, { size, multiplier }: Span, type: DType, shape: Shape): Tensor {
  const drawn = randomBits(key, drawnType(type), [2, ...shape]);
  const word = (i: number): Tensor => cast(reshapeTo(sliceAlong(drawn, 0, i, 1), shape), workType(type));
  if (size === null) return cast(word(1), type);
  const low = remainder(word(1), size);
  if (multiplier === null) return cast(low, type);
  return cast(remainder(add(multiply(remainder(word(0), size), multiplier), low), size), type);
}
