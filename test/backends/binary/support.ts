/** Tensors of given or random bits for the tests of single primitives, and positions to check them element by element. */
import fc from "fast-check";
import { expect } from "vitest";
import { binaryBackend } from "../../../lib/backends/binary";
import { elementsIn, type ArrayData } from "../../../lib/backends/arrays/storage";
import { bytesOf, DTYPES, isInteger, type DType } from "../../../lib/core/types";
import type { Attrs, Backend, Primitive, PrimitiveFunction } from "../../../lib/backend";
import { Tensor } from "../../../lib/tensor";

export const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);
export const unnamed = (shape: readonly number[]): null[] => shape.map(() => null);

const settings: { backend: Backend } = { backend: binaryBackend };

/** Tensors are made on another backend from now on, as suites do that are run once more. */
export function makeOn(backend: Backend): void {
  settings.backend = backend;
}

/** A copy of a tensor on a backend. */
export function on(backend: Backend, x: Tensor): Tensor {
  return new Tensor(backend, backend.upload(x, x.backend.download!(x)), x.type, x.shape, x.names);
}

/** A tensor over given bytes. */
export function fromBytes(type: DType, shape: readonly number[], bytes: Uint8Array): Tensor {
  const { backend } = settings;
  const out = { type, shape, names: unnamed(shape) };
  return new Tensor(backend, backend.upload(out, bytes), type, shape, out.names);
}

/** A tensor of real numbers, converted by a typed array of the same format or by `asType` from f64. */
export function fromNumbers(type: DType, shape: readonly number[], values: ArrayLike<number | bigint>): Tensor {
  if (type === "s64" || type === "u64") {
    const words = BigInt64Array.from(Array.from(values), (value) => BigInt.asIntN(64, BigInt(value)));
    return fromBytes(type, shape, new Uint8Array(words.buffer));
  }
  const doubles = Float64Array.from(values as ArrayLike<number>);
  const x = fromBytes("f64", shape, new Uint8Array(doubles.buffer));
  return type === "f64" ? x : on(settings.backend, run("asType", type, shape, [x], { overflow: "wrap" }));
}

/** Runs a primitive. */
export function run<P extends Primitive>(
  primitive: P,
  type: DType,
  shape: readonly number[],
  inputs: readonly Tensor[],
  attrs: Attrs[P],
): Tensor {
  const fill = binaryBackend[primitive] as PrimitiveFunction<P>;
  const data = fill({ type, shape, names: unnamed(shape) }, inputs, attrs);
  return new Tensor(binaryBackend, data, type, shape, unnamed(shape));
}

/** Elements as numbers; 64-bit integers as bigints, complex ones as pairs. */
export function valuesOf(tensor: Tensor): unknown[] {
  const { type } = tensor;
  const bytes = binaryBackend.download(tensor);
  if (type === "s64") return Array.from(new BigInt64Array(bytes.buffer));
  if (type === "u64") return Array.from(new BigUint64Array(bytes.buffer));
  const [real, width] = type === "c64" || type === "c128" ? [type === "c64" ? "f32" : "f64", 2] : [type, 1];
  const parts = fromBytes(real as DType, [sizeOf(tensor.shape) * width], bytes);
  const doubles = real === "f64" ? parts : run("asType", "f64", parts.shape, [parts], { overflow: "wrap" });
  const numbers = Array.from(new Float64Array(binaryBackend.download(doubles).buffer));
  return width === 1 ? numbers : numbers.flatMap((re, i) => (i % 2 === 0 ? [[re, numbers[i + 1]!]] : []));
}

/** Each element's bytes as text, so that NaN payloads count. */
export function bitsOf(tensor: Tensor): string[] {
  const width = bytesOf(tensor.type);
  const bytes = binaryBackend.download(tensor);
  return Array.from({ length: sizeOf(tensor.shape) }, (_, i) => bytes.slice(i * width, (i + 1) * width).join());
}

/**
 * Each element's bytes as text, with one text for all NaNs: for what went through a conversion or arithmetic, where the
 * engine may give a NaN any payload, now this and then that.
 */
