/**
 * Measures the f64 special functions of kernels: the largest error of each over sweeps of its domain, in units in the last
 * place, against mpmath. Fails if any is above 2. Short sweeps prove little: erfc was once above 2 at one point in 10000.
 *
 * Run: npx tsx scripts/accuracy/f64.ts [--count=25000] [--wasm] [NAME...]
 */
import { SPECIAL_BINARY, SPECIAL_UNARY } from "../../lib/kernel/special/names";
import { evaluateF64, type Name } from "./f64-evaluate";
import { errorOf, exactValues } from "./f64-reference";
import { seeded, sweepsOf } from "./f64-sweeps";

const BOUND = 2;
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
  const count = Number(options.find((o) => o.startsWith("--count="))?.slice(8) ?? 25000);
  const wasm = options.includes("--wasm");
  const chosen = options.filter((o) => !o.startsWith("--"));
  const names = [...SPECIAL_UNARY, ...SPECIAL_BINARY].filter((name) => chosen.length === 0 || chosen.includes(name));
  let failed = false;
  for (const name of names) {
    const parts = sweepsOf(name, count, seeded(name)).map(({ label, points }) => {
      const { error, at } = measure(name, points, wasm);
      if (!(error <= BOUND)) failed = true;
      return `${label} ${error.toFixed(3)}${error > 1.5 ? ` at ${at.join(", ")}` : ""}`;
    });
    console.log(`${name}: ${parts.join("; ")}`);
  }
  if (failed) {
    console.error(`above ${BOUND} units in the last place`);
    process.exitCode = 1;
  }
}

main();
