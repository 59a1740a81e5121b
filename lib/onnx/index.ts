/**
 * `nx-numerics/onnx`: functions of tensors as ONNX models, which other engines run, and ONNX models as functions of tensors.
 */
export { fromOnnx, type FromOnnxOptions, type OnnxFunction, type OnnxInputs } from "./import";
export type { OnnxLimits } from "./import/limits";
export type { OnnxValue } from "./value";
export { toOnnx, type OnnxModel, type ToOnnxOptions } from "./export/to-onnx";
