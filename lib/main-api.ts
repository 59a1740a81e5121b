/**
 * What the main entry and `nx-numerics/core` offer beyond `reference-api.ts`, with its documentation: functions that are traced and
 * compiled, files, the namespaces.
 */
export { DefnError, ServingError } from "./core/errors";
export * as Batch from "./batch";
export * as Constants from "./constants";
export { defn, grad, valueAndGrad } from "./defn";
export * as Defn from "./defn";
export { runtimeCall, type RuntimeCallOptions, type RuntimeResult } from "./defn/runtime-call";
export type { Templates } from "./defn/symbolic";
export { devectorize, revectorize, vectorize } from "./defn/vectorize/vectorize";
export { broadcastVectors, reshapeVectors, type Revectorized, type TogetherOptions } from "./defn/vectorize/together";
export * from "./io";
export * as LinAlg from "./linalg";
export { polyfit, type CoefficientNames, type PolyfitOptions } from "./linalg/polyfit";
export * from "./nx/elsewhere/functions";
export { host, type HostReport } from "./nx/host";
export { Heatmap, toHeatmap, type HeatmapOptions } from "./nx/heatmap";
export * as Quantized from "./quantized";
export * as Random from "./random";
export * from "./random/main";
export * as Serving from "./serving";
export * as Signal from "./signal";
export * from "./special";
export * as Type from "./type";
