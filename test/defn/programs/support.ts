/** Functions that run in several ways: on the reference, on wasm step by step, and on wasm as programs. */
import { expect } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { tune } from "../../../lib/backends/tuning";
import { programs } from "../../../lib/backends/wasm/program";
import type { Run } from "../../../lib/defn/programs/runs";
import { runsFor } from "../../../lib/defn/programs/runs";
import { COMPILERS } from "../../../lib/defn/compiler";
import { trace } from "../../../lib/defn/trace";
import type { ProgramStep } from "../../../lib/program";

export type Fn = (...args: Tensor[]) => readonly Tensor[];

/** Runs `fn` with programs switched on or off. */
export function withPrograms<R>(on: boolean, fn: () => R): R {
  tune({ programs: on });
  try {
    return fn();
  } finally {
    tune({ programs: null });
  }
}

/** How many programs ran to their end while `fn` did. */
export function programsRunBy(fn: () => unknown): number {
  const members = programs as { run: typeof programs.run };
  const { run } = members;
  let count = 0;
  members.run = (...args) => {
    const data = run(...args);
    if (data) count++;
    return data;
  };
  try {
    fn();
  } finally {
    members.run = run;
  }
  return count;
}

const bytesOf = (tensors: readonly Tensor[]): string[] =>
  tensors.map((t) => `${t.type}[${t.shape.join()}] ${Buffer.from(Nx.toBinary(t)).toString("hex")}`);

const on = (backend: string, fn: Fn, args: readonly Tensor[]): readonly Tensor[] =>
  Nx.withDefaultBackend(backend, () => Nx.defn(fn)(...args.map((arg) => Nx.backendCopy(arg, backend))));

/** Expects the same bytes in all ways, and so many programs in the last one. */
export function expectSame(fn: Fn, args: readonly Tensor[], count: number | null = 1): void {
  const expected = bytesOf(on("binary", fn, args));
  expect(withPrograms(false, () => bytesOf(on("wasm", fn, args)))).toEqual(expected);
  let results: string[] = [];
  const ran = programsRunBy(() => (results = withPrograms(true, () => bytesOf(on("wasm", fn, args)))));
  expect(results).toEqual(expected);
  if (count !== null) expect(ran).toBe(count);
}

/** The kinds of the steps of each program of a function. */
export function programsOf(fn: Fn, ...args: Tensor[]): string[][] {
  return Nx.withDefaultBackend("wasm", () => {
    const own = args.map((arg) => Nx.backendCopy(arg, "wasm"));
    const { plan } = COMPILERS.optimizing(trace(fn as never, own, new Set()).graph);
    const runs = (runsFor(plan, own) ?? []).filter((run): run is Run => run !== undefined);
    return runs.map(({ program }) => program.steps.map(nameOf));
  });
}

const nameOf = (step: ProgramStep): string => (step.kind === "primitive" ? step.primitive : step.kind);
