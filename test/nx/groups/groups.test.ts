/** Groups, windows and blocks of entries: each result is the function of its name, of the entries that belong together. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { differenceOf } from "../../fuzz/compare";

type Op = "all" | "any" | "first" | "kurtosis" | "last" | "logSumExp" | "max" | "mean" | "median" | "min" | "mode" | "product" | "skewness" | "standardDeviation" | "sum" | "variance"; // prettier-ignore
type Skip = { readonly nan?: Nx.NanPolicy };

const over = { axes: [0] };
/** The first or the last row, or in each column the first or last element that is not NaN. */
function end(t: Nx.Tensor, nan: Skip, which: 0 | -1): Nx.Tensor {
  if (nan.nan !== "skip") return t.at(which);
  const lines = t.shape.length === 1 ? [t] : Nx.unstack(t, { axis: 1 });
  const found = lines.map((line) => line.toFlatList().filter((x) => !Number.isNaN(x)).at(which) ?? NaN); // prettier-ignore
  const ends = Nx.tensor(found as number[], { type: t.type });
  return t.shape.length === 1 ? ends.at(0) : ends;
}

const FUNCTIONS: Readonly<Record<Op, (t: Nx.Tensor, nan: Skip) => Nx.Tensor>> = {
  all: (t, nan) => Nx.all(t, { ...over, ...nan }),
  any: (t, nan) => Nx.any(t, { ...over, ...nan }),
  first: (t, nan) => end(t, nan, 0),
  kurtosis: (t, nan) => Nx.kurtosis(t, { ...over, ...nan }),
  last: (t, nan) => end(t, nan, -1),
  logSumExp: (t, nan) => Nx.logSumExp(t, { ...over, ...nan }),
  max: (t, nan) => Nx.reduceMax(t, { ...over, ...nan }),
  mean: (t, nan) => Nx.mean(t, { ...over, ...nan }),
  median: (t, nan) => Nx.median(t, { axis: 0, ...nan }),
  min: (t, nan) => Nx.reduceMin(t, { ...over, ...nan }),
  mode: (t, nan) => Nx.mode(t, { axis: 0, ...nan }),
  product: (t, nan) => Nx.product(t, { ...over, ...nan }),
  skewness: (t, nan) => Nx.skewness(t, { ...over, ...nan }),
  standardDeviation: (t, nan) => Nx.standardDeviation(t, { ...over, ...nan }),
  sum: (t, nan) => Nx.sum(t, { ...over, ...nan }),
  variance: (t, nan) => Nx.variance(t, { ...over, ...nan }),
};
const OPS = Object.entries(FUNCTIONS) as [Op, (typeof FUNCTIONS)[Op]][];
const skip: Skip = { nan: "skip" };

const data = [
  [1.5, -2, NaN], [0, 4, 2], [3.25, NaN, -1], [3.25, 7, 0.5], [NaN, NaN, 8], [-6, 0.125, 2], [2, -0.5, NaN], [5, 1, -3],
]; // prettier-ignore
const labels = [2, 0, 2, 1, 3, 0, 1, 2];
const NAMES = ["day", "station"];
const entries = (type: Nx.DType = "f64"): Nx.Tensor => Nx.tensor(data, { type, names: NAMES });
const whole = Nx.tensor(data.map((row) => row.map((x) => (Number.isNaN(x) ? 3 : Math.round(x)))), { names: NAMES, type: "s32" }); // prettier-ignore
const rowsOf = (t: Nx.Tensor, places: readonly number[]): Nx.Tensor => Nx.take(t, Nx.tensor([...places]));
const of = (label: number): number[] => labels.flatMap((own, i) => (own === label ? [i] : []));

/** The same up to a few units in the last place, since sums take another order. */
function expectClose(actual: Nx.Tensor, expected: Nx.Tensor, rtol = 1e-14): void {
  expect(actual.shape).toEqual(expected.shape);
  const close = Nx.allClose(actual, expected, { rtol, atol: 1e-15, equalNan: true });
  expect(close.toNumber(), `${String(actual)} for ${String(expected)}`).toBe(1);
}

