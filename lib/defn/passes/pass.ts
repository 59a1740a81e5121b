/**
 * What a pass is: a pure function from graph to graph with a name.
 */
import type { Graph } from "../graph";

export interface Pass {
  readonly name: string;
  run(graph: Graph): Graph;
}
