/** Every example of the site runs in the page and shows what it says, or says why it does not run. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import ts from "typescript";
import { bundled } from "./bundled.mjs";
import { at, DESKTOP, pagesOf, PHONE } from "./reader.mjs";

const VITEST = "it is a whole vitest file";
const CONFIGURATION = (tool) => `it is a configuration of ${tool}`;

/** Examples of the guides that do not run in the page, and why, in their order: a new one runs, or has a place here. */
const NOT_RUN = {
  backends: [
    "it is a test file of a project of its own",
    "it is a setup file of a project of its own",
    "it takes two threads",
  ],
  bundlers: [
    "it is the program that the bundlers below are given",
    "it is the program that the bundlers below are given next",
    "it is the program that the bundlers below are given next",
    ...["Rollup", "webpack", "Vite", "Next.js"].map(CONFIGURATION),
  ],
  columns: ["DuckDB is not installed with the library"],
  doctests: [
    VITEST,
    VITEST,
    "it shows what is refused",
    "it waits for a server",
    "it is part of a vitest file",
    "it compiles and runs files, which takes Node",
  ],
  evaluation: ["times and lines are others wherever it runs"],
  "larger-than-memory": ["a worker has a module of its own: blocks.js", "the module blocks.js is not here"],
  lint: [CONFIGURATION("ESLint")],
  onnxruntime: Array(2).fill("the engine, which is large, is no dependency of the library"),
  serving: ["it is a server, which a page cannot be"],
  "writing-a-backend": ["no such device is here", "it is a test file of a project of its own"],
};

/** Entries of the reference whose examples do not run in the page. */
const NOT_RUN_THERE = {
  "/api/functions/doctest.": /takes Node|vitest file/,
  "/api/functions/testing.extendExpect": /setup file/,
  "/api/functions/zarr.serveBlocks": /module of a worker/,
  "/api/functions/onnxruntime.onnxruntime": /engine/,
  "/api/variables/eslint.": /configuration of ESLint/,
};

