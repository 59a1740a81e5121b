/** Benchmarks in the page: they run beside the other libraries of `bench/`, and say so where one cannot be loaded. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { at } from "./reader.mjs";

/** The boxes of the works, which come when the works are loaded: the button is there before. */
async function boxesOf(page) {
  const boxes = page.locator(".bench-table input");
  await boxes.first().waitFor();
  return boxes.all();
}

export function measure(reader) {
  it("benchmarks run beside the other libraries, chosen by the keyboard", async (t) => {
    const page = await reader.visit("/measure.html");
    for (const box of await boxesOf(page)) {
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
    await reader.shot("measured");
    const told = await page.locator(".bench-table thead").innerText();
    const { dependencies } = JSON.parse(readFileSync(at("../../bench/package.json"), "utf8"));
    for (const name of ["@jax-js/jax", "@tensorflow/tfjs"])
      assert.ok(told.includes(dependencies[name]), `the versions of bench/package.json: ${told}`);
    reader.checkFaults("measure");
  });

  it("a library that cannot be loaded is told, and the others are measured", async () => {
    const page = await reader.visit("/measure.html", {
      prepare: (opened) => opened.route("**/bench/{jax,tfjs}.js", (route) => route.abort("internetdisconnected")),
    });
    for (const box of await boxesOf(page))
      if (!(await box.locator("..").innerText()).includes("add of 8")) await box.click();
    await page.getByRole("button", { name: "Measure" }).click();
    await page.locator(".bench-status", { hasText: "Measured 1 works" }).waitFor({ timeout: 120_000 });
    const heads = await page.locator(".bench-table thead th").allInnerTexts();
    assert.equal(
      heads.filter((text) => text.includes("it could not be loaded: is the page offline?")).length,
      2,
      heads.join(" | "),
    );
    const [, ours, ...others] = await page
      .locator(".bench-table tbody tr", { hasText: "add of 8" })
      .evaluate((row) => [...row.cells].map(({ innerText }) => innerText.trim()));
    assert.match(ours, /^[\d.,]+$/);
    assert.deepEqual(others, ["", ""]);
    for (const fault of reader.faults.splice(0)) assert.match(fault, /ERR_INTERNET_DISCONNECTED/);
  });
}
