/** Special functions come with their programs: each name brings those of its own, and what no function brought is an error. */
import { describe, expect, it } from "vitest";
import { binaryPrograms, unaryPrograms } from "../../../lib/kernel/special/brought";
import { SPECIAL_OF_ONE, SPECIAL_OF_TWO } from "../../../lib/kernel/special/names";
import { SPECIAL_BINARY, SPECIAL_UNARY } from "../../../lib/ops";

/** What a program is called where it is written; those that are made by a function have no name of their own. */
const isOf = (program: { readonly name: string }, name: string): boolean => ["", name].includes(program.name);

describe("names of special functions", () => {
  it("are those of the ops, and bring the programs of these", () => {
    expect(SPECIAL_OF_ONE).toEqual(Object.fromEntries(SPECIAL_UNARY.map((name) => [name, name])));
    expect(SPECIAL_OF_TWO).toEqual(Object.fromEntries(SPECIAL_BINARY.map((name) => [name, name])));
    const programs = [
      ...SPECIAL_UNARY.map((name) => [name, Object.values(unaryPrograms(name))] as const),
      ...SPECIAL_BINARY.map((name) => [name, Object.values(binaryPrograms(name))] as const),
    ];
    const others = programs.flatMap(([name, both]) => (both.every((program) => isOf(program, name)) ? [] : [name]));
    expect(others).toEqual([]);
    expect(new Set(programs.flatMap(([, both]) => both)).size).toBe(2 * programs.length);
  });

  it("that nothing brought have no programs, which an error says with what to import", () => {
    const text =
      'the programs of "cosPi" are not in this bundle, since no function of the library that is in it computes it; import Nx.cosPi';
    expect(() => unaryPrograms("cosPi" as never)).toThrow(text);
    expect(() => binaryPrograms("cosPi" as never)).toThrow(text);
  });
});
