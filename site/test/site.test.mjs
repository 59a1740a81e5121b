/**
 * The built site as a reader meets it, in Debian's chromium: every example of the guides is run and what it shows compared with what the page
 * says, one is edited, every demonstration opened, pages weighed, and all checked for errors and by axe. `npm test`; without chromium the
 * tests are skipped with a message.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { serve } from "../scripts/serve.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const WEIGHT = 300_000;
const at = (place) => fileURLToPath(new URL(place, import.meta.url));
const require = createRequire(at("../../package.json"));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SHOTS = at("./shots");
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

const pagesOf = (folder) =>
  readdirSync(at(`../dist/${folder}`))
    .filter((file) => file.endsWith(".html"))
    .map((file) => `/${folder}/${file}`);

/** What the lines of an example are said to show or to raise, by the line of the statement. */
function claimsOf(code) {
  const lines = code.trimEnd().split("\n");
  const claims = new Map();
  lines.forEach((line, i) => {
    const [, kind, first] = /^\/\/ (=>|throws) ?(.*)$/.exec(line) ?? [];
    if (!kind) return;
    const rest = [];
    for (let k = i + 1; k < lines.length && /^\/\/(?! (=>|throws))/.test(lines[k]); k++)
      rest.push(lines[k].replace(/^\/\/ ?/, ""));
    const text = (kind === "=>" ? [first, ...rest] : [first]).join("\n");
    claims.set(i, { kind, text });
  });
  return claims;
}

