/**
 * Names in types must stay cheap: a budget on what `tsc` instantiates for all type tests together, beyond what the library
 * by itself takes, which users do not compile. `npm run type-budget`.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * About a third as much again as the type tests need, of which the table of names, that calls every function, is a good part; raise it
 * only for types that are worth it.
 */
const BUDGET = 165_000;

function instantiations(project: string): number {
  const root = fileURLToPath(new URL("../", import.meta.url));
  // Several threads instantiate more, and never the same number.
  const args = ["-p", project, "--noEmit", "--extendedDiagnostics", "--singleThreaded"];
  const compiler = "node_modules/typescript-7/bin/tsc";
  const report = execFileSync(process.execPath, [compiler, ...args], { cwd: root, encoding: "utf8" });
  return Number(/Instantiations:\s+(\d+)/.exec(report)?.[1]);
}

const count = instantiations("tsconfig.typetests.json") - instantiations("tsconfig.core.json");
console.log(`the type tests instantiate ${count} types; the budget is ${BUDGET}`);
// Fewer than a thousand would mean that nothing was counted.
if (!(count > 1000 && count < BUDGET)) process.exitCode = 1;
