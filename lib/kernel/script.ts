/**
 * What a kernel computes, written down before it is built: ops over inputs, constants and each other's values. The same script
 * gives the same kernel, which is kept: a new shape of a known function builds none, and neither does an eager chain of known ops.
 */
import type { Attrs } from "../backend";
import { Complex } from "../core/complex";
import { isComplex, is64Bit, type DType, type Scalar } from "../core/types";
import type { BinaryOp, UnaryOp } from "../ops";
import { Builder } from "./builder";
import { Recent } from "./generational-cache";
import { keyOf } from "./key";
import { cast, choose, lowerBinary } from "./lower/binary";
import { constant, load, store, type Typed } from "./lower/typed";
import { lowerUnary } from "./lower/unary";
import type { Kernel, KernelInput } from "./value";

/** An op on elements. */
export type ElementOp =
  | { readonly kind: "unary"; readonly op: UnaryOp }
  /** `accepted` says that no element of the second operand is one that the op refuses. */
  | { readonly kind: "binary"; readonly op: BinaryOp; readonly accepted: boolean }
  | { readonly kind: "asType"; readonly overflow: Attrs["asType"]["overflow"] }
  | { readonly kind: "select" };

/** A constant that the kernel language has. */
interface ScriptConstant {
  readonly kind: "constant";
  readonly type: DType;
  readonly value: Scalar;
}

/** An operand of an op, or a result: an input or an op by its number, or a constant. */
export type ScriptRef =
  | { readonly kind: "input"; readonly index: number }
  | { readonly kind: "op"; readonly index: number }
  | ScriptConstant;

/** An op of a script. */
export interface ScriptOp {
  readonly does: ElementOp;
  /** The type of its result. */
  readonly type: DType;
  readonly operands: readonly ScriptRef[];
}

export interface Script {
  readonly inputs: readonly KernelInput[];
  readonly ops: readonly ScriptOp[];
  readonly outputs: readonly ScriptRef[];
}

/** Bytes of kernels kept at hand. */
const KEPT_BYTES = 8 * 2 ** 20;
/** Bytes that a value of a kernel takes, about. */
const VALUE_BYTES = 300;
const kept = new Recent<Kernel>(
  KEPT_BYTES,
  (kernel, text) => VALUE_BYTES * kernel.values.length + 2 * (keyOf(kernel).length + text.length),
);

/** The kernel of a script; its text may be given where it is known. */
export const kernelOf = (script: Script, text = textOf(script)): Kernel => kept.getOrMake(text, () => built(script));

/** The same for scripts of the same kernel. */
export function textOf({ inputs, ops, outputs }: Script): string {
  let text = "";
  for (const { type, uniform } of inputs) text += uniform ? `${type}!;` : `${type};`;
  for (const { does, type, operands } of ops) text += `${opText(does)}(${refTexts(operands)})${type};`;
  return text + refTexts(outputs);
}

/** An op as text. */
export function opText(does: ElementOp): string {
  if (does.kind === "unary") return does.op;
  if (does.kind === "binary") return does.accepted ? `${does.op}+` : does.op;
  return does.kind === "asType" ? `asType ${does.overflow}` : does.kind;
}

function refTexts(refs: readonly ScriptRef[]): string {
  let text = "";
  for (const ref of refs) text += ` ${refText(ref)}`;
  return text;
}

function refText(ref: ScriptRef): string {
  if (ref.kind !== "constant") return `${ref.kind === "input" ? "i" : "o"}${ref.index}`;
  const { value, type } = ref;
  return value instanceof Complex
    ? `${type}:${digits(value.re)},${digits(value.im)}`
    : `${type}:${digits(Number(value))}`;
}

const digits = (value: number): string => (Object.is(value, -0) ? "-0" : `${value}`);

function built({ inputs, ops, outputs }: Script): Kernel {
  const k = new Builder();
  const types: DType[] = inputs.map(({ type, uniform }) => (k.input(type, uniform), type));
  const values: Typed[] = [];
  const valueOf = (ref: ScriptRef): Typed => {
    if (ref.kind === "input") return load(k, ref.index, types[ref.index]!);
    return ref.kind === "op" ? values[ref.index]! : constantValue(k, ref);
  };
  for (const { does, type, operands } of ops) values.push(lowered(k, does, type, operands.map(valueOf))!);
  return k.kernel(outputs.map((ref) => store(k, valueOf(ref))));
}

/** The value of an op; null where the kernel language does not cover it for these types. */
export function lowered(k: Builder, does: ElementOp, type: DType, operands: readonly Typed[]): Typed | null {
  const [a, b, c] = operands as [Typed, Typed, Typed];
  switch (does.kind) {
    case "unary":
      return lowerUnary(does.op, k, a, type);
    case "binary":
      return lowerBinary(does.op, k, a, { ...b, accepted: does.accepted }, type);
    case "asType":
      return cast(k, a, type, does.overflow);
    case "select":
      return choose(k, a, b, c, type);
    default:
      return does satisfies never;
  }
}

/** Whether the kernel language has a constant. */
export function isHeldConstant(type: DType, value: Scalar): boolean {
  if (value instanceof Complex) return isComplex(type);
  return !is64Bit(type) || Number.isSafeInteger(Number(value));
}

function constantValue(k: Builder, { type, value }: ScriptConstant): Typed {
  return value instanceof Complex ? constant(k, type, value.re, value.im) : constant(k, type, Number(value));
}
