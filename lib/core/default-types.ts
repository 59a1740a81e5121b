/**
 * The types of what no operand says the type of: floats as a scope says (`Nx.withFloatType`) before the configuration, integers
 * as configured. Also how products are added up, which is part of the same keys.
 */
import { configRevision, configured } from "./config";
import { Scoped } from "./scoped";

/** The types that may be the default of floats. */
export type DefaultFloat = "f32" | "f64";
/** The types that may be the default of integers. */
type DefaultInteger = "s32" | "s64";

export const DEFAULT_FLOATS: readonly DefaultFloat[] = Object.freeze(["f32", "f64"]);

const scopes = new Scoped<DefaultFloat>();

interface Kept {
  float: DefaultFloat;
  integer: DefaultInteger;
  relaxed: boolean;
  revision: number;
}

const kept: Kept = { float: "f32", integer: "s64", relaxed: false, revision: -1 };

function fromConfiguration(): Kept {
  if (kept.revision !== configRevision()) {
    kept.float = configured("defaultFloatType");
    kept.integer = configured("defaultIntegerType");
    kept.relaxed = configured("fma") === "relaxed";
    kept.revision = configRevision();
  }
  return kept;
}

/** Type of floats where nothing else decides. */
export const defaultFloat = (): DefaultFloat => scopes.current ?? fromConfiguration().float;

/** Type of complex numbers where nothing else decides: their parts are such floats. */
export const defaultComplex = (): "c64" | "c128" => (defaultFloat() === "f64" ? "c128" : "c64");

/** Type of integers where nothing else decides. */
export const defaultInteger = (): DefaultInteger => fromConfiguration().integer;

/** Whether products may be added unrounded. */
export const isFmaRelaxed = (): boolean => fromConfiguration().relaxed;

/** The default types in force, and whether products may be added unrounded, as one number: for the keys of caches. */
export const defaultTypes = (): number =>
  (defaultFloat() === "f64" ? 1 : 0) + (defaultInteger() === "s32" ? 2 : 0) + (isFmaRelaxed() ? 4 : 0);

/** Runs `fn` under a default; where the host has AsyncLocalStorage it holds across `await` as well. */
export const runWithFloatType = <T>(type: DefaultFloat, fn: () => T): T => scopes.run(type, fn);

/** Runs the synchronous `fn` under a default, which most often is in force already. */
export const underFloatType = <T>(type: DefaultFloat, fn: () => T): T =>
  defaultFloat() === type ? fn() : runWithFloatType(type, fn);
