/** The assembler of WebAssembly functions. */
export * from "wasmati";
