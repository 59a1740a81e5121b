/**
 * `tensor`: plain data, typed arrays and tensors become tensors.
 */
import type { Backend, BackendSpec } from "../../backend";
import { creationBackend, resolveBackend, tracingBackend } from "../../backends/registry";
import { templateBackend, templateTensor } from "../../backends/template";
import { bytesOfView, checkAttached } from "../../core/bytes";
import { ArgumentError, show } from "../../core/errors";
import { checkNames, mergeNames, unnamed } from "../../core/names";
import { checkOptions } from "../../core/options";
import type { ValueBuffer } from "../../core/pack";
import { checkSize, type Names, type Shape } from "../../core/shape";
import { isComplex, isInteger, normalizeType, toComplex, type DType, type Scalar } from "../../core/types";
import { Tensor, WeakTensor } from "../../tensor";
import type { JsonTensor } from "../../methods";
import { apart, run, scalarType, template } from "../dispatch";
import { isJsonTensor, readJson } from "./from-json";
import { arrayType, positionText, readNested, type NestedData, type NumericArray } from "./nested-core";

/** What `Nx.tensor` takes: a scalar, nested arrays of scalars or typed arrays, a typed array, a tensor, or one in JSON. */
export type TensorData = NestedData | Tensor | JsonTensor;

/** Names of a tensor made of data without names for it: numbers have no axes, tensors keep theirs. */
export type NamesOfData<D> = D extends { readonly names: infer N extends Names }
  ? N
  : D extends Scalar
    ? readonly []
    : Names;

/** Options of the constructor of one type. */
export interface TypedOptions<N extends Names = Names> {
  /** A name or null for each axis. */
  readonly names?: N;
  /** The backend that will hold the tensor; the default backend when left out. Ignored inside `defn`. */
  readonly backend?: BackendSpec;
}

/** Options of `Nx.tensor`. */
export interface TensorOptions<N extends Names = Names> extends TypedOptions<N> {
  /** Element type; inferred from the data when left out. */
  readonly type?: DType;
}

/**
 * Makes a tensor of plain data, copying it.
 *
 * Without a type, integral numbers and bigints are `s64` (or as configured), lists with any other number `f32`, booleans
 * `u8`, lists with an `Nx.Complex` `c64`; typed arrays keep their own type. Integers out of a given type's range wrap.
 *
 * @param data - a number, bigint, boolean or `Nx.Complex`; lists of them, nested with the same length at each level;
 *   a typed array, or lists of typed arrays; a tensor, whose names are dropped; what `JSON.parse` gives of a tensor, with its
 *   type and names
 * @param options - `type` of the elements, `names` of the axes, `backend` to hold them
 * @returns a tensor with an axis for each level of nesting
 * @throws ArgumentError for empty or ragged lists, elements that are no numbers, fractions in an integer type, names
 *   that do not fit; for a tensor of another type or backend than asked for, or with other names
 * @example
 * ```ts
 * Nx.tensor(1.5);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.5
 * // >
 * Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [1, 2, 3],
 * //     [4, 5, 6]
 * //   ]
 * // >
 * ```
 * @example
 * One fraction makes all elements floats. JavaScript cannot tell `1.0` from `1`, so floats of integral value need a type:
 * ```ts
 * Nx.tensor([1, 2.5, NaN, -Infinity]);
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [1.0, 2.5, NaN, -Inf]
 * // >
 * Nx.tensor([1, 2], { type: "f64" });
 * // => #Nx.Tensor<
 * //   f64[2]
 * //   [1.0, 2.0]
 * // >
 * ```
 * @example
 * Typed arrays keep their type, and integers wrap:
 * ```ts
 * Nx.tensor(Int8Array.of(1, -1));
 * // => #Nx.Tensor<
 * //   s8[2]
 * //   [1, -1]
 * // >
 * Nx.tensor([300, -1], { type: "u8" });
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [44, 255]
 * // >
 * Nx.tensor([new Nx.Complex(1, -1), 2]);
 * // => #Nx.Tensor<
 * //   c64[2]
 * //   [1.0-1.0i, 2.0+0.0i]
 * // >
 * ```
 * @example
 * Tensors go to JSON and back, with their type and names:
 * ```ts
 * const text = JSON.stringify(Nx.f32([0.1, NaN], { names: ["x"] }));
 * Nx.tensor(JSON.parse(text));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [0.1, NaN]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.tensor([[1, 2], [3]]);
 * // throws ArgumentError: Nx.tensor was given a ragged list: expected a list of length 2 as in the first entry, got a list of length 1 at [1]
 * Nx.tensor([1, 2.5], { type: "s32" });
 * // throws ArgumentError: Nx.tensor cannot store 2.5 at [1] in the integer type s32
 * Nx.tensor([[1, 2], [3, 4]], { names: ["x"] });
 * // throws ArgumentError: Nx.tensor: invalid names ["x"] for tensor of rank 2
 * ```
 */
export function tensor<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TensorOptions<N>,
): Tensor<N> {
  options = checkOptions("Nx.tensor", options, ["type", "names", "backend"]);
  const type = options?.type === undefined ? null : normalizeType(options.type);
  return make("Nx.tensor", data, type, options) as Tensor<N>;
}

