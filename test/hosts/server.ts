/** A server of pages for browsers, on this machine only. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What pages need to use several threads. */
export const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** A page, and scripts by their paths. */
export interface Site {
  readonly html: string;
  readonly headers: object;
  /** The text of a script; null for what is not there. */
  read(path: string): string | Uint8Array | null;
}

/** Serves a site. */
export async function serve({ html, headers, read }: Site) {
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      void text(request).then((body) => server.emit("posted", body));
      return response.end();
    }
    const isPage = request.url === "/";
    const body = isPage ? html : read(request.url!);
    const type = isPage ? "text/html" : "text/javascript";
    response.writeHead(body === null ? 404 : 200, { "content-type": type, ...headers });
    return response.end(body ?? "");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** What a page posts next, within so many milliseconds. */
    posted: async (patience: number): Promise<string> => {
      const [body] = (await once(server, "posted", { signal: AbortSignal.timeout(patience) })) as [string];
      return body;
    },
    close: () => server.close(),
  };
}
