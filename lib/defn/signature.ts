/**
 * Signatures of calls: what must be the same for a traced function to be run again, compared without making text of tensors.
 */
import type { Template } from "../backend";
import { checkDepth, containerKind, entriesOf, sortedKeys } from "../container";
import { SymbolicTemplate, symbolicUsed } from "../core/dims";
import { is, isAssociative, isCollection, isRecord } from "../core/immutable";
import type { PlainNumber } from "../core/number-class";
import { formatShape, sameShape, type Names } from "../core/shape";
import { asTensor } from "../nx/dispatch";
import { isPlainNumber, NumberTemplate, numberTemplate } from "./numbers";
import { Tensor } from "../tensor";
import { expanded, isStandIn, LazyTensor, materialised } from "./lazy";

/** A leaf that is computed with. */
type Leaf = Tensor | LazyTensor | PlainNumber;

/** The flattened arguments of a call. */
export interface Call {
  /** The arguments, with containers in place of their stand-ins. */
  readonly args: readonly unknown[];
  /** Where tensors and statics stand, and the kinds and keys of containers, as text. */
  readonly structure: string;
  /** Values that are part of the key: strings, booleans, functions, whatever is not a number or tensor. */
  readonly statics: readonly unknown[];
  /** Types, shapes and names of tensors in order, as the function sees them, and the classes of numbers. */
  readonly templates: readonly Template[];
  /** The inner tensors and the numbers. */
  readonly tensors: readonly Leaf[];
  /** Of each tensor, whether its argument is donated. */
  readonly donated: readonly boolean[];
  /** Whether any argument is donated. */
  readonly isDonating: boolean;
}

/** Whether a leaf of an argument is computed with: a tensor or a number. */
export const isParameter = (leaf: unknown): leaf is Tensor | PlainNumber =>
  leaf instanceof Tensor || isPlainNumber(leaf) || leaf instanceof LazyTensor;

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
  readonly args: readonly unknown[];
  /** Whether an argument stands for a container. */
  standsIn: boolean;
  structure: string;
  readonly statics: unknown[];
  readonly templates: Template[];
  readonly tensors: Leaf[];
  readonly donated: boolean[];
  isDonating: boolean;
}

/** Flattens the arguments of a call; static arguments stay whole. */
export function flattenCall(args: readonly unknown[], roles: Roles): Call {
  const { api, staticArgs, isDonated } = roles;
  const parts: Parts = {
    api,
    args,
    standsIn: false,
    structure: "",
    statics: [],
    templates: [],
    tensors: [],
    donated: [],
    isDonating: false,
  };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (staticArgs.has(i)) takeStatic(arg, parts);
    else takeValue(arg, parts, isDonated(i), 1);
  }
  return parts.standsIn ? flattenCall(expanded(args, api, staticArgs), roles) : parts;
}

function takeStatic(value: unknown, parts: Parts): void {
  parts.structure += "s";
  parts.statics.push(value);
}

/** Containers write their kinds and keys into the structure; the class of a custom one is a static. */
function takeValue(value: unknown, parts: Parts, donated: boolean, depth: number): void {
  if (value instanceof Tensor) return takeTensor(value, parts, donated);
  if (isPlainNumber(value)) return takeNumber(value, parts);
  if (value instanceof LazyTensor) return takeLazy(value, parts);
  const kind = containerKind(value);
  if (value instanceof SymbolicTemplate) throw symbolicUsed(value, "a traced function");
  if (kind === null) {
    if (isStandIn(value)) parts.standsIn = true;
    return takeStatic(value, parts);
  }
  checkDepth(depth);
  if (kind === "custom") takeStatic((value as object).constructor, parts);
  parts.structure += `${kind}(`;
  if (kind === "array") takeList(value as readonly unknown[], parts, donated, depth);
  else if (kind === "object") takeObject(value as Readonly<Record<string, unknown>>, parts, donated, depth);
  else {
    for (const [key, child] of entriesOf(value)) {
      parts.structure += textOf(key);
      takeValue(child, parts, donated, depth + 1);
    }
  }
  parts.structure += ")";
}

