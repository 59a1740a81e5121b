import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { explained } from "../../../scripts/render-explain";

const read = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8");

describe("the pictures of docs/debugging.md", () => {
  it("are what explain gives: the Mermaid block", () => {
    const [, block] = /```mermaid\n([\s\S]*?)\n```/.exec(read("debugging.md"))!;
    expect(block).toBe(explained().toMermaid());
  });

  it("are what explain gives: the rendered DOT", () => {
    const titles = [...read("explain.svg").matchAll(/<title>(n_\w+)<\/title>/g)].map(([, id]) => id);
    const boxes = [
      ...explained()
        .toDot()
        .matchAll(/^ +(n_\w+) \[/gm),
    ].map(([, id]) => id);
    expect(titles.sort()).toEqual(boxes.sort());
    const texts = [...read("explain.svg").matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, text]) => text);
    for (const { name, types } of explained().nodes) {
      expect(texts.some((text) => text!.startsWith(`${name} = `))).toBe(true);
      expect(texts).toContain(types[0]);
    }
  });
});
