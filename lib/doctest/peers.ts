/** The packages the runner borrows from its user's project, loaded when first needed. Knows nothing of examples. */

import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as vite from "vite";
import type * as vitest from "vitest";

/** What is used of vite: its parser, and the transforms that run TypeScript modules as functions. */
export type Vite = Pick<typeof vite, "moduleRunnerTransform" | "parseSync" | "transformWithOxc">;

let loaded: Vite | undefined;

/** Vite, which vitest brings along. */
export async function loadVite(): Promise<Vite> {
  const found: Partial<Vite> = (loaded ??= await peer("vite", importVite, "to read and run examples"));
  if (found.parseSync && found.transformWithOxc && found.moduleRunnerTransform) return found as Vite;
  throw new Error('nx-numerics/doctest needs version 8 or newer of the package "vite"; install it: npm i -D vite@8');
}

/** Imports vite, which may be installed beside vitest only. */
async function importVite(): Promise<Vite> {
  try {
    return await import("vite");
  } catch {
    const project = createRequire(resolve("package.json"));
    const found = createRequire(project.resolve("vitest/package.json")).resolve("vite");
    return (await import(/* @vite-ignore */ pathToFileURL(found).href)) as Vite;
  }
}

/** Vitest, of the run that is under way. */
export const loadVitest = (): Promise<typeof vitest> =>
  peer("vitest", () => import("vitest"), "to register examples as tests (call doctest() inside a vitest file)");

/** The program `tsc` of the project in a folder. */
export function findTsc(root: string): string {
  try {
    const manifest = createRequire(resolve(root, "package.json")).resolve("typescript/package.json");
    return resolve(dirname(manifest), "bin/tsc");
  } catch (cause) {
    throw missing("typescript", "to check the types of examples (or set the option typeCheck: false)", cause);
  }
}

async function peer<T>(name: string, load: () => Promise<T>, purpose: string): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw missing(name, purpose, cause);
  }
}

const missing = (name: string, purpose: string, cause: unknown): Error =>
  new Error(`nx-numerics/doctest needs the package "${name}" ${purpose}; install it: npm i -D ${name}`, { cause });
