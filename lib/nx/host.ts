/**
 * A report on the host and on the choices the library made there. Asking changes nothing: no worker starts, no memory is taken.
 */
import type { Backend } from "../backend";
import { chosenDefault, chosenFor, threadsInForce } from "../backends/default";
import { splitSpec } from "../backends/names";
import { hasRelaxedSimd, isWasmAvailable, whatIsMissing } from "../backends/wasm/memory/host";
import { configuredThreads, readyWorkers, whatHindersThreads } from "../backends/wasm/threads";
import { configured, configuredIn } from "../core/config";
import { sharedState, VERSION } from "../core/copies";

/** What {@link host} tells. */
export interface HostReport {
  /** Version of the library. */
  readonly version: string;
  /** Versions of all copies of the library that are in use in this program; one is as it should be. */
  readonly copies: readonly string[];
  /** What runs the program: `Node 20.20.2`, `Deno 2.9.6`, `Bun 1.4.5`, `page`, `worker`, `service worker`, or `unknown`. */
  readonly name: string;
  /** Whether a page is cross-origin isolated, which shared memory needs; null outside of browsers. */
  readonly isIsolated: boolean | null;
  /** Whether kernels can run as WebAssembly. */
  readonly wasm: { readonly isAvailable: boolean; readonly why: string };
  /** The backend on which new tensors are made. */
  readonly backend: { readonly name: string; readonly why: string };
  /** How many threads large work is divided among when all have started, and how many there are so far, the calling one included. */
  readonly threads: { readonly count: number; readonly started: number; readonly why: string };
  /** Whether products of floats are added up unrounded in matrix products and convolutions. */
  readonly fma: { readonly isRelaxed: boolean; readonly why: string };
}

/**
 * Tells where the program runs and what the library makes of it: which backend makes new tensors, whether there is WebAssembly, on how
 * many threads it works, and each time why. Asking changes nothing, so it is the first thing to look at where a program is slower
 * somewhere than elsewhere.
 *
 * @returns a plain object, which can be logged and sent
 * @throws ConfigError where an environment variable has a value that is not allowed
 * @example
 * ```ts
 * Nx.withDefaultBackend("binary", () => Nx.host().backend);
 * // => { name: 'binary', why: 'set by Nx.withDefaultBackend' }
 * Nx.withDefaultBackend("binary", () => Nx.host().threads.why);
 * // => 'the backend binary works on one thread'
 * ```
 * @example
 * ```ts
 * const { version, copies } = Nx.host();
 * copies.every((copy) => copy === version);
 * // => true
 * ```
 */
export function host(): HostReport {
  const { versions } = sharedState();
  const { crossOriginIsolated } = globalThis as Surroundings;
  const missing = isWasmAvailable() ? null : (whatIsMissing() ?? "the host refused to compile WebAssembly");
  const backend = backendInForce(missing);
  return {
    version: VERSION,
    copies: [...versions],
    name: nameOfHost(),
    isIsolated: crossOriginIsolated ?? null,
    wasm: { isAvailable: missing === null, why: missing ?? "the host has WebAssembly with SIMD" },
    backend,
    threads: threadsOf(backend.name),
    fma: fmaOf(backend.name),
  };
}

function backendInForce(missing: string | null): HostReport["backend"] {
  const chosen = chosenDefault();
  if (chosen) return { name: chosen.backend.name, why: `set by ${chosenFor()}` };
  const spec: unknown = configured("defaultBackend");
  const name = splitSpec(spec)?.name ?? (spec as Backend).name;
  const source = configuredIn("defaultBackend");
  if (name !== "auto") return { name, why: `set by ${source}` };
  const set = source === null ? "the default, auto," : `set by ${source} to auto, which`;
  return missing === null
    ? { name: "wasm", why: `${set} takes wasm where it is available` }
    : { name: "binary", why: `${set} takes binary: ${missing}` };
}

function fmaOf(backend: string): HostReport["fma"] {
  if (configured("fma") === "exact") {
    return { isRelaxed: false, why: `${sourceOf("fma")} exact: results have the same bits on every machine` };
  }
  if (backend !== "wasm") return { isRelaxed: false, why: `the backend ${backend} rounds each product` };
  if (!hasRelaxedSimd()) return { isRelaxed: false, why: "the WebAssembly of the host has no relaxed SIMD" };
  return { isRelaxed: true, why: `set by ${configuredIn("fma")}` };
}

const sourceOf = (key: "fma"): string => {
  const source = configuredIn(key);
  return source === null ? "the default," : `set by ${source} to`;
};

function threadsOf(backend: string): HostReport["threads"] {
  if (backend !== "wasm") return { count: 1, started: 1, why: `the backend ${backend} works on one thread` };
  const started = 1 + readyWorkers();
  const hindrance = whatHindersThreads();
  const asked = configuredThreads();
  if (asked > 1 && hindrance !== null) return { count: started, started, why: hindrance };
  return { count: asked, started, why: whyThreads(asked) };
}

function whyThreads(asked: number): string {
  if (threadsInForce() === "auto") {
    return asked === 1
      ? "the machine has one core"
      : `one for each core, at most eight; they start when they are of use`;
  }
  if (chosenDefault()?.threads !== undefined) return `set by ${chosenFor()}`;
  return `set by ${configuredIn("threads") ?? configuredIn("defaultBackend")}`;
}

interface Surroundings {
  readonly crossOriginIsolated?: boolean;
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
  readonly ServiceWorkerGlobalScope?: unknown;
  readonly WorkerGlobalScope?: unknown;
  readonly document?: unknown;
}

/** Runtimes by the key of their version; Deno and Bun have one of Node, too. */
const RUNTIMES = { deno: "Deno", bun: "Bun", node: "Node" } as const;

function nameOfHost(): string {
  const here = globalThis as Surroundings;
  const versions = here.process?.versions ?? {};
  for (const [key, name] of Object.entries(RUNTIMES))
    if (versions[key] !== undefined) return `${name} ${versions[key]}`;
  if (here.ServiceWorkerGlobalScope !== undefined) return "service worker";
  if (here.WorkerGlobalScope !== undefined) return "worker";
  return here.document === undefined ? "unknown" : "page";
}
