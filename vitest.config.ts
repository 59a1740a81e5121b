import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests, examples and doc blocks import the library by its package name, as users do. Longest first.
    alias: [
      { find: /^nx-numerics\/doctest$/, replacement: here("./lib/doctest/index.ts") },
      { find: /^nx-numerics\/testing$/, replacement: here("./lib/testing/index.ts") },
      { find: /^nx-numerics\/config$/, replacement: here("./lib/node/config.ts") },
      { find: /^nx-numerics\/files$/, replacement: here("./lib/files/index.ts") },
      { find: /^nx-numerics\/display$/, replacement: here("./lib/display/index.ts") },
      { find: /^nx-numerics\/eslint$/, replacement: here("./lib/eslint/index.ts") },
      { find: /^nx-numerics$/, replacement: here("./lib/index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts", "doctests/**/*.test.ts"],
    setupFiles: ["./test/setup.ts"],
    maxWorkers: "100%", // without it one core is left idle
    testTimeout: 20_000, // for a busy two-core machine; nothing here takes a tenth of it
    reporters: ["default", "./scripts/closing-lines-reporter.ts"],
    typecheck: {
      enabled: true,
      checker: "./node_modules/typescript/bin/tsc", // by its path: the tests of the doctest runner install other versions
      include: ["test/**/*.test-d.ts"],
      tsconfig: "./tsconfig.typetests.json",
      ignoreSourceErrors: true, // errors outside the type tests are the business of `npm run typecheck`
    },
  },
});
