/** For the tests of passes: printed graphs before and after, and results compared bit for bit. */
import { expect } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import type { Graph } from "../../../lib/defn/graph";
import type { Pass } from "../../../lib/defn/passes/pass";
import { runPasses } from "../../../lib/defn/passes";
import { printGraph } from "../../../lib/defn/print";
import { trace } from "../../../lib/defn/trace";
import { BACKENDS, differences } from "../fuse/support";

export type Fn = (...args: Tensor[]) => unknown;

export const traceOf = (fn: Fn, ...args: readonly Tensor[]): Graph => trace(fn as never, args, new Set()).graph;

const printed = (graph: Graph): string =>
  printGraph(graph)
    .split("\n")
    .map((line) => line.replace(/(?<=\S) {2,}/g, "  "))
    .join("\n");

/** The text of a graph as some passes get it and as the last of them leaves it. */
export function golden(passes: readonly Pass[], fn: Fn, ...args: readonly Tensor[]): string {
  const before = runPasses(traceOf(fn, ...args), passes.slice(0, -1));
  const after = runPasses(before, passes.slice(-1));
  return `${printed(before)}\n\nafter ${passes[passes.length - 1]!.name}\n${printed(after)}`;
}

/** The text of a graph after some passes. */
export const after = (passes: readonly Pass[], fn: Fn, ...args: readonly Tensor[]): string =>
  printed(runPasses(traceOf(fn, ...args), passes));

/** How often the last of some passes fired. */
export function firedOf(passes: readonly Pass[], fn: Fn, ...args: readonly Tensor[]): number {
  let last = 0;
  runPasses(traceOf(fn, ...args), passes, (_pass, _graph, fired) => (last = fired));
  return last;
}

/** Compiled, evaluated node by node and eager results have the same bits on every backend. */
export function same(fn: (...args: Tensor[]) => Tensor[], ...args: readonly Tensor[]): void {
  for (const [, backend] of BACKENDS) {
    Nx.withDefaultBackend(backend, () => {
      const own = args.map((arg) => Nx.backendCopy(arg, backend));
      const eager = fn(...own);
      expect(differences(Nx.defn(fn, { compiler: "evaluator" })(...own), eager)).toBeNull();
      expect(differences(Nx.defn(fn, { compiler: "optimizing" })(...own), eager)).toBeNull();
    });
  }
}
