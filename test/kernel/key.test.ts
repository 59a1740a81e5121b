import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Builder } from "../../lib/kernel/builder";
import { keyOf, tablesIn } from "../../lib/kernel/key";
import type { Kernel, Value } from "../../lib/kernel/value";
import type { DType } from "../../lib/core/types";
import { kernelOf, programs } from "./executors-support";
import { ownTable } from "./own-table";

type Make = (k: Builder, x: Value<"f32">) => Value<"f32">;

function keyFor(make: Make, type: DType = "f32", uniform = false): string {
  const k = new Builder();
  const x = k.load(k.input(type, uniform));
  return keyOf(k.kernel([{ type: "f32", values: [make(k, x as Value<"f32">)] }]));
}

const [first, second] = [ownTable(Float64Array.of(1, 2)), ownTable(Float64Array.of(1, 2))];

describe("keys", () => {
  it("are the same for the same program, whatever was made besides", () => {
    const plain = keyFor((k, x) => k.add(k.mul(x, 2), 1));
    expect(keyFor((k, x) => (k.sqrt(x), k.f32(17), k.add(k.mul(x, 2), 1)))).toBe(plain);
    const index = (k: Builder) => k.i32(1);
    expect(keyFor((k) => k.demote(k.lookup(first, index(k))))).toBe(keyFor((k) => k.demote(k.lookup(first, index(k)))));
  });

  it("say which tables are looked up", () => {
    const plain = keyFor((_k, x) => x);
    const one = keyFor((k) => k.demote(k.lookup(first, k.i32(1))));
    const cold = keyFor((k, x) => k.coldPath(k.lt(x, 0), x, () => k.demote(k.lookup(second, k.i32(1)))));
    expect([plain, one, cold, `fold ${one} ${cold}`].map(tablesIn)).toEqual([[], [first], [second], [first, second]]);
  });

  it("are different for different programs", () => {
    const isNegative = (k: Builder, x: Value<"f32">): Value<"m32"> => k.lt(x, 0);
    const keys = [
      keyFor((_k, x) => x),
      keyFor((_k, x) => x, "f32", true),
      keyFor((k, x) => k.add(x, 0)),
      keyFor((k, x) => k.add(x, -0)),
      keyFor((k, x) => k.add(x, NaN)),
      keyFor((k, x) => k.add(x, 5e-45)),
      keyFor((k, x) => k.sub(x, 1)),
      keyFor((k, x) => k.sub(k.f32(1), x)),
      keyFor((k) => k.demote(k.lookup(first, k.i32(1)))),
      keyFor((k) => k.demote(k.lookup(second, k.i32(1)))),
      keyFor((k, x) => k.float(k.shl(k.bits(x), 1))),
      keyFor((k, x) => k.float(k.shl(k.bits(x), 2))),
      keyFor((k, x) => k.coldPath(isNegative(k, x), x, () => k.neg(x))),
      keyFor((k, x) => k.coldPath(isNegative(k, x), x, () => k.add(x, 1))),
      keyFor((k, x) => k.coldPath(isNegative(k, x), k.neg(x), () => x)),
      keyFor((k, x) => k.coldPath(isNegative(k, x), k.neg(x), () => x, true)),
      keyFor((k, x) => k.select(isNegative(k, x), k.neg(x), x)),
      keyFor((k) => k.load(0, 0) as Value<"f32">, "c64"),
      keyFor((k) => k.load(0, 1) as Value<"f32">, "c64"),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("tell outputs apart by type, order and number", () => {
    const k = new Builder();
    const [x, y] = [k.load(k.input("s32")), k.load(k.input("s32"))];
    const outs = (...pairs: [DType, Value][]): Kernel =>
      k.kernel(pairs.map(([type, value]) => ({ type, values: [value] })));
    const kernels = [
      outs(["s32", x], ["s32", y]),
      outs(["s32", y], ["s32", x]),
      outs(["u8", x], ["s32", y]),
      outs(["s32", x], ["s32", y], ["s32", y]),
    ];
    expect(new Set(kernels.map(keyOf)).size).toBe(kernels.length);
  });

  it("do not depend on how a program came about, for random ones", () => {
    fc.assert(
      fc.property(programs, (program) => {
        expect(keyOf(kernelOf(program))).toBe(keyOf(kernelOf(program)));
      }),
    );
  });

  it("of random programs are the same only where the programs are", () => {
    const shapeOf = ({ inputs, values, outputs }: Kernel): unknown => {
      const number = new Map<Value, number>();
      const text = (value: Value): unknown => {
        const coldPath = value.op === "coldPath" ? [value.body.map(text), number.get(value.cold)] : [];
        number.set(value, number.size);
        const { op, kind, args, ...others } = value as Value & Record<string, unknown>;
        const own = ["value", "high", "count", "input", "part"].map(
          (name) => String(others[name]) + Object.is(others[name], -0),
        );
        return [op, kind, args.map((arg) => number.get(arg)), own, coldPath];
      };
      const lines = values.map(text);
      return [inputs, lines, outputs.map(({ type, values: parts }) => [type, parts.map((part) => number.get(part))])];
    };
    const seen = new Map<string, string>();
    for (const program of fc.sample(programs, { numRuns: 500, seed: 3 })) {
      const kernel = kernelOf(program);
      const text = JSON.stringify(shapeOf(kernel));
      expect(seen.get(keyOf(kernel)) ?? text).toBe(text);
      seen.set(keyOf(kernel), text);
    }
    expect(seen.size).toBeGreaterThan(300);
  });
});
