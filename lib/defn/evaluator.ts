/**
 * Runs a planned graph step by step on the backend of its operands. What a step read last is let go of, and its memory is used
 * again as planned.
 */
import { getOrMake } from "../core/get-or-make";
import type { Attrs, Backend, MultiResultPrimitive, Primitive } from "../backend";
import { backendOf, runTracing } from "../backends/registry";
import { NxError } from "../core/errors";
import { profiling } from "../core/profiling";
import { alias, operandsOn, rerun, rerunMultiResult } from "../nx/dispatch";
import { Tensor } from "../tensor";
import { renamed } from "../nx/creation/tensor";
import type { Control, Execute, Finish, LetGo } from "./control/run";
import { control } from "./control/runner";
import { callsProgram, functionsOf, isControl, orderOf, type FusedNode, type Graph, type Node } from "./graph";
import { boundData, type Donated, type Plan, type Step } from "./plan/plan";
import { profiledKernel, profiledRun, profiledStep } from "./profiled";
import { runnerOfPrograms } from "./programs/runner";

/** Gives back the memory of a temporary, where its backend makes use of that. */
const recycle = (t: Tensor): void => t.backend.recycle?.(t);

/** Runs a plan on values for its parameters. Nothing is traced while it runs. */
function execute(plan: Plan, args: readonly Tensor[]): Tensor[] {
  return runTracing(null, () => executeOwn(plan, args));
}

const executeOwn = (plan: Plan, args: readonly Tensor[]): Tensor[] => ownResults(plan, args, executePlan(plan, args));

/**
 * Results as tensors of their own: a graph may give back a parameter, a tensor it has bound, or one tensor twice, as a branch or a
 * loop of no steps does.
 */
const apartFrom = (isElsewhere: (data: unknown) => boolean, results: readonly Tensor[]): Tensor[] =>
  results.map((result, i) => {
    const { data } = result;
    return isElsewhere(data) || results.findIndex((other) => other.data === data) < i ? alias(result) : result;
  });

function ownResults(plan: Plan, args: readonly Tensor[], results: Tensor[]): Tensor[] {
  if (plan.isFresh) return results;
  const bound = boundData(plan);
  return apartFrom((data) => bound.has(data) || args.some((arg) => arg.data === data), results);
}

/**
 * Runs plans of one graph, some of whose arguments are given up. The memory of such an argument is used for other things while
 * the plan runs, so it must not be read by another way: as another argument, or as a tensor of the surroundings.
 */
