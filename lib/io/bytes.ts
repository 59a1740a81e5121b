/**
 * What all file formats share: bytes from users, bounded reading, and tensors made of pieces of a file.
 * Every size a file states is checked against the bytes there are before anything is allocated.
 */
import type { Backend, BackendSpec } from "../backend";
import { creationBackend } from "../backends/registry";
import { givenBytes } from "../core/bytes";
import { ArgumentError, show } from "../core/errors";
import { checkNames, unnamed } from "../core/names";
import { booleanOption, integerOption } from "../core/options";
import { sizeOf, type Names, type Shape } from "../core/shape";
import { bytesOf, type DType } from "../core/types";
import { Tensor } from "../tensor";

/** Axes a tensor of a file may have, as many as in NumPy. */
export const MAX_RANK = 64;

const MAX_ELEMENTS = 2 ** 32 - 1;
const DEFAULT_MAX_BYTES = 2 ** 32;

/** Options every reader has. */
export interface LoadOptions {
  /** Where the tensors are made. */
  readonly backend?: BackendSpec;
  /**
   * Whether tensors get bytes of their own (default). With `false` a backend that keeps plain bytes reads them where
   * they lie, if they are aligned; the bytes must then never be written to again.
   */
  readonly copy?: boolean;
}

/** The options of a reader, checked. */
export interface Placing {
  readonly backend: Backend;
  readonly copy: boolean;
}

export function placingOf(fn: string, options: LoadOptions | undefined): Placing {
  return {
    backend: creationBackend(options?.backend),
    copy: booleanOption(fn, "copy", options?.copy, true),
  };
}

export function maxBytesOf(fn: string, value: unknown): number {
  return integerOption(fn, "maxBytes", value, DEFAULT_MAX_BYTES, 1);
}

/** The contents of a file as a user gives them. */
export function fileBytes(value: unknown, fn: string): Uint8Array {
  const bytes = givenBytes(value, fn);
  if (bytes !== null) return bytes;
  throw new ArgumentError(`${fn} expects the bytes of a file as a Uint8Array or an ArrayBuffer, got: ${show(value)}`);
}

/** Numbers out of bytes, little-endian; reading past the end is an error that says what was wanted. */
export class Reader {
  readonly bytes: Uint8Array;
  readonly fn: string;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, fn: string) {
    this.bytes = bytes;
    this.fn = fn;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Refuses a piece that does not lie in the file whole. */
  need(at: number, count: number, what: string): void {
    if (at >= 0 && count >= 0 && at + count <= this.bytes.length) return;
    throw this.fail(
      `the file ends too early: ${what} takes ${count} bytes at byte ${at}, but there are ${this.bytes.length} bytes in all`,
    );
  }

  fail(text: string): ArgumentError {
    return new ArgumentError(`${this.fn}: ${text}`);
  }

  u16(at: number): number {
    return this.view.getUint16(at, true);
  }

  u32(at: number): number {
    return this.view.getUint32(at, true);
  }

  /** Rounded above 2^53, which no size of a file reaches. */
  u64(at: number): number {
    return this.u32(at) + this.u32(at + 4) * 2 ** 32;
  }

  slice(at: number, count: number, what: string): Uint8Array {
    this.need(at, count, what);
    return this.bytes.subarray(at, at + count);
  }

  startsWith(expected: Uint8Array): boolean {
    return this.bytes.length >= expected.length && expected.every((byte, i) => this.bytes[i] === byte);
  }
}

/** Fresh bytes; an error of the library where the host has not so many. */
export function allocateBytes(count: number, fn: string): Uint8Array {
  try {
    return new Uint8Array(count);
  } catch (cause) {
    throw new ArgumentError(`${fn}: cannot allocate ${count} bytes`, { cause });
  }
}

/** A shape out of a file. */
export function fileShape(value: unknown, fn: string, what: string): Shape {
  const sizes: readonly unknown[] | null = Array.isArray(value) ? value : null;
  if (sizes === null || !sizes.every((size) => Number.isSafeInteger(size) && (size as number) >= 0)) {
    throw new ArgumentError(`${fn}: the shape of ${what} must be a list of sizes, got: ${show(value)}`);
  }
  const shape = sizes as readonly number[];
  if (shape.length > MAX_RANK) throw new ArgumentError(`${fn}: ${what} has ${shape.length} axes, at most ${MAX_RANK}`);
  if (shape.includes(0)) {
    throw new ArgumentError(
      `${fn}: ${what} has the shape ${show(shape)} and so no elements; empty tensors do not exist`,
    );
  }
  if (sizeOf(shape) <= MAX_ELEMENTS) return Object.freeze(shape.slice());
  throw new ArgumentError(
    `${fn}: ${what} has the shape ${show(shape)}, more than the ${MAX_ELEMENTS} elements a tensor can hold`,
  );
}

/** Axis names out of a file. */
export function fileNames(names: unknown, shape: Shape, fn: string, what: string): Names {
  try {
    return checkNames(names, shape);
  } catch (cause) {
    throw new ArgumentError(`${fn}: the axis names of ${what} are damaged: ${(cause as Error).message}`, { cause });
  }
}

/** Refuses to write what no reader would take. */
export function checkRank(t: Tensor, fn: string): Tensor {
  if (t.shape.length <= MAX_RANK) return t;
  throw new ArgumentError(
    `${fn}: a tensor of ${t.shape.length} axes cannot be written, files keep at most ${MAX_RANK}`,
  );
}

export const byteLengthOf = (type: DType, shape: Shape): number => sizeOf(shape) * bytesOf(type);

/** A tensor of exactly these bytes. `own`: nobody else holds the bytes. */
export function place(
  placing: Placing,
  type: DType,
  shape: Shape,
  bytes: Uint8Array,
  own = false,
  names: Names = unnamed(shape.length),
): Tensor {
  const { backend, copy } = placing;
  const out = { type, shape, names };
  const data = (own || !copy) && backend.adopt ? backend.adopt(out, bytes) : backend.upload(out, bytes);
  return new Tensor(backend, data, type, shape, names);
}

/** Booleans of other libraries, bytes that are 0 or 1; others count as 1. */
export function truths(bytes: Uint8Array): Uint8Array {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! > 1) return bytes.map((byte) => (byte === 0 ? 0 : 1));
  return bytes;
}
