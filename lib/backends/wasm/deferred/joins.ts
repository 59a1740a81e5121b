/**
 * Arrays one after the other, and rolled ones, as values that wait: kernels read them where they lie. Comes with the functions that join tensors.
 */
import type { Attrs, Template, View } from "../../../backend";
import { sameShape, sizeOf, type Shape } from "../../../core/shape";
import { joinedAccess, JoinedReader, MOST_PARTS, runsOf, type Runs } from "../../../kernel/joined";
import { moved } from "../../../kernel/view";
import type { Tensor } from "../../../tensor";
import { widthOf, type ArrayData, type Elements } from "../../arrays/storage";
import type { Roll } from "../../binary/native/roll";
import { Apart, type Draft, type DraftRef } from "./draft";
import { defer, mayWait } from "./index";
import type { Pending } from "./node";

/** Arrays one after the other along an axis: few of them, since each is read by itself. */
export function deferJoin(out: Template, inputs: readonly Tensor[], { axis }: Attrs["concatenate"]): ArrayData | null {
  const size = sizeOf(out.shape);
  if (!mayWait(size) || inputs.length > MOST_PARTS) return null;
  if (inputs.some(({ type, shape }) => type !== out.type || sizeOf(shape) === 0)) return null;
  return defer({ kind: "join", axis, cut: 0, draft }, out, inputs, size);
}

/** Elements of an axis from `cut` on, then those before. */
export function deferRoll(out: Template, inputs: readonly Tensor[], { axis, cut }: Roll): ArrayData | null {
  const size = sizeOf(out.shape);
  return mayWait(size) ? defer({ kind: "join", axis, cut, draft }, out, inputs, size) : null;
}

/** Arrays one after the other, each seen through moves. */
function draft(by: Draft, value: Pending): DraftRef {
  const { step, operands, type, size } = value;
  const { axis, cut } = step as Extract<Pending["step"], { kind: "join" }>;
  if (value !== by.root && by.spaceOf(value) === "line") throw new Apart(value);
  const arrays: Elements[] = [];
  const runs = operands.flatMap((operand) => {
    const { array, view } = by.part(operand, null);
    const seen = sameShape(view.shape, operand.shape) ? view : moved(view, { kind: "reshape" }, operand.shape);
    const own = (seen === null ? [] : cut === 0 ? [seen] : cutAt(seen, axis, cut)).map((each) => runsOf(each, axis));
    if (own.length === 0 || own.includes(null)) throw new Apart(operand as Pending);
    for (const _ of own) arrays.push(array);
    return own as Runs[];
  });
  return by.read(new JoinedReader(arrays, widthOf(type), joinedAccess(runs, size)), type, "full");
}

/** A view in two parts: the elements of an axis from `cut` on, and those before. */
function cutAt({ shape, strides, offset }: View, axis: number, cut: number): View[] {
  const along = (length: number): Shape => shape.map((dim, i) => (i === axis ? length : dim));
  const behind = { shape: along(shape[axis]! - cut), strides, offset: offset + cut * strides[axis]! };
  return [behind, { shape: along(cut), strides, offset }];
}
