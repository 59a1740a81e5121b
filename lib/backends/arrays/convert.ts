/**
 * Between stored elements and lanes: blocks of any type are read into the array a lane computes in, and written back
 * with one rounding. Positions and counts are in elements; wide elements (pairs) take two array entries each.
 */
import { bf16FromNumber, bf16ToNumber, f16FromNumber, f16ToNumber } from "../../core/half";
import { int64ToNumber, int64ToRoundOdd, writeInt64FromNumber } from "../../core/int64";
import { isUnsigned, is64Bit, type DType } from "../../core/types";
import type { Elements } from "./storage";

/**
 * From this many elements on, the engine's own conversion between typed arrays is faster than a loop. Loops over fewer see at most
 * four array types each: with a fifth one engines give up on a loop, which then takes 30 ns an element in place of 3.
 */
const NATIVE_FROM = 64;

/** Reads real elements as numbers; of complex ones the real part; 64-bit integers to nearest even. */
export function loadF64(type: DType, src: Elements, at: number, dst: Float64Array, n: number): void {
  switch (type) {
    case "f16":
      for (let i = 0; i < n; i++) dst[i] = f16ToNumber(src[at + i]!);
      return;
    case "bf16":
      for (let i = 0; i < n; i++) dst[i] = bf16ToNumber(src[at + i]!);
      return;
    case "s64":
    case "u64":
      return loadWide(src as Int32Array, at, dst, n, type === "s64");
    case "c64":
    case "c128":
      for (let i = 0; i < n; i++) dst[i] = src[2 * (at + i)]!;
      return;
    case "f32":
      if (n < NATIVE_FROM) return loadF32(src as Float32Array, at, dst, n);
      break;
    case "f64":
      if (n < NATIVE_FROM) return loadDoubles(src as Float64Array, at, dst, n);
      break;
    case "s32":
      if (n < NATIVE_FROM) return loadWords(src as Int32Array, at, dst, n);
      break;
    case "u8":
      if (n < NATIVE_FROM) return loadBytes(src as Uint8Array, at, dst, n);
      break;
    default:
      if (n < NATIVE_FROM) return loadOthers(src, at, dst, n);
  }
  dst.set(src.subarray(at, at + n));
}

function loadOthers(src: Elements, at: number, dst: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[i] = src[at + i]!;
}

function loadF32(src: Float32Array, at: number, dst: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[i] = src[at + i]!;
}

function loadDoubles(src: Float64Array, at: number, dst: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[i] = src[at + i]!;
}

function loadWords(src: Int32Array, at: number, dst: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[i] = src[at + i]!;
}

function loadBytes(src: Uint8Array, at: number, dst: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[i] = src[at + i]!;
}

function loadWide(src: Int32Array, at: number, dst: Float64Array, n: number, signed: boolean): void {
  for (let i = 0; i < n; i++) dst[i] = int64ToNumber(src, 2 * (at + i), signed);
}

/** Whether numbers are rounded when they are stored as a type of floats. */
export const isRounded = (to: DType): boolean => to !== "f64" && to !== "c128";

/**
 * Reads real elements as numbers that are rounded again, to f32, f16 or bf16: 64-bit integers beyond 2^53 are rounded to odd, which
 * that rounding does not notice.
 */
export function loadToRound(type: DType, src: Elements, at: number, dst: Float64Array, n: number): void {
  if (!is64Bit(type)) return loadF64(type, src, at, dst, n);
  const signed = !isUnsigned(type);
  for (let i = 0; i < n; i++) dst[i] = int64ToRoundOdd(src as Int32Array, 2 * (at + i), signed);
}

/** Writes numbers: floats rounded once to nearest even, integers truncated and wrapped, complex with imaginary part 0. */
export function storeF64(type: DType, dst: Elements, at: number, src: Float64Array, n: number): void {
  switch (type) {
    case "f16":
      for (let i = 0; i < n; i++) dst[at + i] = f16FromNumber(src[i]!);
      return;
    case "bf16":
      for (let i = 0; i < n; i++) dst[at + i] = bf16FromNumber(src[i]!);
      return;
    case "s64":
    case "u64":
      for (let i = 0; i < n; i++) writeInt64FromNumber(dst as Int32Array, 2 * (at + i), src[i]!);
      return;
    case "c64":
    case "c128":
      for (let i = 0; i < n; i++) {
        dst[2 * (at + i)] = src[i]!;
        dst[2 * (at + i) + 1] = 0;
      }
      return;
    case "f32":
      if (n < NATIVE_FROM) return storeF32(dst as Float32Array, at, src, n);
      break;
    case "f64":
      if (n < NATIVE_FROM) return storeDoubles(dst as Float64Array, at, src, n);
      break;
    case "s32":
      if (n < NATIVE_FROM) return storeWords(dst as Int32Array, at, src, n);
      break;
    case "u8":
      if (n < NATIVE_FROM) return storeBytes(dst as Uint8Array, at, src, n);
      break;
    default:
      if (n < NATIVE_FROM) return storeOthers(dst, at, src, n);
  }
  dst.set(n === src.length ? src : src.subarray(0, n), at);
}

