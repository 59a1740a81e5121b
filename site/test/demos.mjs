/** Demonstrations: each runs, is steered, and shows what it is steered to. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { DESKTOP, fileOf, pagesOf, PHONE } from "./reader.mjs";

/** What a picture shows, as a text to be compared. */
const drawn = (page, i = 0) =>
  page
    .locator(".demo canvas")
    .nth(i)
    .evaluate((canvas) => canvas.toDataURL());
const told = async (page) => await page.locator(".demo-status").innerText();

/** A place of a picture, in parts of its width and height. */
async function placeOf(page, x, y, i = 0) {
  const picture = page.locator(".demo canvas").nth(i);
  await picture.scrollIntoViewIfNeeded();
  const box = await picture.boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
}

async function press(page, x, y) {
  await page.mouse.move(...(await placeOf(page, x, y)));
  await page.mouse.down();
  await page.mouse.up();
}

async function slide(page, name, value) {
  await page.getByRole("slider", { name }).fill(String(value));
}

const number = (text, pattern) => Number(pattern.exec(text)?.[1]?.replaceAll(",", "") ?? NaN);

/** What readers do with each, and what has to come of it. */
const STEERED = {
  async weather(page) {
    const [picture, text] = [await drawn(page), await told(page)];
    assert.match(text, /\[year: 4\]\[day: 365\]/);
    await page.getByLabel("shown").selectOption("mean of 30 days");
    assert.match(await told(page), /\[year: 4\]\[day: 336\]/);
    await page.getByLabel("feature").selectOption("temp_max");
    assert.notEqual(await drawn(page), picture);
    const means = (await told(page)).split("years ")[1].split(", ").map(Number);
    for (const mean of means) assert.ok(mean > 10 && mean < 25, `Seattle's highest temperatures: ${means}`);
  },
  async network(page) {
    const begun = await told(page);
    // the loss jumps once at about step 270, and is lower after 300 steps wherever these begin
    await page.waitForFunction(
      (least) => Number(/step (\d+)/.exec(document.querySelector(".demo-status").innerText)[1]) > least,
      number(begun, /step (\d+)/) + 300,
    );
    const [first, last] = [begun, await told(page)].map((text) => number(text, /loss ([\d.]+)/));
    assert.ok(last < first, `it learns: a loss of ${first}, then of ${last}`);
    await page.getByRole("button", { name: "Begin again" }).click();
    await page.waitForFunction(
      () => Number(/step (\d+)/.exec(document.querySelector(".demo-status").innerText)[1]) < 200,
    );
  },
  async "gray-scott"(page) {
    const lit = () =>
      page.locator(".demo canvas").evaluate((canvas) => {
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width / 4, height / 4);
        return data.filter((value, i) => i % 4 === 1 && value > 60).length;
      });
    await page.getByRole("button", { name: "Begin again" }).click();
    const before = await lit();
    await press(page, 0.12, 0.12);
    await page.waitForTimeout(100);
    assert.ok((await lit()) > before, "a drop where the corner was empty");
  },
  async mandelbrot(page) {
    const widthOf = async () => number(await told(page), /; ([\d.]+) wide/);
    const picture = await drawn(page);
    assert.equal(await widthOf(), 3.2);
    await press(page, 0.25, 0.5);
    assert.equal(await widthOf(), 1.6);
    assert.match(await told(page), /wide at -1\.4, 0$/);
    assert.notEqual(await drawn(page), picture);
    await slide(page, "turns", 200);
    assert.match(await told(page), /200 turns/);
    await page.getByRole("button", { name: "All of it" }).click();
    assert.equal(await widthOf(), 3.2);
  },
  async options(page) {
    const valuesOf = async () => {
      const text = await told(page);
      return ["price", "delta", "vega"].map((name) =>
        number(text, new RegExp(`${name} (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)`)),
      );
    };
    const pictures = await Promise.all([0, 1, 2, 3].map((i) => drawn(page, i)));
    assert.equal(new Set(pictures).size, 4);
    const [price, delta, vega] = await valuesOf();
    assert.ok(price > 5 && price < 20 && delta > 0.4 && delta < 0.8, "a call at the money");
    await slide(page, "volatility", 0.23);
    const [dearer] = await valuesOf();
    // 0.03 of volatility is worth as much times vega, to a few parts in a hundred
    assert.ok(Math.abs((dearer - price) / (0.03 * vega) - 1) < 0.05, `${price}, ${dearer}, vega ${vega}`);
  },
  async "gaussian-process"(page) {
    assert.match(await told(page), /^3 points/);
    const before = await drawn(page);
    await page.mouse.move(...(await placeOf(page, 0.35, 0.2)));
    await page.waitForFunction(() => document.querySelector(".demo-status").innerText.startsWith("4 points"));
    const near = await drawn(page);
    assert.notEqual(near, before);
    await page.mouse.move(...(await placeOf(page, 0.4, 0.9)));
    assert.notEqual(await drawn(page), near, "it follows the mouse");
    await press(page, 0.4, 0.9);
    assert.match(await told(page), /^5 points/);
    const narrow = await drawn(page);
    await slide(page, "length", 0.4);
    assert.notEqual(await drawn(page), narrow);
  },
  async digits(page) {
    await page.getByRole("button", { name: "Clear" }).click();
    assert.equal(await told(page), "Draw a digit.");
    const heat = await drawn(page, 2);
    const stroke = async (...places) => {
      for (const [i, [x, y]] of places.entries()) {
        await page.mouse.move(...(await placeOf(page, x, y)), { steps: 4 });
        if (i === 0) await page.mouse.down();
      }
      await page.mouse.up();
    };
    // a seven with a bar
    await stroke([0.41, 0.33], [0.63, 0.22], [0.74, 0.33], [0.63, 0.55], [0.52, 0.67], [0.41, 0.78], [0.41, 0.89]);
    await stroke([0.3, 0.55], [0.74, 0.55]);
    assert.match(await told(page), /^7: (9\d|[6-8]\d)\.\d %/);
    const seven = await drawn(page, 2);
    assert.notEqual(seven, heat);
    // the gradient says of every pixel how much it speaks for the answer: light and dark ones
    const levels = await page
      .locator(".demo canvas")
      .nth(2)
      .evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, 8, 8);
        return data.filter((_, i) => i % 4 === 1);
      });
    assert.ok(Math.max(...Object.values(levels)) > 180 && Math.min(...Object.values(levels)) < 60, "light and dark");
    await page.getByRole("button", { name: "Clear" }).click();
    await stroke([0.5, 0.15], [0.51, 0.5], [0.5, 0.85]);
    assert.match(await told(page), /^1: /);
    assert.notEqual(await drawn(page, 2), seven);
  },
};

