/**
 * `nx-numerics/triton`: models of servers that speak the KServe protocol (NVIDIA's Triton and others) as functions of tensors, and functions
 * as files that such servers serve.
 */
export {
  triton,
  type TritonCallOptions,
  type TritonHealth,
  type TritonModel,
  type TritonOptions,
  type TritonValue,
} from "./client";
export { TritonError } from "./error";
export type { FetchInit, FetchLike, ResponseLike } from "./http";
export { tritonModel, type ModelFile, type ModelValue, type TritonModelOptions } from "./repository";
export {
  decodeRequest,
  encodeResponse,
  type InferenceMessage,
  type InferenceRequest,
  type ResponseOptions,
} from "./wire";
