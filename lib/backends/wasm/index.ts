/**
 * The wasm backend: tensors are those of the binary backend, typed arrays, large ones in the memory of kernels as far as
 * there is room; large work runs as vector code in WebAssembly. Whatever it does not do itself, the binary backend does.
 */
import type { Backend, PrimitiveFunction, PrimitiveTable } from "../../backend";
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
import { orElse, primitiveOrElse } from "./refusal";
import { residentElements } from "./resident";
import { fusedRows } from "./rows";
import { runWarm } from "./run";
import { wasmArgsort, wasmSort } from "./sort";

/** What runs as vector code. */
const own = {
  ...elementwise,
  conv: wasmConv,
  dot: wasmDot,
  reduceOp: wasmReduceOp,
  argReduce: wasmArgReduce,
  cumulative: wasmCumulative,
  sort: wasmSort,
  argsort: wasmArgsort,
  fft: wasmFft,
} satisfies Partial<PrimitiveTable>;

/** The same, done by the binary backend where the host refuses memory. */
const primitives = Object.fromEntries(
  (Object.keys(own) as (keyof typeof own)[]).map((name) => [
    name,
    primitiveOrElse<PrimitiveFunction<never>>(own[name], binaryBackend[name]),
  ]),
) as typeof own;

/** SIMD through WebAssembly. */
export const wasmBackend: Backend = {
  ...binaryBackend,
  name: "wasm",
  takeOver: (tensor) => (tensor.backend === binaryBackend ? new BinaryData(elementsOf(tensor)) : undefined),
  fused: fusedBy(runWarm, residentElements),
  fusedRows: orElse(fusedRows, () => null),
  fusedContraction: orElse(fusedContraction, () => null),
  ...primitives,
};

/** The backend, and room for large tensors in the memory of its kernels. */
export function openWasm(): Backend {
  offerArena(arena);
  offerCopier(copier);
  return wasmBackend;
}
