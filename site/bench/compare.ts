/** Measures works side by side in the page: a worker for each library, timed in turns as `npm run bench` does. */
import { compare } from "../../bench/peers/compare";
import type { Hello, InputSpecs, Request, Sample, Timed } from "../../bench/peers/protocol";
import { PACES, timeInTurns, type Times } from "../../bench/peers/rounds";
import type { PeerWork } from "../../bench/peers/works";

export { table } from "../../bench/peers/works";

/** A library in a worker of its own, which answers one request at a time. */
class Runner {
  readonly #worker: Worker;
  #reply: { resolve(value: unknown): void; reject(error: Error): void } | null = null;

  constructor(address: string) {
    this.#worker = new Worker(address, { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<{ value?: unknown; error?: string }>) => {
      const reply = this.#reply;
      this.#reply = null;
      if (data.error === undefined) reply?.resolve(data.value);
      else reply?.reject(new Error(data.error));
    });
    this.#worker.addEventListener("error", ({ message }) =>
      this.#reply?.reject(new Error(message || "it could not be loaded: is the page offline?")),
    );
  }

  #heard(): Promise<unknown> {
    return new Promise((resolve, reject) => (this.#reply = { resolve, reject }));
  }

  #ask(request: Request): Promise<unknown> {
    const heard = this.#heard();
    this.#worker.postMessage(request);
    return heard;
  }

  hello = async (): Promise<Hello> => (await this.#heard()) as Hello;
  prepare = async (run: string, inputs: InputSpecs): Promise<void> =>
    void (await this.#ask({ do: "prepare", run, inputs }));
  warm = async (milliseconds: number): Promise<number> =>
    ((await this.#ask({ do: "warm", milliseconds })) as { microseconds: number }).microseconds;
  time = async (repeats: number): Promise<Timed> => (await this.#ask({ do: "time", repeats })) as Timed;
  sample = async (): Promise<Sample> => (await this.#ask({ do: "sample" })) as Sample;
  drop = async (): Promise<void> => void (await this.#ask({ do: "drop" }));
  close(): void {
    this.#worker.terminate();
    this.#reply?.reject(new Error("stopped"));
  }
}

/** What stands in a cell: a median in microseconds, or why there is none. */
export type Cell = { readonly microseconds: number } | { readonly why: string };

export interface Peer {
  readonly name: string;
  readonly file: string;
}

/** Who can be measured, ours first. */
export const PEERS: readonly Peer[] = [
  { name: "nx-numerics", file: "nx.js" },
  { name: "jax-js", file: "jax.js" },
  { name: "TensorFlow.js", file: "tfjs.js" },
  { name: "hand-written loop", file: "loop.js" },
];

interface Ready {
  readonly peer: Peer;
  readonly hello: Hello;
  readonly runner: Runner;
}

export interface Listener {
  readonly loaded: (peer: Peer, versions: string) => void;
  readonly measured: (work: PeerWork, peer: Peer, cell: Cell) => void;
}

const why = (error: unknown): Cell => ({ why: error instanceof Error ? error.message : String(error) });

export interface Session {
  readonly ended: Promise<void>;
  stop(): void;
}

/** Measures works by libraries, whose files lie under an address, and tells of each result. */
export function measure(
  works: readonly PeerWork[],
  peers: readonly Peer[],
  assets: string,
  listener: Listener,
): Session {
  const runners: Runner[] = [];
  let isStopped = false;

  async function started(peer: Peer): Promise<Ready | null> {
    const runner = new Runner(new URL(`${assets}${peer.file}`, location.href).href);
    runners.push(runner);
    try {
      const hello = await runner.hello();
      listener.loaded(peer, [hello.version, `threads: ${hello.threads}`].filter(Boolean).join(", "));
      return { peer, hello, runner };
    } catch (error) {
      listener.loaded(peer, String(error));
      return null;
    }
  }

  async function measureOne(work: PeerWork, ready: readonly Ready[]): Promise<void> {
    const able: Ready[] = [];
    let reference: Sample | null = null;
    for (const one of ready) {
      try {
        if (!one.hello.runs.includes(work.run)) throw new Error("has none");
        await one.runner.prepare(work.run, work.inputs);
        const sample = await one.runner.sample();
        reference ??= sample;
        if (!compare(sample, reference, work).agrees) throw new Error("differs");
        able.push(one);
      } catch (error) {
        listener.measured(work, one.peer, why(error));
      }
    }
    const times: readonly (Times | Error)[] = await timeInTurns(
      able.map(({ runner }) => runner),
      PACES.quick,
    );
    times.forEach((time, i) =>
      listener.measured(work, able[i]!.peer, time instanceof Error ? why(time) : { microseconds: time.median }),
    );
    for (const { runner } of able) await runner.drop();
  }

  async function all(): Promise<void> {
    const ready: Ready[] = [];
    for (const peer of peers) {
      const one = await started(peer);
      if (one) ready.push(one);
    }
    for (const work of works) {
      if (isStopped) return;
      await measureOne(work, ready).catch((error: unknown) => {
        if (!isStopped) throw error;
      });
    }
  }

  const close = (): void => runners.forEach((runner) => runner.close());
  return {
    ended: all().finally(close),
    stop() {
      isStopped = true;
      close();
    },
  };
}
