/**
 * The wasm backend: tensors are typed arrays, large ones in the memory of kernels as far as there is room; large work runs as
 * vector code in WebAssembly. Whatever it does not do itself, the loops of the binary backend do, over its own arrays.
 */
import {
  shownByName,
  type Backend,
  type DataMembers,
  type Nest,
  type PrimitiveFunction,
  type PrimitiveTable,
} from "../../backend";
import { fusedBy } from "../arrays/kernels";
import { elementsOf } from "../arrays/storage";
import { binaryBackend } from "../binary";
import { arrays } from "./arrays";
import { runContraction } from "./contraction";
import { wasmConv } from "./conv";
import { deallocate, waitingOf } from "./deferred";
import { dot } from "./deferred/dot";
import { explained } from "./deferred/explain";
import { argReduce, cumulative } from "./deferred/joined";
import { reduceOp } from "./deferred/reduce";
import { elementwise } from "./elementwise";
import { wasmFft } from "./fft";
import { wasmLinalg } from "./linalg";
import { plain } from "./plain";
import { runReduction } from "./reduction";
import { programs } from "./program";
import { orElse, primitiveOrElse } from "./refusal";
import { residentElements } from "./resident";
import { runFolds } from "./lines/run";
import { runWarm } from "./run";
import { COMPOSITES_FROM } from "./schedule";
import { wasmArgsort, wasmSort } from "./sort";
import { wasmWindowOp } from "./windows";

/** What runs as vector code. */
const own = {
  ...elementwise,
  conv: wasmConv,
  dot,
  reduceOp,
  argReduce,
  cumulative,
  sort: wasmSort,
  argsort: wasmArgsort,
  fft: wasmFft,
  windowOp: wasmWindowOp,
} satisfies Partial<PrimitiveTable>;

/** The same, done by loops in TypeScript where the host refuses memory. */
const primitives = Object.fromEntries(
  (Object.keys(own) as (keyof typeof own)[]).map((name) => [
    name,
    primitiveOrElse<PrimitiveFunction<never>>(own[name], plain[name]),
  ]),
) as typeof own;

const kernels = fusedBy(arrays, runWarm, residentElements);

const KINDS: { readonly [K in Nest["kind"]]: NonNullable<DataMembers["fused"]> } = {
  map: kernels,
  joined: kernels,
  fold: orElse(runFolds, () => null),
  reduction: orElse(runReduction, () => null),
  contraction: orElse(runContraction, () => null),
};

/** SIMD through WebAssembly. */
export const wasmBackend: Backend = shownByName({
  ...plain,
  name: "wasm",
  compositesFrom: COMPOSITES_FROM,
  takeOver: (tensor) => (tensor.backend === binaryBackend ? arrays.hold(elementsOf(tensor)) : undefined),
  fused: (outs, inputs, nest, reuses) => KINDS[nest.kind](outs, inputs, nest, reuses),
  programs,
  ...primitives,
  linalg: wasmLinalg,
  waiting: (tensor) => {
    const value = waitingOf(tensor);
    return value && explained(value);
  },
  deallocate,
  recycle: (tensor) => void deallocate(tensor),
});
