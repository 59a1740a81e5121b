/**
 * Tensors of zeros, of ones and of one value, under the names that NumPy and its kin have for them, and numbers in steps.
 */
import { ADD, MULTIPLY } from "../../backends/ops";
import type { BackendSpec } from "../../backend";
import type { Unguessed } from "../../core/axis-types";
import { defaultFloat } from "../../core/default-types";
import { ArgumentError, show } from "../../core/errors";
import { checkOptions, isPlainObject } from "../../core/options";
import { checkShape, type Name, type Names } from "../../core/shape";
import { isInteger, normalizeType, type DType, type Scalar } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, cast, constant, run, scalarType, template } from "../dispatch";
import { filledAs, iota, type ShapeLike } from "./generators";
import type { TensorOptions } from "./tensor";

/**
 * A tensor of zeros.
 *
 * @param shape - the shape; of a tensor its shape and names are taken
 * @param options - `type` (floats as configured, `f32`), `names`, `backend`
 * @returns a tensor of that shape
 * @throws ArgumentError for a malformed shape, and names that do not fit it
 * @example
 * ```ts
 * Nx.zeros([2, 3], { names: ["row", "column"] });
 * // => #Nx.Tensor<
 * //   f32[row: 2][column: 3]
 * //   [
 * //     [0.0, 0.0, 0.0],
 * //     [0.0, 0.0, 0.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.zeros([0]);
 * // throws ArgumentError: shape of Nx.zeros must hold positive integers only, got 0 in [0]; empty tensors do not exist
 * ```
 */
export function zeros<const N extends Names = Names, const M extends Names = N>(
  shape: ShapeLike<N>,
  options?: TensorOptions<M>,
): Tensor<M> {
  return filled("Nx.zeros", shape, 0, options);
}

/**
 * A tensor of ones.
 *
 * @param shape - the shape; of a tensor its shape and names are taken
 * @param options - `type` (floats as configured, `f32`), `names`, `backend`
 * @returns a tensor of that shape
 * @throws ArgumentError for a malformed shape, and names that do not fit it
 * @example
 * ```ts
 * Nx.ones([3], { type: "u8", names: ["x"] });
 * // => #Nx.Tensor<
 * //   u8[x: 3]
 * //   [1, 1, 1]
 * // >
 * Nx.ones([2], { names: ["x", "y"] });
 * // throws ArgumentError: Nx.ones: invalid names ["x", "y"] for tensor of rank 1
 * ```
 */
export function ones<const N extends Names = Names, const M extends Names = N>(
  shape: ShapeLike<N>,
  options?: TensorOptions<M>,
): Tensor<M> {
  return filled("Nx.ones", shape, 1, options);
}

function filled<N extends Names, M extends Names>(
  fn: string,
  shape: ShapeLike<N>,
  value: number,
  options: TensorOptions<M> | undefined,
): Tensor<M> {
  if (typeof shape === "number") checkShape(shape, `shape of ${fn}`, shape, options);
  options = checkOptions(fn, options, ["type", "names", "backend"]);
  return filledAs<N, M>(fn, shape, value, { ...options, type: options?.type ?? defaultFloat() });
}

/**
 * Another name of `Nx.fill`: a tensor with every element the same.
 *
 * @param shape - the shape; of a tensor its shape and names are taken
 * @param value - the value; a scalar tensor goes to `Nx.broadcast` instead
 * @param options - `type` (inferred from the value), `names`, `backend`
 * @returns a tensor of that shape
 * @throws ArgumentError for a malformed shape, or a value that the type cannot hold
 * @example
 * ```ts
 * Nx.full([2], 0.5, { names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [0.5, 0.5]
 * // >
 * Nx.full([2], 0.5, { type: "u8" });
 * // throws ArgumentError: Nx.full cannot store 0.5 in the type u8
 * ```
 */
export function full<const N extends Names = Names, const M extends Names = N>(
  shape: ShapeLike<N>,
  value: Scalar,
  options?: TensorOptions<M>,
): Tensor<M> {
  return filledAs("Nx.full", shape, value, options);
}

/** Options of functions that take shape, type and names of a tensor. */
export interface LikeOptions {
  /** Element type; that of the other tensor when left out. */
  readonly type?: DType;
  /** The backend that will hold the tensor. */
  readonly backend?: BackendSpec;
}

/**
 * Zeros in the shape of a tensor, with its type and names.
 *
 * @param tensor - a tensor or a plain number
 * @param options - `type` (that of the tensor), `backend`
 * @returns a tensor of the shape and names of the other
 * @throws ArgumentError for anything but a tensor or a number
 * @example
 * ```ts
 * Nx.zerosLike(Nx.tensor([1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [0, 0]
 * // >
 * Nx.zerosLike([1, 2] as never);
 * // throws ArgumentError: Nx.zerosLike expects a tensor or a number, got: [1, 2]; make a tensor of it with Nx.tensor(...) first
 * ```
 */
export function zerosLike<N extends Names>(tensor: Operand<N>, options?: LikeOptions): Tensor<N> {
  return like("Nx.zerosLike", tensor, 0, options);
}

/**
 * Ones in the shape of a tensor, with its type and names.
 *
 * @param tensor - a tensor or a plain number
 * @param options - `type` (that of the tensor), `backend`
 * @returns a tensor of the shape and names of the other
 * @throws ArgumentError for anything but a tensor or a number
 * @example
 * ```ts
 * Nx.onesLike(Nx.f32([0.5, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 1.0]
 * // >
 * Nx.onesLike([1, 2] as never);
 * // throws ArgumentError: Nx.onesLike expects a tensor or a number, got: [1, 2]; make a tensor of it with Nx.tensor(...) first
 * ```
 */
