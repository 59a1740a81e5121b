/**
 * Reading tensors back as plain values, and cutting them into batches.
 */
import { readNow } from "../backends/reading";
import { elementReader, rawArray, widenHalf, type Value } from "../core/bytes";
import { calledAs } from "../core/entry";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, integerOption, wordOption } from "../core/options";
import { formatShape, sizeOf, type Names } from "../core/shape";
import type { ListOf, TypedArray } from "../methods";
import type { Operand, Tensor } from "../tensor";
import { asTensor, apart, run, template } from "./dispatch";
import { inspect } from "./inspect";
import { nestedLists } from "./lists";

/** Options of functions that may read only the first elements. */
export interface LimitOptions {
  /** At most so many elements, in row-major order. */
  readonly limit?: number;
}

/**
 * The value as a tensor: plain scalars are converted as in every argument, tensors are returned as they are.
 *
 * @param value - a tensor, number, bigint, boolean or `Nx.Complex`
 * @returns a tensor of the same elements
 * @throws ArgumentError for anything else; lists go to `Nx.tensor`, bytes to `Nx.fromBinary`
 * @example
 * ```ts
 * Nx.toTensor(1);
 * // => #Nx.Tensor<
 * //   s64
 * //   1
 * // >
 * const t = Nx.tensor([1, 2], { names: ["x"] });
 * Nx.toTensor(t).equals(t);
 * // => true
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.toTensor([1, 2]);
 * // throws ArgumentError: Nx.toTensor expects a tensor or a number, got: [1, 2]; make a tensor of it with Nx.tensor(...) first
 * ```
 */
export function toTensor<N extends Names = readonly []>(value: Operand<N>): Tensor<N> {
  return apart(asTensor(value, "Nx.toTensor"), value) as Tensor<N>;
}

/**
 * The value of a scalar tensor. Cannot be used inside `defn`, where values are not known yet.
 *
 * @param tensor - a tensor of shape `[]`
 * @returns a number; a bigint for 64-bit integers beyond ±(2^53 - 1), an `Nx.Complex` for complex types
 * @throws ArgumentError if the tensor has any axis
 * @example
 * ```ts
 * Nx.toNumber(Nx.tensor(1.5));
 * // => 1.5
 * Nx.toNumber(Nx.s64(9007199254740993n));
 * // => 9007199254740993n
 * ```
 * @example
 * ```ts
 * Nx.toNumber(Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] }));
 * // throws ArgumentError: Nx.toNumber: cannot convert tensor of shape [x: 2][y: 2] to number
 * ```
 */
export function toNumber(tensor: Operand): Value {
  const t = asTensor(tensor, "Nx.toNumber");
  if (t.shape.length > 0) {
    throw new ArgumentError(
      `cannot convert tensor of shape ${formatShape(t.shape, t.names)} to number; ` +
        `use Nx.toList, Nx.toFlatList or reduce it to a scalar first`,
    );
  }
  return elementReader(t.type, readNow(t))(0);
}

/**
 * All elements in one list, in row-major order. Cannot be used inside `defn`.
 *
 * @param tensor - any tensor or plain value
 * @param options - `limit` to the first so many elements
 * @returns numbers; bigints and `Nx.Complex` as in {@link toNumber}
 * @throws ArgumentError if the limit is no positive integer
 * @example
 * ```ts
 * Nx.toFlatList(Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] }), { limit: 3 });
 * // => [1, 2, 3]
 * Nx.toFlatList(Nx.tensor([-Infinity, NaN, 0.5]));
 * // => [-Infinity, NaN, 0.5]
 * ```
 * @example
 * ```ts
 * Nx.toFlatList(Nx.iota([3]), { limit: 0 });
 * // throws ArgumentError: option limit of Nx.toFlatList must be an integer of at least 1, got: 0
 * ```
 */
export function toFlatList(tensor: Operand, options?: LimitOptions): Value[] {
  const t = asTensor(tensor, "Nx.toFlatList");
  const count = limitOf("Nx.toFlatList", t, options);
  const read = elementReader(t.type, readNow(t, count));
  return Array.from({ length: count }, (_, i) => read(i));
}

function limitOf(fn: string, t: Tensor, options: LimitOptions | undefined): number {
  options = checkOptions(fn, options, ["limit"]);
  const size = sizeOf(t.shape);
  if (options?.limit === Infinity) return size;
  return Math.min(size, integerOption(fn, "limit", options?.limit, size, 1));
}

/**
 * The elements as lists nested like the axes. Cannot be used inside `defn`.
 *
 * @param tensor - a tensor with at least one axis
 * @returns nested lists of numbers, as deep as the names say where they are known; bigints and `Nx.Complex` as in {@link toNumber}.
 *   Lists of nothing but numbers come from {@link toNumbers}
 * @throws ArgumentError for a scalar
 * @example
 * ```ts
 * Nx.toList(Nx.iota([2, 3], { names: ["x", "y"] }));
 * // => [[0, 1, 2], [3, 4, 5]]
 * Nx.toList(Nx.tensor([0.5, NaN]));
 * // => [0.5, NaN]
 * ```
 * @example
 * ```ts
 * Nx.toList(Nx.tensor(123));
 * // throws ArgumentError: Nx.toList: cannot convert a scalar tensor to a list, got: #Nx.Tensor<
 * ```
 */
