/**
 * The i32 lane: integers of at most 32 bits where doubles lose low bits or have none. Results are cut to the output's width
 * when stored. The bits of `u32` stand as negative numbers above 2^31.
 */
import type { BinaryOp, BinaryOpOf, UnaryOpOf } from "../../../ops";

/** What a loop must know of the output type. */
interface IntegerFormat {
  readonly bits: number;
  readonly signed: boolean;
}

export type I32Unary = UnaryOpOf<"bits">;
export type I32Binary = Exclude<BinaryOpOf<"bits">, "quotient"> | Extract<BinaryOp, "multiply" | "pow">;

export type I32UnaryLoop = (out: Int32Array, x: Int32Array, n: number, format: IntegerFormat) => void;
/** False where an operand is not allowed: a negative exponent or shift. */
export type I32BinaryLoop = (
  out: Int32Array,
  x: Int32Array,
  y: Int32Array,
  n: number,
  format: IntegerFormat,
) => boolean;

const maskOf = (bits: number): number => (bits === 32 ? -1 : (1 << bits) - 1);

function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function bitwiseNot(out: Int32Array, x: Int32Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = ~x[i]!;
}

export function countLeadingZeros(out: Int32Array, x: Int32Array, n: number, { bits }: IntegerFormat): void {
  const mask = maskOf(bits);
  for (let i = 0; i < n; i++) out[i] = Math.clz32(x[i]! & mask) - (32 - bits);
}

export function populationCount(out: Int32Array, x: Int32Array, n: number, { bits }: IntegerFormat): void {
  const mask = maskOf(bits);
  for (let i = 0; i < n; i++) out[i] = bitCount(x[i]! & mask);
}

export function bitwiseAnd(out: Int32Array, x: Int32Array, y: Int32Array, n: number): boolean {
  for (let i = 0; i < n; i++) out[i] = x[i]! & y[i]!;
  return true;
}

export function bitwiseOr(out: Int32Array, x: Int32Array, y: Int32Array, n: number): boolean {
  for (let i = 0; i < n; i++) out[i] = x[i]! | y[i]!;
  return true;
}

export function bitwiseXor(out: Int32Array, x: Int32Array, y: Int32Array, n: number): boolean {
  for (let i = 0; i < n; i++) out[i] = x[i]! ^ y[i]!;
  return true;
}

export function leftShift(
  out: Int32Array,
  x: Int32Array,
  y: Int32Array,
  n: number,
  { bits, signed }: IntegerFormat,
): boolean {
  for (let i = 0; i < n; i++) {
    const count = y[i]!;
    if (signed && count < 0) return false;
    out[i] = count >>> 0 >= bits ? 0 : x[i]! << count;
  }
  return true;
}

export function multiply(out: Int32Array, x: Int32Array, y: Int32Array, n: number): boolean {
  for (let i = 0; i < n; i++) out[i] = Math.imul(x[i]!, y[i]!);
  return true;
}

export function pow(out: Int32Array, x: Int32Array, y: Int32Array, n: number, { signed }: IntegerFormat): boolean {
  for (let i = 0; i < n; i++) {
    if (signed && y[i]! < 0) return false;
    out[i] = powInt(x[i]!, y[i]!);
  }
  return true;
}

export function rightShift(
  out: Int32Array,
  x: Int32Array,
  y: Int32Array,
  n: number,
  { bits, signed }: IntegerFormat,
): boolean {
  for (let i = 0; i < n; i++) {
    const count = y[i]!;
    if (signed && count < 0) return false;
    const over = count >>> 0 >= bits;
    if (signed) out[i] = x[i]! >> (over ? 31 : count);
    else out[i] = over ? 0 : x[i]! >>> count;
  }
  return true;
}

/** Power modulo 2^32 by squaring; the exponent's bits are unsigned. */
function powInt(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let rest = exponent; rest !== 0; rest >>>= 1) {
    if (rest & 1) result = Math.imul(result, square);
    square = Math.imul(square, square);
  }
  return result;
}
