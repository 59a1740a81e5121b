/**
 * Gives tensors the methods in their type. Types only. What imports the main entry sees it; a program of `nx-numerics/reference` alone
 * does not, and its tensors have no methods.
 */
import type { Names } from "./core/shape";
import type { TensorMethods } from "./generated/methods";

// eslint-disable-next-line no-restricted-syntax -- the one way to add to the type of a class of another file
declare module "./tensor" {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merging needs the parameter
  interface Tensor<N extends Names = Names> extends TensorMethods {}
}

export type { TensorMethods };
