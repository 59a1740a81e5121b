/**
 * The functions of `io/dependencies` for Node, which require a library when it is asked for, and find modules that were assembled when
 * the package was built.
 */
import { createRequire } from "node:module";
import { finderIn } from "./modules";

// A function for each is made when it is called: in formats without URLs of files, as some bundlers write them, none can be.
export const compression = (): unknown => {
  const load = createRequire(import.meta.url);
  return load("fflate");
};

export const collections = (): unknown => {
  const load = createRequire(import.meta.url);
  return load("immutable");
};

let find: ReturnType<typeof finderIn> | undefined;

export const assembled = (key: string, assemble: () => Uint8Array): Uint8Array =>
  (find ??= finderIn(import.meta.url, "node/modules.bin"))(key) ?? assemble();

/** The file is mentioned for tools that copy what a program reads, by a URL, since bundlers that follow `require` cannot parse it; this is never called. */
export const readByNode = (): unknown => new URL("node/modules.bin", import.meta.url);
