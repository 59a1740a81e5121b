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
import type { drawn } from "./elements/draws";
import { plain } from "./plain";
import { residentElements } from "./placement/resident";
import { isReady, runCompiled, runWarm } from "./elements/run";
import { ELEMENTWISE_FROM, LOOPS_PART, loopsBelow } from "./schedule/element-wise";

/** An op: small work by a plain loop, in the time that a kernel needs to start, unless it may wait with a reduction that waits. */
function element<P extends ElementOp["kind"]>(
  does: ElementOp & { readonly kind: P },
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs[P],
): unknown {
  const size = sizeOf(out.shape);
  const { deferredFrom } = tuning;
  const hasLoops =
    size < ELEMENTWISE_FROM && !isSpecial(does) && deferredFrom >= ELEMENTWISE_FROM && !readsLines(inputs);
  const loops = plain[does.kind] as PrimitiveFunction<P>;
  if (hasLoops && size < loopsBelow(out.type)) return loops(out, inputs, attrs);
  const waiting = deferOp(does, out, inputs, size);
  if (waiting) return waiting;
  const readers = inputs.map((input) => broadcastReader(input, out.shape, residentElements));
  const sources = inputs.map(({ type }, i) => ({ type, uniform: readers[i]!.isUniform }));
  const keyed = opKernel(checked(does, out, inputs), sources, out.type);
  if (!keyed || (hasLoops && !isReady(keyed.key, size * LOOPS_PART))) return loops(out, inputs, attrs);
  const elements = arrays.unset(out.type, out.shape);
  const run = hasLoops ? runCompiled : runWarm;
  run(keyed.kernel, readers, [elements], size, keyed.key);
  return arrays.hold(elements);
}

const isSpecial = (does: ElementOp): boolean =>
  does.kind === "unary" ? isSpecialUnary(does.op) : does.kind === "binary" && isSpecialBinary(does.op);

/** The op; ops that may refuse operands learn whether these are accepted. */
function checked(does: ElementOp, { type }: Template, [, second]: readonly Tensor[]): ElementOp {
  if (does.kind !== "binary" || refusing(does.op, type) === null) return does;
  return { ...does, accepted: isAccepted(does.op, type, second!.type, elementsOf(second!), sizeOf(second!.shape)) };
}

const unary: PrimitiveFunction<"unary"> = (out, inputs, attrs) =>
  element({ kind: "unary", op: attrs.op }, out, inputs, attrs);

const binary: PrimitiveFunction<"binary"> = (out, inputs, attrs) =>
  element({ kind: "binary", op: attrs.op, accepted: false }, out, inputs, attrs);

const select: PrimitiveFunction<"select"> = (out, inputs, attrs) => element({ kind: "select" }, out, inputs, attrs);

const asType: PrimitiveFunction<"asType"> = (out, inputs, attrs) =>
  inputs[0]!.type === out.type
    ? plain.asType(out, inputs, attrs)
    : element({ kind: "asType", overflow: attrs.overflow }, out, inputs, attrs);

/** A primitive that moves elements, which may wait; a slice only where its place is known. */
const moving =
  <P extends Move["kind"]>(kind: P): PrimitiveFunction<P> =>
  (out, inputs, attrs) =>
    (inputs.length === 1 ? deferMove({ kind, attrs } as unknown as Move, out, inputs) : null) ??
    (plain[kind] as PrimitiveFunction<P>)(out, inputs, attrs);

/** What draws random numbers for blocks, which comes with a group. */
export const draws: { run: typeof drawn } = { run: () => null };

export const block: PrimitiveFunction<"block"> = (out, inputs, attrs) =>
  draws.run(out, inputs, attrs) ?? plain.block(out, inputs, attrs);

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
