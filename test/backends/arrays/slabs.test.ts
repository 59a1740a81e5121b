import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { arrayTypeOf, type Elements } from "../../../lib/backends/arrays/storage";
import { unsetArray, zeroedArray } from "../../../lib/backends/arrays/slabs";
import { DTYPES } from "../../../lib/core/types";

const requests = fc.array(fc.tuple(fc.constantFrom(...DTYPES), fc.nat(1200), fc.boolean()), { maxLength: 60 });

describe("small arrays in common buffers", () => {
  it("are as long as asked for, zeroed where asked, and hold what was written to them, whatever is written to others", () => {
    fc.assert(
      fc.property(requests, (all) => {
        const made = all.map(([type, entries, isZeroed], i): Elements => {
          const array = (isZeroed ? zeroedArray : unsetArray)(arrayTypeOf(type), entries);
          expect(array.length).toBe(entries);
          if (isZeroed) expect(array.every((element) => element === 0)).toBe(true);
          return array.fill(1 + (i % 100)) as Elements;
        });
        made.forEach((array, i) => expect(array.every((element) => element === 1 + (i % 100))).toBe(true));
      }),
    );
  });

  it("keep a buffer of eight kilobytes at most from being freed", () => {
    for (const entries of [17, 100, 1000, 1024, 1025, 3000, 100_000]) {
      const { buffer, byteLength } = unsetArray(Float32Array, entries);
      expect(buffer.byteLength).toBeLessThanOrEqual(Math.max(8192, byteLength));
    }
  });

  it("are zeroed also where a fresh buffer is not", () => {
    const dirty = vi.spyOn(Buffer, "allocUnsafeSlow").mockImplementation((bytes) => Buffer.alloc(bytes, 255));
    const made = Array.from({ length: 100 }, () => zeroedArray(Float64Array, 32));
    expect(dirty).toHaveBeenCalled();
    dirty.mockRestore();
    expect(made.every((array) => array.every((element) => element === 0))).toBe(true);
  });

  it("share buffers", () => {
    const buffers = new Set(Array.from({ length: 100 }, () => unsetArray(Float64Array, 32).buffer));
    expect(buffers.size).toBeLessThan(8);
  });
});
