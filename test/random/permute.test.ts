import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { KEYS, keyOf, numbersOf } from "./oracle";
import { chiSquare, countsOf } from "./statistics";

const { Random } = Nx;
const key = Random.key(1);
const list = (t: Nx.Tensor): unknown => Nx.toList(t);
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

describe("shuffle", () => {
  it("gives the documented values of Nx", () => {
    expect(list(Random.shuffle(Random.key(42), Nx.iota([3, 4], { axis: 0 }))[0])).toEqual([
      [2, 2, 2, 2],
      [0, 0, 0, 0],
      [1, 1, 1, 1],
    ]);
    const lines = Random.shuffle(Random.key(10), Nx.iota([3, 4], { axis: 1 }), { independent: true, axis: 1 });
    expect(list(lines[0])).toEqual([
      [2, 1, 3, 0],
      [3, 0, 1, 2],
      [2, 3, 0, 1],
    ]);
  });

  it("moves whole entries of any axis", () => {
    const shape = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(shape, fc.nat(), fc.nat(), (dims, seed, pick) => {
        const axis = pick % dims.length;
        const t = Nx.iota(dims, { type: "u8" });
        const [shuffled] = Random.shuffle(Random.key(seed), t, { axis });
        expect([shuffled.type, shuffled.shape]).toEqual(["u8", dims]);
        const entries = (x: Nx.Tensor) => {
          const rest = dims.map((_, i) => i).filter((i) => i !== axis);
          const rows = Nx.transpose(x, { axes: [axis, ...rest] });
          return (Nx.toList(rows) as unknown[]).map((row) => JSON.stringify(row)).sort();
        };
        expect(entries(shuffled)).toEqual(entries(t));
      }),
    );
  });

  it("moves elements along independent lines only", () => {
    const t = Nx.iota([50, 4], { names: ["x", "y"] });
    const [shuffled] = Random.shuffle(key, t, { axis: "x", independent: true });
    expect(shuffled.names).toEqual(["x", "y"]);
    const columns = (x: Nx.Tensor) => Nx.toList(Nx.transpose(x)) as number[][];
    expect(columns(shuffled).map(sorted)).toEqual(columns(t));
    const orders = columns(shuffled).map((column, i) => column.map((x) => x - i).join());
    expect(new Set(orders).size).toBe(4);
  });

  it("makes every order equally likely", () => {
    const orders = new Map<string, number>();
    let next: Nx.Tensor = Random.key(3);
    const lines = Random.shuffle(next, Nx.iota([6000, 4], { axis: 1, type: "u8" }), { axis: 1, independent: true });
    for (const line of Nx.toList(lines[0]) as number[][]) orders.set(line.join(), (orders.get(line.join()) ?? 0) + 1);
    expect(orders.size).toBe(24);
    expect(chiSquare([...orders.values()], new Array<number>(24).fill(250))).toBeLessThan(1);
    for (let i = 0; i < 300; i++) next = Random.shuffle(next, Nx.iota([2]))[1];
    const firsts = Array.from({ length: 300 }, (_, i) => {
      return numbersOf(Random.shuffle(Random.foldIn(next, i), Nx.iota([3]))[0])[0]!;
    });
    expect(chiSquare(countsOf(firsts, 3), [100, 100, 100])).toBeLessThan(1);
  });

  it("needs more rounds for more elements, and none for one", () => {
    const one = Random.shuffle(key, Nx.iota([1]));
    expect(one[1].equals(key)).toBe(true);
    expect(list(one[0])).toEqual([0]);
    const next = (k: Nx.Tensor) => Random.split(k).at(0);
    expect(Random.shuffle(key, Nx.iota([1625]))[1].equals(next(key))).toBe(true);
    expect(Random.shuffle(key, Nx.iota([1626]))[1].equals(next(next(key)))).toBe(true);
  });

  it("refuses wrong arguments", () => {
    expect(() => Random.shuffle(key, Nx.tensor(1))).toThrow(/a scalar has no axes/);
    expect(() => Random.shuffle(key, Nx.iota([2]), { axis: 1 })).toThrow(/given axis \(1\) invalid/);
    expect(() => Random.shuffle(key, Nx.iota([2]), { independent: 1 } as never)).toThrow(/must be true or false/);
    expect(() => Random.shuffle(key, Nx.iota([2]), { axs: [0] } as never)).toThrow(/did you mean "axis"/);
    expect(() => Random.shuffle(key, [1, 2] as never)).toThrow(/expects a tensor/);
  });
});

