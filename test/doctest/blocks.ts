/** Blocks for tests of the runner, and what running them gives. */

import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { type Block, checkTypes, type DoctestError, extractFrom, runBlock, type RunOptions } from "../../lib/doctest";
import * as Fake from "./fixtures/fake";

export const root = fileURLToPath(new URL("./fixtures", import.meta.url));

/** The native compiler, which takes a fifth of the time; `versions.test.ts` has the others. */
export const tsc = fileURLToPath(new URL("../../node_modules/typescript-7/bin/tsc", import.meta.url));

export const options = {
  root,
  globals: { Fake: { module: "./fake", value: Fake } },
  modules: { fake: Fake },
} satisfies RunOptions;

/** A block whose code begins on line 4 of `page.md`. */
export async function block(...code: string[]): Promise<Block> {
  const [found, ...others] = await extractFrom(["# Page", "", "```ts", ...code, "```"].join("\n"), "page.md", { root });
  expect(others).toEqual([]);
  return found!;
}

export async function passes(...code: string[]): Promise<void> {
  const result = await runBlock(await block(...code), options);
  if (result.status === "failed") throw result.error;
  expect(result.status).toBe("passed");
}

export async function failure(...code: string[]): Promise<DoctestError> {
  const result = await runBlock(await block(...code), options);
  if (result.status !== "failed") throw new Error(`the example should fail, but ${result.status}`);
  return result.error;
}

/** Checks several blocks in one program; each begins on line 4 of a page of its own, named by its key. */
export async function typeErrors<K extends string>(
  cases: Record<K, string[]>,
): Promise<Record<K, DoctestError | null>> {
  const named = await Promise.all(
    Object.entries<string[]>(cases).map(async ([name, code]) => {
      const one = await block(...code);
      return [name, { ...one, file: `${name}.md`, path: one.path.replace("page", name) }] as const;
    }),
  );
  const found = await checkTypes(
    named.map(([, one]) => one),
    { ...options, tsc },
  );
  return Object.fromEntries(named.map(([name, one]) => [name, found.get(one) ?? null])) as Record<
    K,
    DoctestError | null
  >;
}
