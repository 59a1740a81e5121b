/** Hosts that need no more than Node: Node itself, as it may be started, and engines that are taken parts of. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { type Found, foundIn, type Project, probeText } from "./project";

/** Runs the probe in a host. */
export type Host = (project: Project) => Promise<Found>;

/** Runs a program; what it printed. */
export function execute(command: string, args: readonly string[], cwd: string, env: object = {}): Promise<string> {
  return new Promise((done) => {
    const options = { cwd, env: { ...process.env, NODE_OPTIONS: "", ...env }, timeout: 240_000 };
    execFile(command, args, options, (error, stdout, stderr) => {
      done(stdout + stderr + (error?.killed ? `\n${command} was ended after ${options.timeout / 1000} seconds` : ""));
    });
  });
}

const node =
  (...args: string[]): Host =>
  async ({ folder }) =>
    foundIn(await execute(process.execPath, args, folder));

/** Node's permissions, which Node 20 calls experimental. */
const permission = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";

const WORKER = `
const { Worker } = require("node:worker_threads");
new Worker(require("node:path").join(__dirname, "run.mjs"));
`;

/** An engine of its own that has the language, but for what is taken away, and of the host no more than what is given. */
const engine =
  (given: object, without: readonly string[], wasm: boolean): Host =>
  async ({ folder }) => {
    const context = createContext({ setTimeout, clearTimeout, ...given }, { codeGeneration: { strings: false, wasm } });
    runInContext(without.map((name) => `delete globalThis.${name};`).join("\n"), context);
    const cache = new Map<string, unknown>();
    const from = createRequire(join(folder, "run.cjs"));
    const fileOf = (name: string): string => {
      if (name === "fflate") return join(folder, "node_modules/fflate/lib/browser.cjs");
      const [, entry] = /^nx-numerics(?:\/(.*))?$/.exec(name) ?? [null, null];
      return entry === null
        ? from.resolve(name)
        : join(folder, `node_modules/nx-numerics/dist/${entry ?? "index"}.cjs`);
    };
    const load = (name: string): unknown => {
      if (cache.has(name)) return cache.get(name);
      if (name.startsWith("node:") || name === "fs") throw new Error(`there is no ${name} here`);
      const module = { exports: {} };
      const file = fileOf(name);
      const text = `(function (module, exports, require) {${readFileSync(file, "utf8")}\n})`;
      (runInContext(text, context, { filename: file }) as (...args: unknown[]) => void)(module, module.exports, load);
      cache.set(name, module.exports);
      return module.exports;
    };
    const probe = runInContext(`(${probeText()})`, context) as (Nx: unknown, options: object) => Promise<Found>;
    const refusals: string[] = [];
    const found = await probe(load("nx-numerics"), { load: async (name: string) => load(name), folder, refusals });
    return { ...found, refusals };
  };

const clock = { performance: { now: () => 0 } };

/** By the name that each has in the table. */
export const LOCAL: Readonly<Record<string, Host>> = {
  Node: node("run.mjs"),
  "Node, by `require`": node("run.cjs"),
  "Node's `worker_threads`": async (project) => {
    project.write("worker.cjs", WORKER);
    return node("worker.cjs")(project);
  },
  "Node with `--permission`, reading allowed": node(permission, "--allow-fs-read=*", "run.mjs"),
  "Node with `--permission`, only the package's own folder": async (project) =>
    node(permission, ...["package.json", "run.mjs", "probe.cjs", "node_modules/"].map((name) => `--allow-fs-read=${join(project.folder, name)}`), "run.mjs")(project), // prettier-ignore
  "Node with `--disallow-code-generation-from-strings`": node("--disallow-code-generation-from-strings", "run.mjs"),
  "Node with `--jitless`": node("--jitless", "run.mjs"),
  "Cloudflare Workers": engine({ ...clock, TextEncoder, TextDecoder, Blob, crypto }, ["SharedArrayBuffer", "FinalizationRegistry"], false), // prettier-ignore
  "React Native (Hermes)": engine({}, ["WebAssembly", "SharedArrayBuffer", "Atomics", "Intl", "FinalizationRegistry", "WeakRef"], true), // prettier-ignore
};
