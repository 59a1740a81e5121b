/** Everything that draws with a key gives the same inside defn. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { numbersOf } from "./oracle";

const { Random } = Nx;
const table = Nx.iota([4, 3], { names: ["row", "column"] });
const p = Nx.tensor([0.1, 0.2, 0.3, 0.4]);

const CASES: Record<string, (key: Nx.Tensor) => Nx.Tensor | Nx.Random.Drawn> = {
  split: (key) => Random.split(key, { parts: 3 }),
  foldIn: (key) => Random.foldIn(key, Nx.iota([3], { names: ["step"] })),
  uniform: (key) => Random.uniform(key, -1, 3, { shape: [5], names: ["x"] }),
  "uniform f64": (key) => Random.uniform(key, { shape: [2, 3], type: "f64" }),
  "uniform c64": (key) => Random.uniform(key, { shape: [2], type: "c64", names: ["x"] }),
  "normal bf16": (key) => Random.normal(key, { shape: [5], type: "bf16" }),
  normal: (key) => Random.normal(key, Nx.tensor([1, 2], { names: ["x"] }), 0.5),
  gumbel: (key) => Random.gumbel(key, { shape: [3] }),
  randint: (key) => Random.randint(key, -5, 5, { shape: [7] }),
  "randint of tensors": (key) => Random.randint(key, 0, Nx.s32([10, 100]), { type: "s16" }),
  shuffle: (key) => Random.shuffle(key, table, { axis: "column" }),
  "shuffle independent": (key) => Random.shuffle(key, table, { independent: true }),
  choice: (key) => Random.choice(key, table, { samples: 5, axis: "row" }),
  "choice without replacement": (key) => Random.choice(key, table, { samples: 5, replace: false }),
  "choice with probabilities": (key) => Random.choice(key, table, p, { samples: 9, axis: 0 }),
  "choice with both": (key) => Random.choice(key, table, p, { samples: 3, axis: 0, replace: false }),
};

describe("inside defn", () => {
  it.each(Object.entries(CASES))("%s", (_name, draw) => {
    const key = Random.key(99);
    const eager = [draw(key)].flat();
    const traced = [Nx.defn(draw as (key: Nx.Tensor) => Nx.Tensor[])(key)].flat();
    expect(traced.length).toBe(eager.length);
    traced.forEach((t, i) => expect(t.equals(eager[i]), String(t)).toBe(true));
  });

  it("a key may be made of a seed that is an argument", () => {
    const draw = Nx.defn((seed: Nx.Tensor) => Random.uniform(Random.key(seed), { shape: [3] })[0]);
    expect(draw(Nx.tensor(7)).equals(Random.uniform(Random.key(7), { shape: [3] })[0])).toBe(true);
    expect(draw(Nx.tensor(8)).equals(draw(Nx.tensor(7)))).toBe(false);
  });

  it("the key may come in as an argument of one shape and be passed on", () => {
    const twice = Nx.defn((key: Nx.Tensor) => {
      const [a, next] = Random.normal(key, { shape: [2] });
      const [b] = Random.normal(next, { shape: [2] });
      return [a, b] as const;
    });
    const [a, b] = twice(Random.key(1));
    expect(numbersOf(a)).not.toEqual(numbersOf(b));
  });
});

describe("keys as a batch", () => {
  const keys = Random.split(Random.key(1), { parts: 3 });

  it.each(["uniform f64", "normal bf16", "randint", "choice", "choice with both", "shuffle independent"])(
    "%s gives for each what it gives for one",
    (name) => {
      const draw = (key: Nx.Tensor): Nx.Tensor => [CASES[name]!(key)].flat()[0]!;
      const together = Nx.Defn.vmap(draw)(keys);
      [0, 1, 2].forEach((i) => expect(together.at(i).equals(draw(keys.at(i))), `key ${i}`).toBe(true));
    },
  );
});

describe("gradients", () => {
  const key = Random.key(5);

  it("flow to the parameters of a normal sample", () => {
    const loss = (mean: Nx.Tensor) => Nx.sum(Random.normalSplit(key, mean, 2, { shape: [10] }));
    expect(Nx.toNumber(Nx.Defn.grad(loss)(Nx.f32(3)))).toBe(10);
    const spread = (std: Nx.Tensor) => Nx.sum(Random.normalSplit(key, 1, std, { shape: [10] }));
    const standard = Nx.toNumber(Nx.sum(Random.normalSplit(key, { shape: [10] })));
    expect(Nx.toNumber(Nx.Defn.grad(spread)(Nx.f32(3)))).toBeCloseTo(Number(standard), 4);
  });

  it("flow to the bounds of a uniform sample", () => {
    const loss = (max: Nx.Tensor) => Nx.mean(Random.uniformSplit(key, 0, max, { shape: [10] }));
    const unit = Nx.toNumber(Nx.mean(Random.uniformSplit(key, { shape: [10] })));
    expect(Nx.toNumber(Nx.Defn.grad(loss)(Nx.f32(3)))).toBeCloseTo(Number(unit), 6);
  });
});
