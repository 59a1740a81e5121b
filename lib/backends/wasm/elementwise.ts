/**
 * The element-wise primitives: one kernel each through WebAssembly. What the kernel language does not cover, and small work
 * that a plain loop does in the time a kernel needs to start, is left to the loops of `binary`.
 */
import type { Attrs, PrimitiveFunction, PrimitiveTable, Template } from "../../backend";
import { sizeOf } from "../../core/shape";
import { isAccepted } from "../../kernel/lower/refused";
import {
  binaryKernel,
  castKernel,
  selectKernel,
  unaryKernel,
  type Keyed,
  type Source,
} from "../../kernel/lower/single";
import type { Move } from "../../kernel/view";
import { isSpecialBinary, isSpecialUnary } from "../../ops";
import type { Tensor } from "../../tensor";
import { broadcastReader } from "../arrays/kernels";
import { elementsOf } from "../arrays/storage";
import { tuning } from "../tuning";
import { arrays } from "./arrays";
import { deferBinary, deferCast, deferJoin, deferMove, deferSelect, deferUnary, readsLines } from "./deferred";
import { plain } from "./plain";
import { residentElements } from "./resident";
import { runWarm } from "./run";
import { ELEMENTWISE_FROM } from "./schedule";

/** Whether a plain loop does the work in the time that a kernel needs to start; what follows a reduction that waits may wait with it. */
const isSmall = ({ shape }: Template, inputs: readonly Tensor[]): boolean =>
  sizeOf(shape) < ELEMENTWISE_FROM && tuning.deferredFrom >= ELEMENTWISE_FROM && !readsLines(inputs);

/** By a kernel of its own, or by loops where there is none. */
function apart<P extends "unary" | "binary" | "select" | "asType">(
  primitive: P,
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs[P],
  kernelFor: (sources: readonly Source[]) => Keyed | null,
): unknown {
  const readers = inputs.map((input) => broadcastReader(input, out.shape, residentElements));
  const keyed = kernelFor(inputs.map(({ type }, i) => ({ type, uniform: readers[i]!.isUniform })));
  if (!keyed) return (plain[primitive] as PrimitiveFunction<P>)(out, inputs, attrs);
  const elements = arrays.unset(out.type, out.shape);
  runWarm(keyed.kernel, readers, [elements], sizeOf(out.shape), keyed.key);
  return arrays.hold(elements);
}

function unary(out: Template, inputs: readonly Tensor[], attrs: Attrs["unary"]): unknown {
  if (isSmall(out, inputs) && !isSpecialUnary(attrs.op)) return plain.unary(out, inputs, attrs);
  const deferred = deferUnary(out, inputs, attrs);
  return deferred ?? apart("unary", out, inputs, attrs, ([x]) => unaryKernel(attrs.op, x!, out.type));
}

function binary(out: Template, inputs: readonly Tensor[], attrs: Attrs["binary"]): unknown {
  if (isSmall(out, inputs) && !isSpecialBinary(attrs.op)) return plain.binary(out, inputs, attrs);
  const deferred = deferBinary(out, inputs, attrs);
  if (deferred !== null) return deferred;
  const second = inputs[1]!;
  const accepted = isAccepted(attrs.op, out.type, second.type, elementsOf(second), sizeOf(second.shape));
  return apart("binary", out, inputs, attrs, ([x, y]) => binaryKernel(attrs.op, x!, { ...y!, accepted }, out.type));
}

function select(out: Template, inputs: readonly Tensor[], attrs: Attrs["select"]): unknown {
  if (isSmall(out, inputs)) return plain.select(out, inputs, attrs);
  const deferred = deferSelect(out, inputs);
  return deferred ?? apart("select", out, inputs, attrs, ([pred, x, y]) => selectKernel(pred!, x!, y!, out.type));
}

function asType(out: Template, inputs: readonly Tensor[], attrs: Attrs["asType"]): unknown {
  if (isSmall(out, inputs) || inputs[0]!.type === out.type) return plain.asType(out, inputs, attrs);
  const deferred = deferCast(out, inputs, attrs);
  return deferred ?? apart("asType", out, inputs, attrs, ([x]) => castKernel(x!, out.type, attrs.overflow));
}

/** A primitive that moves elements, which may wait; a slice only where its place is known. */
const moving =
  <P extends Move["kind"]>(kind: P): PrimitiveFunction<P> =>
  (out, inputs, attrs) =>
    (inputs.length === 1 ? deferMove({ kind, attrs } as unknown as Move, out, inputs) : null) ??
    (plain[kind] as PrimitiveFunction<P>)(out, inputs, attrs);

const concatenate: PrimitiveFunction<"concatenate"> = (out, inputs, attrs) =>
  deferJoin(out, inputs, attrs) ?? plain.concatenate(out, inputs, attrs);

/** The element-wise primitives, and those that move elements. */
export const elementwise = {
  unary,
  binary,
  select,
  asType,
  reshape: moving("reshape"),
  broadcast: moving("broadcast"),
  transpose: moving("transpose"),
  reverse: moving("reverse"),
  slice: moving("slice"),
  concatenate,
} satisfies Partial<PrimitiveTable>;
