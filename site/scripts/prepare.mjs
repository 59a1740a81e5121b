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
import { FILES, OF_NODE } from "../play/modules.ts";
import { writeBench } from "./bench.mjs";
import { withPictures } from "./explained.mjs";
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

async function writeGuides(face) {
  mkdirSync(`${pages}/guide`, { recursive: true });
  for (const file of readdirSync(at("../docs"))) {
    if (/\.(svg|png)$/.test(file)) cpSync(at(`../docs/${file}`), `${pages}/guide/${file}`);
    if (!file.endsWith(".md") || INTERNAL.has(file)) continue;
    const text = plain(relinked(readFileSync(at(`../docs/${file}`), "utf8")));
    writeFileSync(`${pages}/guide/${file}`, await withPictures(text, face));
  }
  writeFileSync(`${pages}/guide/changelog.md`, plain(relinked(readFileSync(at("../CHANGELOG.md"), "utf8"))));
}

const language = path.dirname(fileURLToPath(import.meta.resolve("typescript")));

/** What programs are written in: the language, and what a worker of a page has. */
const isOfLanguage = (name) =>
  /^lib\.(es(5|20\d\d)(\..*)?|esnext\.disposable|webworker(\.asynciterable)?|decorators(\.legacy)?)\.d\.ts$/.test(
    name,
  ) && !name.includes(".full.");

/** The library's own declarations, and where its entries are. */
function ownDeclarations() {
  const files = declarationsIn(at("../dist/types"), "nx-numerics");
  const { exports } = JSON.parse(readFileSync(at("../package.json"), "utf8"));
  const typesOf = Object.entries(exports).filter(([, one]) => typeof one === "object");
  const entries = typesOf.map(([name, { require }]) => [name, { types: require.types.replace("./dist/types/", "./") }]);
  const manifest = { name: "nx-numerics", exports: Object.fromEntries(entries) };
  return { ...files, "/node_modules/nx-numerics/package.json": JSON.stringify(manifest) };
}

function declarationsIn(folder, name) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".d.ts"))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    found.map((file) => [`/node_modules/${name}/${path.relative(folder, file)}`, readFileSync(file, "utf8")]),
  );
}

/** Declarations of a package, which say by themselves where they begin. */
function packageDeclarations(name) {
  const folder = at(`../node_modules/${name}`);
  const manifest = readFileSync(`${folder}/package.json`, "utf8");
  return { ...declarationsIn(folder, name), [`/node_modules/${name}/package.json`]: manifest };
}

/** The texts that the editor's compiler reads: declarations of the library, of what stands beside it, and of the language. */
function writeDeclarations() {
  const files = {
    ...ownDeclarations(),
    ...packageDeclarations("immutable"),
    ...packageDeclarations("zarrita"),
    ...packageDeclarations("@zarrita/storage"),
  };
  for (const name of Object.values(OF_NODE))
    files[`/node/${name}.ts`] = readFileSync(at(`play/node/${name}.ts`), "utf8");
  for (const name of readdirSync(language).filter(isOfLanguage))
    files[`/${name}`] = readFileSync(path.join(language, name), "utf8");
  writeFileSync(`${pages}/public/play/declarations.json`, JSON.stringify(files));
}

/** The library by its names is what was built. */
const builtLibrary = {
  name: "built library",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^nx-numerics(\/|$)/ }, ({ path: name }) => ({
      path: at(`../dist/${name.split("/")[1] ?? "index"}.js`),
    })),
};

/** How the library is bundled here. */
const bundles = {
  bundle: true,
  minify: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  logLevel: "error",
  plugins: [builtLibrary],
  nodePaths: [at("../node_modules")],
};

/** What programs import and the workers that compile and run them: files that share what is common, so that there is one copy of the library. */
async function writeModules() {
  const source = (name) => (Object.hasOwn(OF_NODE, name) ? at(`play/node/${OF_NODE[name]}.ts`) : name);
  const modules = Object.entries(FILES).map(([name, file]) => [path.parse(file).name, source(name)]);
  const workers = ["compiler.worker", "program.worker"].map((name) => [name, at(`play/${name}.ts`)]);
  await build({
    ...bundles,
    keepNames: true, // messages tell classes by their names
    entryPoints: Object.fromEntries([...modules, ...workers]),
    outdir: `${pages}/public/play`,
    external: ["fs", "path", "os", "crypto", "url", "inspector", "perf_hooks", "module"],
  });
}

/** The demonstrations, with what they use of the library: finding that out would be a sixth of the work of the build of pages. */
async function writeDemos() {
  rmSync(at(".vitepress/demos"), { recursive: true, force: true });
  const files = readdirSync(at("demos")).filter((name) => name.endsWith(".ts"));
  await build({ ...bundles, entryPoints: files.map((name) => at(`demos/${name}`)), outdir: at(".vitepress/demos") });
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
await writeGuides(face);
cpSync(at("../node_modules/vega-datasets/data/seattle-weather.csv"), `${pages}/public/play/seattle-weather.csv`);
cpSync(at("demos/digits.onnx"), `${pages}/public/play/digits.onnx`);
writeDeclarations();
await writeModules();
await writeDemos();
await writeBench(`${pages}/public/bench`);
