/**
 * A slice of what `npm run fuzz` does: other seeds every time, printed. That the fuzzer finds what is wrong is shown by deliberate
 * defects.
 */
import { readFileSync } from "node:fs";
import { extractFrom, runBlock } from "nx-numerics/doctest";
import * as Nx from "nx-numerics";
import { describe, expect, it, vi } from "vitest";
import { arrays } from "../../lib/backends/wasm/arrays";
import { isAnythingWaiting } from "../../lib/backends/wasm/deferred/waiting";
import { fusedGraph, kernelsOf } from "../defn/fuse/support";
import { differenceOf } from "./compare";
import { foundFor, shownBy } from "./defective";
import { DEFECTS } from "./defects";
import { differencesFrom } from "./hashes";
import { recorded } from "./hashed";
import { ROWS } from "./ops";
import { randomProgram } from "./generate";
import { doctestOf } from "./print";
import { EXECUTIONS } from "./executions";
import { Tally } from "./kind";
import { runProgram, tensorOf } from "./program";
import { checkRelease } from "./release";
import { KINDS, run, textOf } from "./runner";

/** The seed of the tests, which the closing lines name. */
const SEED = Number(process.env.NX_TEST_SEED);

/** Seeds of each kind; those of all together take a few seconds. */
const COUNTS: Readonly<Record<string, number>> = {
  programs: 10,
  indexing: 8,
  contractions: 12,
  release: 40,
  gradients: 8,
  onnx: 15,
  readers: 500,
  calls: 1200,
};

describe("random", () => {
  it.each(KINDS.map(([{ name }]) => name))("%s, and nothing is found", { timeout: 60_000 }, (name) => {
    console.log(`${name}: seeds from ${SEED}`);
    const count = COUNTS[name]!;
    const parts = run({ seed: SEED, only: [name], count, milliseconds: Infinity, report: () => undefined });
    const [{ findings, tally }] = parts as [(typeof parts)[number]];
    expect(findings.map(textOf)).toEqual([]);
    expect(tally.checks).toBeGreaterThan(count / 2);
  });

  it("programs of all kinds have a row in the table of the documents", () => {
    const page = readFileSync(new URL("../../docs/reliability.md", import.meta.url), "utf8");
    const rows = KINDS.filter(([{ name, about }]) => new RegExp(`^\\| ${name} +\\| `, "m").test(page) && page.includes(about));
    expect(rows.map(([{ name }]) => name)).toEqual(KINDS.map(([{ name }]) => name));
  }); // prettier-ignore

  it("programs leave nothing that waits, which other settings would find", () => {
    const deferred = EXECUTIONS.filter(({ name }) => name.includes("deferred"));
    expect(deferred.length).toBeGreaterThan(3);
    for (let seed = SEED; seed < SEED + 6; seed++) {
      const { program } = randomProgram(seed, ROWS);
      for (const execution of deferred) {
        execution.run(program);
        expect(isAnythingWaiting()).toBe(false);
      }
    }
  });

  it("files are refused mostly, and programs hardly ever", () => {
    const counted = (only: string, count: number) =>
      run({ seed: 5, only: [only], count, milliseconds: Infinity, report: () => undefined })[0]!.tally;
    const files = counted("readers", 300);
    expect(files.refused).toBeGreaterThan(150);
    expect(files.refused).toBeLessThan(299);
    const made = Array.from({ length: 60 }, (_, seed) => randomProgram(seed, ROWS));
    const steps = made.reduce((sum, { program }) => sum + program.steps.length, 0);
    expect(made.reduce((sum, { refused }) => sum + refused, 0)).toBeLessThan(0.1 * steps);
  });
});

