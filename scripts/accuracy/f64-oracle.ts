/**
 * Writes test/oracles/special_f64.json: for each f64 special function the arguments where it errs most, and others spread
 * over the sweeps, with the nearest doubles of the exact values and what is left in thousandths of a unit in the last place.
 *
 * Run: npx tsx scripts/accuracy/f64-oracle.ts [--count=3000] [NAME...]; without names all are made anew
 */
import { readFileSync, writeFileSync } from "node:fs";
import { SPECIAL_BINARY, SPECIAL_UNARY } from "../../lib/ops";
import { evaluateF64, type Name } from "./f64-evaluate";
import { errorOf, exactValues } from "./f64-reference";
import { seeded, sweepsOf } from "./f64-sweeps";

const HARD = 150;
const SPREAD = 150;

/** Arguments where earlier programs were above the bound, which only long sweeps found. */
const KNOWN: { readonly [K in Name]?: readonly number[] } = {
  erfc: [21.929361449854092, 20.778684174449094, 25.52138353676336, 9.847145868332133, 23.097274582641212],
  sigmoid: [-36.738070625045324],
  asin: [0.837627626151514],
  tanh: [0.5198603854164044],
};

/** Arguments, then the nearest double and what is left. */
type Row = readonly number[];

function rowsOf(name: Name, count: number): Row[] {
  const known = [Float64Array.from(KNOWN[name] ?? [])];
  const sweeps = sweepsOf(name, count, seeded(`${name} oracle`)).map(({ points }) => points);
  const found = [...(known[0]!.length > 0 ? [known] : []), ...sweeps].flatMap((points) => {
    const exact = exactValues(name, points);
    const actual = evaluateF64(name, points);
    return [...actual].map((value, i) => ({
      row: [...points.map((column) => column[i]!), exact[2 * i]!, Math.round(1000 * exact[2 * i + 1]!) + 0],
      error: errorOf(value, exact[2 * i]!, exact[2 * i + 1]!),
    }));
  });
  const finite = found.filter(({ row }) => row.every((x) => Number.isFinite(x) && !Object.is(x, -0)));
  const spread = finite.filter((_, i) => i % Math.ceil(finite.length / SPREAD) === 0);
  const pinned = finite.slice(0, known[0]!.length);
  const hard = [...finite].sort((a, b) => b.error - a.error).slice(0, HARD);
  return [...new Set([...pinned, ...hard, ...spread])].map(({ row }) => row);
}

const count = Number(process.argv.find((o) => o.startsWith("--count="))?.slice(8) ?? 3000);
const file = new URL("../../test/oracles/special_f64.json", import.meta.url);
const chosen = process.argv.slice(2).filter((o) => !o.startsWith("--"));
const before = JSON.parse(readFileSync(file, "utf8")) as { readonly [K in Name]?: readonly number[] };
const lines = [...SPECIAL_UNARY, ...SPECIAL_BINARY].map((name) => {
  const isKept = chosen.length > 0 && !chosen.includes(name);
  return `"${name}":${JSON.stringify(isKept ? before[name] : rowsOf(name, count).flat())}`;
});
writeFileSync(file, `{${lines.join(",\n")}}\n`);
