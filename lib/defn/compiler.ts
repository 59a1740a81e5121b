/**
 * The compilers: from a traced graph to an executable. A further compiler is one more row here.
 */
import { currentBackend } from "../backends/registry";
import { STEP_ELEMENTS, tuning } from "../backends/tuning";
import type { Config } from "../core/config";
import { profiling } from "../core/profiling";
import { sizeOf } from "../core/shape";
import { unnoted, type Tensor } from "../tensor";
import { donating, executeUnplanned } from "./evaluator";
import { callsProgram, functionsOf, isLeaf, orderOf, type Graph, type Node } from "./graph";
import { kept } from "./kept";
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
  /** Whether a graph of little work may run as it was traced at first. */
  readonly mayBeLate?: boolean;
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
  optimizing: (graph, settings) => {
    const mayBeLate = settings?.mayBeLate === true && profiling.probe === null && !settings.donated?.includes(true);
    if (!mayBeLate) return optimized(graph, settings);
    const work = workOf(graph);
    return isLittle(work) ? new LateExecutable(graph, work) : kept(graph, optimized, true);
  },
};

const optimized = (graph: Graph, settings?: CompilerSettings): Executable =>
  evaluate(
    unnoted(() => runPasses(graph, OPTIMIZE, settings?.observe)),
    settings,
  );

/**
 * Whether work takes no longer than passes do, of which those of a function of ten operations take 30 to 60 us (and several milliseconds when they
 * run first in a process), a quarter of what emitting and compiling a kernel takes.
 */
const isLittle = (work: number): boolean => work < tuning.compiledFrom / 4;

/**
 * Elements that the steps of a graph as traced count for, those of functions as often as these run; infinitely many where it cannot run without
 * a plan, or only its run tells how often.
 */
function workOf(graph: Graph): number {
  if (graph.effects.length > 0) return Infinity;
  let work = 0;
  for (const node of orderOf(graph)) {
    if (isLeaf(node)) continue;
    if (callsProgram(node) || node.kind === "while") return Infinity;
    work += STEP_ELEMENTS + sizeOf(node.out.shape);
    for (const fn of functionsOf(node)) work += runsOf(node) * workOf(fn);
  }
  return work;
}

/** How often a function of a node runs, at most. */
function runsOf(node: Node): number {
  switch (node.kind) {
    case "scan":
      return node.attrs.length;
    case "block":
    case "cond":
      return 1;
    case "windowReduce":
      return sizeOf(node.out.shape) * sizeOf(node.attrs.window);
    default:
      return sizeOf(node.inputs[0]!.out.shape); // elements that are mapped or reduced
  }
}

/**
 * A graph that runs as it was traced until it has done about as much work as passes take, or until somebody asks for its graph or its plan. Results
 * are the same, bit for bit.
 */
class LateExecutable implements Executable {
  #made: Executable | null = null;

  constructor(
    private readonly traced: Graph,
    work: number,
  ) {
    let done = 0;
    this.run = (args) => {
      done += work;
      const own = args[0]?.backend ?? currentBackend();
      if (isLittle(done) && profiling.probe === null && "programs" in own) {
        try {
          return executeUnplanned(traced, args);
        } catch {
          // raised once more, by a step whose line can be found
        }
      }
      return this.made.run(args);
    };
  }

  run: Executable["run"];

  get graph(): Graph {
    return this.made.graph;
  }

  get plan(): Plan {
    return this.made.plan;
  }

  private get made(): Executable {
    if (this.#made === null) {
      this.#made = kept(this.traced, optimized, false);
      this.run = this.#made.run;
    }
    return this.#made;
  }
}
