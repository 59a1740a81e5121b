/** Runtimes other than Node, installed from `runtimes/`. */
import { join } from "node:path";
import { build } from "esbuild";
import { execute, type Host } from "./local";
import { foundIn } from "./project";

/** Where a binary lies in the project. */
const BINARIES = {
  bun: "@oven/bun-linux-x64/bin/bun",
  deno: "@deno/linux-x64-glibc/deno",
  workerd: "@cloudflare/workerd-linux-64/bin/workerd",
};

const binary = (folder: string, name: keyof typeof BINARIES): string => join(folder, "node_modules", BINARIES[name]);

const deno =
  (...permissions: string[]): Host =>
  async ({ folder }) => {
    const args = ["run", "--no-prompt", "--node-modules-dir=manual", ...permissions, "run.mjs"];
    const env = { DENO_DIR: join(folder, ".deno"), DENO_NO_UPDATE_CHECK: "1" };
    return foundIn(await execute(binary(folder, "deno"), args, folder, env));
  };

const bun: Host = async ({ folder }) => foundIn(await execute(binary(folder, "bun"), ["run.mjs"], folder));

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "bundled.mjs")],
  compatibilityDate = "2025-01-01",
);
`;

const WORKER = `
import * as Nx from "nx-numerics";
import * as files from "nx-numerics/files";
import probe from "./probe.cjs";
const load = async (name) => {
  if (name === "nx-numerics/files") return files;
  throw new Error("there is no " + name + " here");
};
export default {
  async test() {
    const refusals = [];
    const found = await probe(Nx, { load, folder: "/tmp", refusals });
    console.log("probe: " + JSON.stringify({ ...found, refusals }));
  },
};
`;

const workerd: Host = async ({ folder, write }) => {
  const entry = write("cloudflare.mjs", WORKER);
  const shared = { bundle: true, format: "esm", platform: "browser", logLevel: "error" } as const;
  await build({ ...shared, entryPoints: [entry], outfile: join(folder, "bundled.mjs") });
  write("config.capnp", CONFIG);
  const args = ["test", "config.capnp"];
  return foundIn(await execute(binary(folder, "workerd"), args, folder));
};

/** By the name that each has in the table. */
export const RUNTIMES: Readonly<Record<string, Host>> = {
  Deno: deno("--allow-all"),
  "Deno without permissions": deno(),
  Bun: bun,
  "Cloudflare Workers": workerd,
};
