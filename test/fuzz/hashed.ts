/** The recorded hashes: written, and compared here and under other versions of Node. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { differencesFrom, hashedPrograms, hashesOf } from "./hashes";

const FILE = fileURLToPath(new URL("./hashes.json", import.meta.url));
const THREADS = [1, 2, 4];
const OTHER_NODE = "24";

/** For each program a hash of its text and one of its results. */
export const recorded = (): readonly string[] => JSON.parse(readFileSync(FILE, "utf8")) as string[];

export function recordHashes(): boolean {
  const made = hashesOf(hashedPrograms(), 1);
  writeFileSync(FILE, `${JSON.stringify(made, null, 2)}\n`);
  console.log(`${made.length} hashes written`);
  return true;
}

/** Compares under another version of Node, by a bundle of this file's programs. */
function differencesElsewhere(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "hashes-"));
  try {
    const entry = fileURLToPath(new URL("./hashed-elsewhere.ts", import.meta.url));
    const outfile = join(folder, "hashes.mjs");
    buildSync({ entryPoints: [entry], bundle: true, outfile, format: "esm", platform: "node", logLevel: "error" });
    const { stdout, stderr, status } = spawnSync("npx", ["-y", "-p", `node@${OTHER_NODE}`, "node", outfile, FILE], { encoding: "utf8" }); // prettier-ignore
    return status === 0 ? (JSON.parse(stdout) as string[]) : [`Node ${OTHER_NODE} failed: ${stderr}`];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function checkHashes(): boolean {
  const here = differencesFrom(recorded(), THREADS);
  const there = differencesElsewhere();
  for (const text of here) console.log(`Node ${process.versions.node}, ${text}`);
  for (const text of there) console.log(`Node ${OTHER_NODE}, ${text}`);
  if (here.length + there.length > 0) return false;
  console.log(`the same bytes on Node ${process.versions.node} and ${OTHER_NODE}, on ${THREADS.join(", ")} threads`);
  return true;
}
