import { beforeAll, describe, expect, it } from "vitest";
import { checkTypes, type DoctestError, extractFrom } from "../../lib/doctest";
import { block, root, tsc, typeErrors } from "./blocks";

const cases = {
  good: ["const unused: number = await Fake.later(1);"],
  imports: ['import { add } from "./fake";', 'import * as Fake from "./fake";', "add(1, Fake.add(1, 2));"],
  argument: ["const a = 1;", '  Fake.add(a, "2");'],
  indexed: ["const xs = [1];", "const x: number = xs[0];"],
  implicit: ["const f = (x) => x;"],
  several: ['Fake.add("1", 2);', "Fake.sub();"],
  expected: ["// @ts-expect-error numbers only", 'Fake.add("1", 2);'],
  unneeded: ["// @ts-expect-error numbers only", "Fake.add(1, 2);"],
  syntax: ["const a = 1;", "const b = ;"],
  one: ["const mine: number = 1;"],
  two: ["const mine: string = 1;"],
  three: ["mine;"],
  skipped: ["// doctest: skip because reasons", "nonsense();"],
};

let errors: Record<keyof typeof cases, DoctestError | null>;

beforeAll(async () => {
  errors = await typeErrors(cases);
}, 60_000);

describe("checkTypes", () => {
  it("accepts what compiles, with the given names and imports", () => {
    expect(errors.good).toBeNull();
    expect(errors.imports).toBeNull();
    expect(errors.skipped).toBeNull();
  });

  it("finds a type error, at its place in the original file", () => {
    expect(errors.argument).toMatchObject({ kind: "type", file: "argument.md", line: 5, column: 15 });
    expect(errors.argument!.message).toMatch(/^argument\.md:5:15 error TS2345: Argument of type 'string'/);
    expect(errors.argument!.message).toContain('\n  5 |   Fake.add(a, "2");');
    expect(errors.syntax).toMatchObject({ kind: "type", line: 5, column: 11 });
  });

  it("holds to the options of the tsconfig", () => {
    expect(errors.indexed!.message).toContain("TS2322"); // noUncheckedIndexedAccess
    expect(errors.implicit!.message).toContain("TS7006");
  });

  it("lists every error of a block", () => {
    expect(errors.several!.message).toMatch(/several\.md:4:10 .*TS2345[^]*several\.md:5:6 .*TS2339/);
  });

  it("knows @ts-expect-error, needed or not", () => {
    expect(errors.expected).toBeNull();
    expect(errors.unneeded).toMatchObject({ line: 4 });
  });

  it("keeps blocks apart", () => {
    expect(errors.one).toBeNull();
    expect(errors.two).toMatchObject({ line: 4, column: 7 });
    expect(errors.three!.message).toContain("TS2304: Cannot find name 'mine'");
  });
});

describe("checkTypes with other options", () => {
  it("maps columns of doc comments, and takes a single export for a global", async () => {
    const text =
      "class A {\n  /**\n   * ```ts\n   * plus(1, 2).toFixed();\n   * plus('1');\n   * ```\n   */\n  m() {}\n}";
    const [one] = await extractFrom(text, "code.ts", { root });
    const globals = { plus: { module: "./fake", export: "add", value: null } };
    expect((await checkTypes([one!], { root, tsc, globals })).get(one!)).toMatchObject({ line: 5, column: 6 });
  }, 30_000);

  it("blames a wrong global on the options", async () => {
    const one = await block("1;");
    const globals = { X: { module: "./nowhere", value: 1 } };
    expect((await checkTypes([one], { root, tsc, globals })).get(one)!.message).toContain("the option `globals`");
  }, 30_000);

  it("names a tsconfig that cannot be read", async () => {
    await expect(checkTypes([], { root, tsc, tsconfig: "none.json" })).rejects.toThrow(/cannot read .*none\.json/);
  });
});
