/** The programs of complex functions in the TypeScript executor, against results in high precision and C99 (Annex G). */
import { describe, expect, it } from "vitest";
import { Builder } from "../../../lib/kernel/builder";
import { tapeOf, type Tape } from "../../../lib/kernel/interpret/tape";
import { unaryPrograms } from "../../../lib/kernel/special/brought";
import { sqrt } from "../../../lib/kernel/special/complex/root";
import "../../../lib/kernel/special/names";
import { SPECIAL_UNARY, UNARY, type SpecialUnary } from "../../../lib/ops";
import type { Value } from "../../../lib/kernel/value";
import { edgeMisses, misses, notConjugate, notOdd, oracle, type Judged } from "../../oracles/complex";

const NAMES = [...SPECIAL_UNARY.filter((name) => UNARY[name].rule === "floating"), "sqrt"];

function tapeFor(name: string): Tape {
  const k = new Builder();
  const input = k.input("c128");
  const z = [k.load(input, 0), k.load(input, 1)] as [Value<"f64">, Value<"f64">];
  const program = name === "sqrt" ? sqrt : unaryPrograms(name as SpecialUnary).complex!;
  return tapeOf(k.kernel([{ type: "c128", values: program(k, z) }]));
}

const tapes = new Map(NAMES.map((name) => [name, tapeFor(name)]));

const call: Judged = (name, args) => {
  const tape = tapes.get(name)!;
  for (const { part, register } of tape.loads) register.f64[0] = args[part]!;
  tape.run(1);
  const [re, im] = tape.outputs[0]!;
  return [re!.f64[0]!, im!.f64[0]!];
};

const known = (rows: object): string[] => NAMES.filter((name) => name in rows);

describe("programs of complex functions", () => {
  it("are judged", () => {
    expect(NAMES.filter((name) => !(name in oracle.unary && name in oracle.edges))).toEqual([]);
  });

  it.each(known(oracle.unary))("%s against results computed in high precision", (name) => {
    expect(misses(call, name, oracle.unary[name]!)).toEqual([]);
  });

  it.each(known(oracle.edges))("%s at zeros, infinities, NaN and the sides of branch cuts", (name) => {
    expect(edgeMisses(call, name, oracle.edges[name]!)).toEqual([]);
  });

  it.each(NAMES)("%s of the conjugate is the conjugate", (name) => {
    expect(notConjugate(call, name)).toEqual([]);
  });

  it.each(["sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh"])("%s is odd", (name) => {
    expect(notOdd(call, name)).toEqual([]);
  });

  it("keep tan and tanh finite for large arguments", () => {
    expect(call("tanh", [1000, 0])).toEqual([1, 0]);
    expect(call("tan", [0.5, -1000])).toEqual([0, -1]);
  });
});
