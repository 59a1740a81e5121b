import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrayTypeOf, type Elements } from "../../../lib/backends/arrays/storage";
import { zeroedArray } from "../../../lib/backends/arrays/slabs";
import { DTYPES } from "../../../lib/core/types";

const requests = fc.array(fc.tuple(fc.constantFrom(...DTYPES), fc.nat(1200)), { maxLength: 60 });

describe("small arrays in common buffers", () => {
  it("are zeroed, as long as asked for, and hold what was written to them, whatever is written to others", () => {
    fc.assert(
      fc.property(requests, (all) => {
        const made = all.map(([type, entries], i): Elements => {
          const array = zeroedArray(arrayTypeOf(type), entries);
          expect(array.length).toBe(entries);
          expect(array.every((element) => element === 0)).toBe(true);
          return array.fill(1 + (i % 100)) as Elements;
        });
        made.forEach((array, i) => expect(array.every((element) => element === 1 + (i % 100))).toBe(true));
      }),
    );
  });

  it("keep less than eight times as much from being freed, and those of more than 4 kB nothing else", () => {
    for (const entries of [17, 33, 100, 1000, 1024, 1025, 3000, 100_000]) {
      const { buffer, byteLength } = zeroedArray(Float32Array, entries);
      expect(buffer.byteLength).toBeLessThan(byteLength <= 4096 ? 8 * byteLength : byteLength + 1);
    }
  });

  it("share buffers", () => {
    const buffers = new Set(Array.from({ length: 100 }, () => zeroedArray(Float64Array, 32).buffer));
    expect(buffers.size).toBeLessThan(28);
  });
});