export function donating(plan: Plan, donated: Donated): (args: readonly Tensor[], given?: Donated) => Tensor[] {
  if (!donated.includes(true)) return (args) => execute(plan, args);
  const bound = boundData(plan);
  const isElsewhere = (args: readonly Tensor[], at: number): boolean => {
    const { data } = args[at]!;
    return bound.has(data) || args.some((other, i) => i !== at && other.data === data);
  };
  return (args, given = donated) => {
    // memory that two tensors hold is not used again
    const sharing = args.map((arg, i) => (donated[i] && (!given[i] || isElsewhere(args, i)) ? alias(arg) : arg));
    const results = execute(plan, sharing);
    sharing.forEach((t, i) => t !== args[i] && recycle(t));
    return results;
  };
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

/** The step that raised an error, if a graph did; errors of hooks and other functions of the program are its own. */
export function failureOf(error: object): Failure | undefined {
  return failures.get(error);
}

function noteFailure(error: unknown, plan: Plan, index: number): void {
  const step = plan.steps[index]!;
  if (!(error instanceof NxError) || callsProgram(step.node)) return;
  const inner = failures.get(error);
  failures.set(error, { step: inner?.step ?? step, path: [...(inner?.path ?? []), { plan, index }] });
}

/** Gives back and forgets what nobody reads after a step. */
function letGo({ releases, frees }: Step, values: (Value | undefined)[]): void {
  for (const slot of releases) {
    const value = values[slot];
    if (value instanceof Tensor) recycle(value);
  }
  for (const slot of frees) values[slot] = undefined;
}

function executePlan(plan: Plan, args: readonly Tensor[]): Tensor[] {
  const values = new Array<Value | undefined>(plan.slots);
  for (let i = 0; i < plan.parameters.length; i++) values[plan.parameters[i]!] = args[i];
  for (const [slot, tensor] of plan.bound) values[slot] = tensor;
  const runner = runnerOfPrograms();
  const runs = runner && runner.runsFor(plan, args);
  const { probe } = profiling;
  let index = 0;
  try {
    for (; index < plan.steps.length; index++) {
      const run = runs?.[index];
      if (
        run !== undefined &&
        (probe === null ? runner!.runTogether(run, values) : profiledRun(probe, plan, run, values, runner!))
      ) {
        for (const step of run.aliases) values[step.slot] = runStep(step, values);
        for (; index < run.end; index++) letGo(plan.steps[index]!, values);
        index--;
        continue;
      }
      const step = plan.steps[index]!;
      values[step.slot] =
        probe === null ? runStep(step, values) : profiledStep(probe, step, runStep.bind(null, step, values));
      letGo(step, values);
    }
  } catch (error) {
    noteFailure(error, plan, index);
    throw error;
  }
  return plan.outputs.map((slot) => values[slot] as Tensor);
}

/** A primitive, or several results of one. */
type PlainNode = Extract<Node, { kind: Primitive | MultiResultPrimitive }>;

/** What a primitive gives, whose function is run by the caller. */
function computed<F extends { readonly free: number }>(
  node: PlainNode,
  inputs: readonly Tensor[],
  [fn]: readonly F[],
  execute: Execute<F>,
): Value {
  if ("outs" in node) return rerunMultiResult(node.kind, node.outs, inputs, node.attrs);
  const kind: Primitive = node.kind;
  if (!fn) return rerun(kind, node.out, inputs, node.attrs as Attrs[Primitive]);
  const operands = inputs.length - fn.free;
  const free = inputs.slice(operands);
  const call = (...args: Tensor[]): Tensor => execute(fn, [...args, ...free])[0]!;
  return rerun(kind, node.out, inputs.slice(0, operands), { ...node.attrs, fn: call } as Attrs[Primitive]);
}

/** What control flow gives. */
function controlled<F extends { readonly free: number }>(
  node: Control,
  ...rest: [inputs: readonly Tensor[], functions: readonly F[], execute: Execute<F>, finish: Finish, letGo: LetGo]
): readonly Tensor[] {
  const results = control.run!(node, ...rest);
  return results.map((result, i) => renamed(result, node.outs[i]!.names)); // a state may come out as it went in
}

/** Runs a graph as it was traced, without a plan: one that calls no function of the program. Nothing is given back before the end. */
export const executeUnplanned = (graph: Graph, args: readonly Tensor[]): Tensor[] =>
  runTracing(null, () => unplanned(graph, args));

function unplanned(graph: Graph, args: readonly Tensor[]): Tensor[] {
  const values = new Map<Node, Value>();
  const valueOf = (node: Node): Tensor => values.get(node) as Tensor;
  const given = new Set<unknown>();
  for (let i = 0; i < args.length; i++) {
    values.set(graph.parameters[i]!, args[i]!);
    given.add(args[i]!.data);
  }
  for (const node of orderOf(graph)) {
    if (node.kind === "parameter") continue;
    if ("tensor" in node) {
      values.set(node, node.tensor);
      given.add(node.tensor.data);
    } else if (node.kind === "element") values.set(node, (values.get(node.inputs[0]!) as Tensor[])[node.attrs.index]!);
    else if (isControl(node)) {
      values.set(
        node,
        controlled(node, node.inputs.map(valueOf), node.attrs.functions, unplanned, () => null, null),
      );
    } else values.set(node, computed(node as PlainNode, node.inputs.map(valueOf), functionsOf(node), unplanned));
  }
  return apartFrom((data) => given.has(data), graph.outputs.map(valueOf));
}

function runStep(step: Step, values: readonly (Value | undefined)[]): Value {
  const { node, reads } = step;
  if (node.kind === "element") return (values[reads[0]!] as readonly Tensor[])[node.attrs.index]!;
  const inputs = reads.map((slot) => values[slot] as Tensor);
  if (node.kind === "hook") {
    node.attrs.call(inputs);
    return NOTHING;
  }
  if (node.kind === "runtimeCall") return node.attrs.call(inputs);
  if (node.kind === "fused") return runFused(node, inputs, step);
  if (isControl(node)) {
    const runAlone = (now: readonly Tensor[]) => runnerOfPrograms()?.runAlone(step, now) ?? null;
    const executeBody = node.kind === "cond" ? executePlan : executeOwn;
    const letGo = step.functions.every(keepsNothing) ? recycle : null;
    return controlled(node, inputs, step.functions, executeBody, runAlone, letGo);
  }
  return computed(node, inputs, step.functions, executeOwn);
}

const closed = new WeakMap<Plan, boolean>();

/** Whether a plan calls no function of the program, which might keep what it is given. */
const keepsNothing = (plan: Plan): boolean =>
  getOrMake(closed, plan, ({ steps }) =>
    steps.every(
      ({ node, functions }) => node.kind === "fused" || (!callsProgram(node) && functions.every(keepsNothing)),
    ),
  );

/** Runs a nest where the backend does, else what it was made of. */
function runFused(node: FusedNode, inputs: readonly Tensor[], step: Step): readonly Tensor[] {
  const backend = backendOf(inputs);
  const operands = operandsOn(backend, inputs);
  const { probe } = profiling;
  const data =
    probe === null
      ? fusedData(backend, node, operands, step)
      : profiledKernel(probe, step, operands, fusedData.bind(null, backend, node, operands, step));
  if (!data) return executePlan(step.functions[0]!, inputs);
  return node.outs.map((out, i) => new Tensor(backend, data[i], out.type, out.shape, out.names));
}

function fusedData(backend: Backend, { outs, attrs }: FusedNode, operands: readonly Tensor[], { reuses }: Step) {
  return backend.fused?.(outs, operands, attrs.nest, reuses ?? undefined) ?? null;
}
