/**
 * Runs an example as its script does, and reads what the README shows of it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export function run(example: string, ...args: readonly string[]): string {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  return execFileSync(process.execPath, ["--import", "tsx", `examples/${example}.ts`, ...args], {
    cwd: root,
    env,
    encoding: "utf8",
  });
}

/** The first block of text in the README after the name of the example's script. */
export function shownInReadme(example: string): string {
  const readme = readFileSync(`${root}README.md`, "utf8");
  const shown = new RegExp(`npm run example:${example}\`[^]*?\`\`\`text\\n([^]*?)\\n\`\`\``).exec(readme)?.[1];
  if (shown === undefined) throw new Error(`the README shows nothing of the example ${example}`);
  return shown;
}
