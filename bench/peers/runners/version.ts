/** The version of an installed package, read from its package.json, which not every package exports. */
import { existsSync, readFileSync } from "node:fs";

export function versionOf(name: string): string {
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    const file = new URL(`node_modules/${name}/package.json`, folder);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
    if (folder.pathname === "/") return "?";
  }
}
