/**
 * Products of values that wait: transposes are read by other axes, so that no element is moved, and a matrix that meets a vector is
 * computed row by row as it does.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { unnamed } from "../../../core/names";
import { profiling } from "../../../core/profiling";
import { isComplex } from "../../../core/types";
import { isAlongRows, MADE_ONCE_FROM } from "../../../kernel/nest";
import { isInOneOrder, throughTranspose } from "../../../kernel/transposed";
import { Tensor, unnoted } from "../../../tensor";
import { ArrayData } from "../../arrays/storage";
import { tuning } from "../../tuning";
import { dotThrough, productsOf, wasmDot } from "../contractions/dot";
import { orElse } from "../memory/refusal";
import { waitingOf } from "./index";
import { Pending, type Operand } from "./node";
import { profiledKernel } from "./profiled";
import { draftOf, kernelFor } from "./settle";

/** The axes of a pending transpose; null for all other values. */
function axesOf({ step }: Pending): readonly number[] | null {
  return step.kind === "move" && step.move.kind === "transpose" ? step.move.attrs.axes : null;
}

/** A product in which transposes that wait are read as they were before. */
interface Seen {
  readonly operands: readonly Tensor[];
  readonly attrs: Attrs["dot"];
  readonly read: readonly Pending[];
}

/** The product of what is there, or a value that has to be computed before. */
function seenOf(inputs: readonly Tensor[], given: Attrs["dot"]): Seen | Pending {
  let attrs = given;
  const operands: Tensor[] = [];
  const read: Pending[] = [];
  for (const [i, input] of inputs.entries()) {
    const value = waitingOf(input);
    if (value === null) {
      operands.push(input);
      continue;
    }
    const axes = axesOf(value);
    const through = axes && throughTranspose(attrs, i as 0 | 1, axes);
    if (!through) return value;
    const [operand] = value.operands as [Operand];
    const elements = operand.result;
    if (elements === null) return operand as Pending;
    attrs = through;
    read.push(value);
    const { type, shape } = operand;
    // no holder of the array, so nothing that a tidy scope may release, nor data that may let go of the array for another one
    const data = new ArrayData(elements);
    data.pins = 1;
    operands.push(unnoted(() => new Tensor(input.backend, data, type, shape, unnamed(shape.length))));
  }
  return { operands, attrs, read };
}

/** Which operand is a large matrix that waits, whose rows are multiplied with a vector, so that each element is read once; -1 for none. */
function matrixOf(out: Template, inputs: readonly Tensor[], attrs: Attrs["dot"]): number {
  const [x, y] = inputs as [Tensor, Tensor];
  const products = productsOf(out, x, attrs);
  const isOne = ({ type, size, shape }: Tensor, at: number): boolean =>
    size === products && !isComplex(type) && isAlongRows(shape, attrs.contract[at]!);
  const from = Math.min(MADE_ONCE_FROM, tuning.compiledFrom);
  if (products < from || x === y) return -1;
  return inputs.findIndex((input, at) => isOne(input, at) && waitingOf(input) !== null);
}

/** The product of a matrix that is computed row by row where it meets the vector; null where it had better be computed before. */
const multiplied = orElse(
  (out: Template, inputs: readonly Tensor[], attrs: Attrs["dot"]): ArrayData | null => {
    const at = matrixOf(out, inputs, attrs);
    if (at < 0) return null;
    // computing the vector may compute the matrix, too
    waitingOf(inputs[1 - at]!)?.settle();
    const root = waitingOf(inputs[at]!);
    if (root === null || root.consumers > 0 || root.lines !== null) return null;
    const draft = draftOf(root);
    const isJoined = draft.readers.some(({ access }) => access.kind === "joined");
    if (isJoined || draft.isMove || draft.outputs().length > 0 || draft.isBetterStored(root)) return null;
    const kernel = kernelFor(draft, [root], root.size);
    if (kernel === null) return null;
    const run = () => dotThrough(out, inputs, attrs, at as 0 | 1, kernel, draft.readers);
    const { probe } = profiling;
    const { read } = draft.bytes([]);
    const last = probe && { does: "dot", lines: probe.elsewhere() };
    const made = probe === null ? run() : profiledKernel(probe, draft.values, read, run, last);
    if (made === null) return null;
    draft.swallow([]);
    root.swallow();
    return made;
  },
  () => null,
);

/** Sums of products, of what waits and of all others. */
export const dot: PrimitiveFunction<"dot"> = (out, inputs, attrs) => {
  const made = multiplied(out, inputs, attrs);
  if (made !== null) return made;
  if (inputs.every((input) => waitingOf(input) === null) || !isInOneOrder(inputs, attrs)) {
    return wasmDot(out, inputs, attrs);
  }
  // computing an operand may compute the other operand, too, and free the array that this was a view of
  let seen = seenOf(inputs, attrs);
  for (; seen instanceof Pending; seen = seenOf(inputs, attrs)) seen.settle();
  const result = wasmDot(out, seen.operands, seen.attrs);
  for (const value of seen.read) value.swallow();
  return result;
};
