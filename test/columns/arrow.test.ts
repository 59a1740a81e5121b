/** Columns of Arrow's own tables: types, memory that is shared, nulls, batches and lists. */
import * as arrow from "apache-arrow";
import fc from "fast-check";
import * as Nx from "nx-numerics";
import { fromArrow } from "nx-numerics/columns";
import { describe, expect, it } from "vitest";

const column = (type: arrow.DataType, values: readonly unknown[]): arrow.Table =>
  new arrow.Table({ x: arrow.vectorFromArray(values, type) });

const numbers = (t: Nx.Tensor): number[] => Nx.toFlatList(t).map(Number);

const TYPES = [
  ["u8", new arrow.Uint8(), 7],
  ["u16", new arrow.Uint16(), 7],
  ["u32", new arrow.Uint32(), 7],
  ["u64", new arrow.Uint64(), 7n],
  ["s8", new arrow.Int8(), -7],
  ["s16", new arrow.Int16(), -7],
  ["s32", new arrow.Int32(), -7],
  ["s64", new arrow.Int64(), -7n],
  ["f16", new arrow.Float16(), 1.5],
  ["f32", new arrow.Float32(), 1.5],
  ["f64", new arrow.Float64(), 1.5],
  ["u8", new arrow.Bool(), true],
  ["s32", new arrow.DateDay(), 86_400_000 * 3],
  ["s64", new arrow.TimestampMillisecond(), 5],
  ["s64", new arrow.DurationMicrosecond(), 5n],
  ["s32", new arrow.TimeSecond(), 5],
] as const;