/** Runs `fn` where plain integers have a type of 32 or 64 bits. */
function withIntegers<R>(type: "s32" | "s64", fn: () => R): R {
  const before = Nx.configure({ defaultIntegerType: type });
  try {
    return fn();
  } finally {
    Nx.configure({ defaultIntegerType: before.defaultIntegerType });
  }
}

describe.each(KEYS)("choice with the key $key", (oracle) => {
  const k = keyOf(oracle);
  const { replaced, weights, weighted, once, weightedOnce } = oracle.choice;
  const drawn = (count: number, ...rest: [Nx.Random.ChoiceOptions] | [Nx.Tensor, Nx.Random.ChoiceOptions]) =>
    numbersOf((Random.choice as (...args: unknown[]) => Nx.Random.Drawn)(k, Nx.iota([count]), ...rest)[0]);

  it.each(replaced)("draws $type positions of $count entries with replacement", ({ type, count, positions }) => {
    expect(withIntegers(type, () => drawn(count, { samples: 6 }))).toEqual(positions);
    const traced = Nx.defn((x: Nx.Tensor) => Random.choice(x, Nx.iota([count]), { samples: 6 })[0]);
    expect(withIntegers(type, () => numbersOf(traced(k)))).toEqual(positions);
  });

  it("draws by probabilities", () => {
    const n = weights.length;
    expect(drawn(n, Nx.f32(weights), { samples: 9 })).toEqual(weighted.f32);
    expect(drawn(n, Nx.f64(weights), { samples: 9 })).toEqual(weighted.f64);
    expect(drawn(n, Nx.f64(weights), { samples: n, replace: false })).toEqual(weightedOnce);
  });

  it.each(once)("draws of $count entries without replacement", ({ count, positions }) => {
    expect(drawn(count, { samples: 6, replace: false })).toEqual(positions);
  });
});

