/**
 * The element-wise primitives: one kernel each through WebAssembly. What the kernel language does not cover, and small work
 * that a plain loop does in the time a kernel needs to start, is left to the loops of `binary`.
 */
import type { Attrs, PrimitiveFunction, PrimitiveTable, Template } from "../../backend";
import { sizeOf } from "../../core/shape";
import { isAccepted, refusing } from "../../kernel/lower/refused";
import { opKernel } from "../../kernel/lower/single";
import type { ElementOp } from "../../kernel/script";
import type { Move } from "../../kernel/view";
import { isSpecialBinary, isSpecialUnary } from "../../ops";
import type { Tensor } from "../../tensor";
import { broadcastReader } from "../arrays/kernels";
import { elementsOf } from "../arrays/storage";
import { tuning } from "../tuning";
import { arrays } from "./arrays";
import { deferMove, deferOp, readsLines } from "./deferred";
import { drawn } from "./elements/draws";
import { plain } from "./plain";
import { residentElements } from "./placement/resident";
import { runWarm } from "./elements/run";
import { ELEMENTWISE_FROM } from "./schedule/element-wise";

/** Whether a plain loop does small work, in the time that a kernel needs to start: what follows a reduction that waits may wait with it. */
const isByLoops = (inputs: readonly Tensor[]): boolean =>
  tuning.deferredFrom >= ELEMENTWISE_FROM && !readsLines(inputs);

/** By a kernel of its own, or by loops where there is none. */
function apart<P extends ElementOp["kind"]>(
  does: ElementOp & { readonly kind: P },
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs[P],
  size: number,
): unknown {
  const readers = inputs.map((input) => broadcastReader(input, out.shape, residentElements));
  const sources = inputs.map(({ type }, i) => ({ type, uniform: readers[i]!.isUniform }));
  const keyed = opKernel(checked(does, out, inputs), sources, out.type);
  if (!keyed) return (plain[does.kind] as PrimitiveFunction<P>)(out, inputs, attrs);
  const elements = arrays.unset(out.type, out.shape);
  runWarm(keyed.kernel, readers, [elements], size, keyed.key);
  return arrays.hold(elements);
}

/** The op; ops that may refuse operands learn whether these are accepted. */
function checked(does: ElementOp, { type }: Template, [, second]: readonly Tensor[]): ElementOp {
  if (does.kind !== "binary" || refusing(does.op, type) === null) return does;
  return { ...does, accepted: isAccepted(does.op, type, second!.type, elementsOf(second!), sizeOf(second!.shape)) };
}

function unary(out: Template, inputs: readonly Tensor[], attrs: Attrs["unary"]): unknown {
  const size = sizeOf(out.shape);
  const { op } = attrs;
  if (size < ELEMENTWISE_FROM && isByLoops(inputs) && !isSpecialUnary(op)) return plain.unary(out, inputs, attrs);
  const does = { kind: "unary", op } as const;
  return deferOp(does, out, inputs, size) ?? apart(does, out, inputs, attrs, size);
}

function binary(out: Template, inputs: readonly Tensor[], attrs: Attrs["binary"]): unknown {
  const size = sizeOf(out.shape);
  const { op } = attrs;
  if (size < ELEMENTWISE_FROM && isByLoops(inputs) && !isSpecialBinary(op)) return plain.binary(out, inputs, attrs);
  const does = { kind: "binary", op, accepted: false } as const;
  return deferOp(does, out, inputs, size) ?? apart(does, out, inputs, attrs, size);
}

function select(out: Template, inputs: readonly Tensor[], attrs: Attrs["select"]): unknown {
  const size = sizeOf(out.shape);
  if (size < ELEMENTWISE_FROM && isByLoops(inputs)) return plain.select(out, inputs, attrs);
  const does = { kind: "select" } as const;
  return deferOp(does, out, inputs, size) ?? apart(does, out, inputs, attrs, size);
}

function asType(out: Template, inputs: readonly Tensor[], attrs: Attrs["asType"]): unknown {
  const size = sizeOf(out.shape);
  const isSmall = size < ELEMENTWISE_FROM && isByLoops(inputs);
  if (isSmall || inputs[0]!.type === out.type) return plain.asType(out, inputs, attrs);
  const does = { kind: "asType", overflow: attrs.overflow } as const;
  return deferOp(does, out, inputs, size) ?? apart(does, out, inputs, attrs, size);
}

/** A primitive that moves elements, which may wait; a slice only where its place is known. */
const moving =
  <P extends Move["kind"]>(kind: P): PrimitiveFunction<P> =>
  (out, inputs, attrs) =>
    (inputs.length === 1 ? deferMove({ kind, attrs } as unknown as Move, out, inputs) : null) ??
    (plain[kind] as PrimitiveFunction<P>)(out, inputs, attrs);

export const block: PrimitiveFunction<"block"> = (out, inputs, attrs) =>
  drawn(out, inputs, attrs) ?? plain.block(out, inputs, attrs);

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
  block,
} satisfies Partial<PrimitiveTable>;
