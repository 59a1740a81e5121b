/**
 * Which values of a graph are truth values. Tensors have them as `u8`, so that a conversion to the type of another value has to know it from
 * the file.
 */
import { AttributeProto_AttributeType as Type, type NodeProto, type ValueInfoProto } from "../schema/onnx_pb";
import { ELEMENT_TYPES } from "../types";

/** The number of the type of truth values. */
export const BOOL = ELEMENT_TYPES.bool;

/** Operators whose results are truth values. */
const TRUTHS: ReadonlySet<string> = new Set([
  "And",
  "Equal",
  "Greater",
  "GreaterOrEqual",
  "IsInf",
  "IsNaN",
  "Less",
  "LessOrEqual",
  "Not",
  "OptionalHasElement",
  "Or",
  "Xor",
]);

/** Operators whose results have the type of their first input. */
const KEPT: ReadonlySet<string> = new Set([
  "Concat",
  "Expand",
  "Flatten",
  "Gather",
  "Identity",
  "Reshape",
  "Slice",
  "Squeeze",
  "Transpose",
  "Unsqueeze",
]);

/** What a graph or a function has of values. */
export interface Values {
  readonly node: readonly NodeProto[];
  /** Those of functions are names alone. */
  readonly input: readonly (ValueInfoProto | string)[];
  readonly valueInfo: readonly ValueInfoProto[];
  readonly initializer?: readonly { readonly name: string; readonly dataType: number }[];
}

const isTruth = ({ type }: ValueInfoProto): boolean =>
  type?.value.case === "tensorType" && type.value.value.elemType === BOOL;

/** Whether a node gives truth values. */
function givesTruths(node: NodeProto, truths: ReadonlySet<string>): boolean {
  if (TRUTHS.has(node.opType)) return true;
  if (KEPT.has(node.opType)) return truths.has(node.input[0] ?? "");
  if (node.opType === "CastLike") return truths.has(node.input[1] ?? "");
  const type = node.attribute.find(({ name }) => name === (node.opType === "Cast" ? "to" : "value"));
  if (node.opType === "Cast") return Number(type?.i ?? 0) === BOOL;
  return type?.type === Type.TENSOR && type.t?.dataType === BOOL;
}

/** The names of truth values: those of the graphs around this one, and its own. */
export function truthsOf({ node, input, valueInfo, initializer }: Values, outer: ReadonlySet<string>): Set<string> {
  const truths = new Set(outer);
  const declared = [...input, ...valueInfo].filter((value) => typeof value !== "string");
  for (const value of declared) if (isTruth(value)) truths.add(value.name);
  for (const { name, dataType } of initializer ?? []) if (dataType === BOOL) truths.add(name);
  for (const each of node) if (givesTruths(each, truths)) truths.add(each.output[0] ?? "");
  return truths;
}
