/**
 * Signatures of calls: what must be the same for a traced function to be run again, compared without making text of tensors.
 */
import { is } from "immutable";
import type { Template } from "../backend";
import { checkDepth, containerKind, entriesOf } from "../container";
import { Complex } from "../core/complex";
import { SymbolicTemplate, symbolicUsed } from "../core/dims";
import { formatShape, sameShape, type Names } from "../core/shape";
import { asTensor } from "../nx/dispatch";
import { Tensor } from "../tensor";
import { LazyTensor, materialised } from "./lazy";

/** The arguments of one call, taken apart. */
export interface Call {
  /** Where tensors and statics stand, and the kinds and keys of containers, as text. */
  readonly structure: string;
  /** Values that are part of the key: strings, booleans, functions, whatever is not a number or tensor. */
  readonly statics: readonly unknown[];
  /** Types, shapes and names of tensors and numbers in order, as the function sees them. */
  readonly templates: readonly Template[];
  /** The tensors themselves, without what wraps them. */
  readonly tensors: readonly (Tensor | LazyTensor)[];
  /** Whether each belongs to an argument that is donated. */
  readonly donated: readonly boolean[];
}

/** Whether a leaf of an argument is computed with: a tensor or a number. */
export const isParameter = (leaf: unknown): leaf is Tensor | number | bigint | Complex =>
  leaf instanceof Tensor ||
  typeof leaf === "number" ||
  typeof leaf === "bigint" ||
  leaf instanceof Complex ||
  leaf instanceof LazyTensor;

/** The tensor of a leaf that is computed with. */
export const tensorOfLeaf = (leaf: unknown, fn: string): Tensor =>
  leaf instanceof LazyTensor ? materialised(leaf) : asTensor(leaf, fn);

/** Which arguments are static and which are donated, by position. */
export interface Roles {
  /** The function of the API that was called, for messages. */
  readonly api: string;
  readonly staticArgs: ReadonlySet<number>;
  readonly isDonated: (position: number) => boolean;
}

interface Parts {
  readonly api: string;
  structure: string;
  readonly statics: unknown[];
  readonly templates: Template[];
  readonly tensors: (Tensor | LazyTensor)[];
  readonly donated: boolean[];
}

/** Takes a call's arguments apart; static ones stay whole. */
export function takeApart(args: readonly unknown[], { api, staticArgs, isDonated }: Roles): Call {
  const parts: Parts = { api, structure: "", statics: [], templates: [], tensors: [], donated: [] };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (staticArgs.has(i)) takeStatic(arg, parts);
    else takeValue(arg, parts, isDonated(i), 1);
  }
  return parts;
}

function takeStatic(value: unknown, parts: Parts): void {
  parts.structure += "s";
  parts.statics.push(value);
}

/** Containers write their kinds and keys into the structure; the class of a custom one is a static. */
function takeValue(value: unknown, parts: Parts, donated: boolean, depth: number): void {
  if (isParameter(value)) return takeTensor(value, parts, donated);
  const kind = containerKind(value);
  if (value instanceof SymbolicTemplate) throw symbolicUsed(value, "a traced function");
  if (kind === null) return takeStatic(value, parts);
  checkDepth(depth);
  if (kind === "custom") takeStatic((value as object).constructor, parts);
  parts.structure += `${kind}(`;
  for (const [key, child] of entriesOf(value)) {
    parts.structure += JSON.stringify(key);
    takeValue(child, parts, donated, depth + 1);
  }
  parts.structure += ")";
}

function takeTensor(value: unknown, parts: Parts, donated: boolean): void {
  parts.structure += "t";
  parts.donated.push(donated && value instanceof Tensor);
  if (value instanceof LazyTensor) {
    parts.templates.push(value.template);
    parts.tensors.push(value);
    return;
  }
  const tensor = asTensor(value, parts.api);
  const wrapped = tensor.backend.unwrap?.(tensor);
  if (wrapped) parts.structure += wrapped.key;
  parts.templates.push(tensor);
  parts.tensors.push(wrapped?.inner ?? tensor);
}

/** What of a call is kept to be compared with others: no tensor, only what is known of it. */
export type Signature = Pick<Call, "structure" | "statics" | "templates">;

export function signatureOf({ structure, statics, templates }: Call): Signature {
  return { structure, statics, templates: templates.map(({ type, shape, names }) => ({ type, shape, names })) };
}

/** Whether two calls have the same signature. */
export function sameSignature(a: Signature, b: Signature): boolean {
  if (a.structure !== b.structure || a.statics.length !== b.statics.length) return false;
  for (let i = 0; i < a.templates.length; i++) if (!sameTemplate(a.templates[i]!, b.templates[i]!)) return false;
  return sameStatics(a, b);
}

/** Whether two calls have the same signature, whatever the types, shapes and names of their tensors. */
export function sameStructure(a: Signature, b: Signature): boolean {
  return a.structure === b.structure && a.statics.length === b.statics.length && sameStatics(a, b);
}

function sameStatics(a: Signature, b: Signature): boolean {
  for (let i = 0; i < a.statics.length; i++) if (!is(a.statics[i], b.statics[i])) return false;
  return true;
}

function sameTemplate(a: Template, b: Template): boolean {
  if (a.type !== b.type || (a.shape !== b.shape && !sameShape(a.shape, b.shape))) return false;
  return a.names === b.names || sameNames(a.names, b.names);
}

/** Shapes are the same already, so there are as many names. */
function sameNames(a: Names, b: Names): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A signature as text, for messages. */
export function describeSignature({ templates }: Signature): string {
  return templates.map(({ type, shape, names }) => `${type}${formatShape(shape, names)}`).join(", ") || "no tensors";
}
