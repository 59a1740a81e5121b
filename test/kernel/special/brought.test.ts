/** Special functions come with their programs: each name brings those of its own, and what no function brought is an error. */
import { describe, expect, it } from "vitest";
import { binaryPrograms, unaryPrograms } from "../../../lib/kernel/special/brought";
import { SPECIAL_OF_ONE, SPECIAL_OF_TWO } from "../../../lib/kernel/special/names";
import { pow } from "../../../lib/core/complex-math";
import * as exponential from "../../../lib/kernel/special/complex/exponential";
import * as hyperbolic from "../../../lib/kernel/special/complex/hyperbolic";
import * as inverse from "../../../lib/kernel/special/complex/inverse";
import * as logarithmic from "../../../lib/kernel/special/complex/logarithmic";
import * as roots from "../../../lib/kernel/special/complex/roots";
import { SPECIAL_BINARY, SPECIAL_UNARY, UNARY, type SpecialUnary } from "../../../lib/ops";

/** What a program is called where it is written; those that are made by a function have no name of their own. */
const isOf = (program: { readonly name: string }, name: string): boolean => ["", name].includes(program.name);

describe("names of special functions", () => {
  it("are those of the ops, and bring the programs of these", () => {
    expect(SPECIAL_OF_ONE).toEqual(Object.fromEntries(SPECIAL_UNARY.map((name) => [name, name])));
    expect(SPECIAL_OF_TWO).toEqual(Object.fromEntries(SPECIAL_BINARY.map((name) => [name, name])));
    const programs = [
      ...SPECIAL_UNARY.map((name) => [name, unaryPrograms(name)] as const),
      ...SPECIAL_BINARY.map((name) => [name, binaryPrograms(name)] as const),
    ].map(([name, { f32, f64 }]) => [name, [f32, f64]] as const);
    const others = programs.flatMap(([name, both]) => (both.every((program) => isOf(program, name)) ? [] : [name]));
    expect(others).toEqual([]);
    expect(new Set(programs.flatMap(([, both]) => both)).size).toBe(2 * programs.length);
  });

  it("bring their programs for complex numbers, where the op takes these", () => {
    const own = { ...exponential, ...logarithmic, ...hyperbolic, ...inverse, ...roots } as Readonly<
      Record<string, unknown>
    >;
    const expected = (name: SpecialUnary): unknown => (UNARY[name].rule === "floating" ? own[name] : undefined);
    const wrong = SPECIAL_UNARY.filter((name) => unaryPrograms(name).complex !== expected(name));
    expect(wrong).toEqual([]);
    expect(SPECIAL_BINARY.map((name) => binaryPrograms(name).complex)).toEqual([undefined, undefined, pow]);
  });

  it("that nothing brought have no programs, which an error says with what to import", () => {
    const text =
      'the programs of "cosPi" are not in this bundle, since no function of the library that is in it computes it; import Nx.cosPi';
    expect(() => unaryPrograms("cosPi" as never)).toThrow(text);
    expect(() => binaryPrograms("cosPi" as never)).toThrow(text);
  });
});
