/**
 * A climate-like archive that need not fit into memory: daily temperatures on a grid, reduced to maps of their mean, their spread and
 * their trend, block by block. Run with `npm run example:climate`; `-- --size 1000` makes it a gigabyte, `--folder` says where it is
 * kept. A second run takes the archive that is there.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as Nx from "nx-numerics";
import { toSvgHeatmap } from "nx-numerics/display";
import { createZarr, openZarr, type ZarrArray } from "nx-numerics/zarr";

const NAMES = ["time", "lat", "lon"] as const;
const [LATS, LONS] = [128, 256];
const YEAR = 365; // days
const DAYS = YEAR / 5; // of a block: 9.6 MB

export type Archive = ZarrArray<typeof NAMES>;
type Block = Nx.Tensor<typeof NAMES>;
type Map = Nx.Tensor<readonly ["lat", "lon"]>;

/** Degrees of latitude from pole to pole. */
const latitudes = () => Nx.linspace(-90, 90, { n: LATS, name: "lat", type: "f32" });

/** The warming that is in the archive, in K a year: from 0.01 in the south to 0.082 in the north. */
export const warming = () => latitudes().add(90).multiply(0.0004).add(0.01);

/** Temperatures of the days from `start` on. */
const weather = Nx.defn((start: Nx.Operand, key: Nx.Tensor) => {
  const days = Nx.iota([DAYS, 1, 1], { type: "f32", names: [...NAMES] }).add(start);
  const lat = latitudes()
    .newAxis(-1, "lon")
    .newAxis(0, "time")
    .multiply(Math.PI / 180);
  const season = days
    .add(0.5)
    .multiply((2 * Math.PI) / YEAR)
    .cos()
    .multiply(lat.sin())
    .multiply(-15);
  const trend = days.divide(YEAR).multiply(warming().newAxis(-1, "lon").newAxis(0, "time"));
  const [noise] = Nx.Random.normal(key, 0, 2, { shape: [DAYS, LATS, LONS], names: [...NAMES] });
  return lat.cos().multiply(45).add(248).add(season).add(trend).add(noise);
});

/** An archive of so many megabytes, made where it is missing. It is marked as unfinished until it is whole. */
export async function archive(folder: string, megabytes: number): Promise<Archive> {
  const years = Math.max(1, Math.round((megabytes * 1e6) / (YEAR * LATS * LONS * 4)));
  const blocks = (years * YEAR) / DAYS;
  const file = `air-${years}`;
  if (!existsSync(path.join(folder, `${file}.done`))) {
    const like = Nx.template([blocks * DAYS, LATS, LONS], "f32", { names: NAMES });
    const air = await createZarr(folder, like, {
      path: file,
      chunks: { time: DAYS },
      codecs: "none",
      attributes: { units: "K" },
      exists: "open",
    });
    let key = Nx.Random.key(1);
    for (let block = 0; block < blocks; block++) {
      const keys = Nx.Random.split(key);
      key = keys.at(0);
      using days = weather(block * DAYS, keys.at(1));
      await air.write(days, { time: [block * DAYS, (block + 1) * DAYS] });
    }
    writeFileSync(path.join(folder, `${file}.done`), "");
  }
  return openZarr(folder, { path: file, names: NAMES });
}

/** The part of a block in the trend: its products with the days from the middle of the archive. */
const partOf = Nx.defn((block: Block, start: Nx.Operand, middle: Nx.Operand) => {
  const days = Nx.iota([DAYS], { type: "f32", names: ["time"] })
    .add(start)
    .subtract(middle);
  return Nx.dot(days, block, { contract: ["time"] });
});

/** The slope of a straight line through the days of each place, in K a year. */
export async function trendOf(air: Archive): Promise<Map> {
  const days = air.shape[0]!;
  const middle = (days - 1) / 2;
  let products: Nx.Tensor = Nx.f64(0);
  for await (const { block, where } of air) {
    products = Nx.tidy(() => products.add(partOf(block, where.time[0], middle).asType("f64")));
    Nx.backendDeallocate(block);
  }
  const squares = (days * (days ** 2 - 1)) / 12;
  return products.divide(squares).multiply(YEAR).asType("f32") as Map;
}

/** How long something takes, in gigabytes a second. */
async function timed<T>(what: string, bytes: number, work: () => Promise<T>): Promise<T> {
  const before = performance.now();
  const result = await work();
  const seconds = (performance.now() - before) / 1000;
  const resident = Math.round(process.memoryUsage().rss / 1e6);
  console.log(`${what.padEnd(22)} ${(bytes / 1e9 / seconds).toFixed(2)} GB/s, ${resident} MB resident`);
  return result;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { size: { type: "string" }, folder: { type: "string" } } });
  const folder = values.folder ?? path.join(tmpdir(), "nx-numerics-climate");
  mkdirSync(folder, { recursive: true });
  const air = await archive(folder, Number(values.size ?? 48));
  const bytes = air.shape.reduce((all, size) => all * size, 4);
  console.log(`${String(air)}, ${Math.round(bytes / 1e6)} MB`);
  await timed("reading alone", bytes, () => air.reduce(() => 0, () => 0)); // prettier-ignore
  const mean = await timed("mean over time", bytes, () => air.mean({ axes: ["time"] }));
  const spread = await timed("deviation over time", bytes, () => air.standardDeviation({ axes: ["time"] }));
  const trend = await timed("trend over time", bytes, () => trendOf(air));
  const [cold, warm] = [mean.reduceMin().item(), mean.reduceMax().item()];
  console.log(`mean       ${mean.mean().item().toFixed(1)} K, from ${cold.toFixed(1)} to ${warm.toFixed(1)} K`);
  console.log(`deviation  ${spread.mean().item().toFixed(1)} K`);
  const half = (from: number, to: number): string =>
    trend
      .at({ lat: Nx.range(from, to) })
      .mean()
      .item()
      .toFixed(3);
  console.log(`trend      ${half(0, LATS / 2)} K a year in the south, ${half(LATS / 2, LATS)} in the north`);
  const drawing = path.join(folder, "mean.svg");
  writeFileSync(drawing, toSvgHeatmap(mean));
  console.log(`map        ${drawing}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
