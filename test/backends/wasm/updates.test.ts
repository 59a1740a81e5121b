/** Sums at picked rows of tensors in the memory of kernels: the bits of the reference, and its errors. */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { describe, expect, it } from "vitest";
import { tries } from "../../effort";

/** Entries from which on tensors of 32 bits lie in the memory of kernels. */
const LARGE = 4096;

/** Integers below a size, or numbers of all magnitudes, from a seed. */
function numbers(count: number, seed: number, below: number | null): number[] {
  let state = seed | 1;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) | 0);
  const number = (): number => (next() / 2 ** 20) * 2 ** ((next() >>> 28) - 8);
  return Array.from({ length: count }, () =>
    below === null ? number() : Math.floor(((next() >>> 0) / 2 ** 32) * below),
  );
}

const onBoth = <R>(fn: (backend: "wasm" | "binary") => R): [R, R] => [fn("wasm"), fn("binary")];

const bytesOf = (x: Tensor): Buffer => Buffer.from(Nx.toBinary(x));

describe.each(["f32", "f64", "c64", "c128", "f16", "bf16", "s32", "u8", "s64"] as const)(
  "updates of %s",
  (type: DType) => {
    it("are added in their order, whichever rows they meet", () => {
      const cases = fc.record({
        rows: fc.constantFrom(1, 7, 300, 5000),
        run: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 7 })),
        extra: fc.nat(3),
        places: fc.constantFrom("s32", "u32", "s64", "u8"),
        back: fc.boolean(),
        seed: fc.integer(),
      });
      fc.assert(
        fc.property(cases, ({ rows, run, extra, places, back, seed }) => {
          const count = Math.ceil(LARGE / run) + extra;
          const [wasm, binary] = onBoth((backend) => {
            const part = (n: number, from: number): Tensor =>
              Nx.tensor(numbers(n, from, null), { type: "f64", backend });
            const whole = (n: number, from: number): Tensor =>
              type.startsWith("c")
                ? Nx.complex(part(n, from), part(n, from + 9)).asType(type)
                : part(n, from).asType(type);
            const x = whole(rows * run, seed).reshape(back ? [run, rows] : [rows, run]);
            const updates = whole(count * run, seed + 1).reshape([count, run]);
            const picked = numbers(count, seed + 2, Math.min(rows, places === "u8" ? 256 : Infinity));
            const indices = Nx.tensor(picked, { type: places, backend }).newAxis(1);
            return bytesOf(Nx.indexedAdd(x, indices, updates, back ? { axes: [1] } : {}));
          });
          expect(wasm.equals(binary)).toBe(true);
        }),
        { numRuns: tries(20) },
      );
    });
  },
);

it("an index out of bounds is found wherever it stands, and said as by the reference", () => {
  const wrongs = {
    s32: [10, -1, -(2 ** 31)],
    u32: [10, 2 ** 31, 2 ** 32 - 1],
    s64: [10, -1, 2 ** 31, 2 ** 32, -(2n ** 63n), 2n ** 63n - 1n],
    u64: [10, 2 ** 32, 2n ** 64n - 1n],
  };
  for (const type of ["s32", "u32", "s64", "u64"] as const) {
    for (const at of [0, 1, 2, 3, 4001, LARGE, LARGE + 1, LARGE + 2]) {
      for (const wrong of wrongs[type]) {
        const [wasm, binary] = onBoth((backend) => {
          const places = new Array<number | bigint>(LARGE + 3).fill(9);
          places[at] = wrong;
          const indices = Nx.tensor(places, { type, backend });
          const x = Nx.tensor(numbers(10, 1, null), { type: "f32", backend });
          const errors: string[] = [];
          for (const call of [
            () => Nx.take(x, indices),
            () =>
              Nx.indexedAdd(x, indices.newAxis(1), Nx.broadcast(Nx.tensor(1, { type: "f32", backend }), [LARGE + 3])),
          ]) {
            try {
              call();
            } catch (error) {
              errors.push((error as Error).message);
            }
          }
          return errors;
        });
        expect(wasm).toHaveLength(2);
        expect(wasm).toEqual(binary);
      }
    }
  }
});
