/**
 * Operands of any shape and type, alike each time.
 */
import * as Nx from "nx-numerics";
import { random } from "../random";
import { sizeOf } from "./cases";

type Tensor = Nx.Tensor;

const BYTES: Readonly<Record<Nx.DType, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  s8: 1,
  s16: 2,
  s32: 4,
  s64: 8,
  bf16: 2,
  f16: 2,
  f32: 4,
  f64: 8,
  c64: 8,
  c128: 16,
};

export const TYPES = Object.keys(BYTES) as readonly Nx.DType[];
export const REAL_TYPES = TYPES.filter((type) => !type.startsWith("c"));

/** How much longer than one of f32 an element may take: twice, and twice that where it has twice the bytes of f64. */
export const boundOf = (type: Nx.DType): number => Math.max(2, BYTES[type] / 4);

let known: Float32Array = new Float32Array(0);

/** Numbers from 0 to 1; a longer run of them begins with the shorter. */
function numbers(length: number): Float32Array {
  if (length > known.length) known = random(Math.max(length, 1 << 21));
  return known.subarray(0, length);
}

/** Loops, as `from` with a function takes many times as long. */
function fill<T extends Float32Array | Uint8Array>(out: T, value: (random: number) => number): T {
  const source = numbers(out.length);
  for (let i = 0; i < out.length; i++) out[i] = value(source[i]!);
  return out;
}

/**
 * Floats from -4 to 4, integers from 0 to 99, whose exponentials leave the normal numbers of f32; complex numbers have such real parts and
 * no others.
 */
export function operand(shape: readonly number[], type: Nx.DType): Tensor {
  const value = /^[us]/.test(type)
    ? (random: number): number => Math.floor(random * 100)
    : (random: number): number => random * 8 - 4;
  const plain = Nx.tensor(fill(new Float32Array(sizeOf(shape)), value)).reshape([...shape]);
  return type === "f32" ? plain : plain.asType(type);
}

/** Zeros and ones, one as often as the other. */
export const mask = (shape: readonly number[]): Tensor =>
  Nx.tensor(fill(new Uint8Array(sizeOf(shape)), (random) => (random < 0.5 ? 0 : 1))).reshape([...shape]);
