// Writes the declarations of the package into dist/types: one file for each source file that an entry reaches, in CommonJS form
// (extensionless imports), which importers of both kinds can read. The ES modules have a line each that passes them on.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const types = path.join(root, "dist/types");

/** The entries of the package, and the sources they are made of. */
const ENTRIES = {
  index: "api", // where the functions stand with their documentation
  core: "core-api",
  reference: "reference-api",
  doctest: "doctest/index",
  testing: "testing/index",
  backend: "backend-kit/index",
  config: "node/config",
  files: "files/index",
  display: "display/index",
  optim: "optim/index",
  onnx: "onnx/index",
  plot: "plot/index",
  triton: "triton/index",
  onnxruntime: "onnxruntime/index",
  zarr: "zarr/index",
  columns: "columns/index",
  eslint: "eslint/index",
};

/** The files that a declaration imports, re-exports or mentions in types. */
function importsOf(file) {
  const found = readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.{1,2}\/[^"]*|\.{1,2})"/g);
  return [...found].map(([, name]) => declarationOf(path.resolve(path.dirname(file), name)));
}

function declarationOf(target) {
  const found = [`${target}.d.ts`, path.join(target, "index.d.ts")].find((file) => existsSync(file));
  if (found === undefined) throw new Error(`no declaration for ${path.relative(types, target)}`);
  return found;
}

function reachable(entries) {
  const seen = new Set();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    waiting.push(...importsOf(file));
  }
  return seen;
}

function prune(folder, kept) {
  for (const name of readdirSync(folder)) {
    const entry = path.join(folder, name);
    if (statSync(entry).isDirectory()) prune(entry, kept);
    else if (!kept.has(entry)) rmSync(entry);
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

/** Declarations name entries by their paths, but in comments: in a package that is linked from elsewhere, no `node_modules` around them has it. */
function nameByPath(file) {
  const text = readFileSync(file, "utf8");
  const named = text.replace(
    /^(?!\s*\*)(.*(?:from |import\())"nx-numerics(?:\/([\w-]+))?"/gm,
    (_, before, entry = "index") => `${before}"${relativePath(file, ENTRIES[entry])}"`,
  );
  if (named !== text) writeFileSync(file, named);
}

function relativePath(file, source) {
  const found = path.relative(path.dirname(file), path.join(types, source)).replaceAll(path.sep, "/");
  return found.startsWith(".") ? found : `./${found}`;
}

// The native compiler writes the same bytes as the other, in a fifth of the time.
const tsc = path.join(root, "node_modules/typescript-7/bin/tsc");
const args = [tsc, "--singleThreaded", "-p", path.join(root, "tsconfig.build.json")];
execFileSync(process.execPath, args, { stdio: "inherit", env: { ...process.env, GOGC: "off" } }); // it ends before collecting pays
const kept = reachable(Object.values(ENTRIES).map((source) => path.join(types, `${source}.d.ts`)));
prune(types, kept);
kept.forEach(nameByPath);
writeFileSync(path.join(types, "package.json"), `{ "type": "commonjs" }\n`);
// CommonJS has one file, which the smaller entries are views of.
for (const name of ["core", "reference"]) {
  writeFileSync(path.join(root, `dist/${name}.cjs`), `module.exports = require("./index.cjs");\n`);
}
for (const [name, source] of Object.entries(ENTRIES)) {
  writeFileSync(path.join(root, `dist/${name}.d.ts`), `export * from "./types/${source}.js";\n`);
}
