/** A runner of `bench/peers/runners` in a worker of the page: requests and answers are messages. */
import { answering, type Peer } from "../../bench/peers/answers";
import type { Request } from "../../bench/peers/protocol";

export type { Compiling, Inputs, Peer, Prepared } from "../../bench/peers/answers";

const memory = () => ({ resident: 0, peak: 0 }); // a page cannot tell

/** Says hello, then answers every message. */
export async function serve<T, R>(peer: Peer<T, R>): Promise<void> {
  const { hello, answer } = answering(peer, { runtime: navigator.userAgent, memory });
  self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
    if (data.do === "exit") return self.close();
    answer(data).then(
      (value) => self.postMessage({ value: value ?? null }),
      (error: unknown) => self.postMessage({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  self.postMessage({ value: hello });
}
