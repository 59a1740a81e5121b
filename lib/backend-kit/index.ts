/**
 * `nx-numerics/backend`: what those need who write a backend. The interface with its primitives and their attributes, the kernels
 * that it may be asked to run, the vocabulary of ops as tables, and a helper for backends that do not do everything.
 */
export type {
  Attrs,
  Backend,
  BackendSpec,
  Capabilities,
  ContractionOperand,
  DataMembers,
  Direction,
  FusedContraction,
  FusedKernel,
  LinalgAttrs,
  LinalgOp,
  MultiResultAttrs,
  MultiResultFunction,
  MultiResultPrimitive,
  MultiResultTable,
  OpenBackend,
  PartialBackend,
  Primitive,
  PrimitiveFunction,
  PrimitiveTable,
  ReadableBackend,
  RowsInput,
  RowsProgram,
  RowsSpace,
  RowsStep,
  RowsValue,
  ScalarFunction,
  Support,
  Template,
  Unwrapped,
  View,
  Windows,
} from "../backend";
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