describe("groupBy", () => {
  it.each(OPS)("%s is that of the entries of each group", (op, fn) => {
    for (const [t, nan] of [
      [entries(), {}],
      [entries(), skip],
      [whole, {}],
    ] as const) {
      const groups = t.groupBy("day", Nx.tensor(labels));
      const result = groups[op](nan);
      expect(result.names).toEqual(["group", "station"]);
      groups.keys.forEach((label, i) => expectClose(result.at(i), fn(rowsOf(t, of(label as number)), nan)));
      expect(result.type).toBe(op === "median" ? Nx.mean(t).type : fn(t, nan).type);
    }
  });

  it.each(OPS)("%s along another axis, of labels in a list, by half floats", (op, fn) => {
    const t = entries("f16").transpose();
    const result = t.groupBy("day", labels.map((label) => `no ${label}`), { name: "no" })[op](skip); // prettier-ignore
    expect(result.names).toEqual(["station", "no"]);
    for (let i = 0; i < 4; i++) expectClose(result.transpose().at(i), fn(rowsOf(entries("f16"), of(i)), skip), 1e-3);
  });

  it.each(OPS)("%s is the same compiled and on every backend", (op) => {
    for (const type of ["f32", "f64"] as const) {
      const call = (t: Nx.Tensor): Nx.Tensor => t.groupBy("day", Nx.tensor(labels), { groups: 5 })[op](skip);
      const expected = call(Nx.backendCopy(entries(type), "binary"));
      for (const backend of ["binary", "wasm"] as const) {
        const t = Nx.backendCopy(entries(type), backend);
        expect(differenceOf(call(t), expected)).toBeNull();
        expect(differenceOf(Nx.defn(call)(t), expected)).toBeNull();
      }
    }
  });

  it("says which groups there are, of all that were asked for or of those that occur", () => {
    const t = Nx.f32([1, 2, 3], { names: ["x"] });
    expect(t.groupBy("x", ["b", "a", "b"]).keys).toEqual(["a", "b"]);
    expect(t.groupBy("x", [10, 9, 10]).keys).toEqual([9, 10]);
    expect(t.groupBy("x", Nx.s64([10, -9, 10])).keys).toEqual([-9, 10]);
    const months = t.groupBy("x", ["b", "a", "b"], { groups: ["b", "c", "a"] });
    expect([months.sum(), months.mean(), months.max(), months.count(), months.median()].map((r) => r.toList())).toEqual(
      [[4, 0, 2], [2, NaN, 2], [3, NaN, 2], [2, 0, 1], [2, NaN, 2]], // prettier-ignore
    );
    expect([...months].map(([key, part]) => [key, part.toList()])).toEqual([["b", [1, 3]], ["a", [2]]]); // prettier-ignore
    expect(months.expand(months.mean()).toList()).toEqual([2, 2, 2]);
    expect(months.expand(months.mean()).names).toEqual(["x"]);
  });

  it("has quantiles and counts as NumPy has them of each group", () => {
    const groups = entries().groupBy("day", labels);
    const quantiles = groups.quantile(0.3, skip);
    groups.keys.forEach((label, i) =>
      expectClose(quantiles.at(i), Nx.quantile(rowsOf(entries(), of(label as number)), 0.3, { axis: 0, ...skip })),
    );
    expect(groups.count(skip).toList()).toEqual([[2, 2, 2], [2, 2, 1], [3, 2, 2], [0, 0, 1]]); // prettier-ignore
    expect(
      groups
        .variance({ ...skip, ddof: 1 })
        .at(1)
        .toList(),
    ).toEqual([0.78125, 28.125, NaN]);
    const few = Nx.f64([1, 5, 2]).groupBy(0, ["a", "a", "b"]);
    expect([few.variance({ ddof: 3 }).toList(), few.standardDeviation({ ddof: 2 }).toList()]).toEqual([[NaN, NaN], [NaN, NaN]]); // prettier-ignore
  });

  it.each([{}, skip])("has the places of extremes along the axis of entries, %j", (nan) => {
    const t = Nx.concatenate([entries(), entries()], { axis: "day" }); // every extreme is there twice
    const twice = [...labels, ...labels];
    for (const op of ["argmax", "argmin"] as const) {
      for (const tieBreak of ["low", "high"] as const) {
        const result = t.groupBy("day", twice)[op]({ ...nan, tieBreak });
        expect([result.type, result.names]).toEqual(["s64", ["group", "station"]]);
        for (let label = 0; label < 4; label++) {
          const own = twice.flatMap((other, i) => (other === label ? [i] : []));
          const places = Nx[op](rowsOf(t, own), { axis: 0, ...nan, tieBreak }).toList() as number[];
          expect(result.at(label).toList()).toEqual(places.map((place) => own[place] ?? -1));
        }
      }
    }
    expect(whole.transpose().groupBy("day", labels).argmax().at(2).toList()).toEqual([1, 6, 0, 4]);
  });

  it("has percentiles and means with weights", () => {
    const groups = entries().groupBy("day", labels);
    expectClose(groups.percentile(30, skip), groups.quantile(0.3, skip));
    const weights = Nx.f64([1, 2, 0.5, 3, 1, 4, 0, 2]);
    for (const nan of [{}, skip]) {
      const result = groups.weightedMean(weights, nan);
      for (let i = 0; i < 4; i++) {
        expectClose(
          result.at(i),
          Nx.weightedMean(rowsOf(entries(), of(i)), rowsOf(weights, of(i)), { axes: [0], ...nan }),
        );
      }
      expectClose(groups.weightedMean(Nx.broadcast(weights.reshape([8, 1]), [8, 3]), nan), result);
    }
    expect(whole.groupBy("day", labels).weightedMean(weights).type).toBe("f64");
    expect(whole.groupBy("day", labels).weightedMean(Nx.iota([8])).type).toBe("f32");
  });

  it("has the first and the last of complex numbers", () => {
    const t = Nx.tensor([new Nx.Complex(1, 2), new Nx.Complex(NaN, 0), new Nx.Complex(0, -1)], { type: "c64" });
    const groups = t.groupBy(0, ["a", "b", "b"], { name: null });
    expect(differenceOf(groups.first(), Nx.take(t, Nx.tensor([0, 1])))).toBeNull();
    expect(differenceOf(groups.last(), Nx.take(t, Nx.tensor([0, 2])))).toBeNull();
    expect(differenceOf(groups.first(skip), Nx.take(t, Nx.tensor([0, 2])))).toBeNull();
  });

  it("makes an axis of each of several lists of labels", () => {
    const t = Nx.iota([2, 6], { names: ["station", "day"] });
    const [years, months] = [[2, 1, 2, 1, 2, 2], ["b", "b", "a", "b", "b", "a"]]; // prettier-ignore
    const table = t.groupBy("day", [years, months], { names: ["year", "month"] });
    expect(table.keys).toEqual([[1, 2], ["a", "b"]]); // prettier-ignore
    expect([table.size, table.numbers.toList()]).toEqual([4, [3, 1, 2, 1, 3, 2]]);
    const sums = table.sum();
    expect(sums.names).toEqual(["station", "year", "month"]);
    expect(sums.at(0).toList()).toEqual([[0, 4], [7, 4]]); // prettier-ignore
    expect(table.argmax().at(0).toList()).toEqual([[-1, 3], [5, 4]]); // prettier-ignore
    expect(table.expand(sums).at(0).toList()).toEqual([4, 4, 7, 4, 4, 7]);
    expect([...table].map(([key, part]) => [key, part.at(0).toList()])).toEqual(
      [[[1, "b"], [1, 3]], [[2, "a"], [2, 5]], [[2, "b"], [0, 4]]], // prettier-ignore
    );
    const asked = t.groupBy("day", [Nx.tensor(years), months], { groups: [3, ["b", "a"]] });
    expect([asked.sum().names, asked.keys]).toEqual([["station", null, null], [[0, 1, 2], ["b", "a"]]]); // prettier-ignore
    expect(asked.sum().at(0).toList()).toEqual([[0, 0], [4, 0], [4, 7]]); // prettier-ignore
    const compiled = Nx.defn((x: Nx.Tensor, l: Nx.Tensor) => x.groupBy(1, [l, l], { groups: [3, 3] }).mean());
    const both = Nx.tensor(years);
    expect(differenceOf(compiled(t, both), t.groupBy(1, [both, both], { groups: [3, 3] }).mean())).toBeNull();
  });

  it.each<[string, () => unknown]>([
    ["option groups of Nx.groupBy expects a list with the groups of each of 2 lists of labels, got: 3", () => Nx.groupBy(Nx.iota([2]), 0, [[1, 2], [1, 2]], { groups: 3 })],
    ["expects a label for each of 2 entries along axis 0 of shape [2], got 3 labels", () => Nx.groupBy(Nx.iota([2]), 0, [[1, 2], [1, 2, 3]])],
    ["invalid names [\"a\"] for tensor of rank 2", () => Nx.groupBy(Nx.iota([2]), 0, [[1, 2], [1, 2]], { names: ["a"] })],
    ["expand of Nx.groupBy expects a tensor with 2 by 2 groups along the axes 0 to 1, got shape [4]", () => Nx.groupBy(Nx.iota([2]), 0, [[1, 2], [1, 2]]).expand(Nx.iota([4]))],
    ["weightedMean of Nx.groupBy expects weights of the shape [day: 2] of the tensor, or one for each of 2 entries along axis 0, got shape [station: 2]", () => Nx.groupBy(Nx.iota([2], { names: ["day"] }), 0, [1, 2]).weightedMean(Nx.iota([2], { names: ["station"] }))],
    ["weightedMean of Nx.groupBy expects weights of the shape [2] of the tensor, or one for each of 2 entries along axis 0, got shape [3]", () => Nx.groupBy(Nx.iota([2]), 0, [1, 2]).weightedMean(Nx.iota([3]))],
    ["percentile of Nx.groupBy expects a share from 0 to 100, got: 101", () => Nx.groupBy(Nx.iota([2]), 0, [1, 2]).percentile(101)],
    ["option tieBreak of argmax of Nx.groupBy must be one of \"low\", \"high\", got: \"first\"", () => Nx.groupBy(Nx.iota([2]), 0, [1, 2]).argmax({ tieBreak: "first" as "low" })],
    ["the label \"c\" is not among the groups [\"a\", \"b\"]", () => Nx.groupBy(Nx.iota([2]), 0, ["a", "c"], { groups: ["a", "b"] })],
    ["expects a label for each of 2 entries along axis 0 of shape [2][3], got labels s64[3]", () => Nx.groupBy(Nx.iota([2, 3]), 0, Nx.iota([3]))],
    ["expects labels of an integer type, got f32[2]; Nx.digitize makes numbers of bins of real numbers", () => Nx.groupBy(Nx.iota([2]), 0, Nx.f32([1, 2]))],
    ["option groups of Nx.groupBy expects the number of groups or a list of different labels, got: [\"a\", \"a\"]", () => Nx.groupBy(Nx.iota([2]), 0, ["a", "a"], { groups: ["a", "a"] })],
    ["expects labels that are strings or numbers, got: NaN", () => Nx.groupBy(Nx.iota([2]), 0, [1, NaN])],
    ["expects labels that are strings or numbers, got: undefined", () => Nx.groupBy(Nx.iota([2]), 0, new Array<number>(2))],
    ["duplicate names [\"y\", \"y\"]", () => Nx.groupBy(Nx.iota([2, 2], { names: ["x", "y"] }), "x", [1, 2], { name: "y" })],
    ["in a compiled function needs the option groups", () => Nx.defn((l: Nx.Tensor) => Nx.groupBy(Nx.iota([2]), 0, l).sum())(Nx.iota([2]))],
    ["unknown option \"ddof\" for mean of Nx.groupBy", () => Nx.groupBy(Nx.iota([2]), 0, [1, 2]).mean({ ddof: 1 } as never)],
    ["quantile of Nx.groupBy expects a share from 0 to 1, got: 50", () => Nx.groupBy(Nx.iota([2]), 0, [1, 2]).quantile(50)],
    ["expand of Nx.groupBy expects a tensor with 2 groups along axis 0, got shape [3]", () => Nx.groupBy(Nx.iota([2]), 0, [1, 2]).expand(Nx.iota([3]))],
  ])("refuses: %s", (text, call) => expect(call).toThrow(text)); // prettier-ignore
});

