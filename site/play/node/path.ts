/** As much of `node:path` as joins and splits names of files. */

function normalize(path: string): string {
  const isAbsolute = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === "..") {
      if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
      else if (!isAbsolute) parts.push(part);
    } else if (part !== "" && part !== ".") parts.push(part);
  return (isAbsolute ? "/" : "") + parts.join("/") || ".";
}

export const join = (...parts: readonly string[]): string => normalize(parts.filter(Boolean).join("/"));
export const basename = (path: string, ending = ""): string => {
  const name = path.replace(/\/+$/, "").split("/").at(-1)!;
  return name !== ending && name.endsWith(ending) ? name.slice(0, name.length - ending.length) : name;
};
export const dirname = (path: string): string => {
  const folder = path.replace(/\/+$/, "").split("/").slice(0, -1).join("/");
  return folder || (path.startsWith("/") ? "/" : ".");
};
export const extname = (path: string): string => /^(?!\.\.$).+?(\.[^.]*)$/.exec(basename(path))?.[1] ?? "";
