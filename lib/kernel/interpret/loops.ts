/**
 * One loop per op of the kernel language over a block of elements. A register is 8 bytes per element seen as floats, doubles
 * or integers; i64 and m64 are pairs of halves, low first.
 */
import type { BinaryCode, CompareCode, ConvertCode, ShiftCode, UnaryCode } from "../value";

/** Storage of one value for a block of elements: the same bytes, three ways. */
export interface Register {
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i32: Int32Array;
}

type Floats = Float32Array | Float64Array;
type FloatLoop = (out: Floats, a: Floats, b: Floats, n: number) => void;
type IntLoop = (out: Int32Array, a: Int32Array, b: Int32Array, n: number) => void;
type FloatCompare = (out: Int32Array, a: Floats, b: Floats, n: number) => void;
type ShiftLoop = (out: Int32Array, a: Int32Array, count: number, n: number) => void;
type ConvertLoop = (out: Register, a: Register, n: number) => void;

type FloatUnary = Exclude<UnaryCode, "not">;
type FloatBinary = Exclude<BinaryCode, "and" | "or" | "xor" | "andnot" | "minU" | "maxU">;
type IntBinary = Exclude<BinaryCode, "div" | "pmin" | "pmax">;

/** The even one of two neighbours in case of a tie. Adding and subtracting 2^52 rounds to an integer. */
function nearest(x: number): number {
  const magnitude = Math.abs(x);
  if (!(magnitude < 4503599627370496)) return x;
  const rounded = magnitude + 4503599627370496 - 4503599627370496;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}

export const FLOAT_UNARY: { readonly [K in FloatUnary]: FloatLoop } = {
  neg(out, a, _b, n) {
    for (let i = 0; i < n; i++) out[i] = -a[i]!;
  },
  abs(out, a, _b, n) {
    for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]!);
  },
  sqrt(out, a, _b, n) {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i]!);
  },
  floor(out, a, _b, n) {
    for (let i = 0; i < n; i++) out[i] = Math.floor(a[i]!);
  },
  ceil(out, a, _b, n) {
    for (let i = 0; i < n; i++) out[i] = Math.ceil(a[i]!);
  },
  trunc(out, a, _b, n) {
    for (let i = 0; i < n; i++) out[i] = Math.trunc(a[i]!);
  },
  nearest(out, a, _b, n) {
    for (let i = 0; i < n; i++) out[i] = nearest(a[i]!);
  },
};

export const FLOAT_BINARY: { readonly [K in FloatBinary]: FloatLoop } = {
  add(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! + b[i]!;
  },
  sub(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!;
  },
  mul(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! * b[i]!;
  },
  div(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! / b[i]!;
  },
  min(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = Math.min(a[i]!, b[i]!);
  },
  max(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = Math.max(a[i]!, b[i]!);
  },
  pmin(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = b[i]! < a[i]! ? b[i]! : a[i]!;
  },
  pmax(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? b[i]! : a[i]!;
  },
};

/** Comparisons of f32 give one word per element. */
export const F32_COMPARE: { readonly [K in Exclude<CompareCode, "ltU" | "leU">]: FloatCompare } = {
  eq(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? -1 : 0;
  },
  ne(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== b[i] ? -1 : 0;
  },
  lt(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? -1 : 0;
  },
  le(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! <= b[i]! ? -1 : 0;
  },
};

/** Comparisons of f64 give two words per element. */
export const F64_COMPARE: typeof F32_COMPARE = {
  eq(out, a, b, n) {
    for (let i = 0; i < n; i++) out[2 * i] = out[2 * i + 1] = a[i] === b[i] ? -1 : 0;
  },
  ne(out, a, b, n) {
    for (let i = 0; i < n; i++) out[2 * i] = out[2 * i + 1] = a[i] !== b[i] ? -1 : 0;
  },
  lt(out, a, b, n) {
    for (let i = 0; i < n; i++) out[2 * i] = out[2 * i + 1] = a[i]! < b[i]! ? -1 : 0;
  },
  le(out, a, b, n) {
    for (let i = 0; i < n; i++) out[2 * i] = out[2 * i + 1] = a[i]! <= b[i]! ? -1 : 0;
  },
};