describe("groups without entries", () => {
  it("have what a reduction of nothing gives", () => {
    const groups = Nx.f64([1, 0]).groupBy(0, ["a", "b"], { groups: ["a", "b", "c"] });
    const lists = ["all", "any", "sum", "product", "count"] as const;
    expect(lists.map((op) => groups[op]().toFlatList())).toEqual([[1, 0, 1], [1, 0, 0], [1, 0, 0], [1, 0, 1], [1, 1, 0]]); // prettier-ignore
    const unknown = ["mean", "max", "min", "variance", "standardDeviation", "median", "first", "last", "mode", "skewness"] as const; // prettier-ignore
    for (const op of unknown) expect(groups[op]().toFlatList()[2], op).toBeNaN();
    expect([groups.argmax().toList(), groups.logSumExp().toList()]).toEqual([[0, 1, -1], [1, 0, -Infinity]]); // prettier-ignore
    const whole = Nx.tensor([1, 0]).groupBy(0, ["a", "b"], { groups: ["a", "b", "c"] });
    expect([whole.first().toList(), whole.mode().toList()]).toEqual([[1, 0, 0], [1, 0, 0]]); // prettier-ignore
  });
});

describe("segments", () => {
  it.each([
    ["segmentMax", "max"],
    ["segmentMin", "min"],
    ["segmentProduct", "product"],
    ["segmentSum", "sum"],
    ["segmentMean", "mean"],
  ] as const)("%s", (name, op) => {
    // prettier-ignore
    for (const t of [entries(), entries("bf16"), whole, whole.asType("u8"), whole.asType("s64")]) {
      const result = Nx[name](t, Nx.tensor(labels), 4, { name: "group" });
      const close = t.type === "bf16" ? 1e-2 : 1e-14;
      for (let i = 0; i < 4; i++) expectClose(result.at(i), FUNCTIONS[op](rowsOf(t, of(i)), {}), close);
      expect(result.type).toBe(FUNCTIONS[op](t, {}).type);
    }
    expect(() => Nx[name](whole, Nx.tensor([...labels.slice(1), 9]), 4)).toThrow(/index 9 is out of bounds/);
  });

  it.each([
    [1, 1],
    [5, 9],
    [130, 1],
    [700, 3],
    [3000, 40],
    [900, 800],
  ])("multiply groups of all sizes, %i entries in %i groups, in traces as well", (n, groups) => {
    const own = Array.from({ length: n }, (_, i) => Math.floor((((i * 7919) % 101) / 101) ** 2 * groups));
    const values = Array.from({ length: n }, (_, i) => ((i * i) % 7) + 2 + (i % 3) / 4);
    const [t, numbers] = [Nx.f64(values), Nx.tensor(own)];
    const exact = Array.from({ length: groups }, () => 1n);
    own.forEach((group, i) => (exact[group] = BigInt.asIntN(64, exact[group]! * BigInt(Math.floor(values[i]!)))));
    const whole = Nx.segmentProduct(t.floor().asType("s64"), numbers, groups);
    expect((whole.toFlatList() as (bigint | number)[]).map(BigInt)).toEqual(exact);
    const logs = Nx.segmentSum(t.log(), numbers, groups);
    const small = Nx.segmentProduct(t.pow(1 / 16), numbers, groups);
    expectClose(small.log(), logs.divide(16), 1e-12);
    const compiled = Nx.defn((x: Nx.Tensor, l: Nx.Tensor) => Nx.segmentProduct(x, l, groups));
    for (const x of [t, Nx.stack([t, t.add(1)], { axis: 1 })]) {
      expect(differenceOf(compiled(x, numbers), Nx.segmentProduct(x, numbers, groups))).toBeNull();
    }
  });

  it("of none have what changes nothing", () => {
    const call = (t: Nx.Tensor, name: "segmentMax" | "segmentMin" | "segmentProduct"): unknown => Nx[name](t, Nx.tensor([0]), 2).at(1).toNumber(); // prettier-ignore
    expect([call(Nx.f16([1]), "segmentMax"), call(Nx.s8([1]), "segmentMax"), call(Nx.u64([1]), "segmentMin")]).toEqual([-Infinity, -128, 2n ** 64n - 1n]); // prettier-ignore
    expect([call(Nx.f32([1]), "segmentMin"), call(Nx.c64([1]), "segmentProduct")]).toEqual([Infinity, new Nx.Complex(1, 0)]); // prettier-ignore
  });

  it("have the gradients of what they choose, and products of zeros those of the others", () => {
    const gradient = (name: "segmentMax" | "segmentMin" | "segmentProduct", values: number[]): unknown =>
      Nx.grad((x: Nx.Tensor) => Nx[name](x, Nx.tensor([0, 1, 0, 0]), 2).sum())(Nx.f64(values)).toList();
    expect(gradient("segmentMax", [1, 2, 5, 3])).toEqual([0, 1, 1, 0]);
    expect(gradient("segmentMin", [1, 2, 5, 3])).toEqual([1, 1, 0, 0]);
    expect(gradient("segmentProduct", [2, 7, 0, 5])).toEqual([0, 1, 10, 0]);
  });
});

