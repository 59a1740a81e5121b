/** What compiled functions compute in programs without the vector code of searches, scans and programs of many steps, and with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as wasm from "../../lib/backends/wasm/backend";
import type * as groups from "../../lib/backends/wasm/groups";
import type * as functions from "../../lib/functions";

/** The face of `nx-numerics/core` without its table: only the namespace `Defn` brings vector code. */
const CODE = `
export * as functions from "./functions";
export * as groups from "./backends/wasm/groups";
export * as wasm from "./backends/wasm/backend";
`;

interface Program {
  readonly functions: typeof functions;
  readonly groups: typeof groups;
  readonly wasm: typeof wasm;
}

const folder = mkdtempSync(path.join(tmpdir(), "groups-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A copy of the library, since that of the other tests has all groups. */
let program: Program;
beforeAll(async () => {
  const outfile = path.join(folder, "program.mjs");
  await build({
    stdin: { contents: CODE, resolveDir: path.resolve(import.meta.dirname, "../../lib") },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    outfile,
  });
  program = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Program;
});

it("searches and scans of what kernels compute are the same, bit for bit, without their groups, which run them as nests", () => {
  const { functions: Nx, groups: all, wasm: backends } = program;
  const { wasmBackend, withCode } = backends;

  /** The kinds of stages that nests have computed. */
  const nested = new Set<string>();
  const fused = wasmBackend.fused!;
  Object.assign(wasmBackend, {
    fused: ((outs, inputs, nest, reuses) => {
      const made = fused(outs, inputs, nest, reuses);
      if (made) for (const { kind } of nest.stages) nested.add(kind);
      return made;
    }) satisfies typeof fused,
  });

  const cases = {
    search: (t: functions.Tensor) => Nx.argmax(Nx.multiply(Nx.subtract(t, 0.5), -3), { axis: 1 }),
    scan: (t: functions.Tensor) => Nx.cumulativeSum(Nx.multiply(Nx.subtract(t, 0.5), -3), { axis: 1 }),
  };
  const values = Float32Array.from({ length: 64 * 1024 }, (_, i) => ((i * 7919) % 1031) / 1031);
  const bytesOn = (backend: typeof wasmBackend, fn: (typeof cases)["scan"]): unknown => {
    const t = Nx.reshape(Nx.f32(values, { backend }), [64, 1024]);
    return Nx.toTypedArray(Nx.defn(fn)(t));
  };

  const wanted = { search: bytesOn(Nx.binaryBackend, cases.search), scan: bytesOn(Nx.binaryBackend, cases.scan) };
  for (const [kind, group] of [
    ["search", all.SEARCHES],
    ["scan", all.SCANS],
  ] as const) {
    expect(bytesOn(wasmBackend, cases[kind])).toEqual(wanted[kind]);
    expect(nested).not.toContain(kind);
    withCode(null, group);
    expect(bytesOn(wasmBackend, cases[kind])).toEqual(wanted[kind]);
    expect(nested).toContain(kind);
  }
});

it("loops and many small steps are the same, bit for bit, without the group of programs, which runs them together", () => {
  const { functions: Nx, groups: all, wasm: backends } = program;
  const { wasmBackend, withCode } = backends;

  const cases: readonly ((t: functions.Tensor) => functions.Tensor)[] = [
    (t) =>
      Nx.Defn.whileLoop(
        t,
        (x) => Nx.less(Nx.sum(x), 1e4),
        (x) => Nx.add(Nx.multiply(x, 1.5), Nx.sin(x)),
      ),
    (t) => Nx.Defn.foriLoop(0, 20, (i, x) => Nx.subtract(Nx.multiply(x, 0.9), Nx.divide(Nx.cos(x), Nx.add(i, 1))), t),
    (t) => Nx.grad((x: functions.Tensor) => Nx.sum(Nx.Defn.foriLoop(0, 5, (_, y) => Nx.multiply(Nx.sin(y), x), x)))(t),
    (t) => Nx.gammainc(2.5, t),
  ];
  const values = Float32Array.from({ length: 50 }, (_, i) => (i + 1) / 51);
  const resultsOn = (backend: typeof wasmBackend): readonly unknown[] =>
    Nx.withDefaultBackend(backend, () => cases.map((fn) => Nx.toTypedArray(Nx.defn(fn)(Nx.f32(values)))));

  const wanted = resultsOn(Nx.binaryBackend);
  Object.assign(wasmBackend, { programs: undefined }); // the namespace in this copy has brought them
  expect(resultsOn(wasmBackend)).toEqual(wanted);
  withCode(null, all.PROGRAMS);
  const programs = wasmBackend.programs!;
  let runs = 0;
  const run: typeof programs.run = (...args) => (runs++, programs.run(...args));
  Object.assign(wasmBackend, { programs: { ...programs, run } });
  expect(resultsOn(wasmBackend)).toEqual(wanted);
  expect(runs).toBeGreaterThan(0);
});
