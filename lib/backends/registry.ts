/**
 * Which backend makes new tensors, and which backend runs an op on given operands.
 * Order for new tensors: a running trace, `withDefaultBackend`, `defaultBackend`/`globalDefaultBackend`, configuration.
 */
import type { Backend, BackendSpec } from "../backend";
import { BACKEND_NAMES, configured } from "../core/config";
import { BackendError, didYouMean, show } from "../core/errors";
import { Tensor } from "../tensor";
import { binaryBackend } from "./binary";
import {
  checkThreads,
  chosenDefault,
  programDefault,
  runWithDefault,
  setDefault,
  setProgramDefault,
  threadsInForce,
  type Default,
} from "./default";
import { wasmBackend } from "./wasm";
import { isWasmAvailable } from "./wasm/host";

type Options = Readonly<Record<string, unknown>>;

const KNOWN: { readonly [K in (typeof BACKEND_NAMES)[number]]: (options: Options) => Default } = {
  auto: (options) => withoutOptions(isWasmAvailable() ? wasmBackend : binaryBackend, options),
  binary: (options) => withoutOptions(binaryBackend, options),
  wasm: (options) => withThreads(availableWasm(), options),
};

function withThreads(backend: Backend, options: Options): Default {
  const { threads, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new BackendError(`unknown option ${show(unknown)} for the wasm backend, it takes: threads`);
  }
  return { backend, threads: threads === undefined ? undefined : checkThreads(threads) };
}

function availableWasm(): Backend {
  if (isWasmAvailable()) return wasmBackend;
  throw new BackendError(
    'the backend "wasm" needs WebAssembly with SIMD, which this environment does not offer; use "binary", or "auto", which takes what there is',
  );
}

function withoutOptions(backend: Backend, options: Options): Default {
  const keys = Object.keys(options);
  if (keys.length === 0) return { backend, threads: undefined };
  throw new BackendError(`unknown option ${show(keys[0])} for the ${backend.name} backend, it takes none`);
}

/** The backend a user named with its options, for a scope or the program, or an error that lists the names. */
export function resolveDefault(spec: BackendSpec): Default {
  if (isBackend(spec)) return { backend: spec, threads: undefined };
  const [name, options] = Array.isArray(spec) ? [spec[0] as unknown, (spec[1] ?? {}) as object] : [spec as unknown, {}];
  if (typeof name === "string" && Object.hasOwn(KNOWN, name))
    return KNOWN[name as keyof typeof KNOWN](options as Options);
  const names = BACKEND_NAMES.map(show).join(", ");
  const hint = typeof name === "string" ? didYouMean(name, BACKEND_NAMES) : "";
  throw new BackendError(
    `unknown backend ${show(name)}${hint || ","} expected one of: ${names}, [name, options] or a Backend object`,
  );
}

/** The backend a user named for single tensors. Threads belong to what computes, so those of another scope are refused. */
export function resolveBackend(spec: BackendSpec): Backend {
  const { backend, threads } = resolveDefault(spec);
  if (threads === undefined || threads === threadsInForce()) return backend;
  throw new BackendError(
    `a tensor has no threads of its own, got: threads ${show(threads)}; set them for a scope by ` +
      `Nx.withDefaultBackend(["wasm", { threads: ${show(threads)} }], fn), for the program by Nx.configure({ threads: ${show(threads)} })`,
  );
}

function isBackend(spec: unknown): spec is Backend {
  return typeof spec === "object" && spec !== null && typeof (spec as Partial<Backend>).upload === "function";
}

let traceBackend: Backend | null = null;
let fromConfig: { spec: unknown; value: Default } | null = null;

/** The backend on which new tensors are made. */
export function currentBackend(): Backend {
  return traceBackend ?? (chosenDefault() ?? configuredDefault()).backend;
}

/** The same with the threads that were set with it. */
export function currentDefault(): Default {
  return traceBackend ? { backend: traceBackend, threads: undefined } : (chosenDefault() ?? configuredDefault());
}

function configuredDefault(): Default {
  const spec = configured("defaultBackend");
  if (fromConfig?.spec !== spec) fromConfig = { spec, value: resolveDefault(spec) };
  return fromConfig.value;
}

/** The backend a creation function uses: its option, unless a trace is running. */
export function creationBackend(spec: BackendSpec | undefined): Backend {
  return spec === undefined || traceBackend ? currentBackend() : resolveBackend(spec);
}

/** Runs `fn` with `backend` as default; where the host has AsyncLocalStorage it holds across `await` as well. */
export const runWithBackend = <T>(backend: Backend, fn: () => T): T =>
  runWithDefault({ backend, threads: undefined }, fn);

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

/** The tensor on another backend; itself where it is there already or the backend takes it as it is. */
export function moveTo(tensor: Tensor, backend: Backend): Tensor {
  if (tensor.backend === backend || backend.absorbs) return tensor;
  const data = backend.takeOver?.(tensor) ?? backend.upload(tensor, tensor.backend.download(tensor));
  return new Tensor(backend, data, tensor.type, tensor.shape, tensor.names);
}