/** The elements of the window of an entry. */
const windowOf = (i: number, size: number, behind: number): number[] =>
  Array.from({ length: size }, (_, k) => i + behind - size + 1 + k).filter((k) => k >= 0 && k < data.length);

describe("rolling", () => {
  it.each(OPS)("%s is that of the elements of each window that are not NaN, if they are enough", (op, fn) => {
    for (const [size, least, center] of [
      [3, 3, false],
      [4, 1, false],
      [3, 2, true],
      [4, 2, true],
      [1, 1, false],
    ] as const) {
      // prettier-ignore
      const result = entries().rolling("day", size, { minPeriods: least, center })[op]();
      expect(result.names).toEqual(NAMES);
      data.forEach((row, i) => {
        row.forEach((_, column) => {
          const places = windowOf(i, size, center ? Math.floor((size - 1) / 2) : 0);
          const left = places.map((k) => data[k]![column]!).filter((x) => !Number.isNaN(x));
          const expected = left.length < least ? NaN : Number(fn(Nx.f64(left), {}).toNumber());
          const actual = result.at(i, column).toNumber() as number;
          if (!Object.is(actual, expected)) expect(actual).toBeCloseTo(expected, 12);
        });
      });
    }
  });

  // pandas.Series([1, 2, nan, 4, 5]).rolling(2, min_periods=1).std() and .sum(), of its documentation's kind
  it("has the edges of pandas", () => {
    const t = Nx.f64([1, 2, NaN, 4, 5]);
    expect(t.rolling(0, 2).sum().toList()).toEqual([NaN, 3, NaN, NaN, 9]);
    expect(t.rolling(0, 2, { minPeriods: 1 }).sum().toList()).toEqual([1, 3, 2, 4, 9]);
    expect(t.rolling(0, 2, { minPeriods: 1 }).variance({ ddof: 1 }).toList()).toEqual([NaN, 0.5, NaN, NaN, 0.5]);
    expect(t.rolling(0, 3, { minPeriods: 1, center: true }).count().toList()).toEqual([2, 2, 2, 2, 2]);
    expect(Nx.iota([4]).rolling(0, 2).mean().type).toBe("f32");
    expect(Nx.iota([4]).rolling(0, 2).max().toList()).toEqual([NaN, 1, 2, 3]);
  });

  it("has deviations of half floats whose squares leave their type", () => {
    const deviations = (list: number[]) => Nx.f16(list).rolling(0, 2).standardDeviation().toList();
    expect(deviations([100, 900, 300])).toEqual([NaN, 400, 300]);
    expect(deviations([0, 2 ** -12, 0])).toEqual([NaN, 2 ** -13, 2 ** -13]);
  });

  it("is the same compiled and on every backend, and differentiable", () => {
    for (const [op] of OPS) {
      const call = (t: Nx.Tensor): Nx.Tensor => t.rolling("day", 3, { minPeriods: 1 })[op]();
      const expected = call(Nx.backendCopy(entries("f32"), "binary"));
      for (const backend of ["binary", "wasm"] as const) {
        const t = Nx.backendCopy(entries("f32"), backend);
        expect(differenceOf(call(t), expected)).toBeNull();
        expect(differenceOf(Nx.defn(call)(t), expected)).toBeNull();
      }
    }
    const gradient = Nx.grad((x: Nx.Tensor) => Nx.where(Nx.isNan(x), 0, x.rolling(0, 2, { minPeriods: 1 }).mean()).sum())(Nx.f64([1, 2, NaN, 4])); // prettier-ignore
    expect(gradient.toList()).toEqual([1.5, 0.5, 0, 1]);
  });

  it.each<[string, () => unknown]>([
    ["option minPeriods of Nx.rolling must be at most the size of a window (2), got: 3", () => Nx.rolling(Nx.iota([4]), 0, 2, { minPeriods: 3 })],
    ["Nx.rolling expects a number of entries from 1 to the 4 of axis 0 of shape [x: 4], got: 1.5", () => Nx.rolling(Nx.iota([4], { names: ["x"] }), "x", 1.5)],
    ["Nx.rolling: no axis named \"y\"", () => Nx.rolling(Nx.iota([4], { names: ["x"] }), "y" as never, 2)],
    ["sum of Nx.rolling takes no option nan", () => Nx.rolling(Nx.iota([4]), 0, 2).sum({ nan: "skip" })],
    ["Nx.rolling is not defined for complex tensors", () => Nx.rolling(Nx.c64([1, 2]), 0, 2)],
  ])("refuses: %s", (text, call) => expect(call).toThrow(text)); // prettier-ignore
});

