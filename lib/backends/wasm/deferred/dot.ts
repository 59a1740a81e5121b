/**
 * Products of pending transposes: the product reads the untransposed operands by other axes, so that no element is moved.
 */
import type { Attrs, PrimitiveFunction } from "../../../backend";
import { unnamed } from "../../../core/names";
import { isOfMatrices, throughTranspose } from "../../../kernel/transposed";
import { Tensor, unnoted } from "../../../tensor";
import { ArrayData } from "../../arrays/storage";
import { wasmDot } from "../dot";
import { waitingOf } from "./index";
import { Pending, type Operand } from "./node";

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

/** Sums of products, of what waits and of all others. */
export const dot: PrimitiveFunction<"dot"> = (out, inputs, attrs) => {
  if (inputs.every((input) => waitingOf(input) === null) || !isOfMatrices(shapesOf(inputs), attrs)) {
    return wasmDot(out, inputs, attrs);
  }
  // computing an operand may compute the other operand, too, and free the array that this was a view of
  let seen = seenOf(inputs, attrs);
  for (; seen instanceof Pending; seen = seenOf(inputs, attrs)) seen.settle();
  const result = wasmDot(out, seen.operands, seen.attrs);
  for (const value of seen.read) value.swallow();
  return result;
};

const shapesOf = (inputs: readonly Tensor[]) => inputs.map(({ shape }) => shape);
