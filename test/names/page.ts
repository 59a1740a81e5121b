/** The page docs/names.md: what is said by hand, then a table for each rule, whose calls are those of the table's source. */
import { readFileSync, readdirSync } from "node:fs";
import { formatted } from "../../scripts/formatted";
import ts from "typescript";
import { RULES, type Row, type Rule } from "./row";
import { NO_TENSORS, TABLE } from "./table";

export const PAGE = new URL("../../docs/names.md", import.meta.url);
const HEAD = new URL("head.md", import.meta.url);
const ROWS = new URL("rows/", import.meta.url);

/** The calls of all rows as they are written. */
export function sources(): ReadonlyMap<string, string> {
  const calls = new Map<string, string>();
  for (const name of readdirSync(ROWS)) {
    const file = ts.createSourceFile(name, readFileSync(new URL(name, ROWS), "utf8"), ts.ScriptTarget.ES2022);
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) && ts.isCallExpression(node.initializer)) {
        const call = node.initializer.arguments[1];
        if (call && ts.isArrowFunction(call) && !ts.isComputedPropertyName(node.name)) {
          calls.set((node.name as ts.Identifier).text, call.body.getText(file).replace(/\s+/g, " "));
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return calls;
}

const isOne = (names: Row["names"]): names is readonly (string | null)[] => !Array.isArray(names[0]);
const listed = (names: readonly (string | null)[]): string =>
  names.length === 0 ? "none" : names.map((name) => (name === null ? "`null`" : `\`${name}\``)).join(", ");

/** The names of a row in words. */
export const namesText = ({ names }: Row): string =>
  isOne(names) ? listed(names) : (names as readonly (readonly (string | null)[])[]).map(listed).join("; ");

/** The text of docs/names.md. */
export async function namesPage(): Promise<string> {
  const calls = sources();
  const lines = [readFileSync(HEAD, "utf8").trimEnd()];
  for (const rule of Object.keys(RULES) as Rule[]) {
    const rows = Object.entries(TABLE).filter(([, row]) => row.rule === rule);
    if (rows.length === 0) continue;
    const [title, text] = RULES[rule];
    lines.push(`### ${title}`, "", text, "", "<!-- prettier-ignore-start -->", "");
    lines.push("| function | call | names | in the types |", "| - | - | - | - |");
    for (const [names, row] of alike(rows)) {
      const call = (row.text ?? calls.get(names[0]!) ?? "").replaceAll("|", "\\|");
      const functions = names.map((name) => `\`${name}\``).join(", ");
      lines.push(`| ${functions} | \`${call}\` | ${namesText(row)} | ${row.untyped ?? "yes"} |`);
    }
    lines.push("", "<!-- prettier-ignore-end -->", "");
  }
  lines.push(
    "### No tensors",
    "",
    "Functions that give none.",
    "",
    NO_TENSORS.map((name) => `\`${name}\``).join(", "),
    "",
  );
  return formatted("names.md", lines.join("\n"));
}

/** Rows together whose calls differ in the function alone. */
function alike(rows: readonly [string, Row][]): [names: string[], row: Row][] {
  const groups = new Map<string, [string[], Row]>();
  for (const [name, row] of rows) {
    const key = row.text === undefined ? name : row.text.replace(`Nx.${name}(`, "(");
    const group = groups.get(key);
    if (group) group[0].push(name);
    else groups.set(key, [[name], row]);
  }
  return [...groups.values()];
}
