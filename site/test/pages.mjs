/** Pages: their weight, how they look at any width, in light and dark, whether all can use them, and what is found in the index. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { at, DESKTOP, fileOf, pagesOf, PHONE } from "./reader.mjs";

const WEIGHT = 300_000;

/** Pages of each kind, looked at in every way; the others of a kind have the same frame. */
const KINDS = [
  "/",
  "/guide/names.html",
  "/guide/optimizer.html",
  "/functions.html",
  "/api/index.html",
  "/api/functions/sum.html",
  "/api/classes/Tensor.html",
  "/api/types/l.html",
  "/play.html",
  "/demos/index.html",
  "/demos/digits.html",
  "/measure.html",
];

const weights = new Map();
/** Bytes of a built file, compressed. */
function weightOf(file) {
  if (!weights.has(file)) weights.set(file, gzipSync(readFileSync(at(`../dist${file}`))).length);
  return weights.get(file);
}

/** Bytes that a page asks for before anybody does anything: itself, styles and modules. */
function weightOfPage(path) {
  const html = readFileSync(at(`../dist${path}`), "utf8");
  const asked = [...html.matchAll(/<(?:link|script)\b[^>]*?(?:href|src)="(\/[^"]+\.(?:js|css|svg))"/g)];
  return [path, ...new Set(asked.map(([, file]) => file))].reduce((sum, file) => sum + weightOf(file), 0);
}

/** A function of each topic. */
function topicPages() {
  const functions = JSON.parse(readFileSync(at("../.vitepress/functions.json"), "utf8"));
  return new Map(functions.toReversed().map(({ topic, link }) => [topic, `${link}.html`])).values();
}

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

export function pages(reader) {
  it("no page weighs more than 300 kB before the editor is asked for", (t) => {
    const all = readdirSync(at("../dist"), { recursive: true }).filter((file) => file.endsWith(".html"));
    const weighed = all.map((file) => [weightOfPage(`/${file}`), file]).toSorted(([a], [b]) => b - a);
    t.diagnostic(
      `${weighed.length} pages, the heaviest ${weighed
        .slice(0, 3)
        .map((one) => one.join(" "))
        .join(", ")}`,
    );
    assert.deepEqual(
      weighed.filter(([weight]) => weight > WEIGHT),
      [],
    );
  });

  describe("pages of each kind", () => {
    for (const path of KINDS) {
      it(`${path} is usable by all, light and dark, and on a phone`, async () => {
        let bytes = 0;
        const bodies = [];
        const weigh = (answer) =>
          bodies.push(answer.body().then((body) => (bytes += gzipSync(body).length), () => undefined)); // prettier-ignore
        const page = await reader.visit(path, { prepare: (opened) => opened.on("response", weigh) });
        await Promise.all(bodies);
        assert.ok(path === "/play.html" || bytes <= WEIGHT, `${path}: ${bytes} bytes`);
        if (path === "/play.html") await reader.ended();
        await reader.shot(`light-${fileOf(path)}`);
        await reader.checkAccess(path);
        await page.emulateMedia({ colorScheme: "dark" });
        await page.locator("html.dark").waitFor();
        await page.waitForTimeout(500); // colours change in steps
        await reader.shot(`dark-${fileOf(path)}`);
        await reader.checkColours(`${path}, dark`);
        await page.setViewportSize(PHONE);
        await reader.checkPhone(path);
        await reader.checkTargets(path);
        await reader.shot(`phone-${fileOf(path)}`);
        await reachable(page, path);
        reader.checkFaults(path);
      });
    }
  });

  /** On a phone the menus lead to all parts of the site, and from page to page. */
  async function reachable(page, path) {
    await page.locator(".VPNavBarHamburger").click();
    for (const name of ["Guide", "Reference", "Playground", "Demonstrations"])
      await page.locator(".VPNavScreen").getByRole("link", { name, exact: true }).waitFor();
    await page.locator(".VPNavBarHamburger").click();
    const menu = page.locator(".VPLocalNav .menu");
    if (!(await menu.isVisible())) return assert.ok(["/", "/play.html"].includes(path), `${path} has a menu`);
    await menu.click();
    const links = page.locator(".VPSidebar a");
    await links.first().waitFor();
    assert.ok((await links.count()) > 5);
    await page.keyboard.press("Escape");
  }

  it(
    "pages of the reference fit a phone, and those of each topic are usable by all",
    { timeout: 300_000 },
    async () => {
      await reader.visit("/api/functions/sum.html", { viewport: PHONE });
      for (const path of topicPages()) {
        await reader.go(path);
        await reader.checkPhone(path);
        await reader.checkContent(path);
      }
      for (const path of ["types", "modules", "classes"].flatMap((kind) => pagesOf(`api/${kind}`))) {
        await reader.go(path);
        await reader.checkPhone(path);
      }
      reader.checkFaults("reference");
    },
  );

  it("every page is in the menu of its part, and the guides are in their order", async () => {
    const page = await reader.visit("/guide/getting-started.html", { viewport: DESKTOP });
    const links = await page.locator(".VPSidebar a").evaluateAll((all) => all.map((one) => new URL(one.href).pathname));
    const guides = readdirSync(at("../dist/guide")).filter((file) => file.endsWith(".html"));
    for (const file of guides) assert.ok(links.includes(`/guide/${file}`), `${file} is in no menu`);
    assert.equal(new Set(links).size, links.length);
    const shown = readdirSync(at("../dist/demos")).filter((file) => file.endsWith(".html") && file !== "index.html");
    await reader.go("/demos/");
    const hrefs = await page.locator(".vp-doc a").evaluateAll((all) => all.map((one) => new URL(one.href).pathname));
    for (const file of shown) assert.ok(hrefs.includes(`/demos/${file}`), file);
    reader.checkFaults("menus");
  });

  it("guides show the graphs of what they explain", async () => {
    const text = readFileSync(at("../../docs/optimizer.md"), "utf8");
    const page = await reader.visit("/guide/optimizer.html");
    const graphs = page.locator(".drawn-graph svg");
    assert.equal(
      await graphs.count(),
      text.split("Nx.Defn.explain(").length - 1 - text.split("`Nx.Defn.explain(").length + 1,
    );
    const words = (await graphs.nth(1).locator("text").allTextContents()).join(" ").replaceAll("\u00a0", " ");
    for (const line of text.matchAll(/^\/\/ (\w = (?:sum|divide|exp)\([^)]*\))/gm))
      if (text.indexOf(line[0]) > text.indexOf("## Fusion") && text.indexOf(line[0]) < text.indexOf("const layer"))
        assert.ok(words.includes(line[1]), `${line[1]} in ${words}`);
    reader.checkFaults("graphs");
  });

  it("entries of functions end with their facts", async () => {
    const page = await reader.visit("/api/functions/softmax.html");
    const text = await page.locator(".vp-doc").innerText();
    for (const fact of ["Names", "Types", "Gradient", "Accuracy", "Cost"]) assert.match(text, new RegExp(`${fact}: `));
    reader.checkFaults("facts");
  });

  it("functions are found by the names of others, and what is not here is said", async () => {
    const page = await reader.visit("/functions.html");
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
    for (const link of new Set(links)) assert.ok(existsSync(at(`../dist${new URL(link).pathname}`)), link);
    reader.checkFaults("functions");
  });
}
