/** The pages of docs/: tables beside other libraries name what there is and run, links lead somewhere, every page is in the reference. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as Nx from "nx-numerics";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as elsewhere from "../../lib/nx/elsewhere/functions";
import { given } from "./given";
import { thunks } from "./thunks";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");
const PAGES = readdirSync(`${root}docs`)
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

/** Guides for those who know another library and write its calls in the left column of tables, ours in the right one. */
const TABLES = ["numpy", "jax", "xarray", "tensorflow"].map((library) => `docs/from-${library}.md`);

const prose = (text: string): string => text.replace(/^```[^]*?^```/gm, "");
const coded = (text: string): string[] => [...text.matchAll(/(`+)(.+?)\1/g)].map(([, , code]) => code!.trim());

/** Cells of the last columns of all tables, below their heads. */
function rightColumns(page: string): string[] {
  const rows = prose(page).match(/^\|.*\|$/gm) ?? [];
  const cells = rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .at(-2)!
      .trim(),
  );
  return cells.filter((cell, row) => !/^:?-+:?$/.test(cell) && !/^:?-+:?$/.test(cells[row + 1] ?? ""));
}

/** Expressions of the right columns: whatever is a call, or begins with the library or something given. */
const EXPRESSION = new RegExp(`^(Nx|${Object.keys(given).join("|")})\\b|\\(`);

afterEach(() => void vi.restoreAllMocks());

describe("tables beside other libraries", () => {
  it.each(TABLES.filter((path) => existsSync(`${root}${path}`)))("%s has expressions that run", async (path) => {
    vi.spyOn(console, "log").mockReturnValue();
    const expressions = rightColumns(read(path))
      .flatMap(coded)
      .filter((code) => EXPRESSION.test(code));
    expect(expressions.length).toBeGreaterThan(15);
    const failures = (await thunks(expressions)).flatMap((thunk, place) => {
      try {
        const value = thunk();
        return value === undefined && !expressions[place]!.includes(".print(")
          ? [`${expressions[place]!}: undefined`]
          : [];
      } catch (error) {
        return [`${expressions[place]!}: ${String(error)}`];
      }
    });
    expect(failures).toEqual([]);
  });
});

/** Whether a path such as `Nx.LinAlg.svd` names something of the library: a value, or a type that its own texts mention. */
function exists(path: string): boolean {
  let value: unknown = Nx;
  for (const [depth, part] of path.split(".").slice(1).entries()) {
    if (depth === 0 && part in elsewhere) return false;
    if ((typeof value !== "object" && typeof value !== "function") || value === null || !(part in value)) return false;
    value = Reflect.get(value, part);
  }
  return true;
}

/** Rows of tables by their first cells. */
const rowsOf = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    (prose(text).match(/^\|.*\|$/gm) ?? []).map((row) => {
      const [first, ...rest] = row
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim());
      return [first!, rest];
    }),
  );

describe("README.md", () => {
  it("compares as docs/benchmarks.md does, with its date and versions", () => {
    const [text, page] = ["## Beside other libraries", "## The table"].map((title, at) => {
      const whole = read(["README.md", "docs/benchmarks.md"][at]!);
      return whole.slice(whole.indexOf(title), whole.indexOf("\n## ", whole.indexOf(title) + 1));
    }) as [string, string];
    const measured = rowsOf(page);
    const shown = [...rowsOf(text)].filter(([, cells]) => cells.every((cell) => /^(-|[\d. ]+)$/.test(cell)));
    expect(shown.length).toBeGreaterThan(8);
    const ratio = (cell: string) => /\(([\d. ]+)\)/.exec(cell)?.[1] ?? "-";
    const expected = (work: string) => {
      const [nothingReleased, released, , ...others] = measured.get(work)!;
      return [released!, ...[nothingReleased!, ...others.slice(0, 4)].map(ratio)];
    };
    expect(shown).toEqual(shown.map(([work]) => [work, expected(work)]));
    const versions = rowsOf(text)
      .get("work")!
      .slice(2)
      .map((library) => library.replace("TensorFlow.js", "tfjs"));
    expect(versions.filter((version) => !page.includes(version))).toEqual([]);
    expect(page).toContain(`Measured ${/Measured ([\d-]+)/.exec(text)![1]!}`);
  });
});

/** Names of types, which do not exist at run time. */
const TYPES = /^Nx\.(Methods|TensorMethods|AxisTypes|Kernels|Config|Operand|Container|DType|Scalar)$/;

describe("pages", () => {
  it.each([...PAGES, "README.md"])("%s names functions that exist", (path) => {
    const ours = /^docs\/from-(nx|max|mli|tinygrad)\.md$/.test(path)
      ? rightColumns(read(path)).join("\n")
      : prose(read(path));
    const named = [...ours.matchAll(/(?<![\w/"@])Nx(\.[A-Za-z]\w*)+/g)].map(([name]) => name);
    expect([...new Set(named)].filter((name) => !exists(name) && !TYPES.test(name))).toEqual([]);
  });

  it.each([...PAGES, "README.md"])("%s has links that lead somewhere", (path) => {
    const folder = path.replace(/[^/]*$/, "");
    const anchors = (text: string): string[] => [
      ...[...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, title]) => slug(title!)),
      ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!),
    ];
    const text = prose(read(path)).replace(/(`+).+?\1/g, "");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const dead = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file, anchor] = link.split("#");
      const target = file === "" ? path : `${folder}${file!}`;
      if (!existsSync(`${root}${target}`)) return true;
      return anchor !== undefined && !anchors(read(target)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  it("are all in the menu of the site", () => {
    const entries = [...read("site/.vitepress/config.mts").matchAll(/\bpage\("[^"]*", "([\w-]+)"\)/g)];
    const pages = entries.map(([, name]) => `docs/${name}.md`);
    expect(pages.sort()).toEqual(PAGES.filter((path) => path !== "docs/architecture.md"));
  });
});

/** The anchor that GitHub gives a heading. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replace(/ /g, "-");
}
