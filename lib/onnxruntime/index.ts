/**
 * `nx-numerics/onnxruntime`: functions of tensors that onnxruntime runs (`onnxruntime-node` or `onnxruntime-web`, optional peers).
 */
export type { Engine, EngineData, EngineSession, EngineTensor } from "./engine";
export { onnxruntime, type OnnxruntimeFunction, type OnnxruntimeOptions } from "./onnxruntime";
