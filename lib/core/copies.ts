/**
 * Copies of the library. A process may have loaded several, of one version (as an ES module and as CommonJS, or inside a bundle) or
 * of two, and none knows the classes of another. Values therefore carry a brand, under a symbol that all copies share, so that
 * one of another copy is named as such where it would otherwise be no tensor at all.
 */

/** The version of the package that this copy belongs to. */
export const VERSION = "0.2.0";

/** What a value says of the copy that made it: of instances of classes, by a property of the prototype. */
interface Brand {
  /** The word of messages for the value: `a tensor`. */
  readonly what: string;
  readonly version: string;
  /** An object that identifies the copy. */
  readonly copy: object;
}

const KEY: unique symbol = Symbol.for("nx-numerics") as never;
const COPY = Object.freeze({});

/** The brand of values that this copy makes. */
export const brandOf = (what: string): Brand => Object.freeze({ what, version: VERSION, copy: COPY });

/** Whether this copy made a value, of that word. */
export const isOwn = (value: object, what: string): boolean => {
  const brand = (value as { readonly [KEY]?: Brand })[KEY];
  return brand?.copy === COPY && brand.what === what;
};

/** The brand of a value that another copy made; null for all other values. */
export function otherCopyOf(value: unknown): Brand | null {
  if (typeof value !== "object" || value === null) return null;
  const brand = (value as { readonly [KEY]?: Brand })[KEY];
  return typeof brand === "object" && brand !== null && brand.copy !== COPY ? brand : null;
}

const OTHER = "of another copy of nx-numerics";

/** What a value of another copy is, as text for messages. */
export function describeOther({ what, version }: Brand): string {
  return `${what} ${OTHER} (${version === VERSION ? `both are ${VERSION}` : `${version}, this one is ${VERSION}`})`;
}

/** The remedy for values of other copies, for a message whose text mentions such a value; else the empty text. */
export function otherCopyRemedy(text: string): string {
  return text.includes(OTHER)
    ? "; load one copy only (npm ls nx-numerics lists them, npm dedupe joins what it can), or hand the value over as a message: " +
        "Nx.fromMessage(Other.toMessage(value)[0])"
    : "";
}

/** State of the program that all copies in the process share. Later versions must keep the members as they are. */
interface SharedState {
  /** Versions of the copies that are in use. */
  readonly versions: string[];
  /** What a configuration file said last, and how often one was read. */
  file: { readonly values: object; readonly source: string } | null;
  reads: number;
}

let shared: SharedState | null = null;

/** The shared state; the first copy that is used makes it. */
export function sharedState(): SharedState {
  if (shared !== null) return shared;
  const host = globalThis as { [KEY]?: SharedState };
  shared = host[KEY] ?? { versions: [], file: null, reads: 0 };
  // where nothing can be added to the global object, each copy is alone
  if (host[KEY] === undefined && Object.isExtensible(host)) Object.defineProperty(host, KEY, { value: shared });
  shared.versions.push(VERSION);
  return shared;
}
