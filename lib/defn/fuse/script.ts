/**
 * Scripts of kernels from nodes.
 */
import { kernelOf as kernelOfScript, type ScriptRef } from "../../kernel/script";
import type { Kernel, KernelInput } from "../../kernel/value";
import type { Node, PrimitiveNode } from "../graph";
import { elementOpOf } from "./lower";

/** An operand of an op, or a result: an input or an op by its number, or a constant. */
export type Ref =
  | { readonly kind: "input"; readonly index: number }
  | { readonly kind: "op"; readonly index: number }
  | { readonly kind: "constant"; readonly node: PrimitiveNode<"constant"> };

export interface Op {
  readonly node: Node;
  readonly operands: readonly Ref[];
}

interface NodeScript {
  readonly inputs: readonly KernelInput[];
  readonly ops: readonly Op[];
  readonly outputs: readonly Ref[];
}

/** The kernel of some nodes. */
export function kernelOf({ inputs, ops, outputs }: NodeScript): Kernel {
  return kernelOfScript({
    inputs,
    ops: ops.map(({ node, operands }) => ({
      does: elementOpOf(node)!,
      type: node.out.type,
      operands: operands.map(refOf),
    })),
    outputs: outputs.map(refOf),
  });
}

function refOf(ref: Ref): ScriptRef {
  if (ref.kind !== "constant") return ref;
  const { attrs, out } = ref.node;
  return { kind: "constant", type: out.type, value: attrs.value };
}
