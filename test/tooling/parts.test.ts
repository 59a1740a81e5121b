/** How the build divides the files of the library for Node. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { analysed } from "../../scripts/parts/analysis";
import { divided, OF_VALUES, type Divided } from "../../scripts/parts/split";

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

/** The groups of `CODE`. */
const start = ({ name }: { readonly name: string }): number => (name === "early" ? 0 : 1);

/** Groups, of which all are small programs unless it says otherwise. */
const by = (groupOf: (one: { readonly name: string }) => number, programs = Infinity) => ({ groupOf, programs });

const folder = mkdtempSync(join(tmpdir(), "parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The divided bundle as files, loaded. */
async function loaded(
  { main, parts }: Divided,
  name = "bundle",
): Promise<Record<string, (...args: unknown[]) => unknown>> {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, main);
  for (const [i, text] of parts.entries()) writeFileSync(join(folder, `${name}.${i}.cjs`), text);
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, () => unknown>;
}

const isLoaded = (part = "bundle.0"): boolean => join(folder, `${part}.cjs`) in createRequire(import.meta.url).cache;

it("keeps in the main file what has run, what is assigned and what needs its own arguments", () => {
  const { main, parts } = divided(analysed(CODE), by(start), new Set(), "bundle");
  expect(parts).toHaveLength(1);
  const [part] = parts as [string];
  const whole = (text: string): string[] =>
    [...text.matchAll(/(?:function|var) (\w+)\$?(?=\([^)]*\) \{| = )/g)].map(([, name]) => name!);
  expect(whole(main).sort()).toEqual(["all", "compared", "counts", "early", "steps", "table"]);
  expect(whole(part).sort()).toEqual(["arrow", "late", "listed", "looks", "own"]);
});

it("keeps what mentions names that another file assigns", () => {
  const { parts } = divided(
    analysed(CODE),
    by(() => 1),
    new Set(["sep"]),
    "bundle",
  );
  expect(parts[0]).not.toMatch(/arrow/);
});

it("gives functions of the same names, lengths and results, which are one value wherever they are mentioned", async () => {
  const bundle = await loaded(divided(analysed(CODE), by(start), new Set(), "bundle"));
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

const LONG = `/* ${"-".repeat(20_000)} */`;

const GROUPED = `
function early() { return [second1(1), first1(1)]; }
function first1(a) { ${LONG} return a + 1; }
function second1(a) { ${LONG} return first2(a) * 10; }
function first2(a, b) { ${LONG} return inFirst(a); }
function inFirst(a) { ${PADDING} return [a, second2, inSecond(a)]; }
function second2(a) { ${LONG} return [second2, inFirst(a)[1]]; }
function inSecond(a) { ${PADDING} return a; }
export { early, first1, second1 };
`;

it("puts functions of a group together, and has no stubs in the main file for those that other parts only call", async () => {
  const isFirst = (name: string): boolean => name === "inFirst" || name.startsWith("first");
  const groupOf = ({ name }: { readonly name: string }): number => (name === "early" ? 0 : isFirst(name) ? 1 : 2);
  const { main, parts } = divided(analysed(GROUPED), by(groupOf), new Set(), "grouped");
  const long = (text: string): string[] =>
    [...text.matchAll(/function (\w+)\$?\([^)]*\) ?\{ ?\/\*/g)].map(([, name]) => name!);
  expect(parts.map(long)).toEqual([
    ["first1", "first2", "inFirst"],
    ["second1", "second2", "inSecond"],
  ]);
  expect([...main.matchAll(/function (\w+)\(\w*\)\{return \$part\d/g)].map(([, name]) => name)).toEqual([
    "first1",
    "second1",
    "second2",
  ]);
  const { first1, second1 } = await loaded({ main, parts }, "grouped");
  expect(first1!(2)).toBe(3);
  expect([isLoaded("grouped.0"), isLoaded("grouped.1")]).toEqual([true, false]);
  expect(second1!(1)).toBeNaN();
  expect([isLoaded("grouped.0"), isLoaded("grouped.1")]).toEqual([true, true]);
});

const SHARED = `
var both = new Map([["one", 1]]);
var table = [tiny, both];
var once = [1];
function early() { return [first(1), second(1), third(1)]; }
function first(a) { ${LONG} return tiny(a) + table.length + once.length; }
function second(a) { ${LONG} return [tiny, table, both.size, a]; }
function third(a) { ${LONG} return [tiny(a), kept]; }
function tiny(a) { return a + both.size; }
var kept = [1];
var madeAtOnce = /* @__PURE__ */ (() => (kept.map((x) => x + 1)))();
function reads() { return [kept, madeAtOnce]; }
export { early, first, reads, second };
`;

it("puts what several parts mention into the last part, which they read before they begin, and values as they are made", async () => {
  const groupOf = ({ name }: { readonly name: string }): number =>
    ["early", "reads", "first", "second", "third"].indexOf(name) >> 1;
  const { main, parts } = divided(
    analysed(SHARED),
    by((one) => groupOf(one) + (one.name === "second" ? 1 : 0)),
    new Set(),
    "shared",
  );
  const made = (text: string): string[] =>
    [...text.matchAll(/^(?:function|var) (\w+)(?=\(a\) \{|=|\(\) \{| = )/gm)].map(([, name]) => name!);
  expect(parts.map(made)).toEqual([
    ["once", "first"],
    ["second", "third"],
    ["both", "table", "tiny"],
  ]);
  expect(made(main)).toEqual(expect.arrayContaining(["early", "kept", "madeAtOnce", "reads"]));
  expect(main).toContain("var madeAtOnce = (kept.map(function(x){return x + 1}));");
  const { early, reads, second } = await loaded({ main, parts }, "shared");
  expect(reads!()).toEqual([[1], [2]]);
  expect([0, 1, 2].map((part) => isLoaded(`shared.${part}`))).toEqual([false, false, false]);
  const [tiny, table] = second!(1) as [(a: number) => number, unknown[]];
  expect([tiny(1), table[0] === tiny, table.length]).toEqual([2, true, 2]);
  expect([0, 1, 2].map((part) => isLoaded(`shared.${part}`))).toEqual([false, true, true]);
  expect((early!() as unknown[])[0]).toBe(5);
});

const MADE = `
function early() { return [first(1), second(1), third(1), fourth(1), names()]; }
function ofMain(a) { ${LONG} return [a]; }
function ofFirst(a) { ${LONG} return [ofMain(a), inside(a)]; }
function inside(a) { ${LONG} return a * 2; }
function ofLate(a) { ${LONG} return [a, 3]; }
function ofAll(a) { ${LONG} return [a, 4]; }
var alone = ofFirst(1);
var late = ofLate(2);
var all = ofAll(late);
var lateOnly = ofLate(5);
function names() { ${LONG} return ofMain.name; }
function first(a) { ${LONG} return [alone, all, a]; }
function second(a) { ${LONG} return [lateOnly, a]; }
function third(a) { ${LONG} return [lateOnly, all, a]; }
function fourth(a) { ${LONG} return third(a); }
export { early, first, second, third };
`;

it("puts functions that values alone are made by with what mentions these, apart for small programs and for others", async () => {
  const groups = ["early", "first", "second", "third", "fourth"];
  const groupOf = ({ name }: { readonly name: string }): number =>
    name === "names" ? 0 : groups.includes(name) ? groups.indexOf(name) : OF_VALUES;
  const { main, parts } = divided(analysed(MADE), by(groupOf, 1), new Set(), "made");
  const made = (text: string): string[] =>
    [...text.matchAll(/^(?:function|var) (\w+)(?=\(a\) \{| = )/gm)].map(([, name]) => name!);
  expect(parts.map(made)).toEqual([
    ["ofFirst", "inside", "alone", "first"],
    ["second"],
    ["third"],
    ["fourth"],
    ["ofLate", "ofAll", "late", "all"],
    ["lateOnly"],
  ]);
  expect(made(main)).toEqual(["ofMain"]);
  const { early } = await loaded({ main, parts }, "made");
  const third = [[5, 3], [[2, 3], 4], 1];
  expect(early!()).toEqual([[[[1], 2], [[2, 3], 4], 1], [[5, 3], 1], third, third, "ofMain"]); // prettier-ignore
});

it("has names of its own, which functions of the library may be called like", async () => {
  const code = `
    function early() { return part0(1) + part1(1); }
    function part0(a) { ${LONG} return part1(a) + 1; }
    function part1(a) { ${LONG} return a * 10; }
    function loaded0() { ${LONG} return 7; }
    export { early, loaded0 };`;
  const groups: Readonly<Record<string, number>> = { early: 0, part0: 1, part1: 2 };
  const { early, loaded0 } = await loaded(
    divided(
      analysed(code),
      by(({ name }) => groups[name] ?? 3),
      new Set(),
      "named",
    ),
    "named",
  );
  expect([early!(), loaded0!()]).toEqual([21, 7]);
});

it("says which name of the library is one of its own", () => {
  const code = "function $part0() { return 1; }\nexport { $part0 };";
  expect(() =>
    divided(
      analysed(code),
      by(() => 1),
      new Set(),
      "named",
    ),
  ).toThrow("$part0 is a name of the parts, and of something in named");
});

const WRITTEN = `
var table = { plus: (a, b = 1) => a + b, bodied: async (a) => { return { a }; } };
var nested = (a) => { const inner = (b) => [a, b].map((c) => c + 1); return inner; };
var chosen = (a) => a ? (b) => b : () => ({ a });
class Kept { own = 2; read() { return ((x) => this.own + x)(1); } }
function early(a) { return [later, (b) => a + b, () => arguments.length]; }
function later(a) { return (b) => a - b; }
var made = early(1);
var kept = new Kept();
export { chosen, early, kept, later, made, nested, table };
`;

it("writes arrow functions as functions where these are not run at once, and those that run early in parentheses, before what calls them", async () => {
  const early = ["function early", "(a) => { const inner", "(b) => [a"].map((text) => WRITTEN.indexOf(text));
  const bundle = analysed(WRITTEN, early);
  const texts = bundle.statements.map(({ text }) => text);
  expect(texts).toEqual([
    "var early=(function (a) { return [later, function(b){return a + b}, () => arguments.length]; });",
    "var table = { plus: function(a, b = 1){return a + b}, bodied: async function(a){ return { a }; } };",
    "var nested = (function(a){ const inner = (function(b){return [a, b].map(function(c){return c + 1})}); return inner; });",
    "var chosen = function(a){return a ? (b) => b : () => ({ a })};",
    "class Kept { own = 2; read() { return ((x) => this.own + x)(1); } }",
    "function later(a) { return (b) => a - b; }",
    "var made = early(1);",
    "var kept = new Kept();",
  ]);
  const divided0 = divided(
    bundle,
    by(() => 0),
    new Set(),
    "written",
  );
  const { chosen, early: first, kept, later, made, nested, table } = await loaded(divided0, "written");
  expect([first!.name, first!.length, nested!.name, chosen!.length]).toEqual(["early", 1, "nested", 1]);
  expect((made as unknown as unknown[])[0]).toBe(later);
  expect((first!(2) as ((b: number) => number)[])[1]!(3)).toBe(5);
  const { plus, bodied } = table as unknown as Record<string, (a: number) => unknown>;
  expect([plus!(2), plus!.length, plus!.name, await bodied!(3)]).toEqual([3, 1, "plus", { a: 3 }]);
  expect((nested!(1) as (b: number) => number[])(2)).toEqual([2, 3]);
  expect([(chosen!(0) as () => unknown)(), (kept as unknown as { read(): number }).read()]).toEqual([{ a: 0 }, 3]);
});
