/**
 * Runs the packed package in hosts that are installed for that, and compares what is found with the table in docs/hosts.md:
 * `tools` (test runners with their `expect`, and the recipes of docs/bundlers.md), `runtimes` (Deno, Bun, Cloudflare's), `browser` (Chromium), `firefox`. Needs `npm run build` first.
 */
import { deepStrictEqual } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, closeBrowser, findBrowser, FIREFOX } from "../test/hosts/browsers";
import { tryBundlers } from "../test/hosts/bundlers";
import { tryExpect } from "../test/hosts/expect";
import { findFirefox } from "../test/hosts/firefox";
import { LOCAL, type Host } from "../test/hosts/local";
import { createProject, type Project } from "../test/hosts/project";
import { RUNTIMES } from "../test/hosts/runtimes";
import { lineOf, readTable } from "../test/hosts/table";
import { TOOLS } from "../test/hosts/tools";

/** What can be run: the hosts, and why they cannot be here. */
const KINDS: Readonly<Record<string, { readonly hosts: Readonly<Record<string, Host>>; lacks(): string | null }>> = {
  tools: { hosts: TOOLS, lacks: () => null },
  runtimes: {
    hosts: RUNTIMES,
    lacks: () =>
      process.platform === "linux" && process.arch === "x64" ? null : "their binaries are for Linux on x64",
  },
  browser: { hosts: CHROMIUM, lacks: () => (findBrowser() === null ? "chromium is not installed" : null) },
  firefox: { hosts: FIREFOX, lacks: () => (findFirefox() === null ? "firefox-esr is not installed" : null) },
};

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

const place: { readonly folder: string; file: string | null } = {
  folder: mkdtempSync(join(tmpdir(), "nx-numerics-pack-")),
  file: null,
};

/** The package, packed once. */
function packed(): string {
  if (place.file !== null) return place.file;
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", place.folder];
  const [{ filename }] = JSON.parse(run("npm", pack, process.cwd())) as [{ filename: string }];
  return (place.file = filename);
}

/** Puts the packed package into the project, beside what a lock file says. */
function install({ folder }: Project, kind: string): void {
  const packages = join("test/hosts", kind);
  if (existsSync(packages)) {
    for (const name of ["package.json", "package-lock.json"]) cpSync(join(packages, name), join(folder, name));
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], folder);
  }
  const target = join(folder, "node_modules/nx-numerics");
  mkdirSync(target, { recursive: true });
  run("tar", ["-xzf", join(place.folder, packed()), "--strip-components=1", "-C", target], folder);
  for (const name of ["immutable", "fflate", "lilconfig"]) {
    rmSync(join(folder, "node_modules", name), { recursive: true, force: true });
    cpSync(join("node_modules", name), join(folder, "node_modules", name), { recursive: true });
  }
}

async function tryAll(kind: string): Promise<void> {
  const { hosts, lacks } = KINDS[kind]!;
  const lack = lacks();
  if (lack !== null) return console.log(`hosts: ${kind}: skipped, ${lack}`);
  const project = createProject();
  try {
    install(project, kind);
    const table = readTable();
    const { bits } = await LOCAL["Node"]!(project);
    for (const [host, probe] of Object.entries(hosts)) {
      try {
        const found = await probe(project);
        deepStrictEqual(lineOf(host, found), table.find((line) => line.host === host) ?? `no line for ${host}`);
        deepStrictEqual(found.bits, bits, "the results are not those of Node");
        console.log(`hosts: ${host}: ok`);
      } catch (error) {
        console.error(`hosts: ${host}: FAILED\n${(error as Error).message}`);
        process.exitCode = 1;
      }
    }
    if (kind === "tools") {
      report("expect", await tryExpect(project));
      report("bundlers", await tryBundlers(project));
    }
  } finally {
    project.remove();
  }
}

function report(what: string, outcomes: ReadonlyMap<string, string | null>): void {
  for (const [name, problem] of outcomes) {
    if (problem === null) console.log(`${what}: ${name}: ok`);
    else {
      console.error(`${what}: ${name}: FAILED\n${problem}`);
      process.exitCode = 1;
    }
  }
}

try {
  for (const kind of process.argv.slice(2)) await tryAll(kind);
} finally {
  await closeBrowser();
  rmSync(place.folder, { recursive: true, force: true });
}
