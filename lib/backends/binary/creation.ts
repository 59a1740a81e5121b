/**
 * Primitives that make elements from nothing.
 */
import { Complex } from "../../core/complex";
import { writeInt64FromBigInt, writeInt64FromNumber } from "../../core/int64";
import { sizeOf } from "../../core/shape";
import { is64Bit, type DType, type Scalar } from "../../core/types";
import { BLOCK } from "../arrays/blocks";
import { storeC128, storeF64 } from "../arrays/convert";
import { repeatFirst } from "../arrays/copy";
import type { ArrayPrimitive, ArrayPrimitives } from "../arrays/primitives";
import { widthOf, type Elements } from "../arrays/storage";

const numbers = new Float64Array(BLOCK);
const oneComplex = new Float64Array(2);

const constant: ArrayPrimitive<"constant"> =
  (memory) =>
  (out, _inputs, { value }) => {
    const result = memory.unset(out.type, out.shape);
    writeScalar(out.type, result, value);
    repeatFirst(result, widthOf(out.type));
    return memory.hold(result);
  };

/** Writes one value as the first element; integers wrap. */
function writeScalar(type: DType, dst: Elements, value: Scalar): void {
  if (value instanceof Complex) {
    oneComplex.set([value.re, value.im]);
    storeC128(type, dst, 0, oneComplex, 1);
  } else if (is64Bit(type)) {
    if (typeof value === "bigint") writeInt64FromBigInt(dst as Int32Array, 0, value);
    else writeInt64FromNumber(dst as Int32Array, 0, Number(value));
  } else if (typeof value === "bigint" && widthOf(type) === 1 && !type.includes("f")) {
    dst[0] = Number(BigInt.asIntN(32, value));
  } else {
    numbers[0] = Number(value);
    storeF64(type, dst, 0, numbers, 1);
  }
}

const iota: ArrayPrimitive<"iota"> =
  (memory) =>
  (out, _inputs, { axis }) => {
    const result = memory.unset(out.type, out.shape);
    const inner = axis === null ? 1 : sizeOf(out.shape.slice(axis + 1));
    const period = axis === null ? sizeOf(out.shape) : out.shape[axis]! * inner;
    for (let start = 0; start < period; start += BLOCK) {
      const n = Math.min(BLOCK, period - start);
      for (let i = 0; i < n; i++) numbers[i] = inner === 1 ? start + i : Math.floor((start + i) / inner);
      storeF64(out.type, result, start, numbers, n);
    }
    repeatFirst(result, period * widthOf(out.type));
    return memory.hold(result);
  };

const eye: ArrayPrimitive<"eye"> = (memory) => (out) => {
  const result = memory.zeroed(out.type, out.shape);
  const [rows, columns] = out.shape.slice(-2) as [number, number];
  const matrix = rows * columns;
  numbers[0] = 1;
  for (let base = 0; base < sizeOf(out.shape); base += matrix) {
    for (let i = 0; i < Math.min(rows, columns); i++) storeF64(out.type, result, base + i * (columns + 1), numbers, 1);
  }
  return memory.hold(result);
};

/** The creation primitives. */
export const creation = { constant, iota, eye } satisfies Partial<ArrayPrimitives>;
