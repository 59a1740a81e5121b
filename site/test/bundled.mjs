/** Files of the site's own TypeScript, for tests that ask them without a page. */
import { build } from "esbuild";
import { at } from "./reader.mjs";

/** A module that gives what a text says, with what it imports in it. */
export async function bundled(contents) {
  const stdin = { contents, resolveDir: at("."), loader: "ts" };
  const options = { bundle: true, write: false, format: "esm", external: ["typescript"] };
  const { outputFiles } = await build({ stdin, ...options });
  return outputFiles[0].text;
}