function takeList(list: readonly unknown[], parts: Parts, donated: boolean, depth: number): void {
  for (let i = 0; i < list.length; i++) {
    parts.structure += textOf(i);
    takeValue(list[i], parts, donated, depth + 1);
  }
}

function takeObject(value: Readonly<Record<string, unknown>>, parts: Parts, donated: boolean, depth: number): void {
  for (const key of sortedKeys(value)) {
    parts.structure += textOf(key);
    takeValue(value[key], parts, donated, depth + 1);
  }
}

/** A key within a structure: its length tells where it ends. */
const textOf = (key: string | number): string => (typeof key === "number" ? `${key}` : `${key.length}:${key}`);

function takeNumber(value: PlainNumber, parts: Parts): void {
  parts.structure += "t";
  parts.donated.push(false);
  parts.templates.push(numberTemplate(value));
  parts.tensors.push(value);
}

function takeLazy(value: LazyTensor, parts: Parts): void {
  parts.structure += "t";
  parts.donated.push(false);
  parts.templates.push(value.template);
  parts.tensors.push(value);
}

function takeTensor(value: Tensor, parts: Parts, donated: boolean): void {
  parts.structure += "t";
  parts.donated.push(donated);
  if (donated) parts.isDonating = true;
  const tensor = asTensor(value, parts.api);
  const wrapped = tensor.backend.unwrap?.(tensor);
  if (wrapped) parts.structure += wrapped.key;
  parts.templates.push(tensor);
  parts.tensors.push(wrapped?.inner ?? tensor);
}

/** What of a call is kept to be compared with others: no tensor, only what is known of it. */
export type Signature = Pick<Call, "structure" | "statics" | "templates">;

export function signatureOf({ structure, statics, templates }: Call): Signature {
  return { structure, statics, templates: templates.map(kept) };
}

const kept = (template: Template): Template =>
  template instanceof NumberTemplate ? template : { type: template.type, shape: template.shape, names: template.names };

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
  for (let i = 0; i < a.statics.length; i++) if (!sameStatic(a.statics[i], b.statics[i])) return false;
  return true;
}

/** Whether two values are the same for a program: 0 is not -0, Immutable's collections and other value objects are what they hold. */
function sameStatic(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (a !== b && is(a, b) && sameZeros(a, b));
}

/** Of two collections that Immutable calls equal, whether the zeros among their values have the same signs. */
function sameZeros(a: unknown, b: unknown): boolean {
  if (isRecord(a)) return sameZeros(a.toSeq(), (b as typeof a).toSeq());
  if (!isCollection(a)) return true;
  const other = b as typeof a;
  const zeroOf = (set: typeof a) => set.find((value) => value === 0);
  if (!isAssociative(a)) return Object.is(zeroOf(a), zeroOf(other));
  return a.every((value, key) => sameStatic(value, other.get(key)));
}

/**
 * Whether two calls differ in the classes of plain numbers at most. A number also stands for a scalar tensor of the type that it
 * is inferred as, and that for it.
 */
export function sameButNumbers(a: Signature, b: Signature): boolean {
  if (!sameStructure(a, b)) return false;
  return a.templates.every((template, i) => {
    const other = b.templates[i]!;
    const numbers = Number(template instanceof NumberTemplate) + Number(other instanceof NumberTemplate);
    if (numbers === 0) return sameTemplate(template, other);
    return numbers === 2 || (template.type === other.type && template.shape.length === other.shape.length);
  });
}

function sameTemplate(a: Template, b: Template): boolean {
  if (a === b) return true;
  if (a.type !== b.type || (a.shape !== b.shape && !sameShape(a.shape, b.shape))) return false;
  // of numbers there is one object for each class
  if (a.shape.length === 0) return !(a instanceof NumberTemplate || b instanceof NumberTemplate);
  return a.names === b.names || sameNames(a.names, b.names);
}

/** Shapes are the same already, so there are as many names. */
function sameNames(a: Names, b: Names): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A signature as text, for messages. */
export function describeSignature({ templates }: Signature): string {
  return templates.map(templateText).join(", ") || "no tensors";
}

/** A template as text; a plain number by the type that it has alone. */
const templateText = (template: Template): string =>
  template instanceof NumberTemplate
    ? `number ${template.type}`
    : `${template.type}${formatShape(template.shape, template.names)}`;
