/**
 * Reads the project's configuration: the `nx-numerics` key of package.json or a file `nx-numerics.config.{ts,js,mjs,cjs,json}`.
 * For Node only, apart from the core: nothing is read unless `loadConfig` is called.
 */
import { pathToFileURL } from "node:url";
import { lilconfig, type Loader } from "lilconfig";
import { configureFromFile } from "nx-numerics";

const NAME = "nx-numerics";

const importDefault: Loader = async (path) => {
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
  return module.default ?? module;
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
 * @throws ConfigError for an unknown key or a value that is not allowed
 */
export async function loadConfig(from: string = process.cwd()): Promise<LoadedConfig | null> {
  const found = await lilconfig(NAME, {
    searchPlaces: ["package.json", ...["ts", "js", "mjs", "cjs", "json"].map((ending) => `${NAME}.config.${ending}`)],
    loaders: { ".ts": importDefault, ".js": importDefault, ".mjs": importDefault, ".cjs": importDefault },
    stopDir: "/",
  }).search(from);
  if (!found || found.isEmpty) return null;
  configureFromFile(found.config as object, found.filepath);
  return { path: found.filepath, config: found.config as object };
}
