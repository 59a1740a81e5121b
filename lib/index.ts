/**
 * The main entry. Evaluating this module installs the methods of `Tensor` and the backend "wasm"; it has no other effect.
 */
import { installWasm } from "./backends/registry";
import { wasmBackend } from "./backends/wasm";
import { isWasmAvailable } from "./backends/wasm/host";
import { installMethods } from "./nx/methods";

export type { TensorMethods } from "./tensor-methods";
export * from "./functions";

installMethods();
installWasm({ backend: wasmBackend, isAvailable: isWasmAvailable });
