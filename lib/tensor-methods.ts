/**
 * Gives tensors the methods in their type. Types only. What imports the main entry sees it; a program of `nx-numerics/reference` alone
 * does not, and its tensors have no methods.
 */
import type { Names } from "./core/shape";
import type { Entry } from "./core/axis-types";
import type { TensorMethods } from "./generated/methods";

// oxlint-disable-next-line house/syntax -- the one way to add to the type of a class of another file
declare module "./tensor" {
  interface Tensor<N extends Names = Names> extends TensorMethods {
    /** The entries of the first axis, each without it: `for (const row of t)`. Scalars have none. */
    [Symbol.iterator](): Iterator<Tensor<Entry<N>>, void>;
  }
}

export type { TensorMethods };
