/** What is found, natively and as the composites: places of what is not zero, and distinct elements, by their definitions. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { nativeBlock } from "../../../lib/backends/binary/native";

const REALS = ["f64", "f32", "f16", "bf16", "s64", "u64", "s32", "s8", "u8"] as const;
const SMALLEST = { f64: 5e-324, f32: 2 ** -149, f16: 2 ** -24, bf16: 2 ** -133 };

const tensorOf = (values: readonly unknown[], type: Nx.DType, shape: readonly number[]): Nx.Tensor =>
  Nx.tensor(values as never, { type }).reshape(shape) as Nx.Tensor;

/** Zeros and others in turns that do not repeat, with the numbers of a type that are easily taken for zeros. */
function mixed(type: (typeof REALS)[number], count: number): (bigint | number)[] {
  const special =
    type in SMALLEST
      ? [-0, NaN, SMALLEST[type as keyof typeof SMALLEST], -Infinity]
      : type === "s64" || type === "u64"
        ? [2n ** 32n, 0n, 3n * 2n ** 40n]
        : [type === "u8" ? 255 : -128, 0, 1];
  return Array.from({ length: count }, (_, i) => (i % 7 < 3 ? 0 : special[(i * 5) % special.length]!));
}

const isSet = (value: unknown): boolean => Number(value) !== 0;

describe("places of what is not zero", () => {
  const check = (t: Nx.Tensor, values: readonly unknown[]): void => {
    const places = values.flatMap((value, i) => (isSet(value) ? [i] : []));
    const steps = t.shape.map((_, axis) => t.shape.slice(axis + 1).reduce((n, size) => n * size, 1));
    const rows = steps.map((step, axis) => places.map((place) => Math.floor(place / step) % t.shape[axis]!));
    const what = `${t.type} ${t.shape.join("x")}`;
    expect(
      Nx.nonzero(t).map((row) => row.toNumbers()),
      what,
    ).toEqual(rows);
    const more = places.length + 3;
    for (const size of [Math.ceil(places.length / 2), places.length, more]) {
      const filled = rows.map((row) => Array.from({ length: size }, (_, i) => row[i] ?? -1));
      const found = (x: Nx.Tensor): Nx.Tensor => Nx.stack(Nx.nonzero(x, { size, fill: -1 }));
      expect(Nx.toNumbers(Nx.defn(found)(t)), `compiled ${what}`).toEqual(filled.flat());
      // of each entry for itself, which no backend does natively
      const each = Nx.toNumbers(Nx.Defn.vmap(found)(Nx.newAxis(t, 0)));
      expect(each, `composite ${what}`).toEqual(filled.flat());
    }
    const flat = t.flatten();
    expect(Nx.compress(flat, flat).toBinary(), what).toEqual(Nx.take(flat, Nx.tensor(places)).toBinary());
  };

  it.each(REALS)("of %s", (type) => {
    for (const shape of [[30], [5, 6], [2, 3, 5], [3, 1, 10], [30, 1]])
      check(tensorOf(mixed(type, 30), type, shape), mixed(type, 30));
  });

  it("of more numbers than are taken at once", () => {
    for (const type of ["f32", "u8"] as const) check(tensorOf(mixed(type, 2600), type, [26, 100]), mixed(type, 2600));
  });

  it("of rows of which many are zero", () => {
    const values = Array.from({ length: 600 }, (_, i) => Number(i % 97 === 96));
    check(tensorOf(values, "s32", [100, 2, 3]), values);
  });

  it("of complex numbers", () => {
    const t = Nx.c64([new Nx.Complex(0, 0), new Nx.Complex(0, 1), new Nx.Complex(2, 0), new Nx.Complex(-0, 0)]);
    expect(Nx.nonzero(t)[0]!.toNumbers()).toEqual([1, 2]);
    const out = { type: "s64", shape: [2], names: [null] } as const;
    expect(nativeBlock("nonzero")!(out, [t], {}, undefined as never)).toBe(null);
  });
});

describe("distinct elements", () => {
  const check = (values: readonly (bigint | number)[], type: Nx.DType): void => {
    const t = tensorOf(values, type, [values.length]);
    const kept = t.toNumbers() as number[];
    const distinct: number[] = [];
    for (const value of kept)
      if (!distinct.some((other) => other === value || (other !== other && value !== value))) distinct.push(value);
    distinct.sort((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b));
    const numberOf = (value: number): number =>
      distinct.findIndex((other) => other === value || (other !== other && value !== value));
    const inverse = kept.map(numberOf);
    const size = distinct.length;
    const found = Nx.unique(t);
    const compiled = Nx.defn((x: Nx.Tensor) => ({ ...Nx.unique(x, { size }) }))(t);
    const each = Nx.Defn.vmap((x: Nx.Tensor) => ({ ...Nx.unique(x, { size }) }))(Nx.newAxis(t, 0) as Nx.Tensor);
    const composite = {
      values: Nx.squeeze(each.values, { axes: [0] }),
      inverse: Nx.squeeze(each.inverse, { axes: [0] }),
      counts: Nx.squeeze(each.counts, { axes: [0] }),
    };
    for (const [how, one] of Object.entries({ found, compiled, composite })) {
      expect(
        (one.values.toNumbers() as number[]).map((value) => value + 0),
        `${how} ${type}`,
      ).toEqual(distinct.map((value) => value + 0));
      expect(one.inverse.toNumbers(), `${how} ${type}`).toEqual(inverse);
      expect(one.counts.toNumbers(), `${how} ${type}`).toEqual(
        distinct.map((_, n) => inverse.filter((m) => m === n).length),
      );
    }
  };

  it.each(REALS)("of %s", (type) => {
    check(mixed(type, 1), type);
    check(mixed(type, 30), type);
    check(
      Array.from({ length: 90 }, (_, i) => (i * 37) % 101),
      type,
    );
  });

  it("of integers that doubles do not hold", () => {
    const values = [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n, -(2n ** 60n)];
    const { values: found, inverse, counts } = Nx.unique(Nx.tensor(values, { type: "s64" }));
    expect(found.toList()).toEqual([-(2n ** 60n), 2n ** 53n, 2n ** 53n + 1n]);
    expect([inverse.toList(), counts.toList()]).toEqual([
      [1, 2, 1, 0],
      [1, 2, 1],
    ]);
  });
});

