// The lint configuration itself: each case lints a snippet under a made-up path, so it shows that the house rules bite.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const eslint = new ESLint({ cwd: root });
/** Only the rule of floors, which is asked most. */
const floors = new ESLint({ cwd: root, ruleFilter: ({ ruleId }) => ruleId === "floors/order" });

async function problems(file: string, code: string, linter = eslint): Promise<(string | null)[]> {
  const [result] = await linter.lintText(code, { filePath: path.join(root, file) });
  return result?.messages.map((message) => message.ruleId) ?? [];
}

describe("import floors", () => {
  it.each([
    ["lib/core/made-up.ts", "../tensor"],
    ["lib/core/made-up.ts", "../nx/aggregates"],
    ["lib/core/deep/made-up.ts", "../../backends/binary/binary"],
    ["lib/ops.ts", "./backends/registry"],
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
  ])("%s must not import %s", async (file, specifier) => {
    const order = "floors/order";
    expect(await problems(file, `import { x } from "${specifier}";\nexport const y = x;\n`, floors)).toContain(order);
    expect(await problems(file, `import type { X } from "${specifier}";\nexport type Y = X;\n`, floors)).toContain(
      order,
    );
    expect(await problems(file, `export * from "${specifier}";\n`, floors)).toContain(order);
  });

  it.each([
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
  ])("%s may import %s", async (file, specifier) => {
    const code = `import { x } from "${specifier}";\nexport const y = x;\n`;
    expect(await problems(file, code, floors)).not.toContain("floors/order");
  });

  it("covers import types and dynamic imports", async () => {
    const file = "lib/core/made-up.ts";
    expect(await problems(file, `export type T = import("../tensor").Tensor;\n`, floors)).toContain("floors/order");
    expect(await problems(file, `export const t = () => import("../tensor");\n`, floors)).toContain("floors/order");
  });

  it.each([
    `import { x } from "./config";\nexport const y = x;\n`, // config imports errors
    `import type { X } from "./types";\nimport * as config from "./config";\nexport const y: X = config;\n`,
    `export { x } from "./config";\n`,
    `export * from "./config";\n`,
    `export const y = () => import("./config");\n`,
    `import { x } from "./errors";\nexport const y = x;\n`,
    `import { x } from "./promotion-scope";\nexport const y = x;\n`, // by way of another file
  ])("reports the cycle of imports in %j", async (code) => {
    expect(await problems("lib/core/errors.ts", code)).toContain("floors/cycles");
  });

  it.each([
    `import type { X } from "./config";\nexport type Y = X;\n`,
    `export type * from "./config";\n`,
    `export const y = 'import { x } from "./config";';\n`,
    `import { x } from "./made-up";\nexport const y = x;\n`,
  ])("reports no cycle in %j", async (code) => {
    expect(await problems("lib/core/errors.ts", code)).not.toContain("floors/cycles");
  });

  it("reports a file of lib that stands on no floor", async () => {
    expect(await problems("lib/attic/made-up.ts", "export const x = 1;\n", floors)).toContain("floors/order");
  });
});

describe("what the library must not use", () => {
  it.each(["lib/core/made-up.ts", "lib/nx/made-up.ts", "lib/testing/made-up.ts"])("Node in %s", async (file) => {
    const imports = (from: string): string => `import { x } from "${from}";\nexport const y = x;\n`;
    expect(await problems(file, imports("node:fs"))).toContain("no-restricted-imports");
    expect(await problems(file, imports("fs"))).toContain("no-restricted-imports");
    expect(await problems(file, imports("node:fs/promises"))).toContain("no-restricted-imports");
    expect(await problems(file, "export const y = process.env;\n")).toContain("no-restricted-globals");
    expect(await problems(file, "export const y = Buffer.alloc(1);\n")).toContain("no-restricted-globals");
  });

  it.each(["lib/doctest/made-up.ts", "lib/node/made-up.ts"])("%s may use Node", async (file) => {
    expect(await problems(file, `import { readFileSync } from "node:fs";\nexport const y = readFileSync;\n`)).toEqual(
      [],
    );
  });

  it.each([
    ["eval", "no-eval", "export const y = eval('1');"],
    ["new Function", "no-new-func", "export const y = new Function('return 1');"],
    ["code in a timer", "no-implied-eval", "setTimeout('1', 1);"],
    ["any", "@typescript-eslint/no-explicit-any", "export function f(x: any): number { return x; }"],
    ["enums", "no-restricted-syntax", "export enum E { A }"],
    ["namespaces", "no-restricted-syntax", "export namespace N { export const a = 1; }"],
    ["default exports", "no-restricted-syntax", "export default 1;"],
    ["long functions", "max-lines-per-function", `export function f(): void {\n${"  f();\n".repeat(60)}}`],
    ["long files", "max-lines", `export const x = 1;\n${"x;\n".repeat(500)}`],
  ])("%s (%s)", async (_what, ruleId, code) => {
    expect(await problems("lib/nx/made-up.ts", `${code}\n`)).toContain(ruleId);
  });
});

describe("assertions that cannot fail", () => {
  it.each([
    "expect(1 + 1);",
    "expect(1 + 1).toBe;",
    "expect(1 + 1).not.toBe;",
    "expect(t.toNumber).toBeDefined();",
    "it('works', () => {});",
  ])("%s", async (code) => {
    expect(await problems("test/made-up.test.ts", `${code}\n`)).toContain("no-restricted-syntax");
  });

  it.each(["expect(t.toNumber()).toBe(2);", "await expect(read()).rejects.toThrow();", "it('works', () => check());"])(
    "but not %s",
    async (code) => {
      expect(await problems("test/made-up.test.ts", `${code}\n`)).not.toContain("no-restricted-syntax");
    },
  );
});