describe("the site", { skip: existsSync(CHROMIUM) ? false : "no chromium here: apt-get install chromium" }, () => {
  let browser;
  let server;
  let address;
  let page;
  let faults;

  before(async () => {
    mkdirSync(SHOTS, { recursive: true });
    ({ server, address } = await serve());
    const { chromium } = require("playwright-core");
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  /** A page of its own, whose faults are collected. */
  async function open(path, options = {}) {
    page = await browser.newPage({ viewport: DESKTOP, serviceWorkers: "block", ...options });
    faults = [];
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on(
      "response",
      (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`),
    );
    await page.goto(address + path, { waitUntil: "networkidle" });
  }
  async function close() {
    const found = faults;
    await page.close();
    assert.deepEqual(found, []);
  }
  const ended = (root) => root.locator(".output-end", { hasText: "ms" }).waitFor({ timeout: 60_000 });

  for (const path of pagesOf("guide")) {
    it(`${path}: examples show what the page says`, async (t) => {
      await open(path);
      const examples = await page.locator(".example").all();
      if (examples.length === 0) t.diagnostic("no examples");
      for (const example of examples) {
        const code = decodeURIComponent(await example.getAttribute("data-code"));
        await example.locator(".example-run").click();
        await ended(example);
        const shown = await example.locator(".output-line").evaluateAll((lines) =>
          lines.map((line) => ({
            kind: line.classList.contains("failed") ? "throws" : "=>",
            text: [...line.querySelectorAll("pre")].map(({ textContent }) => textContent).join("\n"),
          })),
        );
        const left = [...shown];
        for (const { kind, text } of claimsOf(code).values()) {
          const found = left.findIndex((one) => one.kind === kind && fits(one.text, text, kind));
          assert.ok(found >= 0, `${path}: nothing shows ${text}\nin\n${code}\nbut\n${JSON.stringify(shown, null, 1)}`);
          left.splice(0, found + 1);
        }
        const unsaid = left.filter(({ kind }) => kind === "throws");
        assert.deepEqual(unsaid, [], `${path}: raised in\n${code}`);
        await example.getByRole("button", { name: "Close" }).click();
      }
      await close();
    });
  }

  it("an edited program runs, shows errors at their line, and completes axis names", async () => {
    await open("/play.html");
    await ended(page);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(
      'const t = Nx.iota([2, 3], { names: ["day", "hour"] });\nt.sum({ axes: ["hours"] });\n',
    );
    await page.getByRole("button", { name: "Run" }).click();
    const failed = page.locator(".output-line.failed");
    await failed.waitFor();
    assert.match(await failed.innerText(), /2\s+ArgumentError: .*"hours".*did you mean "hour"/s);
    await page.locator(".cm-lintRange-error").first().waitFor({ timeout: 30_000 });
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(
      'const t = Nx.iota([2, 3], { names: ["day", "hour"] });\nt.sum({ axes: ["day"] });\n',
    );
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("[3, 5, 7]").waitFor();
    await page.locator(".shown-views").getByRole("button", { name: "table" }).click();
    assert.match(await page.locator(".shown-table").innerText(), /3[\s\S]*5[\s\S]*7/);
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("carries the program").waitFor();
    const shared = page.url();
    await page.goto("about:blank");
    await page.goto(shared);
    await page.getByText("[3, 5, 7]").waitFor({ timeout: 60_000 });
    await page.screenshot({ path: `${SHOTS}/play.png` });
    await close();
  });

  it("plots are shown as pictures", async () => {
    await open("/play.html");
    await ended(page);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(
      'import { line } from "nx-numerics/plot";\nline(Nx.tensor([1, 4, 9], { names: ["step"] }));\n',
    );
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("Figure(line of s64[step: 3])").waitFor();
    const picture = page.getByRole("img", { name: "line of s64[step: 3]" });
    assert.match(await picture.textContent(), /step →/);
    assert.ok((await picture.boundingBox()).width > 300);
    await page.waitForTimeout(2000); // for the compiler's answer
    assert.equal(await page.locator(".cm-lintRange-error").count(), 0); // the name Nx is known without an import
    await page.screenshot({ path: `${SHOTS}/plot.png` });
    await close();
  });

  it("functions are found by the names of others", async () => {
    await open("/functions.html");
    await page.getByRole("searchbox").fill("softmax");
    assert.ok((await page.locator(".index-list dt").allInnerTexts()).includes("softmax"));
    const links = await page.locator(".index-list a").evaluateAll((all) => all.map(({ href }) => href));
    await page.getByRole("searchbox").fill("");
    for (const link of links) assert.equal((await fetch(link)).status, 200, link);
    await close();
  });

  for (const path of pagesOf("demos").filter((one) => !one.endsWith("index.html"))) {
    it(`${path} runs`, async () => {
      await open(path);
      await page.locator(".demo .run").click();
      await page.locator('.demo[data-state="open"]').waitFor({ timeout: 60_000 });
      await page.waitForFunction(() => document.querySelector(".demo-status")?.textContent);
      await page.screenshot({ path: `${SHOTS}/${path.slice(1).replaceAll("/", "-").replace(".html", ".png")}` });
      await close();
    });
  }

  const seen = [
    "/",
    "/guide/names.html",
    "/functions.html",
    "/api/functions/sum.html",
    "/play.html",
    "/demos/network.html",
  ];
  for (const path of seen) {
    it(`${path} is usable by all, on a phone too, and light`, async () => {
      for (const [name, options] of Object.entries({
        light: { colorScheme: "light" },
        dark: { colorScheme: "dark" },
        phone: { viewport: PHONE },
      })) {
        await open(path, options);
        await page.screenshot({ path: `${SHOTS}/${name}${path.replaceAll("/", "-").replace(".html", "")}.png` });
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        const told = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`,
        );
        assert.deepEqual(told, [], `${path}, ${name}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${path}, ${name}: ${wide} pixels wider than the window`);
        await close();
      }
    });

    it(`${path} weighs little before the editor is asked for`, { skip: path === "/play.html" }, async () => {
      page = await browser.newPage({ serviceWorkers: "block" });
      let bytes = 0;
      const bodies = [];
      page.on("response", (response) => bodies.push(response.body().then((body) => (bytes += gzipSync(body).length))));
      await page.goto(address + path, { waitUntil: "networkidle" });
      await Promise.all(bodies);
      await page.close();
      assert.ok(bytes <= WEIGHT, `${path}: ${bytes} bytes`);
    });
  }

  it("works without a network after it was loaded", async () => {
    const context = await browser.newContext();
    const own = await context.newPage();
    await own.goto(`${address}/play.html`, { waitUntil: "networkidle" });
    await own.evaluate(() => navigator.serviceWorker.ready);
    await own.reload({ waitUntil: "networkidle" });
    await own.locator(".output-end", { hasText: "ms" }).waitFor({ timeout: 60_000 });
    await context.setOffline(true);
    await own.reload();
    await own.locator(".output-end", { hasText: "ms" }).waitFor({ timeout: 60_000 });
    await context.close();
  });
});

/** Whether a text is what a page says, white space and quotes aside; of a message the beginning is enough. */
function fits(text, said, kind) {
  const [shown, claimed] = [text, said].map((one) => one.replaceAll(/[\s"'`]+/g, ""));
  return kind === "throws" ? shown.startsWith(claimed) : shown === claimed;
}
