/**
 * The search for slow ways: what counts as slow, and that what is timed is the program of the fuzzer. Times are not looked at.
 */
import { describe, expect, it } from "vitest";
import { functionOf, programOf, slowOf } from "../../bench/search/search";
import { expressionsOf, isNode, runProgram, tensorOf } from "../fuzz/program";
import { refsOf } from "../fuzz/shrink";

describe("a way is slow", () => {
  it.each([
    ["no more than 20 us longer", { defn: 30, eager: 11, immediate: 12 }, null],
    ["compiled", { defn: 300, eager: 150, immediate: 100 }, ["defn", "immediate", 3]],
    ["compiled, beside binary", { defn: 300, eager: 300, immediate: 300, binary: 150 }, ["defn", "binary", 2]],
    ["no more than thrice as long op by op", { defn: 100, eager: 300, immediate: 290 }, null],
    ["op by op", { defn: 50, eager: 300, immediate: 290 }, ["eager", "defn", 6]],
    ["as work that waits", { defn: 150, eager: 400, immediate: 200 }, ["eager", "immediate", 2]],
    ["on wasm", { defn: 150, eager: 380, immediate: 380, binary: 190 }, ["eager", "binary", 2]],
  ] as const)("%s", (_, times, expected) => {
    const found = slowOf(times);
    expect(found && [found.way, found.beside, found.ratio]).toEqual(expected);
  });
});

describe("programs that are timed", () => {
  const made = Array.from({ length: 30 }, (_, seed) => programOf(seed)).filter((program) => program !== null);

  it("depend on their inputs in each step", () => {
    expect(made.length).toBeGreaterThan(20);
    for (const { steps } of made) expect(steps.filter((step) => refsOf([step]).size === 0)).toEqual([]);
  });

  it("have no steps in functions that nobody reads", () => {
    for (const { steps } of made) {
      const inside = [...expressionsOf(steps)].flatMap((expr) => (isNode(expr) && expr.$ === "body" ? expr.steps : []));
      expect(inside.filter(({ id }) => !refsOf(steps).has(id))).toEqual([]);
    }
  });

  it("are the code that is printed", () => {
    for (const program of made) {
      const given = program.inputs.map(tensorOf);
      expect(functionOf(program)(...given).map(String)).toEqual(runProgram(program, given).map(String));
    }
  });
});
