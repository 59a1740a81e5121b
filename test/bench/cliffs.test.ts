/**
 * The cases that measure cliffs are what they say: names are unique, views give the shapes they promise, and calls of both
 * sides give results of the same size. Times are not looked at.
 */
import { describe, expect, it } from "vitest";
import { layouts, sizeOf } from "../../bench/cliffs/cases";
import { operand } from "../../bench/cliffs/operands";
import { cases } from "../../bench/cliffs/works";

describe("cases of cliffs", () => {
  const all = cases();

  it("have names of their own", () => {
    const names = all.map(({ work, where }) => `${work}, ${where}`);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it("change size, shape, layout and type of every work", () => {
    for (const work of new Set(all.map((each) => each.work))) {
      const groups = all.filter((each) => each.work === work).map(({ group }) => group);
      expect(new Set(groups), work).toEqual(new Set(["size", "shape", "layout", "type"]));
    }
  });

  it.each(layouts)("lie otherwise, and have the shape that is promised: $where", ({ shape, stored, view }) => {
    expect(view(operand(stored, "f32")).shape).toEqual(shape);
  });

  it.each(["add", "sum, last axis", "concatenate, first axis", "matmul"])("compute the same amount: %s", (name) => {
    const chosen = all.filter(({ work, group, where }) => work === name && group === "layout" && !/999/.test(where));
    for (const { other, friendly, where } of chosen.slice(-1)) {
      const [found, usual] = [other(), friendly()];
      expect(found.amount, where).toBe(usual.amount);
      expect(found.call(...found.operands).size, where).toBe(usual.call(...usual.operands).size);
    }
  });
});

describe("operands of cliffs", () => {
  it("are spread over their range, and alike each time", () => {
    const elements = Array.from(operand([1000], "u8").toTypedArray() as Uint8Array);
    expect([Math.min(...elements), Math.max(...elements)]).toEqual([0, 99]);
    expect(operand([4, 5], "c64").shape).toEqual([4, 5]);
    expect(sizeOf([4, 5])).toBe(20);
    expect(operand([3], "f64").toFlatList()).toEqual(operand([30], "f64").slice([0], [3]).toFlatList());
  });
});
