/**
 * Common subexpressions: nodes with the same primitive, template, attributes and inputs become one.
 */
import { Complex } from "../../core/complex";
import { is, isValueObject } from "../../core/immutable";
import { functionsOf, isLeaf, mapGraph, resultsOf, type Graph, type Node } from "../graph";
import type { Tensor } from "../../tensor";
import type { Pass } from "./pass";

export const cse: Pass = {
  name: "cse",
  run(graph: Graph, fired?: () => void): Graph {
    const seen = new Map<number | Tensor, Node[]>();
    return mapGraph(graph, (node) => {
      const key = bucket(node);
      if (key === null) return node;
      const candidates = seen.get(key);
      const same = candidates?.find((other) => sameNode(node, other));
      if (!candidates) seen.set(key, [node]);
      else if (!same) candidates.push(node);
      else if (same !== node) fired?.();
      return same ?? node;
    });
  },
};

/**
 * Nodes that can be the same share a bucket; null for nodes that are only ever themselves. Attributes and shape are part of
 * it, since a graph may hold thousands of constants, or of slices of one tensor.
 */
function bucket(node: Node): number | Tensor | null {
  if (node.kind === "parameter" || node.kind === "hook") return null;
  if (isLeaf(node)) return node.tensor;
  if (functionsOf(node).length > 0) return null;
  let mixed = hashOfText(node.kind);
  for (const { id } of node.inputs) mixed = mix(mixed, id);
  for (const dim of node.out.shape) mixed = mix(mixed, dim);
  return mix(mix(mixed, hashOfText(node.out.type)), hashOf(node.attrs));
}

/** One step of a multiplicative hash, by the constant of Knuth, "The Art of Computer Programming", vol. 3, section 6.4. */
const mix = (mixed: number, value: number): number => {
  const product = Math.imul(mixed ^ value, 0x9e3779b1);
  return product ^ (product >>> 15);
};

/** Names are told apart by the comparison that follows; this only has to keep most of them apart. */
const hashOfText = (text: string): number =>
  (text.length << 16) ^ (text.charCodeAt(0) << 8) ^ text.charCodeAt(text.length - 1);

/** The same number for values that `sameValue` takes for the same. */
export function hashOf(value: unknown): number {
  if (typeof value === "string") return hashOfText(value);
  if (typeof value === "number") return hashOfNumber(value);
  if (typeof value === "bigint") return hashOfNumber(Number(value));
  if (Array.isArray(value)) return value.reduce((mixed: number, each) => mix(mixed, hashOf(each)), value.length);
  if (typeof value !== "object" || value === null) return typeof value === "boolean" ? Number(value) : 2;
  if (value instanceof Complex) return mix(hashOfNumber(value.re), hashOfNumber(value.im));
  if (isValueObject(value) || ArrayBuffer.isView(value)) return 3;
  // Keys may come in any order, so their hashes are added up.
  let sum = 0;
  for (const key in value) sum = (sum + mix(hashOfText(key), hashOf((value as Record<string, unknown>)[key]))) | 0;
  return sum;
}

const doubles = new Float64Array(1);
const words = new Int32Array(doubles.buffer);

function hashOfNumber(value: number): number {
  if (value === (value | 0)) return value;
  doubles[0] = value;
  return Number.isNaN(value) ? 1 : mix(words[0]!, words[1]!);
}

function sameNode(a: Node, b: Node): boolean {
  if (isLeaf(a) || isLeaf(b)) return "tensor" in a && "tensor" in b && a.kind === b.kind && a.tensor === b.tensor;
  if (a.kind !== b.kind || a.inputs.length !== b.inputs.length || !sameValue(resultsOf(a), resultsOf(b))) return false;
  return a.inputs.every((input, i) => input === b.inputs[i]) && sameValue(a.out, b.out) && sameValue(a.attrs, b.attrs);
}

/** Deep equality of templates and attributes; unlike `is`, 0 and -0 differ, since they are different constants. */
function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Complex && b instanceof Complex) return Object.is(a.re, b.re) && Object.is(a.im, b.im);
  if (isValueObject(a)) return is(a, b);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => sameValue((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
