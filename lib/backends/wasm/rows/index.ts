/** Row programs in WebAssembly. */
export { fusedRows } from "./run";
