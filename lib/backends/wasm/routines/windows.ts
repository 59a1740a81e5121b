/**
 * Routines of reductions over windows: the kernels of vector code, which read the same elements from as many places as a window has.
 */
import { rowMajorStrides, sizeOf } from "../../../core/shape";
import { bytesOf, type ComplexType, type DType } from "../../../core/types";
import { toBytes } from "../../arrays/storage";
import { neutralElement, windowsAlong } from "../../binary/windows";
import { advance, call, type Code, type Int } from "../asm";
import { tableAddress } from "../codegen";
import { kernelFunction } from "../codegen/function";
import { windowRowsFunction, windowsPlan, type WindowRows } from "../elements/windows";
import { at, boxOf, constantOf, copyBox, pointerTo, times } from "./boxes";
import type { Make } from "./make";
import { converted, padding } from "./movement";
import { Rooms, routine } from "./routine";

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
  const rows = byRow && windowRowsFunction(byRow);
  const around = isPadded ? rooms.take({ type, shape: padded }) : null;
  const steps = (rows ? passes.slice(0, -1) : passes).map(({ keyed, offsets, count }, i) => {
    const room = isWhole && i === passes.length - 1 ? null : rooms.take({ type, shape: [sizeOf(padded)] });
    return { code: kernelFunction(keyed.kernel, tableAddress), offsets, count, room };
  });
  return routine({ rooms }, (places) => {
    let from = places.inputs[0]!;
    const target = places.outputs[0]!;
    if (around) {
      const to = around(places);
      fillAround(from, () => constantOf(neutral), to);
      from = to;
    }
    for (const { code, offsets, count, room } of steps) {
      const to = room?.(places) ?? target;
      const lying = offsets.map((offset): Int => pointerTo(from, offset * bytes));
      call(code, [count, ...lying, to]);
      from = to;
    }
    if (rows) callRows(rows, byRow, bytes, from, target);
    else if (!isWhole) copyBox(box, at(from), at(target));
  });
};

/** Planes one after the other: each is a call. */
function callRows(code: Code, { offsets, columns, walk }: WindowRows, bytes: number, from: Int, target: Int): void {
  const to = pointerTo(target);
  const [rows, row] = [walk.shape.at(-1)!, walk.strides.at(-1)! * bytes];
  const along = (axis: number, at: Int): void => {
    if (axis === walk.shape.length - 1) {
      const places = offsets.map((offset): Int => pointerTo(at, offset * bytes));
      call(code, [1, rows, columns, 0, row, columns * bytes, to, ...places]);
      return advance(to, rows * columns * bytes);
    }
    const pointer = pointerTo(at);
    times(walk.shape[axis]!, () => {
      along(axis + 1, pointer);
      advance(pointer, walk.strides[axis]! * bytes);
    });
  };
  along(0, from);
}

/** The routines of primitives over windows. */
export const windows = { windowOp };
