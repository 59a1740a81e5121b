/**
 * The real data of the examples, from the package vega-datasets.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as Nx from "nx-numerics";

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../node_modules/vega-datasets/data/${name}`, import.meta.url)), "utf8");

/** The numeric columns of the weather records, in their order on the axis `feature`. */
export const FEATURES = ["precipitation", "temp_max", "temp_min", "wind"] as const;

/** Daily weather of Seattle, 2012 to 2015: `[day: 1461][feature: 4]`, and the date of each day. */
export function seattleWeather() {
  const [header, ...rows] = read("seattle-weather.csv").trim().split("\n");
  const columns = header!.split(",");
  const records = rows.map((row) => row.split(","));
  const column = (name: string) => columns.indexOf(name);
  const values = records.map((record) => FEATURES.map((name) => Number(record[column(name)])));
  const dates = records.map((record) => new Date(`${record[column("date")]}T00:00:00Z`));
  return { weather: Nx.f32(values, { names: ["day", "feature"] }), dates };
}

/** Elevation of Maunga Whau (Mt Eden) in metres on a 10 m grid: `[north: 61][east: 87]`. */
export function volcano() {
  const { width, height, values } = JSON.parse(read("volcano.json")) as {
    width: number;
    height: number;
    values: number[];
  };
  return Nx.f32(values).reshape([height, width], { names: ["north", "east"] });
}
