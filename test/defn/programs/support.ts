/** Functions that run in several ways: on the reference, on wasm step by step, and on wasm as programs. */
import { expect } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { tune } from "../../../lib/backends/tuning";
import { programs } from "../../../lib/backends/wasm/program";
import type { Run } from "../../../lib/defn/programs/runs";
import { RUNNER } from "../../../lib/defn/programs/runs";
import { COMPILERS } from "../../../lib/defn/compiler";
import { trace } from "../../../lib/defn/trace";
import type { ProgramStep } from "../../../lib/program";
import { differenceOf } from "../../fuzz/compare";

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

/** Expects the same elements, bit for bit but for those that are no numbers. */
function expectEqual(results: readonly Tensor[], expected: readonly Tensor[]): void {
  expect(results.map((t, i) => differenceOf(t, expected[i]!))).toEqual(expected.map(() => null));
}

const on = (backend: string, fn: Fn, args: readonly Tensor[]): readonly Tensor[] =>
  Nx.withDefaultBackend(backend, () => Nx.defn(fn)(...args.map((arg) => Nx.backendCopy(arg, backend))));

/** Expects the same results in all ways, and so many programs in the last one. */
export function expectSame(fn: Fn, args: readonly Tensor[], count: number | null = 1): void {
  const expected = on("binary", fn, args);
  expectEqual(
    withPrograms(false, () => on("wasm", fn, args)),
    expected,
  );
  let results: readonly Tensor[] = [];
  const ran = programsRunBy(() => (results = withPrograms(true, () => on("wasm", fn, args))));
  expectEqual(results, expected);
  if (count !== null) expect(ran).toBe(count);
}

/** The kinds of the steps of each program of a function. */
export const programsOf = (fn: Fn, ...args: Tensor[]): string[][] =>
  runsOf(fn, args).map(({ program }) => program.steps.map(nameOf));

/** The steps of all programs of a function. */
export const stepsOf = (fn: Fn, ...args: Tensor[]): readonly ProgramStep[] =>
  runsOf(fn, args).flatMap(({ program }) => program.steps);

function runsOf(fn: Fn, args: readonly Tensor[]): readonly Run[] {
  return Nx.withDefaultBackend("wasm", () => {
    const own = args.map((arg) => Nx.backendCopy(arg, "wasm"));
    const { plan } = COMPILERS.optimizing(trace(fn as never, own, new Set()).graph);
    return (RUNNER.runsFor(plan, own) ?? []).filter((run): run is Run => run !== undefined);
  });
}

const nameOf = (step: ProgramStep): string => (step.kind === "primitive" ? step.primitive : step.kind);
