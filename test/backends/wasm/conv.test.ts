/** Convolutions in WebAssembly against the binary backend: within the bound where sums round, else the same bits. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attrs } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { convolutionFrom, wasmConv } from "../../../lib/backends/wasm/contractions/conv";
import type { DType } from "../../../lib/core/types";
import * as s from "../binary/support";
import { EPSILON, expectWithin, numbers, randomTensor, real, referenceOf, resultOf } from "./contraction-support";
import { tries } from "../../effort";

/** All sizes in WebAssembly. */
const conv = convolutionFrom(0, 2 ** 28);

interface Case {
  readonly input: readonly number[];
  readonly kernel: readonly number[];
  readonly out: readonly number[];
  readonly attrs: Attrs["conv"];
}

interface Axis {
  readonly size: number;
  readonly taps: number;
  readonly stride: number;
  readonly padding: readonly [number, number];
  readonly spread: number;
  readonly dilation: number;
}

const resultsOf = ({ size, taps, stride, padding, spread, dilation }: Axis): number =>
  Math.floor(((size - 1) * spread + 1 + padding[0] + padding[1] - ((taps - 1) * dilation + 1)) / stride) + 1;

function caseOf(
  axes: readonly Axis[],
  batch: number,
  channels: number,
  each: number,
  groups: readonly [number, number],
): Case {
  const [featureGroups, batchGroups] = groups;
  const filters = each * featureGroups * batchGroups;
  return {
    input: [batch * batchGroups, channels * featureGroups, ...axes.map(({ size }) => size)],
    kernel: [filters, channels, ...axes.map(({ taps }) => taps)],
    out: [batch, filters, ...axes.map(resultsOf)],
    attrs: {
      strides: axes.map(({ stride }) => stride),
      padding: axes.map(({ padding }) => padding),
      inputDilation: axes.map(({ spread }) => spread),
      kernelDilation: axes.map(({ dilation }) => dilation),
      featureGroups,
      batchGroups,
    },
  };
}

function cases(): fc.Arbitrary<Case> {
  const small = (max: number, min = 1) => fc.integer({ min, max });
  const axis = (longest: number): fc.Arbitrary<Axis> =>
    fc
      .record({
        size: small(longest),
        taps: small(4),
        stride: small(3),
        padding: fc.tuple(small(3, -2), small(3, -2)),
        spread: small(3),
        dilation: small(3),
      })
      .filter((x) => resultsOf(x) > 0);
  const axes = fc
    .integer({ min: 1, max: 3 })
    .chain((rank) => fc.array(axis(rank === 3 ? 8 : 20), { minLength: rank, maxLength: rank }));
  const groups = fc.oneof(
    fc.constant([1, 1] as const),
    small(3).map((n) => [n, 1] as const),
    small(3).map((n) => [1, n] as const),
  );
  return fc.tuple(axes, small(3), small(3), small(5), groups).map((all) => caseOf(...all));
}

const plain = (input: readonly number[], kernel: readonly number[], padding: number, stride = 1): Case => {
  const axes = input.slice(2).map((size, i) => {
    const both = [padding, padding] as const;
    return { size, taps: kernel[i + 2]!, stride, padding: both, spread: 1, dilation: 1 };
  });
  return caseOf(axes, input[0]!, input[1]!, kernel[0]!, [1, 1]);
};

function check(type: "f32" | "f64", { input, kernel, out, attrs }: Case, fn = conv): void {
  const inputs = [randomTensor(type, input, 1), randomTensor(type, kernel, 2)];
  const k = s.sizeOf(kernel.slice(1));
  const actual = resultOf(fn, type, out, inputs, attrs);
  expectWithin(actual, referenceOf("conv", out, inputs, attrs), k, EPSILON[type]);
}

/** A convolution by its definition, each sum in f32 in the order that the backend promises. */
function inStretches(x: Float32Array, w: Float32Array, { input, kernel, out, attrs }: Case): Float32Array {
  const { strides, padding, inputDilation, kernelDilation, featureGroups, batchGroups } = attrs;
  const each = kernel[0]! / (featureGroups * batchGroups);
  const taps = s.positions(kernel.slice(1));
  const result = s.positions(out).map(([image, filter, ...at]) => {
    const group = Math.floor(filter! / each);
    const row = batchGroups > 1 ? group * out[0]! + image! : image!;
    const element = ([channel, ...tap]: readonly number[]): number => {
      const places = tap.map((t, i) => t * kernelDilation[i]! + at[i]! * strides[i]! - padding[i]![0]);
      const isThere = places.every(
        (p, i) => p >= 0 && p % inputDilation[i]! === 0 && p / inputDilation[i]! < input[i + 2]!,
      );
      const first = featureGroups > 1 ? group * kernel[1]! : 0;
      const position = [row, first + channel!, ...places.map((p, i) => p / inputDilation[i]!)];
      return isThere ? x[s.flatten(input, position)]! : 0;
    };
    let [whole, sum] = [0, 0];
    taps.forEach((tap, i) => {
      sum = Math.fround(sum + Math.fround(w[filter! * taps.length + i]! * element(tap)));
      if ((i + 1) % 256 !== 0 && i + 1 < taps.length) return;
      whole = i < 256 ? sum : Math.fround(whole + sum);
      sum = 0;
    });
    return whole;
  });
  return Float32Array.from(result);
}

