// The page of the architecture against the tree: its floors are those of the lint rule, and every path that it names exists.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { FLOORS } from "../../scripts/lint/floors.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(path.join(root, "docs/architecture.md"), "utf8");

/** The files and folders of the tree, each with a slash in front; folders have one behind, too. */
function places(): string[] {
  const entries = readdirSync(root, { withFileTypes: true }).filter(
    ({ name }) => !/^(\.git|dist|node_modules)$/.test(name),
  );
  const below = entries
    .filter((entry) => entry.isDirectory() && entry.name !== "bench")
    .flatMap(({ name }) => readdirSync(path.join(root, name), { withFileTypes: true, recursive: true }));
  return [...entries, ...below].map((entry) => {
    const at = path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/");
    return `/${at}${entry.isDirectory() ? "/" : ""}`;
  });
}

const coded = (text: string): string[] => [...text.matchAll(/`([^`\s]+)`/g)].map(([, code]) => code!);

describe("docs/architecture.md", () => {
  it("has the floors of the lint rule, from the top down", () => {
    const rows = page.match(/^\| \d .*$/gm)!.map((row) => row.split("|").map((cell) => cell.trim()));
    expect(rows.map(([, name, parts]) => ({ name, parts: coded(parts!).sort() }))).toEqual(
      FLOORS.map(({ name, parts }, floor) => ({ name: `${floor} ${name}`, parts: [...parts].sort() })).reverse(),
    );
  });

  it("names files and folders that exist", () => {
    const all = places();
    const named = coded(page).filter((code) => /^[\w./-]+(\.ts|\/)$/.test(code));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !all.some((place) => place.endsWith(`/${name}`)))).toEqual([]);
  });

  it("gives each decision a number and an anchor of its own", () => {
    const numbers = [...page.matchAll(/^<a id="d(\d+)"><\/a>\*\*D(\d+)\. /gm)].map(([, id, number]) => {
      expect(id).toBe(number);
      return number;
    });
    expect(numbers.length).toBe(page.match(/^(<a |\*\*)/gm)!.length);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
