/**
 * Which nodes the kernel language covers, and their values in a kernel.
 */
import { Complex } from "../../core/complex";
import { isInteger } from "../../core/types";
import {
  binaryKernel,
  castKernel,
  selectKernel,
  unaryKernel,
  type Keyed,
  type Source,
} from "../../kernel/lower/single";
import { isAcceptedNumber } from "../../kernel/lower/refused";
import { Recent } from "../../kernel/generational-cache";
import { isHeldConstant, type ElementOp } from "../../kernel/script";
import type { Node, PrimitiveNode } from "../graph";

const sourceOf = ({ out }: Node): Source => ({ type: out.type, uniform: false });

/** Whether the second operand of an op that refuses some numbers is a constant that it accepts. */
function isAcceptedConstant({ attrs: { op }, inputs, out }: PrimitiveNode<"binary">): boolean {
  if (!isInteger(out.type)) return false;
  const known = constantBehind(inputs[1]!);
  if (!known || !isHeld(known) || known.attrs.value instanceof Complex) return false;
  return isAcceptedNumber(op, out.type, Number(known.attrs.value));
}

/** How many values of the kernel language a node takes in a fused kernel; null where it cannot be part of one. */
export function weightOf(node: Node): number | null {
  const text = textOf(node);
  if (text === null) return null;
  return weights.getOrMake(text, () => single(node)?.values ?? null);
}

/** Weights kept at hand: fusion asks for that of every node. */
const KEPT = 1024;
const weights = new Recent<number | null>(KEPT);

/** What the weight of a node depends on; null where it has none. */
function textOf(node: Node): string | null {
  const { type } = node.out;
  switch (node.kind) {
    case "unary":
      return `${node.attrs.op} ${node.inputs[0]!.out.type} ${type}`;
    case "binary": {
      const types = `${node.attrs.op} ${node.inputs[0]!.out.type} ${node.inputs[1]!.out.type} ${type}`;
      return isAcceptedConstant(node) ? `${types} accepted` : types;
    }
    case "asType":
      return `asType ${node.attrs.overflow} ${node.inputs[0]!.out.type} ${type}`;
    case "select":
      return `select ${node.inputs.map(({ out }) => out.type).join(" ")} ${type}`;
    default:
      return null;
  }
}

/** Whether a node can be part of a fused kernel. */
export const isElementwise = (node: Node): boolean => weightOf(node) !== null;

/** The kernel of an element-wise op of types the kernel language covers. */
function single(node: Node): Keyed | null {
  const [a, b, c] = node.inputs;
  const { type } = node.out;
  switch (node.kind) {
    case "unary":
      return unaryKernel(node.attrs.op, sourceOf(a!), type);
    case "binary":
      return binaryKernel(node.attrs.op, sourceOf(a!), { ...sourceOf(b!), accepted: isAcceptedConstant(node) }, type);
    case "asType":
      return castKernel(sourceOf(a!), type, node.attrs.overflow);
    case "select":
      return selectKernel(sourceOf(a!), sourceOf(b!), sourceOf(c!), type);
    default:
      return null;
  }
}

/** What an element-wise node does to elements. */
export function elementOpOf(node: Node): ElementOp {
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
      throw new Error(`${node.kind} is no element-wise op`);
  }
}

/** The constant behind a node that repeats a constant; else null. */
export function constantBehind(node: Node): PrimitiveNode<"constant"> | null {
  let from = node;
  while (from.kind === "broadcast" || from.kind === "reshape" || from.kind === "transpose") from = from.inputs[0]!;
  return from.kind === "constant" ? from : null;
}

/** Whether a kernel has a node's elements in itself, and reads nothing for them. */
export function isBuiltIn(node: Node): boolean {
  const constant = constantBehind(node);
  return constant !== null && isHeld(constant);
}

const isHeld = ({ attrs, out }: PrimitiveNode<"constant">): boolean => isHeldConstant(out.type, attrs.value);
