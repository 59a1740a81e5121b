/**
 * Nested plain data on its way into a tensor: its shape, its values in one pass, and errors that say where it is
 * malformed. Makes no tensors.
 */
import { checkAttached, typedArrayName } from "../../core/bytes";
import { Complex } from "../../core/complex";
import { ArgumentError, show } from "../../core/errors";
import { ValueBuffer } from "../../core/pack";
import { checkSize, formatShape, rowMajorStrides, sizeOf, type Shape } from "../../core/shape";
import type { DType, Scalar } from "../../core/types";
import type { TypedArray } from "../../methods";
import { Tensor } from "../../tensor";

/** The typed arrays that data may be made of. A host's `Float16Array` is accepted as well. */
export type NumericArray = TypedArray | Uint8ClampedArray;

/** Plain data: a scalar, a typed array, or arrays of them nested to the same depth. */
export type NestedData = Scalar | NumericArray | readonly NestedData[];

const ARRAY_TYPES: Readonly<Record<string, DType>> = {
  Uint8Array: "u8",
  Uint8ClampedArray: "u8",
  Uint16Array: "u16",
  Uint32Array: "u32",
  BigUint64Array: "u64",
  Int8Array: "s8",
  Int16Array: "s16",
  Int32Array: "s32",
  BigInt64Array: "s64",
  Float16Array: "f16",
  Float32Array: "f32",
  Float64Array: "f64",
};

const MAX_DEPTH = 32;

/** Element type of a typed array, or null for anything else. */
export function arrayType(value: unknown): DType | null {
  const tag = typedArrayName(value);
  return (tag !== undefined && ARRAY_TYPES[tag]) || null;
}

/** The values of nested data and its shape. */
export function readNested(data: unknown, fn: string): { readonly values: ValueBuffer; readonly shape: Shape } {
  const shape = shapeOfFirst(data, fn);
  checkSize(shape, "data of shape");
  const reader = new Reader(shape, fn);
  reader.read(data, 0);
  return { values: reader.values, shape };
}

/** The shape that the first entries of each level suggest. */
function shapeOfFirst(data: unknown, fn: string): Shape {
  const shape: number[] = [];
  let level = data;
  while (Array.isArray(level) || arrayType(level) !== null) {
    const { length } = level as ArrayLike<unknown>;
    if (length === 0 && !Array.isArray(level)) checkAttached((level as NumericArray).buffer, fn);
    if (length === 0)
      throw new ArgumentError(`${fn} was given an empty list${at(shape.map(() => 0))}; empty tensors do not exist`);
    if (shape.push(length) > MAX_DEPTH)
      throw new ArgumentError(`${fn} was given a list nested more than ${MAX_DEPTH} deep`);
    if (!Array.isArray(level)) break;
    level = (level as unknown[])[0];
  }
  return Object.freeze(shape);
}

class Reader {
  readonly values: ValueBuffer;
  private readonly shape: Shape;
  private readonly strides: number[];
  private readonly fn: string;

  constructor(shape: Shape, fn: string) {
    this.shape = shape;
    this.strides = rowMajorStrides(shape);
    this.fn = fn;
    this.values = new ValueBuffer(sizeOf(shape));
  }

  read(data: unknown, depth: number): void {
    if (depth === this.shape.length) return this.readValue(data);
    const type = arrayType(data);
    if (!Array.isArray(data) && type === null) throw this.ragged(data, depth);
    const list = data as readonly unknown[];
    if (list.length !== this.shape[depth]) throw this.ragged(data, depth);
    if (depth < this.shape.length - 1) {
      if (type !== null) throw this.ragged(list[0], depth + 1);
      for (let i = 0; i < list.length; i++) this.read(list[i], depth + 1);
    } else if (type !== null) this.values.addArray(list as ArrayLike<number>, type);
    else this.readRow(list);
  }

  private readRow(row: readonly unknown[]): void {
    const { values } = this;
    for (let i = 0; i < row.length; i++) {
      const value = row[i];
      if (typeof value === "number") values.addNumber(value);
      else this.readValue(value);
    }
  }

  private readValue(value: unknown): void {
    const { values } = this;
    if (typeof value === "number") values.addNumber(value);
    else if (typeof value === "bigint") values.addBigInt(value);
    else if (typeof value === "boolean") values.addBoolean(value);
    else if (value instanceof Complex) values.addComplex(value);
    else throw this.misfit(value);
  }

  /** What stands where a scalar should. */
  private misfit(value: unknown): ArgumentError {
    const { shape, fn } = this;
    if (Array.isArray(value) || arrayType(value) !== null) return this.ragged(value, shape.length);
    const where = at(this.path(shape.length));
    if (value instanceof Tensor) {
      const which = `${value.type}${formatShape(value.shape, value.names)}`;
      return new ArgumentError(
        `${fn} was given a tensor (${which}) inside a list${where}; join tensors with Nx.stack or Nx.concatenate`,
      );
    }
    const list = shape.length === 0 ? ", arrays of them, a typed array or a tensor" : "";
    return new ArgumentError(
      `${fn} expects numbers, bigints, booleans or Nx.Complex${list}, got: ${show(value)}${where}${value == null ? "; a missing value is NaN" : ""}`,
    );
  }

  /** A list of another length or depth than the first one at its level. */
  private ragged(data: unknown, depth: number): ArgumentError {
    const { shape, fn } = this;
    const isList = Array.isArray(data) || arrayType(data) !== null;
    const listed = (value: unknown) => `a list of length ${(value as ArrayLike<unknown>).length}`;
    const wanted = depth < shape.length ? `a list of length ${shape[depth]!}` : "a number";
    if (!isList && !isScalarLike(data)) return this.misfitAt(data, depth);
    const got = isList ? listed(data) : show(data);
    return new ArgumentError(
      `${fn} was given a ragged list: expected ${wanted} as in the first entry, got ${got}${at(this.path(depth))}; ` +
        `all lists at one level must have the same length`,
    );
  }

  private misfitAt(value: unknown, depth: number): ArgumentError {
    const inner = new Reader(this.shape.slice(0, depth), this.fn);
    inner.values.length = this.values.length / (this.strides[depth - 1] ?? 1);
    return inner.misfit(value);
  }

  /** Indices of the entry being read at a depth. */
  private path(depth: number): number[] {
    return pathOf(this.values.length, this.shape, this.strides).slice(0, depth);
  }
}

const isScalarLike = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value instanceof Complex;

function pathOf(position: number, shape: Shape, strides: readonly number[]): number[] {
  return shape.map((dim, axis) => Math.floor(position / strides[axis]!) % dim);
}

/** The text of a position in nested data; empty for the data itself. */
function at(path: readonly number[]): string {
  return path.length === 0 ? "" : ` at [${path.join("][")}]`;
}

/** Where an element of a shape stands, as text: ` at [0][2]`; nothing for a scalar. */
export function positionText(position: number, shape: Shape): string {
  return at(pathOf(position, shape, rowMajorStrides(shape)));
}
