/**
 * The runners of `bench/peers/runners` as workers for the page of benchmarks: the same code, whose channel is messages in place of
 * lines of a process, and whose libraries are those of this package.
 */
import { cpSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (place) => fileURLToPath(new URL(`../${place}`, import.meta.url));
const manifestOf = (folder) => JSON.parse(readFileSync(at(`${folder}/package.json`), "utf8"));

/** The version of a library, which has to be the one that `npm run bench` measures. */
function versionOf(name, measured = name) {
  const { version } = manifestOf(`node_modules/${name}`);
  const wanted = manifestOf("../bench").dependencies[measured];
  if (version !== wanted)
    throw new Error(
      `the benchmarks of the page have ${name} ${version}, bench/ has ${measured} ${wanted}: make site/package.json agree`,
    );
  return version;
}

/** What runners import that is another thing in a page. */
const INSTEAD = {
  "../serve": "bench/serve.ts",
  "./version": "bench/version.ts",
  "@tensorflow/tfjs": "bench/tfjs.ts",
  "@tensorflow/tfjs-backend-wasm": "bench/tfjs-wasm.ts",
};

const inPages = {
  name: "in-pages",
  setup({ onResolve }) {
    onResolve(
      { filter: /^(\.\.\/serve|\.\/version|@tensorflow\/tfjs(-backend-wasm)?)$/ },
      ({ path: wanted, importer }) =>
        importer.startsWith(at("../bench/peers/runners/")) ? { path: at(INSTEAD[wanted]) } : null,
    );
  },
};

export async function writeBench(out) {
  const { version } = manifestOf("..");
  versionOf("@tensorflow/tfjs-core", "@tensorflow/tfjs");
  versionOf("@tensorflow/tfjs-backend-wasm");
  await build({
    entryPoints: ["nx", "jax", "tfjs", "loop"].map((name) => at(`../bench/peers/runners/${name}.ts`)),
    outdir: out,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "error",
    plugins: [inPages],
    nodePaths: [at("node_modules")],
    alias: { "nx-numerics": at("../dist/index.js") },
    external: ["fs", "path", "os", "crypto", "url", "inspector", "perf_hooks", "module", "worker_threads"],
    define: {
      "process.env": JSON.stringify({ NX_BENCH_RELEASE: "1", NX_BENCH_VERSION: version }),
      PEER_VERSIONS: JSON.stringify({ "@jax-js/jax": versionOf("@jax-js/jax") }),
    },
  });
  const modules = at("node_modules/@tensorflow/tfjs-backend-wasm/dist");
  for (const file of readdirSync(modules))
    if (file.endsWith(".wasm")) cpSync(path.join(modules, file), path.join(out, file));
}
