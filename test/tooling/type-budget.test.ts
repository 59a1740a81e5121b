/**
 * Names in types must stay cheap: a budget on what `tsc` instantiates for all type tests together, beyond what the library
 * by itself takes, which users do not compile.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** About half as much again as the type tests need; raise it only for types that are worth it. */
const BUDGET = 47_000;

function instantiations(project: string): number {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const args = ["node_modules/typescript/bin/tsc", "-p", project, "--noEmit", "--extendedDiagnostics"];
  const report = execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  return Number(/Instantiations:\s+(\d+)/.exec(report)?.[1]);
}

it("the type tests stay within their budget of instantiations", { timeout: 240_000 }, () => {
  const count = instantiations("tsconfig.typetests.json") - instantiations("tsconfig.core.json");
  expect(count).toBeGreaterThan(1000);
  expect(count).toBeLessThan(BUDGET);
});
