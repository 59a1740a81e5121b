/** Several arrays read as one: every part of them is what the arrays one after the other have there. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinedAccess, JoinedReader, type Runs } from "../../lib/kernel/joined";
import { tries } from "../effort";

/** Runs of each array, and how many rows there are. */
const layout = fc.record({
  runs: fc.array(fc.record({ offset: fc.nat(5), spare: fc.nat(4), inner: fc.integer({ min: 1, max: 70 }) }), {
    minLength: 2,
    maxLength: 4,
  }),
  rows: fc.integer({ min: 1, max: 9 }),
});

describe("parts of several arrays that are read as one", () => {
  it.each([1, 2] as const)("are theirs, copied or where they lie (%i entries each)", (width) => {
    fc.assert(
      fc.property(layout, fc.nat(), fc.nat(), ({ runs: given, rows }, from, many) => {
        const runs = given.map(({ offset, spare, inner }): Runs => ({ offset, pitch: inner + spare, inner }));
        let next = 0;
        const arrays = runs.map(({ offset, pitch }) =>
          Float32Array.from({ length: width * (offset + rows * pitch) }, () => next++),
        );
        const whole: number[] = [];
        for (let row = 0; row < rows; row++) {
          runs.forEach(({ offset, pitch, inner }, i) => {
            const first = width * (offset + row * pitch);
            whole.push(...arrays[i]!.subarray(first, first + width * inner));
          });
        }
        const size = whole.length / width;
        const start = from % size;
        const n = 1 + (many % (size - start));
        const expected = whole.slice(width * start, width * (start + n));
        const reader = new JoinedReader(arrays, width, joinedAccess(runs, size));
        const target = new Float32Array(width * (n + 3));
        reader.read(target, 2, start, n);
        expect([...target.subarray(2 * width, width * (n + 2))]).toEqual(expected);
        for (const count of [1, n]) {
          const run = reader.runAt(start, count);
          const lies = run && [...(run.elements as Float32Array).subarray(width * run.at, width * (run.at + count))];
          if (lies !== null) expect(lies).toEqual(expected.slice(0, width * count));
          else expect(count).toBeGreaterThan(1);
        }
      }),
      { numRuns: tries(400) },
    );
  });
});