export const I32_BINARY: { readonly [K in IntBinary]: IntLoop } = {
  add(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = (a[i]! + b[i]!) | 0;
  },
  sub(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = (a[i]! - b[i]!) | 0;
  },
  mul(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = Math.imul(a[i]!, b[i]!);
  },
  min(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? a[i]! : b[i]!;
  },
  max(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? b[i]! : a[i]!;
  },
  minU(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! >>> 0 < b[i]! >>> 0 ? a[i]! : b[i]!;
  },
  maxU(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! >>> 0 < b[i]! >>> 0 ? b[i]! : a[i]!;
  },
  and(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! & b[i]!;
  },
  or(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! | b[i]!;
  },
  xor(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! ^ b[i]!;
  },
  andnot(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! & ~b[i]!;
  },
};

export const I32_COMPARE: { readonly [K in CompareCode]: IntLoop } = {
  eq(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? -1 : 0;
  },
  ne(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== b[i] ? -1 : 0;
  },
  lt(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? -1 : 0;
  },
  le(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! <= b[i]! ? -1 : 0;
  },
  ltU(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! >>> 0 < b[i]! >>> 0 ? -1 : 0;
  },
  leU(out, a, b, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! >>> 0 <= b[i]! >>> 0 ? -1 : 0;
  },
};

/** Three-way comparison of 64-bit integers in halves. */
function order(aLow: number, aHigh: number, bLow: number, bHigh: number, signed: boolean): number {
  const high = signed ? aHigh - bHigh : (aHigh >>> 0) - (bHigh >>> 0);
  return high !== 0 ? high : (aLow >>> 0) - (bLow >>> 0);
}

function compare64(signed: boolean, holds: (order: number) => boolean): IntLoop {
  return (out, a, b, n) => {
    for (let i = 0; i < 2 * n; i += 2) {
      out[i] = out[i + 1] = holds(order(a[i]!, a[i + 1]!, b[i]!, b[i + 1]!, signed)) ? -1 : 0;
    }
  };
}

const isBelow = (sign: number): boolean => sign < 0;
const isAbove = (sign: number): boolean => sign > 0;
const isAtMost = (sign: number): boolean => sign <= 0;

export const I64_COMPARE: { readonly [K in CompareCode]: IntLoop } = {
  eq: compare64(true, (sign) => sign === 0),
  ne: compare64(true, (sign) => sign !== 0),
  lt: compare64(true, isBelow),
  le: compare64(true, isAtMost),
  ltU: compare64(false, isBelow),
  leU: compare64(false, isAtMost),
};

/** Of each pair of 64-bit integers the one that comes first in an order, or last. */
function extreme64(signed: boolean, isChosen: (order: number) => boolean): IntLoop {
  return (out, a, b, n) => {
    for (let i = 0; i < 2 * n; i += 2) {
      const from = isChosen(order(a[i]!, a[i + 1]!, b[i]!, b[i + 1]!, signed)) ? a : b;
      out[i] = from[i]!;
      out[i + 1] = from[i + 1]!;
    }
  };
}

/** The high half of the product of two unsigned 32-bit numbers. */
function highProduct(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const cross = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + (middle >>> 16) + (cross >>> 16)) | 0;
}

/** Arithmetic modulo 2^64; the loops on bits are those of 32 bits over twice as many words. */
export const I64_BINARY: { readonly [K in Exclude<IntBinary, "and" | "or" | "xor" | "andnot">]: IntLoop } = {
  min: extreme64(true, isBelow),
  max: extreme64(true, isAbove),
  minU: extreme64(false, isBelow),
  maxU: extreme64(false, isAbove),
  add(out, a, b, n) {
    for (let i = 0; i < 2 * n; i += 2) {
      const low = (a[i]! >>> 0) + (b[i]! >>> 0);
      const high = a[i + 1]! + b[i + 1]! + (low >= 4294967296 ? 1 : 0);
      out[i] = low | 0;
      out[i + 1] = high | 0;
    }
  },
  sub(out, a, b, n) {
    for (let i = 0; i < 2 * n; i += 2) {
      const low = (a[i]! >>> 0) - (b[i]! >>> 0);
      const high = a[i + 1]! - b[i + 1]! - (low < 0 ? 1 : 0);
      out[i] = low | 0;
      out[i + 1] = high | 0;
    }
  },
  mul(out, a, b, n) {
    for (let i = 0; i < 2 * n; i += 2) {
      const aLow = a[i]!;
      const bLow = b[i]!;
      const high = highProduct(aLow, bLow) + Math.imul(aLow, b[i + 1]!) + Math.imul(a[i + 1]!, bLow);
      out[i] = Math.imul(aLow, bLow);
      out[i + 1] = high | 0;
    }
  },
};

