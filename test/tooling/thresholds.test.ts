// Numbers that decide how work is done on vectors stand on pages in one folder, where each says what it was measured on or what it stands for.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { thresholds } from "../../bench/thresholds/table";

const folder = fileURLToPath(new URL("../../lib/backends/wasm/", import.meta.url));
const PAGES = /^schedule[/\\]/;
const files = readdirSync(folder, { recursive: true }).map(String).filter((file) => file.endsWith(".ts")); // prettier-ignore
const pages = files.filter((file) => PAGES.test(file));

/** Constants that are numbers: `const NAME = 2 ** 15;` with the line above them. */
function numbersOf(file: string): { readonly name: string; readonly above: string }[] {
  const lines = readFileSync(path.join(folder, file), "utf8").split("\n");
  return lines.flatMap((line, i) => {
    const [, name] = /^(?:export )?const ([A-Z][A-Z\d_]*) = [\d_.e/* +-]+;/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, above: lines[i - 1] ?? "" }];
  });
}

/** What decides: from where on, up to where, how much at least, at most, at a time, ahead. */
const DECIDES = /_(FROM|TO|LEAST|MOST|AT_ONCE|AHEAD|SPIN_\w+)$/;

/** How a comment on such a number says so. */
const SAYS_SO =
  /\b(from|up to|above|below) which\b|\b(fewer|more|less|larger|smaller|longer|shorter)\b[^.]*\bthan this\b/i;

it("has all numbers that decide on the pages of thresholds", () => {
  expect(pages.length).toBeGreaterThan(5);
  const elsewhere = files.filter((file) => !PAGES.test(file)).flatMap((file) => numbersOf(file).map((number) => ({ file, ...number }))); // prettier-ignore
  expect(elsewhere.length).toBeGreaterThan(50);
  const deciding = elsewhere.filter(({ name, above }) => DECIDES.test(name) || SAYS_SO.test(above));
  expect(deciding.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
});

it("says of each number what it is, or of those it stands with", () => {
  const numbers = pages.flatMap(numbersOf);
  const silent = numbers.filter(({ above }) => !/\*\/$/.test(above) && !/^(export )?const [A-Z]/.test(above));
  expect(silent).toEqual([]);
  expect(numbers.length).toBeGreaterThan(80);
});

it("has every number that the benchmarks try with other values", () => {
  const numbers = new Set(pages.flatMap(numbersOf).map(({ name }) => name));
  expect(thresholds.map(({ name }) => name).filter((name) => !numbers.has(name))).toEqual([]);
  expect(new Set(thresholds.map(({ name }) => name)).size).toBe(thresholds.length);
});
