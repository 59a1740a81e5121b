/**
 * Compares the modules in a file of the built package with what the library assembles anew, in both orders of the typical calls: fails where
 * bytes differ, or where the file has a module that no call asks for. Runs within `npm run smoke`.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { finder } from "../../lib/node/modules";
import { firstTexts } from "./modules-file";
import { recordedModules } from "./recorded";

const [file] = process.argv.slice(2) as [string];
const bytes = readFileSync(file);
const find = finder(bytes, file);
const count = bytes.readInt32LE();
const wrong: string[] = [];
const asked = new Set<string>();
for (const order of ["forwards", "backwards"] as const) {
  for (const [key, made] of recordedModules(order)) {
    const found = find(key);
    if (found) asked.add(key);
    if (found && Buffer.compare(found, made) !== 0) wrong.push(`other bytes, ${order}: ${key}`);
    if (order === "forwards" && !found) wrong.push(`missing: ${key}`);
  }
}
const folder = dirname(file);
const library = readdirSync(folder).filter((name) => /^library-\w+\.js$/.test(name));
const code = library.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
for (const [hashes, text] of Object.entries(firstTexts(recordedModules()))) {
  if (!code.includes(`"${hashes}":"${text}"`)) wrong.push(`other text in the library: ${hashes}`);
}
if (asked.size !== count) wrong.push(`of ${count} modules calls ask for ${asked.size}`);
console.log(`${count} modules, ${bytes.length} bytes`);
if (wrong.length > 0) throw new Error(wrong.join("\n"));
