/**
 * Steps of compiled functions as work of a profile, each with the lines of the program that made its nodes.
 */
import { together, unprofiled, type Probe } from "../core/profiling";
import { kernelWork } from "../nx/profiled";
import type { Tensor } from "../tensor";
import type { Executable } from "./compiler";
import { recordingOrigins } from "./debug/origin";
import { describeNode } from "./expr";
import { callsProgram, isLeaf, orderOf, type Node } from "./graph";
import type { Plan, Step } from "./plan/plan";
import type { Runner } from "./programs/runner";
import type { Run } from "./programs/runs";

/** What is done together with a node: the nodes that a kernel was fused of, whose constants are part of its code, or itself. */
function partsOf(node: Node): readonly Node[] {
  if (node.kind === "fused") {
    return orderOf(node.attrs.fn)
      .flatMap(partsOf)
      .filter(({ kind }) => kind !== "constant");
  }
  return isLeaf(node) || node.kind === "element" ? [] : [node];
}

function linesOf(probe: Probe, nodes: readonly Node[]): readonly string[] {
  const lines = new Set<string>();
  for (const { origin } of nodes) {
    const line = origin && probe.lineOf(origin);
    if (line) lines.add(line);
  }
  return [...lines];
}

/** Runs `fn` for nodes; those whose lines are unknown belong to where the compiled function was called. */
function atLinesOf<T>(probe: Probe, nodes: readonly Node[], fn: () => T): T {
  const lines = linesOf(probe, nodes);
  return lines.length === 0 ? fn() : probe.at(lines, fn);
}

const textOf = (nodes: readonly Node[]): string => together(nodes.map(describeNode));

/** Runs a step; what is done in it is measured where it is done. */
export function profiledStep<T>(probe: Probe, { node }: Step, run: () => T): T {
  return node.kind === "element" || callsProgram(node) ? run() : atLinesOf(probe, partsOf(node), run);
}

/** Runs a kernel; null where its backend does not. */
export function profiledKernel<T>(
  probe: Probe,
  { node }: Step,
  inputs: readonly Tensor[],
  run: () => T | null,
): T | null {
  return probe.measured(run, (data) => {
    if (data === null || node.kind !== "fused") return null;
    return kernelWork(textOf(partsOf(node)), node.outs, inputs);
  });
}

/** Runs steps as a program; false where they have to run by themselves. */
export function profiledRun(probe: Probe, { steps }: Plan, run: Run, values: unknown[], runner: Runner): boolean {
  const done = steps.slice(run.first, run.end).flatMap(({ node }) => partsOf(node));
  const inputs = [...run.inputs.map((slot) => values[slot] as Tensor), ...run.bound];
  return atLinesOf(probe, done, () =>
    probe.measured(
      () => runner.runTogether(run, values),
      (isDone) => (isDone ? kernelWork(textOf(done), run.outs, inputs) : null),
    ),
  );
}

const planned = ({ graph, plan, run }: Executable): Executable => ({ graph, plan, run });

/** Compiled functions, traced once more for the lines of their nodes. */
const retraced = new WeakMap<Executable, Executable>();

/** The same compiled function with the lines of the program in its nodes. A function that cannot be traced again goes without. */
export function withLines(executable: Executable, again: () => Executable): Executable {
  const known = retraced.get(executable);
  if (known !== undefined) return known;
  let made = executable;
  try {
    // the plan is made meanwhile, since passes make nodes
    made = unprofiled(() => recordingOrigins(() => planned(again())));
  } catch {
    // its work belongs to the line of the call
  }
  retraced.set(executable, made);
  return made;
}
