/**
 * Every entry of a function ends with what is derived of it (`scripts/facts`): which names come out, which types, its gradient, accuracy
 * and cost.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Comment, CommentTag, ReflectionKind } from "typedoc";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Facts by the name after `Nx`, from a process that was started as this one is: it knows TypeScript. */
function readFacts() {
  const folder = mkdtempSync(path.join(tmpdir(), "nx-facts-"));
  try {
    const file = path.join(folder, "facts.json");
    execFileSync(process.execPath, [...process.execArgv, "scripts/facts/index.ts", file], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const TITLES = { names: "Names", types: "Types", gradient: "Gradient", accuracy: "Accuracy", cost: "Cost" };

const listOf = (facts) =>
  Object.entries(TITLES)
    .map(([key, title]) => `- **${title}**: ${facts[key]}`)
    .join("\n");

/** Adds the facts to what the main module exports, namespaces included. */
export function addFacts(main) {
  const facts = readFacts();
  const visit = (parent, prefix) => {
    for (const child of parent.children ?? []) {
      const name = prefix + child.name;
      if (child.kindOf(ReflectionKind.Namespace)) visit(child, `${name}.`);
      if (!Object.hasOwn(facts, name)) continue;
      const tag = new CommentTag("@facts", [{ kind: "text", text: listOf(facts[name]) }]);
      const owner = child.signatures?.[0] ?? child;
      owner.comment ??= new Comment();
      owner.comment.blockTags.push(tag);
    }
  };
  visit(main, "");
}