describe("fromArrow", () => {
  it.each(TYPES)("makes %s of %s", (type, arrowType, value) => {
    const { x } = fromArrow(column(arrowType, [value, value]), { columns: ["x"] });
    expect(x.type).toBe(type);
    const expected = arrowType instanceof arrow.DateDay ? 3 : Number(value);
    expect(numbers(x)).toEqual([expected, expected]);
  });

  it("reads the memory of the table, also that of a file", () => {
    const table = arrow.tableFromIPC(
      arrow.tableToIPC(arrow.tableFromArrays({ x: Float64Array.from({ length: 1000 }, (_, i) => i) })),
    );
    const { x } = fromArrow(table, { columns: ["x"], axis: "row" });
    expect([x.names, x.shape]).toEqual([["row"], [1000]]);
    const before = Nx.toNumber(x.sum());
    (table.getChild("x")!.data[0]!.values as Float64Array)[0] = 500; // nobody may; here it shows whose memory it is
    expect(Nx.toNumber(x.at(0))).toBe(500);
    expect(before).toBe(499_500);
  });

  it("has what the table has, for any values, nulls, batches and slices", () => {
    const value = fc.option(fc.integer({ min: -100, max: 100 }), { nil: null, freq: 4 });
    fc.assert(
      fc.property(
        fc.array(fc.array(value, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(new arrow.Int32(), new arrow.Float64(), new arrow.Bool()),
        fc.nat(10),
        (batches, type, skip) => {
          const vectors = batches.map((values) =>
            arrow.vectorFromArray(
              values.map((v) => (v !== null && type instanceof arrow.Bool ? v > 0 : v)),
              type,
            ),
          );
          const whole = vectors.map((x) => new arrow.Table({ x })).reduce((a, b) => a.concat(b));
          const table = whole.slice(Math.min(skip, whole.numRows - 1));
          const wanted = [...table.getChild("x")!].map((v: unknown) => (v === null ? NaN : Number(v)));
          expect(numbers(fromArrow(table)["x"]!)).toEqual(wanted);
          const { columns, missing } = fromArrow(table, { nulls: "mask" });
          expect(numbers(columns["x"]!)).toEqual(wanted.map((v) => (Number.isNaN(v) ? 0 : v)));
          const holes = wanted.map((v) => (Number.isNaN(v) ? 1 : 0));
          if (missing["x"] === undefined) expect(holes).not.toContain(1);
          else expect(numbers(missing["x"])).toEqual(holes);
        },
      ),
    );
  });

  it("makes axes of lists of one length, nulls and slices among them", () => {
    const inner = new arrow.FixedSizeList(2, new arrow.Field("item", new arrow.Float32(), true));
    const table = column(inner, [[1, 2], [3, null], null, [7, 8]]);
    const { x } = fromArrow(table, { columns: ["x"], axis: "row" });
    expect([x.shape, x.names]).toEqual([
      [4, 2],
      ["row", null],
    ]);
    expect(numbers(x)).toEqual([1, 2, 3, NaN, NaN, NaN, 7, 8]);
    expect(numbers(fromArrow(table.slice(1, 4))["x"]!)).toEqual([3, NaN, NaN, NaN, 7, 8]);
    expect(numbers(fromArrow(table.concat(table))["x"]!)).toHaveLength(16);
    const outer = new arrow.FixedSizeList(3, new arrow.Field("item", inner, true));
    const cube = column(outer, [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]); // prettier-ignore
    expect(fromArrow(cube)["x"]!.equals(Nx.reshape(Nx.add(Nx.iota([12], { type: "f32" }), 1), [2, 3, 2]))).toBe(true);
  });

  it("says what tensors do not have", () => {
    const table = arrow.tableFromArrays({ x: [1, 2], name: ["a", "b"] });
    expect(() => fromArrow(table)).toThrow('fromArrow: the column "name" has elements of type Dictionary<Int32, Utf8>');
    expect(() => fromArrow(column(new arrow.Utf8(), ["a"]))).toThrow("of type Utf8");
    expect(() => fromArrow(column(new arrow.Decimal(2, 10), [new Uint32Array(4)]))).toThrow("of type Decimal[10e+2]");
    expect(() => fromArrow(table, { columns: ["y" as "x"] })).toThrow(
      'there is no column "y"; the columns are "x", "name"',
    );
    expect(() => fromArrow(table, { columns: ["x", "x"] })).toThrow('two columns are called "x"');
    expect(() => fromArrow(table.slice(0, 0), { columns: ["x"] })).toThrow("the table has no rows");
    expect(() => fromArrow([] as never)).toThrow("fromArrow expects a table of apache-arrow");
    expect(() => fromArrow(table, { nulls: "skip" as never })).toThrow(
      'option nulls of fromArrow must be "nan", "mask" or "error", got: "skip"',
    );
    expect(() => fromArrow(table, { nulls: 3n as never })).toThrow('must be "nan", "mask" or "error", got: 3');
    expect(() => fromArrow(table, { columns: "x" as never })).toThrow(
      'option columns of fromArrow must be a list of names such as ["height"], got: "x"',
    );
    expect(() => fromArrow(table, { columns: ["x"], axis: 5 as never })).toThrow(
      'option axis of fromArrow must be a name such as "row", got: 5',
    );
    expect(() => fromArrow(table, { rows: 1 } as never)).toThrow(
      "fromArrow takes the options columns, axis, nulls, got: rows",
    );
    expect(() => fromArrow(arrow.tableFromArrays({ x: [1, null] }), { nulls: "error" })).toThrow(
      'the column "x" has nulls',
    );
  });

  it("has columns of any name", () => {
    const type = new arrow.Float32();
    const schema = new arrow.Schema([new arrow.Field("__proto__", type, true)]);
    const child = arrow.makeData({
      type,
      length: 2,
      nullCount: 1,
      nullBitmap: new Uint8Array([1]),
      data: new Float32Array([1, 2]),
    });
    const rows = arrow.makeData({ type: new arrow.Struct(schema.fields), length: 2, nullCount: 0, children: [child] });
    const table = new arrow.Table(schema, new arrow.RecordBatch(schema, rows));
    expect(Object.keys(fromArrow(table))).toEqual(["__proto__"]);
    const { columns, missing } = fromArrow(table, { nulls: "mask" });
    expect([Object.keys(columns), Object.keys(missing)]).toEqual([["__proto__"], ["__proto__"]]);
  });

  it("keeps types where there are nulls: floats as they are, integers in double precision, masks as they are", () => {
    const holed = (type: arrow.DataType) => column(type, [1, null]);
    expect(fromArrow(holed(new arrow.Float32()))["x"]!.type).toBe("f32");
    expect(fromArrow(holed(new arrow.Int16()))["x"]!.type).toBe("f64");
    expect(fromArrow(holed(new arrow.Int16()), { nulls: "mask" }).columns["x"]!.type).toBe("s16");
  });
});
