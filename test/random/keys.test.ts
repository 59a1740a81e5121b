import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { randomBits, threefry, wordsOf } from "../../lib/random/threefry";
import { KEYS, keyOf, numbersOf } from "./oracle";

const pair = (a: number, b: number): Nx.Tensor => Nx.u32([a, b]);

describe("the cipher", () => {
  // The known answers that Random123 ships for threefry2x32 with 20 rounds.
  it.each([
    [0, 0, 0, 0, 0x6b200159, 0x99ba4efe],
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7],
    [0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0],
  ])("key %i %i, counter %i %i", (k0, k1, c0, c1, x0, x1) => {
    const [first, second] = threefry(pair(k0, k1), Nx.u32([c0]), Nx.u32([c1]));
    expect([...numbersOf(first), ...numbersOf(second)]).toEqual([x0, x1]);
  });

  it.each(KEYS)("gives the words of the oracle for $key", (oracle) => {
    const key = keyOf(oracle);
    for (const [count, words] of Object.entries(oracle.words)) {
      expect(numbersOf(wordsOf(key, Number(count))), count).toEqual(words);
      expect(numbersOf(randomBits(key, "u32", [Number(count)])), count).toEqual(words);
    }
    expect(Nx.toFlatList(randomBits(key, "u64", [3])).map(String)).toEqual(oracle.bits64);
  });

  it("gives narrow bits from the low end of the words", () => {
    const words = numbersOf(randomBits(pair(1, 2), "u32", [5]));
    expect(numbersOf(randomBits(pair(1, 2), "u8", [5]))).toEqual(words.map((w) => w & 0xff));
    expect(numbersOf(randomBits(pair(1, 2), "u16", [5]))).toEqual(words.map((w) => w & 0xffff));
  });

  it("depends on the size of a shape, not on the shape", () => {
    const flat = numbersOf(randomBits(pair(1, 2), "u32", [12]));
    expect(numbersOf(randomBits(pair(1, 2), "u32", [3, 1, 4]))).toEqual(flat);
  });
});

describe("key", () => {
  it.each([
    [0, [0, 0]],
    [12, [0, 12]],
    [2 ** 32, [1, 0]],
    [-1, [0xffffffff, 0xffffffff]],
    [-(2 ** 63), [0x80000000, 0]],
    [2n ** 64n - 1n, [0xffffffff, 0xffffffff]],
    [0x0123456789abcdefn, [0x01234567, 0x89abcdef]],
  ] as const)("of %s", (seed, words) => {
    const key = Nx.Random.key(seed);
    expect([key.type, key.shape, key.names]).toEqual(["u32", [2], [null]]);
    expect(numbersOf(key)).toEqual(words);
  });

  it.each([
    [Nx.s64(-5), [0xffffffff, 0xfffffffb]],
    [Nx.s8(-5), [0xffffffff, 0xfffffffb]],
    [Nx.u8(250), [0, 250]],
    [Nx.u64(2n ** 63n), [0x80000000, 0]],
  ])("of a tensor", (seed, words) => {
    expect(numbersOf(Nx.Random.key(seed))).toEqual(words);
  });

  it("agrees for numbers and tensors", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (seed) => {
        expect(numbersOf(Nx.Random.key(seed))).toEqual(numbersOf(Nx.Random.key(Nx.s64(seed))));
      }),
    );
  });

  it.each([[0.5], [NaN], [2 ** 64], [-(2n ** 63n) - 1n], ["1"], [null], [Nx.f32(1)], [Nx.s64([1])]])(
    "refuses %s",
    (seed) => {
      expect(() => Nx.Random.key(seed as number)).toThrow(Nx.ArgumentError);
    },
  );
});

describe("split and foldIn", () => {
  it.each(KEYS)("give the keys of the oracle for $key", (oracle) => {
    const key = keyOf(oracle);
    for (const [parts, keys] of Object.entries(oracle.split)) {
      const made = Nx.Random.split(key, { parts: Number(parts) });
      expect([made.type, made.shape]).toEqual(["u32", [Number(parts), 2]]);
      expect(numbersOf(made)).toEqual(keys);
    }
    const folded = Nx.Random.foldIn(key, Nx.tensor(oracle.foldIn.data.map(BigInt)));
    expect(folded.shape).toEqual([4, 2]);
    expect(numbersOf(folded)).toEqual(oracle.foldIn.keys);
  });

  it("give JAX's documented keys", () => {
    expect(Nx.toList(Nx.Random.split(Nx.Random.key(0)))).toEqual([
      [4146024105, 967050713],
      [2718843009, 1272950319],
    ]);
    expect(Nx.toList(Nx.Random.split(Nx.Random.key(42)))).toEqual([
      [2465931498, 3679230171],
      [255383827, 267815257],
    ]);
  });

  it("fold each number of a tensor by itself, whatever its integer type", () => {
    const key = Nx.Random.key(7);
    const data = Nx.s16([
      [1, -2],
      [3, 4],
    ]);
    const all = Nx.Random.foldIn(key, Nx.rename(data, ["a", "b"]));
    expect([all.shape, all.names]).toEqual([
      [2, 2, 2],
      ["a", "b", null],
    ]);
    const one = (value: number) => numbersOf(Nx.Random.foldIn(key, value));
    expect(numbersOf(all)).toEqual([...one(1), ...one(-2), ...one(3), ...one(4)]);
  });

  it("ignore the name of a key's axis", () => {
    const named = Nx.rename(Nx.Random.key(3), ["k"]);
    expect(Nx.Random.split(named).equals(Nx.Random.split(Nx.Random.key(3)))).toBe(true);
    expect(Nx.Random.foldIn(named, 1).names).toEqual([null]);
  });

  it.each([[Nx.u32([1, 2, 3])], [Nx.s64([1, 2])], [42], [null], [[0, 1]]])("refuse %s as a key", (key) => {
    const wrong = key as unknown as Nx.Tensor;
    const calls = [
      () => Nx.Random.split(wrong),
      () => Nx.Random.foldIn(wrong, 1),
      () => Nx.Random.uniform(wrong),
      () => Nx.Random.normalSplit(wrong),
      () => Nx.Random.randint(wrong, 0, 1),
      () => Nx.Random.gumbel(wrong),
      () => Nx.Random.shuffle(wrong, Nx.iota([3])),
      () => Nx.Random.choice(wrong, Nx.iota([3])),
    ];
    for (const call of calls) expect(call).toThrow(/expects a key, a u32 tensor of shape \[2\]/);
  });

  it("refuse wrong options", () => {
    const key = Nx.Random.key(0);
    expect(() => Nx.Random.split(key, { parts: 0 })).toThrow(
      /parts of Nx.Random.split must be an integer of at least 1/,
    );
    expect(() => Nx.Random.split(key, { part: 3 } as never)).toThrow(/did you mean "parts"/);
    expect(() => Nx.Random.foldIn(key, 1.5)).toThrow(/expects integers/);
  });
});
