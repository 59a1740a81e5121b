/** Codes of the tables of the guides, as functions. */
import * as Nx from "nx-numerics";
import { given } from "./given";

/** A module whose functions compute the expressions, each by itself. */
export async function thunks(expressions: readonly string[]): Promise<readonly (() => unknown)[]> {
  const list = expressions.map((expression) => `() => (${expression})`).join(",\n");
  const source = `export default ({ Nx, ${Object.keys(given).join(", ")} }) => [${list}]`;
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)) as {
    default: (scope: object) => (() => unknown)[];
  };
  return module.default({ Nx, ...given });
}
