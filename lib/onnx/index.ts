/**
 * `nx-numerics/onnx`: functions of tensors as ONNX models, which other engines run, and ONNX models as functions of tensors.
 */
export type { OnnxValue } from "./value";
