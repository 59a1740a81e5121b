/** Where a graph leaves the backend that runs it: nodes that another one computes, or none. */
import type { Attrs, Backend, MultiResultPrimitive, PartialBackend, Primitive } from "../../../backend";
import { backendOf, currentBackend, runTracing } from "../../../backends/registry";
import { Tensor } from "../../../tensor";
import { isControl, isLeaf, resultsOf, type Node } from "../../graph";
import type { Step } from "../../plan/plan";

/** The backend that runs a call: that of its tensors, or the default one where they have none. */
export function runningBackend(args: readonly unknown[]): Backend {
  const held = args.filter((arg): arg is Tensor => arg instanceof Tensor);
  // templates stand for tensors of the default backend; what wraps a tensor hands its primitives on
  const tensors = held.map(innermost).filter(({ backend }) => backend.describe === undefined);
  return runTracing(null, () => (tensors.length === 0 ? currentBackend() : backendOf(tensors)));
}

function innermost(t: Tensor): Tensor {
  const wrapped = t.backend.unwrap?.(t);
  return wrapped ? innermost(wrapped.inner) : t;
}

/** For each node that the backend does not compute who does it: another backend by its name, or "none". */
export function leavingNodes(
  steps: readonly Step[],
  partsOf: (step: Step) => readonly Node[],
  backend: Backend,
): ReadonlyMap<Node, string> {
  const all = steps.filter((step) => !runsWhole(step, backend)).flatMap(partsOf);
  return new Map(
    all.flatMap((node) => {
      const leaves = doneBy(node, backend);
      return leaves === null ? [] : [[node, leaves] as const];
    }),
  );
}

/** Whether a backend runs a fused node as it is. */
function runsWhole({ node }: Step, { fused, capabilities }: Backend): boolean {
  return node.kind === "fused" && fused !== undefined && (capabilities?.nests?.includes(node.attrs.nest.kind) ?? true);
}

function doneBy(node: Node, backend: Backend): string | null {
  // composites are done by what they are made of
  if (isLeaf(node) || isControl(node) || node.kind === "block") return null;
  if (node.kind === "element" || node.kind === "hook" || node.kind === "fused") return null;
  if ((backend as PartialBackend)[node.kind] === undefined) return "none";
  const inputs = node.inputs.map(({ out }) => out);
  const attrs = node.attrs as unknown as Attrs[Primitive];
  return (
    backend.doneBy?.(
      node.kind as Primitive & MultiResultPrimitive,
      resultsOf(node) ?? [node.out],
      inputs,
      attrs as never,
    ) ?? null
  );
}
