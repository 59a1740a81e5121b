/**
 * Elements as bytes, read and written here without the library's help: what judges shares no code with what it judges.
 */
import type { DType } from "nx-numerics";

/** An element: 64-bit integers are bigints, complex numbers pairs of parts. */
export type Value = number | bigint | readonly [re: number, im: number];

/** All types of elements. */
export const TYPES: readonly DType[] = [
  ...(["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"] as const),
  ...(["bf16", "f16", "f32", "f64", "c64", "c128"] as const),
];

const BYTES: { readonly [T in DType]: number } = {
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

/** Bytes that an element of a type takes. */
export const bytesOf = (type: DType): number => BYTES[type];

export const sizeOf = (shape: readonly number[]): number => shape.reduce((product, dim) => product * dim, 1);

export const isFloat = (type: DType): boolean => type === "bf16" || type === "f16" || type === "f32" || type === "f64";
export const isComplex = (type: DType): boolean => type === "c64" || type === "c128";
export const isInteger = (type: DType): boolean => !isFloat(type) && !isComplex(type);

/** Precision with the leading bit and least exponent of the types that are rounded here by hand. */
const NARROW = { f16: { digits: 11, least: -14, bias: 15, most: 65504 }, bf16: { digits: 8, least: -126, bias: 127, most: 3.3895313892515355e38 } } as const; // prettier-ignore

/** The bits of a number in a narrow float type, to nearest, ties to even. */
function narrowBits(type: keyof typeof NARROW, value: number): number {
  const { digits, least, bias, most } = NARROW[type];
  const fraction = digits - 1;
  const infinity = (2 * bias + 1) << fraction;
  if (Number.isNaN(value)) return infinity | (1 << (fraction - 1));
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  const exponent = Math.max(least, exponentOf(size));
  const unit = 2 ** (exponent - fraction);
  const units = toEven(size / unit);
  if (units * unit > most) return sign | infinity;
  return sign | (units < 2 ** fraction ? units : ((exponent + bias) << fraction) + units - 2 ** fraction);
}

/** The exponent of the greatest power of two that is not greater. */
function exponentOf(size: number): number {
  if (size === 0 || size === Infinity) return size === 0 ? -1100 : 1100;
  let exponent = Math.max(-1074, Math.floor(Math.log2(size)));
  while (2 ** exponent > size) exponent--;
  while (2 ** (exponent + 1) <= size) exponent++;
  return exponent;
}

/** The nearest integer, of two the even one. */
function toEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

function narrowValue(type: keyof typeof NARROW, bits: number): number {
  const { digits, least, bias } = NARROW[type];
  const fraction = digits - 1;
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits & 0x7fff) >> fraction;
  const rest = bits & (2 ** fraction - 1);
  if (exponent === 2 * bias + 1) return rest === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * rest * 2 ** (least - fraction);
  return sign * (rest + 2 ** fraction) * 2 ** (exponent - bias - fraction);
}

type Write = (view: DataView, at: number, value: Value) => void;
type Read = (view: DataView, at: number) => Value;

const part = (value: Value, i: 0 | 1): number => (typeof value === "object" ? value[i] : i === 0 ? Number(value) : 0);

const WRITE: { readonly [T in DType]: Write } = {
  u8: (view, at, value) => view.setUint8(at, Number(value)),
  u16: (view, at, value) => view.setUint16(at, Number(value), true),
  u32: (view, at, value) => view.setUint32(at, Number(value), true),
  u64: (view, at, value) => view.setBigUint64(at, BigInt.asUintN(64, BigInt(value as bigint)), true),
  s8: (view, at, value) => view.setInt8(at, Number(value)),
  s16: (view, at, value) => view.setInt16(at, Number(value), true),
  s32: (view, at, value) => view.setInt32(at, Number(value), true),
  s64: (view, at, value) => view.setBigInt64(at, BigInt.asIntN(64, BigInt(value as bigint)), true),
  bf16: (view, at, value) => view.setUint16(at, narrowBits("bf16", Number(value)), true),
  f16: (view, at, value) => view.setUint16(at, narrowBits("f16", Number(value)), true),
  f32: (view, at, value) => view.setFloat32(at, Number(value), true),
  f64: (view, at, value) => view.setFloat64(at, Number(value), true),
  c64(view, at, value) {
    view.setFloat32(at, part(value, 0), true);
    view.setFloat32(at + 4, part(value, 1), true);
  },
  c128(view, at, value) {
    view.setFloat64(at, part(value, 0), true);
    view.setFloat64(at + 8, part(value, 1), true);
  },
};

