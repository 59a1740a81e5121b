/**
 * Sums of products of transposes that wait: they are read as they were before, by other axes, so that nothing is moved about for them.
 */
import type { Attrs, PrimitiveFunction } from "../../../backend";
import { unnamed } from "../../../core/names";
import { isOfMatrices, throughTranspose } from "../../../kernel/transposed";
import { Tensor } from "../../../tensor";
import { ArrayData } from "../../arrays/storage";
import { wasmDot } from "../dot";
import { waitingOf } from "./index";
import { Leaf, type Pending } from "./node";

/** The axes of a value that is the transpose of another one; null where it is none. */
function axesOf({ step }: Pending): readonly number[] | null {
  return step.kind === "move" && step.move.kind === "transpose" ? step.move.attrs.axes : null;
}

/** What a transpose is of, once it is there. */
function sourceOf(transposed: Pending, { backend }: Tensor): Tensor {
  const [operand] = transposed.operands as [Pending["operands"][number]];
  const { type, shape } = operand;
  const elements = operand instanceof Leaf ? operand.elements : (operand.result ?? operand.settle());
  return new Tensor(backend, new ArrayData(elements), type, shape, unnamed(shape.length));
}

/** Sums of products, of what waits and of all others. */
export const dot: PrimitiveFunction<"dot"> = (out, inputs, attrs) => {
  const values = inputs.map(waitingOf);
  if (values.every((value) => value === null) || !isOfMatrices(shapesOf(inputs), attrs)) {
    return wasmDot(out, inputs, attrs);
  }
  let seen: Attrs["dot"] = attrs;
  const read: Pending[] = [];
  const operands = inputs.map((input, i) => {
    const value = values[i]!;
    const axes = value && axesOf(value);
    const through = axes && throughTranspose(seen, i as 0 | 1, axes);
    if (value === null || !through) return input;
    seen = through;
    read.push(value);
    return sourceOf(value, input);
  });
  const result = wasmDot(out, operands, seen);
  for (const value of read) value.swallow();
  return result;
};

const shapesOf = (inputs: readonly Tensor[]) => inputs.map(({ shape }) => shape);
