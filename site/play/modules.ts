/** What programs of the page can import, and why they cannot import the rest. */

/** Entries of the library beside the main one. */
const SUB_PATHS: readonly string[] = [
  "backend",
  "columns",
  "display",
  "files",
  "onnx",
  "optim",
  "plot",
  "testing",
  "triton",
  "zarr",
];

/** Packages that stand beside the library in examples. */
const PACKAGES: readonly string[] = ["apache-arrow", "immutable", "zarrita"];

/** Modules of Node that a page can have, by their files in `play/node`: files are in memory, for as long as a program runs. */
export const OF_NODE: Readonly<Record<string, string>> = {
  "node:fs/promises": "files",
  "node:os": "os",
  "node:path": "path",
};

const NAMES = ["nx-numerics", ...SUB_PATHS.map((path) => `nx-numerics/${path}`), ...PACKAGES, ...Object.keys(OF_NODE)];

/** The file of each module that can be imported, beside the workers of the playground. */
export const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.map((name) => [name, `${name.replaceAll(/[:/]/g, "-")}.js`]),
);

/** Why modules that examples import are not here; every other name is one that nothing is known of. */
const MISSING: Readonly<Record<string, string>> = {
  "node:http": "it is a server, which a page cannot be",
  "node:net": "it is a server, which a page cannot be",
  "nx-numerics/doctest": "it compiles and runs files, which takes Node",
  "nx-numerics/config": "it looks for configuration files, which takes Node",
  "nx-numerics/eslint": "it is a plugin of ESLint, which takes Node",
  "nx-numerics/onnxruntime": "the engine is larger than the site",
};

/** Why a module cannot be imported here; null where it can. */
export function whyMissing(name: string): string | null {
  if (Object.hasOwn(FILES, name)) return null;
  return MISSING[name] ?? "it is not one of those that this page has";
}

/** Reasons that hold for tests, not for pages. */
const OF_TESTS = /^work waits on the backend/;

/** Why an example does not run in the page: as it says itself, or because of what it imports; null where it runs. */
export function whyNot(code: string, imports: readonly string[]): string | null {
  const [, said] = /^\s*\/\/ doctest: skip because (.*)/.exec(code) ?? [];
  if (said !== undefined && !OF_TESTS.test(said)) return said.trim();
  const missing = imports.find((name) => whyMissing(name) !== null);
  return missing === undefined ? null : whyMissing(missing);
}
