/**
 * The main entry. Evaluating this module installs the methods of `Tensor` and the backend "wasm"; it has no other effect.
 */
import { installWasm } from "./backends/registry";
import { wasmBackend } from "./backends/wasm";
import { withCode } from "./backends/wasm/backend";
import { PROGRAMS } from "./backends/wasm/groups";
import { isWasmAvailable } from "./backends/wasm/host";
import * as functions from "./functions";
import { installMethods } from "./nx/methods";

export type { TensorMethods } from "./tensor-methods";
export * from "./functions";

// Whatever may run compiled functions brings the vector code of programs; the namespace Defn does so by itself.
export * as Quantized from "./face/main/quantized";
export * as Random from "./face/main/random";
export * as Serving from "./face/main/serving";
export const betainc = withCode(functions.betainc, PROGRAMS);
export const defn = withCode(functions.defn, PROGRAMS);
export const gammainc = withCode(functions.gammainc, PROGRAMS);
export const gammaincc = withCode(functions.gammaincc, PROGRAMS);
export const grad = withCode(functions.grad, PROGRAMS);
export const valueAndGrad = withCode(functions.valueAndGrad, PROGRAMS);

installMethods();
installWasm({ backend: wasmBackend, isAvailable: isWasmAvailable });
