/**
 * Entries: the functions of the library as users call them. Inside the library functions call each other as they are; an
 * entry stands in front of one of them, where calls come in. It refuses arguments after the last, and an error that leaves
 * it names the function that was called, whatever deeper function raised it; its stack begins at the line of the call.
 */
import { otherCopyOf } from "./copies";
import { ArgumentError, NxError, completedText, show } from "./errors";
import { checkOptions, isAxes, isPlainObject, withAxes } from "./options";
import { OVER_AXES } from "./over-axes";

type AnyFunction = (...args: never[]) => unknown;
type Call = (this: unknown, ...args: unknown[]) => unknown;

/**
 * A function as users call it, with the last word of its name and the same number of parameters.
 *
 * @param name - its whole name, as messages show it: `Nx.LinAlg.solve`
 * @param fn - the function
 * @param most - how many arguments it takes, where it has rest parameters or defaults; as many as it has parameters otherwise
 */
export function entry<F extends AnyFunction>(name: string, fn: F, most?: number): F {
  const call = fn as unknown as Call;
  const made = isFixed(fn, most) ? fixed(name, call) : open(name, call, most ?? fn.length);
  return likeFunction(made, { name: lastOf(name), length: fn.length }) as unknown as F;
}

/** Bundlers rename functions of the same names in several files, so the names of functions are not asked. */
const lastOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** An entry for a function that returns functions: their errors begin at the lines that call them. */
export function makerEntry<F extends AnyFunction>(name: string, fn: F, most?: number): F {
  const make = fn as unknown as Call;
  return entry(name, likeFunction((...args: unknown[]) => placed(make(...args)), fn) as unknown as F, most);
}

/** What a maker gives: a function, or a list with functions in it. */
function placed(made: unknown): unknown {
  if (typeof made === "function") return placedFunction(made as Call);
  return Array.isArray(made) ? made.map((part: unknown) => (typeof part === "function" ? placed(part) : part)) : made;
}

function placedFunction(fn: Call): Call {
  const made: Call = function (this: unknown) {
    try {
      // oxlint-disable-next-line prefer-rest-params -- engines pass them on without a list of them
      return Reflect.apply(fn, this, arguments);
    } catch (error) {
      throw raisedAt(made, error);
    }
  };
  return made;
}

/** The same for a method, whose function takes the object first. */
export function methodEntry(name: string, fn: AnyFunction, most?: number): AnyFunction {
  const call = fn as unknown as Call;
  const made = isFixed(fn, most) ? fixedMethod(name, call) : openMethod(name, call, most ?? fn.length);
  return likeFunction(made, { name: lastOf(name), length: Math.max(fn.length - 1, 0) });
}

/** Parameters that are passed on one by one, at no cost to a call; lists of arguments have one. */
const FIXED = 5;
const isFixed = (fn: AnyFunction, most: number | undefined): boolean => most === undefined && fn.length <= FIXED;

function fixed(name: string, fn: Call): Call {
  const most = fn.length;
  const made: Call = function (a, b, c, d, e) {
    // oxlint-disable-next-line prefer-rest-params -- their number is free, a list of them is not
    const all = arguments.length > most ? arguments : null;
    try {
      return all === null ? fn(a, b, c, d, e) : fn(...fitting(name, most, [...all]));
    } catch (error) {
      throw named(name, made, error);
    }
  };
  return made;
}

function open(name: string, fn: Call, most: number): Call {
  const made: Call = (...args) => {
    try {
      return fn(...(args.length > most ? fitting(name, most, args) : args));
    } catch (error) {
      throw named(name, made, error);
    }
  };
  return made;
}

function fixedMethod(name: string, fn: Call): Call {
  const most = fn.length - 1;
  const made: Call = function (a, b, c, d) {
    // oxlint-disable-next-line prefer-rest-params -- as above
    const all = arguments.length > most ? arguments : null;
    try {
      return all === null ? fn(this, a, b, c, d) : fn(this, ...fitting(name, most, [...all]));
    } catch (error) {
      throw named(name, made, error);
    }
  };
  return made;
}

function openMethod(name: string, fn: Call, most: number): Call {
  const made: Call = function (...args) {
    try {
      return fn(this, ...(args.length >= most ? fitting(name, most - 1, args) : args));
    } catch (error) {
      throw named(name, made, error);
    }
  };
  return made;
}

function likeFunction<F extends object>(made: F, like: { readonly name: string; readonly length: number }): F {
  Object.defineProperty(made, "name", { value: like.name, configurable: true });
  return Object.defineProperty(made, "length", { value: like.length, configurable: true });
}

/**
 * The arguments that a function takes, of more than it takes. Those after the last would be passed over in silence, so they are
 * errors; undefined ones are not given, and those that methods of arrays add are not the user's.
 */
