/**
 * What the docs are made of: tables from results, and the columns of runtimes.
 */
import { describe, expect, it } from "vitest";
import { between } from "../../bench/commands/docs";
import { verdictOf } from "../../bench/commands/programs";
import { candidates, usual } from "../../bench/peers/candidates";
import { chart } from "../../bench/report/chart";
import { besideMarkdown, cliffsMarkdown, peersMarkdown, scalingMarkdown } from "../../bench/report/markdown";
import { programsMarkdown } from "../../bench/report/programs";
import type { Heading, ProgramRow, Start, TableResults } from "../../bench/report/results";

const peer = (name: string, runtime: string): Heading["peers"][number] => ({
  name,
  peer: "nx",
  version: "1",
  runtime,
  threads: "2",
  runs: [],
  compiles: true,
});

const heading: Heading = {
  date: "2000-01-01",
  machine: "a machine",
  pace: "full",
  nx: "source",
  peers: [peer("nx", "Node 20"), peer("nx-node24", "Node 24")],
  missing: [],
};

describe("the table of peers", () => {
  const cell = (least: number, median: number) => ({ least, median, low: 0, high: 0, rounds: 3, agrees: true });
  const cells = { nx: cell(6, 20), "nx-using": cell(10, 12), "jax-js": cell(5, 30), tfjs: { error: "no device" } };
  const rows = ["exp", "sort"].map((work) => ({ work, cells }));
  const results: TableResults = {
    ...heading,
    peers: ["nx", "nx-using", "jax-js", "tfjs"].map((name) => peer(name, "Node 20")),
    rows,
  };

  it("has least times, medians of members that release nothing, and ratios to the one that gives results back", () => {
    const text = peersMarkdown(results);
    expect(text).toContain("| microseconds | nx | nx-using | jax-js | tfjs |");
    expect(text).toContain("| exp | 20.0 (2.00) | 10.0 | 5.00 (0.50) | failed |");
  });

  it("is a choice of rows and members in the README, with their versions", () => {
    const text = besideMarkdown(results);
    expect(text).toContain("| work | nx-numerics, µs | nothing released | jax-js 1 | TensorFlow.js 1 |");
    expect(text).toContain("| sort | 10.0 | 2.00 | 0.50 | - |");
    expect(text).not.toContain("exp");
  });
});

describe("the table of cliffs", () => {
  const line = { work: "exp", bound: 2, microseconds: 10, friendly: 5 };
  const cases = [
    { ...line, group: "size", where: "1023", ratio: 1.25 },
    { ...line, group: "shape", where: "3x5", ratio: 1.5 },
    { ...line, group: "layout", where: "reversed", ratio: 2.5 },
    { ...line, group: "type", where: "c128", ratio: 3, bound: 4 },
    { ...line, group: "type", where: "u8", ratio: 1.75 },
    { ...line, work: "abs", group: "size", where: "1025", ratio: 0.5 },
  ];
  const text = cliffsMarkdown({ ...heading, cases, failures: [] });

  it("has the worst case of each kind by work, and marks what exceeds its bound", () => {
    expect(text).toContain("| exp | 1.50: 3x5 | **2.50: reversed** | 1.75: u8 | 1 of 5 |");
    expect(text).toContain("| abs | 0.50: 1025 | - | - | 0 of 1 |");
  });

  it("says when and on what it was measured", () => {
    expect(text).toContain("Measured 2000-01-01 on a machine: the source of nx (Node 20; threads: 2)");
  });
});

