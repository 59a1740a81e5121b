/**
 * Shuffling, and choosing among the entries of a tensor.
 */
import type { AxisOf, Given, Unguessed } from "../core/axis-types";
import type { Template } from "../backend";
import { CUMULATIVE, TAKE, TAKE_ALONG } from "../backends/primitives";
import { defaultInteger } from "../core/default-types";
import { ArgumentError, show } from "../core/errors";
import { checkNames, unnamed } from "../core/names";
import {
  booleanOption,
  checkOptions,
  integerOption,
  checkPlace,
  isPlainObject,
  withAxes,
  type AlsoAxes,
  type More,
} from "../core/options";
import {
  checkSize,
  formatShape,
  resolveAxis,
  sizeOf,
  type Axis,
  type Name,
  type Names,
  type Shape,
} from "../core/shape";
import { isComplex, toFloating, type DType } from "../core/types";
import { positionsAlong, reshapeTo, sliceAlong } from "../nx/aggregates/core";
import { areChosen, argsortAlong, argsortAt, firstOfArgsort } from "../nx/aggregates/order";
import { renamed } from "../nx/creation/tensor";
import { apart, asTensor, cast, constant, run, template } from "../nx/dispatch";
import {
  add,
  equal,
  less,
  lessEqual,
  log,
  logicalAnd,
  min,
  multiply,
  negate,
  select,
  subtract,
} from "../nx/elementwise";
import { givingBack } from "../nx/tidy";
import { Tensor, type Operand } from "../tensor";
import { checkKey } from "./draw";
import { gumbelOf, unit, workType, type Drawn } from "./floats";
import { randintSplit } from "./integers";
import { splitInTwo } from "./keys";
import { randomBits } from "./threefry";

/** Options of `Nx.Random.shuffle`. */
export interface ShuffleOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis whose entries change places, by position or name; the first when left out. */
  readonly axis?: A;
  /** Whether every line along the axis is shuffled for itself, rather than all in the same way. */
  readonly independent?: boolean;
}

/**
 * Puts the entries of an axis into random order, and gives the next key.
 *
 * @param key - a key
 * @param tensor - a tensor of at least one axis
 * @param options - `axis` to shuffle, the first when left out; `independent` to shuffle each line along it for itself
 * @returns the tensor in another order, of the same type, shape and names, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for scalars, and for an axis the tensor does not have
 * @example
 * ```ts
 * const [sample] = Nx.Random.shuffle(Nx.Random.key(42), Nx.iota([3, 4], { axis: 0 }));
 * sample;
 * // => #Nx.Tensor<
 * //   s64[3][4]
 * //   [
 * //     [2, 2, 2, 2],
 * //     [0, 0, 0, 0],
 * //     [1, 1, 1, 1]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([3, 4], { axis: 1, names: ["row", "column"] });
 * Nx.Random.shuffle(Nx.Random.key(10), t, { axis: "column", independent: true })[0];
 * // => #Nx.Tensor<
 * //   s64[row: 3][column: 4]
 * //   [
 * //     [2, 1, 3, 0],
 * //     [3, 0, 1, 2],
 * //     [2, 3, 0, 1]
 * //   ]
 * // >
 * Nx.Random.shuffle(Nx.Random.key(10), t as Nx.Tensor, { axis: "batch" });
 * // throws ArgumentError: Nx.Random.shuffle: no axis named "batch" in shape [row: 3][column: 4]
 * ```
 */
export function shuffle<N extends Names>(
  key: Tensor,
  tensor: Tensor<N>,
  options?: AxisOf<N> | ShuffleOptions<AxisOf<N>>,
  ..._more: More<ShuffleOptions<undefined>>
): Drawn<N> {
  const fn = "Nx.Random.shuffle";
  const k = checkKey(key, fn);
  const choice = checkOptions<ShuffleOptions>(fn, options, ["axis", "independent"]);
  const t = asTensor(tensor, fn);
  const axis = resolveAxis(choice?.axis === undefined ? 0 : choice.axis, t.shape, t.names);
  return shuffleWith(k, t, axis, booleanOption(fn, "independent", choice?.independent, false)) as Drawn<N>;
}

/** What the shuffling functions do. */
export function shuffleWith(key: Tensor, t: Tensor, axis: number, independent: boolean): Drawn {
  if (independent) return shuffleLines(key, t, axis);
  const [order, next] = orderOf(key, t.shape[axis]!);
  return [takeEntries(t, order, axis), next];
}

/** Options of `Nx.Random.permutation`. */
export interface PermutationOptions<M extends Name = Name> {
  /** The name of the axis, or null, which it is when left out. */
  readonly name?: M;
}

