// Runs the built ESM bundle in a real browser (Debian's Chromium), served from this machine only. Needs `npm run build`
// first; says so and succeeds where no browser is installed.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const chromium = "/usr/bin/chromium";
const expected = "#Nx.Tensor<\n  s64\n  6\n>";
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const page = `<!doctype html>
<meta charset="utf-8">
<script type="importmap">{ "imports": { "nx-numerics": "/nx.js", "immutable": "/immutable.js", "fflate": "/fflate.js" } }</script>`;

const routes = {
  "/": { type: "text/html", body: () => page },
  "/nx.js": { type: "text/javascript", body: () => readFile(file("dist/index.js")) },
  "/immutable.js": {
    type: "text/javascript",
    body: () => readFile(file("node_modules/immutable/dist/immutable.es.js")),
  },
  "/fflate.js": { type: "text/javascript", body: () => readFile(file("node_modules/fflate/esm/browser.js")) },
};

async function serve() {
  const server = createServer(async (request, response) => {
    const route = routes[request.url];
    if (route === undefined) return response.writeHead(404).end();
    // A policy without 'unsafe-eval' proves that nothing generates code from text.
    const policy = "default-src 'self'; script-src 'self' 'unsafe-inline'";
    response.writeHead(200, { "content-type": route.type, "content-security-policy": policy });
    response.end(await route.body());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function evaluate(url) {
  const { chromium: launcher } = await import("playwright-core");
  const browser = await launcher.launch({ executablePath: chromium, args });
  try {
    const tab = await browser.newPage();
    await tab.goto(url);
    return await tab.evaluate(async () => {
      const Nx = await import("nx-numerics");
      return Nx.sum(Nx.tensor([1, 2, 3])).toString();
    });
  } finally {
    await browser.close();
  }
}

async function main() {
  if (!existsSync(chromium)) return console.log(`browser smoke: skipped, ${chromium} is not installed`);
  if (!existsSync(file("dist/index.js"))) throw new Error("no dist/index.js: run `npm run build` first");
  const server = await serve();
  try {
    const result = await evaluate(`http://127.0.0.1:${server.address().port}/`);
    if (result !== expected) throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(result)}`);
    console.log("browser smoke: ok");
  } finally {
    server.close();
  }
}

await main();
