/**
 * The `Nx.Defn` namespace.
 */
export { cond, map, scan, whileLoop, type Clause, type Predicate, type ScanOptions } from "./control/control";
export { customGrad, stopGrad } from "./grad/custom";
export { hessian, jacobian, jvp, vjp } from "./grad/jacobian";
export { grad, valueAndGrad } from "./grad/grad";
export { compile, debugExpr, defn, jit, jitApply, type Expression } from "./defn";
export { lazy, type LazyTensor } from "./lazy";
export { checkPure } from "./purity";
export { defaultOptions, type DefaultOptions, type DefnOptions } from "./options";
export type { Tensors } from "./trace";
export { vmap, type VmapAxes } from "./vectorize/vectorize";
