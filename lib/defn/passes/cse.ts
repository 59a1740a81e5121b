/**
 * Common subexpressions: nodes with the same primitive, template, attributes and inputs become one.
 */
import { hash, is, isValueObject } from "immutable";
import { Complex } from "../../core/complex";
import { functionsOf, isLeaf, mapGraph, resultsOf, type Graph, type Node } from "../graph";
import type { Pass } from "./pass";

export const cse: Pass = {
  name: "cse",
  run(graph: Graph, fired?: () => void): Graph {
    const seen = new Map<string, Node[]>();
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
 * Nodes that can be the same share a bucket; null for nodes that are only ever themselves. Attributes and template are part of
 * it, since a graph may hold thousands of constants, or of slices of one tensor.
 */
function bucket(node: Node): string | null {
  if (node.kind === "parameter" || node.kind === "hook") return null;
  if (isLeaf(node)) return `${node.kind} ${hash(node.tensor.data)}`;
  if (functionsOf(node).length > 0) return null;
  const inputs = node.inputs.map((input) => input.id).join(" ");
  return `${node.kind} ${inputs} ${textOf(node.attrs)} ${node.out.type} ${node.out.shape.join(" ")}`;
}

/** The same text for values that `sameValue` takes for the same. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(" ")}]`;
  if (typeof value === "function") return "function";
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Complex) return `${value.re} ${value.im}`;
  if (isValueObject(value) || ArrayBuffer.isView(value)) return "value";
  const parts = Object.keys(value).sort();
  return `{${parts.map((key) => `${key}: ${textOf((value as Record<string, unknown>)[key])}`).join(" ")}}`;
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
