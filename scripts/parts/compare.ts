/**
 * Compares the modules in a file of the built package with what the library assembles anew, in both orders of the typical calls: fails where
 * bytes differ, or where the file has a module that no call asks for. Runs within `npm run smoke`.
 */
import { readFileSync } from "node:fs";
import { finder } from "../../lib/node/modules";
import { recordedModules } from "./recorded";

const [file] = process.argv.slice(2) as [string];
const bytes = readFileSync(file);
const find = finder(bytes, file);
const told = bytes.toString("latin1", 4, 4 + bytes.readUInt32LE()).split("\0");
const keys = new Set(told.filter((_, i) => i % 2 === 1));
const wrong: string[] = [];
const asked = new Set<string>();
for (const order of ["forwards", "backwards"] as const) {
  for (const [key, made] of recordedModules(order)) {
    const found = find(key);
    asked.add(key);
    if (found && Buffer.compare(found, made) !== 0) wrong.push(`other bytes, ${order}: ${key}`);
    if (order === "forwards" && !found) wrong.push(`missing: ${key}`);
  }
}
for (const key of keys) if (key !== "" && !asked.has(key)) wrong.push(`asked for by no call: ${key}`);
console.log(`${keys.size} modules, ${bytes.length} bytes`);
if (wrong.length > 0) throw new Error(wrong.join("\n"));
