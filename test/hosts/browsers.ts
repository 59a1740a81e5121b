/** Pages and workers of Chromium and Firefox, served from this machine only. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { evaluateInFirefox } from "./firefox";
import type { Host } from "./local";
import { type Found, probeText, type Project } from "./project";
import { ISOLATED, serve, type Site } from "./server";

/** The browser's program, or null where it is not installed. */
export const findBrowser = (): string | null =>
  ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path)) ?? null;

const ARGUMENTS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

const IMPORTS = {
  "nx-numerics": "/node_modules/nx-numerics/dist/index.js",
  "nx-numerics/files": "/node_modules/nx-numerics/dist/files.js",
  "#library/": "/node_modules/nx-numerics/dist/",
  "#dependencies": "/node_modules/nx-numerics/dist/dependencies.js",
  immutable: "/node_modules/immutable/dist/immutable.es.js",
  fflate: "/node_modules/fflate/esm/browser.js",
};

const PAGE = `<!doctype html><meta charset="utf-8"><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

/** What a worker runs: all in one file, since workers have no import maps. */
const WORKER = `
import * as Nx from "nx-numerics";
import * as files from "nx-numerics/files";
import probe from "./probe.cjs";
const load = async (name) => {
  if (name === "nx-numerics/files") return files;
  throw new Error("there is no " + name + " here");
};
onmessage = async ({ ports: [port] }) => {
  try {
    port.postMessage({ found: await probe(Nx, { load, folder: "/tmp" }) });
  } catch (error) {
    port.postMessage({ error: error.stack });
  }
};
`;

const policy = (script: string, worker: string): object => ({
  "content-security-policy": `default-src 'self'; script-src 'self' 'unsafe-inline' ${script}; worker-src 'self' ${worker}`,
});

/** The files of a project under a page. */
const siteOf = ({ folder }: Project, headers: object): Site => ({
  html: PAGE,
  headers,
  read: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : null),
});

/** What runs the probe in a project: an expression of a page. */
type Expression = (project: Project) => Promise<string>;

/** Runs the probe on the page itself. */
const onPage: Expression = async () => `(async () => {
  const options = { load: (name) => import(name), folder: "/tmp" };
  return (${probeText()})(await import("nx-numerics"), options);
})()`;

/** Bundles what workers run. */
async function bundleWorker(project: Project): Promise<void> {
  const entry = project.write("worker.mjs", WORKER);
  const shared = { bundle: true, format: "esm", platform: "browser", logLevel: "error" } as const;
  await build({ ...shared, entryPoints: [entry], outfile: join(project.folder, "worker.js") });
}

/** Runs the probe in a worker that the page starts. */
const inWorker =
  (start: string): Expression =>
  async (project) => {
    await bundleWorker(project);
    return `(async () => {
      const worker = await (${start})();
      const { port1, port2 } = new MessageChannel();
      worker.postMessage(null, [port2]);
      const { found, error } = await new Promise((done) => { port1.onmessage = ({ data }) => done(data); });
      if (error !== undefined) throw new Error(error);
      return found;
    })()`;
  };

const web = inWorker(`() => new Worker("/worker.js", { type: "module" })`);
const service = inWorker(`async () => {
  await navigator.serviceWorker.register("/worker.js", { type: "module" });
  return (await navigator.serviceWorker.ready).active;
}`);

const running: { browser: Promise<Browser> | null } = { browser: null };

/** The one browser of all hosts. */
async function launch(): Promise<Browser> {
  const { chromium: launcher } = await import("playwright-core");
  return launcher.launch({ executablePath: findBrowser()!, args: ARGUMENTS });
}

/** Ends the browser, where one was started. */
export async function closeBrowser(): Promise<void> {
  const { browser } = running;
  running.browser = null;
  await (await browser)?.close();
}

/** What an expression gives on the page of a site, in a window of its own; `closeBrowser` ends the browser afterwards. */
export async function evaluateInChromium<T>(site: Site, expression: string): Promise<T> {
  const server = await serve(site);
  const context = await (await (running.browser ??= launch())).newContext();
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    return await page.evaluate<T>(expression);
  } finally {
    await context.close();
    server.close();
  }
}

const hostOf =
  (evaluate: typeof evaluateInChromium) =>
  (headers: object, expression: Expression): Host =>
  async (project) => {
    const run = await expression(project);
    return { ...(await evaluate<Found>(siteOf(project, headers), run)), refusals: [] };
  };

const chromium = hostOf(evaluateInChromium);
const firefox = hostOf(evaluateInFirefox);

/** By the name that each has in the table. */
export const CHROMIUM: Readonly<Record<string, Host>> = {
  "Browser page": chromium({}, onPage),
  "Browser page, cross-origin isolated": chromium(ISOLATED, onPage),
  "Browser page, policy without `'wasm-unsafe-eval'`": chromium({ ...ISOLATED, ...policy("", "blob:") }, onPage),
  "Browser page, isolated, policy without `worker-src blob:`": chromium({ ...ISOLATED, ...policy("'wasm-unsafe-eval'", "") }, onPage), // prettier-ignore
  "Browser page, isolated, policy with both": chromium({ ...ISOLATED, ...policy("'wasm-unsafe-eval'", "blob:") }, onPage), // prettier-ignore
  "Worker of a page that is isolated": chromium(ISOLATED, web),
  "Service worker": chromium({}, service),
};

export const FIREFOX: Readonly<Record<string, Host>> = {
  "Firefox page": firefox({}, onPage),
  "Firefox page, cross-origin isolated": firefox(ISOLATED, onPage),
  "Worker of a Firefox page that is isolated": firefox(ISOLATED, web),
};
