/**
 * Which nodes the kernel language covers, and their values in a kernel.
 */
import { Complex } from "../../core/complex";
import { isComplex, isInteger, is64Bit } from "../../core/types";
import type { Builder } from "../../kernel/builder";
import { BINARY_LOWERING, cast, choose } from "../../kernel/lower/binary";
import {
  binaryKernel,
  castKernel,
  selectKernel,
  unaryKernel,
  type Keyed,
  type Source,
} from "../../kernel/lower/single";
import { isAcceptedNumber } from "../../kernel/lower/refused";
import { constant, type Typed } from "../../kernel/lower/typed";
import { UNARY_LOWERING } from "../../kernel/lower/unary";
import { Recent } from "../../kernel/generational-cache";
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
  const cached = weights.get(text);
  if (cached !== undefined) return cached;
  const weight = single(node)?.values ?? null;
  weights.set(text, weight);
  return weight;
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

/** The value of an element-wise node. */
export function lowered(k: Builder, node: Node, operands: readonly Typed[]): Typed {
  const [a, b, c] = operands as [Typed, Typed, Typed];
  const { type } = node.out;
  switch (node.kind) {
    case "unary":
      return UNARY_LOWERING[node.attrs.op](k, a, type)!;
    case "binary":
      return BINARY_LOWERING[node.attrs.op](k, a, { ...b, accepted: isAcceptedConstant(node) }, type)!;
    case "asType":
      return cast(k, a, type, node.attrs.overflow)!;
    case "select":
      return choose(k, a, b, c, type)!;
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

/** Whether the kernel language has a constant. */
function isHeld({ attrs: { value }, out: { type } }: PrimitiveNode<"constant">): boolean {
  if (value instanceof Complex) return isComplex(type);
  return !is64Bit(type) || Number.isSafeInteger(Number(value));
}

/** A constant as a value of a kernel; null where the kernel language has no such constant. */
export function loweredConstant(k: Builder, node: PrimitiveNode<"constant">): Typed | null {
  const { attrs, out } = node;
  if (!isHeld(node)) return null;
  const { value } = attrs;
  return value instanceof Complex ? constant(k, out.type, value.re, value.im) : constant(k, out.type, Number(value));
}