/** How many programs a page of the repository has. */
function programsOf(name) {
  const file = name === "changelog" ? at("../../CHANGELOG.md") : at(`../../docs/${name}.md`);
  const outside = readFileSync(file, "utf8").replaceAll(/^````[\s\S]*?^````/gm, "");
  return [...outside.matchAll(/^ *```(?:ts|js)\b/gm)].length;
}

/** Programs that do not show what they say. */
const WRONG = [
  "Nx.add(1, 2);\n// => 5",
  "[1, 2];\n// => [1, 2, 3]",
  "console.log(1);\n// prints: 2",
  "Nx.add(1, 2); // throws ArgumentError: too few",
  'Nx.iota([2]).sum("day"); // throws TypeError: no such axis',
  'throw new Error("of which nothing is said");',
  "if (Nx.add(1, 2).item() === 4) Nx.f32(1);\n// => f32 1",
];

/** How many things a program says that it shows. */
const claimCount = (code) => [...code.matchAll(/(?:^|[;})]) *\/\/ (=>|throws\b|prints:)/gm)].length;

const decoded = (text) =>
  text.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"); // prettier-ignore

/** What the built page has: programs that run, and why others do not. */
function built(path) {
  const html = readFileSync(at(`../dist${path}`), "utf8");
  const codes = [...html.matchAll(/class="example" data-code="([^"]*)"/g)].map(([, code]) =>
    decodeURIComponent(decoded(code)),
  );
  const reasons = [...html.matchAll(/<p>Not run in the page: ([\s\S]*?)\.<\/p>/g)].map(([, why]) => decoded(why));
  return { codes, reasons };
}

/** What the editor's compiler finds wrong in programs: one program of all, on the declarations that the page has. */
async function typeErrors(programs) {
  const source = (await bundled(`export * from "../play/options";`)).replace(
    /from "typescript"/,
    `from "${import.meta.resolve("typescript")}"`,
  );
  const { AMBIENT, OPTIONS } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const declarations = JSON.parse(readFileSync(at("../dist/play/declarations.json"), "utf8"));
  const files = new Map(Object.entries({ ...declarations, ...AMBIENT, ...programs }));
  const folders = new Set(
    [...files.keys()].flatMap((file) => file.split("/").map((_, i, parts) => parts.slice(0, i).join("/"))),
  );
  const host = {
    fileExists: (file) => files.has(file),
    readFile: (file) => files.get(file),
    directoryExists: (folder) => folders.has(folder.replace(/\/$/, "")),
    getSourceFile: (file, version) => files.has(file) && ts.createSourceFile(file, files.get(file), version),
    getDefaultLibFileName: () => "/lib.es2023.d.ts",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (file) => file,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => undefined,
  };
  const options = { ...OPTIONS, noEmit: true, lib: OPTIONS.lib.map((name) => `/${name}`) };
  const program = ts.createProgram([...Object.keys(AMBIENT), ...Object.keys(programs)], options, host);
  return Object.keys(programs).flatMap((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
  );
}

export function examples(reader) {
  it("examples of the guides have no type errors in the editor", async () => {
    const programs = pagesOf("guide").flatMap((path) =>
      built(path).codes.map((code, i) => [`${path.replace(".html", "")}-${i}.ts`, code]),
    );
    const wrong = await typeErrors({
      ...Object.fromEntries(programs),
      "/wrong.ts": "Nx.iota([2]).sum(1, 2, 3, 4);\nfetch(1n);",
    });
    assert.deepEqual(
      wrong.filter((one) => !one.startsWith("/wrong.ts")),
      [],
    );
    assert.equal(wrong.length, 2, "the compiler looks");
  });

  describe("guides", () => {
    before(() => reader.visit("/guide/accuracy.html", { viewport: PHONE }));

    it("have all their examples, which run or say why not", () => {
      const found = {};
      for (const path of pagesOf("guide")) {
        const name = path.replace("/guide/", "").replace(".html", "");
        const { codes, reasons } = built(path);
        assert.equal(codes.length + reasons.length, programsOf(name), path);
        if (reasons.length > 0) found[name] = reasons;
      }
      assert.deepEqual(found, NOT_RUN);
      const hidden = readdirSync(at("../../docs")).filter((file) => file.endsWith(".md") && file !== "architecture.md");
      for (const file of hidden) assert.ok(existsSync(at(`../dist/guide/${file.replace(".md", ".html")}`)), file);
    });

    for (const path of pagesOf("guide")) {
      it(`${path}: examples show what the page says, on a phone too`, async () => {
        const page = await reader.go(path);
        await reader.checkPhone(path);
        const { codes } = built(path);
        if (codes.length > 0) {
          await page.locator(".run-all button").click();
          await page.locator('.run-all[data-state="ended"]').waitFor({ timeout: 120_000 });
          const wrong = await page.locator(".example-told.failed").allInnerTexts();
          assert.deepEqual(wrong, [], path);
          const claims = codes.reduce((sum, code) => sum + claimCount(code), 0);
          const told = await page.locator(".run-all [role=status]").innerText();
          assert.equal(told, `${codes.length} of ${codes.length} ran; ${claims} results as said.`);
          await reader.checkPhone(`${path}, with results`);
        }
        await reader.checkContent(path);
        reader.checkFaults(path);
      });
    }
  });

  it("an example is opened in the editor, changed, run and closed", async () => {
    const page = await reader.visit("/guide/slicing.html");
    const example = page.locator(".example").first();
    await example.getByRole("button", { name: "Edit and run" }).click();
    await reader.ended(example);
    await reader.write("const t = Nx.iota([3]);\nt.add(1);\n// => 5\n");
    await reader.run();
    await example.getByText("[1, 2, 3]").waitFor();
    await example.getByRole("button", { name: "Close" }).click();
    const codes = await reader.page.evaluate(() => document.querySelectorAll(".example").length);
    assert.equal(codes, built("/guide/slicing.html").codes.length);
    reader.checkFaults("slicing");
  });

  it("examples that cannot be run say why", async () => {
    const page = await reader.visit("/guide/slicing.html", {
      prepare: (opened) => opened.route("**/play/program.worker.js", (route) => route.abort("internetdisconnected")),
    });
    await page.locator(".run-all button").click();
    await page.locator('.run-all[data-state="ended"]').waitFor();
    assert.match(await page.locator(".run-all [role=status]").innerText(), /^0 of \d+ ran; .*, 1 not\.$/);
    assert.match(await page.locator(".example-told.failed").innerText(), /could not be loaded: is the page offline\?/);
    for (const fault of reader.faults.splice(0)) assert.match(fault, /ERR_INTERNET_DISCONNECTED/);
  });

  it("examples of the reference and of the home page run and show what they say", { timeout: 600_000 }, async (t) => {
    const page = await reader.visit("/play.html", { viewport: DESKTOP });
    const content = await bundled(`
      import { runPrograms } from "../play/session";
      import { verdictOf } from "../play/claims";
      globalThis.tried = async (codes) => {
        const shown = codes.map(() => []);
        await runPrograms(codes, "/play/", (i, event) => shown[i].push(event)).ended;
        return codes.map((code, i) => ({ ended: shown[i].at(-1)?.event === "ended", ...verdictOf(code, shown[i]) }));
      };`);
    await page.addScriptTag({ content, type: "module" });
    await page.waitForFunction(() => "tried" in globalThis);
    const missed = await page.evaluate((codes) => globalThis.tried(codes), WRONG);
    assert.deepEqual(
      WRONG.filter((_, i) => missed[i].failures.length === 0),
      [],
      "what is not as said is told",
    );
    const wrong = [];
    let [count, claims] = [0, 0];
    const all = ["functions", "variables", "classes", "modules", "types"].flatMap((kind) => pagesOf(`api/${kind}`));
    all.push("/index.html");
    const programs = all.flatMap((path) => {
      const { codes, reasons } = built(path);
      for (const why of reasons) {
        const known = Object.entries(NOT_RUN_THERE).some(
          ([start, reason]) => path.startsWith(start) && reason.test(why),
        );
        if (!known) wrong.push(`${path} does not run: ${why}`);
      }
      return codes.map((code) => ({ path, code }));
    });
    for (let i = 0; i < programs.length; i += 150) {
      const some = programs.slice(i, i + 150);
      const verdicts = await page.evaluate(
        (codes) => globalThis.tried(codes),
        some.map(({ code }) => code),
      );
      for (const [k, { ended, met, failures }] of verdicts.entries()) {
        const { path, code } = some[k];
        [count, claims] = [count + 1, claims + met];
        if (!ended || failures.length > 0 || met !== claimCount(code))
          wrong.push(`${path}: ${ended ? failures.join("; ") : "did not end"}\n${code}`);
      }
    }
    t.diagnostic(`${count} examples, ${claims} results as said`);
    assert.deepEqual(wrong, []);
    reader.checkFaults("reference");
  });
}
