/**
 * Reading tensors back as plain values, and cutting them into batches.
 */
import { elementReader, rawArray, widenHalf, type Value } from "../core/bytes";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, integerOption, wordOption } from "../core/options";
import { formatShape, sizeOf, type Names, type Shape } from "../core/shape";
import type { NestedList, TypedArray } from "../methods";
import type { Operand, Tensor } from "../tensor";
import { asTensor, run, template } from "./dispatch";
import { inspect } from "./inspect";

/** Options of functions that may read only the first elements. */
export interface LimitOptions {
  /** At most so many elements, in row-major order. */
  readonly limit?: number;
}

export function toTensor<N extends Names = readonly []>(value: Operand<N>): Tensor<N> {
  return asTensor(value, "Nx.toTensor") as Tensor<N>;
}

export function toNumber(tensor: Operand): Value {
  const t = asTensor(tensor, "Nx.toNumber");
  if (t.shape.length > 0) {
    throw new ArgumentError(
      `cannot convert tensor of shape ${formatShape(t.shape, t.names)} to number; ` +
        `use Nx.toList, Nx.toFlatList or reduce it to a scalar first`,
    );
  }
  return elementReader(t.type, t.backend.download(t))(0);
}

export function toFlatList(tensor: Operand, options?: LimitOptions): Value[] {
  const t = asTensor(tensor, "Nx.toFlatList");
  const count = limitOf("Nx.toFlatList", t, options);
  const read = elementReader(t.type, t.backend.download(t, count));
  return Array.from({ length: count }, (_, i) => read(i));
}

function limitOf(fn: string, t: Tensor, options: LimitOptions | undefined): number {
  checkOptions(fn, options, ["limit"]);
  const size = sizeOf(t.shape);
  if (options?.limit === Infinity) return size;
  return Math.min(size, integerOption(fn, "limit", options?.limit, size, 1));
}

export function toList(tensor: Operand): NestedList {
  const t = asTensor(tensor, "Nx.toList");
  if (t.shape.length === 0) {
    throw new ArgumentError(`cannot convert a scalar tensor to a list, got: ${inspect(t)}; use Nx.toNumber`);
  }
  return nested(t.shape, elementReader(t.type, t.backend.download(t)));
}

function nested(shape: Shape, read: (index: number) => Value): NestedList {
  let next = 0;
  const level = (axis: number): NestedList => {
    const list: NestedList = new Array<Value>(shape[axis]!);
    for (let i = 0; i < list.length; i++) list[i] = axis === shape.length - 1 ? read(next++) : level(axis + 1);
    return list;
  };
  return level(0);
}

export function toBinary(tensor: Operand, options?: LimitOptions): Uint8Array {
  const t = asTensor(tensor, "Nx.toBinary");
  return t.backend.download(t, limitOf("Nx.toBinary", t, options));
}

export function toTypedArray(tensor: Operand): TypedArray {
  const t = asTensor(tensor, "Nx.toTypedArray");
  const raw = rawArray(t.type, t.backend.download(t));
  switch (t.type) {
    case "s64":
      return new BigInt64Array(raw.buffer, raw.byteOffset, raw.length / 2);
    case "u64":
      return new BigUint64Array(raw.buffer, raw.byteOffset, raw.length / 2);
    case "f16":
    case "bf16":
      return widenHalf(t.type, raw as Uint16Array);
    default:
      return raw;
  }
}

/** Options of `Nx.toBatched`. */
export interface BatchedOptions {
  /** What becomes of a last batch that is short: filled from the first entries (default) or left out. */
  readonly leftover?: "repeat" | "discard";
}

export function toBatched<N extends Names>(tensor: Tensor<N>, batchSize: number, options?: BatchedOptions): Generator<Tensor<N>, void> {
  checkOptions("Nx.toBatched", options, ["leftover"]);
  const leftover = wordOption("Nx.toBatched", "leftover", options?.leftover, ["repeat", "discard"], "repeat");
  const t = asTensor(tensor, "Nx.toBatched") as Tensor<N>;
  if (t.shape.length === 0) throw new ArgumentError("cannot batch a scalar tensor, it has no axis 0 to divide");
  const size = t.shape[0]!;
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > size) {
    throw new ArgumentError(
      `batch size must be an integer from 1 to ${size}, the size of axis 0 of ${formatShape(t.shape, t.names)}, got: ${show(batchSize)}`,
    );
  }
  return batches(t, batchSize, leftover);
}

function* batches<N extends Names>(t: Tensor<N>, batchSize: number, leftover: "repeat" | "discard"): Generator<Tensor<N>, void> {
  const size = t.shape[0]!;
  for (let start = 0; start < size; start += batchSize) {
    if (start + batchSize <= size) yield rows(t, start, batchSize);
    else if (leftover === "repeat") yield wrapped(t, start, batchSize);
  }
}

/** So many entries of axis 0. */
function rows<N extends Names>(t: Tensor<N>, start: number, count: number): Tensor<N> {
  const lengths = [count, ...t.shape.slice(1)];
  const attrs = { starts: t.shape.map((_, i) => (i === 0 ? start : 0)), lengths, strides: t.shape.map(() => 1) };
  return run("slice", template(t.type, Object.freeze(lengths), t.names), [t], attrs) as Tensor<N>;
}

/** The last entries, followed by the first ones up to the batch size. */
function wrapped<N extends Names>(t: Tensor<N>, start: number, batchSize: number): Tensor<N> {
  const left = t.shape[0]! - start;
  const out = template(t.type, Object.freeze([batchSize, ...t.shape.slice(1)]), t.names);
  return run("concatenate", out, [rows(t, start, left), rows(t, 0, batchSize - left)], { axis: 0 }) as Tensor<N>;
}
