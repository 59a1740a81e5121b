/**
 * Scattering to the extremes of windows.
 */
import type { Windows } from "../../../backend";
import { compareInt64 } from "../../../core/int64";
import { sizeOf, type Shape } from "../../../core/shape";
import { isComplex, isUnsigned, is64Bit } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import { loadC128, loadF64, storeC128, storeF64 } from "../../arrays/convert";
import { fillWith } from "../../arrays/copy";
import { dropCopy, elementsAs } from "../../arrays/operands";
import type { ArrayPrimitive } from "../../arrays/primitives";
import { allocate, elementsOf } from "../../arrays/storage";
import { C128_ROWS, F64_ROWS, wideRows, type Row } from "../rows";
import { PADDING, visitWindows } from "./visit";

/** Whether the element at one position takes the place of the extreme at another: it does when equal, and a NaN always does. */
type Beats = (position: number, best: number) => boolean;

function orderOf(op: "max" | "min", x: Tensor): Beats {
  const elements = elementsOf(x);
  if (is64Bit(x.type)) {
    const data = elements as Int32Array;
    const signed = !isUnsigned(x.type);
    const sign = op === "max" ? 1 : -1;
    return (position, best) => sign * compareInt64(data, 2 * position, data, 2 * best, signed) >= 0;
  }
  const numbers = allocate("f64", sizeOf(x.shape));
  loadF64(x.type, elements, 0, numbers, numbers.length);
  const isNan = (position: number) => numbers[position]! !== numbers[position]!;
  return op === "max"
    ? (position, best) => numbers[position]! >= numbers[best]! || isNan(position)
    : (position, best) => numbers[position]! <= numbers[best]! || isNan(position);
}

/** For each window the position that its element of the source is added to, or -1 where all of it lies in the padding. */
function extremePositions(op: "max" | "min", x: Tensor, results: Shape, windows: Windows): Int32Array {
  const beats = orderOf(op, x);
  const found = allocate("s32", sizeOf(results));
  visitWindows(x.shape, results, windows, (at, positions) => {
    let best = PADDING;
    for (const position of positions) {
      if (position !== PADDING && (best === PADDING || beats(position, best))) best = position;
    }
    found[at] = best;
  });
  return found;
}

/** Adds elements of a source at positions. */
function scatter<A extends Float64Array | Int32Array>(out: A, source: A, positions: Int32Array, row: Row<A>): A {
  positions.forEach((position, i) => {
    if (position !== PADDING) row(out, position, source, i, 1, 1);
  });
  return out;
}

/** Each element of the source goes to where its window has its last extreme. */
export const windowScatter: ArrayPrimitive<"windowScatter"> =
  (memory) =>
  (out, [x, source, initial], { op, ...windows }) => {
    const { type } = out;
    const positions = extremePositions(op, x!, source!.shape, windows);
    const result = memory.zeroed(type, out.shape);
    fillWith(type, result, elementsAs(type, initial!));
    const added = elementsAs(type, source!);
    if (is64Bit(type)) {
      scatter(result as Int32Array, added as Int32Array, positions, wideRows("sum", true));
      dropCopy(memory, source!, added);
      return memory.hold(result);
    }
    const [total, count] = [sizeOf(out.shape), sizeOf(source!.shape)];
    if (isComplex(type)) {
      const [sums, given] = [allocate("c128", total), allocate("c128", count)];
      loadC128(type, result, 0, sums, total);
      loadC128(type, added, 0, given, count);
      storeC128(type, result, 0, scatter(sums, given, positions, C128_ROWS.sum), total);
    } else {
      const [sums, given] = [allocate("f64", total), allocate("f64", count)];
      loadF64(type, result, 0, sums, total);
      loadF64(type, added, 0, given, count);
      storeF64(type, result, 0, scatter(sums, given, positions, F64_ROWS.sum), total);
    }
    dropCopy(memory, source!, added);
    return memory.hold(result);
  };
