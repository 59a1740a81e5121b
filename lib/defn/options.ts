/**
 * Options of traced functions, and their defaults for the program.
 */
import { configured, setConfig } from "../core/config";
import { ArgumentError, show } from "../core/errors";
import { isListOf } from "../core/lists";
import { currentPromotion, PROMOTIONS, type Promotion } from "../core/promotion-scope";
import { checkOptions, integerOption, wordOption } from "../core/options";
import { COMPILERS, type CompilerName } from "./compiler";
import type { HookTable } from "./debug/scope";
import type { Owner } from "./scope";
import type { Roles } from "./signature";

/** Options of `defn` and `jit`. */
export interface DefnOptions {
  /** How the traced function is run; the configured compiler by default. */
  readonly compiler?: CompilerName;
  /** Which types merge inside; as where the function is called by default. */
  readonly promotion?: Promotion;
  /** Positions of arguments that are values of the program, not of the computation, whatever they hold. */
  readonly staticArgs?: readonly number[];
  /** Positions of arguments, or `true` for all, whose tensors are given up: their memory is released by the call. */
  readonly donate?: boolean | readonly number[];
  /** Functions for hooks by their names, in place of those the hooks have themselves. */
  readonly hooks?: HookTable;
  /** Signatures kept per function, 128 by default; the one used longest ago goes first. */
  readonly maxCacheEntries?: number;
}

/** Options that are read. */
export interface Settings extends Roles {
  /** Whose function it is that is traced. */
  readonly owner: Owner;
  readonly compiler: () => CompilerName;
  readonly promotion: () => Promotion;
  readonly maxCacheEntries: () => number;
  readonly hooks: HookTable | undefined;
  /** Whether a graph of little work may run as it was traced at first. */
  readonly mayBeLate: boolean;
}

export const COMPILER_NAMES = Object.keys(COMPILERS) as CompilerName[];

const KEYS = ["compiler", "promotion", "staticArgs", "donate", "hooks", "maxCacheEntries"];
const DEFAULT_ENTRIES = 128;

/** What `defaultOptions` was given besides the compiler, which is part of the configuration. */
const defaults = { maxCacheEntries: DEFAULT_ENTRIES };

/** Reads and checks options; what they leave out is looked up at each call. */
export function readSettings(owner: Owner, options: DefnOptions | undefined): Settings {
  const fn = owner.api;
  checkOptions(fn, options, KEYS);
  const compiler = wordOption(fn, "compiler", options?.compiler, COMPILER_NAMES, null);
  const promotion = wordOption(fn, "promotion", options?.promotion, PROMOTIONS, null);
  const entries = options?.maxCacheEntries;
  if (entries !== undefined) integerOption(fn, "maxCacheEntries", entries, DEFAULT_ENTRIES, 1);
  const donate = options?.donate;
  const donated = typeof donate === "boolean" || donate === undefined ? null : positions(fn, "donate", donate);
  const staticArgs = options?.staticArgs;
  return {
    api: fn,
    owner,
    staticArgs: positions(fn, "staticArgs", staticArgs === undefined ? [] : staticArgs),
    isDonated: donated ? (position) => donated.has(position) : () => donate === true,
    compiler: () => compiler ?? configured("defaultCompiler"),
    promotion: () => promotion ?? currentPromotion(),
    maxCacheEntries: () => entries ?? defaults.maxCacheEntries,
    hooks: hookTable(fn, options?.hooks),
    mayBeLate: true,
  };
}

function hookTable(fn: string, hooks: unknown): HookTable | undefined {
  if (hooks === undefined) return undefined;
  const isTable = typeof hooks === "object" && hooks !== null && !Array.isArray(hooks);
  if (isTable && Object.values(hooks).every((hook) => typeof hook === "function")) return { ...hooks } as HookTable;
  throw new ArgumentError(
    `option hooks of ${fn} must be an object of functions by the name of the hook, got: ${show(hooks)}`,
  );
}

function positions(fn: string, key: string, value: unknown): ReadonlySet<number> {
  const isPosition = (item: unknown) => typeof item === "number" && Number.isInteger(item) && item >= 0;
  if (isListOf(value, isPosition)) return new Set(value as number[]);
  throw new ArgumentError(
    `option ${key} of ${fn} must be a list of positions of arguments, from 0 on, got: ${show(value)}`,
  );
}

/** Options that have a default for the program. */
export type DefaultOptions = Pick<DefnOptions, "compiler" | "maxCacheEntries">;

/**
 * Sets the options that functions made by `defn`, `jit` and the like use where they were given none.
 *
 * @param options - `compiler`, `maxCacheEntries`; none to read them only
 * @returns the options in force before the call
 * @throws ArgumentError for unknown options and values they cannot have
 * @example
 * ```ts
 * const before = Nx.Defn.defaultOptions({ compiler: "evaluator" });
 * before;
 * // => { compiler: 'optimizing', maxCacheEntries: 128 }
 * Nx.Defn.defaultOptions(before).compiler;
 * // => 'evaluator'
 * ```
 * @example
 * ```ts
 * Nx.Defn.defaultOptions({ maxCacheEntries: 0 });
 * // throws ArgumentError: option maxCacheEntries of Nx.Defn.defaultOptions must be an integer of at least 1, got: 0
 * ```
 */
export function defaultOptions(options?: DefaultOptions): Required<DefaultOptions> {
  const fn = "Nx.Defn.defaultOptions";
  checkOptions(fn, options, ["compiler", "maxCacheEntries"]);
  const before = { compiler: configured("defaultCompiler"), maxCacheEntries: defaults.maxCacheEntries };
  const entries = integerOption(fn, "maxCacheEntries", options?.maxCacheEntries, defaults.maxCacheEntries, 1);
  const compiler = wordOption(fn, "compiler", options?.compiler, COMPILER_NAMES, before.compiler);
  if (compiler !== before.compiler) setConfig({ defaultCompiler: compiler });
  defaults.maxCacheEntries = entries;
  return before;
}
