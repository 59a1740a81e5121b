/**
 * Backends by name: programs register them, and each is opened once for equal options.
 */
import type { Backend, OpenBackend } from "../backend";
import { ArgumentError, BackendError, causeText, NxError, show } from "../core/errors";
import { isPlainObject } from "../core/options";
import { checkBackend } from "./partial";

export type Options = Readonly<Record<string, unknown>>;

interface Registration {
  readonly open: OpenBackend;
  /** Equal options stand for the same backend, whatever objects hold them. */
  readonly opened: { readonly options: Options; readonly backend: Backend }[];
  isOpening: boolean;
}

/** Names that are given already: those of the library's backends, and of backends that no user opens. */
const TAKEN: readonly string[] = ["auto", "binary", "wasm", "template", "expr", "vectorized"];
const NAME = /^[A-Za-z][\w.-]*$/;

const registered = new Map<string, Registration>();

/** Names that programs have registered. */
export const registeredNames = (): readonly string[] => [...registered.keys()];

/** Registers a name; gives a function that takes the name back. */
export function register(name: string, open: OpenBackend): () => void {
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new ArgumentError(
      `registerBackend expects a name of letters, digits, "_", "-" and ".", the first a letter, got: ${show(name)}`,
    );
  }
  if (TAKEN.includes(name))
    throw new BackendError(`the name ${show(name)} is that of a backend of the library; take another one`);
  if (typeof open !== "function") {
    const isBackend = typeof open === "object" && open !== null && "upload" in open;
    throw new ArgumentError(
      `registerBackend expects a function that gives the backend, got: ${show(open)}${isBackend ? "; write () => backend" : ""}`,
    );
  }
  if (registered.has(name)) {
    throw new BackendError(
      `the backend ${show(name)} is registered already; to register another one in its place, call the function that ` +
        `registering it gave, which takes the name back`,
    );
  }
  const registration = { open, opened: [], isOpening: false };
  registered.set(name, registration);
  return () => void (registered.get(name) === registration && registered.delete(name));
}

/** The backend registered under a name, opened with these options. */
export function openRegistered(name: string, options: Options): Backend {
  const registration = registered.get(name)!;
  const known = registration.opened.find((other) => isSame(other.options, options));
  if (known) return known.backend;
  const backend = opening(name, registration, options);
  registration.opened.push({ options, backend });
  return backend;
}

/** Whether two values of options are equal: lists and plain objects by what they hold, all else by identity. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function opening(name: string, registration: Registration, options: Options): Backend {
  if (registration.isOpening) {
    throw new BackendError(
      `the backend ${show(name)} is needed while it is being opened; functions that are called there have to be told another ` +
        `one, as in Nx.tensor([1], { backend: "binary" })`,
    );
  }
  registration.isOpening = true;
  try {
    const made: unknown = registration.open(options);
    if (typeof (made as { then?: unknown } | null)?.then === "function")
      throw notYet(name, made as PromiseLike<unknown>);
    return checkBackend(made, `the function registered for the backend ${show(name)}`);
  } catch (error) {
    if (error instanceof NxError) throw error;
    throw new BackendError(`the backend ${show(name)} could not be opened: ${causeText(error)}`, { cause: error });
  } finally {
    registration.isOpening = false;
  }
}

/** Names are opened where a tensor is made, which waits for nothing. */
function notYet(name: string, promise: PromiseLike<unknown>): BackendError {
  promise.then(undefined, () => undefined); // a rejection is of no interest any more
  return new BackendError(
    `the function registered for the backend ${show(name)} returned a promise; wait before registering: ` +
      `const backend = await ...; Nx.registerBackend(${show(name)}, () => backend)`,
  );
}

/** Name and options of a backend as users write them; null for any other value. */
export function splitSpec(spec: unknown): { readonly name: string; readonly options: Options } | null {
  if (typeof spec === "string") return { name: spec, options: NO_OPTIONS };
  if (!Array.isArray(spec)) return null;
  const [name, options = NO_OPTIONS] = spec as unknown[];
  return typeof name === "string" && spec.length <= 2 && isPlainObject(options) ? { name, options } : null;
}

const NO_OPTIONS: Options = Object.freeze({});
