/**
 * Runs a graph node by node on the backend of its operands. The order and the last use of every value are planned once,
 * so that a value is let go as soon as nothing later reads it.
 */
import type { Attrs, Primitive } from "../backend";
import { backendOf, runTracing } from "../backends/registry";
import { NxError } from "../core/errors";
import { sizeOf } from "../core/shape";
import { bytesOf } from "../core/types";
import { operandsOn, run, runMany } from "../nx/dispatch";
import { Tensor } from "../tensor";
import { runControl } from "./control/run";
import {
  functionsOf,
  isControl,
  isLeaf,
  rootsOf,
  topological,
  type FusedNode,
  type Graph,
  type LeafNode,
  type Node,
} from "./graph";

/** One step: run a node into a slot, then let go of the slots it read last. */
export interface Step {
  readonly node: Exclude<Node, LeafNode>;
  readonly slot: number;
  readonly reads: readonly number[];
  readonly frees: readonly number[];
  /** Those of the freed slots whose memory nothing else can hold: it is used again. */
  readonly releases: readonly number[];
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

/** Plans the evaluation of a graph. */
export function plan(graph: Graph): Plan {
  const order = topological(rootsOf(graph));
  const slotOf = new Map<Node, number>();
  for (const node of [...graph.parameters, ...order]) if (!slotOf.has(node)) slotOf.set(node, slotOf.size);
  const slot = (node: Node) => slotOf.get(node)!;
  const kept = new Set(graph.outputs.map(slot));
  const lastReader = new Map<number, Node>();
  for (const node of order) for (const input of node.inputs) lastReader.set(slot(input), node);
  const owned = ownedSlots(order, slot);
  const steps = order.flatMap((node): Step[] => {
    if (isLeaf(node)) return [];
    const reads = node.inputs.map(slot);
    const own = lastReader.has(slot(node)) ? [] : [slot(node)];
    const last = [...new Set(reads)].filter((read) => lastReader.get(read) === node);
    const frees = [...last, ...own].filter((read) => !kept.has(read));
    const releases = frees.filter((freed) => owned.has(freed));
    return [{ node, slot: slot(node), reads, frees, releases, functions: functionsOf(node).map(plan) }];
  });
  const bound = order.flatMap((node) => ("tensor" in node ? [[slot(node), node.tensor] as const] : []));
  return {
    parameters: graph.parameters.map(slot),
    bound,
    steps,
    outputs: graph.outputs.map(slot),
    slots: slotOf.size,
    free: graph.free,
  };
}

/** Temporaries of fewer bytes are not worth giving back. */
const RELEASED_FROM = 65_536;

/** Slots of large temporaries that only steps read which keep nothing of them: neither hooks nor functions of the program. */
function ownedSlots(order: readonly Node[], slot: (node: Node) => number): Set<number> {
  const isPlain = (node: Node): boolean =>
    node.kind === "fused" ||
    (!isLeaf(node) && !isControl(node) && node.kind !== "hook" && functionsOf(node).length === 0);
  const owned = new Set<number>();
  for (const node of order) {
    const made = node.kind === "element" ? node.inputs[0]! : node;
    if (isPlain(made) && sizeOf(node.out.shape) * bytesOf(node.out.type) >= RELEASED_FROM) owned.add(slot(node));
  }
  for (const node of order) if (!isPlain(node)) for (const input of node.inputs) owned.delete(slot(input));
  return owned;
}

/** Gives back the memory of a temporary, where its backend makes use of that. */
function release(values: (Value | undefined)[], slot: number): void {
  const value = values[slot];
  if (value instanceof Tensor) value.backend.recycle?.(value);
}

/** Runs a plan on values for its parameters. Nothing is traced while it runs. */
export function execute(plan: Plan, args: readonly Tensor[]): Tensor[] {
  return runTracing(null, () => executePlan(plan, args));
}

/** What a slot holds: a tensor, or several where the node has several results. */
type Value = Tensor | readonly Tensor[];

const NOTHING: readonly Tensor[] = Object.freeze([]);

/** Which step raised an error: the innermost one, and its place in each plan from the inside out. */
export interface Failure {
  readonly step: Step;
  readonly path: readonly { readonly plan: Plan; readonly index: number }[];
}

const failures = new WeakMap<object, Failure>();

/** The step that raised an error, if a graph did; errors of hooks are those of the program. */
export function failureOf(error: object): Failure | undefined {
  return failures.get(error);
}

function noteFailure(error: unknown, plan: Plan, index: number): void {
  const step = plan.steps[index]!;
  if (!(error instanceof NxError) || step.node.kind === "hook") return;
  const inner = failures.get(error);
  failures.set(error, { step: inner?.step ?? step, path: [...(inner?.path ?? []), { plan, index }] });
}

function executePlan(plan: Plan, args: readonly Tensor[]): Tensor[] {
  const values = new Array<Value | undefined>(plan.slots);
  plan.parameters.forEach((slot, i) => (values[slot] = args[i]));
  for (const [slot, tensor] of plan.bound) values[slot] = tensor;
  let index = 0;
  try {
    for (; index < plan.steps.length; index++) {
      const step = plan.steps[index]!;
      values[step.slot] = runStep(step, values);
      for (const slot of step.releases) release(values, slot);
      for (const slot of step.frees) values[slot] = undefined;
    }
  } catch (error) {
    noteFailure(error, plan, index);
    throw error;
  }
  return plan.outputs.map((slot) => values[slot] as Tensor);
}

function runStep({ node, reads, functions }: Step, values: readonly (Value | undefined)[]): Value {
  if (node.kind === "element") return (values[reads[0]!] as readonly Tensor[])[node.attrs.index]!;
  const inputs = reads.map((slot) => values[slot] as Tensor);
  if (node.kind === "hook") {
    node.attrs.call(inputs);
    return NOTHING;
  }
  if (isControl(node)) return runControl(node, inputs, functions, executePlan);
  if (node.kind === "fused") return runFused(node, inputs, functions[0]!);
  if ("outs" in node) return runMany(node.kind, node.outs, inputs, node.attrs);
  const kind: Primitive = node.kind;
  const [fn] = functions;
  if (!fn) return run(kind, node.out, inputs, node.attrs as Attrs[Primitive]);
  const operands = inputs.length - fn.free;
  const free = inputs.slice(operands);
  const call = (...args: Tensor[]) => executePlan(fn, [...args, ...free])[0]!;
  return run(kind, node.out, inputs.slice(0, operands), { ...node.attrs, fn: call } as Attrs[Primitive]);
}

/** Runs a kernel where the backend has them, else what it was made of. */
function runFused({ outs, attrs }: FusedNode, inputs: readonly Tensor[], parts: Plan): readonly Tensor[] {
  const backend = backendOf(inputs);
  const { fused } = attrs;
  const data =
    "steps" in fused
      ? backend.fusedRows?.(outs, operandsOn(backend, inputs), fused)
      : backend.fused?.(outs, operandsOn(backend, inputs), fused);
  if (!data) return executePlan(parts, inputs);
  return outs.map((out, i) => new Tensor(backend, data[i], out.type, out.shape, out.names));
}
