import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { RANDOM_EPSILONS } from "../tolerances";
import { FLOAT_TYPES, KEYS, keyOf, numbersOf, type FloatType, type KeyCase } from "./oracle";

const { Random } = Nx;
const key = Random.key(1701);

function expectNear(sample: Nx.Tensor, wanted: readonly number[], type: FloatType): void {
  const allowed = (x: number) => RANDOM_EPSILONS * Nx.Type.epsilon(type) * Math.max(1, Math.abs(x));
  const off = numbersOf(sample).filter((x, i) => !(Math.abs(x - wanted[i]!) <= allowed(wanted[i]!)));
  expect(off, `${type} of ${String(wanted)}`).toEqual([]);
}

describe.each(KEYS)("samples of the key $key", (oracle: KeyCase) => {
  const k = keyOf(oracle);

  it.each(FLOAT_TYPES)("uniform in %s, to the last bit", (type) => {
    const plain = Random.uniformSplit(k, { shape: [7], type });
    expect([plain.type, plain.shape]).toEqual([type, [7]]);
    expect(numbersOf(plain)).toEqual(oracle.uniform[type]);
    expect(numbersOf(Random.uniformSplit(k, -2.5, 10, { shape: [7], type }))).toEqual(oracle.scaled[type]);
  });

  it.each(FLOAT_TYPES)("normal and Gumbel in %s", (type) => {
    expectNear(Random.normalSplit(k, { shape: [7], type }), oracle.normal[type], type);
    expectNear(Random.normalSplit(k, 10, 0.3, { shape: [7], type }), oracle.shifted[type], type);
    expectNear(Random.gumbelSplit(k, { shape: [7], type }), oracle.gumbel[type], type);
  });
});

describe("known values", () => {
  it("of JAX for the key 0", () => {
    expect(Nx.toNumber(Random.uniformSplit(Random.key(0)))).toBeCloseTo(0.41845703, 7);
    expect(Nx.toNumber(Random.normalSplit(Random.key(0)))).toBeCloseTo(-0.20584226, 7);
  });

  it("of Nx for complex types", () => {
    const sample = Random.uniform(key, { shape: [2, 2], type: "c64" })[0];
    expect([sample.type, sample.shape]).toEqual(["c64", [2, 2]]);
    const parts = (Nx.toFlatList(sample) as Nx.Complex[]).flatMap(({ re, im }) => [re, im]);
    [0.18404806, 0.65464616, 0.55259156, 0.11568141, 0.60745847, 0.81043756, 0.2476865, 0.2197547].forEach((x, i) =>
      expect(parts[i]).toBeCloseTo(x, 7),
    );
    const [first] = Nx.toFlatList(Random.normal(Random.key(42), { shape: [2, 2], type: "c64" })[0]) as Nx.Complex[];
    expect(first!.re).toBeCloseTo(-0.7632761, 6);
    expect(first!.im).toBeCloseTo(0.8661128, 6);
  });

  it("of Nx for the mean and deviation of a thousand", () => {
    const [sample] = Random.normal(Random.key(1337), 10, 5, { shape: [1000] });
    expect(Nx.toNumber(Nx.mean(sample))).toBeCloseTo(9.700222, 5);
    expect(Nx.toNumber(Nx.standardDeviation(sample))).toBeCloseTo(5.0514164, 5);
  });
});

describe("the sample and the next key", () => {
  it("come from the two halves of a split key", () => {
    const keys = Random.split(key);
    const [own, next] = [keys.at(1), keys.at(0)];
    const cases: [Nx.Random.Drawn, Nx.Tensor][] = [
      [Random.uniform(key, { shape: [3] }), Random.uniformSplit(own, { shape: [3] })],
      [Random.uniform(key, 1, 2, { shape: [3] }), Random.uniformSplit(own, 1, 2, { shape: [3] })],
      [Random.normal(key, { shape: [3] }), Random.normalSplit(own, { shape: [3] })],
      [Random.gumbel(key, { shape: [3] }), Random.gumbelSplit(own, { shape: [3] })],
      [Random.randint(key, 0, 9, { shape: [3] }), Random.randintSplit(own, 0, 9, { shape: [3] })],
    ];
    for (const [[sample, after], alone] of cases) {
      expect(sample.equals(alone)).toBe(true);
      expect(after.equals(next)).toBe(true);
    }
  });

  it("do not change the key", () => {
    const before = numbersOf(key);
    expect(Random.uniform(key)[0].equals(Random.uniform(key)[0])).toBe(true);
    expect(numbersOf(key)).toEqual(before);
  });
});

