/**
 * Reading elements as numbers of JavaScript and nothing else: what has a bigint or a complex number among its elements is refused.
 */
import { readNow } from "../backends/reading";
import { elementReader, rawArray, widenHalf } from "../core/bytes";
import type { Complex } from "../core/complex";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, integerOption } from "../core/options";
import { formatShape, sizeOf } from "../core/shape";
import { isComplex } from "../core/types";
import type { NumberList } from "../methods";
import type { Operand, Tensor } from "../tensor";
import { asTensor } from "./dispatch";
import { nestedLists } from "./lists";

/** Options of {@link toNumbers}. */
export interface NumbersOptions<R extends number = number> {
  /** How deep the lists are nested: the number of axes that the tensor must have. One flat list when left out. */
  readonly rank?: R;
}

/**
 * The one element of a tensor, as a number. Cannot be used inside `defn`, where values are not known yet.
 *
 * It is what a sum, a loss or a count is read with. Use {@link toNumber} for elements that may be bigints or complex numbers.
 *
 * @param tensor - a tensor of one element, whatever its shape
 * @returns a number
 * @throws ArgumentError for a tensor of more elements, for a complex one, and for an integer beyond ±(2^53 - 1), which no number holds
 * @example
 * ```ts
 * Nx.item(Nx.tensor([1.5, 2.5]).sum());
 * // => 4
 * Nx.item(Nx.f32([[0.5]], { names: ["x", "y"] })) + 1;
 * // => 1.5
 * ```
 * @example
 * ```ts
 * Nx.item(Nx.tensor([1, 2], { names: ["x"] }));
 * // throws ArgumentError: Nx.item expects a tensor of one element, got shape [x: 2]
 * Nx.item(Nx.tensor(9007199254740993n));
 * // throws ArgumentError: Nx.item: the element 9007199254740993n is an integer that no number holds
 * Nx.item(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.item expects real elements, got the type c64
 * ```
 */
export function item(tensor: Operand): number {
  const t = asTensor(tensor, "Nx.item");
  if (sizeOf(t.shape) !== 1) {
    throw new ArgumentError(
      `Nx.item expects a tensor of one element, got shape ${formatShape(t.shape, t.names)}; ` +
        `take one with t.at(...), reduce it, or read all with t.toNumbers()`,
    );
  }
  return numberReader(t, "Nx.item", "t.toNumber()")(0);
}

/**
 * The elements as numbers, in one list or nested like the axes. Cannot be used inside `defn`.
 *
 * @param tensor - any real tensor or plain number
 * @param options - `rank`: lists nested so deep, which a tensor of as many axes gives; without it one list in row-major order
 * @returns `number[]`; with `rank: 2` a `number[][]`, and so on
 * @throws ArgumentError for complex tensors, for integers beyond ±(2^53 - 1), which no number holds, and for a tensor of another rank
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] });
 * Nx.toNumbers(t);
 * // => [1, 2, 3, 4]
 * Nx.toNumbers(t, { rank: 2 }).map((row) => Math.max(...row));
 * // => [2, 4]
 * ```
 * @example
 * ```ts
 * Nx.toNumbers(Nx.tensor([[1, 2]], { names: ["x", "y"] }), { rank: 1 });
 * // throws ArgumentError: Nx.toNumbers expects a tensor of rank 1, as the option says, got shape [x: 1][y: 2]
 * Nx.toNumbers(Nx.tensor([1n, -9007199254740993n]));
 * // throws ArgumentError: Nx.toNumbers: the element -9007199254740993n is an integer that no number holds
 * ```
 */
export function toNumbers<const R extends number = 0>(tensor: Operand, options?: NumbersOptions<R>): NumberList<R> {
  const fn = "Nx.toNumbers";
  options = checkOptions(fn, options, ["rank"]);
  const t = asTensor(tensor, fn);
  const rank = options?.rank === undefined ? null : integerOption(fn, "rank", options.rank, 1, 1);
  if (rank !== null && rank !== t.shape.length) {
    throw new ArgumentError(
      `${fn} expects a tensor of rank ${rank}, as the option says, got shape ${formatShape(t.shape, t.names)}; ` +
        `leave the option out for one flat list`,
    );
  }
  const read = numberReader(t, fn, "t.toFlatList()");
  const shape = rank === null ? [sizeOf(t.shape)] : t.shape;
  return nestedLists(shape, read) as NumberList<R>;
}

/**
 * The elements as numbers in a typed array, in row-major order. A copy. Cannot be used inside `defn`.
 *
 * @param tensor - any real tensor or plain number
 * @returns the numbers; those of types narrower than `f64` are exact
 * @throws ArgumentError for complex tensors and for integers beyond ±(2^53 - 1), which no number holds
 * @example
 * ```ts
 * Nx.toFloat64Array(Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] }));
 * // => Float64Array(4) [1, 2, 3, 4]
 * Nx.toFloat64Array(Nx.bf16([0.5, NaN, -Infinity]));
 * // => Float64Array(3) [0.5, NaN, -Infinity]
 * ```
 * @example
 * ```ts
 * Nx.toFloat64Array(Nx.c64([1, 2]));
 * // throws ArgumentError: Nx.toFloat64Array expects real elements, got the type c64
 * ```
 */
export function toFloat64Array(tensor: Operand): Float64Array {
  const fn = "Nx.toFloat64Array";
  const t = asTensor(tensor, fn);
  switch (t.type) {
    case "s64":
    case "u64":
    case "c64":
    case "c128": {
      const read = numberReader(t, fn, "t.toTypedArray()");
      return Float64Array.from({ length: sizeOf(t.shape) }, (_, i) => read(i));
    }
    case "f16":
    case "bf16":
      return Float64Array.from(widenHalf(t.type, rawArray(t.type, readNow(t)) as Uint16Array));
    case "f64":
      return rawArray(t.type, readNow(t)) as Float64Array;
    default:
      return Float64Array.from(rawArray(t.type, readNow(t)));
  }
}

/** Reads elements that are numbers; `instead` reads all there are. */
function numberReader(t: Tensor, fn: string, instead: string): (index: number) => number {
  if (isComplex(t.type)) {
    throw new ArgumentError(
      `${fn} expects real elements, got the type ${t.type}; take Nx.real(t), Nx.imag(t) or Nx.abs(t), or read complex ` +
        `numbers with ${instead}`,
    );
  }
  const read = elementReader(t.type, readNow(t));
  return (index) => {
    const value = read(index);
    if (typeof value === "number") return value;
    throw unsafe(fn, value, instead);
  };
}

const unsafe = (fn: string, value: bigint | Complex, instead: string): ArgumentError =>
  new ArgumentError(
    `${fn}: the element ${show(value)} is an integer that no number holds, as it is beyond 2^53 - 1; ` +
      `read bigints with ${instead}, or round with t.asType("f64") first`,
  );
