import { describe, expect, it } from "vitest";
import { matches, show } from "../../lib/doctest/show";
import { Box, Named } from "./fixtures/fake";

describe("show", () => {
  it.each<[unknown, string]>([
    [1, "1"],
    [-0, "-0"],
    [5n, "5n"],
    ['a"b\n', '"a\\"b\\n"'],
    [undefined, "undefined"],
    [[1, [NaN, null]], "[1, [NaN, null]]"],
    [{ a: 1, "b-c": ["x"], d: {} }, '{ a: 1, "b-c": ["x"], d: {} }'],
    [new Float32Array([1, 0.5]), "Float32Array(2) [1, 0.5]"],
    [new Map([[1, { a: 2 }]]), "Map(1) { 1 => { a: 2 } }"],
    [new Named("n"), "<n>"],
    [new RangeError("r"), "RangeError: r"],
    [new Box([1]), "#Box<\n  s64[1]\n  [1]\n>"],
    [{ a: new Box([1]), b: [1, 2] }, "{\n  a: #Box<\n    s64[1]\n    [1]\n  >,\n  b: [1, 2]\n}"],
    [Array.from({ length: 30 }, (_, i) => i), `[${Array.from({ length: 30 }, (_, i) => i).join(", ")}]`],
  ])("%o", (value, text) => {
    expect(show(value)).toBe(text);
    expect(matches(text, value)).toBe(true);
  });

  it("ends on cycles", () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(show(cycle)).toBe("<ref *1> { self: [Circular *1] }");
  });
});

describe("matches", () => {
  it.each<[string, unknown]>([
    ["[ 1, 'a' ]", [1, "a"]],
    [
      "[\n  [1, 2],\n  [3, 4],\n]",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["{a:1}", { a: 1 }],
    ["plain", "plain"],
    ["two\n  lines", "two\n  lines  "],
  ])("%j", (text, value) => {
    expect(matches(text, value)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["[1,2]", [1, [2]]],
    ['["a b"]', ["a  b"]],
    ["[1 2]", [12]],
    ["#Box< s64[1] [1] >", new Box([1])],
    ["1.0", 1],
    ["0", -0],
  ])("not %j", (text, value) => {
    expect(matches(text, value)).toBe(false);
  });
});