function storeOthers(dst: Elements, at: number, src: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[at + i] = src[i]!;
}

function storeF32(dst: Float32Array, at: number, src: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[at + i] = src[i]!;
}

function storeDoubles(dst: Float64Array, at: number, src: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[at + i] = src[i]!;
}

function storeWords(dst: Int32Array, at: number, src: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[at + i] = src[i]!;
}

function storeBytes(dst: Uint8Array, at: number, src: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) dst[at + i] = src[i]!;
}

/** Reads integers of at most 32 bits; of `u32` the bits. */
export function loadI32(type: DType, src: Elements, at: number, dst: Int32Array, n: number): void {
  if (n >= NATIVE_FROM) dst.set(src.subarray(at, at + n));
  else if (type === "s32") copyWords(src as Int32Array, at, dst, 0, n);
  else if (type === "u8") for (let i = 0; i < n; i++) dst[i] = (src as Uint8Array)[at + i]!;
  else for (let i = 0; i < n; i++) dst[i] = src[at + i]!;
}

/** Writes the low bits of integers. */
export function storeI32(type: DType, dst: Elements, at: number, src: Int32Array, n: number): void {
  if (n >= NATIVE_FROM) dst.set(n === src.length ? src : src.subarray(0, n), at);
  else if (type === "s32") copyWords(src, 0, dst as Int32Array, at, n);
  else if (type === "u8") for (let i = 0; i < n; i++) (dst as Uint8Array)[at + i] = src[i]!;
  else for (let i = 0; i < n; i++) dst[at + i] = src[i]!;
}

function copyWords(src: Int32Array, from: number, dst: Int32Array, at: number, n: number): void {
  for (let i = 0; i < n; i++) dst[at + i] = src[from + i]!;
}

const words = new Int32Array(1024);

/** Reads any integers as pairs of halves, extended by sign or zero. */
export function loadI64(type: DType, src: Elements, at: number, dst: Int32Array, n: number): void {
  if (type === "s64" || type === "u64") return dst.set(src.subarray(2 * at, 2 * (at + n)));
  const unsigned = isUnsigned(type);
  for (let from = 0; from < n; from += words.length) {
    const count = Math.min(words.length, n - from);
    loadI32(type, src, at + from, words, count);
    for (let i = 0; i < count; i++) {
      dst[2 * (from + i)] = words[i]!;
      dst[2 * (from + i) + 1] = unsigned ? 0 : words[i]! >> 31;
    }
  }
}

/** Writes pairs of halves as integers of any width: the low bits. */
export function storeI64(type: DType, dst: Elements, at: number, src: Int32Array, n: number): void {
  if (type === "s64" || type === "u64") return dst.set(src.length === 2 * n ? src : src.subarray(0, 2 * n), 2 * at);
  for (let from = 0; from < n; from += words.length) {
    const count = Math.min(words.length, n - from);
    for (let i = 0; i < count; i++) words[i] = src[2 * (from + i)]!;
    storeI32(type, dst, at + from, words, count);
  }
}

const realParts = new Float64Array(1024);

/** Reads any elements as interleaved complex numbers; reals, which `loadReal` reads, get imaginary part 0. */
export function loadC128(
  type: DType,
  src: Elements,
  at: number,
  dst: Float64Array,
  n: number,
  loadReal = loadF64,
): void {
  if (type === "c64" || type === "c128") {
    for (let i = 0; i < 2 * n; i++) dst[i] = src[2 * at + i]!;
    return;
  }
  for (let from = 0; from < n; from += realParts.length) {
    const count = Math.min(realParts.length, n - from);
    loadReal(type, src, at + from, realParts, count);
    for (let i = 0; i < count; i++) {
      dst[2 * (from + i)] = realParts[i]!;
      dst[2 * (from + i) + 1] = 0;
    }
  }
}

/** Writes interleaved complex numbers; into a real type the real parts. */
export function storeC128(type: DType, dst: Elements, at: number, src: Float64Array, n: number): void {
  if (type === "c64" || type === "c128") {
    for (let i = 0; i < 2 * n; i++) dst[2 * at + i] = src[i]!;
    return;
  }
  for (let from = 0; from < n; from += realParts.length) {
    const count = Math.min(realParts.length, n - from);
    for (let i = 0; i < count; i++) realParts[i] = src[2 * (from + i)]!;
    storeF64(type, dst, at + from, realParts, count);
  }
}
