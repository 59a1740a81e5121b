/**
 * Option objects: unknown keys are errors that list the allowed ones and suggest the nearest.
 */
import { ArgumentError, didYouMean, show } from "./errors";

/** Checks that `options` is a plain object whose keys are all in `allowed`. */
export function checkOptions(fn: string, options: object | undefined, allowed: readonly string[]): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new ArgumentError(
      `${fn} expects its options as an object such as { ${allowed[0] ?? ""}: ... }, got: ${show(options)}`,
    );
  }
  for (const key in options) {
    if (!allowed.includes(key)) throw unknownOption(fn, key, allowed);
  }
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

/** An option that is one of a few words; `fallback` stands for one that was not given. */
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

/** An integer option of at least `least`. */
export function integerOption(fn: string, key: string, value: unknown, fallback: number, least = -Infinity): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
  const bound = least === -Infinity ? "an integer" : `an integer of at least ${least}`;
  throw new ArgumentError(`option ${key} of ${fn} must be ${bound}, got: ${show(value)}`);
}
