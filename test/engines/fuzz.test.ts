/**
 * Steps of random programs (`test/fuzz`) on onnxruntime: what it computes of the values that each step had is within what it rounds. The seeds
 * are fixed, since some differences of onnxruntime show once in thousands of steps; `NX_ENGINE_SEEDS=5000-6000` takes others.
 */
import * as Nx from "nx-numerics";
import { onnxruntime, type Engine } from "nx-numerics/onnxruntime";
import { expect, it } from "vitest";
import { ROWS } from "../fuzz/ops";
import { InternalError, randomProgram } from "../fuzz/generate";
import { alone } from "../fuzz/onnx";
import { functionsIn, runProgram, tensorOf, type Program } from "../fuzz/program";
import { compare } from "./compare";
import { describeWith, findEngine } from "./find";

const engine = await findEngine<Engine>("onnxruntime-node");

const [FIRST, LAST] = (process.env["NX_ENGINE_SEEDS"] ?? "1-20").split("-").map(Number) as [number, number];

/** The steps of the program of a seed, each by itself, with what it gives. */
function stepsOf(seed: number): (readonly [program: Program, expected: Nx.Tensor])[] {
  try {
    const { program, reference } = randomProgram(seed, ROWS, { steps: 6, most: 60 });
    return program.steps.map((step) => [alone(step, reference), reference.get(step.id)!] as const);
  } catch (error) {
    if (error instanceof InternalError) return []; // what `npm run fuzz` looks for
    throw error;
  }
}

/** What is wrong with a step; an empty text where nothing is, null where there is no model. */
async function wrongWith(own: Engine, program: Program, expected: Nx.Tensor): Promise<string | null> {
  const args = program.inputs.map(tensorOf);
  const fn = (...given: Nx.Tensor[]): Nx.Tensor => runProgram(program, given)[0]!;
  try {
    const run = await onnxruntime(fn, args as never, { engine: own, threads: 1, session: { logSeverityLevel: 4 } });
    const got = await run(...(args as never[]));
    await run.dispose();
    if (String(got.names) !== String(expected.names)) return `names ${got.names}, expected ${expected.names}`;
    const { nearness, text } = compare(expected, got, undefined, true);
    return nearness === "far" ? text : "";
  } catch (error) {
    return error instanceof Nx.ArgumentError ? null : String(error);
  }
}

describeWith("onnxruntime-node", engine, (own) => {
  it("computes steps of random programs nearly", { timeout: 600_000 }, async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (let seed = FIRST; seed <= LAST; seed++) {
      for (const [program, expected] of stepsOf(seed)) {
        const text = await wrongWith(own, program, expected);
        if (text !== null) compared++;
        if (text) wrong.push(`seed ${seed}, ${functionsIn(program).join(", ")}: ${text}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(3 * (LAST - FIRST));
  });
});
