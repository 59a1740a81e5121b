/** The playground: programs are written, run, shared, completed, and shown as what they are. */
import assert from "node:assert/strict";
import path from "node:path";
import { it } from "node:test";
import { serve } from "../scripts/serve.mjs";
import { bundled } from "./bundled.mjs";

export function play(reader) {
  it("programs to begin with run, and have no type errors", async () => {
    const page = await reader.playground();
    const choice = page.getByLabel("Begin with");
    const names = await choice.locator("option").allInnerTexts();
    assert.ok(names.length >= 4);
    for (const [i, name] of names.toReversed().entries()) {
      await choice.selectOption(name);
      await reader.ended();
      await page.waitForTimeout(2000); // for the compiler's answer
      await reader.ended();
      assert.equal(await page.locator(".output-line.failed").count(), 0, await page.locator(".output").innerText());
      assert.ok((await page.locator(".output-line").count()) >= 2, name);
      assert.deepEqual(await page.locator(".cm-lintRange-error").allInnerTexts(), [], name);
      await reader.shot(`program-${i}`);
    }
    reader.checkFaults("programs");
  });

  it("an edited program runs, shows errors at their line, and completes axis names", async () => {
    const page = await reader.playground();
    await reader.write('const t = Nx.iota([2, 3], { names: ["day", "hour"] });\nt.sum({ axes: ["hours"] });\n');
    await reader.run();
    const failed = page.locator(".output-line.failed");
    await failed.waitFor();
    assert.match(await failed.innerText(), /2\s+ArgumentError: .*"hours".*did you mean "hour"/s);
    await page.locator(".cm-lintRange-error").first().waitFor({ timeout: 30_000 });
    await reader.write('const t = Nx.iota([2, 3], { names: ["day", "hour"] });\nt.sum({ axes: ["day"] });\n');
    await reader.run();
    await page.getByText("[3, 5, 7]").waitFor();
    await page.locator(".shown-views").getByRole("button", { name: "table" }).click();
    assert.match(await page.locator(".shown-table").innerText(), /3[\s\S]*5[\s\S]*7/);
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("carries the program").waitFor();
    const shared = page.url();
    await page.goto("about:blank");
    await page.goto(shared);
    await page.getByText("[3, 5, 7]").waitFor({ timeout: 60_000 });
    await reader.shot("play-program");
    reader.checkFaults("play");
  });

  it("plots are shown as pictures", async () => {
    const page = await reader.playground();
    await reader.write('import { line } from "nx-numerics/plot";\nline(Nx.tensor([1, 4, 9], { names: ["step"] }));\n');
    await reader.run();
    await page.getByText("Figure(line of s64[step: 3])").waitFor();
    const picture = page.getByRole("img", { name: "line of s64[step: 3]" });
    assert.match(decodeURIComponent(await picture.getAttribute("src")), /step →/);
    assert.ok((await picture.boundingBox()).width > 300);
    await page.waitForTimeout(2000); // for the compiler's answer
    assert.equal(await page.locator(".cm-lintRange-error").count(), 0); // the name Nx is known without an import
    await reader.shot("plot");
    reader.checkFaults("play");
  });

  it("types of what the mouse points at are readable, and axis names are completed", async () => {
    const page = await reader.playground();
    await reader.write(
      'const day = Nx.iota([2, 3], { names: ["day", "hour"] }).sum("day");\nday.mean("hour");\nday.sum("day");\n',
    );
    await reader.run();
    await page.locator(".cm-lintRange-error").first().waitFor({ timeout: 30_000 });
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
    assert.equal(await page.locator(".cm-lintRange-error").count(), 1, "the axis that is gone is the only error");
    assert.match(await page.locator(".cm-lintRange-error").innerText(), /"day"/);
    await page.mouse.move(0, 0);
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type('day.sum("h');
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-tooltip-autocomplete").getByText("hour").first().waitFor({ timeout: 30_000 });
    reader.checkFaults("play");
  });

  it("the keyboard alone writes, runs, and gets out of the editor", async () => {
    const page = await reader.playground();
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
    reader.checkFaults("play");
  });

  it("programs have threads where the page is isolated, and run without them where it is not", async () => {
    const counts = [];
    const plain = await serve(0, { isIsolated: false });
    for (const from of [plain.address, reader.address]) {
      const page = await reader.visit("/play.html", { from });
      await reader.ended();
      await reader.write("[Nx.host().threads.count, Nx.iota([1000, 1000], { type: 'f32' }).sin().sum().item()];");
      await reader.run();
      const line = page.locator(".output-line", { hasText: /\[ \d+, / });
      await line.waitFor({ timeout: 30_000 });
      counts.push(/\[ (\d+), (.*) \]/.exec(await line.innerText()).slice(1));
      const cores = await page.evaluate(() => [crossOriginIsolated, navigator.hardwareConcurrency]);
      counts.push(cores);
      reader.checkFaults("play");
    }
    plain.server.close();
    const [[alone, same], [isPlain], [isolated, value], [isIsolated, cores]] = counts;
    assert.deepEqual([isIsolated, isPlain], [true, false]);
    assert.equal(Number(isolated) > 1, cores > 1);
    assert.deepEqual([alone, same], ["1", value]);
  });

  it("graphs of what is explained are drawn, in the colours of the page", async () => {
    const page = await reader.playground();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html.dark").waitFor();
    await page.waitForTimeout(500); // colours change in steps
    await reader.write("Nx.Defn.explain((t: Nx.Tensor) => t.multiply(2).exp())(Nx.iota([8], { type: 'f32' }));\n");
    await reader.run();
    await page.getByRole("button", { name: "graph", exact: true }).click();
    const words = page.locator(".drawn-graph svg text");
    await words.first().waitFor();
    assert.match((await words.allTextContents()).join(" "), /parameter 0.*multiply.*exp/);
    const [ink, text] = await words
      .first()
      .evaluate((one) => [globalThis.getComputedStyle(one).fill, globalThis.getComputedStyle(document.body).color]);
    assert.equal(ink, text);
    const over = await page.locator(".drawn-graph g.node").evaluateAll((nodes) =>
      nodes.flatMap((node) => {
        const shape = node.querySelector("polygon, path")?.getBoundingClientRect();
        const words = [...node.querySelectorAll("text")].map((one) => one.getBoundingClientRect());
        return shape ? words.filter(({ left, right }) => left < shape.left || right > shape.right) : [];
      }),
    );
    assert.deepEqual(over, [], "words stay in their boxes");
    await reader.shot("play-graph");
    await page.emulateMedia({ colorScheme: "light" });
    reader.checkFaults("graph");
  });

  it("files lie in memory while a program runs; modules that a page cannot have are told by name", async () => {
    const page = await reader.playground();
    const written = [
      'import { readdir, readFile, writeFile } from "node:fs/promises";',
      'import { join } from "node:path";',
      'const path = join("/tmp", "..", "data", "note.txt");',
      'await writeFile(path, "four");',
      '[path, await readFile(path, "utf8"), await readdir("/data")];',
      'await readFile("/data/none.txt");',
    ];
    await reader.write(written.join("\n"));
    await reader.run();
    await page.getByText('[ "/data/note.txt", "four", [ "note.txt" ] ]').waitFor();
    const failed = page.locator(".output-line.failed");
    assert.match(await failed.innerText(), /6\s+Error: ENOENT: no such file or directory, open '\/data\/none.txt'/);
    await reader.write("Nx.add(1, 2);\nimport { createServer } from 'node:http';\ncreateServer();\n");
    await reader.run();
    await page.getByText("the page has no module").waitFor();
    assert.match(await failed.innerText(), /2\s+Error: the page has no module "node:http": it is a server/);
    reader.checkFaults("files");
  });

  it("paths of files are joined and split as Node does", async () => {
    const source = await bundled(`export * from "../play/node/path";`);
    const own = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    const parts = ["", "/", "a", "a/", "/a", "..", "../..", ".", "b.txt", ".x", "a.", "c.d/e"];
    const bare = (one) => one.replace(/(?<=.)\/+$/, ""); // Node keeps the slash at the end
    for (const joined of parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => [a, b, c])))) {
      assert.equal(own.join(...joined), bare(path.posix.join(...joined)), joined.join(" "));
      const place = path.posix.join(...joined);
      for (const name of ["dirname", "basename", "extname"])
        assert.equal(own[name](place), path.posix[name](place), `${name} of ${place}`);
      assert.equal(own.basename(place, ".txt"), path.posix.basename(place, ".txt"));
    }
  });

  it("objects without a prototype are shown by their entries", async () => {
    const page = await reader.playground();
    await reader.write("Object.assign(Object.create(null), { wet: 3, dry: [1] });\n");
    await reader.run();
    await page.getByText("{ wet: 3, dry: [ 1 ] }").waitFor();
    reader.checkFaults("objects");
  });

  it("works without a network after it was loaded", async () => {
    const context = await reader.browser.newContext();
    const own = await context.newPage();
    await own.goto(`${reader.address}/play.html`, { waitUntil: "networkidle" });
    await own.evaluate(() => navigator.serviceWorker.ready);
    await own.reload({ waitUntil: "networkidle" });
    await own.locator(".output-end", { hasText: "ms" }).waitFor({ timeout: 60_000 });
    await context.setOffline(true);
    await own.reload();
    await own.locator(".output-end", { hasText: "ms" }).waitFor({ timeout: 60_000 });
    await context.close();
  });
}