/**
 * Draws a random order of the integers from 0 to below `count`, and gives the next key: positions to `Nx.take` entries by, of several
 * tensors in the same order. As {@link shuffle} of these integers.
 *
 * @param key - a key
 * @param count - how many positions, at least 1
 * @param options - `name` of the axis
 * @returns the positions, `s64[count]`, each once, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, and for a count that is no integer of at least 1
 * @example
 * ```ts
 * const [order] = Nx.Random.permutation(Nx.Random.key(42), 5, { name: "row" });
 * order;
 * // => #Nx.Tensor<
 * //   s64[row: 5]
 * //   [2, 3, 0, 1, 4]
 * // >
 * Nx.sort(order).toList();
 * // => [0, 1, 2, 3, 4]
 * ```
 * @example
 * ```ts
 * Nx.Random.permutation(Nx.Random.key(42), 0);
 * // throws ArgumentError: count of Nx.Random.permutation must be an integer of at least 1, got: 0
 * ```
 */
export function permutation<const M extends Name = null>(
  key: Tensor,
  count: number,
  options?: PermutationOptions<M>,
): Drawn<readonly [Unguessed<M>]>;
export function permutation(key: Tensor, count: number, options?: PermutationOptions): Drawn {
  const fn = "Nx.Random.permutation";
  const k = checkKey(key, fn);
  const name = checkOptions(fn, options, ["name"])?.name ?? null;
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new ArgumentError(`count of ${fn} must be an integer of at least 1, got: ${show(count)}`);
  }
  const names = checkNames([name], [count]);
  const [order, next] = orderOf(k, count);
  return [renamed(cast(order, "s64"), names), next];
}

/** The first of the positions of a random order of `count`, all when not said otherwise. */
function orderOf(key: Tensor, count: number, first = count): Drawn {
  return givingBack(count, () => {
    const { rounds, next } = roundsOf(key, [count]);
    const order = areChosen(first, count) ? firstOf(rounds, count, first) : wholeOf(rounds, count);
    const few = first < order.shape[0]! ? sliceAlong(order, 0, 0, first) : order;
    return [few, apart(next, key) as Tensor<readonly [null]>];
  });
}

function wholeOf(rounds: readonly Tensor[], count: number): Tensor {
  let order: Tensor | null = null;
  for (const round of rounds) {
    const sorting = argsortAlong("u32", wordsOf(round, [count]), 0, "asc");
    order = order === null ? sorting : takeEntries(order, sorting, 0);
  }
  return order ?? positionsAlong("u32", [count], 0);
}

/** The first few come from places of the last round, which come from places of the one before. */
const firstOf = (rounds: readonly Tensor[], count: number, first: number): Tensor =>
  rounds.reduceRight(
    (places, round) => argsortAt(wordsOf(round, [count]), 0, "asc", places),
    positionsAlong("u32", [first], 0),
  );

/** Shuffles every line for itself. */
function shuffleLines(key: Tensor, t: Tensor, axis: number): Drawn {
  return givingBack(sizeOf(t.shape), () => {
    const { rounds, next } = roundsOf(key, t.shape);
    let shuffled = t;
    for (const round of rounds) {
      const order = argsortAlong("u32", wordsOf(round, t.shape), axis, "asc");
      shuffled = run(TAKE_ALONG, templateLike(t.type, t), [shuffled, order], { axis });
    }
    return [apart(shuffled, t), apart(next, key) as Tensor<readonly [null]>];
  });
}

/**
 * Keys of random words by which lines are sorted, round after round, and the next key. There are as many rounds as make equal words, which would keep
 * their order, unlikely enough to bias the result: that is what JAX does, and here are the same numbers.
 */
function roundsOf(key: Tensor, shape: Shape): { readonly rounds: readonly Tensor[]; readonly next: Tensor } {
  const rounds: Tensor[] = [];
  let next = key;
  for (let left = Math.ceil((3 * Math.log(sizeOf(shape))) / Math.log(0xffffffff)); left > 0; left--) {
    const keys = splitInTwo(next, "Nx.Random.shuffle");
    rounds.push(keys.own);
    next = keys.next;
  }
  return { rounds, next };
}

const wordsOf = (round: Tensor, shape: Shape): Tensor => randomBits(round, "u32", shape);

const templateLike = (type: DType, { shape, names }: Tensor): Template => template(type, shape, names);

/** Entries of an axis by their positions; the axis keeps its name. */
function takeEntries(t: Tensor, positions: Tensor, axis: number): Tensor {
  const shape = Object.freeze(t.shape.map((size, i) => (i === axis ? positions.shape[0]! : size)));
  return run(TAKE, template(t.type, shape, t.names), [t, positions], { axis });
}

