/**
 * The functions of `io/dependencies` for Node, which require a library when it is asked for, and find modules that were assembled when
 * the package was built.
 */
import { createRequire } from "node:module";
import { finderIn } from "./modules";

const load = createRequire(import.meta.url);

export const compression = (): unknown => load("fflate");

export const collections = (): unknown => load("immutable");

let find: ReturnType<typeof finderIn> | undefined;

export const assembled = (key: string, assemble: () => Uint8Array): Uint8Array =>
  (find ??= finderIn(import.meta.url, "node/modules.bin"))(key) ?? assemble();

/** The file is mentioned for tools that copy what a program reads; this is never called. */
export const readByNode = (): unknown => load("./node/modules.bin");