describe("conv", () => {
  it("with any strides, paddings, dilations and groups in one to three dimensions", () => {
    fc.assert(
      fc.property(real(), cases(), (type, one) => check(type, one)),
      { numRuns: tries(300) },
    );
  });

  it("of sizes at which blocks of positions and stretches of the kernel end", () => {
    for (const type of ["f32", "f64"] as const) {
      check(type, plain([2, 16, 40, 41], [5, 16, 3, 3], 1), wasmConv);
      check(type, plain([1, 40, 9, 9], [9, 40, 3, 3], 0), wasmConv);
      check(type, plain([1, 1, 5000], [3, 1, 4], 0), wasmConv);
      check(type, plain([3, 3, 33, 35], [7, 3, 7, 7], 3, 2), wasmConv);
      check(type, plain([1, 600, 3, 3], [4, 600, 3, 3], 1), wasmConv);
    }
  });

  it("sums in f32 from the first place of the kernel on, in stretches of 256, whichever way it goes", () => {
    const values = (shape: readonly number[], seed: number) => randomTensor("f32", shape, seed);
    const bitsAreThose = ({ input, kernel, out, attrs }: Case): void => {
      const inputs = [values(input, 1), values(kernel, 2)] as const;
      const [x, w] = inputs.map((each) => (each.data as { elements: Float32Array }).elements) as [
        Float32Array,
        Float32Array,
      ];
      expect(resultOf(conv, "f32", out, [...inputs], attrs)).toEqual(inStretches(x, w, { input, kernel, out, attrs }));
    };
    for (const filters of [1, 2, 3, 4, 7, 40]) {
      bitsAreThose(plain([2, 3, 5, 45], [filters, 3, 3, 3], 1));
      bitsAreThose(plain([1, 4, 12, 9], [filters, 4, 1, 1], 0));
    }
    bitsAreThose(plain([1, 70, 3, 34], [5, 70, 3, 3], 1));
    fc.assert(fc.property(cases(), bitsAreThose), { numRuns: tries(100) });
  });

  it("works on some images at a time where little may be staged, to the same bits", () => {
    const { input, kernel, out, attrs } = plain([5, 3, 20, 20], [4, 3, 3, 3], 1);
    const inputs = [randomTensor("f32", input, 1), randomTensor("f32", kernel, 2)];
    const whole = resultOf(conv, "f32", out, inputs, attrs);
    for (const most of [2 ** 17, 2 ** 18]) {
      expect(resultOf(convolutionFrom(0, most), "f32", out, inputs, attrs)).toEqual(whole);
    }
    const nothing = resultOf(convolutionFrom(0, 1000), "f32", out, inputs, attrs);
    expect(nothing).toEqual(resultOf(binaryBackend.conv, "f32", out, inputs, attrs));
  });

  it("takes no room for packed positions where a line is read where it lies", () => {
    const { input, kernel, out, attrs } = plain([1, 1, 3000], [1, 1, 700], 0);
    const inputs = [randomTensor("f32", input, 1), randomTensor("f32", kernel, 2)];
    const whole = resultOf(conv, "f32", out, inputs, attrs);
    expect(resultOf(convolutionFrom(0, 2 ** 16), "f32", out, inputs, attrs)).toEqual(whole);
    expect(whole).not.toEqual(resultOf(binaryBackend.conv, "f32", out, inputs, attrs)); // which sums in f64
  });

  it("sums half floats in f32 and rounds once", () => {
    const { input, kernel, out, attrs } = plain([2, 3, 12, 12], [4, 3, 3, 3], 1);
    for (const type of ["f16", "bf16"] as const) {
      const inputs = [randomTensor(type, input, 1), randomTensor(type, kernel, 2)];
      const rounded = s.fromNumbers(type, out, resultOf(conv, "f32", out, inputs, attrs));
      expect(resultOf(conv, type, out, inputs, attrs)).toEqual((rounded.data as { elements: unknown }).elements);
    }
  });

  it("gives what the binary backend gives for all other types", () => {
    const { input, kernel, out, attrs } = plain([2, 3, 12, 12], [4, 3, 3, 3], 1);
    for (const type of ["s32", "u8", "s64", "c64"] satisfies DType[]) {
      const values = (shape: readonly number[], seed: number) =>
        s.fromNumbers(
          type,
          shape,
          numbers(s.sizeOf(shape), seed).map((x) => Math.trunc(100 * x)),
        );
      const inputs = [values(input, 1), values(kernel, 2)];
      const given = resultOf(conv, type, out, inputs, attrs);
      expect(given).toEqual(resultOf(binaryBackend.conv, type, out, inputs, attrs));
    }
  });

  it("keeps NaN and infinities to the positions that meet them", () => {
    const { input, kernel, out, attrs } = plain([2, 2, 9, 9], [3, 2, 3, 3], 1);
    for (const type of ["f32", "f64"] as const) {
      const values = numbers(s.sizeOf(input), 3);
      values[30] = NaN;
      values[200] = Infinity;
      const weights = numbers(s.sizeOf(kernel), 4);
      weights[4] = 0;
      const inputs = [s.fromNumbers(type, input, values), s.fromNumbers(type, kernel, weights)];
      const actual = resultOf(conv, type, out, inputs, attrs);
      expectWithin(actual, referenceOf("conv", out, inputs, attrs), 18, EPSILON[type]);
      expect(Array.from(actual).filter(Number.isNaN).length).toBeLessThan(9 * 3 + 9 * 3 + 1);
    }
  });
});
