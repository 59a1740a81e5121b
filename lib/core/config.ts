/**
 * Configuration: one explicit object, filled from (strongest first) code, environment, configuration file, defaults.
 * Reading files is not done here (see `lib/node`), and which names of backends there are is for `backends/registry.ts` to know.
 */
import { sharedState } from "./copies";
import { ConfigError, didYouMean, show } from "./errors";
import { isPlainObject } from "./options";

/** How a backend is configured, as far as this floor knows. */
export type BackendSetting = string | readonly [name: string, options?: Readonly<Record<string, unknown>>] | object;

/** What can be configured. */
export interface Config {
  /**
   * Backend of new tensors: a name, `[name, options]` or the object. `"auto"` is `"wasm"` where WebAssembly has SIMD, else
   * `"binary"`; others are registered by `Nx.registerBackend`.
   */
  readonly defaultBackend: BackendSetting;
  /** The compiler that `defn` uses. */
  readonly defaultCompiler: "optimizing" | "evaluator";
  /** Type that integral plain numbers are given. */
  readonly defaultIntegerType: "s64" | "s32";
  /** Type of floats where no operand says so: of data, of quotients and means of integers, of constants. */
  readonly defaultFloatType: "f32" | "f64";
  /** Which types merge: all, as in Nx, or only those where no value can change. */
  readonly promotion: "nx" | "strict";
  /** Threads that the wasm backend works on, the calling one included: `"auto"` is one for each core, at most eight. */
  readonly threads: number | "auto";
  /**
   * How products of floats are added up in matrix products and convolutions of the wasm backend: `"exact"` rounds each product, so
   * that results have the same bits on every machine; `"relaxed"` lets the machine add it unrounded (fused multiply-add), where
   * WebAssembly has relaxed SIMD, which is faster, and whose bits differ between machines.
   */
  readonly fma: "exact" | "relaxed";
  /**
   * Whether eager element-wise work on large tensors of the wasm backend waits until something reads it, and is done as one kernel
   * then. Results are the same bit for bit.
   */
  readonly deferred: boolean;
  /** Number of elements after which printing elides. */
  readonly inspectLimit: number;
  /** What consoles show of a tensor: Nx's form with all digits, or a table as `Nx.print` prints it. `String(t)` is Nx's form always. */
  readonly consoleForm: "nx" | "table";
}

type ConfigKey = keyof Config;

const DEFAULTS: Config = {
  defaultBackend: "auto",
  defaultCompiler: "optimizing",
  defaultIntegerType: "s64",
  defaultFloatType: "f32",
  promotion: "nx",
  threads: "auto",
  fma: "exact",
  deferred: true,
  inspectLimit: 50,
  consoleForm: "nx",
};

interface KeyRule {
  readonly expected: string;
  readonly valid: (value: unknown) => boolean;
  readonly environment: string | null;
  /** The value that the text of the environment variable stands for. */
  readonly parse?: (text: string) => unknown;
  /** Names among the values, one of which a misspelt one may be meant for. */
  readonly names?: readonly string[];
}

const words = (...allowed: string[]) => ({
  names: allowed,
  expected: allowed.map((word) => JSON.stringify(word)).join(" or "),
  valid: (value: unknown) => allowed.includes(value as string),
});

const RULES: { readonly [K in ConfigKey]: KeyRule } = {
  defaultBackend: {
    expected: "a backend name, [name, options] or a Backend object",
    valid: isBackendSetting,
    environment: "NX_BACKEND",
  },
  defaultCompiler: { ...words("optimizing", "evaluator"), environment: "NX_COMPILER" },
  defaultIntegerType: { ...words("s64", "s32"), environment: "NX_INTEGER_TYPE" },
  defaultFloatType: { ...words("f32", "f64"), environment: "NX_FLOAT_TYPE" },
  promotion: { ...words("nx", "strict"), environment: "NX_PROMOTION" },
  threads: {
    expected: '"auto" or an integer from 1 to 64',
    valid: (value) =>
      value === "auto" || (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 64),
    environment: "NX_THREADS",
    parse: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  },
  fma: { ...words("exact", "relaxed"), environment: "NX_FMA" },
  deferred: {
    expected: "true or false",
    valid: (value) => typeof value === "boolean",
    environment: "NX_DEFERRED",
    parse: (text) => (text === "true" || text === "false" ? text === "true" : text),
  },
  inspectLimit: {
    expected: "a positive integer or Infinity",
    valid: (value) => typeof value === "number" && value > 0 && (Number.isInteger(value) || value === Infinity),
    environment: null,
  },
  consoleForm: { ...words("nx", "table"), environment: "NX_CONSOLE_FORM" },
};

/** Names are looked up when the backend is needed: a program may register one after its configuration was read. */
function isBackendSetting(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  if (!Array.isArray(value)) return typeof (value as { upload?: unknown } | null)?.upload === "function";
  const [name, options] = value as unknown[];
  return typeof name === "string" && value.length <= 2 && (options === undefined || isPlainObject(options));
}

