/** The packages the runner borrows from its user's project, loaded when first needed. Knows nothing of examples. */

import type ts from "typescript";
import type * as vitest from "vitest";

export type TypeScript = typeof ts;

/** TypeScript's compiler. */
export const loadTypeScript = async (): Promise<TypeScript> =>
  (await peer("typescript", () => import("typescript"), "to read, check and run examples")).default;

/** Vitest, of the run that is under way. */
export const loadVitest = (): Promise<typeof vitest> =>
  peer("vitest", () => import("vitest"), "to register examples as tests (call doctest() inside a vitest file)");

async function peer<T>(name: string, load: () => Promise<T>, purpose: string): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new Error(`nx-numerics/doctest needs the package "${name}" ${purpose}; install it: npm i -D ${name}`, {
      cause,
    });
  }
}
