/**
 * Keys: made of a seed, split into more keys, derived by folding in numbers.
 */
import type { Plain } from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { THREEFRY_FOLDS } from "../backends/blocks";
import { checkOptions, integerOption } from "../core/options";
import { checkSize, formatShape, type Name, type Names } from "../core/shape";
import { isInteger } from "../core/types";
import { reshapeTo, sliceAlong } from "../nx/aggregates/core";
import { tensor } from "../nx/creation";
import { asTensor, cast, constant, run, template } from "../nx/dispatch";
import { rightShift } from "../nx/elementwise";
import { Tensor, type Operand } from "../tensor";
import { checkKey, KEY_SHAPE } from "./draw";
import { randomBits, threefry } from "./threefry";

const WORD = 32n;

/**
 * Makes a key of a seed. All random functions take a key, and the same key gives the same numbers everywhere.
 *
 * A key is never used up or changed: every function that draws gives the next key beside its sample, and what is drawn
 * next should be drawn with that one.
 *
 * @param seed - an integer of up to 64 bits, or a scalar tensor of integers; negative ones count as their two's complement
 * @returns the key: the two halves of the seed as `u32[2]`
 * @throws ArgumentError for anything but an integer of 64 bits
 * @example
 * ```ts
 * Nx.Random.key(12);
 * // => #Nx.Tensor<
 * //   u32[2]
 * //   [0, 12]
 * // >
 * Nx.Random.key(999999999999);
 * // => #Nx.Tensor<
 * //   u32[2]
 * //   [232, 3567587327]
 * // >
 * Nx.Random.key(-1n);
 * // => #Nx.Tensor<
 * //   u32[2]
 * //   [4294967295, 4294967295]
 * // >
 * ```
 * @example
 * A seed that is known only when a `defn` function runs may be a tensor:
 * ```ts
 * Nx.Random.key(Nx.tensor(12));
 * // => #Nx.Tensor<
 * //   u32[2]
 * //   [0, 12]
 * // >
 * Nx.Random.key(0.5);
 * // throws ArgumentError: Nx.Random.key expects an integer of 64 bits as a seed, got: 0.5
 * ```
 */
export function key(seed: number | bigint | Tensor): Tensor<readonly [null]> {
  if (seed instanceof Tensor) return keyOfTensor(seed);
  const fits = typeof seed === "bigint" || Number.isInteger(seed);
  if (!fits || seed < -(2 ** 63) || seed >= 2 ** 64) {
    throw new ArgumentError(`Nx.Random.key expects an integer of 64 bits as a seed, got: ${show(seed)}`);
  }
  const bits = BigInt.asUintN(64, BigInt(seed));
  const words = [bits >> WORD, BigInt.asUintN(32, bits)];
  return tensor(words, { type: "u32" }) as Tensor<readonly [null]>;
}

function keyOfTensor(seed: Tensor): Tensor<readonly [null]> {
  if (seed.shape.length > 0 || !isInteger(seed.type)) {
    throw new ArgumentError(
      `Nx.Random.key expects a scalar tensor of integers as a seed, got ${seed.type}${formatShape(seed.shape, seed.names)}`,
    );
  }
  const shifts = tensor([WORD, 0n], { type: "u64" });
  return cast(rightShift(cast(seed, "u64"), shifts), "u32") as unknown as Tensor<readonly [null]>;
}

/** Options of `Nx.Random.split`. */
export interface SplitOptions {
  /** How many keys to make; 2 when left out. */
  readonly parts?: number;
}

/**
 * Makes several keys of one, each of them good for numbers that have nothing to do with the others'.
 *
 * @param key - a key
 * @param options - `parts`: how many keys to make, 2 when left out
 * @returns the keys as the rows of a matrix `u32[parts][2]`; take one with `keys.at(0)`
 * @throws ArgumentError for anything but a key, and for `parts` below 1
 * @example
 * ```ts
 * const keys = Nx.Random.split(Nx.Random.key(1701));
 * keys;
 * // => #Nx.Tensor<
 * //   u32[2][2]
 * //   [
 * //     [56197195, 1801093307],
 * //     [961309823, 1704866707]
 * //   ]
 * // >
 * keys.at(1);
 * // => #Nx.Tensor<
 * //   u32[2]
 * //   [961309823, 1704866707]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.split(Nx.Random.key(1701), { parts: 4 });
 * // => #Nx.Tensor<
 * //   u32[4][2]
 * //   [
 * //     [4000152724, 2030591747],
 * //     [2287976877, 2598630646],
 * //     [2426625787, 580268518],
 * //     [3136765380, 433355682]
 * //   ]
 * // >
 * Nx.Random.split(Nx.u32([1, 2, 3]));
 * // throws ArgumentError: Nx.Random.split expects a key, a u32 tensor of shape [2], as its first argument, got: a tensor u32[3]; make one with Nx.Random.key(42)
 * ```
 */
