/**
 * The errors that users of the library see. Every message states the value, what was expected and the remedy.
 * Of tensors they say the type and the shape; callers format shapes with `formatShape`.
 */
import { Complex } from "./complex";
import { brandOf, describeOther, isOwn, otherCopyOf, otherCopyRemedy } from "./copies";
import { formatShape } from "./format-shape";
import type { Names, Shape } from "./shape";

const brand = brandOf("an error");

/** Base class of every error the library throws on purpose. */
export class NxError extends Error {
  override readonly name: string = "NxError";

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }

  /**
   * The name that the class has in all copies of the library; classes of users have none.
   *
   * @internal
   */
  static readonly kind: string = "NxError";

  /** Errors of other copies of the library are instances, too: of the class of the same name. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
    if (!Object.hasOwn(this, "kind") || otherCopyOf(value)?.what !== brand.what) return false;
    return this.kind === "NxError" || this.kind === (value as NxError).name;
  }
}

/** An argument has the wrong type, shape, names or value. */
export class ArgumentError extends NxError {
  override readonly name = "ArgumentError";
  /** @internal */
  static override readonly kind = "ArgumentError";
}

/** A backend cannot do what was asked: no such backend, two backends mixed, data freed, a template used as a value. */
export class BackendError extends NxError {
  override readonly name = "BackendError";
  /** @internal */
  static override readonly kind = "BackendError";
}

/** A function cannot be traced or compiled by `defn`. */
export class DefnError extends NxError {
  override readonly name = "DefnError";
  /** @internal */
  static override readonly kind = "DefnError";
}

/** A configuration value or key is not one of those allowed. */
export class ConfigError extends NxError {
  override readonly name = "ConfigError";
  /** @internal */
  static override readonly kind = "ConfigError";
}

/** A request that a serving did not take, or gave up: its queue is full, or it is closed. */
export class ServingError extends NxError {
  override readonly name = "ServingError";
  /** @internal */
  static override readonly kind = "ServingError";

  constructor(
    message: string,
    /** Why: `"full"` may pass, `"closed"` does not. */
    readonly reason: "full" | "closed",
  ) {
    super(message);
  }
}

const completions = new WeakMap<Error, (called: string) => string>();

/** An error whose message has a place of its own for the name of the function that was called. */
export function completedBy<E extends NxError>(error: E, text: (called: string) => string): E {
  completions.set(error, text);
  return error;
}

/** An error whose message is that of `original`, called by the same name, and a suffix. */
export function completedAs<E extends NxError>(error: E, original: NxError, suffix: string): E {
  const text = completions.get(original);
  return text === undefined ? error : completedBy(error, (called) => text(called) + suffix);
}

/** The message of such an error with that name; null for all other errors. */
export const completedText = (error: NxError, called: string): string | null =>
  completions.get(error)?.(called) ?? null;

/** Nesting and characters of a value that a message shows. */
const SHOWN_DEPTH = 4;
const SHOWN_LENGTH = 400;

/** Text for any value in a message, short and on one line. */
export function show(value: unknown): string {
  const text = showWithin(value, SHOWN_DEPTH);
  return text + otherCopyRemedy(text);
}

function showWithin(value: unknown, depth: number): string {
  if (typeof value === "string") {
    return value.length > SHOWN_LENGTH ? `${JSON.stringify(value.slice(0, SHOWN_LENGTH))}...` : JSON.stringify(value);
  }
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `function ${value.name || "(anonymous)"}`;
  if (value === null || typeof value !== "object") return Object.is(value, -0) ? "-0" : String(value);
  if (Array.isArray(value)) {
    if (depth === 0) return "[...]";
    const items = value.slice(0, 8).map((item) => showWithin(item, depth - 1));
    return `[${items.join(", ")}${value.length > 8 ? ", ..." : ""}]`;
  }
  if (value instanceof Complex) return String(value);
  const other = otherCopyOf(value);
  if (other !== null) return describeOther(other);
  if (isOwn(value, "a tensor")) {
    const { type, shape, names } = value as { readonly type: string; readonly shape: Shape; readonly names: Names };
    return `a tensor ${type}${formatShape(shape, names)}`;
  }
  const proto = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null;
  if (proto && proto !== Object.prototype) return `an instance of ${proto.constructor?.name ?? "an unnamed class"}`;
  if (depth === 0) return "{...}";
  const keys = Object.keys(value).slice(0, 6);
  if (keys.length === 0) return "{}";
  return `{ ${keys.map((key) => `${key}: ${showWithin((value as Record<string, unknown>)[key], depth - 1)}`).join(", ")} }`;
}

/** Refuses a value that another copy of the library made: to `fn` such a value is an unknown object. */
export function refuseOtherCopy(fn: string, value: unknown, what?: string): void {
  const other = otherCopyOf(value);
  if (other === null || (what !== undefined && other.what !== what)) return;
  throw new ArgumentError(`${fn} was given ${show(value)}`);
}

/**
 * The candidate closest to a misspelt word, if any is near enough to suggest (Damerau-Levenshtein, at most a third wrong).
 * Any letter is one edit from any other, so of a single letter only its case may be wrong. Else the only one that begins with the word.
 */
function nearest(word: string, candidates: readonly string[]): string | null {
  const limit = Math.min(word.length - 1, Math.max(1, Math.floor(word.length / 3)));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  if (best !== null || word.length < 3) return best;
  const longer = candidates.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()));
  return longer.length === 1 ? longer[0]! : null;
}

/** A caught value as text for the message of another error. */
export function causeText(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : show(cause);
}

/** "; did you mean x?" or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const match = nearest(word, candidates);
  return match === null ? "" : `; did you mean ${JSON.stringify(match)}?`;
}

function editDistance(a: string, b: string): number {
  let previous: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, previous[j - 2]! + 1);
      next.push(best);
    }
    [previous, row] = [row, next];
  }
  return row[b.length]!;
}
