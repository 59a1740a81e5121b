/** Pages of Firefox as systems install it, which no driver of tests knows: a page posts what it finds to the server that it came from. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve, type Site } from "./server";

/** The browser's program, or null where it is not installed. */
export const findFirefox = (): string | null =>
  ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => existsSync(path)) ?? null;

/** How long a page may take, in milliseconds. */
const PATIENCE = 120_000;

/** What an expression gives on the page of a site. */
export async function evaluateInFirefox<T>(site: Site, expression: string): Promise<T> {
  const script = `
    const post = (outcome) => fetch("/", { method: "POST", body: JSON.stringify(outcome) });
    Promise.resolve().then(() => ${expression}).then((value) => post({ value }), (error) => post({ error: error + "\\n" + error.stack }));`;
  const html = `${site.html}<script type="module">${script}</script>`;
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const server = await serve({ ...site, html });
  const env = { ...process.env, HOME: profile, MOZ_HEADLESS: "1" };
  const browser = spawn(findFirefox()!, ["--no-remote", "--profile", profile, server.url], { stdio: "ignore", env });
  const ended = once(browser, "exit");
  try {
    const { value, error } = JSON.parse(await server.posted(PATIENCE)) as { value: T; error?: string };
    if (error !== undefined) throw new Error(error);
    return value;
  } finally {
    browser.kill();
    await ended;
    server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
