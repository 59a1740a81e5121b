/**
 * Primitives that make elements from nothing.
 */
import { Complex } from "../../core/complex";
import { writeInt64FromBigInt, writeInt64FromNumber } from "../../core/int64";
import { sizeOf } from "../../core/shape";
import { is64Bit, type DType, type Scalar } from "../../core/types";
import { BLOCK } from "../arrays/blocks";
import { storeC128, storeF64 } from "../arrays/convert";
import { gatherLattice } from "../arrays/copy";
import { repeatFirst } from "../arrays/fill";
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

export const iota: ArrayPrimitive<"iota"> =
  (memory) =>
  (out, _inputs, { axis }) => {
    const { type, shape } = out;
    const size = sizeOf(shape);
    const count = axis === null ? size : shape[axis]!;
    const line = memory.unset(type, [count]);
    if (is64Bit(type)) countPairs(line);
    else if (type === "f32" || type === "f64" || type === "s32") countUp(line);
    else countAny(type, line);
    const steps = shape.map((_, i) => (i === axis ? 1 : 0));
    return memory.hold(count === size ? line : gatherLattice(memory, type, shape, line, { offset: 0, steps }));
  };

// The numbers from 0 on. A loop for few kinds of arrays stays plain.

function countUp(dst: Elements): void {
  const n = dst.length;
  for (let i = 0; i < n; i++) dst[i] = i;
}

function countPairs(dst: Elements): void {
  const n = dst.length / 2;
  for (let i = 0; i < n; i++) {
    dst[2 * i] = i;
    dst[2 * i + 1] = 0;
  }
}

function countAny(type: DType, dst: Elements): void {
  const count = dst.length / widthOf(type);
  for (let start = 0; start < count; start += BLOCK) {
    const n = Math.min(BLOCK, count - start);
    for (let i = 0; i < n; i++) numbers[i] = start + i;
    storeF64(type, dst, start, numbers, n);
  }
}

export const eye: ArrayPrimitive<"eye"> = (memory) => (out) => {
  const result = memory.zeroed(out.type, out.shape);
  const [rows, columns] = out.shape.slice(-2) as [number, number];
  const matrix = rows * columns;
  numbers[0] = 1;
  for (let base = 0; base < sizeOf(out.shape); base += matrix) {
    for (let i = 0; i < Math.min(rows, columns); i++) storeF64(out.type, result, base + i * (columns + 1), numbers, 1);
  }
  return memory.hold(result);
};

/** The creation primitive that every program has. */
export const creation = { constant } satisfies Partial<ArrayPrimitives>;
