import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { KEYS, keyOf } from "./oracle";
import { tries } from "../effort";

const { Random } = Nx;
const key = Random.key(1701);
const exact = (t: Nx.Tensor): bigint[] => Nx.toFlatList(t).map((x) => BigInt(x as number | bigint));

const INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const;

describe.each(KEYS)("integers of the key $key", (oracle) => {
  it.each(oracle.randint)("$type from $min to $max", ({ type, min, max, sample }) => {
    const [low, high] = [BigInt(min), BigInt(max)];
    const wanted = sample.map(BigInt);
    const k = keyOf(oracle);
    const plain = Random.randintSplit(k, low, high, { shape: [5], type });
    expect([plain.type, plain.shape]).toEqual([type, [5]]);
    expect(exact(plain)).toEqual(wanted);
    const bounds = [Nx.tensor(low, { type }), Nx.tensor(high, { type })] as const;
    expect(exact(Random.randintSplit(k, ...bounds, { shape: [5] }))).toEqual(wanted);
    expect(exact(Random.randintSplit(k, bounds[0], high, { shape: [5], type }))).toEqual(wanted);
  });
});

describe("randint", () => {
  it("gives the documented values of Nx", () => {
    const [sample] = Random.randint(key, 1, 100, { shape: [3, 2], type: "u32", names: ["x", "y"] });
    expect(sample.names).toEqual(["x", "y"]);
    expect(Nx.toList(sample)).toEqual([
      [9, 20],
      [19, 6],
      [71, 15],
    ]);
  });

  it.each(INTEGERS)("stays within any bounds of %s and reaches them", (type) => {
    const limits = [BigInt(Nx.Type.min(type)), BigInt(Nx.Type.max(type))] as const;
    const any = fc.bigInt({ min: limits[0], max: limits[1] });
    fc.assert(
      fc.property(any, any, fc.nat(), (a, b, seed) => {
        fc.pre(a !== b);
        const [low, high] = a < b ? [a, b] : [b, a];
        const sample = exact(Random.randintSplit(Random.key(seed), low, high, { shape: [5], type }));
        expect(sample.every((x) => x >= low && x < high)).toBe(true);
      }),
      { numRuns: tries(60) },
    );
    const few = exact(Random.randintSplit(key, limits[0], limits[0] + 3n, { shape: [60], type }));
    expect(new Set(few)).toEqual(new Set([limits[0], limits[0] + 1n, limits[0] + 2n]));
  });

  it.each(INTEGERS)("draws from the whole of %s", (type) => {
    const [low, high] = [BigInt(Nx.Type.min(type)), BigInt(Nx.Type.max(type))];
    const sample = exact(Random.randintSplit(key, low, high + 1n, { shape: [1000], type }));
    expect(sample.every((x) => x >= low && x <= high)).toBe(true);
    const quarter = (high - low + 1n) / 4n;
    const counts = [0, 0, 0, 0];
    for (const x of sample) counts[Number((x - low) / quarter)]!++;
    expect(Math.min(...counts)).toBeGreaterThan(190);
  });

  it("takes its type from tensors", () => {
    expect(Random.randint(key, Nx.u8(1), Nx.s8(3))[0].type).toBe("s16");
    expect(Random.randint(key, Nx.u8(1), 3)[0].type).toBe("s64");
    expect(Random.randint(key, 1, 3)[0].type).toBe("s64");
    expect(Random.randint(key, 1n, 3n, { type: "s8" })[0].type).toBe("s8");
  });

  it("takes bounds for each element", () => {
    const low = Nx.tensor([0, 10, 20], { names: ["x"] });
    const sample = Random.randintSplit(key, low, Nx.add(low, 10), { shape: [50, 3] });
    expect(sample.names).toEqual([null, "x"]);
    expect(exact(Nx.reduceMin(Nx.quotient(sample, 10), { axes: [0] }))).toEqual([0n, 1n, 2n]);
    expect(exact(Nx.reduceMax(Nx.quotient(sample, 10), { axes: [0] }))).toEqual([0n, 1n, 2n]);
  });

  it.each([
    [() => Random.randint(key, 5, 5), /max of Nx.Random.randint must be above min, got: 5 and 5/],
    [() => Random.randint(key, 5, -5), /must be above min/],
    [() => Random.randint(key, 0, 1.5), /draws integers, got type f32/],
    [() => Random.randint(key, 0, Nx.f32(2)), /draws integers, got type f32/],
    [() => Random.randint(key, 0, 1.5, { type: "s8" }), /draws integers, got type f32/],
    [() => Random.randint(key, 0, NaN, { type: "s8" }), /draws integers, got type f32/],
    [() => Random.randint(key, 0, 5, { type: "f32" }), /draws integers, got type f32/],
    [() => Random.randint(key, 0, 257, { type: "u8" }), /within the range of u8, 0 to 255, got: 0 and 257/],
    [() => Random.randint(key, -1, 5, { type: "u8" }), /within the range of u8/],
    [() => Random.randint(key, Nx.u8(1), 256, { type: "u8" }), /within the range of u8/],
    [() => Random.randint(key, Nx.tensor(5), Nx.tensor(5)), /zero/],
    [() => Random.randint(key, Nx.tensor(5), Nx.tensor(4)), /zero/],
    [() => Random.randint(key, 0, 5, { shape: [0] }), /shape of Nx.Random.randint must hold positive integers/],
    [() => Random.randint(key, 0, undefined as never), /expects a tensor or a number/],
    [() => Random.randint(key, 0, 5, { shape: [2 ** 31] }), /elements, more than/],
  ])("refuses wrong arguments (%#)", (call, message) => {
    expect(call).toThrow(Nx.ArgumentError);
    expect(call).toThrow(message);
  });
});
