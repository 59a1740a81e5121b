/**
 * Pseudo-random words of a key and what is made of them, as kernels over pairs of counters.
 *
 * Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011), Threefry with two words of 32
 * bits and 20 rounds.
 */
import { getOrMake } from "../core/get-or-make";
import { bitsOf, isFloat, isInteger, type DType, type FloatType, type IntegerType } from "../core/types";
import { Builder } from "./builder";
import { keyOf } from "./key";
import { cast } from "./lower/cast";
import { remainderOf } from "./lower/integers";
import { store, type Typed } from "./lower/typed";
import type { Kernel, Value } from "./value";

type Word = Value<"i32">;
type F64 = Value<"f64">;

/**
 * A kernel that draws results. Inputs are counters, less an offset, and for all elements alike the two words of the key, the offset, the `u32` of {@link boundsOf}
 * and `numbers`. Each counter is paired with the one that is half of all words above.
 */
export interface Draw {
  readonly kernel: Kernel;
  readonly key: string;
  /** Words that a result is made of. Where that is one, both words of a pair give a result, those of the upper counters in an output of their own. */
  readonly words: 1 | 2 | 4;
  /** Numbers of 64 bits, each as two words. */
  readonly numbers: readonly number[];
}

/** Counters that so many results begin with; the last result of an odd number has no partner where two are drawn for each. */
export const spaceOf = ({ words }: Draw, results: number): number => (words === 1 ? Math.ceil(results / 2) : results);

/** The distance of the counters of a pair, and where counters end: a pair that lacks the upper one has 0 in its place. */
export const boundsOf = ({ words }: Draw, results: number): readonly [half: number, end: number] => [
  Math.ceil((words * results) / 2),
  words * results,
];

const PARITY = 0x1bd11bda;
const ROTATIONS = [
  [13, 15, 26, 6],
  [17, 29, 16, 24],
] as const;

/** What the values of a kernel are made of. */
interface Source {
  readonly k: Builder;
  readonly half: Word;
  /** Both words of the pair that lies so far behind that of the element. */
  pair(behind?: Word): readonly [Word, Word];
  /** The next of the numbers. */
  number<T extends "f64" | "u64">(type: T): Value<T extends "f64" ? "f64" : "i64">;
}

function encrypt(k: Builder, first: Word, second: Word, keys: readonly Word[]): [Word, Word] {
  const [k0, k1] = keys as [Word, Word];
  const schedule = [k0, k1, k.xor(k.xor(k0, k1), PARITY)] as const;
  let [x0, x1] = [k.add(first, k0), k.add(second, k1)];
  for (let group = 1; group <= 5; group++) {
    for (const by of ROTATIONS[(group - 1) % 2]!) {
      x0 = k.add(x0, x1);
      x1 = k.xor(k.or(k.shl(x1, by), k.shrU(x1, 32 - by)), x0);
    }
    x0 = k.add(x0, schedule[group % 3]!);
    x1 = k.add(x1, k.add(schedule[(group + 1) % 3]!, group));
  }
  return [x0, x1];
}

type Outputs = (source: Source) => readonly Typed[];

function build(words: Draw["words"], outputs: Outputs): Draw {
  const k = new Builder();
  const uniform = (type: "u32" | "u64" | "f64") => k.load(k.input(type, true)) as never;
  const counter = k.load(k.input("u32")) as Word;
  const [k0, k1, offset, half, end] = Array.from({ length: 5 }, () => uniform("u32") as Word) as [
    Word,
    Word,
    Word,
    Word,
    Word,
  ];
  const pair = (behind?: Word): [Word, Word] => {
    const first = k.add(behind ? k.add(counter, behind) : counter, offset);
    const second = k.add(first, half);
    return encrypt(k, first, words === 1 ? k.select(k.ltU(second, end), second, 0) : second, [k0, k1]);
  };
  const kernel = k.kernel(outputs({ k, half, pair, number: uniform }).map((value) => store(k, value)));
  return { kernel, key: keyOf(kernel), words, numbers: [] };
}

const word = (value: Word): Typed => ({ type: "u32", parts: [value] });

/** The upper bits of words, as many as the fraction of the type has. */
function floatOf(k: Builder, type: Exclude<FloatType, "f64">, bits: Word): Typed {
  const fraction = { f32: 23, f16: 10, bf16: 7 }[type];
  const upper = type === "f32" ? k.shrU(bits, 9) : k.shrU(k.and(bits, 0xffff), 16 - fraction);
  const float: Typed = { type: "f32", parts: [k.mul(k.fromS32("f32", upper), 2 ** -fraction)] };
  return cast(k, float, type, "saturate")!;
}