export function demos(reader) {
  describe("demonstrations", () => {
    const pages = pagesOf("demos").filter((path) => !path.endsWith("index.html"));

    before(() => reader.visit("/demos/"));

    it("are all steered here", () => {
      assert.deepEqual(
        pages.map((path) => path.replace(/.*\/(.*)\.html/, "$1")).toSorted(),
        Object.keys(STEERED).toSorted(),
      );
    });

    for (const path of pages) {
      it(`${path} runs, and does what it is told`, async (t) => {
        const page = await reader.go(path);
        await page.setViewportSize(DESKTOP);
        await page.locator(".demo .run").click();
        await page.locator('.demo[data-state="open"]').waitFor({ timeout: 60_000 });
        await page.waitForFunction(() => document.querySelector(".demo-status")?.textContent);
        await STEERED[path.replace(/.*\/(.*)\.html/, "$1")](page);
        const frames = await page.evaluate(async () => {
          const times = [];
          const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
          for (let i = 0; i < 30; i++) times.push(await next());
          return times.slice(1).map((time, i) => time - times[i]);
        });
        const sorted = frames.toSorted((a, b) => a - b);
        t.diagnostic(`frames of ${sorted[15].toFixed(1)} ms in the middle, ${sorted[27].toFixed(1)} ms nine in ten`);
        await reader.shot(fileOf(path));
        await reader.checkAccess(path);
        await page.setViewportSize(PHONE);
        await reader.checkPhone(path);
        await reader.checkTargets(path, ".VPDoc .main");
        await reader.shot(`phone-${fileOf(path)}`);
        reader.checkFaults(path);
      });
    }
  });
}