describe("resample", () => {
  it.each(OPS)("%s is that of each block", (op, fn) => {
    for (const [t, nan] of [
      [entries(), {}],
      [entries(), skip],
      [whole, {}],
    ] as const) {
      const result = t.resample("day", 3, { boundary: "trim" })[op](nan);
      expect(result.names).toEqual(NAMES);
      for (let i = 0; i < 2; i++)
        expectClose(
          result.at(i),
          fn(
            rowsOf(
              t,
              [0, 1, 2].map((k) => 3 * i + k),
            ),
            nan,
          ),
        );
      expect(result.shape[0]).toBe(2);
    }
  });

  it("counts, and takes axes that are not the first", () => {
    expect(entries().transpose().resample("day", 4).count(skip).toList()).toEqual([[4, 3], [3, 3], [3, 3]]); // prettier-ignore
    expect(whole.resample("station", 3).count().toList()).toEqual(Array(8).fill([3]));
  });
});

describe("what is found", () => {
  const numbers = [3, -1, 3, 0, 7, -1, 3];

  it.each(["s64", "u8", "f32", "bf16"] as const)("unique elements of %s", (type) => {
    const values = type === "u8" ? numbers.map(Math.abs) : numbers;
    const t = Nx.tensor(values, { type });
    const found = Nx.unique(t);
    const expected = [...new Set(values)].sort((a, b) => a - b);
    expect(found.values.toList()).toEqual(expected);
    expect(found.values.type).toBe(type);
    expect(found.inverse.toList()).toEqual(values.map((value) => expected.indexOf(value)));
    expect(found.counts.toList()).toEqual(expected.map((value) => values.filter((other) => other === value).length));
    for (const size of [2, 4, 9]) {
      const { values: first, counts } = Nx.defn((x: Nx.Tensor) => ({ ...Nx.unique(x, { size }) }))(t);
      const filled = Array.from({ length: size }, (_, i) => expected[i] ?? expected[0]);
      expect(first.toList()).toEqual(filled);
      expect(counts.toList()).toEqual(filled.map((_, i) => found.counts.toList()[i] ?? 0));
    }
  });

  it("unique counts all NaN as one value, the last, and zeros of both signs as one", () => {
    const { values, inverse, counts } = Nx.unique(Nx.f32([NaN, 0, -0, NaN, 2]));
    expect(values.toList()).toEqual([expect.closeTo(0), 2, NaN]);
    expect([inverse.toList(), counts.toList()]).toEqual([[2, 0, 0, 2, 1], [2, 1, 2]]); // prettier-ignore
    expect(Nx.unique(5).values.toList()).toEqual([5]);
  });

  it.each(["s8", "u16", "s32", "u64"] as const)(
    "unique elements of integers that lie close together, of %s",
    (type) => {
      const [low, shift] = { s8: [-128, 25], u16: [65500, 3], s32: [-2147483648, 40], u64: [9007199254740000, 90] }[
        type
      ]!;
      const values = Array.from({ length: 17_000 }, (_, i) => low! + ((i * i) % 11) * Math.floor(shift! / 3));
      const found = Nx.unique(Nx.tensor(values, { type }));
      const sorted = Nx.unique(Nx.tensor(values, { type }), { size: found.values.size });
      for (const part of ["values", "inverse", "counts"] as const) {
        expect(differenceOf(found[part], sorted[part]), part).toBeNull();
      }
      expect(found.values.toList()).toEqual([...new Set(values)].sort((a, b) => a - b));
    },
  );

  it("places and elements by masks", () => {
    const t = Nx.tensor([[[0, 2], [NaN, 0]], [[0, 0], [-1, 5]]]); // prettier-ignore
    const places = [[0, 0, 1], [0, 1, 0], [1, 1, 0], [1, 1, 1]]; // prettier-ignore
    expect(Nx.argwhere(t).toList()).toEqual(places);
    expect(Nx.nonzero(t).map((axis) => axis.toList())).toEqual([0, 1, 2].map((i) => places.map((place) => place[i])));
    expect(Nx.compress(t, Nx.notEqual(t, 0)).toList()).toEqual([2, NaN, -1, 5]);
    const compiled = Nx.defn((x: Nx.Tensor) => Nx.argwhere(x, { size: 5, fill: 9 }))(t);
    expect(compiled.toList()).toEqual([...places, [9, 9, 9]]);
    expect(Nx.compress(t, Nx.notEqual(t, 0), { size: 2 }).toList()).toEqual([2, NaN]);
    expect(Nx.compress(Nx.iota([2, 3]), Nx.tensor([0, 1, 1]), { axis: -1, size: 3, fill: -7 }).toList()).toEqual([[1, 2, -7], [4, 5, -7]]); // prettier-ignore
  });

  it("gradients of compress are where elements are picked", () => {
    const gradient = Nx.grad((x: Nx.Tensor) =>
      Nx.compress(x, Nx.tensor([1, 0, 1]), { size: 3 })
        .pow(2)
        .sum(),
    );
    expect(gradient(Nx.f64([2, 3, 5])).toList()).toEqual([4, 0, 10]);
  });

  it.each<[string, () => unknown]>([
    ["Nx.argwhere found nothing in s64[2], and a tensor has at least one element: give the option size", () => Nx.argwhere(Nx.tensor([0, 0]))],
    ["Nx.compress in a compiled function needs the option size", () => Nx.defn((x: Nx.Tensor) => Nx.compress(x, x))(Nx.iota([3]))],
    ["option size of Nx.unique must be a positive integer, got: 0", () => Nx.unique(Nx.iota([3]), { size: 0 })],
    ["option fill of Nx.unique must be a number that the type u8 of the result holds, from 0 to 255, got: -1", () => Nx.unique(Nx.u8([3]), { size: 2, fill: -1 })],
    ["option fill of Nx.unique must be a number that the type u8 of the result holds, from 0 to 255, got: 256", () => Nx.unique(Nx.u8([3]), { size: 2, fill: 256 })],
    ["option fill of Nx.compress must be a number that the type s64 of the result holds, from -9223372036854775808 to 9223372036854775807, got: 0.5", () => Nx.compress(Nx.iota([3]), Nx.tensor([1, 0, 0]), { size: 2, fill: 0.5 })],
    ["option fill of Nx.argwhere must be a number that the type s64", () => Nx.argwhere(Nx.iota([3]), { size: 4, fill: NaN })],
    ["option fill of Nx.unique must be a number, got: \"a\"", () => Nx.unique(Nx.iota([3]), { size: 1, fill: "a" as never })],
    ["Nx.compress expects a mask of shape [3], got shape [2]", () => Nx.compress(Nx.iota([2, 3]), Nx.iota([2]), { axis: 1 })],
    ["Nx.unique is not defined for complex tensors", () => Nx.unique(Nx.c64([1]))],
  ])("refuses: %s", (text, call) => expect(call).toThrow(text)); // prettier-ignore
});