describe("types", () => {
  it.each([
    [0, 1, undefined, "f32"],
    [0.5, 1, undefined, "f32"],
    [0, 1, "f64", "f64"],
    [Nx.f64(0), 1, undefined, "f64"],
    [Nx.bf16(0), Nx.f16(1), undefined, "f16"],
    [Nx.u8(0), Nx.s8(1), undefined, "f32"],
    [Nx.bf16(0), 1, undefined, "bf16"],
  ] as const)("of bounds %s and %s asked for %s are %s", (low, high, type, wanted) => {
    const options = type === undefined ? {} : { type };
    expect(Random.uniform(key, low, high, options)[0].type).toBe(wanted);
    expect(Random.normal(key, low, high, options)[0].type).toBe(wanted);
  });

  it("keep the precision of plain numbers", () => {
    const sample = numbersOf(Random.uniformSplit(key, 0.1, 0.1, { type: "f64" }));
    expect(sample).toEqual([0.1]);
  });

  it("keep complex parts apart", () => {
    const reals = numbersOf(Random.uniformSplit(key, -1, 2, { shape: [3, 2], type: "f64" }));
    const complex = Nx.toFlatList(Random.uniformSplit(key, -1, 2, { shape: [3], type: "c128" })) as Nx.Complex[];
    expect(complex.flatMap(({ re, im }) => [re, im])).toEqual(reals);
  });
});

describe("shapes and names", () => {
  const means = Nx.tensor([100, 200, 300], { names: ["x"] });

  it("are scalar without a shape", () => {
    expect(Random.uniform(key)[0].shape).toEqual([]);
    expect(Random.normal(key, 3, 2)[0].shape).toEqual([]);
  });

  it("are those of the parameters without a shape", () => {
    const sample = Random.normalSplit(key, means, Nx.reshape(Nx.f32([1, 2]), [2, 1]));
    expect([sample.shape, sample.names]).toEqual([
      [2, 3],
      [null, "x"],
    ]);
    expect(Random.uniform(key, means, 1000)[0].names).toEqual(["x"]);
  });

  it("broadcast parameters to the shape", () => {
    const tiny = Nx.f32(1e-6);
    const sample = Random.normalSplit(key, means, tiny, { shape: [2, 3], names: ["row", null] });
    expect(sample.names).toEqual(["row", null]);
    expect(numbersOf(Nx.round(sample))).toEqual([100, 200, 300, 100, 200, 300]);
    const plain = Random.normalSplit(key, 0, 1, { shape: [2, 3] });
    expect(sample.equals(Nx.add(Nx.multiply(plain, 1e-6), Nx.rename(means, [null])).rename(["row", null]))).toBe(true);
  });

  it("broadcast parameters of complex samples", () => {
    const low = Nx.f32([10, 20]);
    const sample = Random.uniformSplit(key, low, Nx.add(low, 1), { shape: [3, 2], type: "c64", names: ["a", "b"] });
    expect(sample.names).toEqual(["a", "b"]);
    const whole = (t: Nx.Tensor) => numbersOf(Nx.floor(t));
    expect(whole(Nx.real(sample))).toEqual([10, 20, 10, 20, 10, 20]);
    expect(whole(Nx.imag(sample))).toEqual([10, 20, 10, 20, 10, 20]);
  });

  it("must fit", () => {
    expect(() => Random.normal(key, means, 1, { shape: [2] })).toThrow(/mean of Nx.Random.normal has shape \[x: 3\]/);
    expect(() => Random.normal(key, means, 1, { shape: [] })).toThrow(/does not broadcast to the shape \[\]/);
    expect(() => Random.uniform(key, means, Nx.f32([1, 2]))).toThrow(/does not broadcast with \[3\]/);
    expect(() => Random.uniform(key, means, 1000, { shape: [2, 3], names: [null, "y"] })).toThrow(
      /cannot merge axis name/,
    );
    expect(() => Random.uniform(key, { shape: [2], names: ["x", "y"] })).toThrow(/invalid names/);
    expect(() => Random.uniform(key, { shape: [2 ** 20, 2 ** 20] })).toThrow(Nx.ArgumentError);
    expect(() => Random.uniform(key, { shape: [2 ** 31], type: "f64" })).toThrow(/elements, more than/);
  });
});

describe("wrong arguments", () => {
  it.each([
    [() => Random.uniform(key, { type: "s32" }), /cannot draw samples of type s32/],
    [() => Random.normal(key, { type: "u8" }), /cannot draw samples of type u8/],
    [() => Random.gumbel(key, { type: "c64" }), /draws real floats, got type c64/],
    [() => Random.gumbel(key, { type: "s8" }), /cannot draw samples of type s8/],
    [() => Random.uniform(key, 1, 0), /min of Nx.Random.uniform must not be above max, got: 1 and 0/],
    [() => Random.uniform(key, NaN, 0), /must not be above/],
    [() => Random.uniform(key, new Nx.Complex(0, 1), 2), /min of Nx.Random.uniform must be real/],
    [() => Random.normal(key, 0, Nx.c64(1)), /standardDeviation of Nx.Random.normal must be real, got type c64/],
    [() => Random.uniform(key, { shapes: [2] } as never), /did you mean "shape"/],
    [() => Random.uniform(key, "0" as never, 1), /expects a tensor or a number/],
    [() => Random.normal(key, { type: "f33" as never }), /did you mean "f32"/],
  ])("%#", (call, message) => {
    expect(call).toThrow(Nx.ArgumentError);
    expect(call).toThrow(message);
  });
});
