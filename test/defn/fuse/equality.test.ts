import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Backend, Tensor } from "nx-numerics";
import { awkward, BACKENDS, differences, kernelsOf, fusedGraph, programs, runProgram, type Program } from "./support";
import { tries } from "../../effort";

/** Fused, evaluated node by node, and eager results are the same. */
function check(backend: Backend, program: Program, seed: number): void {
  const args = program.args.map(({ type, shape }, i) => awkward(backend, type, shape, seed + i));
  const fn = (...tensors: Tensor[]) => runProgram(program, tensors);
  Nx.withDefaultBackend(backend, () => {
    const evaluated = Nx.defn(fn, { compiler: "evaluator" })(...args);
    expect(differences(evaluated, fn(...args))).toBeNull();
    expect(differences(Nx.defn(fn, { compiler: "optimizing" })(...args), evaluated)).toBeNull();
  });
}

describe.each(BACKENDS)("fused kernels on %s give the bits of the ops by themselves", (_name, backend) => {
  it("for random functions of small tensors", () => {
    fc.assert(
      fc.property(programs([1, 2, 3, 3, 3, 4]), fc.nat(1e6), (program, seed) => check(backend, program, seed)),
      { numRuns: tries(250) },
    );
  });

  it("for random functions of tensors of one shape, which become few kernels", () => {
    fc.assert(
      fc.property(programs([5], 50), fc.nat(1e6), (program, seed) => check(backend, program, seed)),
      { numRuns: tries(150) },
    );
  });

  it("for random functions of tensors of several blocks", () => {
    fc.assert(
      fc.property(programs([1, 33, 70], 15), fc.nat(1e6), (program, seed) => check(backend, program, seed)),
      { numRuns: tries(40) },
    );
  });
});

describe("random functions", () => {
  it("are fused at all", () => {
    const [, backend] = BACKENDS[0]!;
    const counts = fc.sample(programs([3], 30), { numRuns: 60, seed: 7 }).map((program) => {
      const args = program.args.map(({ type, shape }, i) => awkward(backend, type, shape, i));
      return kernelsOf(fusedGraph((...tensors) => runProgram(program, tensors), ...args)).length;
    });
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(25);
    expect(counts.filter((count) => count > 1).length).toBeGreaterThan(8);
  });
});
