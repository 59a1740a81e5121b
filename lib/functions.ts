/**
 * Every function of the main entry and of `nx-numerics/core` as a named export, and the namespaces. In front of each stands an entry,
 * which knows its name. `api.ts` has the same functions with their documentation.
 */
import * as api from "./main-api";
import { entry } from "./core/entry";
import { compilerEntry } from "./defn/eager";
import * as special from "./special/composites";

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
export * as Signal from "./face/signal";
export * as Type from "./face/type";
export * from "./nx/elsewhere/functions"; // names that raise errors, and name themselves

export const besselI0 = entry("Nx.besselI0", special.besselI0);
export const besselI0e = entry("Nx.besselI0e", special.besselI0e);
export const besselI1 = entry("Nx.besselI1", special.besselI1);
export const besselI1e = entry("Nx.besselI1e", special.besselI1e);
export const besselJ0 = entry("Nx.besselJ0", special.besselJ0);
export const besselJ1 = entry("Nx.besselJ1", special.besselJ1);
export const besselY0 = entry("Nx.besselY0", special.besselY0);
export const besselY1 = entry("Nx.besselY1", special.besselY1);
export const broadcastVectors = entry("Nx.broadcastVectors", api.broadcastVectors);
export const betainc = entry("Nx.betainc", special.betainc);
export const defn = compilerEntry("Nx.defn", api.defn);
export const deserialize = entry("Nx.deserialize", api.deserialize);
export const devectorize = entry("Nx.devectorize", api.devectorize);
export const digamma = entry("Nx.digamma", special.digamma);
export const fromMessage = entry("Nx.fromMessage", api.fromMessage);
export const gammainc = entry("Nx.gammainc", special.gammainc);
export const gammaincc = entry("Nx.gammaincc", special.gammaincc);
export const grad = compilerEntry("Nx.Defn.grad", api.grad);
export const host = entry("Nx.host", api.host);
export const lbeta = entry("Nx.lbeta", special.lbeta);
export const lgamma = entry("Nx.lgamma", special.lgamma);
export const loadNumpy = entry("Nx.loadNumpy", api.loadNumpy);
export const loadNumpyArchive = entry("Nx.loadNumpyArchive", api.loadNumpyArchive);
export const loadSafetensors = entry("Nx.loadSafetensors", api.loadSafetensors);
export const logit = entry("Nx.logit", special.logit);
export const normalCdf = entry("Nx.normalCdf", special.normalCdf);
export const normalQuantile = entry("Nx.normalQuantile", special.normalQuantile);
export const polyfit = entry("Nx.polyfit", api.polyfit);
export const polygamma = entry("Nx.polygamma", special.polygamma);
export const randomNormal = entry("Nx.randomNormal", api.randomNormal, 4);
export const randomUniform = entry("Nx.randomUniform", api.randomUniform, 4);
export const reshapeVectors = entry("Nx.reshapeVectors", api.reshapeVectors);
export const revectorize = entry("Nx.revectorize", api.revectorize);
export const runtimeCall = entry("Nx.runtimeCall", api.runtimeCall);
export const safetensorsInfo = entry("Nx.safetensorsInfo", api.safetensorsInfo);
export const serialize = entry("Nx.serialize", api.serialize);
export const shuffle = entry("Nx.shuffle", api.shuffle);
export const sinc = entry("Nx.sinc", special.sinc);
export const toHeatmap = entry("Nx.toHeatmap", api.toHeatmap);
export const toMessage = entry("Nx.toMessage", api.toMessage);
export const toNumpy = entry("Nx.toNumpy", api.toNumpy);
export const toNumpyArchive = entry("Nx.toNumpyArchive", api.toNumpyArchive);
export const toSafetensors = entry("Nx.toSafetensors", api.toSafetensors);
export const valueAndGrad = compilerEntry("Nx.Defn.valueAndGrad", api.valueAndGrad);
export const vectorize = entry("Nx.vectorize", api.vectorize);
export const xlogy = entry("Nx.xlogy", special.xlogy);
