/**
 * The `Nx.Defn` namespace.
 */
export { cond, map, scan, whileLoop, type Clause, type Predicate, type ScanOptions } from "./control/control";
export { customGrad, stopGrad } from "./grad/custom";
export { hessian, jacobian, jvp, vjp } from "./grad/jacobian";
export { grad, valueAndGrad } from "./grad/grad";
export { debugExpr, defn, jit, type DefnOptions, type Expression } from "./defn";
export type { Tensors } from "./trace";
export { vmap, type VmapAxes } from "./vectorize/vectorize";
