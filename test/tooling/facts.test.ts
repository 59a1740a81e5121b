/** What the reference says of every function is derived, whole, and agrees with what is known otherwise. */
import { BINARY_OPS, UNARY_OPS } from "nx-numerics/backend";
import * as Nx from "nx-numerics";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { facts, type Facts } from "../../scripts/facts";
import { rowsOf } from "../../scripts/accuracy/table";
import { CALLED } from "../calls/table";

let all: Readonly<Record<string, Facts>> = {};

beforeAll(() => {
  vi.spyOn(console, "log").mockReturnValue();
  all = facts();
}, 120_000);

afterAll(() => {
  vi.restoreAllMocks();
  Nx.globalDefaultBackend("auto");
  Nx.configureFromFile({}, "the end of a test");
});

const PUBLIC = [...new Set(CALLED.filter(({ isMethod }) => !isMethod).map(({ name }) => name.replace(/^Nx\./, "")))];

describe("facts", () => {
  it("are there of every function, each one said", () => {
    expect(PUBLIC.filter((name) => !Object.hasOwn(all, name))).toEqual([]);
    const lacking = PUBLIC.filter((name) => Object.values(all[name]!).some((fact: string) => fact.length < 3));
    expect(lacking).toEqual([]);
    expect(Object.values(all).every((one) => Object.keys(one).length === 5)).toBe(true);
  });

  it("have a gradient for what is smooth, zeros for what goes in steps, none for what gives flags or whole numbers", () => {
    const expected = { floating: /^yes/, floatingReal: /^yes/, magnitude: /^yes/, part: /^yes/, complex: /^yes/, rounding: /^zero/, test: /^none/, bits: /^none/ }; // prettier-ignore
    const wrong = Object.entries(UNARY_OPS).flatMap(([name, { rule }]) =>
      rule in expected && !expected[rule as keyof typeof expected].test(all[name]!.gradient)
        ? [`${name} (${rule}): ${all[name]!.gradient}`]
        : [],
    );
    expect(wrong).toEqual([]);
  });

  it("say which type comes of which as the rules of the ops have it", () => {
    const expected = {
      floating: "whole numbers: `f32`; floats, complex numbers: as they are",
      floatingReal: "whole numbers: `f32`; floats: as they are; complex numbers: refused",
      rounding: "whole numbers, floats: as they are; complex numbers: refused",
      bits: "whole numbers: as they are; floats, complex numbers: refused",
    };
    const rows = Object.entries(UNARY_OPS).filter(([, { rule }]) => rule in expected);
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.map(([name]) => [name, all[name]!.types])).toEqual(
      rows.map(([name, { rule }]) => [name, expected[rule as keyof typeof expected]]),
    );
  });

  it("have the measured accuracy of special functions", () => {
    const ops = new Set([...Object.keys(UNARY_OPS), ...Object.keys(BINARY_OPS)]);
    const special = Object.entries(rowsOf("f32")).filter(([name]) => ops.has(name) && all[name]);
    expect(special.length).toBeGreaterThan(30);
    const wrong = special.filter(([name, row]) => !all[name]!.accuracy.includes(`${row.worst.toFixed(3)} ulp`));
    expect(wrong.map(([name]) => [name, all[name]!.accuracy])).toEqual([]);
  });

  it("read as they should", () => {
    expect(all.softmax).toEqual({
      names: 'as the operand: every axis keeps its name. `Nx.softmax(xyz, { axis: "y" })` has `x`, `y`, `z`.',
      types: "whole numbers: `f32`; floats: as they are; complex numbers: refused",
      gradient: "yes",
      accuracy:
        "each step correctly rounded; `sum` accumulated in 64 bits, rounded once; `exp` within their own bounds",
      cost: "of `f32[x: 2][y: 3]`: 26 operations in 1 kernel, 24 bytes read, 24 bytes written",
    });
    expect(all["Random.gamma"]!.gradient).toContain("has no gradient with respect to its parameters");
    expect(all.toList!.gradient).toContain("gives values of JavaScript");
    expect(all.argmax!.types).toBe("whole numbers, floats: `s64`; complex numbers: refused");
    expect(all.sort!.accuracy).toBe("exact");
  });
});