describe("the table of programs", () => {
  const times = { median: 9, low: 9, high: 9, rounds: 3, agrees: true };
  const row = (work: string, least: Readonly<Record<string, number>>): ProgramRow => ({
    work,
    cells: Object.fromEntries(Object.entries(least).map(([name, time]) => [name, { ...times, least: time }])),
    verdicts: [],
  });
  const rows = [row("step", { "nx-using": 30, "nx-turns": 60, tfjs: 20, loop: 40 }), row("slope", { "nx-using": 90 })];

  it("sets a time beside the least of several, and beside that of another work", () => {
    const [step, slope] = rows as [ProgramRow, ProgramRow];
    expect(verdictOf(step, { most: 1, beside: ["loop", "tfjs", "jax-js"] }, rows).ratio).toBe(1.5);
    expect(verdictOf(step, { most: 1.5, beside: ["nx-using"], of: "nx-turns" }, rows).ratio).toBe(2);
    const other = verdictOf(slope, { most: 4, beside: ["nx-using"], work: "step" }, rows);
    expect(other).toEqual({ of: "nx-using", beside: ["step"], most: 4, ratio: 3 });
  });

  it("compares medians where it is told to", () => {
    const verdict = verdictOf(rows[0]!, { most: 1.5, beside: ["nx-using"], of: "nx-turns", medians: true }, rows);
    expect(verdict.ratio).toBe(1);
  });

  it("judges nothing that was not measured, failed, or computes something else", () => {
    const [step] = rows as [ProgramRow, ProgramRow];
    const wrong = {
      ...step,
      cells: { ...step.cells, loop: { ...times, least: 1, agrees: false }, tfjs: { error: "" } },
    };
    for (const beside of ["loop", "tfjs", "nx-before"]) {
      expect(verdictOf(wrong, { most: 1, beside: [beside] }, rows).ratio).toBeNull();
    }
  });

  it("has what is aimed at beside what was found, bold above it", () => {
    const verdicts = [
      verdictOf(rows[0]!, { most: 3, beside: ["tfjs"] }, rows),
      verdictOf(rows[0]!, { most: 1, beside: ["tfjs"] }, rows),
    ];
    const starts: Start[] = [
      { name: "import", unit: "ms", value: 70, most: 25 },
      { name: "bundle", unit: "kB", value: null, most: 60 },
    ];
    const text = programsMarkdown({ ...heading, rows: [{ ...rows[0]!, verdicts }], starts });
    expect(text).toContain("| step | 30.0 | 9.00 | 40.0 | 20.0 | 3x tfjs: 1.50; 1x tfjs: **1.50** |");
    expect(text).toContain("| import | 25 ms | **70.0** |\n| bundle | 60 kB | - |");
  });
});

describe("the table of scaling", () => {
  it("has a column for every length that anyone was measured with", () => {
    const text = scalingMarkdown({
      ...heading,
      curves: { add: { nx: { 100: 1 }, loop: { 100: 2, 1000: 3 }, none: {} } },
    });
    expect(text).toContain("| add, microseconds | 1e2 | 1e3 |");
    expect(text).toContain("| nx | 1.00 | - |\n| loop | 2.00 | 3.00 |");
    expect(text).not.toContain("none");
  });
});

describe("runtimes", () => {
  it("have nx on the Node of the newest peer among the usual columns", () => {
    const found = candidates.find(({ name }) => name === "nx-node24")!;
    expect(usual).toContain(found.name);
    expect(found.node).toBe(Math.max(...candidates.map(({ node = 0 }) => node)));
    expect(found.environment).toEqual(candidates.find(({ name }) => name === "nx-using")!.environment);
  });

  it("have a place in the legend of the chart", () => {
    const cell = { least: 8, median: 10, low: 9, high: 11, rounds: 3, agrees: true };
    const peers = usual.map((name) => peer(name, ""));
    const cells = Object.fromEntries(usual.map((name) => [name, cell]));
    const results: TableResults = { ...heading, peers, rows: [{ work: "exp", cells }] };
    const places = [...chart(results).matchAll(/<rect x="(\d+)" y="14"/g)].map(([, x]) => Number(x));
    expect(places).toHaveLength(usual.length);
    expect(places.at(-1)!).toBeLessThan(960 - 60);
  });
});

describe("markers", () => {
  it("are filled, and missed where they are not there", () => {
    const page = "a\n<!-- x: made by `npm run bench -- docs` -->\nold\n<!-- end of x -->\nb";
    const made = "a\n<!-- x: made by `npm run bench -- docs` -->\n\nnew\n\n<!-- end of x -->\nb";
    expect(between(page, "x", "new")).toBe(made);
    expect(() => between(page, "y", "new")).toThrow('the markers of "y" are missing');
  });
});
