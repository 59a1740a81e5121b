import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wasmKernel } from "../../lib/backends/wasm/codegen";
import { runKernel } from "../../lib/backends/wasm/elements/run";
import { Builder } from "../../lib/kernel/builder";
import { interpret } from "../../lib/kernel/interpret/run";
import { keyOf } from "../../lib/kernel/key";
import { readerOf } from "../../lib/kernel/operand";
import { Recent } from "../../lib/kernel/generational-cache";
import type { Kernel, Value } from "../../lib/kernel/value";

describe("what was used last", () => {
  it("is kept, up to the limit", () => {
    const recent = new Recent<number>(3);
    for (let i = 0; i < 3; i++) recent.set(`${i}`, i);
    expect([0, 1, 2].map((i) => recent.get(`${i}`))).toEqual([0, 1, 2]);
  });

  it("takes room that does not grow", () => {
    const recent = new Recent<number>(10);
    for (let i = 0; i < 1000; i++) {
      recent.set(`${i}`, i);
      recent.get(`${i - 12}`);
      expect(recent.size).toBeLessThanOrEqual(20);
      // Each round uses two entries, so the last ten are those of five rounds.
      if (i % 50 !== 0) continue;
      for (let last = Math.max(0, i - 4); last <= i; last++) expect(recent.get(`${last}`)).toBe(last);
    }
    expect(recent.get("0")).toBeUndefined();
  });

  it("stays as long as it is asked for", () => {
    const recent = new Recent<object>(4);
    const first = {};
    recent.set("first", first);
    for (let i = 0; i < 100; i++) {
      recent.set(`${i}`, {});
      expect(recent.get("first")).toBe(first);
    }
  });

  it("is kept by its weight: the limit of what was used last, and never more than twice that", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 40 })), { maxLength: 60 }), (uses) => {
        const recent = new Recent<number>(100, (weight) => weight);
        const order: string[] = [];
        const weights = new Map<string, number>();
        for (const [name, weight] of uses) {
          const key = `${name}`;
          if (recent.get(key) === undefined) {
            recent.set(key, weight);
            weights.set(key, weight);
          }
          if (order.includes(key)) order.splice(order.indexOf(key), 1);
          order.push(key);
          expect(recent.weight).toBeLessThanOrEqual(200);
        }
        // The last ones that weigh no more than 60 together are there still: a generation may end with 40 free.
        let load = 0;
        for (const key of order.reverse()) {
          load += weights.get(key)!;
          if (load > 60) break;
          expect(recent.get(key)).toBe(weights.get(key));
        }
      }),
    );
  });

  it("has room for one that weighs more than all", () => {
    const recent = new Recent<number>(10, (weight) => weight);
    recent.set("large", 50);
    expect(recent.get("large")).toBe(50);
    recent.set("a", 1);
    recent.set("b", 10);
    expect(recent.get("large")).toBeUndefined();
  });

  it("is made where it is not there, null, too, and again when it is forgotten", () => {
    const recent = new Recent<number | null>(2);
    let made = 0;
    const get = (key: string): number | null => recent.getOrMake(key, () => (made++, key === "none" ? null : made));
    expect([get("a"), get("a"), get("none"), get("none")]).toEqual([1, 1, null, null]);
    expect(made).toBe(2);
    // The next ones drop the generation of the first two.
    for (const key of ["b", "c", "d"]) get(key);
    expect(get("a")).toBe(6);
  });

  it("may be replaced, and may be null", () => {
    const recent = new Recent<number | null>(2);
    recent.set("a", 1);
    recent.set("a", null);
    expect(recent.get("a")).toBeNull();
    expect(recent.size).toBe(1);
  });
});

/** x + c, of which there are as many as there are numbers. */
function plus(c: number): Kernel {
  const k = new Builder();
  const x = k.load(k.input("f32")) as Value<"f32">;
  return k.kernel([{ type: "f32", values: [k.add(x, c)] }]);
}

describe("kernels without end", () => {
  it("are forgotten, and made again when they are needed", () => {
    const x = Float32Array.of(1, 2, 3, 4, 5);
    const reader = readerOf({ elements: x, width: 1, offset: 0, strides: [1] }, [5]);
    const early = wasmKernel(plus(0.5));
    for (let i = 0; i < 2100; i++) wasmKernel(plus(i + 1));
    expect(wasmKernel(plus(2100))).toBe(wasmKernel(plus(2100)));
    expect(wasmKernel(plus(0.5))).not.toBe(early);
    for (let i = 0; i < 300; i++) {
      const result = new Float32Array(5);
      interpret(plus(i + 7000), [reader], [result], 5);
      expect(result).toEqual(x.map((value) => value + i + 7000));
    }
    for (const execute of [interpret, runKernel]) {
      for (const c of [7000, 0.5]) {
        const result = new Float32Array(5);
        execute(plus(c), [reader], [result], 5, keyOf(plus(c)));
        expect(result).toEqual(x.map((value) => value + c));
      }
    }
    // What was forgotten still works for whoever holds it.
    expect(early.exports.run).toBeTypeOf("function");
  });
});
