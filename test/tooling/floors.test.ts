// The lint configuration itself: each case is a snippet under a made-up path, so it shows that the house rules bite.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A copy of what the linter needs, where the snippets stand as well. */
const copy = mkdtempSync(path.join(tmpdir(), "nx-numerics-lint-"));
const snippets = new Map<string, string>();
const found = new Map<string, string[]>();

/** Notes a snippet for the linter; a path that is made up has a number, so that each snippet has its own. */
function snippet(file: string, code: string): string {
  const place = file.replace(/made-up(?=\.)/, `made-up-${snippets.size}`);
  snippets.set(place, code);
  return place;
}

/** Notes a snippet in place of `errors.ts` of a copy of `lib/core`, among whose files cycles are found. */
function ofCore(code: string): string {
  const folder = `lib/core/made-up-${snippets.size}`;
  cpSync(path.join(root, "lib/core"), path.join(copy, folder), { recursive: true });
  return snippet(`${folder}/errors.ts`, code);
}

interface Report {
  readonly number_of_files: number;
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

// One run of the linter for all snippets.
beforeAll(() => {
  for (const name of [".oxlintrc.json", "scripts/lint", "package.json"])
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"), "junction");
  for (const [file, code] of snippets) {
    mkdirSync(path.join(copy, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(copy, file), `${code}\n`);
  }
  const args = [path.join(root, "node_modules/oxlint/bin/oxlint"), "--threads=1", "--format=json", ...snippets.keys()];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", maxBuffer: 2 ** 26 });
  const { diagnostics, number_of_files } = JSON.parse(stdout) as Report;
  expect(number_of_files).toBe(snippets.size);
  for (const { code, filename } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), ruleOf(code)]);
}, 60_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** `eslint(no-eval)` is the rule `no-eval`, `house(order)` is `house/order`. */
const ruleOf = (code: string): string => code.replace(/^eslint\((.*)\)$/, "$1").replace(/^(.*)\((.*)\)$/, "$1/$2");

const breaks = (title: string, place: string, ...rules: readonly string[]): void =>
  it(title, () => expect(found.get(place) ?? []).toEqual(expect.arrayContaining([...rules])));
const keeps = (title: string, place: string, rule: string): void =>
  it(title, () => expect(found.get(place) ?? []).not.toContain(rule));

describe("import floors", () => {
  for (const [file, specifier] of [
    ["lib/core/made-up.ts", "../tensor"],
    ["lib/core/made-up.ts", "../nx/aggregates"],
    ["lib/core/deep/made-up.ts", "../../backends/binary/binary"],
    ["lib/backends/binary/made-up.ts", "../../nx/shape"],
    ["lib/backends/made-up.ts", "../defn/expr"],
    ["lib/nx/made-up.ts", "../defn/trace"],
    ["lib/nx/made-up.ts", "../index"],
    ["lib/nx/made-up.ts", ".."],
    ["lib/defn/made-up.ts", "../linalg/qr"],
    ["lib/linalg/made-up.ts", "../index"],
    ["lib/core/made-up.ts", "nx-numerics"],
    ["lib/nx/made-up.ts", "nx-numerics/testing"],
    ["lib/nx/made-up.ts", "../../test/helpers"],
    ["lib/testing/made-up.ts", "../tensor"],
    ["lib/doctest/deep/made-up.ts", "../../core/errors"],
    ["lib/node/made-up.ts", "../index"],
    ["lib/backend-kit/made-up.ts", "../tensor"],
    ["lib/testing/made-up.ts", "../backend"],
  ] as const) {
    for (const code of [
      `import { x } from "${specifier}";\nexport const y = x;`,
      `import type { X } from "${specifier}";\nexport type Y = X;`,
      `export * from "${specifier}";`,
    ])
      breaks(`${file} must not say: ${code.split("\n")[0]}`, snippet(file, code), "house/order");
  }

  breaks(
    "lib/ops.ts must not import a backend",
    snippet("lib/ops.ts", `export * from "./backends/registry";`),
    "house/order",
  );

  for (const [file, specifier] of [
    ["lib/core/made-up.ts", "./types"],
    ["lib/tensor.ts", "./core/types"],
    ["lib/backends/binary/made-up.ts", "../../backend"],
    ["lib/nx/made-up.ts", "../backends/registry"],
    ["lib/defn/passes/made-up.ts", "../../nx/elementwise"],
    ["lib/random/made-up.ts", "../defn/trace"],
    ["lib/index.ts", "./nx/elementwise"],
    ["lib/doctest/made-up.ts", "nx-numerics"],
    ["lib/doctest/deep/made-up.ts", "../other"],
    ["lib/core/made-up.ts", "immutable"],
    ["lib/backend-kit/made-up.ts", "../backend"],
    ["lib/backend-kit/made-up.ts", "nx-numerics"],
  ] as const) {
    const place = snippet(file, `import { x } from "${specifier}";\nexport const y = x;`);
    keeps(`${file} may import ${specifier}`, place, "house/order");
  }

  breaks(
    "covers import types",
    snippet("lib/core/made-up.ts", `export type T = import("../tensor").Tensor;`),
    "house/order",
  );
  breaks(
    "covers dynamic imports",
    snippet("lib/core/made-up.ts", `export const t = () => import("../tensor");`),
    "house/order",
  );

  for (const code of [
    `import { x } from "./config";\nexport const y = x;`, // config imports errors
    `import type { X } from "./types";\nimport * as config from "./config";\nexport const y: X = config;`,
    `export { x } from "./config";`,
    `export * from "./config";`,
    `export const y = () => import("./config");`,
    `import { x } from "./errors";\nexport const y = x;`,
    `import { x } from "./promotion-scope";\nexport const y = x;`, // by way of another file
  ])
    breaks(`reports the cycle of imports in ${JSON.stringify(code)}`, ofCore(code), "house/cycles");

  for (const code of [
    `import type { X } from "./config";\nexport type Y = X;`,
    `export type * from "./config";`,
    `export const y = 'import { x } from "./config";';`,
    `import { x } from "./made-up";\nexport const y = x;`,
  ])
    keeps(`reports no cycle in ${JSON.stringify(code)}`, ofCore(code), "house/cycles");

  breaks(
    "reports a file of lib that stands on no floor",
    snippet("lib/attic/made-up.ts", "export const x = 1;"),
    "house/order",
  );
});

describe("what the library must not use", () => {
  const imported = (from: string): string => `import { x } from "${from}";\nexport const y = x;`;
  for (const file of ["lib/core/made-up.ts", "lib/nx/made-up.ts", "lib/testing/made-up.ts"]) {
    for (const name of ["node:fs", "fs", "node:fs/promises"])
      breaks(`the module ${name} in ${file}`, snippet(file, imported(name)), "house/node");
    for (const code of ["process.env", "Buffer.alloc(1)"])
      breaks(`${code} in ${file}`, snippet(file, `export const y = ${code};`), "no-restricted-globals");
  }

  for (const file of ["lib/doctest/made-up.ts", "lib/node/made-up.ts"]) {
    const place = snippet(file, `${imported("node:fs")}\nexport const z = process.env;`);
    it(`but ${file} may use Node`, () => expect(found.get(place)).toBeUndefined());
  }

  for (const [what, rule, code] of [
    ["eval", "no-eval", "export const y = eval('1');"],
    ["new Function", "no-new-func", "export const y = new Function('return 1');"],
    ["code in a timer", "no-implied-eval", "setTimeout('1', 1);"],
    ["any", "typescript/no-explicit-any", "export function f(x: any): number { return x; }"],
    ["enums", "house/syntax", "export enum E { A }"],
    ["namespaces", "house/syntax", "export namespace N { export const a = 1; }"],
    ["default exports", "house/syntax", "export default 1;"],
    ["long functions", "max-lines-per-function", `export function f(): void {\n${"  f();\n".repeat(60)}}`],
    ["long files", "max-lines", `export const x = 1;\n${"x;\n".repeat(500)}`],
  ] as const)
    breaks(`${what} (${rule})`, snippet("lib/nx/made-up.ts", code), rule);
});

describe("assertions that cannot fail", () => {
  for (const code of [
    "expect(1 + 1);",
    "expect(1 + 1).toBe;",
    "expect(1 + 1).not.toBe;",
    "expect(t.toNumber).toBeDefined();",
    "it('works', () => {});",
  ])
    breaks(code, snippet("test/made-up.test.ts", code), "house/syntax");

  for (const code of [
    "expect(t.toNumber()).toBe(2);",
    "await expect(read()).rejects.toThrow();",
    "it('works', () => check());",
  ])
    keeps(`but not ${code}`, snippet("test/made-up.test.ts", code), "house/syntax");
});
