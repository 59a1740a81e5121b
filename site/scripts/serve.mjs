/** Serves the built site as static files with the headers that let its pages use threads: `npm run serve`, or by the tests. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".csv": "text/csv",
  ".wasm": "application/wasm",
  ".txt": "text/plain",
};
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The file of an address: pages may be asked for without their ending. */
function fileOf(address) {
  const asked = path.normalize(decodeURIComponent(new URL(address, "http://localhost").pathname));
  const file = path.join(DIST, asked);
  const tries = [file, `${file}.html`, path.join(file, "index.html")];
  return tries.find((one) => one.startsWith(DIST) && existsSync(one) && statSync(one).isFile()) ?? null;
}

/** A server on a port, or on any that is free; `isIsolated` is false for hosts that cannot set headers. */
export async function serve(port = 0, { isIsolated = true } = {}) {
  const server = createServer((request, response) => {
    const file = fileOf(request.url ?? "/");
    if (!file) {
      response.writeHead(404, { "Content-Type": "text/html" });
      createReadStream(path.join(DIST, "404.html")).pipe(response);
      return;
    }
    response.writeHead(200, {
      ...(isIsolated ? HEADERS : {}),
      "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream",
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(4173);
  console.log(`The site is at ${address}`);
}
