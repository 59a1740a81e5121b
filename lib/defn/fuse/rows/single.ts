/**
 * Kernels that the units of row programs compute: those of fusion, and those of element-wise nodes that stayed alone.
 */
import type { FusedKernel } from "../../../backend";
import { Builder } from "../../../kernel/builder";
import { load, store, type Typed } from "../../../kernel/lower/typed";
import type { Kernel } from "../../../kernel/value";
import type { FusedAttrs, FusedNode, Node } from "../../graph";
import { lowered, loweredConstant } from "../lower";
import { aligned, isUniform, seen, type Seen } from "../views";

type KernelNode = FusedNode & { readonly attrs: FusedAttrs & { readonly fused: FusedKernel } };

/** Whether a node is a fused element-wise kernel. */
export const isFusedKernel = (node: Node): node is KernelNode => node.kind === "fused" && "kernel" in node.attrs.fused;

/** What a node reads, reshapes looked through: they leave elements in their order. */
export function belowReshapes(node: Node): Node {
  let base = node;
  while (base.kind === "reshape") base = base.inputs[0]!;
  return base;
}

/** The kernel of an element-wise node, and what it reads. */
export function singleKernel(node: Node): { readonly kernel: Kernel; readonly reads: readonly Seen[] } {
  const k = new Builder();
  const reads: Seen[] = [];
  const known = new Map<Node, Typed>();
  const operand = (input: Node): Typed => {
    const constant = input.kind === "constant" ? loweredConstant(k, input) : null;
    if (constant) return constant;
    const { base, view } = aligned(
      seen(input, () => true),
      node.out.shape,
    );
    reads.push({ base: belowReshapes(base), view });
    return load(k, k.input(base.out.type, isUniform(view)), base.out.type);
  };
  for (const input of node.inputs) if (!known.has(input)) known.set(input, operand(input));
  const value = lowered(
    k,
    node,
    node.inputs.map((input) => known.get(input)!),
  );
  return { kernel: k.kernel([store(k, value)]), reads };
}
