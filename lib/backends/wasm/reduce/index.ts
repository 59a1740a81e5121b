/** Reductions, arg-reductions and running reductions in WebAssembly. */
export { BLOCK } from "./along";
export { finisher } from "./finisher";
export { foldsFor, type Folds } from "./folds";
export { wasmReduceOp } from "./reduce";
export { wasmArgReduce } from "./arg-reduce";
export { wasmCumulative } from "./cumulative";