export const I32_SHIFT: { readonly [K in ShiftCode]: ShiftLoop } = {
  shl(out, a, count, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! << count;
  },
  shrS(out, a, count, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! >> count;
  },
  shrU(out, a, count, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! >>> count;
  },
};

/** Counts from 0 to 63. */
export const I64_SHIFT: { readonly [K in ShiftCode]: ShiftLoop } = {
  shl(out, a, count, n) {
    for (let i = 0; i < 2 * n; i += 2) {
      const low = a[i]!;
      const high = a[i + 1]!;
      out[i] = count < 32 ? low << count : 0;
      out[i + 1] = count === 0 ? high : count < 32 ? (high << count) | (low >>> (32 - count)) : low << (count - 32);
    }
  },
  shrS(out, a, count, n) {
    for (let i = 0; i < 2 * n; i += 2) {
      const low = a[i]!;
      const high = a[i + 1]!;
      out[i] = count === 0 ? low : count < 32 ? (low >>> count) | (high << (32 - count)) : high >> (count - 32);
      out[i + 1] = count < 32 ? high >> count : high >> 31;
    }
  },
  shrU(out, a, count, n) {
    for (let i = 0; i < 2 * n; i += 2) {
      const low = a[i]!;
      const high = a[i + 1]!;
      out[i] = count === 0 ? low : count < 32 ? (low >>> count) | (high << (32 - count)) : high >>> (count - 32);
      out[i + 1] = count < 32 ? high >>> count : 0;
    }
  },
};

/** Conversions by their source type, where the name does not tell it. `bits`, `float` and `maskBits` change nothing. */
export const CONVERT: {
  readonly [
    K in Exclude<ConvertCode, "bits" | "float" | "maskBits" | "truncS" | "truncU" | "fromS32" | "fromU32">
  ]: ConvertLoop;
} = {
  promote({ f64 }, { f32 }, n) {
    for (let i = 0; i < n; i++) f64[i] = f32[i]!;
  },
  demote({ f32 }, { f64 }, n) {
    for (let i = 0; i < n; i++) f32[i] = f64[i]!;
  },
  extendS({ i32: out }, { i32 }, n) {
    for (let i = 0; i < n; i++) {
      out[2 * i] = i32[i]!;
      out[2 * i + 1] = i32[i]! >> 31;
    }
  },
  extendU({ i32: out }, { i32 }, n) {
    for (let i = 0; i < n; i++) {
      out[2 * i] = i32[i]!;
      out[2 * i + 1] = 0;
    }
  },
  wrap({ i32: out }, { i32 }, n) {
    for (let i = 0; i < n; i++) out[i] = i32[2 * i]!;
  },
  widen({ i32: out }, { i32 }, n) {
    for (let i = 0; i < n; i++) out[2 * i] = out[2 * i + 1] = i32[i]!;
  },
  narrow({ i32: out }, { i32 }, n) {
    for (let i = 0; i < n; i++) out[i] = i32[2 * i]!;
  },
};

const clampS = (x: number): number => (x >= 2147483647 ? 2147483647 : x <= -2147483648 ? -2147483648 : x | 0);
const clampU = (x: number): number => (x >= 4294967295 ? -1 : x > 0 ? x | 0 : 0);

type FloatToInt = (out: Int32Array, a: Floats, n: number) => void;
type IntToFloat = (out: Floats, a: Int32Array, n: number) => void;

export const TRUNC: { readonly [K in "truncS" | "truncU"]: FloatToInt } = {
  truncS(out, a, n) {
    for (let i = 0; i < n; i++) out[i] = clampS(a[i]!);
  },
  truncU(out, a, n) {
    for (let i = 0; i < n; i++) out[i] = clampU(a[i]!);
  },
};

export const FROM: { readonly [K in "fromS32" | "fromU32"]: IntToFloat } = {
  fromS32(out, a, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]!;
  },
  fromU32(out, a, n) {
    for (let i = 0; i < n; i++) out[i] = a[i]! >>> 0;
  },
};

/** Bitwise choice over words; for 64-bit kinds there are two words per element. */
export function selectWords(out: Int32Array, mask: Int32Array, a: Int32Array, b: Int32Array, words: number): void {
  for (let i = 0; i < words; i++) out[i] = (a[i]! & mask[i]!) | (b[i]! & ~mask[i]!);
}

/** Whether any of the words is set. */
export function anyWord(mask: Int32Array, words: number): boolean {
  for (let i = 0; i < words; i++) if (mask[i] !== 0) return true;
  return false;
}
