/** Loads the built library with another file in the place of those that its `imports` choose. */
import { register } from "node:module";
import { pathToFileURL } from "node:url";

const hooks = (url) => `export const resolve = (specifier, context, next) =>
  specifier === "#dependencies" || specifier === "#library/assembled.js" ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(specifier, context);`;

/** The library in a file, given the file of its dependencies. */
export function libraryWith(file, dependencies) {
  register(`data:text/javascript,${encodeURIComponent(hooks(pathToFileURL(dependencies).href))}`);
  return import(pathToFileURL(file).href);
}
