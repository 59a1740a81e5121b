/** Samples of distributions against the quantiles and probabilities of SciPy, their edges, and the same bits everywhere. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { sampled } from "../effort";
import { readOracle } from "../oracles/read";
import { numbersOf } from "./oracle";
import { chiSquare, countsOf } from "./statistics";

const { Random } = Nx;

type Continuous = "exponential" | "laplace" | "logistic" | "cauchy" | "truncatedNormal" | "gamma" | "beta";

const ORACLE = readOracle<{
  continuous: { fn: Continuous; parameters: number[]; edges: number[] }[];
  poisson: { rate: number; first: number; below: number; parts: number[]; above: number }[];
}>("distributions.json");

type Draw = (key: Nx.Tensor, ...args: unknown[]) => [Nx.Tensor, Nx.Tensor];
const draw = (fn: string): Draw => (Random as unknown as Record<string, Draw>)[fn]!;
const SIZE = 20_000;
const SEEDS = [0, 12345, -1];
const meanOf = (sample: readonly number[]): number => sample.reduce((sum, x) => sum + x, 0) / sample.length;

describe.each(ORACLE.continuous)("$fn of $parameters", ({ fn, parameters, edges }) => {
  const within = (sample: number[]) => sample.map((x) => edges.filter((edge) => x >= edge).length);
  const expected = new Array<number>(edges.length + 1).fill(SIZE / (edges.length + 1));

  it.each(["f32", "f64"] as const)("fills parts of equal probability alike, %s", (type) => {
    for (const seed of sampled(SEEDS, 1, fn + type)) {
      const sample = numbersOf(draw(fn)(Random.key(seed), ...parameters, { shape: [SIZE], type })[0]);
      expect(chiSquare(countsOf(within(sample), expected.length), expected), `seed ${seed}`).toBeLessThan(1);
    }
  });

  it("would be told from another one near by", () => {
    const sample = numbersOf(draw(fn)(Random.key(5), ...parameters, { shape: [SIZE], type: "f64" })[0]);
    const wide = edges[40]! - edges[10]!;
    const moved = sample.map((x) => x + 0.05 * wide);
    expect(chiSquare(countsOf(within(moved), expected.length), expected)).toBeGreaterThan(1);
  });
});

describe.each(ORACLE.poisson)("poisson of $rate", ({ rate, first, below, parts, above }) => {
  it("gives each count as often as it should", () => {
    const probabilities = [below, ...parts, above].map((p) => p * SIZE);
    const joined = probabilities.filter((p) => p >= 1);
    const skip = probabilities[0]! < 1 ? 1 : 0;
    for (const seed of SEEDS) {
      const sample = numbersOf(Random.poisson(Random.key(seed), rate, { shape: [SIZE] })[0]);
      const places = sample.map((k) => Math.max(0, Math.min(joined.length - 1, k - first + 1 - skip)));
      if (joined.length === 1) expect(new Set(sample)).toEqual(new Set([0]));
      else expect(chiSquare(countsOf(places, joined.length), joined), `seed ${seed}`).toBeLessThan(1);
    }
  });
});

describe("discrete ones", () => {
  it("bernoulli and categorical occur as often as their probabilities say", () => {
    const p = [0.05, 0.3, 0.4, 0.25];
    for (const seed of SEEDS) {
      const key = Random.key(seed);
      const ones = numbersOf(Random.bernoulli(key, 0.3, { shape: [SIZE] })[0]).filter((x) => x === 1).length;
      expect(chiSquare([ones, SIZE - ones], [0.3 * SIZE, 0.7 * SIZE])).toBeLessThan(1);
      const kinds = numbersOf(Random.categorical(key, Nx.log(Nx.f64(p)), { shape: [SIZE] })[0]);
      expect(chiSquare(countsOf(kinds, 4), p.map((x) => x * SIZE))).toBeLessThan(1); // prettier-ignore
    }
    expect(numbersOf(Random.bernoulli(Random.key(1), Nx.f32([-1, 0, 1, 2]))[0])).toEqual([0, 0, 1, 1]);
  });

  it("permutations: each of the six orders of three as often, and each number once", () => {
    const counts = new Map<string, number>();
    let key = Random.key(3) as Nx.Tensor;
    for (let i = 0; i < 1200; i++) {
      const [order, next] = Random.permutation(key, 3);
      counts.set(numbersOf(order).join(""), (counts.get(numbersOf(order).join("")) ?? 0) + 1);
      key = next;
    }
    expect(counts.size).toBe(6);
    expect(chiSquare([...counts.values()], Array<number>(6).fill(200))).toBeLessThan(1);
    expect(numbersOf(Nx.sort(Random.permutation(key, 1000)[0]))).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });

  it("dirichlet: shares sum up to 1, and each alone is of a beta distribution", () => {
    const [sample] = Random.dirichlet(Random.key(7), Nx.f64([2, 1, 2]), { shape: [SIZE] });
    expect(Nx.reduceMax(Nx.abs(Nx.subtract(Nx.sum(sample, { axes: [1] }), 1))).toNumber()).toBeLessThan(1e-14);
    const { edges } = ORACLE.continuous.find(({ fn, parameters }) => fn === "beta" && parameters[0] === 2)!;
    const places = numbersOf(Nx.transpose(sample).at(0)).map((x) => edges.filter((edge) => x >= edge).length);
    expect(chiSquare(countsOf(places, 50), new Array<number>(50).fill(SIZE / 50))).toBeLessThan(1);
  });
});

const CALLS: Readonly<Record<string, (key: Nx.Tensor) => readonly [Nx.Tensor, Nx.Tensor]>> = {
  bernoulli: (key) => Random.bernoulli(key, Nx.f32([0.2, 0.7], { names: ["x"] })),
  beta: (key) => Random.beta(key, 0.5, Nx.f64([1, 2]), { shape: [3, 2], names: [null, "x"] }),
  categorical: (key) => Random.categorical(key, Nx.iota([3, 4], { names: ["x", "y"] }), { axis: "x", shape: [2, 4] }),
  cauchy: (key) => Random.cauchy(key, { shape: [40] }),
  dirichlet: (key) => Random.dirichlet(key, Nx.f32([1, 2, 3], { names: ["share"] }), { shape: [5] }),
  exponential: (key) => Random.exponential(key, { shape: [40], type: "f64" }),
  gamma: (key) => Random.gamma(key, Nx.f32([0.1, 1, 50])),
  "gamma of bf16": (key) => Random.gamma(key, 3, { shape: [9], type: "bf16" }),
  laplace: (key) => Random.laplace(key, { shape: [40], type: "f16" }),
  logistic: (key) => Random.logistic(key, { shape: [40] }),
  permutation: (key) => Random.permutation(key, 9),
  poisson: (key) => Random.poisson(key, Nx.f64([0.1, 5, 20, 300]), { type: "s32" }),
  truncatedNormal: (key) => Random.truncatedNormal(key, -1, Nx.f32([0, Infinity]), { shape: [20, 2] }),
};

describe.each(Object.entries(CALLS))("%s", (_name, call) => {
  const key = Random.key(99);

  it("is the same in defn, on binary, and for each key of a batch", () => {
    const [sample, next] = call(key);
    const [traced, after] = Nx.defn(call)(key);
    expect([traced.equals(sample), after.equals(next)]).toEqual([true, true]);
    const plain = Nx.withDefaultBackend("binary", () => call(Random.key(99))[0]);
    expect(plain.toBinary()).toEqual(sample.toBinary());
    const keys = Random.split(key, { parts: 3 });
    const together = Nx.Defn.vmap((one: Nx.Tensor) => call(one)[0])(keys);
    for (const i of [0, 1, 2]) expect(together.at(i).equals(Nx.rename(call(keys.at(i))[0], together.at(i).names))).toBe(true); // prettier-ignore
  });
});

describe("edges", () => {
  it("parameters that no distribution has give NaN, or -1, and end", () => {
    const wrong = Nx.f32([0, -1, NaN, Infinity, 2]);
    expect(numbersOf(Random.gamma(Random.key(1), wrong)[0]).slice(0, 4)).toEqual([NaN, NaN, NaN, NaN]);
    expect(numbersOf(Random.beta(Random.key(1), wrong, 1)[0]).slice(0, 4)).toEqual([NaN, NaN, NaN, NaN]);
    for (const [type, none] of [
      ["s64", -1],
      ["s8", -1],
      ["u8", 255],
      ["u32", 2 ** 32 - 1],
      ["u64", 2n ** 64n - 1n],
    ] as const) {
      const counts = Random.poisson(Random.key(1), Nx.f32([-1, NaN, Infinity, 0]), { type })[0];
      expect(counts.toList()).toEqual([none, none, none, 0]);
    }
    for (const rate of [1e6, 1e8]) {
      const counts = Random.poisson(Random.key(2), rate, { shape: [100_000] })[0];
      // the variance of a sample of n is off by sqrt(2 / n) of itself, here 0.0045; numbers of 24 bits had 1.04 and 1.7 rates
      expect(Math.abs(Number(counts.f64().variance().toNumber()) / rate - 1)).toBeLessThan(0.02);
    }
  });

  it("samples of small concentrations are no NaN, and stay within their bounds", () => {
    const tiny = numbersOf(Random.beta(Random.key(1), 1e-4, 1e-4, { shape: [2000] })[0]);
    expect(tiny.every((x) => x >= 0 && x <= 1)).toBe(true);
    const cut = numbersOf(Random.truncatedNormal(Random.key(1), 1, 1.5, { shape: [5000], type: "bf16" })[0]);
    expect([Math.min(...cut) >= 1, Math.max(...cut) <= 1.5]).toEqual([true, true]);
    expect(numbersOf(Random.exponential(Random.key(1), { shape: [5000], type: "f16" })[0]).every((x) => x >= 0 && x < Infinity)).toBe(true); // prettier-ignore
  });

  it("truncated samples are finite and as far apart as they should be, where shares below a bound round to 1", () => {
    const cut = (lower: number, upper: number, type: Nx.DType) => numbersOf(Random.truncatedNormal(Random.key(1), lower, upper, { shape: [SIZE], type })[0]); // prettier-ignore
    for (const tail of [cut(4, Infinity, "f32"), cut(-Infinity, -4, "f32").map((x) => -x)]) {
      expect([Math.min(...tail) >= 4, Math.max(...tail) < 6]).toEqual([true, true]);
      expect(Math.abs(meanOf(tail) - 4.2256)).toBeLessThan(0.01); // scipy.stats.truncnorm(4, inf).mean()
    }
    for (const type of ["f16", "bf16", "f32", "f64"] as const) {
      const whole = cut(-100, 100, type);
      expect(Math.max(...whole.map(Math.abs))).toBeLessThan(6);
      expect(Math.abs(meanOf(whole.map((x) => x * x)) - 1)).toBeLessThan(0.05);
      expect(Math.max(...cut(-Infinity, Infinity, type).map(Math.abs))).toBeLessThan(6);
    }
    expect([new Set(cut(6, 7, "f32")), new Set(cut(-7, -6, "f16"))]).toEqual([new Set([6]), new Set([-6])]);
  });

  it("half floats have the probabilities that they say", () => {
    for (const type of ["f16", "bf16"] as const) {
      const key = Random.key(4);
      const ones = meanOf(numbersOf(Random.bernoulli(key, Nx.tensor(2 ** -11, { type }), { shape: [10 * SIZE] })[0]));
      expect(Math.abs(ones * 2 ** 11 - 1)).toBeLessThan(0.5);
      const alike = numbersOf(Random.categorical(key, Nx.zeros([50], { type }), { shape: [SIZE] })[0]);
      expect(chiSquare(countsOf(alike, 50), new Array<number>(50).fill(SIZE / 50))).toBeLessThan(1);
      const first = Array.from({ length: 2000 }, (_, i) => Random.choice(Random.key(i), Nx.iota([2]), Nx.ones([2], { type }), { replace: false })[0]); // prettier-ignore
      expect(
        chiSquare(
          countsOf(
            first.map((t) => Number(t.at(0).toNumber())),
            2,
          ),
          [1000, 1000],
        ),
      ).toBeLessThan(1);
    }
  });

  it("half floats have as many values as the type has there, all finite", () => {
    for (const fn of ["exponential", "laplace", "logistic", "cauchy", "gumbel"]) {
      for (const [type, least] of [
        ["f16", 3000],
        ["bf16", 700],
      ] as const) {
        const sample = numbersOf(draw(fn)(Random.key(1), { shape: [SIZE], type })[0]);
        expect(new Set(sample).size, `${fn} ${type}`).toBeGreaterThan(least);
        expect(Math.max(...sample.map(Math.abs))).toBeLessThan(Infinity);
      }
    }
  });

  it("choices never fall on entries of probability 0", () => {
    const p = [0, 0.5, 0.25, 0, 0.25, 0];
    for (const type of ["f16", "f32"] as const) {
      const sample = Random.choice(Random.key(1), Nx.iota([6]), Nx.tensor(p, { type }), { samples: SIZE })[0];
      expect(countsOf(numbersOf(sample), 6).map((count) => count > 0)).toEqual(p.map((x) => x > 0));
    }
  });

  it("large rates are those that are written", () => {
    for (const rate of [1e15, 1e17]) {
      const sample = Random.poisson(Random.key(2), rate, { shape: [SIZE] })[0];
      const parts = numbersOf(sample.subtract(BigInt(rate)).f64().divide(Math.sqrt(rate)));
      expect(Math.abs(meanOf(parts))).toBeLessThan(0.03);
      expect(Math.abs(meanOf(parts.map((x) => x * x)) - 1)).toBeLessThan(0.05);
    }
    expect(Random.poisson(Random.key(2), 1e308)[0].toNumber()).toBe(2n ** 63n - 1n);
  });

  it("gradients flow where a sample moves with its parameters, and are errors where they decide what is rejected", () => {
    const key = Random.key(1);
    const upper = (b: Nx.Tensor) => Nx.sum(Random.truncatedNormalSplit(key, -1, b, { shape: [5] }));
    const [b, h] = [0.7, 1e-6];
    const difference = (Number(upper(Nx.f64(b + h)).toNumber()) - Number(upper(Nx.f64(b - h)).toNumber())) / (2 * h);
    expect(Number(Nx.grad(upper)(Nx.f64(b)).toNumber())).toBeCloseTo(difference, 6);
    for (const fn of [(a: Nx.Tensor) => Random.gammaSplit(key, a), (a: Nx.Tensor) => Random.betaSplit(key, a, 2)]) {
      expect(() => Nx.grad(fn)(Nx.f32(2))).toThrow("has no gradient with respect to its parameters, which decide what is rejected"); // prettier-ignore
      expect(Nx.grad((a: Nx.Tensor) => Nx.Defn.stopGrad(fn(a)).multiply(a))(Nx.f32(2)).toNumber()).toBe(fn(Nx.f32(2)).toNumber()); // prettier-ignore
    }
    expect(Nx.grad((rate: Nx.Tensor) => Random.poissonSplit(key, rate).f32())(Nx.f32(3)).toNumber()).toBe(0);
  });
});
