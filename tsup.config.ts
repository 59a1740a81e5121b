import { defineConfig, type Options } from "tsup";
import { annotatePure } from "./scripts/annotate-pure";
import { compact } from "./scripts/compact";
import { libraryFiles } from "./scripts/library-files";
import { workerProgram } from "./scripts/worker-program";

const shared: Options = {
  target: "es2022",
  splitting: false, // each entry is one file
  sourcemap: false, // the files have the names of the source; maps would be larger than the code
  silent: true,
  outDir: "dist",
};

/**
 * Gives exported functions and classes, which have short names in a minified file, the names that they are exported by, also those of
 * namespaces.
 */
const NAMED =
  "(function named(o){for(const k of Object.keys(o)){const v=o[k];" +
  'if("function"==typeof v)v.name===k||v===o[v.name]||Object.defineProperty(v,"name",{value:k});' +
  'else if("object"==typeof v&&/^[A-Z]/.test(k)&&null!==v&&Object.getPrototypeOf(v)===Object.prototype)named(v)}})(module.exports);';

/** CommonJS, of which no bundler leaves parts out. */
const commonJs: Options = { format: "cjs", minify: true, footer: { js: NAMED } };

/**
 * Each entry is built twice: as an ES module, and as CommonJS for hosts that cannot `require` one (jest), minified.
 * The declarations are made by `scripts/declarations.mjs`.
 */
const entry = (name: string, file: string, options: Options): Options[] => [
  { ...shared, ...options, entry: { [name]: file }, format: "esm" },
  {
    ...shared,
    ...options,
    ...commonJs,
    entry: { [name]: file },
  },
];

/**
 * The libraries that few programs need come from a file of the package that its `imports` choose: bundlers and browsers get one that
 * imports them, Node one that requires them when they are asked for.
 */
const dependencies: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "dependencies",
  setup(build) {
    build.onResolve({ filter: /\/dependencies$/ }, () => ({
      path: "#dependencies",
      external: true,
      sideEffects: false,
    }));
  },
};

/** Bytes of modules come from a file in the same way; by itself, since every program that runs kernels has it, and in CommonJS with the others. */
const assembled = (path: string): NonNullable<Options["esbuildPlugins"]>[number] => ({
  name: "assembled",
  setup(build) {
    build.onResolve({ filter: /^(\.\.\/)+assembled$/ }, () => ({ path, external: true, sideEffects: false }));
  },
});

/** The main entry, and the parts of it that are entries by themselves. */
const main: Options = {
  platform: "neutral",
  plugins: [compact, annotatePure],
  esbuildPlugins: [dependencies, workerProgram, assembled("#library/assembled.js")],
};

/** A sub-path entry imports the library by its own package name, so that there is one `Tensor` class, not two. */
const subPath = (name: string, file: string): Options[] =>
  entry(name, file, {
    external: [
      "nx-numerics",
      "nx-numerics/backend",
      "nx-numerics/display",
      "nx-numerics/onnx",
      "@observablehq/plot",
      "fflate",
      "immutable",
      "lilconfig",
      "typescript",
      "vite",
      "vitest",
      "zarrita",
    ],
    platform: "node",
  });

export default defineConfig([
  // what several have lies in files of their own, so that there is one `Tensor` class whatever a program imports
  {
    ...shared,
    ...main,
    entry: { index: "lib/index.ts", core: "lib/core-functions.ts", reference: "lib/reference.ts" },
    format: "esm",
    splitting: true,
    esbuildOptions(options) {
      options.chunkNames = "library-[hash]";
    },
    plugins: [...main.plugins!, libraryFiles],
  },
  // no bundler leaves parts of a CommonJS file out, so nothing is marked in it
  {
    ...shared,
    ...main,
    ...commonJs,
    plugins: [],
    esbuildPlugins: [dependencies, workerProgram, assembled("#dependencies")],
    entry: { index: "lib/index.ts" },
  },
  { ...shared, entry: { assembled: "lib/backends/assembled.ts" }, format: "esm", platform: "neutral" },
  ...entry("dependencies", "lib/io/dependencies.ts", { external: ["immutable", "fflate"], platform: "neutral" }),
  ...entry("dependencies-node", "lib/node/dependencies.ts", {
    platform: "node",
    esbuildOptions(options, { format }) {
      if (format === "cjs") options.define = { "import.meta.url": "__filename" };
    },
  }),
  ...subPath("doctest", "lib/doctest/index.ts"),
  ...subPath("testing", "lib/testing/index.ts"),
  ...subPath("backend", "lib/backend-kit/index.ts"),
  ...subPath("config", "lib/node/config.ts"),
  ...subPath("files", "lib/files/index.ts"),
  ...subPath("display", "lib/display/index.ts"),
  ...subPath("optim", "lib/optim/index.ts"),
  ...subPath("onnx", "lib/onnx/index.ts"),
  ...subPath("plot", "lib/plot/index.ts"),
  ...subPath("triton", "lib/triton/index.ts"),
  ...subPath("onnxruntime", "lib/onnxruntime/index.ts"),
  ...subPath("zarr", "lib/zarr/index.ts"),
  ...subPath("columns", "lib/columns/index.ts"),
  ...subPath("eslint", "lib/eslint/index.ts"),
]);