/** Options of `Nx.Random.choice`. */
export interface ChoiceOptions<A = Axis | null | undefined> extends AlsoAxes<A> {
  /** How many entries to draw; 1 when left out. */
  readonly samples?: number;
  /** The axis whose entries are drawn, by position or name; all elements, as a vector, when left out. */
  readonly axis?: A;
  /** Whether an entry may be drawn more than once; true when left out. */
  readonly replace?: boolean;
}

/** Names of entries drawn along the axis `A`; where none is said, or null, of a vector of elements. */
export type Chosen<N extends Names, A> = [Given<A, null>] extends [null]
  ? readonly [null]
  : [Extract<A, null | undefined>] extends [never]
    ? N
    : Names;

/**
 * Draws entries of a tensor, and gives the next key.
 *
 * With replacement and without probabilities, the positions are those that `randint` draws in the default integer type: `s64`,
 * which gives the numbers of Nx 0.5. With `defaultIntegerType: "s32"` in the configuration they are those of later versions of Nx.
 *
 * @param key - a key
 * @param tensor - a tensor of at least one axis
 * @param probabilities - how likely each entry is, as a vector; they need not sum up to 1. All alike when left out
 * @param options - `samples`, how many to draw (1); `axis` whose entries are drawn, all elements when left out; `replace`,
 *   whether an entry may be drawn more than once (true)
 * @returns the entries in the order drawn, with `samples` in place of the size of the axis, and the key for whatever is drawn
 *   next; without an axis a vector
 * @throws ArgumentError for anything but a key, for scalars, an axis the tensor does not have, probabilities of another number
 *   than there are entries, and for more samples than entries where none may be drawn twice
 * @example
 * ```ts
 * const t = Nx.iota([4, 3], { names: ["row", "column"] });
 * Nx.Random.choice(Nx.Random.key(1), t, { samples: 4, axis: "row" })[0];
 * // => #Nx.Tensor<
 * //   s64[row: 4][column: 3]
 * //   [
 * //     [6, 7, 8],
 * //     [3, 4, 5],
 * //     [6, 7, 8],
 * //     [3, 4, 5]
 * //   ]
 * // >
 * Nx.Random.choice(Nx.Random.key(1), t, { samples: 4, axis: "row", replace: false })[0];
 * // => #Nx.Tensor<
 * //   s64[row: 4][column: 3]
 * //   [
 * //     [3, 4, 5],
 * //     [9, 10, 11],
 * //     [6, 7, 8],
 * //     [0, 1, 2]
 * //   ]
 * // >
 * Nx.Random.choice(Nx.Random.key(1), t, { samples: 5, axis: "row", replace: false });
 * // throws ArgumentError: Nx.Random.choice cannot draw 5 samples of 4 entries without drawing one twice
 * ```
 * @example
 * With probabilities, of all elements:
 * ```ts
 * const t = Nx.iota([2, 3]);
 * const p = Nx.tensor([0.01, 0.1, 0.19, 0.6, 0.05, 0.05]);
 * Nx.Random.choice(Nx.Random.key(2), t, p, { samples: 6 })[0];
 * // => #Nx.Tensor<
 * //   s64[6]
 * //   [3, 3, 3, 0, 3, 3]
 * // >
 * Nx.Random.choice(Nx.Random.key(2), t, p, { samples: 6, replace: false })[0];
 * // => #Nx.Tensor<
 * //   s64[6]
 * //   [3, 1, 2, 5, 4, 0]
 * // >
 * ```
 */
