/** Entries import the files that they share by the package's `imports`, which give Node files in parts. */
import type { Options } from "tsup";

export const libraryFiles: NonNullable<Options["plugins"]>[number] = {
  name: "library-files",
  renderChunk(code, { path }) {
    return path.includes("library-")
      ? undefined
      : { code: code.replaceAll(/"\.\/(library-\w+\.js)"/g, '"#library/$1"') };
  },
};
