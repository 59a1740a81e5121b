/** Stands in for the file that the package's `imports` choose: keeps all modules that are assembled, by their keys. */
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

export const recorded = new Map();

export function assembled(key, assemble) {
  const bytes = assemble();
  recorded.set(key, bytes);
  return bytes;
}

export const compression = () => load("fflate");

export const collections = () => load("immutable");
