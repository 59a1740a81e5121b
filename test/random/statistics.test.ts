import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { RANDOM_CHANCE } from "../tolerances";
import { FLOAT_TYPES, numbersOf } from "./oracle";
import { chiSquare, countsOf, kolmogorov } from "./statistics";

const { Random } = Nx;
const SEEDS = [0, 1, 12345, -1];
const normalTail = (x: number): number => Nx.toNumber(Nx.divide(Nx.erfc(Nx.f64(-x / Math.SQRT2)), 2)) as number;

it("the measures tell good samples from bad ones", () => {
  expect(RANDOM_CHANCE).toBe(1e-4); // the quantile in statistics.ts belongs to it
  const even = Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000);
  expect(kolmogorov(even, (x) => x)).toBeLessThan(0.1);
  expect(kolmogorov(even, (x) => x ** 1.3)).toBeGreaterThan(1);
  expect(chiSquare([100, 100, 100], [100, 100, 100])).toBe(0);
  expect(chiSquare([150, 100, 50], [100, 100, 100])).toBeGreaterThan(1);
});

describe.each(SEEDS)("samples of seed %i", (seed) => {
  const key = Random.key(seed);

  it.each(FLOAT_TYPES)("uniform in %s", (type) => {
    const sample = numbersOf(Random.uniformSplit(key, { shape: [20_000], type }));
    expect(Math.min(...sample)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...sample)).toBeLessThan(1);
    const bins = sample.map((x) => Math.floor(x * 64));
    expect(chiSquare(countsOf(bins, 64), new Array<number>(64).fill(20_000 / 64))).toBeLessThan(1);
  });

  it("neighbours and successive samples are not correlated", () => {
    const [first, next] = Random.uniform(key, -1, 1, { shape: [20_000], type: "f64" });
    const [second] = Random.uniform(next, -1, 1, { shape: [20_000], type: "f64" });
    const correlation = (a: Nx.Tensor, b: Nx.Tensor) => Number(Nx.toNumber(Nx.mean(Nx.multiply(a, b)))) * 3;
    const limit = 4 / Math.sqrt(20_000);
    expect(Math.abs(correlation(first, second))).toBeLessThan(limit);
    expect(Math.abs(correlation(first.at(Nx.range(1, 20_000)), first.at(Nx.range(0, 19_999))))).toBeLessThan(limit);
    expect(Math.abs(correlation(first, Nx.reshape(first, [2, 10_000]).at(1).tile([2])))).toBeGreaterThan(limit);
  });

  it("normal", () => {
    const sample = numbersOf(Random.normalSplit(key, { shape: [5000] }));
    expect(kolmogorov(sample, normalTail)).toBeLessThan(1);
    const shifted = numbersOf(Random.normalSplit(key, 3, 0.5, { shape: [5000] }));
    expect(kolmogorov(shifted, (x) => normalTail((x - 3) / 0.5))).toBeLessThan(1);
  });

  it("Gumbel", () => {
    const sample = numbersOf(Random.gumbelSplit(key, { shape: [5000] }));
    expect(kolmogorov(sample, (x) => Math.exp(-Math.exp(-x)))).toBeLessThan(1);
  });

  it.each(["u8", "s64"] as const)("integers in %s", (type) => {
    const sample = numbersOf(Random.randintSplit(key, 0, 50, { shape: [20_000], type }));
    expect(chiSquare(countsOf(sample, 50), new Array<number>(50).fill(400))).toBeLessThan(1);
  });
});
