/** The rules, run by ESLint with the types of the library. */

import { ESLint, type Linter } from "eslint";
import tseslint from "typescript-eslint";
import { beforeAll, describe, expect, it } from "vitest";
import * as nx from "../../lib/eslint";

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    tseslint.configs.base as Linter.Config,
    nx.configs.recommended,
    { files: ["**/*.ts"], languageOptions: { parserOptions: { projectService: true } } },
  ],
});

const HEAD = `import * as Nx from "nx-numerics";
import { grad, sum as total } from "nx-numerics";
declare const [t, u]: [Nx.Tensor, Nx.Tensor<readonly ["x"]>];
declare const [maybe, mixed, n, a, b]: [Nx.Tensor | undefined, Nx.Tensor | number, number, Nx.Tensor, Nx.Tensor];
declare const f: (w: Nx.Tensor) => Nx.Tensor;
`;
const HEAD_LINES = HEAD.split("\n").length - 1;

/** What is reported: the rule, and the line of the file. */
type Report = readonly [rule: string, line: number];

async function reportsOf(text: string): Promise<readonly Report[]> {
  const [result] = await eslint.lintText(text, { filePath: "test/eslint/fixtures/source.ts" });
  return result!.messages.map(({ ruleId, line, message }) => {
    expect(ruleId, message).not.toBeNull();
    return [ruleId!.replace("nx-numerics/", ""), line] as const;
  });
}

const WRONG: { readonly [rule: string]: readonly string[] } = {
  "no-tensor-condition": [
    "t.greater(0) ? a : b;",
    "if (u) n;",
    "while (t.less(3)) break;",
    "do n; while (Nx.any(t));",
    "for (; t; ) break;",
    "t && n;",
    "Nx.all(t) || n;",
    "!t.equal(u);",
  ],
  "no-tensor-operator": [
    "t === u;",
    "t != u;",
    "mixed * 2;",
    "2 - (mixed as Nx.Tensor as never as number) + (t as never) ** 1 + (t as Nx.Tensor as never as number); t < u;",
    "-(t as Nx.Tensor);",
    "let s = t; s += u as never;",
  ],
  "no-math-on-tensor": ["Math.sin(t);", "Math.max(...[1], u as never, t);"],
  "no-async-in-defn": [
    "Nx.defn(async (x: Nx.Tensor) => x);",
    "Nx.Defn.vmap(async function (x: Nx.Tensor) { return x; });",
    "grad(function* (x: Nx.Tensor) { yield x; } as never); Nx.grad(function* () {} as never); grad(async () => t as never);",
  ],
  "no-transform-in-loop": [
    "for (let i = 0; i < 3; i++) Nx.grad(f)(t);",
    "for (const x of [t]) { const g = grad(f); g(x); }",
    "while (n) { if (n) Nx.Defn.jit(f); break; }",
  ],
};

const RIGHT = [
  "if (maybe) maybe.sum();",
  "maybe?.sum() ?? t;",
  "maybe && maybe.sum();",
  "if (t.toNumber() !== 0) n;",
  "if (maybe !== undefined && maybe != null) n;",
  "Nx.Defn.cond([[t.greater(0), () => a]], () => b);",
  "n + 1 > Math.sin(n) ? !n : -n;",
  "const g = Nx.grad(f); for (let i = 0; i < 3; i++) g(t);",
  "for (const x of [Nx.defn(f)(t)]) x.sum();",
  "for (let g = grad(f); ; ) { g(t); break; }",
  "for (const x of [t]) { const later = () => Nx.grad(f)(x); later; }",
  "const own = { grad: (h: unknown) => h }; for (;;) { own.grad(async () => 1); break; }",
  "total(t); [1].map(async (x) => x);",
];

/** Each program on a line of its own, in a function of its own: types of the library are worked out once for all of them. */
const PROGRAMS: readonly string[] = [...Object.values(WRONG).flat(), ...RIGHT];
const linesOf = (programs: readonly string[]): string =>
  programs.map((code, i) => `export function program${i}() { ${code} }`).join("\n");

describe("the rules of nx-numerics/eslint", () => {
  const found = new Map<string, string[]>();

  beforeAll(async () => {
    for (const code of PROGRAMS) found.set(code, []);
    for (const [rule, line] of await reportsOf(HEAD + linesOf(PROGRAMS)))
      found.get(PROGRAMS[line - HEAD_LINES - 1]!)!.push(rule);
  }, 120_000);

  it.each(Object.entries(WRONG).flatMap(([rule, all]) => all.map((code) => [rule, code] as const)))(
    "%s reports %s",
    (rule, code) => {
      expect(found.get(code)!.length).toBeGreaterThan(0);
      expect(new Set(found.get(code))).toEqual(new Set([rule]));
    },
  );

  it.each(RIGHT)("nothing reports %s", (code) => {
    expect(found.get(code)).toEqual([]);
  });

  it("report statements of a module as those of functions", async () => {
    const reports = await reportsOf(`${HEAD}t.greater(0) ? a : b;\nif (maybe) maybe.sum();\nexport {};`);
    expect(reports).toEqual([["no-tensor-condition", HEAD_LINES + 1]]);
  });

  it("says what to write instead", async () => {
    const text = `${HEAD}t.greater(0) ? a : b; t === u; Math.clz32(t);`;
    const [result] = await eslint.lintText(text, { filePath: "test/eslint/fixtures/source.ts" });
    const messages = result!.messages.map(({ message }) => message);
    expect(messages[0]).toContain("Nx.select(condition, a, b)");
    expect(messages[1]).toBe(
      "The operator === does not see the elements of a tensor. Write a.equal(b), or a.equals(b) to compare them as a whole.",
    );
  });

  it("asks for types where the parser gives none", async () => {
    const plain = new ESLint({ overrideConfigFile: true, overrideConfig: [nx.configs.recommended] });
    await expect(plain.lintText("const x = 1;")).rejects.toThrow(/needs types: parse files with typescript-eslint/);
  });
});
