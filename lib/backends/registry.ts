/**
 * Which backend makes new tensors, and which backend runs an op on given operands.
 * Order for new tensors: a running trace, `withDefaultBackend`, `defaultBackend`/`globalDefaultBackend`, configuration.
 */
import type { Backend, BackendSpec } from "../backend";
import { configured, configuredIn } from "../core/config";
import { BackendError, ConfigError, didYouMean, show } from "../core/errors";
import { Tensor } from "../tensor";
import { binaryBackend } from "./binary";
import {
  checkDeferred,
  checkThreads,
  chosenDefault,
  deferredInForce,
  programDefault,
  runWithDefault,
  setDefault,
  setProgramDefault,
  threadsInForce,
  type Default,
} from "./default";
import { openRegistered, registeredNames, splitSpec, type Options } from "./names";
import { checkBackend, isBackendObject } from "./partial";
import { readNow } from "./reading";

/** The backend of WebAssembly, and whether the host lets it run. */
interface Vectors {
  readonly backend: Backend;
  isAvailable(): boolean;
}

let vectors: Vectors | null = null;

/** Lets programs have the backend "wasm": the main entry does, smaller ones leave it out of their bundles. */
export function installWasm(installed: Vectors): void {
  vectors = installed;
  fromConfig = null; // what "auto" stands for may be another one now
}

const KNOWN: { readonly [name in "auto" | "binary" | "wasm"]: (options: Options) => Default } = {
  auto: (options) => withoutOptions(vectors?.isAvailable() ? vectors.backend : binaryBackend, options),
  binary: (options) => withoutOptions(binaryBackend, options),
  wasm: (options) => withOptions(availableWasm(), options),
};

function withOptions(backend: Backend, options: Options): Default {
  const { threads, deferred, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new BackendError(`unknown option ${show(unknown)} for the wasm backend, it takes: deferred, threads`);
  }
  return {
    backend,
    threads: threads === undefined ? undefined : checkThreads(threads),
    deferred: deferred === undefined ? undefined : checkDeferred(deferred),
    spec: null,
  };
}

function availableWasm(): Backend {
  if (vectors?.isAvailable()) return vectors.backend;
  if (vectors === null) {
    throw new BackendError(
      'the backend "wasm" is no part of nx-numerics/reference; import from "nx-numerics" or "nx-numerics/core", or use "binary", or "auto", which takes what there is',
    );
  }
  throw new BackendError(
    'the backend "wasm" needs WebAssembly with SIMD, which this environment does not offer; use "binary", or "auto", which takes what there is',
  );
}

function withoutOptions(backend: Backend, options: Options): Default {
  const keys = Object.keys(options);
  if (keys.length === 0) return { backend, threads: undefined, spec: null };
  throw new BackendError(`unknown option ${show(keys[0])} for the ${backend.name} backend, it takes none`);
}

/** Every name that a backend has now. */
const knownNames = (): readonly string[] => [...Object.keys(KNOWN), ...registeredNames()];

const isKnown = (name: string): boolean => Object.hasOwn(KNOWN, name) || registeredNames().includes(name);

/** What is expected where a backend is named, and what else `spec` may have meant. */
function expected(spec: unknown): string {
  const name: unknown = Array.isArray(spec) ? spec[0] : spec;
  const hint = typeof name === "string" ? didYouMean(name, knownNames()) : "";
  return `${hint || ","} expected one of: ${knownNames().map(show).join(", ")}, [name, options] or a Backend object`;
}

/** The backend a user named with its options, for a scope or the program, or an error that lists the names. */
export function resolveDefault(spec: BackendSpec): Default {
  const split = splitSpec(spec);
  if (split === null) {
    if (isBackendObject(spec)) return { backend: checkBackend(spec, "a backend"), threads: undefined, spec: null };
    throw new BackendError(`unknown backend ${show(spec)}${expected(spec)}`);
  }
  const { name, options } = split;
  if (Object.hasOwn(KNOWN, name)) return KNOWN[name as keyof typeof KNOWN](options);
  if (!isKnown(name)) throw new BackendError(`unknown backend ${show(name)}${expected(name)}${notRegistered(name)}`);
  // whatever opening a backend computes is no part of a trace that happens to run
  const backend = runTracing(null, () => openRegistered(name, options));
  return { backend, threads: undefined, spec: [name, options] };
}

/** An unknown name without a similar known name may belong to a backend that is registered later. */
const notRegistered = (name: string): string =>
  didYouMean(name, knownNames())
    ? ""
    : `; a backend of another name is registered first, by Nx.registerBackend(${show(name)}, open)`;

/** Refuses a setting that is no backend, and a name that nobody has registered. */
export function checkConfiguredBackend(spec: unknown, source: string): void {
  const name = splitSpec(spec)?.name;
  if (name === undefined) return void (isBackendObject(spec) && checkBackend(spec, `the configuration in ${source}`));
  if (isKnown(name)) return;
  throw new ConfigError(
    `invalid value ${show(spec)} for defaultBackend in ${source}${expected(spec)}${notRegistered(name)}`,
  );
}

