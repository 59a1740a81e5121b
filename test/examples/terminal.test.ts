/**
 * What the examples draw in the terminal.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { bar, plot, progress } from "../../examples/terminal";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("bar", () => {
  it("is filled by the part that is done", () => {
    expect([0, 0.5, 1].map((done) => bar(done, 4))).toEqual(["░░░░", "██░░", "████"]);
  });
});

describe("progress", () => {
  const shown = (tty: boolean, steps: number) => {
    const [lines, writes]: [string[], string[]] = [[], []];
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    vi.spyOn(process.stdout, "write").mockImplementation((text) => writes.push(String(text)) > 0);
    const before = process.stdout.isTTY;
    process.stdout.isTTY = tty;
    for (let step = 1; step <= steps; step++) progress(step, steps, `step ${step}`);
    process.stdout.isTTY = before;
    vi.restoreAllMocks();
    return { lines, writes };
  };

  it("draws one line again and again in a terminal, and ends it", () => {
    const { lines, writes } = shown(true, 10);
    expect(lines).toEqual([]);
    expect(writes).toHaveLength(10);
    expect(writes.every((text) => text.startsWith("\r"))).toBe(true);
    expect(writes.findIndex((text) => text.endsWith("\n"))).toBe(9);
  });

  it("is a line for each quarter in a log", () => {
    const { lines, writes } = shown(false, 10);
    expect(writes).toEqual([]);
    expect(lines.map((line) => line.slice(31))).toEqual(["step 3", "step 5", "step 8", "step 10"]);
  });
});

describe("plot", () => {
  it("draws bars in eighths of a line", () => {
    expect(plot([2, 1, 0.125, 0], 2)).toBe([" 2.00 │█", " 0.00 │██▁", "      └────"].join("\n"));
  });

  it("has no bars where all values are 0", () => {
    expect(plot([0, 0], 1)).toBe([" 1.00 │", "      └──"].join("\n"));
  });
});
