/**
 * `nx-numerics/config`: the configuration of a project, in the key `nx-numerics` of package.json or a file `nx-numerics.config.{ts,js,mjs,cjs,json}`.
 * For Node only, apart from the core: nothing is read unless `loadConfig` is called.
 */
import { accessSync, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { lilconfig, type LilconfigResult, type Loader } from "lilconfig";
import { ConfigError, configureFromFile } from "nx-numerics";

const NAME = "nx-numerics";

/** Names and ways of the files that may hold a configuration. */
const PLACES = ["package.json", ...["ts", "js", "mjs", "cjs", "json"].map((ending) => `${NAME}.config.${ending}`)];

const importDefault: Loader = async (path) => {
  try {
    const module = await loadModule(path);
    return module.default ?? module;
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    const isUnknown = code === "ERR_UNKNOWN_FILE_EXTENSION";
    const why = isUnknown ? NO_TYPESCRIPT : cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new ConfigError(`the configuration in ${path} cannot be loaded: ${why}`, { cause });
  }
};

interface Loaded {
  readonly default?: unknown;
}

/** By import, or by Node's own require where a test runner has no dynamic import for CommonJS modules (jest). */
async function loadModule(path: string): Promise<Loaded> {
  try {
    return (await import(pathToFileURL(path).href)) as Loaded;
  } catch (error) {
    if (!/^ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING/.test(String((error as { code?: unknown }).code))) throw error;
    return process.getBuiltinModule("node:module").createRequire(path)(path) as Loaded;
  }
}

const NO_TYPESCRIPT = `this host does not run TypeScript (Node does from 22.18 on, Deno, Bun and tsx do); write ${NAME}.config.js in its place`;

const parsed: Loader = (path, text) => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ConfigError(`the configuration in ${path} is no JSON: ${(cause as Error).message}`, { cause });
  }
};

/** What was found and where. */
export interface LoadedConfig {
  readonly path: string;
  readonly config: object;
}

/**
 * Looks for the configuration from a folder upwards and puts it in force, below what the environment and the program say.
 * A TypeScript file needs a host that runs TypeScript (Deno, Bun, Node 22.18 or later, tsx).
 *
 * @param from - folder to start in; the working directory by default
 * @returns the configuration and its path, or null when there is none
 * @throws ConfigError for an unknown key or a value that is not allowed, a file that cannot be read, two sources in one folder, and
 * where the host does not let the program read (permissions of Node and Deno)
 */
export async function loadConfig(from?: string): Promise<LoadedConfig | null> {
  const found = await search(from);
  if (!found || found.isEmpty) return null;
  const others = PLACES.slice(PLACES.indexOf(basename(found.filepath)) + 1).map((name) =>
    join(dirname(found.filepath), name),
  );
  const second = others.find((path) => existsSync(path));
  if (second !== undefined) {
    throw new ConfigError(`there are two configurations, in ${found.filepath} and in ${second}; keep one of them`);
  }
  configureFromFile(found.config as object, found.filepath);
  return { path: found.filepath, config: found.config as object };
}

async function search(from: string | undefined): Promise<LilconfigResult> {
  const modules = [".ts", ".js", ".mjs", ".cjs"].map((ending) => [ending, importDefault] as const);
  const loaders = { ...Object.fromEntries(modules), ".json": parsed };
  try {
    const folder = from ?? process.cwd();
    const found = await lilconfig(NAME, { searchPlaces: PLACES, loaders, stopDir: "/" }).search(folder);
    if (!found) accessSync(folder); // what may not be read looks like what is not there
    return found;
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const where = from ?? "the working directory";
    throw new ConfigError(`no configuration can be looked for from ${where}: ${(cause as Error).message}`, { cause });
  }
}
