/**
 * Brings together what the site is made of, in `site/pages`: the guides of `docs/`, the pages of `site/content`, the reference, the
 * library as one module, its declarations for the editor, and the workers of the playground. Needs a built library (`npm run build`).
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { otherRows } from "../../scripts/others.ts";
import { places } from "../../test/tooling/from-nx/page.ts";
import { SUB_PATHS } from "../play/sub-paths.ts";
import { writeBench } from "./bench.mjs";
import { writeOthers } from "./others.mjs";
import { writeReference } from "./reference.mjs";

const at = (place) => fileURLToPath(new URL(`../${place}`, import.meta.url));
const pages = at("pages");

/** Pages of the repository that speak to those who work on it. */
const INTERNAL = new Set(["architecture.md"]);

/** A link of a page in the repository as one of the site: to its pages where they are there, else to the repository. */
const REPOSITORY = "https://github.com/nx-numerics/nx-numerics/blob/main/";

function relinked(text) {
  return text.replaceAll(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (whole, target) => {
    const [file, anchor = ""] = target.split(/(?=#)/);
    const name = path.basename(file);
    if (/\.(svg|png)$/.test(file)) return `](./${name})`;
    if (existsSync(at(`../docs/${name}`)) && !INTERNAL.has(name)) return `](./${name}${anchor})`;
    return `](${REPOSITORY}${path.posix.join("docs", file)}${anchor})`;
  });
}

/** What Vue would take for its own outside of code: braces of templates. */
const plain = (text) => text.replaceAll("{{", "&#123;&#123;");

function writeGuides() {
  mkdirSync(`${pages}/guide`, { recursive: true });
  for (const file of readdirSync(at("../docs"))) {
    if (/\.(svg|png)$/.test(file)) cpSync(at(`../docs/${file}`), `${pages}/guide/${file}`);
    if (!file.endsWith(".md") || INTERNAL.has(file)) continue;
    writeFileSync(`${pages}/guide/${file}`, plain(relinked(readFileSync(at(`../docs/${file}`), "utf8"))));
  }
  writeFileSync(`${pages}/guide/changelog.md`, plain(relinked(readFileSync(at("../CHANGELOG.md"), "utf8"))));
}

/** The texts that the editor's compiler reads: declarations of the library and of the language. */
function writeDeclarations() {
  const files = {};
  const declarations = at("../dist/types");
  for (const entry of readdirSync(declarations, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".d.ts")) continue;
    const file = path.join(entry.parentPath, entry.name);
    files[`/node_modules/nx-numerics/${path.relative(declarations, file)}`] = readFileSync(file, "utf8");
  }
  const language = path.dirname(fileURLToPath(import.meta.resolve("typescript")));
  for (const name of readdirSync(language)) {
    if (
      !/^lib\.(es(5|20\d\d)(\..*)?|esnext\.disposable|decorators(\.legacy)?)\.d\.ts$/.test(name) ||
      name.includes(".full.")
    )
      continue;
    files[`/${name}`] = readFileSync(path.join(language, name), "utf8");
  }
  writeFileSync(`${pages}/public/play/declarations.json`, JSON.stringify(files));
}

/** Entries beside the main one are files of their own, which import the main one: a second copy would have other tensors. */
const partsAsFiles = {
  name: "parts as files",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^nx-numerics(\/|$)/ }, ({ path: name }) => ({
      path: `./${name.replace("/", "-")}.js`,
      external: true,
    })),
};

async function writeModules() {
  const shared = { bundle: true, minify: true, format: "esm", target: "es2022", logLevel: "error" };
  const play = `${pages}/public/play`;
  await build({ ...shared, entryPoints: [at("../dist/index.js")], outfile: `${play}/nx-numerics.js` });
  for (const part of SUB_PATHS) {
    const files = { entryPoints: [at(`../dist/${part}.js`)], outfile: `${play}/nx-numerics-${part}.js` };
    await build({ ...shared, ...files, plugins: [partsAsFiles] });
  }
  await build({
    ...shared,
    entryPoints: [at("play/compiler.worker.ts"), at("play/program.worker.ts")],
    outdir: `${pages}/public/play`,
    external: ["fs", "path", "os", "crypto", "url", "inspector", "perf_hooks", "module"],
  });
}

rmSync(pages, { recursive: true, force: true });
mkdirSync(`${pages}/public/play`, { recursive: true });
cpSync(at("content"), pages, { recursive: true });
const face = await import("../../dist/index.js");
const rows = [
  ...otherRows(),
  ...places().map(({ nx, here, why }) => ({
    library: "Nx",
    guide: "from-nx.md",
    names: [nx],
    theirs: `\`${nx}\``,
    here: here === null ? why : `\`${here}\``,
    ours: here === null ? [] : [here.replace(/^Nx\./, "")],
  })),
];
const functions = await writeReference(`${pages}/api`, face, rows);
writeFileSync(at(".vitepress/functions.json"), JSON.stringify(functions));
writeOthers(`${pages}/public/others.json`, rows, functions);
writeGuides();
cpSync(at("../node_modules/vega-datasets/data/seattle-weather.csv"), `${pages}/public/play/seattle-weather.csv`);
cpSync(at("demos/digits.onnx"), `${pages}/public/play/digits.onnx`);
writeDeclarations();
await writeModules();
await writeBench(`${pages}/public/bench`);
