/**
 * From a graph to the steps that run it: their order, the slots their values lie in, and when the memory of each value is
 * used again. Made once for each graph. Values are not computed here.
 */
import { getOrMake } from "../../core/get-or-make";
import type { Backend } from "../../backend";
import type { Tensor } from "../../tensor";
import { functionsOf, isLeaf, orderOf, type Graph, type LeafNode, type Node } from "../graph";
import type { Run } from "../programs/runs";
import { ownedSlots, reusesOf, type Reuses } from "./memory";

/** One step: run a node into a slot, then let go of the slots it read last. */
export interface Step {
  readonly node: Exclude<Node, LeafNode>;
  readonly slot: number;
  readonly reads: readonly number[];
  readonly frees: readonly number[];
  /** The freed slots whose memory no other tensor can hold, so that it is used again. */
  readonly releases: readonly number[];
  /** The results of a kernel that are written over what it reads last; null for none. */
  readonly reuses: Reuses | null;
  /** Plans of the node's functions; that of the graph of a kernel is made when it is asked for. */
  readonly functions: readonly Plan[];
}

export interface Plan {
  /** Slot of each parameter. */
  readonly parameters: readonly number[];
  /** Tensors bound already, with their slots. */
  readonly bound: readonly (readonly [slot: number, tensor: Tensor])[];
  readonly steps: readonly Step[];
  readonly outputs: readonly number[];
  /** Whether each result has data of its own, whatever the plan runs on: none is a parameter, or bound, or there twice. */
  readonly isFresh: boolean;
  readonly slots: number;
  /** How many of the last parameters come from the surroundings of a user function. */
  readonly free: number;
  readonly together: Together;
}

/** Which steps run together as programs, as soon as that is decided: for arguments whose first is on this backend, and on others. */
export interface Together {
  executions: number;
  backend: Backend | null;
  runs: readonly (Run | undefined)[] | null;
  readonly decided: Map<Backend, readonly (Run | undefined)[] | null>;
}

/** Of each parameter, whether its tensor is given up by the call: its memory is used again like that of a temporary. */
export type Donated = readonly boolean[];

const NOTHING: readonly never[] = Object.freeze([]);

/** Plans the evaluation of a graph. */
export function plan(graph: Graph, donated: Donated = NOTHING): Plan {
  const order = orderOf(graph);
  const slotOf = slotsOf(graph, order);
  const slot = (node: Node) => slotOf.get(node)!;
  const outputs = graph.outputs.map(slot);
  const given = graph.parameters.filter((_, i) => donated[i]);
  const ends = endsOf(order, slot, outputs);
  const owned = ownedSlots(order, given, slot);
  const fresh = new Set(order.filter(makesData).map(slot));
  const steps: Step[] = [];
  for (const node of order) if (!isLeaf(node)) steps.push(stepOf(node, slot, ends, owned));
  return {
    parameters: graph.parameters.map(slot),
    bound: order.flatMap((node) => ("tensor" in node ? [[slot(node), node.tensor] as const] : [])),
    steps,
    outputs,
    isFresh: new Set(outputs).size === outputs.length && outputs.every((output) => fresh.has(output)),
    slots: slotOf.size,
    free: graph.free,
    together: { executions: 0, backend: null, runs: null, decided: new Map() },
  };
}

/** Whether the results of a node are new arrays; functions may return their operands. */
function makesData(node: Node): boolean {
  const made = node.kind === "element" ? node.inputs[0]! : node;
  return made.kind === "fused" || (!isLeaf(made) && functionsOf(made).length === 0);
}

/** Parameters first, read or not, then the other nodes in order. */
function slotsOf({ parameters }: Graph, order: readonly Node[]): ReadonlyMap<Node, number> {
  const slotOf = new Map<Node, number>();
  for (const node of parameters) if (!slotOf.has(node)) slotOf.set(node, slotOf.size);
  for (const node of order) if (!slotOf.has(node)) slotOf.set(node, slotOf.size);
  return slotOf;
}

/** The last reader of each slot; `undefined` for a slot without readers, null for a slot that is kept to the end. */
type Ends = readonly (Node | null | undefined)[];

function endsOf(order: readonly Node[], slot: (node: Node) => number, outputs: readonly number[]): Ends {
  const ends: (Node | null | undefined)[] = [];
  for (const node of order) for (const input of node.inputs) ends[slot(input)] = node;
  for (const output of outputs) ends[output] = null;
  return ends;
}

function stepOf(node: Step["node"], slot: (node: Node) => number, ends: Ends, owned: ReadonlySet<number>): Step {
  const own = slot(node);
  const reads = node.inputs.map(slot);
  const frees: number[] = [];
  for (const read of reads) if (ends[read] === node && !frees.includes(read)) frees.push(read);
  if (ends[own] === undefined) frees.push(own);
  const releases = owned.size === 0 ? NOTHING : frees.filter((freed) => owned.has(freed));
  return new PlannedStep(node, own, reads, frees, releases, reusesOf(node, reads, releases));
}

/** A step that plans the functions of its node when they are asked for: backends that run a kernel never do. */
class PlannedStep implements Step {
  #functions: readonly Plan[] | null = null;

  constructor(
    readonly node: Step["node"],
    readonly slot: number,
    readonly reads: readonly number[],
    readonly frees: readonly number[],
    readonly releases: readonly number[],
    readonly reuses: Reuses | null,
  ) {
    if (node.kind !== "fused") this.#functions = plansOf(node);
  }

  get functions(): readonly Plan[] {
    return (this.#functions ??= plansOf(this.node));
  }
}

function plansOf(node: Node): readonly Plan[] {
  const functions = functionsOf(node);
  return functions.length === 0 ? NOTHING : functions.map((fn) => plan(fn));
}

const bindings = new WeakMap<Plan, ReadonlySet<unknown>>();

/** The data of all tensors that a plan has bound, those of its functions included. */
export const boundData = (plan: Plan): ReadonlySet<unknown> =>
  getOrMake(bindings, plan, ({ steps, bound }) => {
    const inner = steps.flatMap(({ functions }) => functions.flatMap((fn) => [...boundData(fn)]));
    return new Set([...bound.map(([, tensor]) => tensor.data), ...inner]);
  });
