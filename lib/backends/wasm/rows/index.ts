/** Nests of folds in WebAssembly. */
export { runFolds } from "./run";
