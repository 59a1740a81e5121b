/**
 * Starting threads: by `worker_threads` in Node and hosts that offer it (Deno, Bun), else by the browser's
 * Worker. Knows the data of a worker, not its work.
 */
import type { WasmMemory } from "../memory/host";
import { workerProgram } from "./program";

/** The data that a worker starts with. */
interface WorkerData {
  readonly memory: WasmMemory;
  readonly block: SharedArrayBuffer;
  readonly worker: number;
}

export interface Thread {
  /**
   * Whether the thread has ended, asked without returning to the event loop; null where the host cannot tell. Once true,
   * it runs no more code.
   */
  isOver(): boolean | null;
  /** Ends it, soon. */
  stop(): void;
}

interface NodePort {
  readonly port: unique symbol;
}
interface NodeWorker {
  unref(): void;
  on(event: string, listener: () => void): void;
  terminate(): unknown;
}
interface NodeThreads {
  readonly Worker: new (source: unknown, options: object) => NodeWorker;
  readonly MessageChannel: new () => { readonly port1: NodePort; readonly port2: NodePort };
  receiveMessageOnPort(port: NodePort): unknown;
}
interface WebWorker {
  postMessage(data: WorkerData): void;
  terminate(): void;
  onerror: ((event: { preventDefault?(): void }) => void) | null;
}
interface Host {
  readonly process?: {
    readonly versions?: Readonly<Record<string, string | undefined>>;
    getBuiltinModule?(id: string): unknown;
  };
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly crossOriginIsolated?: boolean;
  readonly Worker?: new (url: string, options: object) => WebWorker;
  readonly Blob: new (parts: string[], options: object) => object;
  readonly URL: { new (text: string): object; createObjectURL(blob: object): string };
  structuredClone<T>(value: T, options: object): T;
}

declare const performance: { now(): number };

const host = (): Host => globalThis as unknown as Host;

const builtin = <T>(id: string): T | undefined => host().process?.getBuiltinModule?.(id) as T | undefined;

/** Milliseconds of the host's clock. */
export const now = (): number => performance.now();

/** Threads the machine runs at the same time. */
export function hardwareThreads(): number {
  const parallelism = builtin<{ availableParallelism?(): number }>("node:os")?.availableParallelism;
  // Node's own figure first: it minds what the process is allowed to use.
  return parallelism?.() ?? host().navigator?.hardwareConcurrency ?? 1;
}

/** Whether this thread may sleep in `Atomics.wait`: the main thread of a page may not. */
export function canSleep(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/** What of the host keeps workers from being started, as text for users; null for nothing that can be seen beforehand. */
export function hindranceToWorkers(): string | null {
  const { crossOriginIsolated, Worker } = host();
  if (crossOriginIsolated === false && typeof builtin<NodeThreads>("node:worker_threads")?.Worker !== "function") {
    return (
      "the page is not cross-origin isolated, so it has no shared memory; it takes the headers " +
      "Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp"
    );
  }
  if (typeof SharedArrayBuffer !== "function") return "the host has no SharedArrayBuffer";
  const isOffered = Worker !== undefined || builtin<NodeThreads>("node:worker_threads")?.Worker !== undefined;
  return isOffered ? null : "the host has no workers";
}

/**
 * Starts a worker; null where the host has none or refuses. `onOver` is told, through the event loop, when it has ended by
 * whatever cause.
 */
export function startThread(data: WorkerData, onOver: () => void): Thread | null {
  try {
    const threads = builtin<NodeThreads>("node:worker_threads");
    if (threads?.Worker) return startInNode(threads, data, onOver);
    return host().Worker && host().crossOriginIsolated !== false ? startInBrowser(data, onOver) : null;
  } catch {
    // A content security policy or a permission that is missing: one thread, then.
    return null;
  }
}

function startInNode(threads: NodeThreads, data: WorkerData, onOver: () => void): Thread {
  const { port1, port2 } = new threads.MessageChannel();
  const source = new (host().URL)(`data:text/javascript,${encodeURIComponent(workerProgram())}`);
  // No arguments and no environment: what the user preloads (loaders, instrumentation) is not for these threads.
  const options = { execArgv: [], env: {}, name: "nx-numerics", workerData: { ...data, port: port2 } };
  const worker = new threads.Worker(source, { ...options, transferList: [port2] });
  worker.unref();
  worker.on("error", onOver);
  worker.on("exit", onOver);
  return { isOver: portWatch(threads, port1), stop: () => void worker.terminate() };
}

/**
 * Node's events cannot arrive while the caller waits, but a port can be asked at any time, and the worker's end of a
 * channel closes when the worker is torn down, after its last code. Reading from our end takes that in, and a closed port
 * can no longer be transferred: that is how to see it. (Deno and Bun keep the port open.)
 */
function portWatch(threads: NodeThreads, port: NodePort): () => boolean | null {
  const { versions } = host().process!;
  if (versions?.["bun"] !== undefined || versions?.["deno"] !== undefined) return () => null;
  let mine: NodePort | null = port;
  return () => {
    if (mine === null) return true;
    threads.receiveMessageOnPort(mine);
    try {
      mine = host().structuredClone(mine, { transfer: [mine] });
    } catch {
      mine = null;
    }
    return mine === null;
  };
}

function startInBrowser(data: WorkerData, onOver: () => void): Thread {
  // The address is kept for the life of the page: some browsers read it only after the constructor has returned.
  const url = host().URL.createObjectURL(new (host().Blob)([workerProgram()], { type: "text/javascript" }));
  const worker = new (host().Worker!)(url, { name: "nx-numerics" });
  worker.onerror = (event) => {
    event.preventDefault?.();
    onOver();
  };
  worker.postMessage(data);
  return { isOver: () => null, stop: () => worker.terminate() };
}
