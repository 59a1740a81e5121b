/**
 * The immutable tensor: element type, shape, axis names and the data some backend holds. It knows nothing of what can
 * be computed; the methods declared in `methods.ts` are installed by the public face from the functions themselves.
 */
import type { Backend, Template } from "./backend";
import type { Complex } from "./core/complex";
import { sizeOf, type Names, type Shape } from "./core/shape";
import type { DType } from "./core/types";
import type { TensorMethods } from "./methods";

/**
 * A multi-dimensional array of numbers of one type, immutable, with optional axis names.
 * `N` holds the axis names where they are known at compile time.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- methods derive from functions of a higher floor
export class Tensor<N extends Names = Names> implements Template {
  /** Element type. */
  readonly type: DType;
  /** Size of each axis; frozen. */
  readonly shape: Shape;
  /** Name of each axis or null; frozen. */
  readonly names: N;
  /** The backend that holds the data. */
  readonly backend: Backend;
  /** The backend's own representation; opaque to all others. */
  readonly data: unknown;

  constructor(backend: Backend, data: unknown, type: DType, shape: Shape, names: Names) {
    this.type = type;
    this.shape = shape;
    this.names = names as N;
    this.backend = backend;
    this.data = data;
  }

  /** Number of axes. */
  get rank(): number {
    return this.shape.length;
  }

  /** Number of elements. */
  get size(): number {
    return sizeOf(this.shape);
  }
}

// eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merging needs the parameter
export interface Tensor<N extends Names = Names> extends TensorMethods {}

/** Whatever stands for a tensor in an argument: a tensor, or a plain value that becomes a scalar. */
export type Operand<N extends Names = Names> = Tensor<N> | number | bigint | boolean | Complex;
