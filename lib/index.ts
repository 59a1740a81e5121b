/**
 * The main entry. Evaluating this module installs the methods of `Tensor` and the backend "wasm"; it has no other effect.
 */
import { installWasm } from "./backends/registry";
import { wasmBackend } from "./backends/wasm";
import { isWasmAvailable } from "./backends/wasm/memory/host";
import { withPrograms } from "./face/programs";
import * as functions from "./functions";
import { installMethods } from "./nx/methods";

export type { TensorMethods } from "./tensor-methods";
export * from "./functions";

// Whatever may run compiled functions runs steps together as programs; the namespace Defn does so by itself.
export * as Quantized from "./face/main/quantized";
export * as Random from "./face/main/random";
export * as Serving from "./face/main/serving";
export const betainc = withPrograms(functions.betainc);
export const defn = withPrograms(functions.defn);
export const gammainc = withPrograms(functions.gammainc);
export const gammaincc = withPrograms(functions.gammaincc);
export const grad = withPrograms(functions.grad);
export const valueAndGrad = withPrograms(functions.valueAndGrad);

installMethods();
installWasm({ backend: wasmBackend, isAvailable: isWasmAvailable });
