// Installs the packed package into an empty folder, as a user would, and uses it there: from ESM and from CommonJS, at
// run time and under tsc. Needs `npm run build` first.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = path.join(root, "node_modules/typescript/bin/tsc");
const expected = "#Nx.Tensor<\n  s64[x: 2]\n  [11, 22]\n>";

/** Compilers take 0.85 of the processor's time with a large nursery and where V8 optimises less. */
const FLAGS = ["--interrupt-budget=600000", "--single-threaded-gc", "--min-semi-space-size=64", "--max-semi-space-size=128"]; // prettier-ignore

/**
 * A fifth of a megabyte of it is documentation of methods, which editors show in that place only. The files that the entries share are
 * there as bundlers want them, in parts for Node, and once more in CommonJS; 0.6 of a megabyte is modules of plain calls.
 */
const MOST_MEGABYTES = 8.3;
/** What tsc makes of the declarations, libraries included (65,000, in the time that 58,000 took); those of Immutable alone take 800,000. */
const MOST_INSTANTIATIONS = 70_000;

const job = `
const t = Nx.add(Nx.tensor([1, 2], { names: ["x"] }), Nx.tensor([10, 20]));
if (String(t) !== ${JSON.stringify(expected)}) throw new Error("unexpected result: " + String(t));
if (!(t instanceof Nx.Tensor)) throw new Error("a result is not an instance of Tensor");
`;

/** A call of a function for each primitive whose loops a program has only where it needs them. */
const ALONE = {
  argsort: "argsort(t)",
  conv: "conv(iota([1, 1, 4]), iota([1, 1, 2]))",
  cumulativeSum: "cumulativeSum(t)",
  dot: "dot(t, t)",
  fft: "fft(t)",
  gather: "gather(t, iota([2, 1]))",
  indexedAdd: "indexedAdd(t, iota([2, 1]), iota([2]))",
  median: "median(t)",
  sort: "sort(t)",
  take: "take(t, iota([2]))",
  takeAlongAxis: "takeAlongAxis(t, iota([4]), { axis: 0 })",
  topK: "topK(t)[0]",
  windowMax: "windowMax(t, [2])",
  windowReduce: "windowReduce(t, 0, [2], (a, b) => max(a, b))",
  windowScatterMax: "windowScatterMax(t, iota([3]), 0, [2])",
};

const alone = (name, call) => `
import { ${["iota", "max", name].join(", ")} } from "nx-numerics/reference";
const t = iota([4]);
if (!String(${call}).startsWith("#Nx.Tensor<")) throw new Error("${name} gives nothing");
`;

/** Whether the functions and classes of an entry, and of its namespaces, say the names that they are exported by. */
const named = `
const named = (exports, entry) => {
  for (const [name, value] of Object.entries(exports)) {
    const isNamespace = typeof value === "object" && value !== null && /^[A-Z]/.test(name) && Object.getPrototypeOf(value) !== Array.prototype;
    if (isNamespace) named(value, entry + "." + name);
    if (typeof value !== "function" || value.name === name || exports[value.name] === value) continue;
    throw new Error(entry + "." + name + " is called " + value.name);
  }
};
`;