describe("histogram of bins of one width", () => {
  it("has a range of finite elements", () => {
    const [counts, edges] = Nx.histogram(Nx.f64([1, NaN, 2, Infinity, 4, -Infinity]), { bins: 3 });
    expect([counts.toFlatList(), edges.toFlatList()]).toEqual([
      [1, 1, 1],
      [1, 2, 3, 4],
    ]);
  });

  it("has the places of binary search among its edges", () => {
    for (let seed = 1; seed < 40; seed++) {
      const x = Nx.Random.normal(Nx.Random.key(seed), { shape: [500], type: "f64" });
      const t = Nx.round(Nx.multiply(Array.isArray(x) ? x[0]! : x, seed)).divide(seed % 7 || 1);
      const [counts, edges] = Nx.histogram(t, { bins: 3 * seed });
      expect(counts.toList()).toEqual(Nx.histogram(t, { bins: edges })[0].toList());
    }
  });
});

describe("histogram over axes", () => {
  const t = Nx.Random.normal(Nx.Random.key(3), 0, 2, { shape: [3, 4, 50], names: ["a", "b", "c"], type: "f64" })[0];

  it("has for each place that is left the counts of its own elements", () => {
    const CASES: readonly [axes: string[], kept: string[]][] = [[["c"], ["a", "b"]], [["a", "c"], ["b"]], [["b"], ["a", "c"]], [["c", "b", "a"], []]];
    for (const [axes, kept] of CASES) {
      for (const bins of [5, Nx.f64([-3, -1, 0, 0.5, 9])]) {
        for (const density of [false, true]) {
          const options = { bins, density, ...(typeof bins === "number" && { range: [-2, 3] as const }) };
          const [counts, edges] = Nx.histogram(t as Nx.Tensor, { ...options, axes, name: "bin" });
          expect(counts.names).toEqual([...kept, "bin"]);
          expect(edges.equals(Nx.histogram(t, options)[1])).toBe(true);
          const rows = Nx.transpose(t as Nx.Tensor, { axes: [...kept, ...axes] });
          const places = kept.map((name) => t.shape[t.names.indexOf(name as "a")]!);
          const flat = rows.reshape([places.reduce((x, y) => x * y, 1), -1]);
          const own = [...flat].map((row) => Nx.histogram(row as Nx.Tensor, options)[0]);
          expect(Nx.toBinary(counts)).toEqual(Nx.toBinary(Nx.stack(own)));
        }
      }
    }
  });

  it("sums weights, keeps one range for all, and compiles", () => {
    const weights = Nx.iota([3, 4, 50], { type: "f32" });
    const [counts, edges] = Nx.histogram(t, { axes: ["c"], bins: 3, weights });
    expect(edges.equals(Nx.histogram(t, { bins: 3 })[1])).toBe(true);
    expect(counts.sum({ axes: [-1] }).reshape([3, 4]).toList()).toEqual(weights.sum({ axes: [2] }).toList());
    const compiled = Nx.defn((x: typeof t) => Nx.histogram(x, { axes: ["a"], bins: 3, name: "bin" })[0]);
    const names: readonly ["b", "c", "bin"] = compiled(t).names;
    expect(names).toEqual(["b", "c", "bin"]);
    expect(compiled(t).equals(Nx.histogram(t, { axes: ["a"], bins: 3, name: "bin" })[0])).toBe(true);
  });

  it("refuses a name that is left, and axes that are not there", () => {
    expect(() => Nx.histogram(t, { axes: ["a"], name: "b" })).toThrow(/Nx\.histogram: .*"b"/);
    expect(() => Nx.histogram(t as Nx.Tensor, { axes: ["z"] })).toThrow('Nx.histogram: no axis named "z"');
    expect(Nx.histogram(t, { axes: ["a"], bins: 2, name: "a" })[0].names).toEqual(["b", "c", "a"]);
  });
}); // prettier-ignore

