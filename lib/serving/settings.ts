/**
 * What users give to a serving, checked: the function, its options, the options of a request and of the end.
 */
import type { Default } from "../backends/default";
import { currentDefault, tracingBackend } from "../backends/registry";
import { mapContainer } from "../container";
import { ArgumentError, DefnError, show } from "../core/errors";
import { booleanOption, checkOptions, integerOption, wordOption } from "../core/options";
import { jit } from "../defn";
import { asTensor } from "../nx/dispatch";
import type { Signal } from "./types";

export const CREATE = "Nx.Serving.create";
export const RUN = "Nx.Serving.run";

/** The longest delay that timers of all hosts keep to. */
const MAX_TIMEOUT = 2 ** 31 - 1;

const OPTIONS = [
  "batchSize",
  "batchTimeout",
  "batchKeys",
  "pad",
  "jit",
  "template",
  "maxQueue",
  "overflow",
  "preprocess",
  "postprocess",
] as const;

type Given = { readonly [K in (typeof OPTIONS)[number]]?: unknown };
type AnyFunction = (...args: never[]) => unknown;

/** The options of a serving with their defaults. */
export interface Settings {
  readonly compute: (entries: unknown, key: string) => unknown;
  readonly batchSize: number;
  readonly batchTimeout: number;
  readonly batchKeys: readonly string[];
  readonly pad: boolean;
  readonly template: unknown;
  readonly maxQueue: number;
  readonly overflow: "refuse" | "wait";
  readonly preprocess: (input: unknown) => unknown;
  readonly postprocess: (result: unknown, input: unknown) => unknown;
  /** On which the function runs, whoever's request fills the batch. */
  readonly backend: Default;
}

export function readSettings(fn: unknown, options: unknown): Settings {
  if (typeof fn !== "function") throw new ArgumentError(`${CREATE} expects a function of batches, got: ${show(fn)}`);
  if (tracingBackend()) throw new DefnError(`${CREATE} cannot be called while a function is traced; make it outside`);
  checkOptions(CREATE, options as object | undefined, OPTIONS);
  const given = (options ?? {}) as Given;
  const { batchKeys } = given;
  return {
    compute: computeFunction(fn as AnyFunction, batchKeys !== undefined, booleanOption(CREATE, "jit", given.jit, true)),
    batchSize: requiredSize(given.batchSize),
    batchTimeout: timeoutOption(given.batchTimeout),
    batchKeys: batchKeys === undefined ? ["default"] : keysOption(batchKeys),
    pad: booleanOption(CREATE, "pad", given.pad, false),
    template: given.template === undefined ? undefined : templateOption(given.template),
    maxQueue: given.maxQueue === Infinity ? Infinity : integerOption(CREATE, "maxQueue", given.maxQueue, Infinity, 1),
    overflow: wordOption(CREATE, "overflow", given.overflow, ["refuse", "wait"], "refuse"),
    preprocess: functionOption("preprocess", given.preprocess),
    postprocess: functionOption("postprocess", given.postprocess),
    backend: currentDefault(),
  };
}

/** The function of a serving; only a serving with keys passes the key on, which might be taken for another argument. */
function computeFunction(fn: AnyFunction, hasKeys: boolean, traced: boolean): Settings["compute"] {
  const plain = fn as unknown as Settings["compute"];
  const call = traced
    ? jit((entries: unknown, ...key: string[]) => synchronous(plain(entries, ...(key as [string]))))
    : plain;
  return hasKeys ? call : (entries) => (call as (entries: unknown) => unknown)(entries);
}

/** A promise cannot be part of a graph; what it will be rejected with would have no one to go to. */
function synchronous(result: unknown): unknown {
  if (!isThenable(result)) return result;
  void Promise.resolve(result).catch(() => undefined);
  throw new DefnError(
    `the function of ${CREATE} is async, which cannot be traced; give the option { jit: false } to call it as it is`,
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function requiredSize(value: unknown): number {
  if (value !== undefined) return integerOption(CREATE, "batchSize", value, 1, 1);
  throw new ArgumentError(
    `${CREATE} needs the option batchSize, the number of entries of a batch at most, as in { batchSize: 32 }`,
  );
}

function timeoutOption(value: unknown): number {
  if (value === undefined) return 100;
  if (typeof value === "number" && value >= 0 && value <= MAX_TIMEOUT) return value;
  throw new ArgumentError(
    `option batchTimeout of ${CREATE} must be a number of milliseconds from 0 to ${MAX_TIMEOUT}, got: ${show(value)}`,
  );
}

function keysOption(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.every((key) => typeof key === "string");
  if (isList && new Set(value).size === value.length) return [...(value as string[])];
  throw new ArgumentError(
    `option batchKeys of ${CREATE} must be a list of different words such as ["short", "long"], got: ${show(value)}`,
  );
}

function templateOption(value: unknown): unknown {
  return mapContainer(value, (leaf) => asTensor(leaf, CREATE));
}

function functionOption(name: string, value: unknown): (first: unknown, second?: unknown) => unknown {
  if (value === undefined) return (first) => first;
  if (typeof value === "function") return value as (first: unknown, second?: unknown) => unknown;
  throw new ArgumentError(`option ${name} of ${CREATE} must be a function, got: ${show(value)}`);
}

/** The key and the signal of a request. */
export function readRunOptions(
  options: unknown,
  { batchKeys }: Settings,
): { readonly key: string; readonly signal: Signal | null } {
  checkOptions(RUN, options as object | undefined, ["key", "signal"]);
  const { key, signal } = (options ?? {}) as { readonly key?: unknown; readonly signal?: unknown };
  return { key: keyOption(key, batchKeys), signal: signal === undefined ? null : signalOption(signal) };
}

function keyOption(key: unknown, batchKeys: readonly string[]): string {
  if (key === undefined && batchKeys.length === 1) return batchKeys[0]!;
  if (key !== undefined) return wordOption(RUN, "key", key, batchKeys, "");
  throw new ArgumentError(
    `${RUN} needs the option key where there are several batchKeys: one of ${batchKeys.map(show).join(", ")}`,
  );
}

function signalOption(value: unknown): Signal {
  const signal = value as Partial<Signal> | null;
  if (typeof signal === "object" && typeof signal?.addEventListener === "function") return signal as Signal;
  throw new ArgumentError(
    `option signal of ${RUN} must be an AbortSignal, the signal of an AbortController, got: ${show(value)}`,
  );
}
