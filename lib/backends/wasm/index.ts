/**
 * The wasm backend: tensors are those of the binary backend, typed arrays, large ones in the memory of kernels as far as
 * there is room; large work runs as vector code in WebAssembly. Whatever it does not do itself, the binary backend does.
 */
import type { Backend } from "../../backend";
import { binaryBackend } from "../binary";
import { fusedBy } from "../binary/kernels";
import { offerCopier } from "../binary/copy";
import { offerArena } from "../binary/pool";
import { BinaryData, elementsOf } from "../binary/storage";
import { arena } from "./arena";
import { fusedContraction } from "./contraction";
import { wasmConv } from "./conv";
import { wasmDot } from "./dot";
import { elementwise } from "./elementwise";
import { wasmFft } from "./fft";
import { wasmArgReduce, wasmCumulative, wasmReduceOp } from "./reduce";
import { copier } from "./move";
import { fusedRows } from "./rows";
import { runWarm } from "./run";
import { wasmArgsort, wasmSort } from "./sort";

/** SIMD through WebAssembly. */
export const wasmBackend: Backend = {
  ...binaryBackend,
  name: "wasm",
  takeOver: (tensor) => (tensor.backend === binaryBackend ? new BinaryData(elementsOf(tensor)) : undefined),
  fused: fusedBy(runWarm),
  fusedRows,
  fusedContraction,
  ...elementwise,
  conv: wasmConv,
  dot: wasmDot,
  reduceOp: wasmReduceOp,
  argReduce: wasmArgReduce,
  cumulative: wasmCumulative,
  sort: wasmSort,
  argsort: wasmArgsort,
  fft: wasmFft,
};

/** The backend, and room for large tensors in the memory of its kernels. */
export function openWasm(): Backend {
  offerArena(arena);
  offerCopier(copier);
  return wasmBackend;
}
