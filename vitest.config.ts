import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const FILES = ["test/**/*.test.ts", "doctests/**/*.test.ts"];

/** Tests that set what holds for a whole process, or need all of its memory: each file has a process of its own. */
const ALONE = [
  "test/backends/{binary/reference,names}.test.ts",
  "test/backends/wasm/{arena,chunks,copy,many-modules,memory,module-keys,placement,refused,resident,resident-reduce,tables,threads}.test.ts",
  "test/fuzz/**/*.test.ts",
  "test/nx/composites.test.ts",
  "test/testing/equality.test.ts",
];

/** Seeds what is taken of large grids of cases; the whole by `npm run test:all`. */
const seed = process.env.NX_TEST_SEED ?? String(Date.now() % 2 ** 31);

export default defineConfig(({ mode }) => ({
  resolve: {
    // Tests, examples and doc blocks import the library by its package name, as users do. Longest first.
    alias: [
      { find: /^nx-numerics\/doctest$/, replacement: here("./lib/doctest/index.ts") },
      { find: /^nx-numerics\/core$/, replacement: here("./lib/core-functions.ts") },
      { find: /^nx-numerics\/reference$/, replacement: here("./lib/reference.ts") },
      { find: /^nx-numerics\/testing$/, replacement: here("./lib/testing/index.ts") },
      { find: /^nx-numerics\/backend$/, replacement: here("./lib/backend-kit/index.ts") },
      { find: /^nx-numerics\/config$/, replacement: here("./lib/node/config.ts") },
      { find: /^nx-numerics\/files$/, replacement: here("./lib/files/index.ts") },
      { find: /^nx-numerics\/display$/, replacement: here("./lib/display/index.ts") },
      { find: /^nx-numerics\/onnx$/, replacement: here("./lib/onnx/index.ts") },
      { find: /^nx-numerics\/optim$/, replacement: here("./lib/optim/index.ts") },
      { find: /^nx-numerics\/plot$/, replacement: here("./lib/plot/index.ts") },
      { find: /^nx-numerics\/triton$/, replacement: here("./lib/triton/index.ts") },
      { find: /^nx-numerics\/onnxruntime$/, replacement: here("./lib/onnxruntime/index.ts") },
      { find: /^nx-numerics\/zarr$/, replacement: here("./lib/zarr/index.ts") },
      { find: /^nx-numerics\/columns$/, replacement: here("./lib/columns/index.ts") },
      { find: /^nx-numerics\/eslint$/, replacement: here("./lib/eslint/index.ts") },
      { find: /^nx-numerics$/, replacement: here("./lib/index.ts") },
    ],
  },
  test: {
    env: { NX_TEST_SEED: seed, NX_TEST_ALL: mode === "all" ? "1" : "0" },
    setupFiles: ["./test/setup.ts"],
    maxWorkers: "100%", // without it one core is left idle
    execArgv: [
      // V8 optimises a function after 9 times as much work as by itself, and keeps the code of functions that have not run for a while: most
      // code of tests runs a few times and is never optimised then, and the files of a process come back to the same functions. 53.4 s of
      // the processor for 1,693 tests with 4.5 times as much work -> 49.6 s
      "--interrupt-budget=600000",
      "--no-flush-bytecode",
      // Both cores are busy, so that collecting on other threads only costs more: 45.3 s of the processor for 1,690 tests -> 42.9 s
      "--single-threaded-gc",
      // Less survives a large nursery. In place of 32 MB: 0.76 to 0.91 of the processor's time for 2,000 and 3,400 tests, and as much
      // as 32 MB with 256
      "--min-semi-space-size=128",
      "--max-semi-space-size=128",
    ],
    testTimeout: 20_000, // for a busy two-core machine; nothing here takes a tenth of it
    hookTimeout: 60_000,
    reporters: ["default", "./scripts/closing-lines-reporter.ts"],
    // each project, and the run of the engines after it, would transform the library anew
    experimental: { fsModuleCache: process.env.CI === "true" },
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: FILES,
          exclude: [...ALONE, "**/node_modules/**"],
          isolate: false, // loading the library anew for each file took as long as the tests
          typecheck: {
            enabled: true,
            checker: "./node_modules/typescript-7/bin/tsc", // the native compiler, which takes half the time
            include: ["test/**/*.test-d.ts"],
            tsconfig: "./tsconfig.typetests.json",
            ignoreSourceErrors: true, // errors outside the type tests are the business of `npm run typecheck`
          },
        },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
}));