const files = {
  "package.json": JSON.stringify({ name: "smoke", private: true }),
  "run.mjs": `import * as Nx from "nx-numerics";\n${job}`,
  "run.cjs": `const Nx = require("nx-numerics");\n${job}`,
  // One process has one copy, whichever way it is loaded.
  "one-copy.mjs": `
import { createRequire } from "node:module";
import * as Nx from "nx-numerics";
const Required = createRequire(import.meta.url)("nx-numerics");
if (Required.Tensor !== Nx.Tensor) throw new Error("import and require give different copies");
if (!Nx.add(Nx.tensor([1]), Required.tensor([2])).equals(Required.tensor([3]))) throw new Error("copies do not mix");
`,
  // Where two copies are loaded all the same, each names the values of the other.
  "two-copies.mjs": `
import { createRequire } from "node:module";
import * as Nx from "nx-numerics";
const Other = createRequire(import.meta.url)("./node_modules/nx-numerics/dist/index.cjs");
const other = Other.tensor([1, 2]);
if (other instanceof Nx.Tensor) throw new Error("the CommonJS build is no copy of its own");
const calls = [() => Nx.add(other, 1), () => Nx.tensor(other), () => Nx.isTensor(other), () => Nx.tensor([1]).equals(other),
  () => Nx.defn((t) => t)(other), () => Nx.backendCopy({ other })];
for (const call of calls) {
  try {
    call();
  } catch (error) {
    if (error instanceof Other.ArgumentError && /a tensor of another copy of nx-numerics/.test(error.message)) continue;
    throw error;
  }
  throw new Error("a tensor of another copy was passed over: " + call);
}
if (Nx.host().copies.length !== 2) throw new Error("two copies are " + Nx.host().copies);
if (!Nx.fromMessage(Other.toMessage(other)[0]).equals(Nx.tensor([1, 2]))) throw new Error("messages do not pass");
`,
  "threads.mjs": `
import { Worker, isMainThread, parentPort } from "node:worker_threads";
import * as Nx from "nx-numerics";
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  const answers = [];
  worker.on("message", (message) => {
    answers.push(Nx.fromMessage(message).sum);
    if (answers.length < 3) return;
    worker.terminate();
    if (answers.some((sum) => sum.toNumber() !== 499500)) throw new Error("threads answer " + answers);
  });
  const t = Nx.iota([1000], { names: ["x"] });
  worker.postMessage(...Nx.toMessage({ t }));
  const [message, transfer] = Nx.toMessage({ t }, { shared: true });
  for (let i = 0; i < 2; i++) worker.postMessage(message, transfer);
} else {
  parentPort.on("message", (message) => {
    const { t } = Nx.fromMessage(message);
    if (t.names[0] !== "x") throw new Error("a thread got " + t);
    parentPort.postMessage(...Nx.toMessage({ sum: t.sum() }));
  });
}
`,
  // Node loads what few programs need when it is asked for.
  "dependencies.mjs": `
import { createRequire } from "node:module";
import * as Nx from "nx-numerics";
import { List } from "immutable";
const { cache } = createRequire(import.meta.url);
const loaded = (name) => Object.keys(cache).some((file) => file.includes("/node_modules/" + name + "/"));
Nx.defn((x) => Nx.sum(x))(Nx.iota([10000]));
if (loaded("fflate")) throw new Error("fflate is loaded before something is compressed");
const bytes = Nx.serialize(List([Nx.tensor([1])]), { compression: "deflate" });
if (!loaded("fflate")) throw new Error("fflate is not what compresses");
if (!(Nx.deserialize(bytes) instanceof List)) throw new Error("a List of another copy of Immutable");
`,
  "no-dependencies.mjs": `
import { createRequire } from "node:module";
await import("nx-numerics");
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes("node_modules"));
if (loaded.length > 0) throw new Error("the start of a program waits for " + loaded.join(", "));
`,
  // Node reads what few programs need at their start when it is called.
  "parts.mjs": `
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import * as Nx from "nx-numerics";
const parts = () => Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes("library-"));
const t = Nx.tensor([1, 2, 3, 4]).add(1).multiply(2);
const product = Nx.defn((x) => x.add(1).multiply(x));
for (let call = 0; call < 3; call++) String(product(t).sum().toNumber());
const large = Nx.tensor(new Float32Array(100000));
Nx.evaluate(Nx.add(large, 1));
Nx.evaluate(Nx.sum(large));
if (parts().length > 0) throw new Error("plain calls waited for " + parts().join(", "));
if (Nx.LinAlg.norm(t).toNumber() !== Math.fround(Math.sqrt(4 * (4 + 9 + 16 + 25)))) throw new Error("a wrong norm");
if (parts().length === 0) throw new Error("the library is not in parts");
const profile = String(Nx.profile(() => Nx.LinAlg.norm(t).add(Nx.quantile(t, 0.5))));
const dist = new URL("./node_modules/nx-numerics/dist/node/", import.meta.url);
const named = readdirSync(new URL("whole", dist)).map((file) => readFileSync(new URL("whole/" + file, dist), "utf8")).join("");
const copied = readdirSync(dist).filter((file) => file.startsWith("library-"));
for (const file of copied) if (!named.includes('load("../' + file)) throw new Error("tools that copy files do not find " + file);
if (!named.includes('new URL("../modules.bin", import.meta.url)')) throw new Error("tools that copy files do not find modules");
const required = named + readFileSync(new URL("../dependencies-node.js", dist), "utf8");
if (/\\w\\("[^"]*\\.bin"\\)/.test(required)) throw new Error("bundlers that follow require parse a file of modules");
if (/library-/.test(profile) || !profile.includes("parts.mjs:")) throw new Error("lines of the library in a profile: " + profile);
`,
  // Node finds modules that plain calls need in a file: its bytes are run, a damaged one is told, and without it all are assembled.
  "modules.mjs": `
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
if (process.argv[2] === "call") {
  const Nx = await import("nx-numerics");
  console.log(Nx.sum(Nx.iota([100000], { type: "f64" })).toNumber());
  process.exit(0);
}
const file = new URL("node_modules/nx-numerics/dist/node/modules.bin", import.meta.url);
const whole = readFileSync(file);
const call = () => spawnSync(process.execPath, ["modules.mjs", "call"], { encoding: "utf8" });
const check = (what, { stdout, stderr }, expected) => {
  if (!expected.test(stdout + stderr)) throw new Error(what + ": " + stdout + stderr);
};
check("a call", call(), /^4999950000$/m);
const ends = whole.subarray(4 + 20 * whole.readUInt32LE());
for (let i = 0; i < ends.length; i++) ends[i] ^= 1;
writeFileSync(file, whole);
check("a damaged file", call(), /modules.bin is damaged, at the module fold sum .*: install the package again/);
rmSync(file);
check("no file", call(), /^4999950000$/m);
`,
  // Hosts that cannot require an ES module take the CommonJS build.
  "build.cjs": `const Nx = require("./node_modules/nx-numerics/dist/index.cjs");\n${job}`,
  "bundle.mjs": `
import { tensor } from "nx-numerics";
if (String(tensor([1, 2]).add(1)).indexOf("[2, 3]") < 0) throw new Error("a bundle lost the methods of tensors");
`,
  "kernels.mjs": `
import { iota, sum } from "nx-numerics";
if (sum(iota([100000], { type: "f32" })).toNumber() !== 4999949824) throw new Error("a bundle runs no kernels");
process.exit(0);
`,
  // The small entry by itself, then beside the main one: the same tensors.
  "reference.mjs": `
import * as Small from "nx-numerics/reference";
const t = Small.tensor([3, 1, 2], { names: ["x"] });
if (t.backend.name !== "binary" || "add" in t) throw new Error("the small entry has more than it says");
if (String(t) !== "#Nx.Tensor<\\n  s64[x: 3]\\n  [3, 1, 2]\\n>") throw new Error("tensors do not show themselves: " + t);
try {
  Small.tensor([1], { backend: "wasm" });
  throw new Error("there is a backend that should not be there");
} catch (error) {
  if (!/"wasm" is no part of nx-numerics.reference; import from "nx-numerics" or "nx-numerics.core"/.test(error.message)) throw error;
}
const Nx = await import("nx-numerics");
if (Nx.Tensor !== Small.Tensor || !Nx.sort(t).add(1).equals(Nx.tensor([2, 3, 4], { names: ["x"] }))) throw new Error("two classes");
if (Small.tensor([1]).backend !== Nx.tensor([1]).backend) throw new Error("two default backends");
`,
  // The entry without methods by itself, then beside the main one.
  "core.mjs": `
import * as Core from "nx-numerics/core";
const t = Core.tensor([3, 1, 2], { names: ["x"] });
if (t.backend.name !== "wasm" || "add" in t) throw new Error("tensors without methods have more than they say, or another backend");
const sorted = Core.sort(Core.iota([100000]), { direction: "desc" });
if (Core.toList(sorted)[0] !== 99999 || Core.Defn.defn((x) => Core.add(x, 1))(t).rank !== 1) throw new Error("wrong results");
const Nx = await import("nx-numerics");
if (Nx.Tensor !== Core.Tensor || Nx.sort !== Core.sort || !t.add(1).equals(Nx.tensor([4, 2, 3], { names: ["x"] }))) throw new Error("two classes");
if (Core.tensor([1]).backend !== Nx.tensor([1]).backend) throw new Error("two default backends");
`,
  "core.cts": `
import Core = require("nx-numerics/core");
export const rank: number = Core.defn((x: Core.Tensor) => Core.add(x, 1))(Core.tensor([1, 2])).rank;
`,
  "core.mts": `
import { LinAlg, defn, sum, tensor, type Tensor } from "nx-numerics/core";
const t: Tensor<readonly ["x"]> = tensor([1, 2], { names: ["x"] });
export const rank: number = defn((x: Tensor) => sum(x))(t).rank + LinAlg.norm(t).rank;
// @ts-expect-error a tensor has no methods here
t.add(1);
`,
  "reference.cts": `
import Small = require("nx-numerics/reference");
export const rank: number = Small.sum(Small.tensor([1, 2], { names: ["x"] }), { axes: ["x"] }).rank;
`,
  "reference.mts": `
import { add, sum, tensor, type Tensor } from "nx-numerics/reference";
const t: Tensor<readonly ["x"]> = tensor([1, 2], { names: ["x"] });
export const rank: number = add(t, sum(t, { axes: ["x"] })).rank;
// @ts-expect-error a tensor has no methods here
t.add(1);
`,
  // Each function by itself finds the loops of its primitive in its bundle.
  ...Object.fromEntries(Object.entries(ALONE).map(([name, call]) => [`alone/${name}.mjs`, alone(name, call)])),
  "sub-paths.mjs": `
${named}
named(await import("nx-numerics"), "Nx");
for (const name of ["core", "reference", "testing", "backend", "config", "files", "display", "optim", "onnx", "plot", "onnxruntime", "triton", "doctest", "zarr", "columns", "eslint"]) {
  const module = await import("nx-numerics/" + name);
  if (Object.keys(module).length === 0) throw new Error("nx-numerics/" + name + " exports nothing");
  named(module, name);
}`,
  "sub-paths.cjs": `
${named}
named(require("./node_modules/nx-numerics/dist/index.cjs"), "Nx");
for (const name of ["core", "reference", "testing", "backend", "config", "files", "display", "optim", "onnx", "plot", "onnxruntime", "triton", "zarr", "columns", "eslint"]) {
  const module = require("./node_modules/nx-numerics/dist/" + name + ".cjs");
  if (Object.keys(require("nx-numerics/" + name)).length === 0) throw new Error("nx-numerics/" + name + " exports nothing");
  named(module, name);
}`,
  "types.mts": `
import * as Nx from "nx-numerics";
const t: Nx.Tensor = Nx.add(Nx.tensor([1, 2], { names: ["x"] }), Nx.tensor([10, 20]));
export const text: string = String(t);
// @ts-expect-error a tensor is not a number, so the types are real and not any
export const wrong: number = Nx.add(1, 2);
`,
  "types.cts": `
import Nx = require("nx-numerics");
const t: Nx.Tensor = Nx.add(Nx.tensor([1, 2]), Nx.tensor([10, 20]));
export const text: string = String(t);
// @ts-expect-error a tensor is not a number, so the types are real and not any
export const wrong: number = Nx.add(1, 2);
`,
  "sub-types.mts": `
import * as testing from "nx-numerics/testing";
import * as backend from "nx-numerics/backend";
import * as config from "nx-numerics/config";
import * as files from "nx-numerics/files";
import * as display from "nx-numerics/display";
import * as optim from "nx-numerics/optim";
import * as onnx from "nx-numerics/onnx";
import * as plot from "nx-numerics/plot";
import * as onnxruntime from "nx-numerics/onnxruntime";
import * as triton from "nx-numerics/triton";
import * as zarr from "nx-numerics/zarr";
import * as columns from "nx-numerics/columns";
import * as doctest from "nx-numerics/doctest";
export const all: object[] = [testing, backend, config, files, display, optim, onnx, plot, triton, zarr, columns, doctest];
`,
  "sub-types.cts": `
import testing = require("nx-numerics/testing");
import backend = require("nx-numerics/backend");
import config = require("nx-numerics/config");
import files = require("nx-numerics/files");
import display = require("nx-numerics/display");
import optim = require("nx-numerics/optim");
import onnx = require("nx-numerics/onnx");
import plot = require("nx-numerics/plot");
import onnxruntime = require("nx-numerics/onnxruntime");
import triton = require("nx-numerics/triton");
import zarr = require("nx-numerics/zarr");
import columns = require("nx-numerics/columns");
import doctest = require("nx-numerics/doctest");
export const all: object[] = [testing, backend, config, files, display, optim, onnx, plot, triton, zarr, columns, doctest];
`,
  // In a link to a checkout (npm install ../nx-numerics) the declarations lie under no folder that has the package.
  "linked/types.mts": `
import { squaredError } from "nx-numerics/optim";
// @ts-expect-error a tensor is not a number, so the types are real and not any
export const wrong: number = squaredError(1, 2);
`,
};

