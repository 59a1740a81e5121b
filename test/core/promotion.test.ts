import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Complex } from "../../lib/core/complex";
import { commonTypeOf, holds, isHeld, strictMerge } from "../../lib/core/promotion";
import { runWithPromotion } from "../../lib/core/promotion-scope";
import { DTYPES, isComplex, isInteger, mergeTypes, type DType } from "../../lib/core/types";
import { tries } from "../effort";

interface MaxTable {
  readonly counts: { readonly pairs: number; readonly accepted: number; readonly errors: number };
  readonly table: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const MAX = JSON.parse(readFileSync(new URL("../oracles/promotion-max.json", import.meta.url), "utf8")) as MaxTable;

/** Types of MAX that there are none of here, and why. */
const ABSENT: Readonly<Record<string, string>> = {
  bool: "truth values are u8 with 0 and 1, as in Nx; a plain true or false follows the tensor, which is what bool does in MAX",
};

const pairs = Object.keys(MAX.table).flatMap((left) =>
  Object.entries(MAX.table[left]!).map(([right, expected]) => ({ left, right, expected })),
);

const REAL = DTYPES.filter((type) => !isComplex(type));

describe("strictMerge", () => {
  it("has a row for each type, and all pairs", () => {
    expect(pairs.length).toBe(MAX.counts.pairs);
    expect(pairs.filter(({ expected }) => expected === "error").length).toBe(MAX.counts.errors);
    expect([...REAL, ...Object.keys(ABSENT)].sort()).toEqual(Object.keys(MAX.table).sort());
  });

  const ours = pairs.filter(({ left, right }) => !(left in ABSENT) && !(right in ABSENT));

  it.each(ours)("$left and $right: $expected", ({ left, right, expected }) => {
    const merged = strictMerge(left as DType, right as DType);
    expect("type" in merged ? merged.type : "error").toBe(expected);
  });

  it("gives the type that Nx gives wherever it gives one", () => {
    for (const left of DTYPES) {
      for (const right of DTYPES) {
        const merged = strictMerge(left, right);
        if ("type" in merged) expect(merged.type).toBe(mergeTypes(left, right));
      }
    }
  });

  it("says what does not fit", () => {
    expect(strictMerge("u32", "f32")).toEqual({ why: "f32 cannot hold every value of u32" });
    expect(strictMerge("u8", "s8")).toEqual({ why: "s8 cannot hold every value of u8" });
    expect(strictMerge("s64", "f16")).toEqual({ why: "f64 cannot hold every value of s64" });
    expect(strictMerge("bf16", "f16")).toEqual({ why: "bf16 and f16 have as many bits in different formats" });
    expect(strictMerge("bf16", "s32")).toEqual({ why: "f32 cannot hold every value of s32" });
  });

  it.each([
    ["f32", "c64", "c64"],
    ["bf16", "c64", "c64"],
    ["u16", "c64", "c64"],
    ["f64", "c128", "c128"],
    ["s32", "c128", "c128"],
    ["c64", "c128", "c128"],
    ["f64", "c64", "c128"],
    ["u32", "c64", "c64 cannot hold every value of u32"],
    ["s64", "c64", "c128 cannot hold every value of s64"],
    ["s64", "c128", "c128 cannot hold every value of s64"],
  ] as const)("%s and %s: %s", (left, right, expected) => {
    const merged = strictMerge(left, right);
    expect("type" in merged ? merged.type : merged.why).toBe(expected);
    expect(strictMerge(right, left)).toEqual(merged);
  });
});

describe("mergeTypes", () => {
  it("loses nothing of floats and complex numbers, but for two formats of one width", () => {
    const floating = DTYPES.filter((type) => !isInteger(type));
    const lossy = floating.flatMap((left) =>
      floating
        .filter((right) => ![left, right].every((type) => holds(mergeTypes(left, right), type)))
        .map((right) => [left, right]),
    );
    expect(lossy).toEqual([
      ["bf16", "f16"],
      ["f16", "bf16"],
    ]);
  });
});

describe("holds", () => {
  it("is what an exhaustive walk over small types finds", () => {
    const range = (type: DType) => {
      const bits = Number(type.slice(1));
      return type.startsWith("u") ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
    };
    for (const type of ["u8", "s8", "u16", "s16"] as const) {
      const [low, high] = range(type) as [number, number];
      for (const into of REAL) {
        let exact = true;
        for (let value = low; value <= high && exact; value++) exact = isHeld(into, value);
        expect(`${type} in ${into}: ${holds(into, type)}`).toBe(`${type} in ${into}: ${exact}`);
      }
    }
  });

  it("is transitive", () => {
    const type = fc.constantFrom(...DTYPES);
    fc.assert(
      fc.property(type, type, type, (a, b, c) => !(holds(a, b) && holds(b, c)) || holds(a, c)),
      { numRuns: tries(3000) },
    );
  });
});

describe("isHeld", () => {
  it.each([
    ["u8", 255, true],
    ["u8", 256, false],
    ["u8", -1, false],
    ["u8", 0.5, false],
    ["u8", NaN, false],
    ["u8", Infinity, false],
    ["s8", -128, true],
    ["s8", 128, false],
    ["u64", 2n ** 64n - 1n, true],
    ["u64", 2n ** 64n, false],
    ["s64", 2n ** 63n, false],
    ["s64", -(2n ** 63n), true],
    ["f32", 16777216, true],
    ["f32", 16777217, false],
    ["f32", 16777217n, false],
    ["f32", 16777218, true],
    ["f32", 0.1, true],
    ["f32", 1e300, false],
    ["f32", 1e20, true],
    ["f32", Infinity, true],
    ["f32", NaN, true],
    ["f64", 2n ** 53n + 1n, false],
    ["f64", 2n ** 60n, true],
    ["f64", 1e300, true],
    ["f16", 2048, true],
    ["f16", 2049, false],
    ["f16", 65504, true],
    ["f16", 70000.5, false],
    ["bf16", 256, true],
    ["bf16", 257, false],
    ["bf16", -258, true],
    ["u8", true, true],
    ["c64", 0.5, true],
    ["c64", 16777217, false],
    ["f32", new Complex(1, 2), false],
    ["c64", new Complex(1, 2), true],
    ["c64", new Complex(1, 1e300), false],
  ] as const)("%s holds %s: %s", (type, value, expected) => {
    expect(isHeld(type, value)).toBe(expected);
  });
});

describe("commonTypeOf", () => {
  const common = (...types: DType[]) => {
    try {
      return runWithPromotion("strict", () =>
        commonTypeOf(
          "f",
          types.map((type) => ({ type })),
        ),
      );
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("does not depend on the order", () => {
    expect(common("u8", "s8", "s16")).toBe("s16");
    expect(common("s16", "u8", "s8")).toBe("s16");
    expect(common("f16", "f32", "bf16")).toBe("f32");
    expect(common("s8", "u16", "f16")).toMatch(
      /^f cannot merge s8 and u16 under strict promotion: s16 cannot hold every/,
    );
  });

  it("finds a type or an error for every three", () => {
    const type = fc.constantFrom(...DTYPES);
    fc.assert(
      fc.property(type, type, type, (a, b, c) => {
        const found = common(a, b, c);
        const other = common(c, a, b);
        expect(DTYPES.includes(other as DType) ? other : "error").toBe(
          DTYPES.includes(found as DType) ? found : "error",
        );
        if (!DTYPES.includes(found as DType)) expect(found).toMatch(/under strict promotion/);
      }),
    );
  });
});
