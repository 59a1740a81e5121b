/**
 * What `nx-numerics/core` says about which functions need which vector code, compared with the loops that these functions bring, what
 * the main entry says about which functions may run programs, and what `nx-numerics/reference` does without.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { build, transform, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { expect, it } from "vitest";
import * as core from "../../lib/core-functions";
import * as main from "../../lib/index";
import type * as dispatch from "../../lib/nx/dispatch";
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
  gather: "LOOKUPS",
  indexed: "LOOKUPS",
  sort: "SORTING",
  take: "LOOKUPS",
  takeAlong: "LOOKUPS",
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

/** A file as the package has it: marked where bundlers may leave something out; once for all bundles. */
async function markedText(file: string): Promise<string> {
  const { code } = await transform(readFileSync(file, "utf8"), { loader: "ts", target: "es2022" });
  const chunk = annotatePure.renderChunk!.call({} as never, code, { path: "file.js" } as never);
  return ((await chunk) as { code: string }).code;
}

const texts = new Map<string, Promise<string>>();
const marked: Plugin = {
  name: "marked",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (!texts.has(file)) texts.set(file, markedText(file));
      return { contents: await texts.get(file)!, loader: "js" };
    });
  },
};

/** Programs that name functions of a face, by what the programs are called, as bundlers make them of the package. */
function bundled(face: string, programs: ReadonlyMap<string, readonly string[]>) {
  const named: Plugin = {
    name: "named",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^program:/ }, (program) => ({
        path: program.path.slice("program:".length),
        namespace: "program",
      }));
      onLoad({ filter: /./, namespace: "program" }, ({ path: program }) => ({
        contents: `export { ${programs.get(program)!.join(", ")} } from "./${face}";`,
        resolveDir: lib,
      }));
    },
  };
  return build({
    entryPoints: [...programs.keys()].map((program) => ({ in: `program:${program}`, out: program })),
    bundle: true,
    write: false,
    metafile: true,
    outdir: "out",
    format: "esm",
    external: ["immutable", "fflate"],
    plugins: [named, marked],
  } satisfies BuildOptions);
}

/** The groups that would help the loops in the bundles of programs. */
async function neededBy(programs: ReadonlyMap<string, readonly string[]>): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await bundled("functions", programs);
  const groupsOf = (program: string, text: string): string => {
    const brought = [...text.matchAll(/\bbrings\d*\("(\w+)"/g)].flatMap(([, primitive]) => GROUPS[primitive!] ?? []);
    // others join little on the way, such as keys and the entries of loops: the table says whose results are joined
    if (table.get(program)?.includes("JOINS") && /\brun\d*\("concatenate"/.test(text)) brought.push("JOINS");
    if (/\bbringsBlock\d*\("threefry\w*", \w+, \w+\)/.test(text)) brought.push("DRAWS");
    if (/\.waiting\?\.\(/.test(text)) brought.push("EXPLAINING");
    return [...new Set(brought)].sort().join(", ");
  };
  return new Map(
    outputFiles.map(({ path: file, text }) => {
      const program = path.basename(file, ".js");
      return [program, groupsOf(program, text)];
    }),
  );
}

/** The files that an output has anything of. */
const keptIn = ({ inputs }: Metafile["outputs"][string]): string[] =>
  Object.keys(inputs).filter((file) => inputs[file]!.bytesInOutput > 0);

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

it("what may run programs brings the vector code of programs in the main entry, and nothing else does", async () => {
  const running = "Defn, Quantized, Random, Serving, betainc, defn, gammainc, gammaincc, grad, valueAndGrad".split(
    ", ",
  );
  const others = Object.keys(main).filter((name) => !running.includes(name));
  const programs = new Map<string, readonly string[]>([
    ["others", others],
    ...running.map((name, i) => [`${i} ${name}`, [name]] as const), // names that differ by more than their case
  ]);
  const { metafile } = await bundled("index", programs);
  const parts = Object.entries(metafile.outputs).map(([file, output]) => {
    const kept = keptIn(output);
    const has = (part: string): boolean => kept.some((one) => one.includes(part));
    return [path.basename(file, ".js"), [has("lib/defn/programs/runs.ts"), has("lib/backends/wasm/program/")]] as const;
  });
  expect(new Map(parts)).toEqual(
    new Map([...programs.keys()].map((name) => [name, name === "others" ? [false, false] : [true, true]])),
  );
}, 120_000);

it("defn of nx-numerics/core runs no programs by itself, and draws nothing", async () => {
  const programs = { alone: ["defn", "sum", "grad"], whole: ["Defn"], drawing: ["Random"] };
  const { metafile } = await bundled("core-functions", new Map(Object.entries(programs)));
  const hasIn = (program: keyof typeof programs) => {
    const kept = keptIn(metafile.outputs[`out/${program}.js`]!);
    const parts = ["defn/programs/runs.ts", "backends/wasm/program/", "binary/native/threefry.ts"];
    return parts.map((part) => kept.some((file) => file.includes(part)));
  };
  expect(hasIn("alone")).toEqual([false, false, false]);
  expect(hasIn("whole")).toEqual([true, true, false]);
  expect(hasIn("drawing")[2]).toBe(true);
}, 120_000);

it("an op comes with its programs and loops, without which running it is an error that says what to import", async () => {
  type Program = typeof core & typeof dispatch;
  const programOf = async (...named: readonly string[]): Promise<Program> => {
    const contents = `export { f32, ${named.join(", ")} } from "./core-functions"; export { rerun } from "./nx/dispatch";`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: lib },
      bundle: true,
      write: false,
      format: "esm",
      external: ["immutable", "fflate"],
      plugins: [marked],
    });
    const { text } = outputFiles[0]!;
    expect([...text.matchAll(/\bbrings\w*\(\s*"(quotient|floor)"/g)]).toHaveLength(named.includes("floor") ? 2 : 0);
    return (await import(
      /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`
    )) as Program;
  };
  const floorsIn = (Nx: Program, length: number): number[] => {
    const x = Nx.f32(Float32Array.from({ length }, (_, i) => i / 7 - 1000));
    return Nx.toFlatList(Nx.rerun("unary", x, [x], { op: "floor" })) as number[];
  };
  const [without, having] = [await programOf(), await programOf("floor", "quotient", "toFlatList")];
  for (const length of [7, 50_000]) {
    expect(() => floorsIn(without, length)).toThrow(
      'the loops of "floor" are not in this bundle, since no function of the library that is in it computes it; import Nx.floor',
    );
    expect(floorsIn(having, length)).toEqual(Array.from({ length }, (_, i) => Math.floor(Math.fround(i / 7 - 1000))));
  }
}, 120_000);

it("nx-numerics/reference has nothing of the backend wasm, by itself as in a bundle", async () => {
  const { metafile } = await build({
    entryPoints: [path.join(lib, "reference.ts")],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    external: ["immutable", "fflate"],
  });
  const kept = keptIn(Object.values(metafile.outputs)[0]!);
  expect(kept.filter((file) => file.includes("backends/binary/"))).not.toEqual([]);
  expect(kept.filter((file) => file.includes("backends/wasm/"))).toEqual([]);
});
