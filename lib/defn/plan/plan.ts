/**
 * From a graph to the steps that run it: their order, the slots their values lie in, and when the memory of each value is
 * used again. Made once for each graph. Values are not computed here.
 */
import type { Tensor } from "../../tensor";
import { functionsOf, isLeaf, rootsOf, topological, type Graph, type LeafNode, type Node } from "../graph";
import { ownedSlots, reusesOf, type Reuses } from "./memory";

/** One step: run a node into a slot, then let go of the slots it read last. */
export interface Step {
  readonly node: Exclude<Node, LeafNode>;
  readonly slot: number;
  readonly reads: readonly number[];
  readonly frees: readonly number[];
  /** Those of the freed slots whose memory nothing else can hold: it is used again. */
  readonly releases: readonly number[];
  /** The results of a kernel that are written over what it reads last; null for none. */
  readonly reuses: Reuses | null;
  /** Plans of the node's functions. */
  readonly functions: readonly Plan[];
}

export interface Plan {
  /** Slot of each parameter. */
  readonly parameters: readonly number[];
  /** Tensors bound already, with their slots. */
  readonly bound: readonly (readonly [slot: number, tensor: Tensor])[];
  readonly steps: readonly Step[];
  readonly outputs: readonly number[];
  readonly slots: number;
  /** How many of the last parameters come from the surroundings of a user function. */
  readonly free: number;
}

/** Of each parameter, whether its tensor is given up by the call: its memory is used again like that of a temporary. */
export type Donated = readonly boolean[];

const NOTHING: readonly never[] = Object.freeze([]);

/** Plans the evaluation of a graph. */
export function plan(graph: Graph, donated: Donated = NOTHING): Plan {
  const order = topological(rootsOf(graph));
  const slotOf = new Map<Node, number>();
  for (const node of [...graph.parameters, ...order]) if (!slotOf.has(node)) slotOf.set(node, slotOf.size);
  const slot = (node: Node) => slotOf.get(node)!;
  const kept = new Set(graph.outputs.map(slot));
  const lastReader = new Map<number, Node>();
  for (const node of order) for (const input of node.inputs) lastReader.set(slot(input), node);
  const given = graph.parameters.filter((_, i) => donated[i]);
  const owned = ownedSlots(order, given, slot);
  const steps: Step[] = [];
  for (const node of order) {
    if (isLeaf(node)) continue;
    const own = slot(node);
    const reads = node.inputs.map(slot);
    const last = [...new Set(reads)].filter((read) => lastReader.get(read) === node);
    const frees = (lastReader.has(own) ? last : [...last, own]).filter((freed) => !kept.has(freed));
    const releases = frees.filter((freed) => owned.has(freed));
    const functions = functionsOf(node).map((fn) => plan(fn));
    steps.push({ node, slot: own, reads, frees, releases, reuses: reusesOf(node, reads, releases), functions });
  }
  return {
    parameters: graph.parameters.map(slot),
    bound: order.flatMap((node) => ("tensor" in node ? [[slot(node), node.tensor] as const] : [])),
    steps,
    outputs: graph.outputs.map(slot),
    slots: slotOf.size,
    free: graph.free,
  };
}

/** The data of all tensors that a plan has bound, those of its functions included. */
export function boundData(plan: Plan): ReadonlySet<unknown> {
  const inner = plan.steps.flatMap(({ functions }) => functions.flatMap((fn) => [...boundData(fn)]));
  return new Set([...plan.bound.map(([, tensor]) => tensor.data), ...inner]);
}