export function choice<N extends Names, const A extends AxisOf<N> | null | undefined = undefined>(
  key: Tensor,
  tensor: Tensor<N>,
  options?: A | ChoiceOptions<A>,
  ..._more: More<ChoiceOptions<undefined>>
): Drawn<Chosen<N, A>>;
export function choice<N extends Names, const A extends AxisOf<N> | null | undefined = undefined>(
  key: Tensor,
  tensor: Tensor<N>,
  probabilities: Operand,
  options?: A | ChoiceOptions<A>,
  ..._more: More<ChoiceOptions<undefined>>
): Drawn<Chosen<N, A>>;
export function choice(key: Tensor, tensor: Tensor, ...rest: readonly unknown[]): Drawn {
  const fn = "Nx.Random.choice";
  const k = checkKey(key, fn);
  const [first, second] = rest;
  const isOverAxis = (typeof first === "string" || typeof first === "number") && isPlainObject(second);
  const weighted = !isOverAxis && (rest.length > 1 || first instanceof Tensor);
  const given = isOverAxis ? withAxes(fn, first, second) : weighted ? second : first;
  const options = checkOptions(fn, given as ChoiceOptions | undefined, ["samples", "axis", "replace"]);
  const t: Tensor = asTensor(tensor, fn);
  checkPlace(fn, given, t, "samples");
  const { entries, axis } = entriesOf(t, options?.axis ?? null);
  const count = entries.shape[axis]!;
  const samples = integerOption(fn, "samples", options?.samples, 1, 1);
  const replace = booleanOption(fn, "replace", options?.replace, true);
  if (!replace && samples > count) throw tooMany(samples, count);
  checkSize([samples, sizeOf(entries.shape) / count], `sample of ${fn} of shape`);
  const p = weighted && rest[0] !== undefined ? checkProbabilities(rest[0], count) : null;
  const [positions, next] = replace ? withReplacement(k, p, count, samples) : withoutReplacement(k, p, count, samples);
  return [takeEntries(entries, positions, axis), next];
}

/** The tensor and the axis to draw from; without an axis all elements in a row. */
function entriesOf(t: Tensor, axis: Axis | null): { readonly entries: Tensor; readonly axis: number } {
  if (t.shape.length === 0) {
    throw new ArgumentError(
      `Nx.Random.choice expects a tensor of at least one axis to draw from, got a scalar of type ${t.type}`,
    );
  }
  if (axis === null) return { entries: reshapeTo(t, [sizeOf(t.shape)]), axis: 0 };
  return { entries: t, axis: resolveAxis(axis, t.shape, t.names) };
}

function tooMany(samples: number, count: number): ArgumentError {
  return new ArgumentError(
    `Nx.Random.choice cannot draw ${samples} samples of ${count} entries without drawing one twice; ` +
      `draw fewer, or allow it with replace: true`,
  );
}

function checkProbabilities(value: unknown, count: number): Tensor {
  const p = asTensor(value, "Nx.Random.choice");
  if (p.shape.length === 1 && p.shape[0] === count && !isComplex(p.type)) {
    return renamed(cast(p, workType(toFloating(p.type))), unnamed(1));
  }
  throw new ArgumentError(
    `probabilities of Nx.Random.choice must be a real vector of ${count} elements, one for each entry, got: ` +
      `${value instanceof Tensor ? `${p.type}${formatShape(p.shape, p.names)}` : show(value)}`,
  );
}

function withReplacement(key: Tensor, p: Tensor | null, count: number, samples: number): Drawn {
  const { own, next } = splitInTwo(key, "Nx.Random.choice");
  // the width of the type decides how many bits are drawn for a position, and so which numbers come
  if (p === null) return [randintSplit(own, 0, count, { shape: [samples], type: defaultInteger() }), next];
  const sums = run(CUMULATIVE, p, [p], { op: "cumulativeSum", axis: 0, reverse: false });
  const total = sliceAlong(sums, 0, count - 1, 1);
  const level = multiply(total, subtract(constant(1, p.type), unit(own, p.type, [samples])));
  return [firstReaching(sums, level), next];
}

/**
 * For each level the position of the first of the ascending sums that reaches it, and 0 where none does: levels above 0 never lead to an
 * entry that adds nothing to the sum. A binary search, from the largest step down, over all levels at once.
 */
function firstReaching(sums: Tensor, levels: Tensor): Tensor {
  const count = sums.shape[0]!;
  const at = templateLike(sums.type, levels);
  const last = constant(count - 1, "u32");
  let passed: Tensor = run("broadcast", templateLike("u32", levels), [constant(0, "u32")], { axes: [] });
  for (let step = 2 ** Math.floor(Math.log2(count)); step >= 1; step /= 2) {
    const reach = add(passed, constant(step, "u32"));
    const here = run(TAKE, at, [sums, min(subtract(reach, constant(1, "u32")), last)], { axis: 0 });
    const further = logicalAnd(less(here, levels), lessEqual(reach, constant(count, "u32")));
    passed = select(further, reach, passed);
  }
  return select(equal(passed, constant(count, "u32")), constant(0, "u32"), passed);
}

function withoutReplacement(key: Tensor, p: Tensor | null, count: number, samples: number): Drawn {
  if (p === null) return orderOf(key, count, samples);
  const { own, next } = splitInTwo(key, "Nx.Random.choice");
  const ranks = subtract(negate(gumbelOf(own, p.type, count)), log(p));
  return [firstOfArgsort("u32", ranks, 0, "asc", samples), next];
}