export function computedBitsOf(tensor: Tensor): string[] {
  const bits = bitsOf(tensor);
  return valuesOf(tensor).map((value, i) => {
    if (!Array.isArray(value)) return Number.isNaN(value) ? "NaN" : bits[i]!;
    return value.some(Number.isNaN) ? value.map((part) => (Object.is(part, -0) ? "-0" : `${part}`)).join() : bits[i]!;
  });
}

/** What the bits of a half float without its sign are above if it is no number. */
const HALF_INFINITY: { readonly [type in DType]?: number } = { f16: 0x7c00, bf16: 0x7f80 };

/** Whether elements have the same bits; all NaNs are the same. */
function sameComputed(type: DType, a: Uint8Array, b: Uint8Array): boolean {
  if (Buffer.compare(a, b) === 0) return true;
  // copies are aligned to every type
  const [{ buffer: x }, { buffer: y }] = [Uint8Array.from(a), Uint8Array.from(b)];
  const infinity = HALF_INFINITY[type];
  if (infinity !== undefined) {
    const [p, q] = [new Uint16Array(x), new Uint16Array(y)];
    const isNaN = (bits: number): boolean => (bits & 0x7fff) > infinity;
    return p.length === q.length && p.every((bits, i) => bits === q[i] || (isNaN(bits) && isNaN(q[i]!)));
  }
  if (isInteger(type)) return false;
  const Parts = type === "f32" || type === "c64" ? Float32Array : Float64Array;
  const [p, q] = [new Parts(x), new Parts(y)];
  if (p.length !== q.length) return false;
  for (let i = 0; i < p.length; i++) if (!Object.is(p[i], q[i])) return false;
  return true;
}

/** Compares bytes first, which is a hundred times faster than text. */
export function expectSameComputed(
  type: DType,
  shape: readonly number[],
  found: Uint8Array,
  expected: Uint8Array,
): void {
  if (sameComputed(type, found, expected)) return;
  expect(computedBitsOf(fromBytes(type, shape, found))).toEqual(computedBitsOf(fromBytes(type, shape, expected)));
}

/** The same for data of tensors. */
export function expectSameData(type: DType, shape: readonly number[], found: unknown, expected: unknown): void {
  const [a, b] = [found, expected].map((data) => bytesIn(elementsIn(data as ArrayData)));
  expectSameComputed(type, shape, a!, b!);
}

/** The bytes of an array. */
export const bytesIn = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Coordinates of a flat position. */
export function coordinates(shape: readonly number[], flat: number): number[] {
  const result: number[] = [];
  for (let axis = shape.length - 1, rest = flat; axis >= 0; axis--) {
    result.unshift(rest % shape[axis]!);
    rest = Math.floor(rest / shape[axis]!);
  }
  return result;
}

/** Flat position of coordinates. */
export function flatten(shape: readonly number[], position: readonly number[]): number {
  return position.reduce((flat, index, axis) => flat * shape[axis]! + index, 0);
}

/** All coordinates of a shape in row-major order. */
export function positions(shape: readonly number[]): number[][] {
  return Array.from({ length: sizeOf(shape) }, (_, flat) => coordinates(shape, flat));
}

export const types: fc.Arbitrary<DType> = fc.constantFrom(...DTYPES);

/** Shapes of rank 0 to 4; now and then one axis is long enough for the bulk paths. */
export function shapes(minRank = 0): fc.Arbitrary<number[]> {
  const short = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: minRank, maxLength: 4 });
  return fc.tuple(short, fc.nat(3), fc.constantFrom(1, 1, 1, 13, 40)).map(([shape, at, factor]) => {
    const copy = shape.slice();
    if (at < copy.length) copy[at]! *= factor;
    return copy;
  });
}

/** A tensor of random bits of any type and the given shape. */
export function randomBits(shape: readonly number[], type?: DType): fc.Arbitrary<Tensor> {
  return fc.tuple(type === undefined ? types : fc.constant(type), fc.nat(2 ** 31)).map(([t, seed]) => {
    const bytes = new Uint8Array(sizeOf(shape) * bytesOf(t));
    for (let i = 0, state = seed; i < bytes.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      bytes[i] = state >>> 24;
    }
    return fromBytes(t, shape, bytes);
  });
}

/** A tensor of random bits of any shape. */
export function tensors(minRank = 0): fc.Arbitrary<Tensor> {
  return shapes(minRank).chain((shape) => randomBits(shape));
}
