/**
 * The `Nx.Defn` namespace.
 */
export { debugExpr, defn, jit, type DefnOptions, type Expression } from "./defn";
