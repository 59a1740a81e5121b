/**
 * `tensor` and one constructor per type: plain data, typed arrays and tensors become tensors.
 */
import type { Backend, BackendSpec } from "../../backend";
import { creationBackend, resolveBackend, tracingBackend } from "../../backends/registry";
import { bytesOfView } from "../../core/bytes";
import { ArgumentError, show } from "../../core/errors";
import { checkNames, mergeNames, unnamed } from "../../core/names";
import { checkOptions } from "../../core/options";
import type { ValueBuffer } from "../../core/pack";
import { checkSize, formatShape, type Names, type Shape } from "../../core/shape";
import { isComplex, isInteger, normalizeType, toComplex, type DType } from "../../core/types";
import { Tensor } from "../../tensor";
import { scalarType, template } from "../dispatch";
import { arrayType, positionText, readNested, type NestedData, type NumericArray } from "./nested-core";

/** What `Nx.tensor` takes: a scalar, nested arrays of scalars or typed arrays, a typed array, or a tensor. */
export type TensorData = NestedData | Tensor;

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

export function tensor<const N extends Names = Names>(data: TensorData, options?: TensorOptions<N>): Tensor<N> {
  checkOptions("Nx.tensor", options, ["type", "names", "backend"]);
  const type = options?.type === undefined ? null : normalizeType(options.type);
  return make("Nx.tensor", data, type, options) as Tensor<N>;
}

function make(fn: string, data: unknown, type: DType | null, options: TypedOptions | undefined): Tensor {
  if (data instanceof Tensor) return fromTensor(fn, data, type, options);
  const own = arrayType(data);
  if (own !== null && (type === null || type === own)) return fromTypedArray(data as NumericArray, own, options);
  const { values, shape } = readNested(data, fn);
  const chosen = type ?? values.inferredType(scalarType(0));
  checkFit(fn, values, chosen, shape);
  return upload(chosen, shape, values.toBytes(chosen), options);
}

/** Hands bytes to the backend that the options name. */
export function upload(type: DType, shape: Shape, bytes: Uint8Array, options: TypedOptions | undefined): Tensor {
  const out = template(type, shape, checkNames(options?.names, shape));
  const backend = creationBackend(options?.backend);
  return new Tensor(backend, backend.upload(out, bytes), type, shape, out.names);
}

function fromTypedArray(array: NumericArray, type: DType, options: TypedOptions | undefined): Tensor {
  if (array.length === 0) throw new ArgumentError(`cannot make a tensor of an empty ${array.constructor.name}; empty tensors do not exist`);
  const shape = Object.freeze([array.length]);
  checkSize(shape);
  return upload(type, shape, bytesOfView(array), options);
}

function checkFit(fn: string, values: ValueBuffer, type: DType, shape: Shape): void {
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

function fromTensor(fn: string, given: Tensor, type: DType | null, options: TypedOptions | undefined): Tensor {
  if (type !== null && type !== given.type) {
    throw new ArgumentError(
      `${fn} expects a tensor with type ${type} but it was given a tensor of type ${given.type}; convert it with Nx.asType`,
    );
  }
  if (options?.backend !== undefined && !tracingBackend()) checkBackend(fn, given.backend, resolveBackend(options.backend));
  const names = options?.names === undefined ? unnamed(given.shape.length) : checkNames(options.names, given.shape);
  mergeNames(given.names, given.shape, names, given.shape);
  return new Tensor(given.backend, given.data, given.type, given.shape, names);
}

function checkBackend(fn: string, own: Backend, wanted: Backend): void {
  if (own.name === wanted.name) return;
  throw new ArgumentError(
    `${fn} expects a tensor on the backend ${show(wanted.name)} but it was given one on ${show(own.name)}; ` +
      `move it with Nx.backendTransfer`,
  );
}

/** What the constructor of one type takes; typed arrays and lists are converted, tensors must have the type already. */
type TypedConstructor = <const N extends Names = Names>(data: TensorData, options?: TypedOptions<N>) => Tensor<N>;

function constructorOf(type: DType): TypedConstructor {
  return function <const N extends Names = Names>(data: TensorData, options?: TypedOptions<N>): Tensor<N> {
    const fn = `Nx.${type}`;
    checkOptions(fn, options, ["names", "backend"]);
    return make(fn, data, type, options) as Tensor<N>;
  };
}

export const u8: TypedConstructor = constructorOf("u8");
export const u16: TypedConstructor = constructorOf("u16");
export const u32: TypedConstructor = constructorOf("u32");
export const u64: TypedConstructor = constructorOf("u64");
export const s8: TypedConstructor = constructorOf("s8");
export const s16: TypedConstructor = constructorOf("s16");
export const s32: TypedConstructor = constructorOf("s32");
export const s64: TypedConstructor = constructorOf("s64");
export const f16: TypedConstructor = constructorOf("f16");
export const bf16: TypedConstructor = constructorOf("bf16");
export const f32: TypedConstructor = constructorOf("f32");
export const f64: TypedConstructor = constructorOf("f64");
export const c64: TypedConstructor = constructorOf("c64");
export const c128: TypedConstructor = constructorOf("c128");
