/** Compiles and runs programs: one compiler for the page, a worker of its own for each run. */
import * as Comlink from "comlink";
import type { WorkerShape } from "@valtown/codemirror-ts/worker";
import type { Event, Job, Report } from "./messages";

export type Compiler = WorkerShape & { instrument(code: string, assets: string): Promise<string> };

let begun: Comlink.Remote<Compiler> | null = null;
let compiler: Promise<Compiler> | null = null;

function workerOf(assets: string): Comlink.Remote<Compiler> {
  begun ??= Comlink.wrap<Compiler>(
    new Worker(new URL(`${assets}compiler.worker.js`, location.href), { type: "module" }),
  );
  return begun;
}

/** The compiler, which is loaded when it is first asked for; ready for questions about types. */
export function compilerOf(assets: string): Promise<Compiler> {
  compiler ??= (async () => {
    const worker = workerOf(assets) as unknown as Compiler;
    await worker.initialize();
    return worker;
  })();
  return compiler;
}

export interface Running {
  readonly ended: Promise<void>;
  stop(): void;
}

/** Runs programs one after the other in one worker, and hands on what each shows, by its place in the list. */
export function runPrograms(
  codes: readonly string[],
  assets: string,
  hear: (i: number, event: Event) => void,
): Running {
  let worker: Worker | null = null;
  let isStopped = false;
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (finish = resolve));
  const fail = (i: number, message: string): void => hear(i, { event: "failed", line: 1, name: "Error", message });
  let left = codes.length;
  const ended = (): void => void (--left === 0 && stop());

  function open(): Worker {
    const opened = new Worker(new URL(`${assets}program.worker.js`, location.href), { type: "module" });
    opened.addEventListener("message", ({ data: { id, event } }: MessageEvent<Report>) => {
      hear(id, event);
      if (event.event === "ended") ended();
    });
    opened.addEventListener("error", ({ message }) => {
      // a file that does not come has no message
      fail(codes.length - left, message || "what runs programs could not be loaded: is the page offline?");
      stop();
    });
    return opened;
  }
  async function start(): Promise<void> {
    const root = new URL(assets, location.href).href;
    worker = open();
    for (const [id, code] of codes.entries()) {
      try {
        const job: Job = { id, code: await workerOf(assets).instrument(code, root) };
        if (isStopped) return;
        worker.postMessage(job);
      } catch (error) {
        fail(id, String(error));
        ended();
      }
    }
  }
  function stop(): void {
    isStopped = true;
    worker?.terminate();
    finish();
  }
  if (codes.length === 0) finish();
  else void start();
  return { ended: over, stop };
}

/** Runs a program and hands on what it shows. */
export const runProgram = (code: string, assets: string, hear: (event: Event) => void): Running =>
  runPrograms([code], assets, (_, event) => hear(event));
