/**
 * Conversion between element types: floats to integers truncate and saturate (or wrap), integers wrap, everything else
 * rounds once.
 */
import { writeInt64FromNumber, writeInt64Saturating } from "../../core/int64";
import { sizeOf } from "../../core/shape";
import {
  finiteLimits,
  isComplex,
  isInteger,
  isUnsigned,
  is64Bit,
  type DType,
  type IntegerType,
} from "../../core/types";
import { BLOCK } from "../arrays/blocks";
import {
  isRounded,
  loadC128,
  loadF64,
  loadI32,
  loadI64,
  loadToRound,
  storeC128,
  storeF64,
  storeI32,
  storeI64,
} from "../arrays/convert";
import type { ArrayPrimitive } from "../arrays/primitives";
import { allocate, elementsOf, type Elements } from "../arrays/storage";

/** Converts `n` elements from `src` to `dst`, both from position `at` on. */
type CastBlock = (src: Elements, dst: Elements, at: number, n: number) => void;

const numbers = new Float64Array(BLOCK);
const words = new Int32Array(BLOCK);
const pairs = new Int32Array(2 * BLOCK);
const complexes = new Float64Array(2 * BLOCK);

export const asType: ArrayPrimitive<"asType"> =
  (memory) =>
  (out, [x], { overflow }) =>
    memory.hold(castElements(x!.type, out.type, elementsOf(x!), sizeOf(out.shape), overflow));

function castElements(from: DType, to: DType, src: Elements, size: number, overflow: "saturate" | "wrap"): Elements {
  if (from === to) return src;
  const dst = allocate(to, size);
  const cast = castBlock(from, to, overflow);
  for (let at = 0; at < size; at += BLOCK) cast(src, dst, at, Math.min(BLOCK, size - at));
  return dst;
}

function castBlock(from: DType, to: DType, overflow: "saturate" | "wrap"): CastBlock {
  if (isComplex(from) && isComplex(to)) return through(from, to, complexes, loadC128, storeC128);
  if (isInteger(from) && isInteger(to)) {
    return is64Bit(from) || is64Bit(to)
      ? through(from, to, pairs, loadI64, storeI64)
      : through(from, to, words, loadI32, storeI32);
  }
  if (isInteger(to)) return floatsToInteger(from, to, overflow);
  return through(from, to, numbers, isRounded(to) ? loadToRound : loadF64, storeF64);
}

function through<A extends Float64Array | Int32Array>(
  from: DType,
  to: DType,
  scratch: A,
  load: (type: DType, src: Elements, at: number, dst: A, n: number) => void,
  store: (type: DType, dst: Elements, at: number, src: A, n: number) => void,
): CastBlock {
  return (src, dst, at, n) => {
    load(from, src, at, scratch, n);
    store(to, dst, at, scratch, n);
  };
}

function floatsToInteger(from: DType, to: IntegerType, overflow: "saturate" | "wrap"): CastBlock {
  const signed = !isUnsigned(to);
  if (is64Bit(to)) {
    return (src, dst, at, n) => {
      loadF64(from, src, at, numbers, n);
      for (let i = 0; i < n; i++) {
        const value = numbers[i]!;
        if (overflow === "wrap" && Number.isFinite(value)) writeInt64FromNumber(dst as Int32Array, 2 * (at + i), value);
        else writeInt64Saturating(dst as Int32Array, 2 * (at + i), value, signed);
      }
    };
  }
  const { min, max } = finiteLimits(to) as { min: number; max: number };
  return (src, dst, at, n) => {
    loadF64(from, src, at, numbers, n);
    for (let i = 0; i < n; i++) {
      const value = numbers[i]!;
      if (overflow === "wrap" && Number.isFinite(value)) continue;
      numbers[i] = value >= max ? max : value <= min ? min : value === value ? value : 0;
    }
    storeF64(to, dst, at, numbers, n);
  };
}
