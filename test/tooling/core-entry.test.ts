/**
 * What `nx-numerics/core` says about which functions need which vector code, compared with the loops that these functions bring, and
 * what `nx-numerics/reference` does without.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { build, transform, type Plugin } from "esbuild";
import { expect, it } from "vitest";
import * as core from "../../lib/core-functions";
import { annotatePure } from "../../scripts/annotate-pure";

const lib = path.resolve(import.meta.dirname, "../../lib");

/** The groups of vector code, by primitive. */
const GROUPS: Readonly<Record<string, string>> = {
  argReduce: "SEARCHES",
  argsort: "SORTING",
  conv: "PRODUCTS",
  cumulative: "SCANS",
  dot: "PRODUCTS",
  fft: "TRANSFORMS",
  sort: "SORTING",
  windowOp: "WINDOWS",
};

/** These bring the rules of gradients or of vectorization, and their loops; a function that needs vector code brings it by itself. */
const OF_RULES =
  /^(Defn|grad|valueAndGrad|vectorize|devectorize|revectorize|broadcastVectors|reshapeVectors|runtimeCall)$/;

/** The groups of each function and namespace in the table of the entry. */
const table = new Map(
  [
    ...readFileSync(path.join(lib, "core-functions.ts"), "utf8").matchAll(
      /^export const (\w+) = withCode\(functions\.\1, (.*)\);$/gm,
    ),
  ].map(([, name, groups]) => [name!, groups!]),
);

/** Files as the package has them: marked where bundlers may leave something out. */
const marked: Plugin = {
  name: "marked",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const { code } = await transform(readFileSync(file, "utf8"), { loader: "ts", target: "es2022" });
      const chunk = annotatePure.renderChunk!.call({} as never, code, { path: "file.js" } as never);
      return { contents: ((await chunk) as { code: string }).code, loader: "js" };
    });
  },
};

/** Programs that name functions, by what they are called, and the groups that would help the loops in their bundles. */
async function neededBy(programs: ReadonlyMap<string, readonly string[]>): Promise<ReadonlyMap<string, string>> {
  const named: Plugin = {
    name: "named",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^program:/ }, (program) => ({
        path: program.path.slice("program:".length),
        namespace: "program",
      }));
      onLoad({ filter: /./, namespace: "program" }, ({ path: program }) => ({
        contents: `export { ${programs.get(program)!.join(", ")} } from "./functions";`,
        resolveDir: lib,
      }));
    },
  };
  const { outputFiles } = await build({
    entryPoints: [...programs.keys()].map((program) => ({ in: `program:${program}`, out: program })),
    bundle: true,
    write: false,
    outdir: "out",
    format: "esm",
    external: ["immutable", "fflate"],
    plugins: [named, marked],
  });
  const groupsOf = (text: string): string => {
    const brought = [...text.matchAll(/\bbrings\d*\("(\w+)"/g)].flatMap(([, primitive]) => GROUPS[primitive!] ?? []);
    return [...new Set(brought)].sort().join(", ");
  };
  return new Map(outputFiles.map(({ path: file, text }) => [path.basename(file, ".js"), groupsOf(text)]));
}

it(
  "functions and namespaces of the table need the groups that they name, all others none",
  { timeout: 120_000 },
  async () => {
    const own = [...table.keys()].filter((name) => !OF_RULES.test(name));
    const others = Object.keys(core).filter((name) => !table.has(name) && !OF_RULES.test(name));
    const needed = await neededBy(
      new Map<string, readonly string[]>([["others", others], ...own.map((name) => [name, [name]] as const)]),
    );
    expect(needed).toEqual(new Map([["others", ""], ...own.map((name) => [name, table.get(name)!] as const)]));
  },
);

it("nx-numerics/reference has nothing of the backend wasm, by itself as in a bundle", async () => {
  const { metafile } = await build({
    entryPoints: [path.join(lib, "reference.ts")],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    external: ["immutable", "fflate"],
  });
  const [{ inputs }] = Object.values(metafile.outputs) as [(typeof metafile.outputs)[string]];
  const kept = Object.keys(inputs).filter((file) => inputs[file]!.bytesInOutput > 0);
  expect(kept.filter((file) => file.includes("backends/binary/"))).not.toEqual([]);
  expect(kept.filter((file) => file.includes("backends/wasm/"))).toEqual([]);
});
