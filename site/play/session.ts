/** Compiles and runs programs: one compiler for the page, a worker of its own for each run. */
import * as Comlink from "comlink";
import type { WorkerShape } from "@valtown/codemirror-ts/worker";
import type { Event, Job } from "./messages";

export type Compiler = WorkerShape & { instrument(code: string, library: string): Promise<string> };

let compiler: Promise<Compiler> | null = null;

/** The compiler, which is loaded when it is first asked for; ready for questions about types. */
export function compilerOf(assets: string): Promise<Compiler> {
  compiler ??= (async () => {
    const worker = new Worker(new URL(`${assets}compiler.worker.js`, location.href), { type: "module" });
    const wrapped = Comlink.wrap(worker) as unknown as Compiler;
    await wrapped.initialize();
    return wrapped;
  })();
  return compiler;
}

export interface Running {
  readonly ended: Promise<void>;
  stop(): void;
}

/** Runs a program and hands on what it shows. */
export function runProgram(code: string, assets: string, hear: (event: Event) => void): Running {
  const library = new URL(`${assets}nx-numerics.js`, location.href).href;
  let worker: Worker | null = null;
  let isStopped = false;
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (finish = resolve));
  const start = async (): Promise<void> => {
    try {
      const job: Job = { code: await (await compilerOf(assets)).instrument(code, library), library };
      if (isStopped) return;
      worker = new Worker(new URL(`${assets}program.worker.js`, location.href), { type: "module" });
      worker.addEventListener("message", ({ data }: MessageEvent<Event>) => {
        hear(data);
        if (data.event === "ended") finish();
      });
      worker.addEventListener("error", ({ message }) => {
        hear({ event: "failed", line: 1, name: "Error", message });
        finish();
      });
      worker.postMessage(job);
    } catch (error) {
      hear({ event: "failed", line: 1, name: "Error", message: String(error) });
      finish();
    }
  };
  void start();
  return {
    ended: over,
    stop() {
      isStopped = true;
      worker?.terminate();
      finish();
    },
  };
}
