/** Finding files by pattern. Knows nothing of their contents. */

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The files that patterns name, and the patterns that name none. */
interface Found {
  /** Relative to the root, with forward slashes, sorted. */
  readonly files: readonly string[];
  readonly unmatched: readonly string[];
}

/**
 * Files under `root` that match any of the patterns: `*` and `?` within a folder, `**` over folders, `{a,b}` for
 * alternatives, a leading `!` to take files out again. Folders named `node_modules` or starting with a dot are not
 * entered unless the pattern itself begins with them.
 */
export function findFiles(patterns: readonly string[], root: string): Found {
  const [wanted, unwanted] = [patterns.filter((p) => !p.startsWith("!")), patterns.filter((p) => p.startsWith("!"))];
  const out = unwanted.map((pattern) => globToRegExp(pattern.slice(1)));
  const files = new Set<string>();
  const unmatched: string[] = [];
  for (const pattern of wanted.map(normalize)) {
    const matcher = globToRegExp(pattern);
    const hits = walk(root, fixedFolder(pattern)).filter((file) => matcher.test(file));
    if (hits.length === 0) unmatched.push(pattern);
    for (const file of hits) if (!out.some((o) => o.test(file))) files.add(file);
  }
  return { files: [...files].sort(), unmatched };
}

/** A pattern as a regular expression over relative paths with forward slashes. */
export function globToRegExp(pattern: string): RegExp {
  const source = normalize(pattern).replace(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, (part) => GLOB[part] ?? `\\${part}`);
  return new RegExp(`^${source}$`);
}

const GLOB: Readonly<Record<string, string>> = {
  "**/": "(?:[^/]+/)*",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
  "{": "(?:",
  "}": ")",
  ",": "|",
};

const normalize = (pattern: string): string => pattern.replaceAll("\\", "/").replace(/^\.\//, "");

/** The folder in front of a pattern's first special character: `lib/` of `lib/*.ts`. */
const fixedFolder = (pattern: string): string => /^(?:[^*?{]*\/)?/.exec(pattern)?.[0] ?? "";

function walk(root: string, folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return []; // no such folder: the pattern matches nothing, and is reported so
  }
  return entries.flatMap((entry) => {
    const path = folder + entry.name;
    if (!entry.isDirectory()) return [path];
    return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : walk(root, `${path}/`);
  });
}
