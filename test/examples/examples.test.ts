/**
 * The examples run, and the README shows what they print.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root, run, shownInReadme } from "./run";

describe("examples", () => {
  it("have scripts that run them as it is done here", () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { scripts: Record<string, string> };
    const examples = Object.entries(scripts).filter(([name]) => name.startsWith("example:"));
    expect(examples.map(([name]) => name.slice("example:".length))).toEqual(
      expect.arrayContaining(["weather", "volcano", "penguins", "co2"]),
    );
    for (const [name, script] of examples) expect(script).toBe(`tsx examples/${name.slice("example:".length)}.ts`);
  });

  it("weather prints what the README shows", { timeout: 60_000 }, () => {
    expect(run("weather").trimEnd()).toBe(shownInReadme("weather"));
  });

  it("volcano draws two maps of the inner grid", { timeout: 60_000 }, () => {
    const output = run("volcano");
    expect(output).toContain("elevation 94 m to 195 m");
    expect(output.match(/f32\[north: 59\]\[east: 85\]/g)).toHaveLength(2);
  });

  it("penguins ends with what the README shows, after four lines of progress and a plot", { timeout: 60_000 }, () => {
    const output = run("penguins");
    expect(output.match(/^[█░]{30} epoch \d+ of 60, loss 0\.\d{3}$/gm)).toHaveLength(4);
    expect(output).toContain(" 0.00 │█");
    expect(output.trimEnd().endsWith(`\n${shownInReadme("penguins")}`)).toBe(true);
  });

  it("co2 prints what the README shows and writes the chart beside it", { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "nx-co2-"));
    try {
      const path = join(folder, "new", "chart.svg");
      const output = run("co2", path);
      const [shown, written] = [shownInReadme("co2"), `chart      ${path}`];
      expect(output.trimEnd()).toBe(shown.replace(/chart {6}.*/, written));
      expect(existsSync(path)).toBe(true);
      expect(readFileSync(path, "utf8")).toBe(readFileSync(`${root}docs/co2.svg`, "utf8"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
