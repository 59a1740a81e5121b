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
import type { Reader } from "../../kernel/operand";
import type { Move } from "../../kernel/view";
import { isSpecialBinary, isSpecialUnary } from "../../ops";
import type { Tensor } from "../../tensor";
import { broadcastReader } from "../arrays/kernels";
import { type ArrayData, elementsOf } from "../arrays/storage";
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

function readersOf(out: Template, inputs: readonly Tensor[]): Reader[] {
  return inputs.map((input) => broadcastReader(input, out.shape, residentElements));
}

const sourceOf = ({ type }: Tensor, { isUniform }: Reader): Source => ({ type, uniform: isUniform });

function runSingle({ kernel, key }: Keyed, out: Template, readers: readonly Reader[]): ArrayData {
  const elements = arrays.unset(out.type, out.shape);
  runWarm(kernel, readers, [elements], sizeOf(out.shape), key);
  return arrays.hold(elements);
}

function unary(out: Template, inputs: readonly Tensor[], attrs: Attrs["unary"]): unknown {
  if (isSmall(out, inputs) && !isSpecialUnary(attrs.op)) return plain.unary(out, inputs, attrs);
  const deferred = deferUnary(out, inputs, attrs);
  if (deferred !== null) return deferred;
  const readers = readersOf(out, inputs);
  const keyed = unaryKernel(attrs.op, sourceOf(inputs[0]!, readers[0]!), out.type);
  return keyed ? runSingle(keyed, out, readers) : plain.unary(out, inputs, attrs);
}

function binary(out: Template, inputs: readonly Tensor[], attrs: Attrs["binary"]): unknown {
  if (isSmall(out, inputs) && !isSpecialBinary(attrs.op)) return plain.binary(out, inputs, attrs);
  const deferred = deferBinary(out, inputs, attrs);
  if (deferred !== null) return deferred;
  const readers = readersOf(out, inputs);
  const [x, y] = inputs.map((input, i) => sourceOf(input, readers[i]!));
  const second = inputs[1]!;
  const accepted = isAccepted(attrs.op, out.type, second.type, elementsOf(second), sizeOf(second.shape));
  const keyed = binaryKernel(attrs.op, x!, { ...y!, accepted }, out.type);
  return keyed ? runSingle(keyed, out, readers) : plain.binary(out, inputs, attrs);
}

function select(out: Template, inputs: readonly Tensor[], attrs: Attrs["select"]): unknown {
  if (isSmall(out, inputs)) return plain.select(out, inputs, attrs);
  const deferred = deferSelect(out, inputs);
  if (deferred !== null) return deferred;
  const readers = readersOf(out, inputs);
  const [pred, x, y] = inputs.map((input, i) => sourceOf(input, readers[i]!));
  const keyed = selectKernel(pred!, x!, y!, out.type);
  return keyed ? runSingle(keyed, out, readers) : plain.select(out, inputs, attrs);
}

function asType(out: Template, inputs: readonly Tensor[], attrs: Attrs["asType"]): unknown {
  const [x] = inputs as [Tensor];
  if (isSmall(out, inputs) || x.type === out.type) return plain.asType(out, inputs, attrs);
  const deferred = deferCast(out, inputs, attrs);
  if (deferred !== null) return deferred;
  const readers = readersOf(out, inputs);
  const keyed = castKernel(sourceOf(x, readers[0]!), out.type, attrs.overflow);
  return keyed ? runSingle(keyed, out, readers) : plain.asType(out, inputs, attrs);
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