const READ: { readonly [T in DType]: Read } = {
  u8: (view, at) => view.getUint8(at),
  u16: (view, at) => view.getUint16(at, true),
  u32: (view, at) => view.getUint32(at, true),
  u64: (view, at) => view.getBigUint64(at, true),
  s8: (view, at) => view.getInt8(at),
  s16: (view, at) => view.getInt16(at, true),
  s32: (view, at) => view.getInt32(at, true),
  s64: (view, at) => view.getBigInt64(at, true),
  bf16: (view, at) => narrowValue("bf16", view.getUint16(at, true)),
  f16: (view, at) => narrowValue("f16", view.getUint16(at, true)),
  f32: (view, at) => view.getFloat32(at, true),
  f64: (view, at) => view.getFloat64(at, true),
  c64: (view, at) => [view.getFloat32(at, true), view.getFloat32(at + 4, true)],
  c128: (view, at) => [view.getFloat64(at, true), view.getFloat64(at + 8, true)],
};

/** Values as the little-endian bytes of a type. Integers wrap; floats are rounded. */
export function encode(type: DType, values: ArrayLike<Value>): Uint8Array {
  const width = BYTES[type];
  const bytes = new Uint8Array(values.length * width);
  const view = new DataView(bytes.buffer);
  const write = WRITE[type];
  for (let i = 0; i < values.length; i++) write(view, i * width, values[i]!);
  return bytes;
}

/** The elements that bytes of a type stand for. */
export function decode(type: DType, bytes: Uint8Array): Value[] {
  const width = BYTES[type];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = READ[type];
  return Array.from({ length: bytes.byteLength / width }, (_, i) => read(view, i * width));
}

const scratch = new DataView(new ArrayBuffer(8));

/** Where a float stands in the row of all floats of its type. */
function placeOf(type: DType, value: number): bigint {
  let bits: bigint;
  if (type === "f64" || type === "c128") {
    scratch.setFloat64(0, value);
    bits = scratch.getBigUint64(0);
    return bits >> 63n ? -(bits & ((1n << 63n) - 1n)) : bits;
  }
  if (type === "f32" || type === "c64") {
    scratch.setFloat32(0, value);
    bits = BigInt(scratch.getUint32(0));
    return bits >> 31n ? -(bits & 0x7fffffffn) : bits;
  }
  bits = BigInt(narrowBits(type as keyof typeof NARROW, value));
  return bits >> 15n ? -(bits & 0x7fffn) : bits;
}

/**
 * How far apart two elements are: units in the last place of floats (of complex numbers, of the part that is farther off),
 * differences of integers. The zeros are 0 apart, NaN and a number are infinitely far.
 */
export function distance(type: DType, a: Value, b: Value): number {
  if (typeof a === "object" && typeof b === "object") {
    return Math.max(distance(type, a[0], b[0]), distance(type, a[1], b[1]));
  }
  const [x, y] = [a as number | bigint, b as number | bigint];
  if (isInteger(type)) return Math.abs(Number(BigInt(x) - BigInt(y)));
  if (x !== x || y !== y) return x !== x && y !== y ? 0 : Infinity;
  return Math.abs(Number(placeOf(type, Number(x)) - placeOf(type, Number(y))));
}

/** Whether two elements are the same value: zeros by their sign, all NaN alike. */
export function isSame(a: Value, b: Value): boolean {
  if (typeof a === "object" && typeof b === "object") return Object.is(a[0], b[0]) && Object.is(a[1], b[1]);
  return Object.is(a, b);
}

const LEAST_NORMAL: { readonly [T in DType]?: number } = {
  bf16: 2 ** -126,
  f16: 2 ** -14,
  f32: 2 ** -126,
  f64: 2 ** -1022,
  c64: 2 ** -126,
  c128: 2 ** -1022,
};

/** Whether an element, or a part of it, is smaller than the normal numbers of its type. */
export function isSubnormal(type: DType, value: Value): boolean {
  if (typeof value === "object") return value.some((one) => isSubnormal(type, one));
  const least = LEAST_NORMAL[type];
  return least !== undefined && Number(value) !== 0 && Math.abs(Number(value)) < least;
}

/** An element as messages show it. */
export function shown(value: Value): string {
  if (typeof value === "object") return `${shown(value[0])}+${shown(value[1])}i`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Numbers that follow each other without a pattern, the same on every run: integers below 2^32. */
export function numbers(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Small integers that every type holds, `spread` different ones from 0 on; signed types have negative ones, too. */
export function integers(type: DType, count: number, seed: number, spread = 13): number[] {
  const next = numbers(seed);
  const least = type.startsWith("u") ? 0 : -Math.floor(spread / 2);
  return Array.from({ length: count }, () => (next() % spread) + least);
}