export function fitting(name: string, most: number, args: readonly unknown[]): readonly unknown[] {
  if (isCallback(args)) return args.slice(0, -2);
  const axes = axesWithOptions(name, most, args);
  if (axes !== null) return axes;
  const at = args.findIndex((arg, i) => i >= most && arg !== undefined);
  if (at < 0) return args.slice(0, most);
  const further = args[at];
  const hasOptions = isPlainObject(args[most - 1]) || isOverAxes(name);
  if (isPlainObject(further) && !hasOptions) checkOptions(name, further, []);
  const takes = most === 0 ? "no arguments" : most === 1 ? "one argument" : `at most ${most} arguments`;
  const list = Array.from({ length: most }, (_, i) => String.fromCharCode(97 + i)).join(", ");
  const several = args.slice(Math.max(most - 1, 0));
  const remedy = several.every((arg) => typeof arg === "number" || typeof arg === "string")
    ? `several values are one list, ${show(several)}, or options`
    : hasOptions
      ? "give all options in one object"
      : `to pass only those on write (${list}) => ${name}(${list})`;
  throw new ArgumentError(`${name} takes ${takes}, got ${args.length}, ${show(further)} after the last; ${remedy}`);
}

/** Whether the last argument of a function is options, in whose place axes may stand. */
const isOverAxes = (name: string): boolean => OVER_AXES.has(name.slice("Nx.".length));

/** Arguments of which the last two are axes and the options beside them, with these as one; null for others. */
function axesWithOptions(name: string, most: number, args: readonly unknown[]): readonly unknown[] | null {
  const [axes, more] = [args[most - 1], args[most]];
  const isOne = isAxes(axes) && isPlainObject(more) && args.slice(most + 1).every((arg) => arg === undefined);
  if (!isOne || !isOverAxes(name)) return null;
  return [...args.slice(0, most - 1), withAxes(name, axes, more)];
}

/**
 * Whether a method of an array, or of a collection like it, is what calls, with an element, its key and the collection:
 * `tensors.map(Nx.exp)` and `tensors.reduce(Nx.add)` are at home in the language.
 */
function isCallback(args: readonly unknown[]): boolean {
  const [element, key, collection] = args.slice(-3);
  if (args.length < 3 || typeof collection !== "object" || collection === null) return false;
  if (Array.isArray(collection) || ArrayBuffer.isView(collection)) {
    return typeof key === "number" && Object.is((collection as unknown as ArrayLike<unknown>)[key], element);
  }
  const { get } = collection as { readonly get?: unknown };
  return typeof get === "function" && Object.is((get as Call).call(collection, key), element);
}

/** Errors whose message an entry has settled: those that functions of users let through keep the name they have. */
const settled = new WeakSet<Error>();

/** Errors whose stack begins in the program already. */
const inProgram = new WeakSet<Error>();

/** The error with a stack that somebody else has found: that of the line that an operation was traced at. */
export function withStack<E extends Error>(error: E, stack: string): E {
  error.stack = stack;
  inProgram.add(error);
  return error;
}

interface StackHost {
  captureStackTrace?(error: Error, caller: unknown): void;
}

/**
 * The error of a function, whose stack begins where that was called, as far as the host can tell: what lies deeper is the
 * library's. Of several functions around each other it is the innermost. Errors that are not the library's keep their frames.
 */
export function raisedAt(fn: unknown, error: unknown): unknown {
  if (!(error instanceof NxError) || inProgram.has(error) || otherCopyOf(error) !== null) return error;
  inProgram.add(error);
  (Error as StackHost).captureStackTrace?.(error, fn);
  return error;
}

/** The error, with a message that names the function that was called, and a stack that begins at the call, unless that is over. */
function named(name: string, fn: unknown, error: unknown): unknown {
  if (!(error instanceof NxError) || settled.has(error) || otherCopyOf(error) !== null) return error;
  settled.add(error);
  const { message, stack } = error;
  if (!names(message, name)) {
    error.message = completedText(error, name) ?? prefixed(name, message);
    // engines that put the message into the stack do so when the stack is captured
    const at = stack === undefined ? -1 : stack.indexOf(message);
    if (at >= 0) error.stack = `${stack!.slice(0, at)}${error.message}${stack!.slice(at + message.length)}`;
  }
  return fn === null ? error : raisedAt(fn, error);
}

function prefixed(name: string, message: string): string {
  const own = lastOf(name);
  return message.startsWith(`${own} `) ? `${name}${message.slice(own.length)}` : `${name}: ${message}`;
}

/** Runs what a function does after it has returned, as generators do when they are read. */
export function calledAs<T>(name: string, fn: () => T): T {
  try {
    return fn();
  } catch (error) {
    throw named(name, calledAs, error);
  }
}

/** Runs a function of the program inside of one of the library: errors keep the names and the lines of the calls in it. */
export function ofProgram<T>(fn: () => T): T {
  try {
    return fn();
  } catch (error) {
    if (error instanceof NxError) settled.add(error);
    throw error;
  }
}

/** What a method of an object of the library gives, whose errors begin at the lines that call it. */
export function calledBy<T>(method: unknown, fn: () => T): T {
  try {
    return fn();
  } catch (error) {
    throw raisedAt(method, error);
  }
}

/** The promise of a function, rejected with errors that name the function. */
export function promisedBy<T>(name: string, promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw named(name, null, error);
  });
}

/** Whether a message says what was called: by its whole name, in front of the remedy, which a semicolon begins. */
function names(message: string, name: string): boolean {
  const [text] = message.split("; ", 1);
  for (let at = text!.indexOf(name); at >= 0; at = text!.indexOf(name, at + 1)) {
    if (!/[\w$]/.test(text!.charAt(at + name.length))) return true;
  }
  return false;
}
