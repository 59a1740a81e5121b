/**
 * `nx-numerics/backend`: everything for authors of backends. The interface with its primitives and their attributes, the kernels
 * that it may be asked to run, the vocabulary of ops as tables, and a helper for backends that do not do everything.
 */
export type * from "../backend-types";
export { MULTI_RESULT_PRIMITIVES, PRIMITIVES } from "../backend";
export type { Kernel, Value } from "../kernel/value";
export {
  ARG_REDUCE as ARG_REDUCE_OPS,
  BINARY as BINARY_OPS,
  CUMULATIVE as CUMULATIVE_OPS,
  REDUCE as REDUCE_OPS,
  UNARY as UNARY_OPS,
  WINDOW as WINDOW_OPS,
  type ArgReduceOp,
  type BinaryOp,
  type CumulativeOp,
  type ReduceOp,
  type UnaryOp,
  type WindowOp,
} from "../ops";
export { completeBackend, type CompleteOptions } from "./complete";
