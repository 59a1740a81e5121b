/**
 * Option objects: unknown keys are errors that list the allowed ones and suggest the nearest.
 */
import { ArgumentError, didYouMean, show } from "./errors";

/**
 * Checks that `options` is a plain object whose keys are all in `allowed`, and gives the object to read them from: options are
 * what the object has of its own, so what somebody put on `Object.prototype` is none.
 */
export function checkOptions<O extends object | undefined>(fn: string, options: O, allowed: readonly string[]): O {
  if (options === undefined) return options;
  if (!isPlainObject(options)) {
    const example = allowed.length === 0 ? "" : ` such as { ${allowed[0]}: ... }`;
    throw new ArgumentError(`${fn} expects its options as an object${example}, got: ${show(options)}`);
  }
  for (const key of Object.keys(options)) {
    if (!allowed.includes(key)) throw unknownOption(fn, key, allowed);
  }
  const proto = Object.getPrototypeOf(options) as object | null;
  if (proto === null) return options;
  for (const key of allowed) {
    if (key in proto) return Object.assign(Object.create(null) as object, options) as O;
  }
  return options;
}

/** Whether a value is an object as `{}` makes it, in this realm or another, or one without prototype; no instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const proto = Object.getPrototypeOf(value) as object | null;
  if (proto === null || proto === Object.prototype) return true;
  return Object.getPrototypeOf(proto) === null && Object.hasOwn(proto, "isPrototypeOf");
}

function unknownOption(fn: string, key: string, allowed: readonly string[]): ArgumentError {
  const hint = didYouMean(key, allowed);
  const list =
    allowed.length === 0 ? ", it takes none" : `${hint ? " Expected" : ", expected"} one of: ${allowed.join(", ")}`;
  return new ArgumentError(`unknown option ${JSON.stringify(key)} for ${fn}${hint}${list}`);
}

/** A boolean option with its default. */
export function booleanOption(fn: string, key: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value === "boolean") return value;
  throw new ArgumentError(`option ${key} of ${fn} must be true or false, got: ${show(value)}`);
}

/** An option with a few words as its values; `fallback` is the value of a missing option. */
export function wordOption<const W extends string, const F extends W | null>(
  fn: string,
  key: string,
  value: unknown,
  words: readonly W[],
  fallback: F,
): W | F {
  if (value === undefined) return fallback;
  if (words.includes(value as W)) return value as W;
  throw new ArgumentError(
    `option ${key} of ${fn} must be one of ${words.map((w) => JSON.stringify(w)).join(", ")}, got: ${show(value)}`,
  );
}

/** What reductions do about NaN: the result is NaN, or NaN is a missing value, which is left out. */
export type NanPolicy = "propagate" | "skip";

const NAN_POLICIES = ["propagate", "skip"] as const;

/** Whether NaN is left out, by the option `nan`. */
export function skipsNan(fn: string, options: { readonly nan?: unknown } | undefined): boolean {
  return wordOption(fn, "nan", options?.nan, NAN_POLICIES, "propagate") === "skip";
}

/** An integer option of at least `least`. */
export function integerOption(fn: string, key: string, value: unknown, fallback: number, least = -Infinity): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
  const bound = least === -Infinity ? "an integer" : `an integer of at least ${least}`;
  throw new ArgumentError(`option ${key} of ${fn} must be ${bound}, got: ${show(value)}`);
}
