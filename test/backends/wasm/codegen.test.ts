import { describe, expect, it } from "vitest";
import { wasmKernel } from "../../../lib/backends/wasm/codegen";
import { STEP } from "../../../lib/backends/wasm/schedule/element-wise";
import { inScratch, scratch, views } from "../../../lib/backends/wasm/memory/linear";
import { runKernel } from "../../../lib/backends/wasm/elements/run";
import { bytesOf, DTYPES, isComplex, type DType } from "../../../lib/core/types";
import { Builder } from "../../../lib/kernel/builder";
import { interpret } from "../../../lib/kernel/interpret/run";
import { keyOf } from "../../../lib/kernel/key";
import type { Kernel, Value } from "../../../lib/kernel/value";
import { execute, firstDifference, operandsOf } from "../../kernel/executors-support";
import { ownTable } from "../../kernel/own-table";

const copyOf = (type: DType): Kernel => {
  const k = new Builder();
  const input = k.input(type);
  const values: Value[] = isComplex(type) ? [k.load(input, 0), k.load(input, 1)] : [k.load(input)];
  return k.kernel([{ type, values }]);
};

function same(kernel: Kernel, size: number): void {
  const { readers } = operandsOf(kernel, size, 4);
  const expected = execute(interpret, kernel, readers, size);
  execute(runKernel, kernel, readers, size).forEach((output, i) =>
    expect(firstDifference(output, expected[i]!)).toBeNull(),
  );
}

describe("generated functions", () => {
  it("are compiled once for each key", () => {
    expect(wasmKernel(copyOf("f32"))).toBe(wasmKernel(copyOf("f32")));
    expect(wasmKernel(copyOf("f32"))).not.toBe(wasmKernel(copyOf("s32")));
    expect(wasmKernel(copyOf("f32"), keyOf(copyOf("f32")))).toBe(wasmKernel(copyOf("f32")));
  });

  it.each(DTYPES)("write no further than the step that n lies in: %s", (type) => {
    const run = wasmKernel(copyOf(type)).exports.run!;
    for (const n of [1, 4, 15, 16, 17, 33]) {
      inScratch(() => {
        const bytes = Math.ceil(n / STEP) * STEP * bytesOf(type);
        const [from, to] = [scratch(bytes), scratch(bytes + 64)];
        const memory = views().u8;
        memory.fill(0x11, from, from + bytes);
        memory.fill(0xee, to, to + bytes + 64);
        run(n, from, to);
        expect(memory.slice(to, to + n * bytesOf(type)).every((byte) => byte === 0x11)).toBe(true);
        expect(memory.slice(to + bytes, to + bytes + 64).every((byte) => byte === 0xee)).toBe(true);
      });
    }
  });

  it("hold as many values at a time as a kernel asks for", () => {
    for (const many of [3, 8, 15, 40, 200]) {
      const k = new Builder();
      const x = k.load(k.input("f32")) as Value<"f32">;
      const parts = Array.from({ length: many }, (_, i) => k.mul(x, i + 0.5));
      // Every part is read again after all of them were made.
      const sum = parts.reduceRight((total, part) => k.add(k.sub(total, part), k.abs(part)), x);
      same(k.kernel([{ type: "f32", values: [sum] }]), 500);
    }
  });

  it("take many operands and give many results", () => {
    const k = new Builder();
    const xs = Array.from({ length: 24 }, (_, i) => k.load(k.input(i % 2 === 0 ? "f32" : "s8")));
    const outputs = xs.map((x, i) => ({
      type: (i % 2 === 0 ? "f32" : "s16") as DType,
      values: [k.add(x, xs[(i + 2) % 24]!)],
    }));
    same(k.kernel([...outputs, ...outputs]), 3000);
  });

  it("give results that are inputs, constants or the same for all elements", () => {
    const k = new Builder();
    const x = k.load(k.input("f32", true)) as Value<"f32">;
    const y = k.load(k.input("f32")) as Value<"f32">;
    const values = [
      x,
      y,
      y,
      k.f32(2.5),
      k.neg(x),
      k.coldPath(k.lt(x, 0), x, () => k.f32(9)),
      k.coldPath(k.lt(y, 0), x, () => y),
    ];
    same(k.kernel(values.map((value) => ({ type: "f32", values: [value] }))), 5000);
  });

  it("read tables at every entry, also where scratch space was in use when they were made", () => {
    const roots = ownTable(Float64Array.from({ length: 256 }, (_, i) => Math.sqrt(i)));
    const k = new Builder();
    const index = k.load(k.input("u8")) as Value<"i32">;
    const kernel = k.kernel([{ type: "f64", values: [k.lookup(roots, index)] }]);
    same(kernel, 3000);
    const other = ownTable(Float64Array.of(1, 2));
    const late = k.kernel([{ type: "f64", values: [k.lookup(other, k.and(index, 1))] }]);
    expect(other.first).toBeGreaterThan(0);
    inScratch(() => (views().u8.fill(255, scratch(64)), wasmKernel(late)));
    same(late, 100);
    same(kernel, 3000);
  });
});
