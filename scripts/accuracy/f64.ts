/**
 * Measures the f64 special functions of kernels: the largest error of each over sweeps of its domain, in units in the last
 * place, against mpmath, and puts it into the table the documentation shows. Fails if any is above 2. Short sweeps prove little: erfc was once above 2 at one point in 10000.
 *
 * Run: npx tsx scripts/accuracy/f64.ts [--count=25000] [--wasm] [NAME...]
 */
import { evaluateF64 } from "./f64-evaluate";
import { errorOf, exactValues } from "./f64-reference";
import { seeded, sweepsOf } from "./f64-sweeps";
import { BOUNDS, NAMES, record, type Name } from "./table";

/** Points of each sweep. */
const COUNT = 25_000;
/** With fewer points in all the table is left as it is. */
const ENOUGH = 50_000;

interface Worst {
  error: number;
  at: readonly number[];
}

function measure(name: Name, points: readonly Float64Array[], wasm: boolean): Worst {
  const exact = exactValues(name, points);
  const actual = evaluateF64(name, points, wasm);
  const worst: Worst = { error: 0, at: [] };
  actual.forEach((value, i) => {
    const error = errorOf(value, exact[2 * i]!, exact[2 * i + 1]!);
    if (error > worst.error) Object.assign(worst, { error, at: points.map((column) => column[i]!) });
  });
  return worst;
}

function main(): void {
  const options = process.argv.slice(2);
  const count = Number(options.find((o) => o.startsWith("--count="))?.slice(8) ?? COUNT);
  const wasm = options.includes("--wasm");
  const chosen = options.filter((o) => !o.startsWith("--"));
  const names = NAMES.filter((name) => chosen.length === 0 || chosen.includes(name));
  let failed = false;
  for (const name of names) {
    const worst: Worst = { error: 0, at: [] };
    let points = 0;
    const parts = sweepsOf(name, count, seeded(name)).map(({ label, points: columns }) => {
      const { error, at } = measure(name, columns, wasm);
      points += columns[0]!.length;
      if (error > worst.error) Object.assign(worst, { error, at });
      return `${label} ${error.toFixed(3)}${error > 1.5 ? ` at ${at.join(", ")}` : ""}`;
    });
    if (!(worst.error <= BOUNDS.f64)) failed = true;
    if (points >= ENOUGH) record("f64", name, { worst: Number(worst.error.toFixed(4)), at: worst.at, count: points });
    console.log(`${name}: ${parts.join("; ")}`);
  }
  if (failed) {
    console.error(`above ${BOUNDS.f64} units in the last place`);
    process.exitCode = 1;
  }
}

main();
