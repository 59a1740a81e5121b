/** A reader of the built site in Debian's chromium: opens pages, and looks for what no page may have. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { serve } from "../scripts/serve.mjs";
import { looksOf } from "./looks.mjs";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const at = (place) => fileURLToPath(new URL(place, import.meta.url));
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SHOTS = at("./shots");

/** The pages of a folder of the built site. */
export const pagesOf = (folder) =>
  readdirSync(at(`../dist/${folder}`))
    .filter((file) => file.endsWith(".html"))
    .map((file) => `/${folder}/${file}`);

/** What a page says of itself that is too small for a phone: texts, and what is wider than the window. */
function onPhone() {
  const told = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) told.push(`${wide} pixels wider than the window`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
    const { fontSize, clipPath, position } = globalThis.getComputedStyle(element);
    if (position === "absolute" && clipPath !== "none") continue; // for screen readers alone
    const drawn = element.closest("svg") ? element.getScreenCTM().a : 1;
    if (parseFloat(fontSize) * drawn < 12) small.add(`${fontSize}: ${walker.currentNode.data.trim().slice(0, 40)}`);
  }
  return [...told, ...[...small].slice(0, 5)];
}

export class Reader {
  page = null;
  faults = [];
  contexts = new Map();
  /** Looks of texts that stood out from what is behind them. */
  looks = new Set();

  async open() {
    mkdirSync(SHOTS, { recursive: true });
    ({ server: this.server, address: this.address } = await serve());
    const { chromium } = createRequire(at("../../package.json"))("playwright-core");
    this.browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  }

  async close() {
    await this.browser?.close();
    this.server?.close();
  }

  /** Begins at a page, in a window of its own, whose faults are collected. */
  async visit(path, { from = this.address, prepare = () => undefined, ...options } = {}) {
    this.isPlain = from === this.address && Object.keys(options).length === 0;
    const context = await this.contextOf({ viewport: DESKTOP, serviceWorkers: "block", ...options });
    const page = await context.newPage();
    await this.page?.close();
    [this.page, this.faults] = [page, []];
    await prepare(page);
    page.on("pageerror", ({ message }) => this.faults.push(message));
    page.on("console", (message) => message.type() === "error" && this.faults.push(message.text()));
    page.on("response", (answer) => answer.status() >= 400 && this.faults.push(`${answer.status()} ${answer.url()}`));
    await page.goto(from + path, { waitUntil: "networkidle" });
    return page;
  }

  /** The context of windows of a kind. The first page of a context takes 0.8 s of the processor, others 0.2. */
  async contextOf(options) {
    const kind = JSON.stringify(options);
    if (!this.contexts.has(kind)) this.contexts.set(kind, await this.browser.newContext(options));
    return this.contexts.get(kind);
  }

  /** The playground, ready: the page that is open, where it is that. */
  async playground() {
    if (this.isPlain && this.page?.url().startsWith(`${this.address}/play.html`)) return this.page;
    const page = await this.visit("/play.html");
    await this.ended();
    return page;
  }

  /** Goes from page to page as readers do: what was loaded stays. */
  async go(path) {
    const { page } = this;
    const title = titleOf(path);
    await page.evaluate((href) => {
      const link = Object.assign(document.createElement("a"), { href });
      document.body.append(link);
      link.click();
      link.remove();
    }, path);
    await page.waitForFunction(([wanted, to]) => document.title === wanted && location.pathname === to, [title, path]);
    return page;
  }

  /** That nothing went wrong since a page was visited or this was asked. */
  checkFaults(what) {
    const found = this.faults.splice(0);
    assert.deepEqual(found, [], what);
  }

  /** Checks by axe that the page, or a part of it, is usable by all. */
  async checkAccess(what, context = null, options = {}) {
    if (!(await this.page.evaluate(() => "axe" in globalThis))) await this.page.evaluate(AXE);
    const violations = await this.page.evaluate(
      async ([part, chosen]) => {
        const found = await globalThis.axe.run(part ?? document, { resultTypes: ["violations"], ...chosen });
        return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
      },
      [context, options],
    );
    const told = violations.map(([id, nodes]) => `${id}: ${nodes.slice(0, 8).join(" | ")}`);
    assert.deepEqual(told, [], what);
  }

  /** The same of what a page has for itself: its frame and the colours of its code are those of its kind. */
  async checkContent(what) {
    const [include, exclude] = [[".VPDoc .main"], [".shiki"]];
    await this.checkAccess(what, { include, exclude }, { rules: { "color-contrast": { enabled: false } } });
    await this.checkContrast(what, include, exclude);
  }

  /** Whether texts stand out from what is behind them. */
  async checkColours(what) {
    await this.checkAccess(what, null, { runOnly: ["link-in-text-block"] });
    await this.checkContrast(what, ["html"], []);
  }

  /** Whether texts of each look that was not checked before stand out from what is behind them. */
  async checkContrast(what, include, exclude) {
    const found = await this.page.evaluateHandle(looksOf, [include, exclude, [...this.looks]]);
    try {
      const elements = await found.evaluateHandle(({ asked }) => asked);
      if ((await elements.evaluate(({ length }) => length)) > 0)
        await this.checkAccess(`${what}, contrast`, { include: elements, exclude }, { runOnly: ["color-contrast"] });
      for (const look of await found.evaluate(({ looks }) => looks)) this.looks.add(look);
    } finally {
      await found.dispose();
    }
  }

  /** Whether fingers hit what can be pressed, and the rest of what axe asks but for colours, which are those of a wide window. */
  checkTargets(what, context = null) {
    const rules = { "target-size": { enabled: true }, "color-contrast": { enabled: false } };
    return this.checkAccess(`${what}, on a phone`, context, { rules });
  }

  /** Checks that a page fits a phone. */
  async checkPhone(what) {
    assert.deepEqual(await this.page.evaluate(onPhone), [], what);
  }

  /** A picture for who looks at what the tests saw, whom CI has not: 50 of them took 5 s of the processor. */
  async shot(name) {
    if (process.env.CI !== "true") await this.page.screenshot({ path: `${SHOTS}/${name}.png` });
  }

  /** Waits until a program has ended. */
  ended(root = this.page) {
    return root.locator(".output-end", { hasText: "ms" }).waitFor({ timeout: 60_000 });
  }

  /** Writes a program into the editor, which a click may miss where a tooltip lies over it. */
  async write(program) {
    await this.page.locator(".cm-content").focus();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(program);
  }

  run() {
    return this.page.locator(".editor-bar .run").click();
  }
}

/** The name of a page as a file. */
export const fileOf = (path) => path.slice(1).replaceAll("/", "-").replace(".html", "") || "home";

function titleOf(path) {
  const file = path.endsWith("/") ? `${path}index.html` : path;
  const [, title] = /<title>(.*?)<\/title>/.exec(readFileSync(at(`../dist${file}`), "utf8"));
  return title.replaceAll("&#39;", "'").replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
}
