/** Every function against NumPy and SciPy. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { decode, readOracle, type Coded } from "../oracles/read";
import { LINALG_RESIDUAL } from "../tolerances";
import { epsilonOf, largest, tensorOf, wide } from "./support";

type Number = Coded | readonly [Coded, Coded];

interface Case {
  readonly fn: keyof typeof Nx.LinAlg;
  readonly type: "f64" | "c128";
  readonly shapes: readonly (readonly number[])[];
  readonly data: readonly (readonly Number[])[];
  readonly options?: Readonly<Record<string, unknown>> & { readonly power?: number; readonly ord?: Coded };
  readonly cond: number;
  readonly results: readonly { readonly shape: readonly number[]; readonly values: readonly Number[] }[];
}

/** Of each part of a result the sign or phase that is left open, brought to that of the reference. */
function settled(fn: Case["fn"], parts: readonly Nx.Tensor[]): readonly Nx.Tensor[] {
  if (fn !== "qr") return parts;
  const [q, r] = parts as [Nx.Tensor, Nx.Tensor];
  const diagonal = Nx.takeDiagonal(r);
  const phase = Nx.divide(diagonal, Nx.abs(diagonal));
  const isComplex = q.type === "c64" || q.type === "c128";
  return [
    Nx.multiply(q, Nx.newAxis(phase, -2)),
    Nx.multiply(r, Nx.newAxis(isComplex ? Nx.conjugate(phase) : phase, -1)),
  ];
}

function call({ fn, options = {} }: Case, operands: readonly Nx.Tensor[]): readonly Nx.Tensor[] {
  const { power, ...rest } = options;
  const given = "ord" in rest && typeof rest.ord === "string" && rest.ord.endsWith("Infinity");
  const last = power !== undefined ? [power] : [given ? { ...rest, ord: decode(rest.ord!) } : rest];
  const takes = Object.keys(options).length > 0 ? last : [];
  const result = (Nx.LinAlg[fn] as (...all: unknown[]) => Nx.Tensor | Nx.Tensor[])(...operands, ...takes);
  return settled(fn, Array.isArray(result) ? result : [result as Nx.Tensor]);
}

const cases = ["linalg.json", "linalg-functions.json"].flatMap((file) => readOracle<{ cases: Case[] }>(file).cases);
const TYPES = { f64: ["f64", "f32"], c128: ["c128", "c64"] } as const;
const FUNCTIONS = [...new Set(cases.map(({ fn }) => fn))];

it("has cases of every function but the adjoint", () => {
  expect([...FUNCTIONS, "adjoint"].sort()).toEqual(Object.keys(Nx.LinAlg).sort());
});

describe.each(FUNCTIONS)("%s", (fn) => {
  it.each(
    cases
      .filter((one) => one.fn === fn)
      .map((one, i) => [i, one.type, JSON.stringify(one.options ?? {}), one] as const),
  )("case %i, %s, %s", (_, __, ___, one) => {
    for (const type of TYPES[one.type]) {
      const operands = one.shapes.map((shape, i) => tensorOf(one.data[i]!, shape, type));
      const parts = call(one, operands);
      expect(parts.length).toBe(one.results.length);
      parts.forEach((part, i) => {
        const { shape, values } = one.results[i]!;
        const exact = tensorOf(values, shape, values.some(Array.isArray) ? "c128" : "f64");
        const [is, ought] = [wide(part), wide(exact)];
        expect(part.shape).toEqual(shape);
        const apart = largest(Nx.subtract(is, ought));
        const rows = Math.max(1, ...one.shapes[0]!);
        expect(apart, type).toBeLessThanOrEqual(LINALG_RESIDUAL * rows * one.cond * epsilonOf(type) * largest(ought));
      });
    }
  });
});
