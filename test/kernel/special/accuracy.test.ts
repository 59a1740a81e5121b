import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  accuracyDocument,
  BOUNDS,
  COMPLEX_BOUND,
  COMPLEX_NAMES,
  complexRows,
  FUNCTIONS,
  NAMES,
  rowsOf,
  SPECIAL_BOUNDS,
  specialRows,
  STRIDE,
  STRIDED,
} from "../../../scripts/accuracy/table";
import * as special from "../../../lib/special";
import { SPECIAL_UNARY } from "../../../lib/ops";

describe.each(["f32", "f64"] as const)("the measured accuracy of %s", (precision) => {
  const rows = rowsOf(precision);

  it("is known of every special function", () => {
    expect(NAMES.filter((name) => !rows[name])).toEqual([]);
  });

  it("keeps the bound", () => {
    const beyond = NAMES.filter((name) => rows[name] && !(rows[name].worst <= BOUNDS[precision]));
    expect(beyond).toEqual([]);
  });

  it("was found with enough arguments", () => {
    for (const name of NAMES) {
      const isUnary = (SPECIAL_UNARY as readonly string[]).includes(name);
      const enough =
        precision === "f64" ? 50_000 : isUnary ? Math.floor(2 ** 32 / (STRIDED.has(name) ? STRIDE : 1)) : 1e8;
      expect([name, (rows[name]?.count ?? enough) >= enough]).toEqual([name, true]);
    }
  });
});

describe("the measured accuracy of the functions of lib/special", () => {
  const rows = specialRows();

  it("is known of each", () => {
    const names = Object.keys(special).map((name) => (name === "polygamma" ? "trigamma" : name));
    expect([...FUNCTIONS].sort()).toEqual(names.sort());
    expect(Object.keys(rows)).toEqual(FUNCTIONS);
  });

  it.each(["f32", "f64"] as const)("keeps the bound of %s, with enough arguments", (precision) => {
    expect(FUNCTIONS.filter((name) => !(rows[name]![precision].worst <= SPECIAL_BOUNDS[precision]))).toEqual([]);
    for (const name of FUNCTIONS) expect(rows[name]![precision].count, name).toBeGreaterThan(400);
  });
});

describe("the measured accuracy of functions of complex numbers", () => {
  const rows = complexRows();

  it("is known of each, keeps the bound, and was found with enough arguments", () => {
    expect(Object.keys(rows)).toEqual(COMPLEX_NAMES);
    expect(COMPLEX_NAMES.filter((name) => !(rows[name]!.whole[0] <= COMPLEX_BOUND))).toEqual([]);
    for (const name of COMPLEX_NAMES) expect(rows[name]!.count, name).toBeGreaterThan(2000);
  });
});

describe("docs/accuracy.md", () => {
  it("is what was measured", () => {
    expect(readFileSync(new URL("../../../docs/accuracy.md", import.meta.url), "utf8")).toBe(accuracyDocument());
  });
});