describe("choice", () => {
  const table = Nx.iota([4, 3], { names: ["row", "column"] });
  const p = Nx.tensor([0.1, 0.7, 0.2]);

  it("gives the documented values of Nx", () => {
    const rows = (options: Nx.Random.ChoiceOptions) => list(Random.choice(key, Nx.iota([4, 3]), options)[0]);
    expect(rows({ samples: 4, axis: 0 })).toEqual([
      [6, 7, 8],
      [3, 4, 5],
      [6, 7, 8],
      [3, 4, 5],
    ]);
    expect(withIntegers("s32", () => rows({ samples: 4, axis: 0 }))).toEqual([
      [6, 7, 8],
      [9, 10, 11],
      [6, 7, 8],
      [0, 1, 2],
    ]);
    expect(rows({ samples: 4, axis: 0, replace: false })).toEqual([
      [3, 4, 5],
      [9, 10, 11],
      [6, 7, 8],
      [0, 1, 2],
    ]);
    const two = Random.key(2);
    expect(list(Random.choice(two, Nx.iota([3, 2]))[0])).toEqual([3]);
    expect(list(withIntegers("s32", () => Random.choice(two, Nx.iota([3, 2])))[0])).toEqual([4]);
    expect(list(Random.choice(two, Nx.iota([3, 2]), { samples: 6, replace: false })[0])).toEqual([2, 0, 4, 5, 1, 3]);
  });

  it("gives the documented values of Nx with probabilities", () => {
    const columns = (options: object) => list(Random.choice(key, Nx.iota([4, 3]), p, { axis: 1, ...options })[0]);
    expect(columns({ samples: 3 })).toEqual([
      [1, 0, 1],
      [4, 3, 4],
      [7, 6, 7],
      [10, 9, 10],
    ]);
    expect(columns({ samples: 3, replace: false })).toEqual([
      [1, 2, 0],
      [4, 5, 3],
      [7, 8, 6],
      [10, 11, 9],
    ]);
    const [two, six] = [Random.key(2), Nx.tensor([0.01, 0.1, 0.19, 0.6, 0.05, 0.05])];
    const t = Nx.iota([2, 3]);
    expect(list(Random.choice(two, t, six)[0])).toEqual([3]);
    expect(list(Random.choice(two, t, six, { samples: 6 })[0])).toEqual([3, 3, 3, 0, 3, 3]);
    expect(list(Random.choice(two, t, six, { samples: 6, replace: false })[0])).toEqual([3, 1, 2, 5, 4, 0]);
  });

  it("keeps names, but for a tensor taken as a vector", () => {
    expect(Random.choice(key, table, { axis: "column", samples: 7 })[0].shape).toEqual([4, 7]);
    expect(Random.choice(key, table, { axis: "column" })[0].names).toEqual(["row", "column"]);
    expect(Random.choice(key, table)[0].names).toEqual([null]);
  });

  it("takes an axis in place of its options, with further ones behind", () => {
    const drawn = Random.choice(key, table, { axis: "column", samples: 7 })[0];
    expect(Random.choice(key, table, "column", { samples: 7 })[0].equals(drawn)).toBe(true);
    expect(Random.choice(key, table, -1, { samples: 7 })[0].equals(drawn)).toBe(true);
    const weighted = Random.choice(key, table, p, { axis: 1, samples: 7 })[0];
    expect(Random.choice(key, table, p, "column", { samples: 7 })[0].equals(weighted)).toBe(true);
  });

  it("never draws twice without replacement", () => {
    const drawn = numbersOf(Random.choice(key, Nx.iota([100]), { samples: 60, replace: false })[0]);
    expect(new Set(drawn).size).toBe(60);
    const weights = Nx.add(Nx.iota([100], { type: "f64" }), 1);
    const weighted = numbersOf(Random.choice(key, Nx.iota([100]), weights, { samples: 60, replace: false })[0]);
    expect(new Set(weighted).size).toBe(60);
  });

  it("follows the probabilities", () => {
    const [weights, n] = [[1, 2, 3, 4], 8000];
    for (const type of ["f32", "f64", "s64"] as const) {
      const drawn = Random.choice(key, Nx.iota([4]), Nx.tensor(weights, { type }), { samples: n })[0];
      const expected = weights.map((w) => (w / 10) * n);
      expect(chiSquare(countsOf(numbersOf(drawn), 4), expected)).toBeLessThan(1);
    }
    const plain = Random.choice(key, Nx.iota([10]), { samples: n })[0];
    expect(chiSquare(countsOf(numbersOf(plain), 10), new Array<number>(10).fill(n / 10))).toBeLessThan(1);
  });

  it("never draws what has probability zero", () => {
    const weights = Nx.tensor([0, 0.5, 0, 0.5, 0]);
    const drawn = numbersOf(Random.choice(key, Nx.iota([5]), weights, { samples: 500 })[0]);
    expect(new Set(drawn)).toEqual(new Set([1, 3]));
    const all = numbersOf(Random.choice(key, Nx.iota([5]), weights, { samples: 5, replace: false })[0]);
    expect(new Set(all.slice(0, 2))).toEqual(new Set([1, 3]));
  });

  it("searches the sums as the naive way does", () => {
    const weights = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(weights, fc.nat(), (w, seed) => {
        fc.pre(w.some((x) => x > 0));
        const k = Random.key(seed);
        const u = Random.uniform(k, { shape: [30], type: "f64" })[0];
        const total = w.reduce((a, b) => a + b);
        const sums = w.map((_, i) => w.slice(0, i + 1).reduce((a, b) => a + b));
        const naive = numbersOf(u).map((x) =>
          Math.max(
            0,
            sums.findIndex((sum) => sum > total * (1 - x)),
          ),
        );
        const drawn = Random.choice(k, Nx.iota([w.length]), Nx.f64(w), { samples: 30 })[0];
        expect(numbersOf(drawn)).toEqual(naive);
      }),
    );
  });

  it.each([
    [() => Random.choice(key, Nx.tensor(1)), /at least one axis to draw from, got a scalar/],
    [() => Random.choice(key, table, { samples: 0 }), /samples of Nx.Random.choice must be an integer of at least 1/],
    [() => Random.choice(key, table, { samples: 5, axis: 0, replace: false }), /cannot draw 5 samples of 4 entries/],
    // @ts-expect-error there is no axis "rows"
    [() => Random.choice(key, table, { axis: "rows" }), /did you mean "row"/],
    [() => Random.choice(key, table, p), /must be a real vector of 12 elements, one for each entry, got: f32\[3\]/],
    [() => Random.choice(key, table, Nx.c64([1, 2, 3]), { axis: 1 }), /real vector of 3 elements/],
    [() => Random.choice(key, table, true as never, {}), /real vector of 12 elements.*got: true/],
    [
      () => Random.choice(key, table, "row", { axis: "row" } as never),
      /got axes twice, as "row" and as the option axis/,
    ],
    [() => Random.choice(key, table, null as never, {}), /expects a tensor/],
    [() => Random.choice(key, table, { samples: 2 ** 32 }), Nx.ArgumentError],
    [() => Random.choice(key, table, { replaces: false } as never), /did you mean "replace"/],
  ])("refuses wrong arguments (%#)", (call, message) => {
    expect(call).toThrow(Nx.ArgumentError);
    expect(call).toThrow(message as RegExp);
  });
});
