/** Reductions block by block against those of the library in memory. */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import { createZarr, type ZarrArray, type ZarrType } from "nx-numerics/zarr";
import { describe, expect, it } from "vitest";
import { watched } from "./stores";

type Reducer = "sum" | "mean" | "variance" | "standardDeviation" | "reduceMax" | "reduceMin";
type AnyReducer = (options: object) => Promise<Nx.Tensor>;

/** How far results may be from those in memory, relative to the largest: one rounding more, in the type of the result. */
const EPSILON: Readonly<Record<string, number>> = { f16: 2 ** -10, bf16: 2 ** -7, f32: 2 ** -22, f64: 2 ** -48 };

async function stored(t: Nx.Tensor, chunks: readonly number[]): Promise<ZarrArray> {
  const array = await createZarr(new Map<string, Uint8Array>(), t, { chunks, codecs: "none" });
  await array.write(t);
  return array;
}

const reduced = (array: ZarrArray, name: Reducer, options: object): Promise<Nx.Tensor> =>
  (array[name] as AnyReducer).call(array, options);

function expectAlike(got: Nx.Tensor, wanted: Nx.Tensor): void {
  expect([got.type, got.shape, got.names]).toEqual([wanted.type, wanted.shape, wanted.names]);
  const bound = EPSILON[got.type] ?? 0;
  const [values, expected] = [Nx.toFlatList(got).map(Number), Nx.toFlatList(wanted).map(Number)];
  const largest = Math.max(...expected.map(Math.abs).filter(Number.isFinite), 1e-300);
  values.forEach((value, i) => {
    if (Number.isFinite(expected[i])) expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(bound * largest);
    else expect(value).toBe(expected[i]);
  });
}

/** Edges of a histogram in memory are a tensor. */
function inMemory({ bins, ...rest }: { bins?: number | readonly number[] }): Nx.HistogramOptions {
  return bins === undefined ? rest : { ...rest, bins: typeof bins === "number" ? bins : Nx.tensor([...bins]) };
}

const cases = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 3 })
  .chain((axes) => {
    const size = axes.reduce((all, [length]) => all * length, 1);
    return fc.record({
      shape: fc.constant(axes.map(([length]) => length)),
      chunks: fc.constant(axes.map(([, chunk]) => chunk)),
      type: fc.constantFrom<ZarrType>("u8", "s32", "s64", "u64", "f16", "bf16", "f32", "f64"),
      values: fc.array(
        fc.oneof(
          { weight: 9, arbitrary: fc.integer({ min: 0, max: 100 }) },
          { weight: 2, arbitrary: fc.constantFrom(NaN, Infinity) },
        ),
        {
          minLength: size,
          maxLength: size,
        },
      ),
      axes: fc.option(fc.subarray(axes.map((_, axis) => axis)), { nil: undefined }),
      keepAxes: fc.boolean(),
      nan: fc.constantFrom("skip", "propagate"),
      ahead: fc.integer({ min: 1, max: 3 }),
    });
  });

