/** Columns of results of DuckDB. */
import * as Nx from "nx-numerics";
import { fromDuckDB, type DuckDBResult } from "nx-numerics/columns";
import { expect, it } from "vitest";
import { describeWith, findEngine } from "../engines/find";

interface Connection {
  run(sql: string): Promise<DuckDBResult>;
  stream(sql: string): Promise<DuckDBResult>;
}

interface DuckDB {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
}

const numbers = (t: Nx.Tensor): number[] => Nx.toFlatList(t).map(Number);

describeWith("@duckdb/node-api", await findEngine<DuckDB>("@duckdb/node-api"), ({ DuckDBInstance }) => {
  const connect = async (): Promise<Connection> => (await DuckDBInstance.create(":memory:")).connect();

  it.each([
    ["TINYINT", "s8"],
    ["SMALLINT", "s16"],
    ["INTEGER", "s32"],
    ["BIGINT", "s64"],
    ["UTINYINT", "u8"],
    ["USMALLINT", "u16"],
    ["UINTEGER", "u32"],
    ["UBIGINT", "u64"],
    ["FLOAT", "f32"],
    ["DOUBLE", "f64"],
    ["HUGEINT", "s64"],
    ["DECIMAL(9, 2)", "f64"],
    ["DECIMAL(38, 3)", "f64"],
  ] as const)("%s is %s, over chunks and nulls", async (type, expected) => {
    const db = await connect();
    const sql = `SELECT (i % 100)::${type} AS x, CASE WHEN i % 3 = 0 THEN NULL ELSE (i % 100)::${type} END AS y FROM range(5000) t(i)`;
    const { x, y } = await fromDuckDB(await db.stream(sql), { columns: ["x", "y"], axis: "row" });
    expect([x.type, x.shape, x.names]).toEqual([expected, [5000], ["row"]]);
    expect(numbers(x)).toEqual(Array.from({ length: 5000 }, (_, i) => i % 100));
    expect(numbers(y)).toEqual(Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? NaN : i % 100)));
    const { columns, missing } = await fromDuckDB(await db.run(sql), { nulls: "mask" });
    expect(columns["y"]!.type).toBe(expected);
    expect([Nx.toNumber(missing["y"]!.sum()), missing["x"]]).toEqual([1667, undefined]);
  });

  it("booleans, dates, timestamps and arrays are numbers", async () => {
    const db = await connect();
    const sql =
      "SELECT i > 0 AS b, DATE '1970-01-03' AS d, TIMESTAMP '1970-01-01 00:00:01' AS t, [i, i + 0.5]::FLOAT[2] AS a FROM range(2) t(i)";
    const { b, d, t, a } = await fromDuckDB(await db.run(sql), { columns: ["b", "d", "t", "a"] });
    expect([numbers(b), numbers(d), numbers(t)]).toEqual([[0, 1], [2, 2], [1e6, 1e6]]); // prettier-ignore
    expect([a.type, a.shape, numbers(a)]).toEqual(["f32", [2, 2], [0, 0.5, 1, 1.5]]);
  });

  it("says what tensors do not have", async () => {
    const db = await connect();
    await expect(fromDuckDB(await db.run("SELECT 'a' AS name"))).rejects.toThrow(
      'the column "name" has elements of type VARCHAR',
    );
    await expect(fromDuckDB(await db.run("SELECT 1 AS x WHERE false"))).rejects.toThrow("the table has no rows");
    await expect(fromDuckDB(await db.run("SELECT 1 AS x, 2 AS x"))).rejects.toThrow('two columns are called "x"');
    await expect(fromDuckDB(await db.run("SELECT 2::HUGEINT ** 70 AS x"))).resolves.toBeDefined();
    await expect(fromDuckDB(await db.run("SELECT 9223372036854775808::HUGEINT AS x"))).rejects.toThrow(
      "does not fit into s64; cast it to DOUBLE",
    );
  });
});

it("fromDuckDB says what it expects", async () => {
  await expect(fromDuckDB({} as never)).rejects.toThrow("fromDuckDB expects a result of DuckDB");
});
