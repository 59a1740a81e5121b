/** A server of pages for browsers, on this machine only. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What pages need to use several threads. */
export const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** A page, and scripts by their paths. */
export interface Site {
  readonly html: string;
  readonly headers: object;
  /** The text of a script; null for what is not there. */
  read(path: string): string | Uint8Array | null;
}

/** Serves a site; what a page posts is told. */
export async function serve({ html, headers, read }: Site, posted: (text: string) => void = () => {}) {
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => posted(Buffer.concat(chunks).toString()));
      return response.end();
    }
    const isPage = request.url === "/";
    const body = isPage ? html : read(request.url!);
    response.writeHead(body === null ? 404 : 200, {
      "content-type": isPage ? "text/html" : "text/javascript",
      ...headers,
    });
    return response.end(body ?? "");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}
