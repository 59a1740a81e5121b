import { builtinModules } from "node:module";
import eslint from "@eslint/js";
import tseslint from "typescript-eslint";
import { floors } from "./scripts/eslint/floors.js";

const skip = { skipBlankLines: true, skipComments: true };

const notInThisCode = [
  { selector: "TSEnumDeclaration", message: "No enums: use a union of string literals." },
  { selector: "TSModuleDeclaration[kind!='global']", message: "No namespaces: use modules." },
  { selector: "Decorator", message: "No decorators." },
  { selector: "ExportDefaultDeclaration", message: "No default exports." },
];

const assertsNothing = [
  {
    selector: "ExpressionStatement > CallExpression[callee.name='expect']",
    message: "This asserts nothing: call a matcher of what expect gives back.",
  },
  { selector: "ExpressionStatement > MemberExpression", message: "This asserts nothing: call the matcher." },
  {
    selector: "CallExpression[callee.name='expect'] > MemberExpression.arguments[property.name=/^to[A-Z]/]",
    message: "This is a method, which is always defined: call it.",
  },
  {
    selector: "CallExpression[callee.name=/^(it|test)$/] > ArrowFunctionExpression > BlockStatement[body.length=0]",
    message: "This asserts nothing: a test has a body.",
  },
];

const nodeOnly = "Only lib/doctest and lib/node may use Node: everything else runs wherever JavaScript does.";
const nodeModules = {
  paths: builtinModules.map((name) => ({ name, message: nodeOnly })),
  patterns: [{ group: ["node:*"], message: nodeOnly }],
};
const platformGlobals = ["process", "Buffer", "require", "module", "__dirname", "__filename", "window", "document"];

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "coverage/",
      "**/node_modules/",
      "site/pages/",
      "site/dist/",
      "site/.vitepress/cache/",
      "site/.vitepress/demos/",
      "lib/onnx/schema/", // generated
    ],
  },
  eslint.configs.recommended,
  tseslint.configs.recommended,
  {
    name: "everywhere",
    languageOptions: { globals: { setTimeout: "readonly", setInterval: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {
    name: "typescript",
    files: ["**/*.ts"],
    rules: {
      "no-undef": "off", // tsc knows better
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    name: "plain node scripts",
    files: ["**/*.{js,mjs,cjs}"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        Buffer: "readonly",
        Blob: "readonly",
        module: "writable",
      },
    },
  },
  {
    name: "scripts of the site, part of which browsers run",
    files: ["site/**/*.{js,mjs}"],
    languageOptions: {
      globals: Object.fromEntries(
        "self caches fetch Headers Response location document navigator innerWidth NodeFilter crossOriginIsolated requestAnimationFrame"
          .split(" ")
          .map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    name: "tests",
    files: ["test/**/*.ts", "doctests/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", ...assertsNothing] },
  },
  {
    name: "library",
    files: ["lib/**/*.ts"],
    plugins: { floors },
    rules: {
      "floors/order": "error",
      "floors/cycles": "error",
      "max-lines": ["error", { max: 500, ...skip }],
      "max-lines-per-function": ["error", { max: 60, ...skip }],
      "no-restricted-syntax": ["error", ...notInThisCode],
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-import-type-side-effects": "error",
    },
  },
  {
    name: "generated types", // their texts stand in the files that they are generated of
    files: ["lib/generated/**/*.ts"],
    rules: { "max-lines": "off" },
  },
  {
    name: "published coefficients",
    files: [
      "lib/core/special*.ts",
      "lib/core/special/**/*.ts",
      "lib/kernel/**/*.ts",
      "scripts/accuracy/error-functions.ts",
    ],
    rules: { "no-loss-of-precision": "off" }, // kept as printed in their sources, to be compared with them
  },
  {
    name: "library that runs anywhere",
    files: ["lib/**/*.ts"],
    ignores: ["lib/doctest/**", "lib/node/**"],
    rules: {
      "no-restricted-imports": ["error", nodeModules],
      "no-restricted-globals": ["error", ...platformGlobals.map((name) => ({ name, message: nodeOnly }))],
    },
  },
);
