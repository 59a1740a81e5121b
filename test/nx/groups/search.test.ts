/** Places among sorted numbers, natively and as the composite, by the definition: how many of the numbers lie in front. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { nativeBlock } from "../../../lib/backends/binary/native";

const LINES: readonly (readonly number[])[] = [
  [3],
  [1, 1],
  [1, 2, 3],
  [-4, -4, 0, 1, 1, 1, 7],
  Array.from({ length: 64 }, (_, i) => Math.floor(i / 3) - 8),
  Array.from({ length: 101 }, (_, i) => i - 20),
];
const SPECIAL = [-Infinity, NaN, Infinity, -0, 0, 0.5];
const FLOATS = ["f64", "f32", "f16", "bf16"] as const;
const INTEGERS = ["s64", "s32", "s8"] as const;

const isBelow = (a: number, b: number): boolean => a < b || (Number.isNaN(b) && !Number.isNaN(a));
const placesOf = (line: readonly number[], values: readonly number[], side: "left" | "right"): number[] =>
  values.map((x) => line.filter((one) => (side === "left" ? isBelow(one, x) : !isBelow(x, one))).length);

describe.each(["left", "right"] as const)("places at the %s", (side) => {
  const check = (type: Nx.DType, line: readonly number[], values: readonly number[], more: Nx.DType = type): void => {
    const [sorted, x] = [Nx.tensor([...line], { type }), Nx.tensor([...values], { type: more })];
    const wanted = placesOf(line, values, side);
    expect(Nx.searchsorted(sorted, x, { side }).toNumbers(), `${type} ${line.length}`).toEqual(wanted);
    expect(Nx.defn(() => Nx.searchsorted(sorted, x, { side }))().toNumbers(), `compiled ${type}`).toEqual(wanted);
    // of each entry for itself, which no backend does natively
    expect(
      Nx.Defn.vmap((t: Nx.Operand) => Nx.searchsorted(sorted, t, { side }))(x).toNumbers(),
      `composite ${type}`,
    ).toEqual(wanted);
  };

  it.each(FLOATS)("of %s, NaN last", (type) => {
    const lines = [...LINES, [...LINES[3]!, Infinity], [-Infinity, -0, 0, 2, NaN, NaN]];
    for (const line of lines) check(type, line, [...SPECIAL, ...line, -100, 100]);
  });

  it.each(INTEGERS)("of %s", (type) => {
    for (const line of LINES) check(type, line, [...line, -100, 100, 5, 6]);
  });

  it("of different types", () => {
    for (const line of LINES) check("s64", line, SPECIAL, "f32");
    check("f64", [0.25, 0.5, 7], [0, 1, 7, 8], "s64");
  });

  it("of more numbers than are taken at once", () => {
    const values = Array.from({ length: 2500 }, (_, i) => (i * 37) % 101);
    check("f32", LINES[5]!, values);
  });
});

it("of integers that doubles do not hold is left to the composite", () => {
  const line = Nx.tensor([2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n], { type: "s64" });
  const out = { type: "s64", shape: [3], names: [null] } as const;
  expect(nativeBlock("searchsorted")!(out, [line, line], { isRight: false }, undefined as never)).toBe(null);
  expect(Nx.searchsorted(line, line).toNumbers()).toEqual([0, 1, 2]);
  expect(Nx.searchsorted(line, line, { side: "right" }).toNumbers()).toEqual([1, 2, 3]);
});