describe("deliberate defects", () => {
  /** Those that show soon; `npm run fuzz -- --defects` looks for all. */
  const SOON = ["unary: odd lengths", "slice: strides above 2 are 2", "indexed: duplicates do not add up", "fft: odd lengths"]; // prettier-ignore

  it.each(DEFECTS.filter(({ name }) => SOON.includes(name)))("$name", { timeout: 60_000 }, async (defect) => {
    const shown = shownBy(defect, 1, 120);
    expect(shown).not.toBeNull();
    const { message, example } = foundFor(defect, shown!, 4000);
    expect(message).toMatch(/^defective, eager: /);
    expect(example.match(/^ {2}const v/gm)).toHaveLength(1); // one step is left
    const [block] = await extractFrom(`\`\`\`ts\n${example}\`\`\`\n`, "found.md");
    const globals = (defective: Nx.Backend) =>
      ({ globals: { Nx: { value: Nx }, defective: { value: defective } } }) as never;
    expect((await runBlock(block!, globals(defect.backend))).status).toBe("failed");
    expect((await runBlock(block!, globals(Nx.binaryBackend))).status).toBe("passed");
  });
});

describe("what is given back too early", () => {
  it("is found where holders are not counted", { timeout: 60_000 }, () => {
    const spy = vi.spyOn(arrays, "keep").mockImplementation((array) => array);
    try {
      let found: string | undefined;
      for (let seed = 1; found === undefined && seed <= 60; seed++) found = checkRelease(seed, new Tally(), 0)?.message;
      expect(found).toMatch(/wait.*: v\d+: element \d+ of/);
    } finally {
      spy.mockRestore();
    }
  });
});

describe("programs", () => {
  it("are the same for the same seed", () => {
    const [a, b] = [randomProgram(11, ROWS).program, randomProgram(11, ROWS).program];
    expect(a).toEqual(b);
  });

  it("become kernels, often several", () => {
    const kernels = Array.from({ length: 60 }, (_, seed) => {
      const { program } = randomProgram(seed, ROWS, { steps: 12, most: 60 });
      return kernelsOf(fusedGraph((...args) => runProgram(program, args), ...program.inputs.map(tensorOf)));
    });
    expect(kernels.filter((list) => list.length > 0).length).toBeGreaterThan(25);
    expect(kernels.filter((list) => list.length > 1).length).toBeGreaterThan(8);
  });

  it("are printed as examples that pass", { timeout: 30_000 }, async () => {
    for (let seed = 30; seed < 42; seed++) {
      const { program, reference } = randomProgram(seed, ROWS, { steps: 4, most: 60 });
      const text = EXECUTIONS[seed % EXECUTIONS.length]!.text;
      const [first] = program.outputs;
      const example = doctestOf({ program: { ...program, outputs: [first!] }, text, expected: reference.get(first!)! });
      const [block] = await extractFrom(`\`\`\`ts\n${example}\`\`\`\n`, `${seed}.md`);
      const result = await runBlock(block!, { globals: { Nx: { value: Nx } } } as never);
      expect(result, example).toEqual({ status: "passed" });
    }
  });
});

describe("differences", () => {
  it.each([
    [Nx.f32([0]), Nx.f32([-0]), "element 0 of f32[1] is 0, expected -0"],
    [Nx.f32([NaN]), Nx.f32([NaN]), null],
    [Nx.f32([1]), Nx.f64([1]), "f32[1], expected f64[1]"],
    [Nx.iota([2], { names: ["x"] }), Nx.iota([2]), "s64[x: 2], expected s64[2]"],
    [Nx.s64([1, 3]), Nx.s64([1, 2]), "element 1 of s64[2] is 3, expected 2"],
    [
      Nx.c64([new Nx.Complex(NaN, 0)]),
      Nx.c64([new Nx.Complex(NaN, -0)]),
      "element 0 of c64[1] is NaN+0.0i, expected NaN-0.0i",
    ],
  ])("%s %s", (a, b, text) => {
    expect(differenceOf(a, b)?.text ?? null).toBe(text);
  });
});

describe("recorded hashes", () => {
  const few = recorded().slice(0, 40);

  it("are those of results on 1, 2 and 4 threads", { timeout: 60_000 }, () => {
    expect(differencesFrom(few, [1, 2, 4])).toEqual([]);
  });

  it("tell other results and other programs", () => {
    const [program, result] = few[0]!.split(" ");
    expect(differencesFrom([`${program} 0`], [1])).toEqual([`program 0 on 1 threads: ${result}, recorded: 0`]);
    expect(differencesFrom([`0 ${result}`], [1])).toEqual(["program 0 is another one than was recorded"]);
  });
});
