/**
 * A plugin of typedoc: every entry of a function ends with what is derived of it (`scripts/facts`): which names come out, which types, its
 * gradient, accuracy and cost.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Comment, CommentTag, Converter, ReflectionKind } from "typedoc";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Facts by the name after `Nx`, from a process that knows TypeScript. */
export function readFacts() {
  const folder = mkdtempSync(path.join(tmpdir(), "nx-facts-"));
  try {
    const file = path.join(folder, "facts.json");
    execFileSync(process.execPath, ["--import", "tsx", "scripts/facts/index.ts", file], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The name after `Nx` of what the main module exports. */
function nameOf(reflection) {
  const names = [];
  for (let one = reflection; one && !one.isProject() && !one.kindOf(ReflectionKind.Module); one = one.parent)
    names.unshift(one.name);
  return names.join(".");
}

const TITLES = { names: "Names", types: "Types", gradient: "Gradient", accuracy: "Accuracy", cost: "Cost" };

const listOf = (facts) =>
  Object.entries(TITLES)
    .map(([key, title]) => `- **${title}**: ${facts[key]}`)
    .join("\n");

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const facts = readFacts();
    const isMain = (module) => !module.kindOf(ReflectionKind.Module) || /^(api|lib\/api)$/.test(module.name);
    const visit = (parent) => {
      for (const child of parent.children ?? []) {
        if (child.kindOf(ReflectionKind.Namespace | ReflectionKind.Module)) {
          if (isMain(child)) visit(child);
          continue;
        }
        const name = nameOf(child);
        if (!Object.hasOwn(facts, name)) continue;
        const tag = new CommentTag("@facts", [{ kind: "text", text: listOf(facts[name]) }]);
        const owner = child.signatures?.[0] ?? child;
        owner.comment ??= new Comment();
        owner.comment.blockTags.push(tag);
      }
    };
    visit(project);
  });
}
