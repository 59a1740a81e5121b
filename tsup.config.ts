import { defineConfig, type Options } from "tsup";
import { annotatePure } from "./scripts/annotate-pure";

const shared: Options = {
  format: ["esm", "cjs"],
  target: "es2022",
  splitting: false, // each entry is one file
  sourcemap: true,
  silent: true,
  outDir: "dist",
};

/** A sub-path entry imports the library by its own package name, so that there is one `Tensor` class, not two. */
const subPath = (name: string, entry: string): Options => ({
  ...shared,
  entry: { [name]: entry },
  external: ["nx-numerics", "immutable", "lilconfig", "typescript", "vitest"],
  dts: true,
  platform: "node",
});

export default defineConfig([
  {
    ...shared,
    entry: { index: "lib/index.ts" },
    external: ["immutable", "fflate"],
    noExternal: ["wasmati", "ieee754"], // ES modules only, which `require` and pages without an import map could not load
    dts: true,
    platform: "neutral",
    plugins: [annotatePure],
  },
  subPath("doctest", "lib/doctest/index.ts"),
  subPath("testing", "lib/testing/index.ts"),
  subPath("config", "lib/node/config.ts"),
  subPath("files", "lib/files/index.ts"),
  subPath("display", "lib/display/index.ts"),
]);
