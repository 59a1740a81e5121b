/**
 * Who takes part, what each needs, and how its runner is started.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Candidate {
  readonly name: string;
  readonly runner: { readonly node: string } | { readonly python: readonly string[] };
  /** Package of bench/package.json that it needs. */
  readonly needs?: string;
  /** First major version of Node that it runs on. */
  readonly node?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether its nx is that of another checkout. */
  readonly before?: true;
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Threads of OpenBLAS wait 2^20 cycles, not 2^26, before they sleep: they must not take a core in the next one's turn. */
const SHORT_SPIN = { OPENBLAS_THREAD_TIMEOUT: "20" };

/**
 * Everyone, in the order of turns: who is set beside another one has its turn next to that. "nx-node24" is "nx-using"
 * on the Node that newer peers need, so that what engines do better there is not counted as the peers' own;
 * "nx-relaxed" is on a Node that has relaxed SIMD.
 */
export const candidates: readonly Candidate[] = [
  { name: "nx", runner: { node: "nx" } },
  { name: "nx-using", runner: { node: "nx" }, environment: { NX_BENCH_RELEASE: "1" } },
  { name: "nx-eager", runner: { node: "nx" }, environment: { NX_BENCH_EAGER: "1", NX_BENCH_RELEASE: "1" } },
  {
    name: "nx-immediate",
    runner: { node: "nx" },
    environment: { NX_BENCH_EAGER: "1", NX_BENCH_RELEASE: "1", NX_DEFERRED: "false" },
  },
  { name: "nx-node24", runner: { node: "nx" }, environment: { NX_BENCH_RELEASE: "1" }, node: 24 },
  { name: "jax-js", runner: { node: "jax" }, needs: "@jax-js/jax", node: 24 },
  { name: "tfjs", runner: { node: "tfjs" }, needs: "@tensorflow/tfjs-backend-wasm" },
  { name: "numpy-ts", runner: { node: "numpy-ts" }, needs: "numpy-ts", node: 22 },
  { name: "NumPy", runner: { python: [] }, environment: SHORT_SPIN },
  { name: "numexpr", runner: { python: ["numexpr"] } },
  { name: "loop", runner: { node: "loop" } },
  {
    name: "jax-js-eager",
    runner: { node: "jax" },
    needs: "@jax-js/jax",
    node: 24,
    environment: { NX_BENCH_EAGER: "1" },
  },
  { name: "nx-1-thread", runner: { node: "nx" }, environment: { NX_THREADS: "1", NX_BENCH_RELEASE: "1" } },
  { name: "nx-turns", runner: { node: "nx" }, environment: { NX_BENCH_TURNS: "1" } },
  { name: "nx-rotating", runner: { node: "nx" }, environment: { NX_BENCH_ROTATE: "1" } },
  { name: "nx-before", runner: { node: "nx" }, environment: { NX_BENCH_RELEASE: "1" }, before: true },
  {
    name: "nx-relaxed",
    runner: { node: "nx" },
    node: 22,
    environment: { NX_BENCH_CONFIG: '{ "fma": "relaxed" }', NX_BENCH_RELEASE: "1" },
  },
  { name: "onnxruntime-web", runner: { node: "onnxruntime-web" }, needs: "onnxruntime-web" },
  { name: "onnxruntime-node", runner: { node: "onnxruntime-node" }, needs: "onnxruntime-node" },
  { name: "NumPy-1-thread", runner: { python: [] }, environment: { OPENBLAS_NUM_THREADS: "1" } },
  { name: "nx-binary", runner: { node: "nx" }, environment: { NX_BACKEND: "binary", NX_COMPILER: "evaluator" } },
];

/** Who takes part where nobody is asked for, in the order of columns. */
export const usual: readonly string[] = [
  "nx",
  "nx-using",
  "nx-node24",
  "jax-js",
  "tfjs",
  "numpy-ts",
  "NumPy",
  "numexpr",
  "loop",
];

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export type Start = Command | { readonly missing: string };

const nodes = new Map<number, string | null>();

/** A Node of at least this major version: the one that runs this, or else what npx can get. */
function nodeOf(major: number): string | null {
  if (Number(process.versions.node.split(".")[0]) >= major) return process.execPath;
  if (!nodes.has(major)) nodes.set(major, fetchNode(Math.max(major, 24)));
  return nodes.get(major)!;
}

/** The package gets its program by an install script; without it `node` would be the one that runs this. */
function fetchNode(major: number): string | null {
  const args = ["--yes", "--ignore-scripts=false", "--package", `node@${major}`, "node", "--print"];
  const print = "`${process.versions.node} ${process.execPath}`";
  const { status, stdout } = spawnSync("npx", [...args, print], { encoding: "utf8", timeout: 120_000 });
  const found = /^(\d+)\S* (.+)$/.exec(stdout.trim().split("\n").at(-1) ?? "");
  return status === 0 && found && Number(found[1]) >= major ? found[2]! : null;
}

const { version } = JSON.parse(readFileSync(at("../../package.json"), "utf8")) as { version: string };

/** How to start the runner of a candidate, or why it cannot be. `node` is the least major version for all. */
export function startOf(candidate: Candidate, fileOf: (runner: string) => string, node: number): Start {
  const { runner, needs, environment = {} } = candidate;
  if ("python" in runner) return pythonStart(runner.python, environment);
  if (needs && !existsSync(at(`../node_modules/${needs}/package.json`))) {
    return { missing: `${needs} is not installed: run \`npm ci --prefix bench --ignore-scripts\`` };
  }
  const major = Math.max(node, candidate.node ?? 0);
  const file = nodeOf(major);
  if (file === null) return { missing: `it needs Node ${major}, and npx could not get it` };
  return { file, args: [fileOf(runner.node)], environment: { NX_BENCH_VERSION: version, ...environment } };
}

function pythonStart(args: readonly string[], environment: Readonly<Record<string, string>>): Start {
  const modules = ["numpy", ...args];
  const { status } = spawnSync("python3", ["-c", `import ${modules.join(", ")}`]);
  if (status !== 0) return { missing: `python3 with ${modules.join(" and ")} is not there: see docs/benchmarks.md` };
  return { file: "python3", args: [at("runners/numpy_runner.py"), ...args], environment };
}
