/**
 * Kernels of one op: what eager calls on large tensors and special functions run as. Made once for each op and types.
 */
import type { DType } from "../../core/types";
import type { BinaryOp, UnaryOp } from "../../ops";
import { Builder } from "../builder";
import { keyOf } from "../key";
import { Recent } from "../generational-cache";
import type { Kernel, Value } from "../value";
import { BINARY_LOWERING, cast, choose } from "./binary";
import { load, store, type Typed } from "./typed";
import { UNARY_LOWERING } from "./unary";

/** A kernel and its key. */
export interface Keyed {
  readonly kernel: Kernel;
  readonly key: string;
  /** How many values it computes, cold paths included. */
  readonly values: number;
}

/** An operand of a single op. */
export interface Source {
  readonly type: DType;
  readonly uniform: boolean;
  /** Whether no element is one that the op refuses, a zero divisor or a negative shift: whoever says so has looked. */
  readonly accepted?: boolean;
}

/** Kernels of single ops kept at hand; a program has some dozens. */
const KEPT = 1024;

type Lower = (k: Builder, operands: readonly Typed[]) => Typed | null;

const known = new Recent<Keyed | null>(KEPT);

function single(name: string, sources: readonly Source[], out: DType, lower: Lower): Keyed | null {
  const text = `${name} ${out}${sources.map(textOf).join("")}`;
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const fresh = build(sources, lower);
  known.set(text, fresh);
  return fresh;
}

const textOf = ({ type, uniform, accepted }: Source): string => ` ${type}${uniform ? "!" : ""}${accepted ? "+" : ""}`;

function build(sources: readonly Source[], lower: Lower): Keyed | null {
  const k = new Builder();
  const operands = sources.map(({ type, uniform, accepted = false }) => ({
    ...load(k, k.input(type, uniform), type),
    accepted,
  }));
  const result = lower(k, operands);
  if (!result) return null;
  const kernel = k.kernel([store(k, result)]);
  return { kernel, key: keyOf(kernel), values: countOf(kernel.values) };
}

const countOf = (values: readonly Value[]): number =>
  values.reduce(
    (sum, value) => sum + (value.op === "coldPath" ? countOf(value.body) : 0) + (value.op === "load" ? 0 : 1),
    0,
  );

/** The kernel of a unary op, or null where the kernel language does not cover it. */
export function unaryKernel(op: UnaryOp, x: Source, out: DType): Keyed | null {
  return single(op, [x], out, (k, [a]) => UNARY_LOWERING[op](k, a!, out));
}

/** The kernel of a binary op, or null. */
export function binaryKernel(op: BinaryOp, x: Source, y: Source, out: DType): Keyed | null {
  return single(op, [x, y], out, (k, [a, b]) => BINARY_LOWERING[op](k, a!, b!, out));
}

/** The kernel of a cast, or null. */
export function castKernel(x: Source, out: DType, overflow: "saturate" | "wrap"): Keyed | null {
  return single(overflow, [x], out, (k, [a]) => cast(k, a!, out, overflow));
}

/** The kernel of a selection, or null. */
export function selectKernel(pred: Source, x: Source, y: Source, out: DType): Keyed | null {
  return single("select", [pred, x, y], out, (k, [p, a, b]) => choose(k, p!, a!, b!, out));
}
