/**
 * Kernels of one op: what eager calls on large tensors and special functions run as. Made once for each op and types.
 */
import { TYPE_NUMBERS, type DType } from "../../core/types";
import type { BinaryOp, UnaryOp } from "../../ops";
import { Builder } from "../builder";
import { keyOf } from "../key";
import { lowered, type ElementOp } from "../script";
import type { Kernel, Value } from "../value";
import { load, store } from "./typed";

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
}

/** Kernels of single ops kept at hand, after which all are forgotten; a program has some dozens. */
const KEPT = 1024;

/** Kernels by the name of the op and a number for its types: eager calls ask often, and texts would take longer than the rest. */
const known = new Map<string, Map<number, OpKernel | null>>();
let count = 0;

/** More than there are numbers of sources. */
const SOURCES = 64;

/** The kernel of an op on elements, or null where the kernel language does not cover it. */
export function opKernel(does: ElementOp, sources: readonly Source[], out: DType): OpKernel | null {
  const name = nameOf(does);
  let number = TYPE_NUMBERS[out];
  for (let i = 0; i < sources.length; i++) {
    const { type, uniform } = sources[i]!;
    number = SOURCES * number + 4 * TYPE_NUMBERS[type] + (uniform ? 2 : 0);
  }
  if (does.kind === "binary" && does.accepted) number++;
  const cached = known.get(name)?.get(number);
  if (cached !== undefined) return cached;
  const fresh = build(does, sources, out);
  if (++count > KEPT) {
    known.clear();
    count = 1;
  }
  const own = known.get(name) ?? new Map<number, OpKernel | null>();
  known.set(name, own.set(number, fresh));
  return fresh;
}

const nameOf = (does: ElementOp): string =>
  does.kind === "select" ? does.kind : does.kind === "asType" ? does.overflow : does.op;

function build(does: ElementOp, sources: readonly Source[], out: DType): OpKernel | null {
  const k = new Builder();
  const operands = sources.map(({ type, uniform }) => load(k, k.input(type, uniform), type));
  const result = lowered(k, does, out, operands);
  if (!result) return null;
  const kernel = k.kernel([store(k, result)]);
  return { kernel, key: keyOf(kernel), values: countOf(kernel.values), id: ++made };
}

const countOf = (values: readonly Value[]): number =>
  values.reduce(
    (sum, value) => sum + (value.op === "coldPath" ? countOf(value.body) : 0) + (value.op === "load" ? 0 : 1),
    0,
  );

/** The kernel of a unary op, or null. */
export const unaryKernel = (op: UnaryOp, x: Source, out: DType): OpKernel | null =>
  opKernel({ kind: "unary", op }, [x], out);

/** The kernel of a binary op, or null; `accepted` as in {@link ElementOp}. */
export const binaryKernel = (op: BinaryOp, x: Source, y: Source, out: DType, accepted = false): OpKernel | null =>
  opKernel({ kind: "binary", op, accepted }, [x, y], out);

/** The kernel of a cast, or null. */
export const castKernel = (x: Source, out: DType, overflow: "saturate" | "wrap"): OpKernel | null =>
  opKernel({ kind: "asType", overflow }, [x], out);
