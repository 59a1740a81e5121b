import { describe, expect, it } from "vitest";
import { Builder } from "../../lib/kernel/builder";
import type { ColdPathValue, Value } from "../../lib/kernel/value";
import { ownTable } from "./own-table";

const [one, other] = [ownTable(new Float64Array(4)), ownTable(new Float64Array(4))];

const start = () => {
  const k = new Builder();
  return { k, x: k.load(k.input("f32")) as Value<"f32">, n: k.load(k.input("s32")) as Value<"i32"> };
};

describe("values", () => {
  it("are made once", () => {
    const { k, x, n } = start();
    expect(k.add(x, 1)).toBe(k.add(x, 1));
    expect(k.load(0)).toBe(x);
    expect(k.shl(n, 3)).toBe(k.shl(n, 3));
    expect(k.i64(1, 2)).toBe(k.constant("i64", 2 ** 32 + 2));
    expect(k.lookup(one, n)).toBe(k.lookup(one, n));
  });

  it("differ by op, operands, order, kind and constants", () => {
    const { k, x, n } = start();
    const y = k.neg(x);
    const values = [
      ...[k.sub(x, y), k.sub(y, x), k.add(x, y), k.shl(n, 3), k.shl(n, 4), k.shrS(n, 3), k.shrU(n, 3)],
      ...[k.f32(0), k.f32(-0), k.f64(0), k.i32(0), k.i64(0, 0), k.f32(NaN), k.f32(0.1), k.f64(0.1)],
      ...[k.lookup(one, n), k.lookup(other, n), k.load(0, 1)],
      ...[k.fromS32("f32", n), k.fromS32("f64", n), k.fromU32("f32", n)],
    ];
    expect(new Set(values).size).toBe(values.length);
  });

  it("round constants to their kind", () => {
    const { k } = start();
    expect(k.f32(0.1)).toMatchObject({ value: Math.fround(0.1), high: 0 });
    expect(k.i32(4294967295)).toMatchObject({ value: -1 });
    expect(k.i32(2147483648)).toBe(k.i32(-2147483648));
    expect(k.constant("i64", -1)).toMatchObject({ value: -1, high: -1 });
    expect(k.constant("i64", 2 ** 53 - 1)).toMatchObject({ value: -1, high: 2 ** 21 - 1 });
    expect(k.constant("i64", -(2 ** 33))).toMatchObject({ value: 0, high: -2 });
  });
});

describe("cold paths", () => {
  it("hold what only their bodies need, and name what those read of the surroundings", () => {
    const { k, x } = start();
    const shared = k.mul(x, 2);
    const value = k.coldPath(k.lt(x, 0), x, () => k.add(k.sqrt(shared), 5)) as ColdPathValue<"f32">;
    expect(value.body.map(({ op }) => op)).toEqual(["sqrt", "const", "add"]);
    expect(value.cold).toBe(value.body[2]);
    expect(value.args.slice(2)).toEqual([shared]);
    const kernel = k.kernel([{ type: "f32", values: [value] }]);
    expect(kernel.values).toContain(shared);
    expect(kernel.values).not.toContain(value.cold);
  });

  it("do not lend what they made to what comes after", () => {
    const { k, x } = start();
    const value = k.coldPath(k.lt(x, 0), x, () => k.sqrt(x)) as ColdPathValue<"f32">;
    const outside = k.sqrt(x);
    expect(outside).not.toBe(value.cold);
    const kernel = k.kernel([{ type: "f32", values: [k.add(value, outside)] }]);
    expect(kernel.values.filter(({ op }) => op === "sqrt")).toEqual([outside]);
  });

  it("may have a cold value from outside, and be nested", () => {
    const { k, x } = start();
    const outside = k.neg(x);
    const plain = k.coldPath(k.lt(x, 0), x, () => outside) as ColdPathValue<"f32">;
    expect(plain.body).toEqual([]);
    expect(plain.cold).toBe(outside);
    expect(plain.args.slice(2)).toContain(outside);
    const deep = k.abs(x);
    const outer = k.coldPath(k.lt(x, 1), x, () =>
      k.coldPath(k.lt(x, 2), x, () => k.floor(deep)),
    ) as ColdPathValue<"f32">;
    expect(outer.args.slice(2)).toContain(deep);
    expect(outer.body.map(({ op }) => op)).toEqual(["const", "lt", "coldPath"]);
  });
});

describe("kernels", () => {
  it("have the values their outputs need, arguments first", () => {
    const { k, x } = start();
    k.sqrt(x);
    const result = k.add(k.mul(x, 3), k.neg(x));
    const { values } = k.kernel([{ type: "f32", values: [result] }]);
    expect(values.map(({ op }) => op)).toEqual(["load", "const", "mul", "neg", "add"]);
    const seen = new Set<Value>();
    for (const value of values) {
      for (const arg of value.args) expect(seen.has(arg)).toBe(true);
      seen.add(value);
    }
  });

  it("refuse outputs of the wrong kind or number", () => {
    const { k, x, n } = start();
    const types = /an output of type \w+ takes values of kind/;
    expect(() => k.kernel([{ type: "s32", values: [x] }])).toThrow(types);
    expect(() => k.kernel([{ type: "f16", values: [x] }])).toThrow(types);
    expect(() => k.kernel([{ type: "c64", values: [x] }])).toThrow(types);
    expect(() => k.kernel([{ type: "u64", values: [n] }])).toThrow(types);
    expect(() => k.kernel([{ type: "c64", values: [x, x] }])).not.toThrow();
  });
});
