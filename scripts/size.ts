// Prints the size of the built main entry, minified and gzipped, and fails when it passes the budget.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const BUDGET_KB = 80;

const { outputFiles } = await build({
  entryPoints: ["dist/index.js"],
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  external: ["immutable"],
  logLevel: "error",
});
const minified = outputFiles[0]?.contents ?? new Uint8Array();
const kb = gzipSync(minified, { level: 9 }).length / 1000;
console.log(
  `dist/index.js: ${(minified.length / 1000).toFixed(1)} kB minified, ${kb.toFixed(1)} kB gzip (budget ${BUDGET_KB})`,
);
if (kb > BUDGET_KB) process.exitCode = 1;