describe("reductions of blocks", () => {
  it.each<Reducer>(["sum", "mean", "variance", "standardDeviation", "reduceMax", "reduceMin"])(
    "%s is that of the tensor, whatever the chunks, axes and NaN",
    async (name) => {
      await fc.assert(
        fc.asyncProperty(cases, async ({ shape, chunks, type, values, axes, keepAxes, nan, ahead }) => {
          const known = /f/.test(type) ? values : values.map((value) => (Number.isFinite(value) ? value : 7));
          const names = ["a", "b", "c"].slice(0, shape.length);
          const t = Nx.reshape(Nx.tensor(known, { type }), shape, { names });
          const options = { ...(axes && { axes }), keepAxes, nan };
          const wanted = (Nx[name] as (t: Nx.Tensor, o: object) => Nx.Tensor)(t, options);
          expectAlike(await reduced(await stored(t, chunks), name, { ...options, ahead }), wanted);
        }),
        { numRuns: 60 },
      );
    },
  );

  it("has variances of large numbers beside blocks where all is missing", async () => {
    for (const elements of [
      [NaN, NaN, 1e200, 1e200],
      [1e200, 1e200, NaN, NaN],
    ]) {
      const like = Nx.template([4], "f64");
      const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [2] });
      await array.write(Nx.f64(elements));
      expect((await array.variance({ nan: "skip" })).toNumber()).toBe(0);
    }
  });

  it("refuses functions that return promises", async () => {
    const array = await createZarr(new Map<string, Uint8Array>(), Nx.template([4], "f64"), { chunks: [2] });
    await expect(
      array.reduce(
        async (block) => block.sum(),
        async (a) => a,
      ),
    ).rejects.toThrow("the function of a block must return its result at once, and returned a promise");
  });

  it("keep what large numbers differ by", async () => {
    const values = Array.from({ length: 1000 }, (_, i) => 1e9 + (i % 7) / 8);
    const t = Nx.f64(values, { names: ["x"] });
    const array = await stored(t, [37]);
    expectAlike(await array.variance(), t.variance());
    expectAlike(await array.variance({ ddof: 1 }), t.variance({ ddof: 1 }));
  });

  it("sum floats in double precision and round once", async () => {
    const tenth = Nx.broadcast(Nx.f32(0.1), [100_000]);
    expect(Nx.toNumber(await (await stored(tenth, [999])).sum())).toBe(10_000);
    expect(Nx.toNumber(await (await stored(Nx.asType(tenth, "f16"), [999])).mean())).toBeCloseTo(0.1, 4);
  });

  it("count in 64 bits, modulo 2^64, exactly", async () => {
    const t = Nx.tensor([2n ** 62n, 2n ** 62n + 1n, 2n ** 62n, 2n ** 62n], { type: "s64" });
    expect((await (await stored(t, [1])).sum()).equals(t.sum())).toBe(true);
    expect((await (await stored(t, [3])).reduceMax()).equals(t.reduceMax())).toBe(true);
  });

  it("histogram over axes has the counts of the tensor, whatever the chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        cases,
        fc.constantFrom<object>({ bins: 4 }, { bins: 3, range: [0, 50] }, { bins: [0, 7, 20, 100] }),
        fc.boolean(),
        async ({ shape, chunks, type, values, axes, ahead }, bins, density) => {
          const known = /f/.test(type) ? values : values.map((value) => (Number.isFinite(value) ? value : 7));
          const t = Nx.reshape(Nx.tensor(known, { type }), shape, { names: ["a", "b", "c"].slice(0, shape.length) });
          const options = { ...(axes && { axes }), density, name: "bin" };
          const wanted = Nx.histogram(t as Nx.Tensor, { ...inMemory(bins), ...options } as Nx.HistogramOptions);
          const found = await (await stored(t, chunks)).histogram({ ...bins, ...options, ahead });
          wanted.forEach((tensor, i) => {
            expect([found[i]!.type, found[i]!.shape, found[i]!.names]).toEqual([tensor.type, tensor.shape, tensor.names]);
            expect(Nx.toBinary(found[i]!)).toEqual(Nx.toBinary(tensor));
          });
        },
      ),
      { numRuns: 80 },
    );
  }); // prettier-ignore

  it.each([
    { bins: 5 },
    { bins: 3, range: [10, 50] },
    { bins: [0, 1, 30, 100] },
    { bins: 4, density: true },
    {},
  ] as const)("histogram has the counts of the tensor with %j", async (options) => {
    const t = Nx.Random.uniform(Nx.Random.key(3), 0, 60, { shape: [17, 11] })[0];
    const holes = Nx.where(Nx.greater(t, 58), NaN, t);
    const [counts, edges] = await (await stored(holes, [4, 4])).histogram(options);
    const [wanted, borders] = Nx.histogram(holes, inMemory(options));
    expect([counts.equals(wanted), edges.equals(borders)]).toEqual([true, true]);
  });

  it.each([
    { of: "equal elements", values: [3, 3, NaN] },
    { of: "equal elements to which half a unit is nothing", values: [1e17, 1e17] },
    { of: "no finite elements", values: [NaN, Infinity] },
    { of: "missing elements alone", values: [NaN, NaN] },
  ])("histogram of $of is that of the tensor", async ({ values }) => {
    const t = Nx.f32(values);
    const array = await stored(t, [1]);
    for (const bins of [{}, { bins: 2 }, { bins: 2, range: [0, 4] as const }, { bins: [0, 3, 5] }]) {
      for (const density of [false, true]) {
        const found = await array.histogram({ ...bins, density });
        Nx.histogram(t, { ...inMemory(bins), density }).forEach((wanted, i) => {
          expect(found[i]!.type).toBe(wanted.type);
          expect(found[i]!.toFlatList()).toEqual(wanted.toFlatList());
        });
      }
    }
  });

  it.each(["f32", "s32", "f16"] as const)("keep what large numbers of 32 bits differ by, of type %s", async (type) => {
    const exponents = fc.integer({ min: 4, max: type === "f16" ? 10 : 20 });
    const offsets = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 6, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(exponents, offsets, async (exponent, steps) => {
        const base = 2 ** exponent;
        const t = Nx.tensor(steps.map((step) => base + step), { type }); // prettier-ignore
        const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
        const exact = steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / steps.length;
        const found = (await (await stored(t, [5])).variance()).item();
        expect(Math.abs(found - exact)).toBeLessThanOrEqual((type === "f16" ? 2 ** -11 : 2 ** -23) * exact);
      }),
      { numRuns: 60 },
    );
  });

  it("share no bytes with the store", async () => {
    const entries = new Map<string, Uint8Array>();
    const t = Nx.s32(Array.from({ length: 8192 }, (_, i) => i));
    const array = await createZarr(entries, Nx.reshape(t, [1, 8192], { names: ["a", "b"] }), { chunks: [1, 8192], codecs: "none" });
    await array.write(Nx.reshape(t, [1, 8192]));
    const results = await Promise.all([
      array.reduceMax({ axes: ["a"] }),
      array.reduceMin({ axes: [] }),
      array.sum({ axes: ["a"] }),
      array.read({ a: 0 }),
      array.reduce((block) => block, Nx.add),
    ]);
    const lists = results.map((result) => result.toFlatList());
    for (const bytes of entries.values()) bytes.fill(1);
    expect(results.map((result) => result.toFlatList())).toEqual(lists);
  }); // prettier-ignore

  it("are refused for axes, options and ddof that do not fit", async () => {
    const array = await stored(Nx.iota([4, 2], { names: ["time", "x"] }), [2, 2]);
    const wrong = (options: unknown) => array.mean(options as never);
    await expect(async () => wrong({ axes: ["tiem"] })).rejects.toThrow(
      'no axis "tiem" in s64[time: 4 by 2][x: 2]: the axes are "time", "x"; did you mean "time"?',
    );
    await expect(async () => wrong({ axes: [0, "time"] })).rejects.toThrow(
      'ZarrArray.mean: axis "time" is given more than once',
    );
    await expect(async () => wrong({ axes: [2] })).rejects.toThrow("no axis 2");
    await expect(async () => wrong({ nan: "omit" })).rejects.toThrow(
      'option nan of ZarrArray.mean must be one of "propagate", "skip"',
    );
    await expect(async () => wrong({ keepaxes: true })).rejects.toThrow(
      'unknown option "keepaxes" for ZarrArray.mean; did you mean "keepAxes"?',
    );
    await expect(async () => wrong({ workers: [] })).rejects.toThrow(
      "option workers of ZarrArray.mean must be a list of workers",
    );
    await expect(async () => array.variance({ axes: ["x"], ddof: 2 })).rejects.toThrow(
      "must be less than the number of elements reduced (2), got: 2",
    );
  });

  it("read each chunk once, a bounded number at a time", async () => {
    const store = watched();
    const t = Nx.iota([12, 12], { type: "f32", names: ["a", "b"] });
    const array = await createZarr(store, t, { chunks: [2, 3] });
    await array.write(t);
    for (const ahead of [1, 2, 5]) {
      store.reads.length = 0;
      await array.mean({ axes: ["b"], ahead });
      expect(new Set(store.reads).size).toBe(24);
      expect(store.reads).toHaveLength(24);
    }
    expect(store.most()).toBeLessThanOrEqual(5);
  });
});

