/**
 * Option objects: unknown keys are errors that list the allowed ones and suggest the nearest.
 */
import { ArgumentError, didYouMean, show } from "./errors";
import { formatShape, type Axis, type AxisList, type Names, type Shape } from "./shape";

/** Words of one meaning: every function that has one of them understands the other. */
const OTHER_WORD: Readonly<Record<string, string>> = {
  axis: "axes",
  axes: "axis",
  keepAxis: "keepAxes",
  keepAxes: "keepAxis",
  name: "names",
  names: "name",
};

/**
 * Checks that `options` is a plain object whose keys are all in `allowed`, and gives the object to read them from: options are
 * what the object has of its own, so what somebody put on `Object.prototype` is none.
 *
 * Where `allowed` has `"axis"` or `"axes"`, an axis or a list of axes may stand in place of the options, and either word in place of the
 * other: what is given back has the word of `allowed`, one axis as it is for `"axis"` and a list for `"axes"`. So it is with `"name"` and
 * `"names"`.
 */
export function checkOptions<O extends object | undefined>(fn: string, options: O, allowed: readonly string[]): O;
export function checkOptions<O extends object>(
  fn: string,
  options: O | Axis | AxisList | undefined,
  allowed: readonly string[],
): O | undefined;
export function checkOptions(fn: string, options: unknown, allowed: readonly string[]): object | undefined {
  if (options === undefined) return options;
  const word = allowed.includes("axes") ? "axes" : allowed.includes("axis") ? "axis" : null;
  if (word !== null && isAxes(options)) return inWords(fn, { [word]: options }, allowed);
  if (!isPlainObject(options)) {
    const example = allowed.length === 0 ? "" : ` such as { ${allowed[0]}: ... }`;
    throw new ArgumentError(`${fn} expects its options as an object${example}, got: ${show(options)}`);
  }
  let isOther = word !== null && inForm(word, options[word]) !== options[word];
  for (const key of Object.keys(options)) {
    if (allowed.includes(key)) continue;
    if (!isOtherWord(key, allowed)) throw unknownOption(fn, key, allowed);
    isOther = true;
  }
  if (isOther) return inWords(fn, options, allowed);
  const proto = Object.getPrototypeOf(options) as object | null;
  if (proto === null) return options;
  for (const key of allowed) {
    if (key in proto) return Object.assign(Object.create(null) as object, options);
  }
  return options;
}

/** One object of axes and the options behind them, which must not have axes, too. */
export function withAxes(fn: string, axes: unknown, more: Readonly<Record<string, unknown>>): object {
  for (const word of ["axis", "axes"]) {
    if (more[word] === undefined) continue;
    throw new ArgumentError(`${fn} got axes twice, as ${show(axes)} and as the option ${word}: give one of the two`);
  }
  return Object.assign(Object.create(null) as object, more, { axis: axes });
}

/** Whether a value may stand in place of options, as axes. */
export const isAxes = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || Array.isArray(value);

/**
 * Refuses a number in place of options, or a list of one, that is no axis of the tensor, of functions after whose tensor other libraries take
 * another number: says how that one is written.
 */
export function checkPlace(fn: string, given: unknown, { shape, names }: Shaped, key: string): void {
  const axis: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (typeof axis !== "number" || (Number.isInteger(axis) && axis < shape.length)) return;
  throw new ArgumentError(
    `${fn}: a number in place of options is an axis, and shape ${formatShape(shape, names)} has no axis ${axis}; write { ${key}: ${axis} }`,
  );
}

interface Shaped {
  readonly shape: Shape;
  readonly names: Names;
}

const isOtherWord = (key: string, allowed: readonly string[]): boolean =>
  Object.hasOwn(OTHER_WORD, key) && allowed.includes(OTHER_WORD[key]!);

/** Axes in the form of their word: one axis, or a list. What is neither is left to who reads it. */
function inForm(word: "axis" | "axes", value: unknown): unknown {
  if (word === "axes") return typeof value === "string" || typeof value === "number" ? [value] : value;
  return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}

/** One name as a list, or of a list of one its name, as the word says; other options are as they are. */
function nameIn(word: string, value: unknown): unknown {
  if (word === "names" && !Array.isArray(value)) return [value];
  return word === "name" && Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}

/** The options under the words of `allowed`. */
function inWords(fn: string, options: Readonly<Record<string, unknown>>, allowed: readonly string[]): object {
  const words: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(options)) {
    const word = allowed.includes(key) ? key : OTHER_WORD[key]!;
    if (value === undefined) continue;
    if (words[word] !== undefined) {
      throw new ArgumentError(
        `${fn} understands ${JSON.stringify(key)} as ${JSON.stringify(OTHER_WORD[key])}: give one of the two`,
      );
    }
    words[word] = word === "axis" || word === "axes" ? inForm(word, value) : key === word ? value : nameIn(word, value);
  }
  return words;
}

/** What may stand behind axes that stand in place of options: the others, in an object. What methods of arrays add is passed over. */
export type More<O> = readonly [more?: O | readonly unknown[]];

/** The other word for the option `axis`. */
export interface AlsoAxes<A = Axis> {
  /** The same as `axis`. */
  readonly axes?: A | readonly [A];
}

/** The other word for the option `axes`. */
export interface AlsoAxis<A = Axis | AxisList> {
  /** The same as `axes`. */
  readonly axis?: A;
}

/** The option of functions along any number of axes. */
export interface SomeAxes<A = Axis | AxisList> extends AlsoAxis<A> {
  /** One axis or a list, by position (negative from the end) or by name. */
  readonly axes?: A;
}

/** Whether a value is an object as `{}` makes it, in this realm or another, or one without prototype; no instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const proto = Object.getPrototypeOf(value) as object | null;
  if (proto === null || proto === Object.prototype) return true;
  return Object.getPrototypeOf(proto) === null && Object.hasOwn(proto, "isPrototypeOf");
}

/** What options are called in other libraries, and words that are near to what they are called here: to `axis` and `axes` alike. */
const ELSEWHERE: { readonly [key: string]: string | undefined } = { dim: "axs", keepdims: "keepAxs", size: "shape" };

function unknownOption(fn: string, key: string, allowed: readonly string[]): ArgumentError {
  const words = allowed.flatMap((word) => [word, ...(Object.hasOwn(OTHER_WORD, word) ? [OTHER_WORD[word]!] : [])]);
  const hint = didYouMean(ELSEWHERE[key.toLowerCase()] ?? key, words);
  const list =
    allowed.length === 0 ? ", it takes none" : `${hint ? " Expected" : ", expected"} one of: ${allowed.join(", ")}`;
  // jax-js and others take the shape beside flat data
  const reshaped = key === "shape" && allowed.includes("names") ? "; give the result its shape by .reshape([...])" : "";
  return new ArgumentError(`unknown option ${JSON.stringify(key)} for ${fn}${hint}${list}${reshaped}`);
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
