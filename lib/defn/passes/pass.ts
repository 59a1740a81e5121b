/**
 * What a pass is: a pure function from graph to graph with a name.
 */
import type { Graph } from "../graph";

export interface Pass {
  readonly name: string;
  /** Gives the rewritten graph, or the same one; `fired` is called for each place that was rewritten. */
  run(graph: Graph, fired?: () => void): Graph;
}