/** The backend a user named for single tensors. Threads belong to what computes, so those of another scope are refused. */
export function resolveBackend(spec: BackendSpec): Backend {
  const { backend, threads, deferred } = resolveDefault(spec);
  if (deferred !== undefined && deferred !== deferredInForce()) {
    throw new BackendError(
      `whether work waits is said for a scope, got: deferred ${show(deferred)} for a tensor; write ` +
        `Nx.withDefaultBackend(["wasm", { deferred: ${show(deferred)} }], fn), or for the program Nx.configure({ deferred: ${show(deferred)} })`,
    );
  }
  if (threads === undefined || threads === threadsInForce()) return backend;
  throw new BackendError(
    `a tensor has no threads of its own, got: threads ${show(threads)}; set them for a scope by ` +
      `Nx.withDefaultBackend(["wasm", { threads: ${show(threads)} }], fn), for the program by Nx.configure({ threads: ${show(threads)} })`,
  );
}

let traceBackend: Backend | null = null;
let fromConfig: { spec: unknown; value: Default } | null = null;

/** The backend on which new tensors are made. */
export function currentBackend(): Backend {
  return traceBackend ?? (chosenDefault() ?? configuredDefault()).backend;
}

/** The same with the threads that were set with it. */
export function currentDefault(): Default {
  return traceBackend
    ? { backend: traceBackend, threads: undefined, spec: null }
    : (chosenDefault() ?? configuredDefault());
}

function configuredDefault(): Default {
  const spec = configured("defaultBackend") as BackendSpec;
  if (fromConfig?.spec !== spec) fromConfig = { spec, value: resolveConfigured(spec) };
  return fromConfig.value;
}

/** The backend that the configuration names. Names in files and the environment are looked up here, when it is first needed. */
function resolveConfigured(spec: BackendSpec): Default {
  const source = configuredIn("defaultBackend");
  if (source === null) return resolveDefault(spec);
  checkConfiguredBackend(spec, source);
  try {
    return resolveDefault(spec);
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    throw new BackendError(`${error.message} (defaultBackend in ${source})`, { cause: error });
  }
}

/** The backend a creation function uses: its option, unless a trace is running. */
export function creationBackend(spec: BackendSpec | undefined): Backend {
  return spec === undefined || traceBackend ? currentBackend() : resolveBackend(spec);
}

/** Runs `fn` with `backend` as default; where the host has AsyncLocalStorage it holds across `await` as well. */
export const runWithBackend = <T>(backend: Backend, fn: () => T): T =>
  runWithDefault({ backend, threads: undefined, spec: null }, fn);

/** Sets the default of the innermost scope, or of the program outside any; returns what was in force. */
export function replaceDefault(value: Default): Default {
  const before = currentDefault();
  setDefault(value);
  return before;
}

/** Sets the default of the program; returns the one set before, or that of the configuration. */
export function replaceProgramDefault(value: Default): Default {
  const before = programDefault() ?? configuredDefault();
  setProgramDefault(value);
  return before;
}

/** Runs the synchronous `fn` while every new tensor belongs to the tracing backend. */
export function runTracing<T>(backend: Backend | null, fn: () => T): T {
  const before = traceBackend;
  traceBackend = backend;
  try {
    return fn();
  } finally {
    traceBackend = before;
  }
}

/** The backend being traced on, if any. */
export function tracingBackend(): Backend | null {
  return traceBackend;
}

/** The backend of all operands where it runs ops on them; null where {@link backendOf} has more to ask. */
export function commonBackend(inputs: readonly Tensor[]): Backend | null {
  if (traceBackend !== null || inputs.length === 0) return null;
  const { backend } = inputs[0]!;
  for (let i = 1; i < inputs.length; i++) if (inputs[i]!.backend !== backend) return null;
  return backend;
}

/**
 * The backend that runs an op on these operands: tensors of a portable backend follow the others. While tracing, ops on
 * tensors of the surroundings are recorded as well, so that a branch that is not taken computes nothing.
 */
export function backendOf(inputs: readonly Tensor[]): Backend {
  if (inputs.length === 0) return currentBackend();
  let chosen = inputs[0]!.backend;
  for (let i = 1; i < inputs.length; i++) {
    const other = inputs[i]!.backend;
    if (other !== chosen) chosen = joinBackends(chosen, other);
  }
  return traceBackend === null || chosen.absorbs ? chosen : traceBackend;
}

function joinBackends(a: Backend, b: Backend): Backend {
  if (a.absorbs || b.absorbs) return (a.absorbs ?? 0) >= (b.absorbs ?? 0) ? a : b;
  if (a.portable && b.portable) return a.takeOver ? a : b;
  if (b.portable) return a;
  if (a.portable) return b;
  if (a.name === b.name) return a;
  throw new BackendError(
    `cannot mix tensors of the backends ${show(a.name)} and ${show(b.name)} in one operation; ` +
      `move one of them first with Nx.backendTransfer(tensor, ${show(a.name)}) or Nx.backendCopy`,
  );
}

/** The tensor on another backend; the tensor itself where it lies there, or where the backend absorbs tensors of any backend. */
export function moveTo(tensor: Tensor, backend: Backend): Tensor {
  if (tensor.backend === backend || backend.absorbs) return tensor;
  const data = backend.takeOver?.(tensor) ?? backend.upload(tensor, readNow(tensor));
  return new Tensor(backend, data, tensor.type, tensor.shape, tensor.names);
}
