import { describe, expect, it } from "vitest";
import * as complexMath from "../../lib/core/complex-math";
import { decode, readOracle, ulp, ulpsApart, type Coded } from "../oracles/read";
import { COMPLEX_PART_ULP, COMPLEX_POW_ULP_PER_LOG, COMPLEX_ULP, EDGE_ULP } from "../tolerances";

type Rows = Record<string, Coded[][]>;

interface ComplexOracle {
  unary: Rows;
  edges: Rows;
  binary: Rows;
  binaryEdges: Rows;
}

const oracle = readOracle<ComplexOracle>("complex.json");
const functions = complexMath as unknown as Record<string, (...args: unknown[]) => void>;
const cancels = new Set(["expm1", "log1p", "log", "sigmoid", "multiply", "divide", "pow"]);

function call(name: string, args: number[]): [number, number] {
  const out = new Float64Array(4);
  (functions[name] as (...args: unknown[]) => void)(...args, out, 1);
  if (out[0] !== 0 || out[3] !== 0) throw new Error(`${name} wrote outside its place`);
  return [out[1] as number, out[2] as number];
}

/** How far off a result is, of what is allowed: 1 is the limit. */
function offLimit(name: string, actual: [number, number], expected: [number, number], scale: number): number {
  const larger = Math.max(Math.abs(expected[0]), Math.abs(expected[1]));
  return Math.max(
    ...[0, 1].map((part) => {
      const [got, wanted] = [actual[part] as number, expected[part] as number];
      if (!Number.isFinite(larger) || !cancels.has(name)) return ulpsApart(got, wanted) / (COMPLEX_PART_ULP * scale);
      return Math.abs(got - wanted) / ulp(larger) / (COMPLEX_ULP * scale);
    }),
  );
}

function misses(name: string, rows: Coded[][], scaleOf: (args: number[]) => number = () => 1): string[] {
  return rows.flatMap((row) => {
    const numbers = row.map(decode);
    const args = numbers.slice(0, -2);
    const expected = numbers.slice(-2) as [number, number];
    const actual = call(name, args);
    const off = offLimit(name, actual, expected, scaleOf(args));
    return off <= 1 ? [] : [`${name}(${args.join(", ")}) = ${actual.join(", ")}, expected ${expected.join(", ")}`];
  });
}

function edgeMisses(name: string, rows: Coded[][]): string[] {
  return rows.flatMap((row) => {
    const numbers = row.map(decode);
    const actual = call(name, numbers.slice(0, -2));
    const expected = numbers.slice(-2);
    const fine = actual.every((part, i) => ulpsApart(part, expected[i] as number) <= EDGE_ULP);
    return fine
      ? []
      : [`${name}(${numbers.slice(0, -2).join(", ")}) = ${actual.join(", ")}, expected ${expected.join(", ")}`];
  });
}

/** |w log z|, by which exp(w log z) magnifies errors. */
function magnification([ar, ai, br, bi]: number[]): number {
  const log = Math.hypot(Math.log(Math.hypot(ar as number, ai as number)), Math.atan2(ai as number, ar as number));
  return Math.max(1, (COMPLEX_POW_ULP_PER_LOG / COMPLEX_ULP) * Math.hypot(br as number, bi as number) * log);
}

describe("against results computed in high precision", () => {
  it.each(Object.keys(oracle.unary))("%s", (name) => {
    expect(misses(name, oracle.unary[name] as Coded[][])).toEqual([]);
  });

  it.each(["add", "subtract", "multiply", "divide"])("%s", (name) => {
    expect(misses(name, oracle.binary[name] as Coded[][])).toEqual([]);
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
    expect(misses("pow", oracle.binary["pow"] as Coded[][], magnification)).toEqual([]);
  });
});

describe("zeros, infinities, NaN and the sides of branch cuts", () => {
  it.each(Object.keys(oracle.edges))("%s", (name) => {
    expect(edgeMisses(name, oracle.edges[name] as Coded[][])).toEqual([]);
  });

  it.each(Object.keys(oracle.binaryEdges))("%s", (name) => {
    expect(edgeMisses(name, oracle.binaryEdges[name] as Coded[][])).toEqual([]);
  });
});

/** Points in all quadrants, with both zeros: enough to see every symmetry. */
const grid = [-Infinity, -30.5, -2, -1, -0.25, -0, 0, 0.25, 1, 2, 30.5, Infinity, NaN];

describe("symmetries", () => {
  const conjugateSymmetric = Object.keys(oracle.unary);
  it.each(conjugateSymmetric)("%s of the conjugate is the conjugate", (name) => {
    for (const re of grid) {
      for (const im of grid) {
        const [x, y] = call(name, [re, im]);
        const [u, v] = call(name, [re, -im]);
        expect([name, re, im, Math.abs(u), Math.abs(v)]).toEqual([name, re, im, Math.abs(x), Math.abs(y)]);
        if (Number.isFinite(re) && Number.isFinite(im)) expect([name, re, im, u, v]).toEqual([name, re, im, x, -y]);
      }
    }
  });

  it.each(["sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh"])("%s is odd", (name) => {
    for (const re of grid) {
      for (const im of grid) {
        if (!Number.isFinite(re) || !Number.isFinite(im)) continue;
        const [x, y] = call(name, [re, im]);
        expect([name, re, im, ...call(name, [-re, -im])]).toEqual([name, re, im, -x, -y]);
      }
    }
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

  it("keeps tan and tanh finite for large arguments", () => {
    expect(call("tanh", [1000, 0])).toEqual([1, 0]);
    expect(call("tan", [0.5, -1000])).toEqual([0, -1]);
  });
});
