/** The sub-paths of the library that programs of the playground can import. */
export const SUB_PATHS: readonly string[] = ["display", "onnx", "optim", "plot"];
