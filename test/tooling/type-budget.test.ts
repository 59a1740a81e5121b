/**
 * Names in types must stay cheap: a budget on what `tsc` instantiates for all type tests together.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** About half as much again as the type tests need; raise it only for types that are worth it. */
const BUDGET = 100_000;

it("the type tests stay within their budget of instantiations", { timeout: 120_000 }, () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const args = [
    "node_modules/typescript/bin/tsc",
    "-p",
    "tsconfig.typetests.json",
    "--noEmit",
    "--extendedDiagnostics",
  ];
  const report = execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  const count = Number(/Instantiations:\s+(\d+)/.exec(report)?.[1]);
  expect(count).toBeGreaterThan(1000);
  expect(count).toBeLessThan(BUDGET);
});
