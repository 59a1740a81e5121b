/** How the build divides the files of the library for Node. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { analysed } from "../../scripts/parts/analysis";
import { divided, type Divided } from "../../scripts/parts/split";

const PADDING = `/* ${"-".repeat(100)} */`;

const CODE = `
import { sep } from "node:path";
var table = (() => ({ of: late }))();
var own = new Map([[1, "one"]]);
var steps = 0;
var [left, right] = [1, 2];
function early(a) { return late(a) + left + right; }
function late(a, b = 2) { ${PADDING} return own.get(a) ?? a + b; }
var arrow = (a, ...rest) => { ${PADDING} return [late(a), rest, compared === table.same, sep]; };
function compared(a) { ${PADDING} return a > 0 ? compared(a - 1) : [compared, steps]; }
function counts() { ${PADDING} return ++steps; }
function looks() { ${PADDING} return listed[0]; }
var listed = [looks];
function all() { ${PADDING} return arguments.length; }
table.same = compared;
export { all, arrow, compared, counts, early, late, looks, table };
`;

const folder = mkdtempSync(join(tmpdir(), "parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The divided bundle as files, loaded. */
async function loaded({ main, parts }: Divided): Promise<Record<string, (...args: unknown[]) => unknown>> {
  const file = join(folder, "bundle.mjs");
  writeFileSync(file, main);
  for (const [i, text] of parts.entries()) writeFileSync(join(folder, `bundle.${i}.cjs`), text);
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, () => unknown>;
}

const isLoaded = (): boolean => join(folder, "bundle.0.cjs") in createRequire(import.meta.url).cache;

it("keeps in the main file what has run, what is assigned and what needs its own arguments", () => {
  const { main, parts } = divided(analysed(CODE), ({ name }) => name === "early", new Set(), "bundle");
  expect(parts).toHaveLength(1);
  const [part] = parts as [string];
  const whole = (text: string): string[] =>
    [...text.matchAll(/(?:function|var) (\w+)\$?(?=\([^)]*\) \{| = )/g)].map(([, name]) => name!);
  expect(whole(main).sort()).toEqual(["all", "compared", "counts", "early", "steps", "table"]);
  expect(whole(part).sort()).toEqual(["arrow", "late", "listed", "looks", "own"]);
});

it("keeps what mentions names that another file assigns", () => {
  const { parts } = divided(analysed(CODE), () => false, new Set(["sep"]), "bundle");
  expect(parts[0]).not.toMatch(/arrow/);
});

it("gives functions of the same names, lengths and results, which are one value wherever they are mentioned", async () => {
  const bundle = await loaded(divided(analysed(CODE), ({ name }) => name === "early", new Set(), "bundle"));
  const { arrow, compared, counts, early, late, looks, all } = bundle;
  expect(isLoaded()).toBe(false);
  expect([arrow, compared, late, early].map((fn) => [fn!.name, fn!.length])).toEqual([
    ["arrow", 1],
    ["compared", 1],
    ["late", 1],
    ["early", 1],
  ]);
  expect([counts!(), compared!(2), all!(1, 2)]).toEqual([1, [compared, 1], 2]);
  expect(isLoaded()).toBe(false);
  expect(early!(5)).toBe(10);
  expect(isLoaded()).toBe(true);
  expect([late!(1), late!(5), late!(5, 5)]).toEqual(["one", 7, 10]);
  expect(arrow!(4, 5, 6)).toEqual([6, [5, 6], true, "/"]);
  expect((bundle.table as unknown as { of: unknown }).of).toBe(late);
  expect(looks!()).toBe(looks);
});
