/**
 * The public face: every function of the main module as a named export, and the namespaces. In front of each stands an entry,
 * which knows its name. `api.ts` has the same functions with their documentation.
 * Evaluating this module installs the methods of `Tensor` and the backend "wasm"; it has no other effect.
 */
import * as api from "./main-api";
import { installWasm } from "./backends/registry";
import { wasmBackend } from "./backends/wasm";
import { isWasmAvailable } from "./backends/wasm/host";
import { entry } from "./core/entry";
import { compilerEntry } from "./defn/eager";
import { installMethods } from "./nx/methods";

export type * from "./main-api";
export { DefnError, Heatmap, ServingError } from "./main-api";
export * from "./reference";
export * as Batch from "./face/batch";
export * as Constants from "./face/constants";
export * as Defn from "./face/defn";
export * as LinAlg from "./face/linalg";
export * as Quantized from "./face/quantized";
export * as Random from "./face/random";
export * as Serving from "./face/serving";
export * as Type from "./face/type";
export * from "./nx/elsewhere/functions"; // names that raise errors, and name themselves

export const defn = compilerEntry("Nx.defn", api.defn);
export const deserialize = entry("Nx.deserialize", api.deserialize);
export const devectorize = entry("Nx.devectorize", api.devectorize);
export const fromMessage = entry("Nx.fromMessage", api.fromMessage);
export const grad = compilerEntry("Nx.Defn.grad", api.grad);
export const host = entry("Nx.host", api.host);
export const loadNumpy = entry("Nx.loadNumpy", api.loadNumpy);
export const loadNumpyArchive = entry("Nx.loadNumpyArchive", api.loadNumpyArchive);
export const loadSafetensors = entry("Nx.loadSafetensors", api.loadSafetensors);
export const randomNormal = entry("Nx.randomNormal", api.randomNormal, 4);
export const randomUniform = entry("Nx.randomUniform", api.randomUniform, 4);
export const revectorize = entry("Nx.revectorize", api.revectorize);
export const safetensorsInfo = entry("Nx.safetensorsInfo", api.safetensorsInfo);
export const serialize = entry("Nx.serialize", api.serialize);
export const shuffle = entry("Nx.shuffle", api.shuffle);
export const toHeatmap = entry("Nx.toHeatmap", api.toHeatmap);
export const toMessage = entry("Nx.toMessage", api.toMessage);
export const toNumpy = entry("Nx.toNumpy", api.toNumpy);
export const toNumpyArchive = entry("Nx.toNumpyArchive", api.toNumpyArchive);
export const toSafetensors = entry("Nx.toSafetensors", api.toSafetensors);
export const valueAndGrad = compilerEntry("Nx.Defn.valueAndGrad", api.valueAndGrad);
export const vectorize = entry("Nx.vectorize", api.vectorize);

installMethods();
installWasm({ backend: wasmBackend, isAvailable: isWasmAvailable });
