/** What the examples of the library run with, whatever they run on. */

import type { DoctestOptions } from "nx-numerics/doctest";

/** Where the library's examples stand. */
export const EXAMPLES = ["lib/**/*.ts", "!lib/generated/**", "docs/**/*.md", "README.md"];

/** Options for one face of the library: the real one, or one that stands in front of it. */
export const withFace = (face: object): DoctestOptions => ({
  globals: { Nx: { module: "nx-numerics", value: face } },
  modules: { "nx-numerics": face },
  tsc: "node_modules/typescript-7/bin/tsc", // the native compiler
  load: (name) => import(/* @vite-ignore */ name) as Promise<unknown>,
});
