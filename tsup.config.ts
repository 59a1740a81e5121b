import { defineConfig, type Options } from "tsup";
import { annotatePure } from "./scripts/annotate-pure";

const shared: Options = {
  target: "es2022",
  splitting: false, // each entry is one file
  sourcemap: false, // the files are readable as they are; maps would be larger than the code
  silent: true,
  outDir: "dist",
};

/**
 * Each entry is built twice: as an ES module, and as CommonJS for hosts that cannot `require` one (jest), minified.
 * The declarations are made by `scripts/declarations.mjs`.
 */
const entry = (name: string, file: string, options: Options): Options[] => [
  { ...shared, ...options, entry: { [name]: file }, format: "esm" },
  {
    ...shared,
    ...options,
    entry: { [name]: file },
    format: "cjs",
    minify: true,
  },
];

/** A sub-path entry imports the library by its own package name, so that there is one `Tensor` class, not two. */
const subPath = (name: string, file: string): Options[] =>
  entry(name, file, {
    external: ["nx-numerics", "nx-numerics/backend", "immutable", "lilconfig", "typescript", "vite", "vitest"],
    platform: "node",
  });

export default defineConfig([
  ...entry("index", "lib/index.ts", {
    external: ["immutable", "fflate"],
    platform: "neutral",
    plugins: [annotatePure],
  }),
  ...subPath("doctest", "lib/doctest/index.ts"),
  ...subPath("testing", "lib/testing/index.ts"),
  ...subPath("backend", "lib/backend-kit/index.ts"),
  ...subPath("config", "lib/node/config.ts"),
  ...subPath("files", "lib/files/index.ts"),
  ...subPath("display", "lib/display/index.ts"),
  ...subPath("eslint", "lib/eslint/index.ts"),
]);
