/** Where a graph leaves its backend: nodes that another backend computes, or no backend at all. */
import type { Attrs, Backend, MultiResultPrimitive, PartialBackend, Primitive } from "../../../backend";
import { backendOf, currentBackend, runTracing } from "../../../backends/registry";
import { Tensor } from "../../../tensor";
import { isControl, isLeaf, resultsOf, type Node } from "../../graph";
import type { Step } from "../../plan/plan";

/** The backend of a call: the backend of its tensors, or the default backend. */
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

/** Maps each node that the backend does not compute to the name of the backend that does, or to "none". */
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
  // a composite runs as its parts
  if (isLeaf(node) || isControl(node) || node.kind === "block") return null;
  if (node.kind === "element" || node.kind === "hook" || node.kind === "fused") return null;
  if (node.kind === "runtimeCall") return "none";
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
