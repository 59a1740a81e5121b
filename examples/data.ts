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

/** The measured columns of the penguin records, in their order on the axis `feature`. */
export const MEASURES = ["Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"] as const;

/** The classes that {@link penguins} numbers from 0. */
export const SPECIES = ["Adelie", "Chinstrap", "Gentoo"] as const;

type Penguin = { readonly Species: string } & { readonly [measure in (typeof MEASURES)[number]]: number | null };

/** Penguins of the Palmer archipelago that were measured: `[penguin: 342][feature: 4]`, and the number of each one's species. */
export function penguins() {
  const records = JSON.parse(read("penguins.json")) as Penguin[];
  const measured = records.filter((record) => MEASURES.every((name) => record[name] !== null));
  const values = measured.map((record) => MEASURES.map((name) => Number(record[name])));
  const species = measured.map((record) => SPECIES.findIndex((name) => name === record.Species));
  return {
    measures: Nx.f32(values, { names: ["penguin", "feature"] }),
    species: Nx.tensor(species, { names: ["penguin"] }),
  };
}

/** Monthly CO2 in the air of Mauna Loa in ppm, 1958 to 2020: `[month: 741]`, and the middle of each month in years. */
export function maunaLoa() {
  const rows = read("co2-concentration.csv").trim().split("\n").slice(1);
  const records = rows.map((row) => row.split(","));
  const years = records.map(([date]) => Number(date!.slice(0, 4)) + (Number(date!.slice(5, 7)) - 0.5) / 12);
  const names = ["month"] as const;
  return {
    co2: Nx.f64(
      records.map((record) => Number(record[1])),
      { names },
    ),
    years: Nx.f64(years, { names }),
  };
}

/** Mean temperature of the earth's surface by year, in degrees above the mean of 1951 to 1980: `[year: 144]`, 1880 to 2023. */
export function globalTemperature() {
  const rows = read("global-temp.csv").trim().split("\n").slice(1);
  const column = (at: number) => rows.map((row) => Number(row.split(",")[at]));
  const names = ["year"] as const;
  return { years: Nx.f64(column(0), { names }), temperature: Nx.f64(column(1), { names }) };
}