describe("vectors that have to ascend", () => {
  // numpy.searchsorted([1, nan, nan], [nan, 2], side)
  it("have NaN last, which are equal to each other", () => {
    const line = Nx.f64([1, NaN, NaN]);
    expect(Nx.searchsorted(line, Nx.f64([NaN, 2])).toList()).toEqual([1, 1]);
    expect(Nx.searchsorted(line, Nx.f64([NaN, 2]), { side: "right" }).toList()).toEqual([3, 1]);
  });

  const falling = Nx.f64([1, 4, 4, 3, 5]);
  const CALLS: readonly (readonly [string, string, (line: Nx.Tensor) => unknown])[] = [
    ["Nx.searchsorted", "a sorted vector", (line) => Nx.searchsorted(line, 2)],
    ["Nx.digitize", "edges", (line) => Nx.digitize(2, line)],
    ["Nx.interp", "places of points", (line) => Nx.interp(2, line, Nx.iota([line.size]))],
    ["Nx.histogram", "edges", (line) => Nx.histogram(2, { bins: line })],
  ];

  it.each(CALLS)("are checked by %s, but not in compiled functions", (name, what, call) => {
    const text = `${name} expects ${what} in ascending order, got 3 behind 4 (place 3); Nx.sort puts them in order`;
    for (const line of [falling, falling.asType("s32"), falling.asType("s64"), Nx.backendCopy(falling, "binary")]) {
      expect(() => call(line)).toThrow(text);
      expect(() => call(line), "a second time").toThrow(text);
    }
    expect(() => call(Nx.f32([NaN, 1]))).toThrow("got 1 behind NaN (place 1)");
    for (const line of [Nx.f32([1, 1, 2, NaN]), Nx.u64([1, 2]), Nx.f64([3])]) if (line.size > 1) call(line);
    expect(() => Nx.defn((line: Nx.Tensor) => (call(line), line))(falling)).not.toThrow();
    expect(() => Nx.Defn.vmap((line: Nx.Tensor) => (call(line), line))(Nx.stack([falling, falling]))).not.toThrow();
  });
});

