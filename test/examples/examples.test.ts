/**
 * The examples run, and the README shows what the first one prints.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

function run(example: string): string {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  return execFileSync(process.execPath, ["--import", "tsx", `examples/${example}.ts`], {
    cwd: root,
    env,
    encoding: "utf8",
  });
}

describe("examples", () => {
  it("weather prints what the README shows", { timeout: 60_000 }, () => {
    const readme = readFileSync(`${root}README.md`, "utf8");
    const shown = /npm run example:weather` prints[^]*?```text\n([^]*?)\n```/.exec(readme)?.[1];
    expect(run("weather").trimEnd()).toBe(shown);
  });

  it("volcano draws two maps of the inner grid", { timeout: 60_000 }, () => {
    const output = run("volcano");
    expect(output).toContain("elevation 94 m to 195 m");
    expect(output.match(/f32\[north: 59\]\[east: 85\]/g)).toHaveLength(2);
  });
});
