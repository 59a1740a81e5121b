/** As much of `node:path` as joins and splits names of files. */

function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === ".." && parts.length > 0) parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return (path.startsWith("/") ? "/" : "") + parts.join("/") || ".";
}

export const join = (...parts: readonly string[]): string => normalize(parts.filter(Boolean).join("/"));
export const basename = (path: string, ending = ""): string => {
  const name = path.split("/").at(-1)!;
  return name !== ending && name.endsWith(ending) ? name.slice(0, name.length - ending.length) : name;
};
export const dirname = (path: string): string => normalize(path.split("/").slice(0, -1).join("/") || ".");
export const extname = (path: string): string => /[^/](\.[^./]*)$/.exec(path)?.[1] ?? "";