describe("labels of entries", () => {
  type Labelled = (t: Nx.Tensor, labels: Nx.Tensor) => Nx.Tensor;
  const LABELLED: Readonly<Record<string, Labelled>> = {
    groupBy: (t, own) => Nx.groupBy(t, 0, own).sum(),
    "groupBy of several lists": (t, own) => Nx.groupBy(t, 0, [labels, own]).sum(),
    "groupBy with groups": (t, own) => Nx.groupBy(t, 0, own, { groups: 4 }).sum(),
    "groupBy, compiled": (t, own) => Nx.defn((x: Nx.Tensor, l: Nx.Tensor) => Nx.groupBy(x, 0, l, { groups: 4 }).sum())(t, own),
    weightedMean: (t, own) => Nx.groupBy(t, 0, labels).weightedMean(own),
    segmentSum: (t, own) => Nx.segmentSum(t, own, 4),
    segmentMean: (t, own) => Nx.segmentMean(t, own, 4),
    segmentMax: (t, own) => Nx.segmentMax(t, own, 4),
    segmentMin: (t, own) => Nx.segmentMin(t, own, 4),
    segmentProduct: (t, own) => Nx.segmentProduct(t, own, 4),
  }; // prettier-ignore

  it.each(Object.entries(LABELLED))("lie along the axis of the entries, which both may name: %s", (_, call) => {
    const labelled = (own: Nx.Name, name: Nx.Name): Nx.Tensor =>
      call(whole.rename([own, null]), Nx.tensor(labels, { names: [name] }));
    const plain = labelled(null, null);
    for (const [own, name] of [
      ["day", "day"],
      ["day", null],
      [null, "day"],
    ] as const) {
      // prettier-ignore
      expect(differenceOf(labelled(own, name).rename(plain.names), plain)).toBeNull();
    }
    expect(() => labelled("day", "station")).toThrow(/"?day.*station/);
  });
});
