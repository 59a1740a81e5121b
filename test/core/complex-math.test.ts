import { describe, expect, it } from "vitest";
import * as complexMath from "../../lib/core/complex-math";
import { edgeMisses, misses, notConjugate, oracle, type Judged } from "../oracles/complex";
import { decode, ulpsApart, type Coded } from "../oracles/read";
import { COMPLEX_PART_ULP, COMPLEX_POW_ULP_PER_LOG, COMPLEX_ULP } from "../tolerances";

const functions = complexMath as unknown as Record<string, (...args: unknown[]) => void>;

const call: Judged = (name, args) => {
  const out = new Float64Array(4);
  (functions[name] as (...args: unknown[]) => void)(...args, out, 1);
  if (out[0] !== 0 || out[3] !== 0) throw new Error(`${name} wrote outside its place`);
  return [out[1] as number, out[2] as number];
};

/** |w log z|, by which exp(w log z) magnifies errors. */
function magnification([ar, ai, br, bi]: number[]): number {
  const log = Math.hypot(Math.log(Math.hypot(ar as number, ai as number)), Math.atan2(ai as number, ar as number));
  return Math.max(1, (COMPLEX_POW_ULP_PER_LOG / COMPLEX_ULP) * Math.hypot(br as number, bi as number) * log);
}

describe("against results computed in high precision", () => {
  it.each(["sqrt", "sign"])("%s", (name) => {
    expect(misses(call, name, oracle.unary[name] as Coded[][])).toEqual([]);
  });

  it.each(["add", "subtract", "multiply", "divide"])("%s", (name) => {
    expect(misses(call, name, oracle.binary[name] as Coded[][])).toEqual([]);
  });

  it("integer powers, both parts to the last place", () => {
    for (const row of oracle.binary["powInteger"] as Coded[][]) {
      const numbers = row.map(decode);
      const actual = call("pow", numbers.slice(0, 4));
      expect(actual.map((part, i) => ulpsApart(part, numbers[4 + i] as number) <= COMPLEX_PART_ULP)).toEqual([
        true,
        true,
      ]);
    }
  });

  it("other powers", () => {
    expect(misses(call, "pow", oracle.binary["pow"] as Coded[][], magnification)).toEqual([]);
  });
});

describe("zeros, infinities, NaN and the sides of branch cuts", () => {
  it.each(["sqrt", "sign"])("%s", (name) => {
    expect(edgeMisses(call, name, oracle.edges[name] as Coded[][])).toEqual([]);
  });

  it.each(Object.keys(oracle.binaryEdges))("%s", (name) => {
    expect(edgeMisses(call, name, oracle.binaryEdges[name] as Coded[][])).toEqual([]);
  });
});

describe("symmetries", () => {
  it.each(["sqrt", "sign"])("%s of the conjugate is the conjugate", (name) => {
    expect(notConjugate(call, name)).toEqual([]);
  });
});

describe("real and simple members", () => {
  it("gives size and angle as numbers", () => {
    expect(complexMath.abs(3, -4)).toBe(5);
    expect(complexMath.abs(1e308, 1e308)).toBeCloseTo(1.4142135623730951e308, -295);
    expect(complexMath.phase(-1, 0)).toBe(Math.PI);
    expect(complexMath.phase(-1, -0)).toBe(-Math.PI);
  });

  it("negates and conjugates, zeros too", () => {
    expect(call("negate", [1, 0])).toEqual([-1, -0]);
    expect(call("conjugate", [1, 0])).toEqual([1, -0]);
  });

  it("writes its results over its operands where asked to", () => {
    const data = Float64Array.of(1, 2, 3, 4);
    complexMath.multiply(data[0] as number, data[1] as number, data[2] as number, data[3] as number, data, 0);
    expect([...data]).toEqual([-5, 10, 3, 4]);
  });
});