/** Bytes in the package are those that the library assembles, whatever was called before. */
function compareModules() {
  const file = path.join(temp, "node_modules/nx-numerics/dist/node/modules.bin");
  return begin(
    process.execPath,
    [path.join(root, "node_modules/tsx/dist/cli.mjs"), "scripts/parts/compare.ts", file],
    root,
  );
}

const temp = mkdtempSync(path.join(tmpdir(), "nx-numerics-smoke-"));
const run = (command, args, cwd = temp) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

const begin = (command, args, cwd = temp) =>
  new Promise((done, fail) => {
    execFile(command, args, { cwd, encoding: "utf8" }, (error, stdout, stderr) =>
      error ? fail(Object.assign(error, { stdout: stdout + stderr })) : done(stdout),
    );
  });

/** Steps that do not depend on each other, as many at a time as there are cores. */
async function steps(all) {
  const waiting = Object.entries(all);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await step(...next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

async function step(name, action) {
  const start = Date.now();
  try {
    await action();
    console.log(`smoke: ${name}: ok, ${((Date.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    console.error(`smoke: ${name}: FAILED\n${error.stdout ?? ""}${error.message}`);
    process.exitCode = 1;
  }
}

/** The optional peers of the sub-paths come from this checkout; the package itself does not pull them in. */
function linkPeers() {
  for (const peer of ["typescript", "vitest", "@types", "@observablehq"]) {
    symlinkSync(path.join(root, "node_modules", peer), path.join(temp, "node_modules", peer), "junction");
  }
}

function check(...args) {
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  return begin(process.execPath, [...FLAGS, tsc, ...flags, ...args]);
}

try {
  if (!existsSync(path.join(root, "dist/index.js"))) throw new Error("no dist/index.js: run `npm run build` first");
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", temp], root));
  mkdirSync(path.join(temp, "alone"));
  mkdirSync(path.join(temp, "linked/node_modules"), { recursive: true });
  symlinkSync(root, path.join(temp, "linked/node_modules/nx-numerics"), "junction");
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(temp, name), text);
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--no-package-lock"];
  run("npm", ["install", ...quiet, path.join(temp, packed.filename)]);

  const bin = (name) => path.join(root, "node_modules/.bin", name);
  const tarball = path.join(temp, packed.filename);
  const node = (file) => () => begin(process.execPath, [file]);
  // The main entry must type-check with no ambient types at all, libraries included, also where `using` is unknown.
  await steps({
    "types for import and require": async () => {
      const told = await check("--lib", "es2022", "--extendedDiagnostics", "types.mts", "types.cts");
      const instantiations = Number(/Instantiations:\s+(\d+)/.exec(told)[1]);
      if (instantiations > MOST_INSTANTIATIONS) {
        throw new Error(
          `${instantiations} instantiations, more than ${MOST_INSTANTIATIONS}: declarations of another package?`,
        );
      }
    },
    // What package managers, bundlers and TypeScript make of the entries; `node10` resolution knows no sub-paths.
    "are the types wrong": () => begin(process.execPath, [...FLAGS, bin("attw"), "--profile", "node16", tarball]),
    publint: () => begin(bin("publint"), ["--strict", tarball]),
    size: () => {
      const megabytes = packed.unpackedSize / 1e6;
      if (megabytes > MOST_MEGABYTES) throw new Error(`${megabytes} MB unpacked, more than ${MOST_MEGABYTES}`);
    },
    import: node("run.mjs"),
    require: node("run.cjs"),
    "one copy": node("one-copy.mjs"),
    "two copies": node("two-copies.mjs"),
    threads: node("threads.mjs"),
    "CommonJS build": node("build.cjs"),
    dependencies: node("dependencies.mjs"),
    "no dependencies at the start": node("no-dependencies.mjs"),
    parts: node("parts.mjs"),
    // Bundlers drop what a program does not use; the loops of what it uses, and the methods of tensors, must stay.
    "each function alone": async () => {
      const entryPoints = Object.keys(ALONE).map((name) => `alone/${name}.mjs`);
      const external = ["node:*"];
      buildSync({
        absWorkingDir: temp,
        entryPoints,
        outdir: "apart",
        outExtension: { ".js": ".mjs" },
        bundle: true,
        format: "esm",
        external,
      });
      for (const name of Object.keys(ALONE)) await begin(process.execPath, [`apart/${name}.mjs`]);
    },
    core: node("core.mjs"),
    "types of core": () => check("core.mts", "core.cts"),
    reference: node("reference.mjs"),
    "types of reference": () => check("reference.mts", "reference.cts"),
    bundled: () => {
      const entry = { entryPoints: ["bundle.mjs"], outfile: "bundled.mjs", bundle: true, format: "esm" };
      buildSync({ ...entry, absWorkingDir: temp });
      return begin(process.execPath, ["bundled.mjs"]);
    },
    // Other conditions take the place of `module`, so the files are those of Node, in a format without URLs of files.
    "bundled for Node": () => {
      const entry = { entryPoints: ["kernels.mjs"], outfile: "kernels.cjs", bundle: true, format: "cjs" };
      buildSync({ ...entry, absWorkingDir: temp, platform: "node", conditions: ["production"], logLevel: "error" });
      return begin(process.execPath, ["kernels.cjs"]);
    },
  });
  linkPeers();
  await steps({
    "modules are those that the library assembles": compareModules,
    "sub-path types of a link": () => check("linked/types.mts"),
    "sub-path types for import and require": () => check("--skipLibCheck", "sub-types.mts", "sub-types.cts"),
    "sub-paths by import": node("sub-paths.mjs"),
    "sub-paths by require": node("sub-paths.cjs"),
  });
  // damages the package
  await steps({ modules: node("modules.mjs") });
} finally {
  rmSync(temp, { recursive: true, force: true });
}