export function toList<N extends Names = readonly []>(tensor: Operand<N>): ListOf<N> {
  const t: Tensor = asTensor(tensor, "Nx.toList");
  if (t.shape.length === 0) {
    throw new ArgumentError(`cannot convert a scalar tensor to a list, got: ${inspect(t)}; use Nx.toNumber`);
  }
  return nestedLists(t.shape, elementReader(t.type, readNow(t))) as ListOf<N>;
}

/**
 * The elements as bytes: row-major and little-endian, complex numbers as real then imaginary part. A copy.
 * Cannot be used inside `defn`.
 *
 * @param tensor - any tensor or plain value
 * @param options - `limit` to the first so many elements
 * @returns the bytes
 * @throws ArgumentError if the limit is no positive integer
 * @example
 * ```ts
 * Nx.toBinary(Nx.u16([[1, 256]], { names: ["x", "y"] }));
 * // => Uint8Array(4) [1, 0, 0, 1]
 * Nx.toBinary(Nx.f32([1, 2, 3]), { limit: 2 });
 * // => Uint8Array(8) [0, 0, 128, 63, 0, 0, 0, 64]
 * ```
 * @example
 * ```ts
 * Nx.toBinary(Nx.iota([3]), { limit: 1.5 });
 * // throws ArgumentError: option limit of Nx.toBinary must be an integer of at least 1, got: 1.5
 * ```
 */
export function toBinary(tensor: Operand, options?: LimitOptions): Uint8Array {
  const t = asTensor(tensor, "Nx.toBinary");
  return readNow(t, limitOf("Nx.toBinary", t, options));
}

/**
 * The elements as a typed array of their type, in row-major order. A copy. Cannot be used inside `defn`.
 *
 * @param tensor - any tensor or plain value
 * @returns the array of the type: `s64` gives a `BigInt64Array`, `u64` a `BigUint64Array`; `f16` and `bf16` are widened to
 *   a `Float32Array`; `c64` and `c128` give real and imaginary parts in turn
 * @throws ArgumentError for what is no tensor
 * @example
 * ```ts
 * Nx.toTypedArray(Nx.f16([1, 2.5], { names: ["x"] }));
 * // => Float32Array(2) [1, 2.5]
 * Nx.toTypedArray(Nx.tensor([1, 2]));
 * // => BigInt64Array(2) [1n, 2n]
 * Nx.toTypedArray(Nx.tensor([new Nx.Complex(1, -2)]));
 * // => Float32Array(2) [1, -2]
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.toTypedArray("1");
 * // throws ArgumentError: Nx.toTypedArray expects a tensor or a number, got: "1"
 * ```
 */
export function toTypedArray(tensor: Operand): TypedArray {
  const t = asTensor(tensor, "Nx.toTypedArray");
  const raw = rawArray(t.type, readNow(t));
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
  /** What becomes of a last batch that is short: filled from the first entries (default), left out, or kept as it is. */
  readonly leftover?: "repeat" | "discard" | "keep";
}

/**
 * Cuts a tensor along axis 0 into batches, one at a time as they are asked for.
 *
 * A short last batch is filled up from the first entries by default, which then come twice: what is added up or averaged over all
 * batches counts them twice. With `leftover: "discard"` each entry comes at most once and all batches have the same size, with
 * `leftover: "keep"` each comes once and the last batch may be shorter, for which compiled functions are traced once more.
 *
 * @param tensor - a tensor with at least one axis
 * @param batchSize - entries of axis 0 in each batch, from 1 to its size
 * @param options - `leftover`: a short last batch is filled up from the first entries (`"repeat"`), left out (`"discard"`) or kept (`"keep"`)
 * @returns a generator of tensors with the names of the given one
 * @throws ArgumentError for a scalar or a batch size out of range
 * @example
 * ```ts
 * const t = Nx.iota([3, 2], { names: ["x", "y"] });
 * const [first, second] = Nx.toBatched(t, 2);
 * first;
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [0, 1],
 * //     [2, 3]
 * //   ]
 * // >
 * second;
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [4, 5],
 * //     [0, 1]
 * //   ]
 * // >
 * Array.from(Nx.toBatched(t, 2, { leftover: "discard" })).length;
 * // => 1
 * Array.from(Nx.toBatched(t, 2, { leftover: "keep" }), (batch) => batch.shape);
 * // => [[2, 2], [1, 2]]
 * ```
 * @example
 * ```ts
 * Nx.toBatched(Nx.iota([3]), 4);
 * // throws ArgumentError: Nx.toBatched: batch size must be an integer from 1 to 3, the size of axis 0 of [3], got: 4
 * ```
 */
export function toBatched<N extends Names>(
  tensor: Tensor<N>,
  batchSize: number,
  options?: BatchedOptions,
): Generator<Tensor<N>, void> {
  options = checkOptions("Nx.toBatched", options, ["leftover"]);
  const leftover = wordOption("Nx.toBatched", "leftover", options?.leftover, ["repeat", "discard", "keep"], "repeat");
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

function* batches<N extends Names>(
  t: Tensor<N>,
  batchSize: number,
  leftover: "repeat" | "discard" | "keep",
): Generator<Tensor<N>, void> {
  const size = t.shape[0]!;
  for (let start = 0; start < size; start += batchSize) {
    const count = leftover === "keep" ? Math.min(batchSize, size - start) : batchSize;
    if (start + count <= size) yield calledAs("Nx.toBatched", () => rows(t, start, count));
    else if (leftover === "repeat") yield calledAs("Nx.toBatched", () => wrapped(t, start, batchSize));
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