/** What `tensor` and the constructors of one type do; `fn` is named in errors. */
export function make(fn: string, data: unknown, type: DType | null, options: TypedOptions | undefined): Tensor {
  if (data instanceof WeakTensor) return fromWeak(fn, data, type, options);
  if (data instanceof Tensor) return fromTensor(fn, data, type, options);
  const own = arrayType(data);
  if (own !== null && (type === null || type === own)) return fromTypedArray(fn, data as NumericArray, own, options);
  if (isJsonTensor(data)) return fromJson(fn, data, type, options);
  const { values, shape } = readNested(data, fn);
  const chosen = type ?? values.inferredType(scalarType(0));
  checkFit(fn, values, chosen, shape);
  return upload(chosen, shape, values.toBytes(chosen), options);
}

/** The tensor that was made JSON of, with its type and names where the options say nothing else. */
function fromJson(fn: string, json: JsonTensor, type: DType | null, options: TypedOptions | undefined): Tensor {
  const { type: own, shape, names, values } = readJson(json, fn);
  checkType(fn, own, type);
  const bytes = readNested(values, fn).values.toBytes(own);
  return upload(own, shape, bytes, {
    ...options,
    names: mergeNames(names, shape, checkNames(options?.names, shape), shape),
  });
}

/** What is made of a number is made of the tensor that stands for one in a trace. */
function fromWeak(fn: string, t: WeakTensor, type: DType | null, options: TypedOptions | undefined): Tensor {
  const { representative, as } = t.number;
  const { values, shape } = readNested(representative, fn);
  const chosen = type ?? t.type;
  checkFit(fn, values, chosen, shape);
  checkNames(options?.names, shape);
  return as(chosen);
}

/** Hands bytes to the backend that the options name. */
export function upload(type: DType, shape: Shape, bytes: Uint8Array, options: TypedOptions | undefined): Tensor {
  const out = template(type, shape, checkNames(options?.names, shape));
  const backend = creationBackend(options?.backend);
  return new Tensor(backend, backend.upload(out, bytes), type, shape, out.names);
}

function fromTypedArray(fn: string, array: NumericArray, type: DType, options: TypedOptions | undefined): Tensor {
  if (array.length === 0) checkAttached(array.buffer, fn);
  if (array.length === 0)
    throw new ArgumentError(`cannot make a tensor of an empty ${array.constructor.name}; empty tensors do not exist`);
  const shape = Object.freeze([array.length]);
  checkSize(shape);
  return upload(type, shape, bytesOfView(array), options);
}

function checkFit(fn: string, values: ValueBuffer, type: DType, shape: Shape): void {
  if (isInteger(type) && values.firstBeyond >= 0) {
    throw new ArgumentError(
      `${fn} cannot store ${show(values.beyond)}${positionText(values.firstBeyond, shape)} in the integer type ${type}: no ` +
        `integer type holds it, u64 ends at 2^64 - 1 and s64 begins at -2^63; make a tensor of floats, with { type: "f64" }`,
    );
  }
  if (isInteger(type) && values.firstFraction >= 0) {
    const value = show(values.numbers[values.firstFraction]);
    throw new ArgumentError(
      `${fn} cannot store ${value}${positionText(values.firstFraction, shape)} in the integer type ${type}; ` +
        `make the tensor without a type and convert it with Nx.asType(tensor, ${show(type)})`,
    );
  }
  if (!isComplex(type) && values.firstComplex >= 0) {
    throw new ArgumentError(
      `${fn} cannot store a complex number${positionText(values.firstComplex, shape)} in the real type ${type}; ` +
        `use the type ${toComplex(type)}, or take Nx.real of the tensor`,
    );
  }
}

/** Refuses a tensor of another type than asked for. */
function checkType(fn: string, own: DType, wanted: DType | null): void {
  if (wanted === null || wanted === own) return;
  throw new ArgumentError(
    `${fn} expects a tensor with type ${wanted} but it was given a tensor of type ${own}; convert it with Nx.asType`,
  );
}

function fromTensor(fn: string, given: Tensor, type: DType | null, options: TypedOptions | undefined): Tensor {
  checkType(fn, given.type, type);
  if (options?.backend !== undefined && !tracingBackend())
    checkBackend(fn, given.backend, resolveBackend(options.backend));
  const names = options?.names === undefined ? unnamed(given.shape.length) : checkNames(options.names, given.shape);
  mergeNames(given.names, given.shape, names, given.shape);
  return apart(renamed(given, names), given);
}

/** The tensor under other names; a backend that records what happens to a tensor records this, too. */
export function renamed(t: Tensor, names: Names): Tensor {
  if (names.every((name, i) => name === t.names[i])) return t;
  if (t.backend === templateBackend) return templateTensor(t.type, t.shape, names);
  return run("reshape", template(t.type, t.shape, names), [t], {});
}

function checkBackend(fn: string, own: Backend, wanted: Backend): void {
  if (own.name === wanted.name) return;
  throw new ArgumentError(
    `${fn} expects a tensor on the backend ${show(wanted.name)} but it was given one on ${show(own.name)}; ` +
      `move it with Nx.backendTransfer`,
  );
}
