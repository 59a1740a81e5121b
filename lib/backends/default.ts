/**
 * The default backend of a scope and of the program, with what was said of it there. Below all backends, so that one can ask how
 * many threads the scope that it works in has.
 */
import type { Backend } from "../backend";
import { checkedConfig, configRevision, configured, type Config } from "../core/config";
import { Scoped } from "../core/scoped";

export type Threads = Config["threads"];

/** A backend that makes new tensors, with its threads and its spec. */
export interface Default {
  readonly backend: Backend;
  /** The number of threads; undefined where the program named none. */
  readonly threads: Threads | undefined;
  /** Whether eager work may wait; left out where the program did not say. */
  readonly deferred?: boolean | undefined;
  /** The name and options under which it was registered; null for all other backends. */
  readonly spec: readonly [name: string, options: Readonly<Record<string, unknown>>] | null;
}

interface Scope {
  current: Default;
}

const scopes = new Scoped<Scope>();
let ofProgram: Default | null = null;

/** What is in force: of the innermost scope, else of the program; null where neither was set. */
export const chosenDefault = (): Default | null => scopes.current?.current ?? ofProgram;

/** By which function the backend in force was chosen, for messages; null where none was. */
export const chosenFor = (): string | null =>
  scopes.current ? "Nx.withDefaultBackend" : ofProgram ? "Nx.globalDefaultBackend" : null;

/** What was set for the program. */
export const programDefault = (): Default | null => ofProgram;

/** The default of a scope, which inherits from the scope around it. */
const within = (value: Default, around: Default | undefined): Default => ({
  ...value,
  threads: value.threads ?? around?.threads,
  deferred: value.deferred ?? around?.deferred,
});

/** Runs `fn` in a scope; a scope without a number of threads inherits the number of the scope around. */
export function runWithDefault<T>(value: Default, fn: () => T): T {
  return scopes.run({ current: within(value, scopes.current?.current) }, fn);
}

/** Sets the default of the innermost scope, or of the program outside any. */
export function setDefault(value: Default): void {
  const scope = scopes.current;
  if (scope) scope.current = within(value, scope.current);
  else ofProgram = value;
}

export function setProgramDefault(value: Default): void {
  ofProgram = value;
}

/** What {@link threadsOfProgram} gave, and for which configuration. */
const known: { of: Default | null; revision: number; threads: Threads; deferred: boolean } = {
  ...{ of: null, revision: -1 },
  ...{ threads: "auto", deferred: true },
};

/** What holds for the program, whatever the scope. Every large operation asks, so the answer is kept. */
function ofWholeProgram(): typeof known {
  const revision = configRevision();
  if (known.of === ofProgram && known.revision === revision) return known;
  known.threads = lookedUp();
  known.deferred = ofProgram?.deferred ?? (said("deferred") as boolean | undefined) ?? configured("deferred");
  [known.of, known.revision] = [ofProgram, revision];
  return known;
}

/** An option that is said with the configured default backend. */
function said(option: string): unknown {
  const spec = configured("defaultBackend");
  const [name, options] = Array.isArray(spec) ? (spec as readonly unknown[]) : [];
  return name === "wasm" ? (options as Readonly<Record<string, unknown>> | undefined)?.[option] : undefined;
}

/** The threads of the program, whatever the scope. */
export const threadsOfProgram = (): Threads => ofWholeProgram().threads;

/** Whether eager work may wait. */
export const deferredInForce = (): boolean => scopes.current?.current.deferred ?? ofWholeProgram().deferred;

/** The threads that were said with the program's default backend, else by the key of that name. */
function lookedUp(): Threads {
  if (ofProgram) return ofProgram.threads ?? configured("threads");
  const threads = said("threads");
  return threads === undefined ? configured("threads") : checkThreads(threads);
}

/** The threads in force. */
export const threadsInForce = (): Threads => scopes.current?.current.threads ?? ofWholeProgram().threads;

/** A number of threads as a user gives it with a backend. */
export const checkThreads = (value: unknown): Threads =>
  checkedConfig("threads", value, "the options of the wasm backend");

/** Whether eager work waits, as a user says it with a backend. */
export const checkDeferred = (value: unknown): boolean =>
  checkedConfig("deferred", value, "the options of the wasm backend");
