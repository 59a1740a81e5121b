/**
 * The `Nx.Defn` namespace.
 */
export { cond, map, scan, whileLoop, type Clause, type Predicate, type ScanOptions } from "./control/control";
export { grad, valueAndGrad } from "./grad/grad";
export { debugExpr, defn, jit, type DefnOptions, type Expression } from "./defn";
export type { Tensors } from "./trace";
