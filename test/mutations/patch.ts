/** Builds the library with a defect in one of its sources, and lets the suite judge what comes of it, in a process of its own. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import type { Patch } from "./patched";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MILLISECONDS = 180_000;

/** The source with the defect. */
export function defective(source: string, { name, file, text, instead }: Patch): string {
  const count = source.split(text).length - 1;
  if (count !== 1) throw new Error(`${name}: ${file} has the text ${count} times, expected once: ${text}`);
  return source.replace(text, () => instead);
}

const pathOf = ({ file }: Patch): string => join(ROOT, "lib/backends", file);

/** Says whether the texts of all patches are there. */
export async function checkTexts(patches: readonly Patch[]): Promise<void> {
  for (const patch of patches) defective(await readFile(pathOf(patch), "utf8"), patch);
}

const patching = (patch: Patch): Plugin => ({
  name: "patch",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path !== pathOf(patch)) return undefined;
      return { contents: defective(await readFile(path, "utf8"), patch), loader: "ts" };
    });
  },
});

/** What killed a patched backend: the name of a case, or an end of the process; null where it lives. */
export async function killerOfPatch(patch: Patch): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "mutation-"));
  try {
    const outfile = join(folder, "judge.mjs");
    await build({
      entryPoints: [join(ROOT, "test/mutations/judge.ts")],
      absWorkingDir: ROOT,
      tsconfig: join(ROOT, "tsconfig.json"),
      bundle: true,
      platform: "node",
      format: "esm",
      target: "es2022",
      outfile,
      plugins: [patching(patch)],
    });
    return await judged(outfile, patch.aim);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function judged(file: string, aim: RegExp): Promise<string | null> {
  const threads = String(Math.max(2, Math.min(4, availableParallelism())));
  const options = { timeout: MILLISECONDS, env: { ...process.env, NX_THREADS: threads, NX_AIM: aim.source } };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file], options);
    return (JSON.parse(stdout) as { readonly killer: string | null }).killer;
  } catch (error) {
    const { message } = error as Error;
    return `the process ended: ${message.split("\n").find((line) => /Error/.test(line)) ?? message.slice(0, 80)}`;
  }
}