describe("distinct entries of an axis", () => {
  type Found = Readonly<Record<"values" | "inverse" | "counts", Nx.Tensor>>;

  /** Which of two numbers is in front, NaN last; 0 for the same. */
  const compared = (a: number, b: number): number =>
    a === b || (Number.isNaN(a) && Number.isNaN(b)) ? 0 : Number.isNaN(a) || a > b ? 1 : -1;
  const rowsCompared = (a: readonly number[], b: readonly number[]): number =>
    a.map((x, i) => compared(x, b[i]!)).find((sign) => sign !== 0) ?? 0;

  const check = (t: Nx.Tensor, axis: number): void => {
    const rows = (x: Nx.Tensor): number[][] =>
      [...Nx.moveAxis(x, axis, 0)].map((row) => (row.flatten().toNumbers() as number[]).map((value) => value + 0));
    const all = rows(t);
    const distinct = all
      .toSorted(rowsCompared)
      .filter((row, i, sorted) => i === 0 || rowsCompared(sorted[i - 1]!, row) !== 0);
    const inverse = all.map((row) => distinct.findIndex((other) => rowsCompared(row, other) === 0));
    const size = distinct.length;
    const found = (x: Nx.Tensor): Found => ({ ...Nx.unique(x, axis, { size }) });
    const one = Nx.Defn.vmap(found)(t.newAxis(0));
    const each = { values: one.values.at(0), inverse: one.inverse.at(0), counts: one.counts.at(0) };
    const ways: Record<string, Found> = { eager: Nx.unique(t, { axis }), compiled: Nx.defn(found)(t), each };
    for (const [how, { values, inverse: numbers, counts }] of Object.entries(ways)) {
      const what = `${how} ${t.type} ${t.shape.join("x")} along ${axis}`;
      expect(rows(values), what).toEqual(distinct);
      expect(values.type).toBe(t.type);
      expect(numbers.toNumbers(), what).toEqual(inverse);
      expect(counts.toNumbers(), what).toEqual(distinct.map((_, n) => inverse.filter((m) => m === n).length));
    }
  };

  it.each(REALS)("of %s", (type) => {
    const along = (axis: number, ...shape: number[]): void => {
      const count = shape.reduce((n, size) => n * size, 1);
      check(tensorOf(mixed(type, count), type, shape), axis);
    };
    along(0, 30, 3);
    along(1, 3, 30);
    along(1, 3, 5, 4);
    along(0, 40);
    along(0, 1, 6);
    check(Nx.Random.randintSplit(Nx.Random.key(1), 0, 3, { shape: [60, 3] }).asType(type), 0);
  });

  it("of more entries than have products of 32 bits", () => {
    const t = Nx.stack([Nx.iota([2 ** 16 + 8]).remainder(2 ** 16 + 4), Nx.iota([2 ** 16 + 8]).remainder(4)], {
      axis: 1,
    });
    const { counts, values } = Nx.unique(t, { axis: 0 });
    expect([counts.size, counts.reduceMax().item()]).toEqual([2 ** 16 + 4, 2]);
    expect(values.equals(t.at(Nx.range(0, 2 ** 16 + 4)))).toBe(true);
  });

  it("with names, filled up or cut off", () => {
    const t = Nx.tensor([[2, 1], [0, 5], [2, 1]], { names: ["row", "column"] }); // prettier-ignore
    const { values, inverse, counts } = Nx.unique(t, "row", { name: "kind", size: 3 });
    expect([values.names, inverse.names, counts.names]).toEqual([["kind", "column"], ["row"], ["kind"]]);
    expect(values.toList()).toEqual([[0, 5], [2, 1], [0, 5]]); // prettier-ignore
    expect(counts.toList()).toEqual([1, 2, 0]);
    expect(Nx.unique(t, { axis: 0, size: 3, fill: 7 }).values.toList()).toEqual([[0, 5], [2, 1], [7, 7]]); // prettier-ignore
    const cut = Nx.unique(t, { axis: 0, size: 1 });
    expect([cut.values.toList(), cut.inverse.toList(), cut.counts.toList()]).toEqual([[[0, 5]], [1, 0, 1], [1]]);
    expect(Nx.unique(t, { axis: "row" }).values.names).toEqual(["row", "column"]);
    expect(() => Nx.unique(t, { axis: 2 as 0 })).toThrow("Nx.unique: given axis (2) invalid");
  });
});
