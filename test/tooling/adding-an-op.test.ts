/** The example of "Adding an op" in CONTRIBUTING.md: the row alone makes `tsc` name the tables, and all changes together compile and compute. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as Library from "nx-numerics";

const root = fileURLToPath(new URL("../../", import.meta.url));
const CHANGE = /^(`{3,})diff (\S+)\n([^]*?)^\1$/gm;

interface Change {
  readonly path: string;
  readonly hunks: readonly (readonly string[])[];
}

const changes: readonly Change[] = [...readFileSync(join(root, "CONTRIBUTING.md"), "utf8").matchAll(CHANGE)].map(
  ([, , path, text]) => ({ path: path!, hunks: text!.split(/^@@\n/m).map((hunk) => hunk.trimEnd().split("\n")) }),
);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "adding-an-op-"));
  for (const name of ["lib", "tsconfig.json"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const project = { extends: "./tsconfig.json", include: ["lib"], exclude: ["lib/eslint"] };
  writeFileSync(join(folder, "tsconfig.lib.json"), JSON.stringify(project));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What stands in a hunk on one side: without the signs in front. */
const sideOf = (hunk: readonly string[], sign: "-" | "+"): string =>
  hunk.flatMap((line) => (line.startsWith(" ") || line.startsWith(sign) ? [`${line.slice(1)}\n`] : [])).join("");

function apply({ path, hunks }: Change): void {
  const file = join(folder, path);
  for (const hunk of hunks) {
    const text = readFileSync(file, "utf8");
    const parts = `\n${text}`.split(`\n${sideOf(hunk, "-")}`);
    if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} places for\n${hunk.join("\n")}`);
    writeFileSync(file, parts.join(`\n${sideOf(hunk, "+")}`).slice(1));
  }
}

/** The messages of the type check, by file. */
function errors(): readonly (readonly [path: string, message: string])[] {
  const args = ["node_modules/typescript-7/bin/tsc", "-p", "tsconfig.lib.json", "--singleThreaded"];
  try {
    // the compiler ends before collecting pays
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", env: { ...process.env, GOGC: "off" } });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    return [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): (.*)$/gm)].map(([, path, message]) => [path!, message!]);
  }
}

it("the row of an op makes tsc name every table, and no others need one", { timeout: 120_000 }, () => {
  apply(changes[0]!);
  const tables = errors().flatMap(([path, message]) =>
    / is missing (in type|the following properties) /.test(message) ? [path] : [],
  );
  const paths = changes.map(({ path }) => path);
  expect(tables.filter((path) => !paths.includes(path))).toEqual([]);
  expect(tables.length).toBeGreaterThan(3);
  expect(paths).toHaveLength(new Set(paths).size);
  expect(paths.length).toBeLessThanOrEqual(11);
});

it("all of it compiles and computes, eagerly and compiled, with a gradient", { timeout: 120_000 }, async () => {
  changes.slice(1).forEach(apply);
  expect(errors()).toEqual([]);
  const outfile = join(folder, "library.mjs");
  buildSync({ entryPoints: [join(folder, "lib/index.ts")], outfile, bundle: true, platform: "node", format: "esm" });
  const Nx = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as typeof Library & {
    sinPi: typeof Library.sin;
  };
  const numbers = Array.from({ length: 10_001 }, (_, i) => (i - 5000) / 64);
  for (const type of ["f32", "f64"] as const) {
    const on = (backend: "binary" | "wasm"): readonly Uint8Array[] =>
      Nx.withDefaultBackend(backend, () => {
        const x = Nx.tensor(numbers, { type, names: ["x"] });
        const slope = Nx.Defn.grad((t: Library.Tensor) => Nx.sum(Nx.sinPi(t)))(x);
        return [Nx.sinPi(x), Nx.defn(Nx.sinPi)(x), slope].map((t) => Nx.toBinary(t));
      });
    const [eager, compiled, slope] = on("binary");
    expect([type, ...on("wasm")]).toEqual([type, eager, compiled, slope]);
    expect(compiled).toEqual(eager);
    const digits = type === "f32" ? 6 : 14;
    const read = (bytes: Uint8Array): number[] => Nx.toFlatList(Nx.fromBinary(bytes, type)) as number[];
    read(eager!).forEach((y, i) => expect(y).toBeCloseTo(Math.sin(Math.PI * (numbers[i]! % 2)), digits));
    read(slope!).forEach((y, i) => expect(y).toBeCloseTo(Math.PI * Math.cos(Math.PI * (numbers[i]! % 2)), digits - 1));
    expect(Nx.sinPi(Nx.tensor([-0, 3, -2.5, Infinity], { type })).toList()).toEqual([-0, 0, -1, NaN]);
  }
  expect(() => Nx.sinPi(new Nx.Complex(1, 2))).toThrow("Nx.sinPi is not defined for complex tensors");
});
