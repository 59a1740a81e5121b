/**
 * Engines that tests run exported functions on. They are installed into this folder by `npm run test:engines`; the types of their
 * packages are not there where they are not, so that tests write down what they use.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { describe, it } from "vitest";

const require = createRequire(import.meta.url);

/** A package of this folder, or null where it is not installed. */
export async function findEngine<M>(name: string): Promise<M | null> {
  let file: string;
  try {
    file = require.resolve(name);
  } catch {
    return null;
  }
  const loaded = (await import(pathToFileURL(file).href)) as M & { readonly default?: M };
  return loaded.default ?? loaded;
}

/** Describes tests that need an engine; where it is missing one skipped test says so. */
export function describeWith<M>(name: string, engine: M | null, body: (engine: M) => void): void {
  if (engine !== null) describe(name, () => body(engine));
  else it(`${name} is not installed: npm run test:engines installs it`, (context) => context.skip());
}
