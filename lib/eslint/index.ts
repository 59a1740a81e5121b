/**
 * `nx-numerics/eslint`: rules for ESLint, for what neither the compiler nor a running program can tell, because JavaScript lets an object stand for a condition.
 * They need types, and so typescript-eslint with `projectService: true`.
 *
 * ```ts
 * // doctest: skip because it is a configuration of ESLint
 * import tseslint from "typescript-eslint";
 * import * as nx from "nx-numerics/eslint";
 *
 * export default tseslint.config({
 *   files: ["src/**\/*.ts"],
 *   extends: [tseslint.configs.base, nx.configs.recommended],
 *   languageOptions: { parserOptions: { projectService: true } },
 * });
 * ```
 */

import type { Linter, Rule } from "eslint";
import { noAsyncInDefn, noMathOnTensor, noTensorCondition, noTensorOperator, noTransformInLoop } from "./rules";

/** The name of the plugin. */
export const meta = Object.freeze({ name: "nx-numerics" });

/** The rules by name. */
export const rules: Readonly<Record<string, Rule.RuleModule>> = Object.freeze({
  "no-tensor-condition": noTensorCondition,
  "no-tensor-operator": noTensorOperator,
  "no-math-on-tensor": noMathOnTensor,
  "no-async-in-defn": noAsyncInDefn,
  "no-transform-in-loop": noTransformInLoop,
});

/** Configurations: `recommended` has every rule as an error. */
export const configs: { readonly recommended: Linter.Config } = Object.freeze({
  recommended: {
    name: "nx-numerics/recommended",
    plugins: { "nx-numerics": { meta, rules } },
    rules: Object.fromEntries(Object.keys(rules).map((name) => [`nx-numerics/${name}`, "error"] as const)),
  },
});
