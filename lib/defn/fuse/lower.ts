/**
 * Which nodes the kernel language covers, and their values in a kernel.
 */
import { Complex } from "../../core/complex";
import { isInteger } from "../../core/types";
import { opKernel, type Source } from "../../kernel/lower/single";
import { isAcceptedNumber } from "../../kernel/lower/refused";
import { isHeldConstant, type ElementOp, type ScriptOp, type ScriptRef } from "../../kernel/script";
import type { Node, PrimitiveNode } from "../graph";

const sourceOf = ({ out }: Node): Source => ({ type: out.type, uniform: false });

/** Whether the second operand of an op that refuses some numbers is a constant that it accepts. */
function isAcceptedConstant({ attrs: { op }, inputs, out }: PrimitiveNode<"binary">): boolean {
  if (!isInteger(out.type)) return false;
  const known = builtIn(inputs[1]!);
  if (!known || known.attrs.value instanceof Complex) return false;
  return isAcceptedNumber(op, out.type, Number(known.attrs.value));
}

/** How many values of the kernel language a node takes in a fused kernel; null where it cannot be part of one. */
export function weightOf(node: Node): number | null {
  const does = elementOpOf(node);
  return does && (opKernel(does, node.inputs.map(sourceOf), node.out.type)?.values ?? null);
}

/** Whether a node can be part of a fused kernel. */
export const isElementwise = (node: Node): boolean => weightOf(node) !== null;

/** What an element-wise node does to elements; null for other nodes. */
function elementOpOf(node: Node): ElementOp | null {
  switch (node.kind) {
    case "unary":
      return { kind: "unary", op: node.attrs.op };
    case "binary":
      return { kind: "binary", op: node.attrs.op, accepted: isAcceptedConstant(node) };
    case "asType":
      return { kind: "asType", overflow: node.attrs.overflow };
    case "select":
      return { kind: "select" };
    default:
      return null;
  }
}

/** The constant behind a node that repeats a constant; else null. */
export function constantBehind(node: Node): PrimitiveNode<"constant"> | null {
  let from = node;
  while (from.kind === "broadcast" || from.kind === "reshape" || from.kind === "transpose") from = from.inputs[0]!;
  return from.kind === "constant" ? from : null;
}

/** The constant behind a node whose elements a kernel has in itself; null where a kernel reads them. */
export function builtIn(node: Node): PrimitiveNode<"constant"> | null {
  const constant = constantBehind(node);
  return constant && isHeldConstant(constant.out.type, constant.attrs.value) ? constant : null;
}

/** A constant as an operand of an op of a kernel. */
export const constantRef = ({ attrs, out }: PrimitiveNode<"constant">): ScriptRef => {
  return { kind: "constant", type: out.type, value: attrs.value };
};

/** An element-wise node as an op of a kernel. */
export const scriptOpOf = (node: Node, operands: readonly ScriptRef[]): ScriptOp => {
  return { does: elementOpOf(node)!, type: node.out.type, operands };
};
