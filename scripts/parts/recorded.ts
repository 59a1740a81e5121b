/** The modules that typical calls need, by their keys, as the built library assembles them in a process of its own. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** @param order - the order in which the calls are made, which no module depends on */
export function recordedModules(order: "forwards" | "backwards" = "forwards"): ReadonlyMap<string, Uint8Array> {
  // the files as bundlers get them
  const args = ["--conditions=module", at("record.mjs"), at("../../dist/index.js"), order];
  const output = execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
  return new Map((JSON.parse(output) as [string, string][]).map(([key, text]) => [key, Buffer.from(text, "base64")]));
}