export function split(key: Tensor, options?: SplitOptions): Tensor<readonly [null, null]> {
  const k = checkKey(key, "Nx.Random.split");
  options = checkOptions("Nx.Random.split", options, ["parts"]);
  const parts = integerOption("Nx.Random.split", "parts", options?.parts, 2, 1);
  const shape = [parts, 2];
  checkSize(shape, "keys of shape");
  return randomBits(k, "u32", shape) as Tensor<readonly [null, null]>;
}

/** Splits the key of a drawing function: `own` for the sample, `next` to go on with. */
export function splitInTwo(key: unknown, fn: string): { readonly own: Tensor; readonly next: Tensor<readonly [null]> } {
  const keys = randomBits(checkKey(key, fn), "u32", [2, 2]);
  const row = (i: number): Tensor => reshapeTo(sliceAlong(keys, 0, i, 1), KEY_SHAPE);
  return { own: row(1), next: row(0) as Tensor<readonly [null]> };
}

/**
 * Derives keys from a key and numbers: the same key and number always give the same key, different numbers different ones.
 *
 * It is for work that is numbered anyway, such as the steps of a loop or the rows of a batch.
 *
 * @param key - a key
 * @param data - integers of any shape
 * @returns a key for each integer, in one more axis at the end: `u32[...][2]`; the names of the data stay
 * @throws ArgumentError for anything but a key, and for data that is not of an integer type
 * @example
 * ```ts
 * Nx.Random.foldIn(Nx.Random.key(42), 99);
 * // => #Nx.Tensor<
 * //   u32[2]
 * //   [2015327502, 1351855566]
 * // >
 * Nx.Random.foldIn(Nx.Random.key(42), Nx.tensor([1, 99, 1234], { names: ["step"] }));
 * // => #Nx.Tensor<
 * //   u32[step: 3][2]
 * //   [
 * //     [64467757, 2916123636],
 * //     [2015327502, 1351855566],
 * //     [1356445167, 2917756949]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.foldIn(Nx.Random.key(42), 0.5);
 * // throws ArgumentError: Nx.Random.foldIn expects integers as data, got type f32; convert with Nx.asType first
 * ```
 */
export function foldIn<N extends Names = readonly []>(
  key: Tensor,
  data: Operand<N>,
): Tensor<Plain<readonly [...N, null]>>;
export function foldIn(key: Tensor, data: Operand): Tensor {
  const k = checkKey(key, "Nx.Random.foldIn");
  const t = asTensor(data, "Nx.Random.foldIn");
  if (!isInteger(t.type)) {
    throw new ArgumentError(
      `Nx.Random.foldIn expects integers as data, got type ${t.type}; convert with Nx.asType first`,
    );
  }
  const names = Object.freeze([...t.names, null]);
  return run("block", template("u32", Object.freeze([...t.shape, 2]), names), [k, t], {
    name: THREEFRY_FOLDS,
    options: {},
    fn: (by, data) => foldsOf(by!, data!),
  });
}

/** The words of the cipher for integers, in pairs. */
export function foldsOf(key: Tensor, data: Tensor): Tensor {
  return pairsOf(threefry(key, ...wordsOf(data)), data.names);
}

/** The high and the low words of integers, with an axis of size 1 at the end. */
function wordsOf(data: Tensor): [Tensor, Tensor] {
  const wide = reshapeTo(cast(data, "u64"), [...data.shape, 1]);
  return [cast(rightShift(wide, constant(32, "u64")), "u32"), cast(wide, "u32")];
}

function pairsOf(words: readonly [Tensor, Tensor], names: readonly Name[]): Tensor {
  const rank = names.length;
  const shape = Object.freeze(words[0].shape.map((size, axis) => (axis === rank ? 2 : size)));
  return run("concatenate", template("u32", shape, Object.freeze([...names, null])), words, { axis: rank });
}
