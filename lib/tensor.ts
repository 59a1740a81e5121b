/**
 * The immutable tensor: element type, shape, axis names and the data some backend holds. It knows nothing of what can
 * be computed; the methods declared in `tensor-methods.ts` are installed by the public face from the functions themselves.
 */
import type { Backend, Template } from "./backend";
import type { Complex } from "./core/complex";
import type { SizesOf } from "./core/axis-types";
import { brandOf } from "./core/copies";
import type { Disposing } from "./core/disposing";
import type { Typed } from "./core/promotion";
import { sizeOf, type Names, type Shape } from "./core/shape";
import type { DType, Scalar } from "./core/types";

/** Where new tensors are noted; null for nowhere. */
let made: Tensor[] | null = null;

/** Notes new tensors in a list from now on, or nowhere; gives the list that was in force. */
export function noteNewTensors(list: Tensor[] | null): Tensor[] | null {
  const before = made;
  made = list;
  return before;
}

/** Runs `fn`, whose tensors are noted nowhere: they outlive the call, or have the data of others. */
export function unnoted<R>(fn: () => R): R {
  const before = noteNewTensors(null);
  try {
    return fn();
  } finally {
    made = before;
  }
}

const brand = brandOf("a tensor");

/**
 * What stops `structuredClone` and `postMessage`, which would make a plain object of a tensor: no symbol can be cloned, and engines
 * show which one it was.
 */
const NOT_CLONED = Symbol.for("a tensor of nx-numerics: send Nx.toMessage(tensor) instead");

/**
 * A multi-dimensional array of numbers of one type, immutable, with optional axis names.
 * `N` holds the axis names where they are known at compile time.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- methods derive from functions of a higher floor
export class Tensor<N extends Names = Names> implements Template {
  // The properties are accessors without setters over fields of the instance, so that nothing can be assigned to them. It costs
  // calls nothing, where freezing each tensor would; and test runners still see the fields when they compare two tensors.
  /** @internal */
  protected readonly _clone: symbol;
  private readonly _type: DType;
  private readonly _shape: SizesOf<N>;
  private readonly _names: N;
  private readonly _backend: Backend;
  private readonly _data: unknown;

  constructor(backend: Backend, data: unknown, type: DType, shape: Shape, names: Names) {
    this._clone = NOT_CLONED;
    this._type = type;
    this._shape = shape as SizesOf<N>;
    this._names = names as N;
    this._backend = backend;
    this._data = data;
    if (made !== null) made.push(this);
  }

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }

  /** Element type. */
  get type(): DType {
    return this._type;
  }

  /** Size of each axis; frozen. */
  get shape(): SizesOf<N> {
    return this._shape;
  }

  /** Name of each axis or null; frozen. */
  get names(): N {
    return this._names;
  }

  /** The backend that holds the data. */
  get backend(): Backend {
    return this._backend;
  }

  /** The backend's own representation; opaque to all others. */
  get data(): unknown {
    return this._data;
  }

  /** Number of axes. */
  get rank(): number {
    return this._shape.length;
  }

  /** Number of elements. */
  get size(): number {
    return sizeOf(this._shape);
  }
}

// oxlint-disable-next-line typescript/no-empty-object-type, no-unused-vars -- merging needs the parameter
export interface Tensor<N extends Names = Names> extends Disposing {}

/** The plain number behind a weak tensor. */
interface WeakNumber {
  /** A number of the same class: type inference treats all numbers of a class alike. */
  readonly representative: Scalar;
  /** The number in a type, with the bits that a constant of the number has there. */
  readonly as: (type: DType) => Tensor;
  /** Refuses the number beside an operand that strict promotion does not let it meet. */
  readonly check: (fn: string, operand: Typed) => void;
}

/**
 * A scalar that stands for a plain number while a function is traced. Functions whose operands meet treat it as the number;
 * for all others it is a tensor of the type inferred from the number alone, and so is everything that is computed of it.
 */
export class WeakTensor extends Tensor<readonly []> {
  constructor(
    /** The same scalar as any other tensor. */
    readonly strong: Tensor,
    readonly number: WeakNumber,
  ) {
    super(strong.backend, strong.data, strong.type, strong.shape, strong.names);
  }
}

/** Whatever stands for a tensor in an argument: a tensor, or a plain value that becomes a scalar. */
export type Operand<N extends Names = Names> = Tensor<N> | number | bigint | boolean | Complex;