export function onesLike<N extends Names>(tensor: Operand<N>, options?: LikeOptions): Tensor<N> {
  return like("Nx.onesLike", tensor, 1, options);
}

/**
 * One value in the shape of a tensor, with its type and names.
 *
 * @param tensor - a tensor or a plain number
 * @param value - the value
 * @param options - `type` (that of the tensor), `backend`
 * @returns a tensor of the shape and names of the other
 * @throws ArgumentError for a value that the type cannot hold
 * @example
 * ```ts
 * const t = Nx.tensor([1, 2], { names: ["x"] });
 * Nx.fullLike(t, 7);
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [7, 7]
 * // >
 * Nx.fullLike(t, 0.5, { type: "f32" });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [0.5, 0.5]
 * // >
 * Nx.fullLike(t, 0.5);
 * // throws ArgumentError: Nx.fullLike cannot store 0.5 in the type s64
 * ```
 */
export function fullLike<N extends Names>(tensor: Operand<N>, value: Scalar, options?: LikeOptions): Tensor<N> {
  return like("Nx.fullLike", tensor, value, options);
}

function like<N extends Names>(
  fn: string,
  tensor: Operand<N>,
  value: Scalar,
  options: LikeOptions | undefined,
): Tensor<N> {
  options = checkOptions(fn, options, ["type", "backend"]);
  const t = asTensor(tensor, fn);
  return filledAs<N, N>(fn, t as Tensor<N>, value, { ...options, type: options?.type ?? t.type });
}

/** Options of `Nx.arange`. */
export interface ArangeOptions<M extends Name = Name> {
  /** Element type; integers where all numbers are integral (`s64`), else floats as configured (`f32`). */
  readonly type?: DType;
  /** Name of the axis. */
  readonly name?: M;
  /** The same as a list of one, as functions of any shape take it. */
  readonly names?: readonly [M];
  /** The backend that will hold the tensor. */
  readonly backend?: BackendSpec;
}

/**
 * Numbers from a start up to a stop, which is not among them, in equal steps: `Nx.arange(stop)`, `Nx.arange(start, stop)` or
 * `Nx.arange(start, stop, step)`, each with options at the end.
 *
 * Element `i` is `start + i * step`, computed in f64 and rounded once; integers are exact. Steps of fractions may give one element
 * more or less than expected, since most fractions are rounded already: `Nx.linspace` counts them.
 *
 * @param args - the numbers, then `type`, `name` and `backend` as options
 * @returns a vector of `ceil((stop - start) / step)` elements
 * @throws ArgumentError for a step of 0, and where there is no number between start and stop
 * @example
 * ```ts
 * Nx.arange(5);
 * // => #Nx.Tensor<
 * //   s64[5]
 * //   [0, 1, 2, 3, 4]
 * // >
 * Nx.arange(1, 0, -0.25, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 4]
 * //   [1.0, 0.75, 0.5, 0.25]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.arange(3, 1);
 * // throws ArgumentError: Nx.arange from 3 to 1 in steps of 1 has no elements, and empty tensors do not exist
 * ```
 */
export function arange<const M extends Name = null>(
  ...args:
    | readonly [stop: number, options?: ArangeOptions<M>]
    | readonly [start: number, stop: number, options?: ArangeOptions<M>]
    | readonly [start: number, stop: number, step: number, options?: ArangeOptions<M>]
): Tensor<readonly [Unguessed<M>]> {
  const last = args.at(-1);
  const isNumbers = args.length > 0 && !isPlainObject(last) && last !== undefined;
  const numbers = isNumbers ? args : args.slice(0, -1);
  const given = checkOptions("Nx.arange", isNumbers ? undefined : (last as ArangeOptions<M> | undefined), [
    "type",
    "name",
    "backend",
  ]);
  const [start, stop, step] = limitsOf(numbers);
  const count = Math.ceil((stop - start) / step);
  if (!(count >= 1)) {
    throw new ArgumentError(
      `Nx.arange from ${start} to ${stop} in steps of ${step} has no elements, and empty tensors do not exist`,
    );
  }
  const isWhole = [start, stop, step].every(Number.isSafeInteger);
  const type = given?.type === undefined ? (isWhole ? scalarType(0) : defaultFloat()) : normalizeType(given.type);
  const working = isWhole && isInteger(type) ? "s64" : "f64";
  const places = iota([count], {
    type: working,
    names: [given?.name ?? null],
    ...(given?.backend === undefined ? {} : { backend: given.backend }),
  });
  const stepped = step === 1 ? places : arithmetic(MULTIPLY, places, step);
  const values = start === 0 ? stepped : arithmetic(ADD, stepped, start);
  return cast(values, type) as Tensor<readonly [Unguessed<M>]>;
}

function arithmetic(op: typeof ADD | typeof MULTIPLY, t: Tensor, value: number): Tensor {
  return run("binary", template(t.type, t.shape, t.names), [t, constant(value, t.type)], { op, type: t.type });
}

function limitsOf(numbers: readonly unknown[]): [start: number, stop: number, step: number] {
  if (numbers.length < 1 || numbers.length > 3 || !numbers.every(Number.isFinite)) {
    throw new ArgumentError(
      `Nx.arange expects finite numbers: a stop, or start, stop and step, got: ${numbers.map(show).join(", ")}`,
    );
  }
  const [a, b, step = 1] = numbers as [number, number?, number?];
  if (step === 0) throw new ArgumentError("the step of Nx.arange must not be 0");
  return b === undefined ? [0, a, step] : [a, b, step];
}
