/**
 * Programs that are timed side by side compute the same: the hand-written loop is the reference, and nx-numerics agrees with
 * it compiled, node by node, and on the reference backend. Times are not looked at.
 */
import { afterEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { dataOf } from "../../bench/peers/data";
import type { InputSpecs } from "../../bench/peers/protocol";
import { handPrograms } from "../../bench/programs/hand";
import { nxPrograms } from "../../bench/programs/nx";
import { encode } from "../../bench/programs/onnx/encode";
import { models } from "../../bench/programs/onnx/models";
import { programs, smallInputs } from "../../bench/programs/works";

const numbersOf = (result: Nx.Tensor | Nx.Tensor[]): number[] =>
  [result].flat().flatMap((part) => Array.from(part.toTypedArray() as ArrayLike<number>));

const tensorsOf = (inputs: InputSpecs): Record<string, Nx.Tensor> =>
  Object.fromEntries(Object.entries(inputs).map(([k, spec]) => [k, Nx.tensor(dataOf(spec)).reshape(spec.shape)]));

const plainOf = (inputs: InputSpecs) =>
  Object.fromEntries(Object.entries(inputs).map(([k, spec]) => [k, { data: dataOf(spec), shape: spec.shape }]));

/** The tolerance that the table has for a program. */
const toleranceOf = (run: string) => programs.find((work) => work.run === run)!.tolerance;

function expectClose(actual: readonly number[], expected: readonly number[], run: string): void {
  const { absolute, relative } = toleranceOf(run);
  expect(actual).toHaveLength(expected.length);
  const off = expected.flatMap((value, i) =>
    Math.abs(actual[i]! - value) <= absolute + relative * Math.abs(value) ? [] : [{ i, value, actual: actual[i] }],
  );
  expect(off.slice(0, 5)).toEqual([]);
}

const COMPILERS = ["optimizing", "evaluator"] as const;
const runs = Object.keys(nxPrograms);

describe("the table of programs", () => {
  it("has small operands for every program, and a row for it", () => {
    expect(Object.keys(smallInputs).sort()).toEqual([...runs].sort());
    expect(runs.filter((run) => !programs.some((work) => work.run === run))).toEqual([]);
  });

  it("has names of its own", () => {
    const names = programs.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("programs agree with loops written by hand", () => {
  const usual = Nx.Defn.defaultOptions();
  afterEach(() => void Nx.Defn.defaultOptions(usual));

  const both = runs.filter((run) => Object.hasOwn(handPrograms, run));

  describe.each(COMPILERS)("with the compiler %s", (compiler) => {
    it.each(both)("%s", (run) => {
      Nx.Defn.defaultOptions({ compiler });
      const inputs = smallInputs[run]!;
      const expected = Array.from(handPrograms[run]!(plainOf(inputs))());
      expectClose(numbersOf(nxPrograms[run]!(tensorsOf(inputs))()), expected, run);
    });
  });

  it.each(runs)("on the reference backend: %s", (run) => {
    const inputs = smallInputs[run]!;
    const expected = numbersOf(nxPrograms[run]!(tensorsOf(inputs))());
    const reference = Nx.withDefaultBackend("binary", () => numbersOf(nxPrograms[run]!(tensorsOf(inputs))()));
    expectClose(reference, expected, run);
  });
});

describe("models", () => {
  it.each(Object.keys(models))("use what is there, of the weights and earlier nodes: %s", (run) => {
    const { nodes, weights, input, output } = models[run]!(plainOf(smallInputs[run]!));
    const known = new Set([input.name, ...Object.keys(weights)]);
    for (const node of nodes) {
      expect(node.inputs.filter((name) => !known.has(name))).toEqual([]);
      known.add(node.output);
    }
    expect(nodes.at(-1)!.output).toBe(output);
    expect(Object.keys(weights).filter((name) => !nodes.some(({ inputs }) => inputs.includes(name)))).toEqual([]);
  });

  it("are written as protocol buffers", () => {
    const bytes = encode({
      nodes: [{ op: "Sum", inputs: ["x", "w"], output: "y", attributes: { a: 3, b: 0.5, c: [1, -1] } }],
      weights: { w: { data: Float32Array.of(1, 2), shape: [2] }, s: [300] },
      input: { name: "x", shape: [2] },
      output: "y",
    });
    expect(Buffer.from(bytes).toString("hex")).toMatchInlineSnapshot(
      `"08093a87010a3a0a01780a0177120179220353756d2a080a01611803a001022a0b0a0162150000003fa001012a130a0163400140ffffffffffffffffff01a00107120770726f6772616d2a11080210014201774a080000803f000000402a11080110074201734a082c010000000000005a0f0a0178120a0a08080112040a02080262090a017912040a02080142040a001014"`,
    );
  });
});
