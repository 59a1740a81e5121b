/**
 * Helpers of all identities: replacing a node by a node of the same type, shape and names, and numbers that are known while
 * compiling.
 */
import type { Primitive, Template } from "../../../backend";
import { sameShape, sizeOf } from "../../../core/shape";
import { isReadable } from "../../../backends/reading";
import { toFlatList } from "../../../nx/conversion";
import { primitiveNode, type Node, type NodeAttrs } from "../../graph";

/** What a node can be replaced by, with the same type, shape and names; null for nothing better. */
export type Identity<N extends Node = Node> = (node: N) => Node | null;

/** The same template, names included. */
function sameTemplate(a: Template, b: Template): boolean {
  if (a === b) return true;
  if (a.type !== b.type || !sameShape(a.shape, b.shape)) return false;
  return a.names === b.names || a.names.every((name, axis) => name === b.names[axis]);
}

/** Another node with the result of `node`, which comes from the same place of the program. */
export function instead<P extends Primitive>(node: Node, kind: P, inputs: readonly Node[], attrs: NodeAttrs<P>): Node {
  const made = primitiveNode(kind, node.out, inputs, attrs);
  return node.origin ? { ...made, origin: node.origin } : made;
}

/**
 * Forwards readers of `node` to `source`, under a view where shape or names differ; null where `source` has another type or number
 * of elements.
 */
export function forward(node: Node, source: Node): Node | null {
  const { out } = node;
  if (source.out.type !== out.type || sizeOf(source.out.shape) !== sizeOf(out.shape)) return null;
  if (sameTemplate(source.out, out)) return source;
  const base = source.kind === "reshape" ? source.inputs[0]! : source;
  return sameTemplate(base.out, out) ? base : instead(node, "reshape", [base], {});
}

function belowViews(node: Node): Node {
  let base = node;
  while (base.kind === "broadcast" || base.kind === "reshape" || base.kind === "transpose") base = base.inputs[0]!;
  return base;
}

/** The real number that all elements of a node are, if that is known. */
export function knownNumber(node: Node): number | bigint | null {
  const base = belowViews(node);
  if (base.kind === "constant") return realNumber(base.attrs.value);
  if (base.kind !== "literal" || sizeOf(base.out.shape) !== 1) return null;
  return isReadable(base.tensor) ? realNumber(toFlatList(base.tensor)[0]) : null;
}

function realNumber(value: unknown): number | bigint | null {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "number" || typeof value === "bigint" ? value : null;
}

/** Whether all elements of a node are known to be this number; of zeros, the one with this sign. */
export function isNumber(node: Node, value: number): boolean {
  const known = knownNumber(node);
  return typeof known === "bigint" ? known === BigInt(value) : Object.is(known, value);
}
