/**
 * Routines of reductions over windows: the kernels of vector code, which read the same elements from as many places as a window has.
 */
import { rowMajorStrides, sizeOf } from "../../../core/shape";
import { bytesOf, type ComplexType, type DType } from "../../../core/types";
import { toBytes } from "../../arrays/storage";
import { neutralElement, windowsAlong } from "../../binary/windows";
import { call, type Int } from "../asm";
import { tableAddress } from "../codegen";
import { kernelFunction } from "../codegen/function";
import { windowsPlan } from "../windows";
import { boxOf, constantOf, copyBox, pointerTo } from "./boxes";
import type { Make } from "./make";
import { converted, padding } from "./movement";
import { Rooms } from "./operands";
import { routine } from "./routine";

/** None where the vector code has no kernels: for complex numbers, for many places, and for sums that go by blocks. */
const windowOp: Make<"windowOp"> = ([out], [x], attrs) => {
  const { type, shape } = out!;
  if (windowsAlong(x!.shape, shape, attrs).every((along) => along === null)) return converted(out!, x!);
  const plan = windowsPlan(out!, x!, attrs, 0);
  if (!plan) return null;
  const { passes, padded, isWhole } = plan;
  const bytes = bytesOf(type);
  const config = attrs.padding.map(([low, high]) => [low, high, 0] as const);
  const isPadded = attrs.padding.some(([low, high]) => low !== 0 || high !== 0);
  const neutral = toBytes(neutralElement(attrs.op, type as Exclude<DType, ComplexType>), type, 1);
  const fillAround = padding(x!.shape, padded, config, bytes);
  const strides = rowMajorStrides(padded).map((stride, axis) => stride * attrs.strides[axis]!);
  const box = boxOf(shape, strides, rowMajorStrides(shape), bytes);
  const rooms = new Rooms();
  const around = isPadded ? rooms.take({ type, shape: padded }) : null;
  const steps = passes.map(({ keyed, offsets, count }, i) => {
    const room = isWhole && i === passes.length - 1 ? null : rooms.take({ type, shape: [sizeOf(padded)] });
    return { code: kernelFunction(keyed.kernel, tableAddress), offsets, count, room };
  });
  return routine(
    1,
    1,
    (places) => {
      let from = places.inputs[0]!;
      const target = places.outputs[0]!;
      if (around) {
        const to = around(places);
        fillAround(from, () => constantOf(neutral), to);
        from = to;
      }
      for (const { code, offsets, count, room } of steps) {
        const to = room?.(places) ?? target;
        const lying = offsets.map((offset): Int => pointerTo({ base: from, offset: offset * bytes }));
        call(code, [count, ...lying, to]);
        from = to;
      }
      if (!isWhole) copyBox(box, { base: from, offset: 0 }, { base: target, offset: 0 });
    },
    { scratchBytes: rooms.bytes },
  );
};

/** The routines of primitives over windows. */
export const windows = { windowOp };
