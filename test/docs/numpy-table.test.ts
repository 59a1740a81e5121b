/** What the guide for those who know NumPy writes beside each other gives the same numbers. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { otherRows } from "../../scripts/others";
import { readOracle } from "../oracles/read";
import { thunks } from "./thunks";

interface Numbers {
  readonly shape: readonly number[];
  readonly elements: readonly (number | readonly [number, number])[];
}
type Value = Numbers | readonly Value[];

const NUMPY = readOracle<Readonly<Record<string, { readonly numpy: string; readonly is: Value }>>>("numpy-table.json");

/** Codes that give something else, and what it is. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "Nx.LinAlg.eig(m)": "eigenvalues come by descending magnitude, and are complex",
  "Nx.LinAlg.eigh(m)": "eigenvalues come by descending magnitude",
  "Nx.LinAlg.qr(m)": "columns may have the other sign",
  "Nx.LinAlg.svd(m)": "vectors may have the other sign",
  "Nx.broadcast(x, a)": "one array of those that np.broadcast_arrays gives",
  "Nx.real(c)": "np.real_if_close keeps imaginary parts that are not small",
};

/** Tensors and numbers as the file has them; booleans are numbers, and so is everything of which an array can be made. */
function numbersOf(value: unknown): Value {
  if (Array.isArray(value) && value.some((item) => item instanceof Nx.Tensor)) return value.map(numbersOf);
  const t = value instanceof Nx.Tensor ? value : Nx.tensor(value as never);
  const elements = Nx.toList(t.flatten()) as readonly (number | bigint | Nx.Complex)[];
  return { shape: t.shape, elements: elements.map((z) => (z instanceof Nx.Complex ? [z.re, z.im] : Number(z))) };
}

/** Whether numbers are alike to six digits. */
function isAlike(actual: Value, expected: Value): boolean {
  if ("shape" in actual !== "shape" in expected) return false;
  if (!("shape" in actual)) {
    const others = expected as readonly Value[];
    return actual.length === others.length && actual.every((value, i) => isAlike(value, others[i]!));
  }
  const { shape, elements } = expected as Numbers;
  const [mine, theirs] = [actual.elements.flat(), elements.flat()];
  return (
    actual.shape.join() === shape.join() &&
    mine.length === theirs.length &&
    mine.every((z, i) => Math.abs(z - theirs[i]!) <= 1e-6 * Math.max(1e-3, Math.abs(theirs[i]!)))
  );
}

describe("the tables beside NumPy", async () => {
  const entries = Object.entries(NUMPY);
  const values = await thunks(entries.map(([ours]) => ours));

  it.each(entries.map(([ours, { numpy, is }], i) => [ours, numpy, is, values[i]!] as const))(
    "%s is %s",
    (ours, _, is, value) => {
      expect(isAlike(numbersOf(value()), is)).toBe(!(ours in OTHERWISE));
    },
  );

  it("are those that were computed", () => {
    const written = new Set(otherRows().flatMap(({ library, here }) => (library === "NumPy" ? [here] : [])));
    expect(entries.length).toBeGreaterThan(200);
    const gone = entries.filter(([ours]) => ![...written].some((cell) => cell.includes(ours)));
    expect(gone.map(([ours]) => ours)).toEqual([]);
  });
});
