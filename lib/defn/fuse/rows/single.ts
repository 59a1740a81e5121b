/**
 * The kernels of units: kernels of fused nodes, and of single element-wise nodes.
 */
import { kernelOf, type ScriptRef } from "../../../kernel/script";
import type { Kernel, KernelInput } from "../../../kernel/value";
import { isUniform } from "../../../kernel/view";
import type { FusedNode, Node } from "../../graph";
import { builtIn, constantRef, scriptOpOf } from "../lower";
import { aligned, whole, type Viewed } from "../views";

/** Whether a node is a fused element-wise kernel. */
export const isFusedKernel = (node: Node): node is FusedNode => node.kind === "fused" && node.attrs.nest.kind === "map";

/** The node below reshapes, which leave elements in order. */
export function belowReshapes(node: Node): Node {
  let base = node;
  while (base.kind === "reshape") base = base.inputs[0]!;
  return base;
}

/** The kernel of an element-wise node, and what it reads. */
export function singleKernel(node: Node): { readonly kernel: Kernel; readonly reads: readonly Viewed[] } {
  const reads: Viewed[] = [];
  const inputs: KernelInput[] = [];
  const known = new Map<Node, ScriptRef>();
  const operand = (input: Node): ScriptRef => {
    if (input.kind === "constant" && builtIn(input)) return constantRef(input);
    const { view } = aligned(whole(input), node.out.shape);
    reads.push({ base: belowReshapes(input), view });
    return { kind: "input", index: inputs.push({ type: input.out.type, uniform: isUniform(view) }) - 1 };
  };
  for (const input of node.inputs) if (!known.has(input)) known.set(input, operand(input));
  const operands = node.inputs.map((input) => known.get(input)!);
  const kernel = kernelOf({ inputs, ops: [scriptOpOf(node, operands)], outputs: [{ kind: "op", index: 0 }] });
  return { kernel, reads };
}
