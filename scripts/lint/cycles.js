// The lint rule against cycles of imports: what a file needs while it is loaded never leads back to it. Types are gone by then, so that
// imports of types alone do not count. The other files are read by their import statements, which takes a hundredth of parsing them.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** An import or export of another file of this code, as the formatter writes it: from the beginning of a line, in double quotes. */
const STATEMENT = /^(?:import|export)(?:\s+(?!type\s)[\w$*{}\s,]+?\sfrom)?\s+"(\.[^"]*)"|\bimport\("(\.[^"]*)"\)/gm;

/** For how many milliseconds a file counts as read: editors lint for as long as they are open. */
const FRESH = 10_000;
const known = { since: 0, edges: new Map() };

/** The file that a relative specifier means, or undefined. */
function resolved(file, specifier) {
  const place = path.resolve(path.dirname(file), specifier);
  return [`${place}.ts`, path.join(place, "index.ts"), place].find((one) => path.extname(one) && existsSync(one));
}

/** The files that a file needs while it is loaded. */
function edgesOf(file) {
  if (Date.now() - known.since > FRESH) Object.assign(known, { since: Date.now(), edges: new Map() });
  const before = known.edges.get(file);
  if (before) return before;
  const found = [...readFileSync(file, "utf8").matchAll(STATEMENT)].map(([, name, later]) => resolved(file, name ?? later)); // prettier-ignore
  const edges = found.filter((one) => one?.endsWith(".ts"));
  known.edges.set(file, edges);
  return edges;
}

/** The files on the way from one to another, both included, or undefined. */
function wayTo(target, first) {
  const from = new Map([[first, undefined]]);
  for (const file of from.keys()) {
    if (file === target) {
      const way = [];
      for (let one = file; one !== undefined; one = from.get(one)) way.unshift(one);
      return way;
    }
    for (const next of edgesOf(file)) if (!from.has(next)) from.set(next, file);
  }
  return undefined;
}

/** Whether a statement is about types alone. */
const isOfTypes = ({ importKind, exportKind }) => importKind === "type" || exportKind === "type";

export const cycles = {
  meta: {
    type: "problem",
    docs: { description: "what a file imports does not import it, by whatever way" },
    schema: [],
    messages: { cycle: "a cycle of imports: {{way}}" },
  },
  create(context) {
    const file = context.physicalFilename;
    const check = (node) => {
      if (typeof node.source?.value !== "string" || !node.source.value.startsWith(".") || isOfTypes(node)) return;
      const first = resolved(file, node.source.value);
      const way = first && wayTo(file, first);
      if (!way) return;
      const names = [file, ...way].map((one) => path.relative(context.cwd, one).split(path.sep).join("/"));
      context.report({ node: node.source, messageId: "cycle", data: { way: names.join(" → ") } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};
