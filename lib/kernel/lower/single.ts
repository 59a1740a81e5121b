/**
 * Kernels of one op: what eager calls on large tensors and special functions run as. Made once for each op and types.
 */
import { TYPE_NUMBERS, type DType } from "../../core/types";
import type { BinaryOp, UnaryOp } from "../../ops";
import { Builder } from "../builder";
import { keyOf } from "../key";
import type { ElementOp } from "../script";
import type { Kernel, Value } from "../value";
import { cast, choose, lowerBinary } from "./binary";
import { load, store, type Typed } from "./typed";
import { lowerUnary } from "./unary";

/** A kernel and its key. */
export interface Keyed {
  readonly kernel: Kernel;
  readonly key: string;
  /** How many values it computes, cold paths included. */
  readonly values: number;
}

/** The kernel of an op, with a number of its own. */
export interface OpKernel extends Keyed {
  readonly id: number;
}

let made = 0;

/** An operand of a single op. */
export interface Source {
  readonly type: DType;
  readonly uniform: boolean;
  /** Whether no element is one that the op refuses, a zero divisor or a negative shift: whoever says so has looked. */
  readonly accepted?: boolean;
}

/** Kernels of single ops kept at hand, after which all are forgotten; a program has some dozens. */
const KEPT = 1024;

type Lower = (k: Builder, operands: readonly Typed[]) => Typed | null;

/** Kernels by the name of the op and a number for its types: eager calls ask often, and texts would take longer than the rest. */
const known = new Map<string, Map<number, OpKernel | null>>();
let count = 0;

/** More than there are numbers of sources. */
const SOURCES = 64;

function single(name: string, sources: readonly Source[], out: DType, lower: Lower): OpKernel | null {
  let number = TYPE_NUMBERS[out];
  for (let i = 0; i < sources.length; i++) {
    const { type, uniform, accepted } = sources[i]!;
    number = SOURCES * number + 4 * TYPE_NUMBERS[type] + (uniform ? 2 : 0) + (accepted === true ? 1 : 0);
  }
  const cached = known.get(name)?.get(number);
  if (cached !== undefined) return cached;
  const fresh = build(sources, lower);
  if (++count > KEPT) {
    known.clear();
    count = 1;
  }
  const own = known.get(name) ?? new Map<number, OpKernel | null>();
  known.set(name, own.set(number, fresh));
  return fresh;
}

function build(sources: readonly Source[], lower: Lower): OpKernel | null {
  const k = new Builder();
  const operands = sources.map(({ type, uniform, accepted = false }) => ({
    ...load(k, k.input(type, uniform), type),
    accepted,
  }));
  const result = lower(k, operands);
  if (!result) return null;
  const kernel = k.kernel([store(k, result)]);
  return { kernel, key: keyOf(kernel), values: countOf(kernel.values), id: ++made };
}

const countOf = (values: readonly Value[]): number =>
  values.reduce(
    (sum, value) => sum + (value.op === "coldPath" ? countOf(value.body) : 0) + (value.op === "load" ? 0 : 1),
    0,
  );

/** The kernel of a unary op, or null where the kernel language does not cover it. */
export function unaryKernel(op: UnaryOp, x: Source, out: DType): OpKernel | null {
  return single(op, [x], out, (k, [a]) => lowerUnary(op, k, a!, out));
}

/** The kernel of a binary op, or null. */
export function binaryKernel(op: BinaryOp, x: Source, y: Source, out: DType): OpKernel | null {
  return single(op, [x, y], out, (k, [a, b]) => lowerBinary(op, k, a!, b!, out));
}

/** The kernel of an op on elements, or null. */
export function opKernel(does: ElementOp, [x, y, z]: readonly Source[], out: DType): OpKernel | null {
  switch (does.kind) {
    case "unary":
      return unaryKernel(does.op, x!, out);
    case "binary":
      return binaryKernel(does.op, x!, does.accepted ? { ...y!, accepted: true } : y!, out);
    case "asType":
      return castKernel(x!, out, does.overflow);
    case "select":
      return selectKernel(x!, y!, z!, out);
    default:
      return does satisfies never;
  }
}

/** The kernel of a cast, or null. */
export function castKernel(x: Source, out: DType, overflow: "saturate" | "wrap"): OpKernel | null {
  return single(overflow, [x], out, (k, [a]) => cast(k, a!, out, overflow));
}

/** The kernel of a selection, or null. */
export function selectKernel(pred: Source, x: Source, y: Source, out: DType): OpKernel | null {
  return single("select", [pred, x, y], out, (k, [p, a, b]) => choose(k, p!, a!, b!, out));
}
