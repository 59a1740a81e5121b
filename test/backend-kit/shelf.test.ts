/** The worked example of docs/writing-a-backend.md: it passes the suite, frees what it stores, and stands in the page as it is. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { MULTI_RESULT_PRIMITIVES, PRIMITIVES } from "nx-numerics/backend";
import { conformance } from "nx-numerics/testing";
import { sampled } from "../effort";
import { shelfBackend } from "../../examples/shelf-backend";

const textOf = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function soon(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !isSo(); i++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("the shelf", () => {
  it.each(sampled(conformance(shelfBackend().backend), 800, "shelf"))("$name", ({ run }) => run());

  it("has nothing left of what was released", () => {
    const { backend, items } = shelfBackend();
    const x = Nx.f32([[1, 2], [3, 4]], { names: ["x", "y"], backend }); // prettier-ignore
    const results = [x.add(x), x.reshape([4]), x.sin(), x.sum(), x.flatten(), x.negate(), x.sort()];
    expect(items.size).toBe(6); // of x, which two others share, and five more
    Nx.backendDeallocate(results);
    expect(items.size).toBe(1);
    expect(x.toList()).toEqual([[1, 2], [3, 4]]); // prettier-ignore
    expect(Nx.backendDeallocate(x)).toBe("ok");
    expect([Nx.backendDeallocate(x), items.size]).toEqual(["already_deallocated", 0]);
    expect(() => x.add(1)).toThrow(/^Nx\.add: the tensor f32\[2\]\[2\] was deallocated/);
    expect(String(x)).toContain("(deallocated)");
  });

  it("has nothing left of the temporaries of a compiled function", () => {
    const { backend, items } = shelfBackend();
    const f = Nx.defn((x: Nx.Tensor) => x.sin().add(x).multiply(x).reshape([6400]).cos().sort());
    const x = Nx.iota([80, 80], { type: "f32", backend }); // smaller ones are not worth giving back
    Nx.backendDeallocate(f(x));
    expect(items.size).toBe(1);
  });

  it("gets back what nobody holds any more", { timeout: 60_000 }, async () => {
    const { backend, items } = shelfBackend();
    const kept = Nx.iota([10], { backend });
    for (let i = 0; i < 200; i++) kept.add(i).reshape([2, 5]);
    const most = items.size;
    await soon(() => items.size < 5);
    expect([most > 200, items.size < 5, kept.sum().toNumber()]).toEqual([true, true, 45]);
  });
});

describe("the page", () => {
  const page = textOf("docs/writing-a-backend.md");

  it("shows the example as it is", () => {
    const code = textOf("examples/shelf-backend.ts");
    expect(page).toContain(code.slice(code.indexOf("import {")).trimEnd());
  });

  it("tells of every primitive", () => {
    expect([...PRIMITIVES, ...MULTI_RESULT_PRIMITIVES].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
