/** The recorded hashes: written, and compared here, under another version of Node and in Chromium. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { closeBrowser, evaluateInChromium, findBrowser } from "../hosts/browsers";
import { evaluateInFirefox, findFirefox } from "../hosts/firefox";
import { ISOLATED, type Site } from "../hosts/server";
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

const entry = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Compares under another version of Node, by a bundle of this folder's programs. */
function differencesElsewhere(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "hashes-"));
  try {
    const outfile = join(folder, "hashes.mjs");
    const shared = { bundle: true, format: "esm", platform: "node", logLevel: "error" } as const;
    buildSync({ ...shared, entryPoints: [entry("./hashed-elsewhere.ts")], outfile });
    const args = ["-y", "-p", `node@${OTHER_NODE}`, "node", outfile, FILE];
    const { stdout, stderr, status } = spawnSync("npx", args, { encoding: "utf8" });
    return status === 0 ? (JSON.parse(stdout) as string[]) : [`failed: ${stderr}`];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A page that may use threads, with the comparison as a function. */
function comparingSite(): Site {
  const shared = { bundle: true, format: "iife", platform: "browser", logLevel: "error", write: false } as const;
  const { outputFiles } = buildSync({ ...shared, entryPoints: [entry("./hashed-page.ts")] });
  const html = '<!doctype html><meta charset="utf-8"><script src="/hashes.js"></script>';
  return { html, headers: ISOLATED, read: () => outputFiles[0]!.contents };
}

const comparison = (): string => `differencesFrom(${JSON.stringify(recorded())}, ${JSON.stringify(THREADS)})`;

/** Compares in Chromium; null where there is no Chromium. */
async function differencesInChromium(): Promise<readonly string[] | null> {
  if (findBrowser() === null) return null;
  try {
    return await evaluateInChromium<string[]>(comparingSite(), comparison());
  } finally {
    await closeBrowser();
  }
}

/** Compares in Firefox, whose engine is another one; null where there is no Firefox. */
const differencesInFirefox = async (): Promise<readonly string[] | null> =>
  findFirefox() === null ? null : evaluateInFirefox<string[]>(comparingSite(), comparison());

/** Compares in all engines; whether all is the same. */
export async function checkHashes(): Promise<boolean> {
  const engines: readonly (readonly [string, readonly string[] | null])[] = [
    [`Node ${process.versions.node}`, differencesFrom(recorded(), THREADS)],
    [`Node ${OTHER_NODE}`, differencesElsewhere()],
    ["Chromium", await differencesInChromium()],
    ["Firefox", await differencesInFirefox()],
  ];
  for (const [engine, differences] of engines) {
    if (differences === null) console.log(`${engine}: not installed`);
    else if (differences.length === 0) console.log(`${engine}: the same bytes on ${THREADS.join(", ")} threads`);
    else for (const text of differences) console.log(`${engine}: ${text}`);
  }
  return engines.every(([, differences]) => differences === null || differences.length === 0);
}
