/**
 * Measures the functions of complex numbers against mpmath (complex.py) and writes complex.json and docs/accuracy.md.
 *
 *     npx tsx scripts/accuracy/complex.ts [COUNT]        (PYTHON names an interpreter that has mpmath)
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Nx from "../../lib";
import { COMPLEX_FILE, COMPLEX_NAMES, recordSpecial, type ComplexRow, type ComplexRows } from "./table";

type Point = readonly [re: number, im: number];

/** Numbers from 0 to 1, the same in each run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const high = state;
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (high + state / 2 ** 32) / 2 ** 32;
  };
}

const random = generator(12345);
const signed = (x: number): number => (random() < 0.5 ? -x : x);
/** Evenly by logarithms. */
const spread = (low: number, high: number): number => signed(Math.exp(Math.log(low) + random() * Math.log(high / low)));

function around([re, im]: Point): Point {
  return [re + spread(1e-9, 0.1), im + spread(1e-9, 0.1)];
}

function ring(): Point {
  const [angle, radius] = [2 * Math.PI * random(), 1 + spread(1e-9, 0.1)];
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

const CORNERS: readonly Point[] = [[1, 0], [-1, 0], [0, 1], [0, -1]]; // prettier-ignore

/** Small and large parts, near the circle and near the branch points. */
const KINDS: readonly (() => Point)[] = [
  () => [signed(3 * random()), signed(3 * random())],
  () => [spread(1e-3, 30), spread(1e-3, 1e3)],
  () => [spread(1e-12, 10), spread(1e-12, 10)],
  ring,
  () => around(CORNERS[Math.floor(4 * random())]!),
  () => [spread(1e-2, 300), signed(7 * random())],
];

const count = Number(process.argv[2] ?? "3000");
const points = Array.from({ length: count }, (_, i) => KINDS[i % KINDS.length]!());
const z = Nx.complex(Nx.f64(points.map(([re]) => re)), Nx.f64(points.map(([, im]) => im)));
const results = Object.fromEntries(
  COMPLEX_NAMES.map((name) => {
    const got = (Nx as unknown as Record<string, (z: Nx.Tensor) => Nx.Tensor>)[name]!(z).toFlatList() as Nx.Complex[];
    const rows = points.map((point, i) => [...point, got[i]!.re, got[i]!.im]);
    return [name, rows.filter((row) => row.every(Number.isFinite))];
  }),
);
const folder = mkdtempSync(join(tmpdir(), "accuracy-"));
const file = join(folder, "results.json");
writeFileSync(file, JSON.stringify(results));
const script = fileURLToPath(new URL("complex.py", import.meta.url));
const found = JSON.parse(
  execFileSync(process.env["PYTHON"] ?? "python3", [script, file], { encoding: "utf8" }),
) as ComplexRows;
rmSync(folder, { recursive: true });
const shortened = ({ part, whole, count }: ComplexRow): ComplexRow => ({
  part: [Number(part[0].toFixed(3)), part[1], part[2]],
  whole: [Number(whole[0].toFixed(3)), whole[1], whole[2]],
  count,
});
const rows = Object.fromEntries(COMPLEX_NAMES.map((name) => [name, shortened(found[name]!)]));
const text = JSON.stringify(rows, null, 2).replace(
  /\[\s+([^\]]*?)\s+\]/g,
  (_, inside: string) => `[${inside.replace(/\s+/g, " ")}]`,
);
writeFileSync(COMPLEX_FILE, `${text}\n`);
recordSpecial();