describe("reduce", () => {
  it("joins in the order of the blocks, however they come", async () => {
    const store = watched(new Map(), { onGet: () => new Promise((resolve) => setTimeout(resolve, Math.random() * 5)) });
    const t = Nx.iota([10]);
    const array = await createZarr(store, t, { chunks: [1] });
    await array.write(t);
    const order = await array.reduce(
      (block) => [Nx.toNumber(block.at(0))],
      (left, right) => [...left, ...right],
      { ahead: 4 },
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("gives blocks back, unless they are what is wanted", async () => {
    const array = await stored(Nx.iota([4], { type: "f32" }), [2]);
    const blocks: Nx.Tensor[] = [];
    await array.reduce((block) => (blocks.push(block), Nx.sum(block)), Nx.add);
    expect(() => Nx.toFlatList(blocks[0]!)).toThrow("released");
    const all = await array.reduce(
      (block) => block,
      (left, right) => Nx.concatenate([left, right]),
    );
    expect(Nx.toFlatList(all)).toEqual([0, 1, 2, 3]);
  });

  it("rejects with what its functions throw", async () => {
    const array = await stored(Nx.iota([4]), [2]);
    const fail = (): Nx.Tensor => { throw new Error("mine"); }; // prettier-ignore
    await expect(array.reduce(fail, Nx.add)).rejects.toThrow("mine");
    await expect(array.reduce((block) => block, fail)).rejects.toThrow("mine");
    await expect(array.reduce((block) => block, undefined as never)).rejects.toThrow(
      "expects a function that joins two results",
    );
  });
});
