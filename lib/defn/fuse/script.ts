/**
 * What a kernel computes, written down before it is built: ops over inputs, constants and each other's values. The same script
 * gives the same kernel, which is kept: a new shape of a known function builds none.
 */
import { Complex } from "../../core/complex";
import type { DType } from "../../core/types";
import { Builder } from "../../kernel/builder";
import { keyOf } from "../../kernel/key";
import { load, store, type Typed } from "../../kernel/lower/typed";
import { Recent } from "../../kernel/generational-cache";
import type { Kernel, KernelInput } from "../../kernel/value";
import type { Node, PrimitiveNode } from "../graph";
import { lowered, loweredConstant } from "./lower";

/** An operand of an op, or a result: an input or an op by its number, or a constant. */
export type Ref =
  | { readonly kind: "input"; readonly index: number }
  | { readonly kind: "op"; readonly index: number }
  | { readonly kind: "constant"; readonly node: PrimitiveNode<"constant"> };

export interface Op {
  readonly node: Node;
  readonly operands: readonly Ref[];
}

interface Script {
  readonly inputs: readonly KernelInput[];
  readonly ops: readonly Op[];
  readonly outputs: readonly Ref[];
}

/** Bytes of kernels kept at hand. */
const KEPT_BYTES = 8 * 2 ** 20;
/** Bytes that a value of a kernel takes, about. */
const VALUE_BYTES = 300;
const kept = new Recent<Kernel>(
  KEPT_BYTES,
  (kernel, text) => VALUE_BYTES * kernel.values.length + 2 * (keyOf(kernel).length + text.length),
);

/** The kernel of a script. */
export function kernelOf(script: Script): Kernel {
  const text = textOf(script);
  const cached = kept.get(text);
  if (cached) return cached;
  const fresh = built(script);
  kept.set(text, fresh);
  return fresh;
}

function textOf({ inputs, ops, outputs }: Script): string {
  const reads = inputs.map(({ type, uniform }) => (uniform ? `${type}!` : type));
  const lines = ops.map(({ node, operands }) => `${opText(node)}(${operands.map(refText).join(" ")})${node.out.type}`);
  return [...reads, ...lines, ...outputs.map(refText)].join(";");
}

function opText(node: Node): string {
  if (node.kind === "unary" || node.kind === "binary") return node.attrs.op;
  return node.kind === "asType" ? `asType ${node.attrs.overflow}` : node.kind;
}

function refText(ref: Ref): string {
  if (ref.kind !== "constant") return `${ref.kind === "input" ? "i" : "o"}${ref.index}`;
  const { value } = ref.node.attrs;
  const { type } = ref.node.out;
  return value instanceof Complex
    ? `${type}:${digits(value.re)},${digits(value.im)}`
    : `${type}:${digits(Number(value))}`;
}

const digits = (value: number): string => (Object.is(value, -0) ? "-0" : `${value}`);

function built({ inputs, ops, outputs }: Script): Kernel {
  const k = new Builder();
  const types: DType[] = inputs.map(({ type, uniform }) => (k.input(type, uniform), type));
  const values: Typed[] = [];
  const valueOf = (ref: Ref): Typed => {
    if (ref.kind === "input") return load(k, ref.index, types[ref.index]!);
    return ref.kind === "op" ? values[ref.index]! : loweredConstant(k, ref.node)!;
  };
  for (const { node, operands } of ops) values.push(lowered(k, node, operands.map(valueOf)));
  return k.kernel(outputs.map((ref) => store(k, valueOf(ref))));
}
