/**
 * Arguments for functions of two numbers: every pair of notable ones, each of those beside random words, then random pairs
 * of several kinds.
 */
import type { SpecialBinary } from "../../lib/ops";

const NOTABLE = [
  0,
  1,
  2,
  3,
  4,
  5,
  7,
  10,
  0.5,
  1.5,
  2.5,
  0.1,
  1 / 3,
  88,
  128,
  149,
  1e10,
  1e30,
  1e-30,
  8388607,
  8388609,
  16777215,
  16777216,
  16777218,
  2 ** -149,
  1e-40,
  2 ** -126,
  3.4028234663852886e38,
  0.9999999403953552,
  1.0000001192092896,
  Infinity,
  NaN,
];

const scratch = new Float32Array(1);
const word = new Int32Array(scratch.buffer);

export function wordOf(x: number): number {
  scratch[0] = x;
  return word[0]!;
}

export function floatOf(bits: number): number {
  word[0] = bits;
  return scratch[0]!;
}

/** Random words, the same ones each time (xorshift, Marsaglia 2003). */
export function randomWords(seed = 2463534242): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
}

/** Pair number `i`: the words of both. */
type Kind = (i: number, random: () => number) => readonly [number, number];

const SIGNED = [...NOTABLE, ...NOTABLE.map((x) => -x)].map(wordOf);

/** A number with an exponent near 0. */
const moderate = (random: () => number): number => (random() & 0x83ffffff) + 0x3e000000;

const NEAR_ONE: Kind = (_, random) => [0x3f7f0000 + (random() & 0x1ffff), (random() & 0x87ffffff) + 0x43000000];

/** Powers across the whole range of results, which few random pairs have. */
function wholeRange(_: number, random: () => number): readonly [number, number] {
  const x = floatOf((random() & 0x7fffff) | ((97 + ((random() >>> 8) % 60)) << 23));
  return [wordOf(x), wordOf(((random() / 2 ** 31) * 104) / Math.log(x))];
}

const KINDS: { readonly [K in SpecialBinary]: readonly Kind[] } = {
  pow: [
    (_, random) => [random(), random()],
    (_, random) => [moderate(random) & 0x7fffffff, moderate(random)],
    NEAR_ONE,
    wholeRange,
    (_, random) => [moderate(random), wordOf((random() >> 27) / 2)],
  ],
  atan2: [
    (_, random) => [random(), random()],
    (_, random) => [moderate(random), moderate(random)],
    // Sides of almost the same length.
    (_, random) => {
      const first = random();
      return [first, first ^ (random() & 0x80000fff)];
    },
  ],
  logAddExp: [
    (_, random) => [random(), random()],
    (_, random) => [moderate(random), moderate(random)],
    // As far apart as matters.
    (_, random) => {
      const first = floatOf(moderate(random));
      return [wordOf(first), wordOf(first - (random() / 2 ** 31) * 110)];
    },
    // Logarithms of shares of 1.
    (_, random) => [wordOf(Math.log(Math.abs(random() / 2 ** 31))), wordOf(Math.log(Math.abs(random() / 2 ** 31)))],
    cancelling,
  ],
};

/** Exponentials that add to 1, as nearly as f32 has them, in either order. */
function cancelling(i: number, random: () => number): readonly [number, number] {
  const first =
    -Math.LN2 * floatOf((random() & 0x7fffff) | ((126 - ((random() >>> 8) % 60) * (i % 4 === 0 ? 1 : 0)) << 23));
  const x = wordOf(first);
  const y = wordOf(Math.log(-Math.expm1(floatOf(x)))) + ((random() & 7) === 0 ? random() % 64 : 0);
  return (random() & 1) === 0 ? [x, y] : [y, x];
}

/** The words of about `count` pairs, a block at a time. */
export function pairs(name: SpecialBinary, count: number): (first: Int32Array, second: Int32Array) => number {
  const random = randomWords();
  const kinds = KINDS[name];
  const notable = SIGNED.length;
  const pairOf = (i: number): readonly [number, number] => {
    if (i < notable ** 2) return [SIGNED[i % notable]!, SIGNED[Math.floor(i / notable)]!];
    if (i % 10 === 0) return [SIGNED[(i / 10) % notable]!, random()];
    if (i % 10 === 5) return [random(), SIGNED[((i - 5) / 10) % notable]!];
    return kinds[i % kinds.length]!(i, random);
  };
  let next = 0;
  return (first, second) => {
    const n = Math.max(0, Math.min(first.length, Math.floor(Math.max(count, notable ** 2)) - next));
    for (let j = 0; j < n; j++) [first[j], second[j]] = pairOf(next++) as [number, number];
    return n;
  };
}
