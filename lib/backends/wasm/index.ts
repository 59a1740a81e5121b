/**
 * The wasm backend: tensors are those of the binary backend, ordinary arrays; large work runs as vector code in
 * WebAssembly. Whatever it does not do itself, the binary backend does.
 */
import type { Backend } from "../../backend";
import { binaryBackend } from "../binary";
import { fusedBy } from "../binary/kernels";
import { BinaryData, elementsOf } from "../binary/storage";
import { wasmConv } from "./conv";
import { wasmDot } from "./dot";
import { elementwise } from "./elementwise";
import { wasmArgReduce, wasmCumulative, wasmReduceOp } from "./reduce";
import { fusedRows } from "./rows";
import { runKernel } from "./run";

/** SIMD through WebAssembly. */
export const wasmBackend: Backend = {
  ...binaryBackend,
  name: "wasm",
  takeOver: (tensor) => (tensor.backend === binaryBackend ? new BinaryData(elementsOf(tensor)) : undefined),
  fused: fusedBy(runKernel),
  fusedRows,
  ...elementwise,
  conv: wasmConv,
  dot: wasmDot,
  reduceOp: wasmReduceOp,
  argReduce: wasmArgReduce,
  cumulative: wasmCumulative,
};
