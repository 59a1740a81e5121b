/** Samples by rejection, called eagerly: what is compiled when a call comes again gives the numbers and the errors of the loops. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import * as random from "../../lib/random";
import { differenceOf } from "../fuzz/compare";

type Sampler = (key: Nx.Tensor, ...args: unknown[]) => Nx.Tensor | readonly [Nx.Tensor, Nx.Tensor];
type Name = "beta" | "betaSplit" | "dirichlet" | "dirichletSplit" | "gamma" | "gammaSplit" | "poisson" | "poissonSplit";

const positive = Nx.f32([0.5, 2, 30], { names: ["x"] });

const ARGUMENTS: Readonly<Record<"beta" | "dirichlet" | "gamma" | "poisson", readonly (readonly unknown[])[]>> = {
  beta: [
    [2, 3, { shape: [5], names: ["x"] }],
    [positive, 2n],
    [0.5, positive, { type: "f64" }],
  ],
  dirichlet: [[positive], [positive.asType("f16"), { shape: [4], names: ["a", "x"] }]],
  gamma: [[2.5, { shape: [2, 3] }], [positive], [-1, { shape: [2] }], [0.3]],
  poisson: [
    [4, { shape: [5], type: "u8" }],
    [positive],
    [Nx.f32([-1, 0, 1e7]), { type: "s32" }],
    [3n, { shape: [2], names: ["x"] }],
  ],
};

const all = Object.entries(ARGUMENTS).flatMap(([name, calls]) =>
  calls.flatMap((args) => [name, `${name}Split`].map((each) => [each as Name, args] as const)),
);

describe("samples by rejection", () => {
  it.each(all)("Nx.Random.%s gives the same numbers when a call comes again", (name, args) => {
    const [called, loops] = [Nx.Random[name], random[name]] as unknown as [Sampler, Sampler];
    Nx.withDefaultBackend("wasm", () => {
      for (let seed = 0; seed < 4; seed++) {
        const key = Nx.Random.key(seed);
        const [own, expected] = [called(key, ...args), loops(key, ...args)].map(
          (drawn) => [drawn].flat() as Nx.Tensor[],
        );
        expect(own!.map((t, i) => differenceOf(t, expected![i]!))).toEqual(own!.map(() => null));
      }
    });
  });

  it.each(all)("Nx.Random.%s is compiled no more from the third call on", (name, args) => {
    const called = Nx.Random[name] as unknown as Sampler;
    const operations = Nx.withDefaultBackend("wasm", () => {
      const key = Nx.Random.key(9);
      for (let i = 0; i < 2; i++) called(key, ...args);
      return Nx.profile(() => called(key, ...args)).rows.map(({ operation }) => operation);
    });
    expect(operations).not.toContain("trace and compile");
    expect(operations.length).toBeGreaterThan(0);
  });

  it.each(["poisson", "poissonSplit"] as const)(
    "Nx.Random.%s refuses a negative rate after one that fits, too",
    (name) => {
      Nx.withDefaultBackend("wasm", () => {
        const sample = Nx.Random[name] as unknown as Sampler;
        for (let seed = 0; seed < 3; seed++) sample(Nx.Random.key(seed), 2, { shape: [7] });
        expect(() => sample(Nx.Random.key(1), -2, { shape: [7] })).toThrow(
          `rate of Nx.Random.${name} must be a number of at least 0, got: -2`,
        );
      });
    },
  );
});
