/** Folds of a few elements as kernels, beside the reductions that they stand for. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType } from "nx-numerics";
import { rawArray } from "../../lib/core/bytes";
import { bytesOf } from "../../lib/core/types";
import { interpret } from "../../lib/kernel/interpret/run";
import { readerOf } from "../../lib/kernel/operand";
import { REDUCTIONS } from "../../lib/kernel/recurrence";
import { foldKernel } from "../../lib/kernel/unrolled";
import { differenceOf } from "../fuzz/compare";

const NUMBERS = [0, -0, 1, -1, 0.1, 1e30, -1e30, NaN, Infinity, -Infinity, 3, 1e-40, 2 ** 24, 7, -5, 255];
const OPS = ["sum", "product", "reduceMax", "reduceMin", "any", "all"] as const;
const TYPES = ["f32", "f64", "s32", "u8", "f16", "s64"] as const;

describe("a fold of a few elements", () => {
  for (const op of OPS) {
    it.each(TYPES)(`is the reduction, bit for bit: ${op} of %s`, (type: DType) => {
      for (let count = 1; count <= 8; count++) {
        const rows = 64;
        // every element in every place, signs of zeros among them
        const all = Nx.asType(
          Nx.f64(
            Array.from({ length: rows * count }, (_, i) => NUMBERS[(i * (1 + (i % 5)) + count) % NUMBERS.length]!),
          ),
          type,
        );
        const zeros = Nx.asType(Nx.broadcast(Nx.f64(-0), [count]), type);
        const x = Nx.concatenate([all, zeros]).reshape([rows + 1, count]);
        const expected = Nx.withDefaultBackend("binary", () => Nx[op](Nx.backendCopy(x, "binary"), { axes: [1] }));
        const kernel = foldKernel(REDUCTIONS[op](type)!, count, expected.type)!;
        const elements = rawArray(type, x.toBinary());
        const width = (bytesOf(type) / elements.BYTES_PER_ELEMENT) as 1 | 2;
        const readers = Array.from({ length: count }, (_, k) =>
          readerOf({ elements, width, offset: k, strides: [count] }, [rows + 1]),
        );
        const bytes = new Uint8Array(expected.toBinary().length);
        interpret(kernel, readers, [rawArray(expected.type, bytes)], rows + 1);
        expect(differenceOf(Nx.fromBinary(bytes, expected.type), expected)).toBe(null);
      }
    });
  }

  it("has at most as many elements as there are accumulators", () => {
    expect(foldKernel(REDUCTIONS.sum("f32")!, 9, "f32")).toBe(null);
    expect(foldKernel(REDUCTIONS.reduceMax("f32")!, 9, "f32")).not.toBe(null);
  });
});
