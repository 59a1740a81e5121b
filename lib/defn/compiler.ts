/**
 * The compilers: from a traced graph to an executable. A further compiler is one more row here.
 */
import type { Config } from "../core/config";
import { unnoted, type Tensor } from "../tensor";
import { donating } from "./evaluator";
import type { Graph } from "./graph";
import { OPTIMIZE, runPasses, type PassObserver } from "./passes";
import { plan, type Donated, type Plan } from "./plan/plan";

/** A graph made ready to run. */
export interface Executable {
  readonly graph: Graph;
  readonly plan: Plan;
  /** `given`: the arguments that this call gives up; by default the arguments named at compile time. */
  run(args: readonly Tensor[], given?: Donated): Tensor[];
}

export type CompilerName = Config["defaultCompiler"];

/** What a compiler is told besides the graph. */
interface CompilerSettings {
  /** Of each parameter, whether its tensor is given up by a call. */
  readonly donated?: Donated;
  readonly observe?: PassObserver;
}

type Compiler = (graph: Graph, settings?: CompilerSettings) => Executable;

function evaluate(graph: Graph, { donated = [] }: CompilerSettings = {}): Executable {
  const planned = plan(graph, donated);
  return { graph, plan: planned, run: donating(planned, donated) };
}

/** `evaluator` runs the graph as traced, for debugging; `optimizing` runs the passes first. */
export const COMPILERS: { readonly [K in CompilerName]: Compiler } = {
  evaluator: evaluate,
  // what passes compute ahead stays with the graph
  optimizing: (graph, settings) =>
    evaluate(
      unnoted(() => runPasses(graph, OPTIMIZE, settings?.observe)),
      settings,
    ),
};
