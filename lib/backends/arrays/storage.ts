/**
 * How elements are kept in arrays: one typed array per tensor, row-major and contiguous.
 * 64-bit integers are pairs of 32-bit halves (low, high) in an Int32Array, half floats their bits in a Uint16Array,
 * complex numbers interleaved real and imaginary parts. The bytes are those of `toBinary` on a little-endian machine.
 */
import { rawArray } from "../../core/bytes";
import { BackendError } from "../../core/errors";
import { formatShape } from "../../core/shape";
import type { DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { zeroedArray } from "./slabs";

export interface ArrayOf {
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  u64: Int32Array;
  s8: Int8Array;
  s16: Int16Array;
  s32: Int32Array;
  s64: Int32Array;
  bf16: Uint16Array;
  f16: Uint16Array;
  f32: Float32Array;
  f64: Float64Array;
  c64: Float32Array;
  c128: Float64Array;
}

/** Any of the arrays elements are kept in. */
export type Elements = ArrayOf[DType];

/** A kind of typed array. */
export interface ArrayType<T extends Elements = Elements> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
  new (buffer: ArrayBufferLike, offset?: number, length?: number): T;
}

interface Layout {
  readonly create: ArrayType;
  /** Array entries per element. */
  readonly width: 1 | 2;
}

const LAYOUT: { readonly [T in DType]: Layout } = {
  u8: { create: Uint8Array, width: 1 },
  u16: { create: Uint16Array, width: 1 },
  u32: { create: Uint32Array, width: 1 },
  u64: { create: Int32Array, width: 2 },
  s8: { create: Int8Array, width: 1 },
  s16: { create: Int16Array, width: 1 },
  s32: { create: Int32Array, width: 1 },
  s64: { create: Int32Array, width: 2 },
  bf16: { create: Uint16Array, width: 1 },
  f16: { create: Uint16Array, width: 1 },
  f32: { create: Float32Array, width: 1 },
  f64: { create: Float64Array, width: 1 },
  c64: { create: Float32Array, width: 2 },
  c128: { create: Float64Array, width: 2 },
};

/**
 * What stands in place of an array that is not computed yet. Its length is that of no array in use, so that readers of arrays that
 * are there need not ask.
 */
export abstract class Waiting {
  readonly length = 0;
  /** Computes the array, which takes this place in the data of its tensor. */
  abstract settle(): Elements;
  /** The tensor lets go of what was to be its array. */
  abstract letGo(): void;
}

/**
 * Data of a tensor that is an array; the memory of its backend makes it. Tensors of the same elements (a reshape) share the array,
 * not this holder.
 */
export class ArrayData {
  elements: Elements | Waiting | null;
  /** The number of pending readers of the array, which stays unchanged until they are computed, whoever releases it. */
  pins = 0;
  /** Set only where `Nx.tidy`, and not the program, released the array. */
  declare endedBy?: "tidy";
  /** Set only where the array was released while it was pinned. */
  declare pinned?: Elements;
  constructor(elements: Elements | Waiting) {
    this.elements = elements;
  }

  /** Short text, in place of the elements, for what looks into a tensor. */
  toJSON(): string {
    const { elements } = this;
    if (elements instanceof Waiting) return "ArrayData (deferred)";
    return elements === null
      ? "ArrayData (deallocated)"
      : `ArrayData of ${elements.constructor.name}(${elements.length})`;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toJSON();
  }
}

/** The kind of array that keeps elements of a type. */
export const arrayTypeOf = (type: DType): ArrayType => LAYOUT[type].create;

/** Array entries that one element takes. */
export const widthOf = (type: DType): 1 | 2 => LAYOUT[type].width;

/** A zeroed array for `count` elements. */
export function allocate<T extends DType>(type: T, count: number): ArrayOf[T] {
  const { create, width } = LAYOUT[type];
  try {
    return zeroedArray(create, count * width) as ArrayOf[T];
  } catch (cause) {
    throw new BackendError(`out of memory: cannot allocate ${count} elements of type ${type}`, { cause });
  }
}

/** A tensor's elements; an error when they were released. */
export function elementsOf(tensor: Tensor): Elements {
  const data = tensor.data as ArrayData;
  const { elements } = data;
  if (elements !== null && elements.length !== 0) return elements as Elements;
  if (elements instanceof Waiting) return elements.settle();
  throw unusable(tensor, data);
}

/** The elements of data that was not released. */
export function elementsIn({ elements }: ArrayData): Elements {
  return elements instanceof Waiting ? elements.settle() : elements!;
}

function unusable(tensor: Tensor, { elements, endedBy }: ArrayData): BackendError {
  const what = `the tensor ${tensor.type}${formatShape(tensor.shape, tensor.names)}`;
  if (elements === null && endedBy === "tidy") {
    return new BackendError(
      `${what} was made inside Nx.tidy and released when it ended; return it from the function given to Nx.tidy, by itself or in ` +
        `an array or object, to use it afterwards`,
    );
  }
  // An array of length 0 lies over bytes of a user that were transferred away.
  return new BackendError(
    elements === null
      ? `${what} was deallocated and can no longer be used`
      : `${what} was read with copy: false, and the bytes that it reads are detached: they were transferred to another ` +
          "thread or buffer; read it without copy: false, or transfer a copy of the bytes",
  );
}

/** An array over the bytes themselves where they are aligned, else over a copy. */
export function overBytes(type: DType, bytes: Uint8Array): Elements {
  return rawArray(type, bytes);
}

/** A copy of the first `count` elements as bytes. */
export function toBytes(elements: Elements, type: DType, count: number): Uint8Array {
  const entries = count * LAYOUT[type].width;
  return new Uint8Array(elements.buffer, elements.byteOffset, entries * elements.BYTES_PER_ELEMENT).slice();
}