/** Of the 64 bits of a pair of words, the upper 52. */
function doubleOf(k: Builder, [upper, lower]: readonly [Word, Word]): Typed {
  const high = k.mul(k.fromU32("f64", upper), 2 ** 20);
  return { type: "f64", parts: [k.mul(k.add(high, k.fromU32("f64", k.shrU(lower, 12))), 2 ** -52)] };
}

/** The remainder of integers up to 2^53 by a size, from its inverse; the quotient may be off by one either way. */
function remainder(k: Builder, x: F64, size: F64, inverse: F64): F64 {
  const rest = k.sub(x, k.mul(k.floor(k.mul(x, inverse)), size));
  return k.select(k.lt(rest, 0), k.add(rest, size), k.select(k.le(size, rest), k.sub(rest, size), rest));
}

/** Two numbers of as many bits as the type has: words, or pairs of them, those of the second number as many results behind. */
function numbersOf<T>(
  { k, half, pair }: Source,
  bits: number,
  one: (w: Word) => T,
  wide: (of: readonly [Word, Word]) => T,
) {
  if (bits === 64) return [wide(pair()), wide(pair(k.shrU(half, 1)))] as const;
  const [first, second] = pair();
  return [one(first), one(second)] as const;
}

/** (first * 2^bits + second) modulo a size of at most {@link LARGEST_SIZE}, in doubles. */
function integerOf(source: Source, type: IntegerType): Typed {
  const { k, number } = source;
  const [size, inverse, root, factor] = [number("f64"), number("f64"), number("f64"), number("f64")];
  const mod = (x: F64): F64 => remainder(k, x, size, inverse);
  const bits = bitsOf(type);
  const float = (w: Word): F64 => k.fromU32("f64", bits < 32 ? k.and(w, 2 ** bits - 1) : w);
  const [first, second] = numbersOf(
    source,
    bits,
    (w) => mod(float(w)),
    ([upper, lower]) => mod(k.add(k.mul(mod(float(upper)), root), float(lower))),
  );
  const below = k.truncS(mod(k.add(k.mul(first, factor), second)));
  return cast(k, { type: "s32", parts: [below] }, type, "wrap")!;
}

/** The same modulo any size, in integers of 64 bits, in which products wrap. */
function wideIntegerOf(source: Source, type: IntegerType): Typed {
  const { k, number } = source;
  const typed = (part: Value<"i64">): Typed => ({ type: "u64", parts: [part] });
  const [size, factor] = [{ ...typed(number("u64")), accepted: true }, number("u64")];
  const mod = (x: Value<"i64">) => remainderOf(k, typed(x), size, "u64").parts[0] as Value<"i64">;
  const [first, second] = numbersOf(
    source,
    bitsOf(type),
    (w) => mod(k.extendU(w)),
    ([upper, lower]) => mod(k.or(k.shl(k.extendU(upper), 32), k.extendU(lower))),
  );
  return cast(k, typed(mod(k.add(k.mul(first, factor), second))), type, "wrap")!;
}

const known = new Map<string, Draw>();

const drawn = (name: string, words: Draw["words"], outputs: Outputs): Draw =>
  getOrMake(known, name, () => build(words, outputs));

/** Random words. */
export const drawnWords = (type: DType): Draw | null =>
  type === "u32" ? drawn("words", 1, ({ pair }) => pair().map(word)) : null;

/** Floats from 0 to below 1. */
export function drawnFloats(type: DType): Draw | null {
  if (!isFloat(type)) return null;
  if (type === "f64") return drawn(type, 2, ({ k, pair }) => [doubleOf(k, pair())]);
  return drawn(type, 1, ({ k, pair }) => pair().map((bits) => floatOf(k, type, bits)));
}

/** Up to this size products of two remainders and a word stay exact in doubles. */
export const LARGEST_SIZE = 2n ** 21n;

/** Integers from 0 to below the option `size`. */
export function drawnIntegers(type: DType, { size }: Readonly<Record<string, unknown>>): Draw | null {
  if (!isInteger(type) || typeof size !== "bigint") return null;
  const bits = bitsOf(type);
  if (size === 1n << BigInt(bits)) return null;
  const words = bits === 64 ? 4 : 2;
  const root = (1n << BigInt(Math.min(bits, 32))) % size;
  if (size > LARGEST_SIZE) {
    const multiplier = bits === 64 ? BigInt.asUintN(64, root * root) % size : root;
    const draw = drawn(`wide ${type}`, words, (source) => [wideIntegerOf(source, type)]);
    return { ...draw, numbers: [...new Uint32Array(new BigUint64Array([size, multiplier]).buffer)] };
  }
  const [below, rest] = [Number(size), Number(root)];
  const doubles = new Float64Array([below, 1 / below, rest, bits === 64 ? (rest * rest) % below : rest]);
  const draw = drawn(type, words, (source) => [integerOf(source, type)]);
  return { ...draw, numbers: [...new Uint32Array(doubles.buffer)] };
}
