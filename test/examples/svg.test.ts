/**
 * The SVG writer of the examples.
 */
import { ParseError } from "@xmldom/xmldom";
import { describe, expect, it } from "vitest";
import { chart, roundTicks, type Panel } from "../../examples/svg";
import { parse } from "./xml";

const panel: Panel = {
  x: "a < b",
  y: `"c" & d`,
  height: 200,
  series: [
    { label: "<dots>", mark: "dots", points: [[0, 0], [5, 10]] }, // prettier-ignore
    { label: "line", mark: "line", points: [[0, 10], [10, -10]] }, // prettier-ignore
  ],
};

describe("chart", () => {
  it("is well-formed whatever characters its texts have", () => {
    const svg = parse(chart("1 < 2 & 3 > 2", `say "it"`, [panel, panel]));
    expect(svg.getElementsByTagName("title")[0]!.textContent).toBe("1 < 2 & 3 > 2");
    expect(svg.getElementsByTagName("desc")[0]!.textContent).toBe('say "it"');
    const texts = Array.from(svg.getElementsByTagName("text"), (text) => text.textContent);
    expect(texts.filter((text) => ["a < b", '"c" & d', "<dots>"].includes(text!))).toHaveLength(6);
  });

  it("would not be so without the escapes: the parser tells", () => {
    expect(() => parse(chart("t", "d", [panel]).replace("&lt;", "<"))).toThrow(ParseError);
  });

  it("puts series where their axes say, and keeps them on the page", () => {
    const svg = parse(chart("t", "d", [panel]));
    const [dots, line] = Array.from(svg.getElementsByTagName("path"), (path) => path.getAttribute("d")!).slice(-2);
    const places = (path: string) => Array.from(path.matchAll(/[\d.]+ [\d.]+/g), ([at]) => at.split(" ").map(Number));
    const [[zero], [, end]] = [places(dots!), places(line!)] as unknown as [[number[]], [number[], number[]]];
    expect([zero![0], end[0]]).toEqual([64, 740]);
    expect(zero![1]).toBeGreaterThan(40);
    expect(zero![1]).toBeLessThan(end[1]!);
    expect(end[1]).toBeLessThan(240);
  });
});

describe("roundTicks", () => {
  const texts = (low: number, high: number, count: number) => roundTicks(low, high, count).map(({ text }) => text);

  it("are steps of 1, 2 or 5 times a power of ten within the range", () => {
    expect(texts(0, 10, 5)).toEqual(["0", "2", "4", "6", "8", "10"]);
    expect(texts(310, 445, 3)).toEqual(["350", "400"]);
    expect(texts(-0.12, 0.11, 4)).toEqual(["−0.1", "0.0", "0.1"]);
  });

  it("cover any range with about the number asked for", () => {
    for (const [low, high] of [
      [0, 1],
      [3e-5, 4e-5],
      [-7, 123456],
    ] as const) {
      // prettier-ignore
      const ticks = roundTicks(low, high, 6);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(8);
      expect(ticks.every(({ at }) => at >= low && at <= high * (1 + 1e-12))).toBe(true);
    }
  });
});