interface Layers {
  code: Partial<Config>;
  environment: Partial<Config> | null;
  file: Partial<Config>;
  /** What `file` was read from. */
  source: object | null;
}

const layers: Layers = { code: {}, environment: null, file: {}, source: null };

let revision = 0;
let shared: ReturnType<typeof sharedState> | null = null;

/** A count of the changes of the configuration, by which caches notice that their value is old. */
export const configRevision = (): number => revision + (shared ??= sharedState()).reads;

/** Values in force that were asked for since the last change. */
const inForce: { values: Partial<Config>; revision: number } = { values: {}, revision: -1 };

/** The value in force for a key. */
export function configured<K extends ConfigKey>(key: K): Config[K] {
  const now = configRevision();
  if (inForce.revision !== now) [inForce.values, inForce.revision] = [{}, now];
  const { values } = inForce;
  return (values[key] ??= found(key)) as Config[K];
}

function found<K extends ConfigKey>(key: K): Config[K] {
  const environment = (layers.environment ??= readEnvironment());
  return layers.code[key] ?? environment[key] ?? fileLayer()[key] ?? DEFAULTS[key];
}

/** What the configuration file of the program says, whichever copy of the library read it. */
function fileLayer(): Partial<Config> {
  const { file } = sharedState();
  if (file === layers.source) return layers.file;
  layers.file = file === null ? {} : checkConfig(file.values, file.source);
  layers.source = file;
  return layers.file;
}

/** Where the value in force for a key was said, as messages name it; null for the default. */
export function configuredIn(key: ConfigKey): string | null {
  if (layers.code[key] !== undefined) return "Nx.configure";
  if (layers.environment?.[key] !== undefined) return `environment variable ${RULES[key].environment}`;
  return fileLayer()[key] === undefined ? null : (sharedState().file?.source ?? null);
}

/** Values of some keys; undefined for a key stands for none. */
export type ConfigValues<C = Config> = { readonly [K in keyof C]?: C[K] | undefined };

/** Sets what code says; gives what the keys were set to in code before. Values are checked but for the names of backends. */
export function setConfig(values: ConfigValues): Partial<Config> {
  const checked = checkConfig(values, "Nx.configure");
  const before: Partial<Config> = {};
  for (const key of Object.keys(values) as ConfigKey[]) Object.assign(before, { [key]: layers.code[key] });
  layers.code = { ...layers.code, ...before, ...checked };
  for (const key of Object.keys(values) as ConfigKey[]) if (checked[key] === undefined) delete layers.code[key];
  revision++;
  return before;
}

/** Sets what a configuration file says, for all copies of the library in the process; environment and code win over it. */
export function configureFromFile(values: object, source: string): void {
  const from = typeof source === "string" ? source : show(source);
  const state = sharedState();
  const file = { values: checkConfig(values, from), source: from };
  state.file = file;
  state.reads++;
}

/** Forgets the values of the environment, so that the next question reads the variables again. */
export function rereadEnvironment(): void {
  layers.environment = null;
  revision++;
}

/** The values of a configuration object after a check of every key and value. */
export function checkConfig(values: object, source: string): Partial<Config> {
  if (!isPlainObject(values)) {
    throw new ConfigError(
      `the configuration in ${source} must be an object such as { defaultBackend: "binary" }, got: ${show(values)}`,
    );
  }
  const checked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (!Object.hasOwn(RULES, key)) {
      const keys = Object.keys(RULES);
      const hint = didYouMean(key, keys);
      throw new ConfigError(
        `unknown configuration key ${show(key)} in ${source}${hint || ";"} expected one of: ${keys.join(", ")}`,
      );
    }
    if (value !== undefined) checked[key] = checkValue(key as ConfigKey, value, source);
  }
  return checked;
}

/** A value that is given for a key elsewhere than in the configuration. */
export const checkedConfig = <K extends ConfigKey>(key: K, value: unknown, source: string): Config[K] =>
  checkValue(key, value, source) as Config[K];

function checkValue(key: ConfigKey, value: unknown, source: string): unknown {
  if (RULES[key].valid(value)) return value;
  const { expected, names } = RULES[key];
  const given: unknown = Array.isArray(value) ? value[0] : value;
  const hint = typeof given === "string" && names ? didYouMean(given, names) : "";
  throw new ConfigError(`invalid value ${show(value)} for ${key} in ${source}${hint || ","} expected ${expected}`);
}

function readEnvironment(): Partial<Config> {
  const found: Record<string, unknown> = {};
  for (const [key, rule] of Object.entries(RULES) as [ConfigKey, KeyRule][]) {
    const value = rule.environment === null ? undefined : environmentVariable(rule.environment);
    if (value) found[key] = checkValue(key, rule.parse?.(value) ?? value, `environment variable ${rule.environment}`);
  }
  return found;
}

/** A variable of the environment; one that the host refuses to tell (Deno without permission) is not set. */
function environmentVariable(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name];
  } catch {
    return undefined;
  }
}
