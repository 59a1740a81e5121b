/**
 * Routines of reductions over windows: the kernels of vector code, which read the same elements from as many places as a window has.
 */
import { rowMajorStrides, sizeOf } from "../../../core/shape";
import { bytesOf, type ComplexType, type DType } from "../../../core/types";
import type { Access } from "../../../kernel/operand";
import { toBytes } from "../../arrays/storage";
import { neutralElement, windowsAlong } from "../../binary/windows";
import { advance, call, type Code, type Int } from "../asm";
import type { RowStep } from "../codegen/access";
import { kernelFunction } from "../codegen/function";
import { windowsPlan } from "../elements/windows";
import { at, boxOf, constantOf, copyBox, pointerTo, times } from "./boxes";
import { converted, padding } from "./movement";
import { Rooms, routine, type Make } from "./routine";

/** None where the vector code has no kernels: for complex numbers, for many places, and for sums that go by blocks. */
const windowOp: Make<"windowOp"> = ([out], [x], attrs) => {
  const { type, shape } = out!;
  if (windowsAlong(x!.shape, shape, attrs).every((along) => along === null)) return converted(out!, x!);
  const plan = windowsPlan(out!, x!, attrs, 0);
  if (!plan) return null;
  const { passes, padded, isWhole, byRow } = plan;
  const bytes = bytesOf(type);
  const config = attrs.padding.map(([low, high]) => [low, high, 0] as const);
  const isPadded = attrs.padding.some(([low, high]) => low !== 0 || high !== 0);
  const neutral = toBytes(neutralElement(attrs.op, type as Exclude<DType, ComplexType>), type, 1);
  const fillAround = padding(x!.shape, padded, config, bytes);
  const strides = rowMajorStrides(padded).map((stride, axis) => stride * attrs.strides[axis]!);
  const box = boxOf(shape, strides, rowMajorStrides(shape), bytes);
  const rooms = new Rooms();
  const steps = byRow?.map(({ walk }) => walk.strides.at(-1) as RowStep);
  const rows = steps && kernelFunction(passes.at(-1)!.keyed.kernel, { steps });
  const around = isPadded ? rooms.take({ type, shape: padded }) : null;
  const further = (rows ? passes.slice(0, -1) : passes).map(({ keyed, offsets, count }, i) => {
    const room = isWhole && i === passes.length - 1 ? null : rooms.take({ type, shape: [sizeOf(padded)] });
    return { code: kernelFunction(keyed.kernel), offsets, count, room };
  });
  return routine({ rooms }, (places) => {
    let from = places.inputs[0]!;
    const target = places.outputs[0]!;
    if (around) {
      const to = around(places);
      fillAround(from, () => constantOf(neutral), to);
      from = to;
    }
    for (const { code, offsets, count, room } of further) {
      const to = room?.(places) ?? target;
      const lying = offsets.map((offset): Int => pointerTo(from, offset * bytes));
      call(code, [count, ...lying, to]);
      from = to;
    }
    if (rows) callRows(rows, byRow!, bytes, from, target);
    else if (!isWhole) copyBox(box, at(from), at(target));
  });
};

/** Rows one after the other: each is a call, whose operands read from so many elements behind its first one. */
function callRows(code: Code, accesses: readonly Access[], bytes: number, from: Int, target: Int): void {
  const to = pointerTo(target);
  const { shape, strides } = accesses[0]!.walk;
  const columns = shape.at(-1)!;
  const along = (axis: number, at: Int): void => {
    if (axis === shape.length - 1) {
      call(code, [columns, ...accesses.map(({ offset }): Int => pointerTo(at, offset * bytes)), to]);
      return advance(to, columns * bytes);
    }
    const pointer = pointerTo(at);
    times(shape[axis]!, () => {
      along(axis + 1, pointer);
      advance(pointer, strides[axis]! * bytes);
    });
  };
  along(0, from);
}

/** The routines of primitives over windows. */
export const windows = { windowOp };
