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
  async function open(path, options = {}, at = address, prepare = () => undefined) {
    page = await browser.newPage({ viewport: DESKTOP, serviceWorkers: "block", ...options });
    faults = [];
    prepare(page);
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on(
      "response",
      (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`),
    );
    await page.goto(at + path, { waitUntil: "networkidle" });
  }
  /** The same, and how many bytes came with it, compressed. */
  async function openWeighed(path, options) {
    let bytes = 0;
    const bodies = [];
    const weigh = (response) =>
      bodies.push(response.body().then((body) => (bytes += gzipSync(body).length), () => undefined)); // prettier-ignore
    await open(path, options, address, (opened) => opened.on("response", weigh));
    await Promise.all(bodies);
    return bytes;
  }
  async function close() {
    const found = faults;
    await page.close();
    assert.deepEqual(found, []);
  }
  /** Checks by axe that the page is usable by all. */
  async function checkAccess(what) {
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
    assert.deepEqual(told, [], what);
  }
  const ended = (root) => root.locator(".output-end", { hasText: "ms" }).waitFor({ timeout: 60_000 });
  const write = async (program) => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(program);
  };
  const run = () => page.getByRole("button", { name: "Run" }).click();

  describe("guides", () => {
    let guides;
    before(async () => {
      await open("/guide/getting-started.html");
      guides = page;
    });
    after(() => guides.close());

    for (const path of pagesOf("guide")) {
      it(`${path}: examples show what the page says`, async (t) => {
        page = guides; // readers go from page to page, and the compiler stays
        faults.length = 0;
        await page.locator(`.VPSidebar a[href$="${path}"]`).click();
        await page.waitForURL(`**${path}`);
        const [, title] = /<title>(.*?)<\/title>/.exec(readFileSync(at(`../dist${path}`), "utf8"));
        const plain = title.replaceAll("&#39;", "'").replaceAll("&amp;", "&");
        await page.waitForFunction((wanted) => document.title === wanted, plain);
        const examples = await page.locator(".example").all();
        if (examples.length === 0) t.diagnostic("no examples");
        for (const example of examples) await tryExample(path, example);
        await checkAccess(path);
        assert.deepEqual(faults, []);
      });
    }
  });

  /** Runs an example and compares what it shows with what it says. */
  async function tryExample(path, example) {
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

  it("an edited program runs, shows errors at their line, and completes axis names", async () => {
    await open("/play.html");
    await ended(page);
    await write('const t = Nx.iota([2, 3], { names: ["day", "hour"] });\nt.sum({ axes: ["hours"] });\n');
    await run();
    const failed = page.locator(".output-line.failed");
    await failed.waitFor();
    assert.match(await failed.innerText(), /2\s+ArgumentError: .*"hours".*did you mean "hour"/s);
    await page.locator(".cm-lintRange-error").first().waitFor({ timeout: 30_000 });
    await write('const t = Nx.iota([2, 3], { names: ["day", "hour"] });\nt.sum({ axes: ["day"] });\n');
    await run();
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
    await write('import { line } from "nx-numerics/plot";\nline(Nx.tensor([1, 4, 9], { names: ["step"] }));\n');
    await run();
    await page.getByText("Figure(line of s64[step: 3])").waitFor();
    const picture = page.getByRole("img", { name: "line of s64[step: 3]" });
    assert.match(decodeURIComponent(await picture.getAttribute("src")), /step →/);
    assert.ok((await picture.boundingBox()).width > 300);
    await page.waitForTimeout(2000); // for the compiler's answer
    assert.equal(await page.locator(".cm-lintRange-error").count(), 0); // the name Nx is known without an import
    await page.screenshot({ path: `${SHOTS}/plot.png` });
    await close();
  });

  it("types of what the mouse points at are readable, and axis names are completed", async () => {
    await open("/play.html");
    await ended(page);
    await write(
      'const day = Nx.iota([2, 3], { names: ["day", "hour"] }).sum("day");\nday.mean("hour");\nday.sum("day");\n',
    );
    await run();
    const { x, y } = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector(".cm-line"), NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && !walker.currentNode.data.includes("day"));
      const range = document.createRange();
      const at = walker.currentNode.data.indexOf("day");
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 3);
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    });
    await page.mouse.move(x - 1, y);
    await page.mouse.move(x, y);
    const hover = page.locator(".cm-tooltip-hover");
    await hover.waitFor({ timeout: 30_000 });
    const told = (await hover.innerText()).replaceAll(/\s+/g, " ").trim();
    assert.match(told, /^const day: (Nx\.)?Tensor<(readonly )?\["hour"\]>/);
    await page.locator(".cm-lintRange-error").first().waitFor({ timeout: 30_000 });
    assert.equal(await page.locator(".cm-lintRange-error").count(), 1, "the axis that is gone is the only error");
    assert.match(await page.locator(".cm-lintRange-error").innerText(), /"day"/);
    await page.mouse.move(0, 0);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type('day.sum("h');
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-tooltip-autocomplete").getByText("hour").first().waitFor({ timeout: 30_000 });
    await close();
  });

  it("the keyboard alone writes, runs, and gets out of the editor", async () => {
    await open("/play.html");
    await ended(page);
    await page.getByRole("button", { name: "Share" }).focus();
    await page.keyboard.press("Tab");
    const isIn = () => page.evaluate(() => document.activeElement?.classList.contains("cm-content"));
    for (let i = 0; i < 5 && !(await isIn()); i++) await page.keyboard.press("Tab");
    assert.ok(await isIn(), "the editor takes the focus");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("Nx.add(20, 22);");
    await page.keyboard.press("Control+Enter");
    await page.getByText("42").first().waitFor();
    await page.keyboard.press("Tab");
    assert.ok(!(await isIn()), "the tabulator leaves the editor");
    await close();
  });

  it("programs have threads where the page is isolated, and run without them where it is not", async () => {
    const counts = [];
    const plain = await serve(0, { isIsolated: false });
    for (const at of [address, plain.address]) {
      await open("/play.html", {}, at);
      await ended(page);
      await write("[Nx.host().threads.count, Nx.iota([1000, 1000], { type: 'f32' }).sin().sum().item()];");
      await run();
      const line = page.locator(".output-line", { hasText: /\[ \d+, / });
      await line.waitFor({ timeout: 30_000 });
      counts.push(/\[ (\d+), (.*) \]/.exec(await line.innerText()).slice(1));
      const cores = await page.evaluate(() => [crossOriginIsolated, navigator.hardwareConcurrency]);
      counts.push(cores);
      await close();
    }
    plain.server.close();
    const [[isolated, value], [isIsolated, cores], [alone, same], [isPlain]] = counts;
    assert.deepEqual([isIsolated, isPlain], [true, false]);
    assert.equal(Number(isolated) > 1, cores > 1);
    assert.deepEqual([alone, same], ["1", value]);
  });

  it("benchmarks run beside the other libraries, chosen by the keyboard", async (t) => {
    await open("/measure.html");
    await page.getByRole("button", { name: "Measure" }).waitFor();
    for (const box of await page.locator(".bench-table input").all()) {
      const name = (await box.locator("..").innerText()).trim();
      if (["add of 8, eager", "exp"].includes(name)) continue;
      await box.focus();
      await page.keyboard.press("Space");
    }
    await page.getByRole("button", { name: "Measure" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".bench-status", { hasText: "Measured 2 works" }).waitFor({ timeout: 120_000 });
    const rows = await page
      .locator(".bench-table tbody tr", { hasText: /exp|add of 8/ })
      .evaluateAll((all) => all.map((row) => [...row.cells].map(({ innerText }) => innerText.trim())));
    for (const [work, ...cells] of rows) {
      t.diagnostic(`${work}: ${cells.join(" | ")}`);
      assert.match(cells[0], /^[\d.,]+$/);
      for (const cell of cells.slice(1)) assert.match(cell, /^[\d.,]+ \([\d.e+-]+x\)$/);
    }
    await page.screenshot({ path: `${SHOTS}/measure.png` });
    await close();
  });

  it("entries of functions end with their facts", async () => {
    await open("/api/functions/softmax.html");
    const text = await page.locator(".vp-doc").innerText();
    for (const fact of ["Names", "Types", "Gradient", "Accuracy", "Cost"]) assert.match(text, new RegExp(`${fact}: `));
    await close();
  });

  /** Names of other libraries, and the function that the first row has to name. */
  const FOUND = {
    "np.where": "where",
    "numpy.cumsum": "cumulativeSum",
    "jnp.linalg.svd": "LinAlg.svd",
    "lax.scan": "Defn.scan",
    "jax.nn.one_hot": "oneHot",
    "DataArray.rolling": "rolling",
    groupby: "groupBy",
    value_counts: "unique",
    "tf.matMul": "dot",
    "scipy.special.gammaln": "lgamma",
    "Nx.logsumexp": "logSumExp",
    "np.busday_count": null,
    "pd.merge": null,
  };

  it("functions are found by the names of others, and what is not here is said", async () => {
    await open("/functions.html");
    const box = page.getByRole("searchbox");
    await box.fill("softmax");
    assert.ok((await page.locator(".index-list dt").allInnerTexts()).includes("softmax"));
    const links = await page.locator(".index-list a").evaluateAll((all) => all.map(({ href }) => href));
    for (const [name, ours] of Object.entries(FOUND)) {
      await box.fill(name);
      const row = page.locator(".index-rows dd").first();
      await row.waitFor();
      const named = await row.locator(".index-others a").allInnerTexts();
      if (ours) assert.ok(named.includes(ours), `${name}: ${named.join(", ")}`);
      else assert.ok((await row.innerText()).length > 20, name);
    }
    await box.fill("");
    links.push(...(await page.locator(".index-list a").evaluateAll((all) => all.map(({ href }) => href))));
    for (const link of new Set(links)) assert.equal((await fetch(link)).status, 200, link);
    await close();
  });

  for (const path of pagesOf("demos").filter((one) => !one.endsWith("index.html"))) {
    it(`${path} runs`, async (t) => {
      await open(path);
      await page.locator(".demo .run").click();
      await page.locator('.demo[data-state="open"]').waitFor({ timeout: 60_000 });
      await page.waitForFunction(() => document.querySelector(".demo-status")?.textContent);
      const frames = await page.evaluate(async () => {
        const times = [];
        const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
        for (let i = 0; i < 60; i++) times.push(await next());
        return times.slice(1).map((time, i) => time - times[i]);
      });
      const sorted = frames.toSorted((a, b) => a - b);
      t.diagnostic(`frames of ${sorted[30].toFixed(1)} ms in the middle, ${sorted[53].toFixed(1)} ms nine in ten`);
      await page.screenshot({ path: `${SHOTS}/${path.slice(1).replaceAll("/", "-").replace(".html", ".png")}` });
      await checkAccess(path);
      await close();
    });
  }

  const seen = [
    "/",
    "/guide/names.html",
    "/functions.html",
    "/api/functions/sum.html",
    "/play.html",
    "/demos/digits.html",
    "/measure.html",
  ];
  for (const path of seen) {
    it(`${path} is usable by all, on a phone too, and light`, async () => {
      for (const [name, options] of Object.entries({
        light: { colorScheme: "light" },
        dark: { colorScheme: "dark" },
        phone: { viewport: PHONE },
      })) {
        const weight = await openWeighed(path, options);
        assert.ok(path === "/play.html" || weight <= WEIGHT, `${path}: ${weight} bytes before the editor`);
        await page.screenshot({ path: `${SHOTS}/${name}${path.replaceAll("/", "-").replace(".html", "")}.png` });
        await checkAccess(`${path}, ${name}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${path}, ${name}: ${wide} pixels wider than the window`);
        await close();
      }
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
  const [shown, claimed] = [text, said].map((one) => one.replaceAll(/[\s"'`\\]+/g, ""));
  return kind === "throws" ? shown.startsWith(claimed) : shown === claimed;
}
