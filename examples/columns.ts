/**
 * Routes of flights: tables are joined by SQL, lengths are computed by names. Run with `npm run example:columns`. The join is DuckDB's
 * where that is installed (`npm --prefix test/engines ci --ignore-scripts`, or `npm install @duckdb/node-api` in a project of your own);
 * without it the files are parsed by csv-parse, joined by a Map, and come as a table of Arrow.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { tableFromArrays } from "apache-arrow";
import { parse } from "csv-parse/sync";
import * as Nx from "nx-numerics";
import { fromArrow, fromDuckDB, type DuckDBResult } from "nx-numerics/columns";

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../node_modules/vega-datasets/data/${name}`, import.meta.url));
const [AIRPORTS, FLIGHTS] = [fileOf("airports.csv"), fileOf("flights-airport.csv")];
const COLUMNS = ["lat1", "lon1", "lat2", "lon2", "flights", "state"] as const;

type Column = Nx.Tensor;
/** A row for each route, and the states that the column `state` numbers. */
export interface Routes {
  readonly columns: Readonly<Record<(typeof COLUMNS)[number], Column>>;
  readonly states: readonly string[];
}

const JOIN = `
  FROM read_csv('${FLIGHTS}') f
  JOIN read_csv('${AIRPORTS}') a ON f.origin = a.iata
  JOIN read_csv('${AIRPORTS}') b ON f.destination = b.iata`;

interface DuckDB {
  readonly DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{ run(sql: string): Promise<DuckDBResult & { getRows(): Promise<string[][]> }> }>;
    }>;
  };
}

/** DuckDB, where it is installed. */
export async function findDuckDB(): Promise<DuckDB | null> {
  for (const from of [import.meta.url, new URL("../test/engines/package.json", import.meta.url)]) {
    try {
      const file = createRequire(from).resolve("@duckdb/node-api");
      return ((await import(pathToFileURL(file).href)) as { default: DuckDB }).default;
    } catch {
      // it is not there
    }
  }
  return null;
}

/** The join in SQL. */
export async function bySQL({ DuckDBInstance }: DuckDB): Promise<Routes> {
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  const sql = `
    SELECT a.latitude AS lat1, a.longitude AS lon1, b.latitude AS lat2, b.longitude AS lon2, f.count::INTEGER AS flights,
      (dense_rank() OVER (ORDER BY a.state) - 1)::INTEGER AS state ${JOIN} ORDER BY f.origin, f.destination`;
  const columns = await fromDuckDB(await db.run(sql), { columns: COLUMNS, axis: "route" });
  const states = await (await db.run(`SELECT DISTINCT a.state ${JOIN} ORDER BY 1`)).getRows();
  return { columns, states: states.flat() };
}

/** The same join without a database. */
export function byMap(): Routes {
  const read = (file: string): Record<string, string>[] => parse(readFileSync(file), { columns: true });
  const airports = new Map(read(AIRPORTS).map((airport) => [airport["iata"]!, airport]));
  const joined = read(FLIGHTS).flatMap(({ origin, destination, count }) => {
    const [a, b] = [airports.get(origin!), airports.get(destination!)];
    return a && b ? [{ a, b, count: Number(count), route: `${origin} ${destination}` }] : [];
  });
  joined.sort((left, right) => (left.route < right.route ? -1 : 1));
  const states = [...new Set(joined.map(({ a }) => a["state"]!))].sort();
  const table = tableFromArrays({
    lat1: Float64Array.from(joined, ({ a }) => Number(a["latitude"])),
    lon1: Float64Array.from(joined, ({ a }) => Number(a["longitude"])),
    lat2: Float64Array.from(joined, ({ b }) => Number(b["latitude"])),
    lon2: Float64Array.from(joined, ({ b }) => Number(b["longitude"])),
    flights: Int32Array.from(joined, ({ count }) => count),
    state: Int32Array.from(joined, ({ a }) => states.indexOf(a["state"]!)),
  });
  return { columns: fromArrow(table, { columns: COLUMNS, axis: "route" }), states };
}

/** Lengths along great circles, in km: the formula of haversines. */
export const lengths = Nx.defn((lat1: Column, lon1: Column, lat2: Column, lon2: Column): Column => {
  const half = (from: Column, to: Column): Column =>
    to
      .subtract(from)
      .multiply(Math.PI / 360)
      .sin()
      .square();
  const cosines = lat1
    .multiply(Math.PI / 180)
    .cos()
    .multiply(lat2.multiply(Math.PI / 180).cos());
  return half(lat1, lat2)
    .add(cosines.multiply(half(lon1, lon2)))
    .sqrt()
    .asin()
    .multiply(2 * 6371);
});

/** The mean length of a flight, and that of the flights from each state. */
export function summary({ columns, states }: Routes) {
  const { lat1, lon1, lat2, lon2, flights, state } = columns;
  const km = lengths(lat1, lon1, lat2, lon2);
  const flown = km.multiply(flights);
  const total = (t: Column): Column => Nx.segmentSum(t, state, states.length, { name: "state" });
  const perState = total(flown).divide(total(flights));
  const order = perState.argsort({ direction: "desc" }).toNumbers();
  return {
    routes: km.size,
    mean: flown.sum().divide(flights.sum()).item(),
    longest: order.slice(0, 3).map((place) => [states[place]!, perState.at(place).item()] as const),
  };
}

async function main(): Promise<void> {
  const engine = await findDuckDB();
  const { routes, mean, longest } = summary(engine === null ? byMap() : await bySQL(engine));
  console.log(
    `joined by  ${engine === null ? "a Map (DuckDB is not installed: npm --prefix test/engines ci --ignore-scripts)" : "DuckDB"}`,
  );
  console.log(`routes     ${routes}`);
  console.log(`a flight   ${mean.toFixed(0)} km`);
  console.log(`longest    ${longest.map(([state, km]) => `${state} ${km.toFixed(0)} km`).join(", ")}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
