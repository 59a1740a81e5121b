/**
 * The compilers: from a traced graph to something that runs on values. A later compiler needs one row here.
 */
import type { Config } from "../core/config";
import type { Tensor } from "../tensor";
import { execute, plan, type Plan } from "./evaluator";
import type { Graph } from "./graph";
import { OPTIMIZE, runPasses, type PassObserver } from "./passes";

/** A graph made ready to run. */
export interface Executable {
  readonly graph: Graph;
  readonly plan: Plan;
  run(args: readonly Tensor[]): Tensor[];
}

export type CompilerName = Config["defaultCompiler"];
type Compiler = (graph: Graph, observe?: PassObserver) => Executable;

function evaluate(graph: Graph): Executable {
  const planned = plan(graph);
  return { graph, plan: planned, run: (args) => execute(planned, args) };
}

/** `evaluator` runs the graph as traced, for debugging; `optimizing` runs the passes first. */
export const COMPILERS: { readonly [K in CompilerName]: Compiler } = {
  evaluator: evaluate,
  optimizing: (graph, observe) => evaluate(runPasses(graph, OPTIMIZE, observe)),
};
