/** Threads in whole processes: bundled, in both module formats, with workers of the user, and at the end of a process. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Format } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "threads-"));
const bundles = { esm: join(folder, "child.mjs"), cjs: join(folder, "child.cjs") };

beforeAll(async () => {
  for (const [format, outfile] of Object.entries(bundles) as [Format, string][]) {
    const entry = new URL("threads-child.ts", import.meta.url).pathname;
    await build({ entryPoints: [entry], bundle: true, platform: "node", target: "es2022", format, outfile });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly report: unknown;
  readonly errors: string;
}

/** Runs a child; one that does not end by itself in ten seconds has code null. */
function child(bundle: string, args: readonly string[], flags: readonly string[] = []): Promise<Outcome> {
  return new Promise((resolve) => {
    const running = spawn(process.execPath, [...flags, bundle, ...args], { timeout: 10_000, killSignal: "SIGKILL" });
    let output = "";
    let errors = "";
    running.stdout.on("data", (data) => (output += data));
    running.stderr.on("data", (data) => (errors += data));
    running.on("close", (code) => resolve({ code, errors, report: output === "" ? null : JSON.parse(output) }));
  });
}

const all = { right: true, ready: 2, threads: 3, shared: true };
const alone = { right: true, ready: 0, threads: 1 };

describe.each(Object.entries(bundles))("a bundle in %s", (_, bundle) => {
  it("works, and ends by itself", async () => {
    expect(await child(bundle, [])).toEqual({ code: 0, report: all, errors: "" });
  });
});

describe("a process with threads", () => {
  it.each([
    ["process.exit", "exit", 3],
    ["the end of the program while a worker is busy", "running", 0],
    ["process.exit while a worker is busy", "running exit", 3],
  ])("ends at %s", async (_, ending, code) => {
    expect(await child(bundles.esm, [ending])).toEqual({ code, report: all, errors: "" });
  });

  it("ends at an uncaught error", async () => {
    const { code, report, errors } = await child(bundles.esm, ["throw"]);
    expect([code, report]).toEqual([1, all]);
    expect(errors).toContain("on purpose");
  });

  it("does not start any where one is asked for", async () => {
    expect(await child(bundles.esm, ["nothing", "1"])).toEqual({
      code: 0,
      report: { ...alone, shared: true },
      errors: "",
    });
  });
});

describe("elsewhere", () => {
  it("works in a worker of the user", async () => {
    expect(await child(bundles.cjs, ["nested"])).toEqual({ code: 0, report: all, errors: "" });
  });

  it("works on one thread without SharedArrayBuffer", async () => {
    const flags = ["--import", "data:text/javascript,delete globalThis.SharedArrayBuffer"];
    expect(await child(bundles.esm, [], flags)).toEqual({ code: 0, report: { ...alone, shared: false }, errors: "" });
  });

  it("does not hand what the user preloads to the workers", async () => {
    const preload = "data:text/javascript,process._rawDebug('loaded')";
    const { report, errors } = await child(bundles.esm, [], ["--import", preload]);
    expect([report, errors]).toEqual([all, "loaded\n"]);
  });

  it("works where code may not be made from text", async () => {
    const flags = ["--disallow-code-generation-from-strings"];
    expect(await child(bundles.esm, [], flags)).toEqual({ code: 0, report: all, errors: "" });
  });
});
