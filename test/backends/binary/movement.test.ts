/** Moving primitives against references that look up one element at a time. Bits are compared, not values. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elementsOf } from "../../../lib/backends/arrays/storage";
import type { Tensor } from "../../../lib/tensor";
import * as s from "./support";

/** Checks every element of a result against the source position it should come from. */
function comesFrom(x: Tensor, result: Tensor, source: (position: number[]) => number[]): void {
  const from = s.bitsOf(x);
  const expected = s.positions(result.shape).map((position) => from[s.flatten(x.shape, source(position))]);
  expect(s.bitsOf(result)).toEqual(expected);
}

describe("reshape", () => {
  it("shares the array", () => {
    fc.assert(
      fc.property(s.tensors(), (x) => {
        const result = s.run("reshape", x.type, [s.sizeOf(x.shape)], [x], {});
        expect(elementsOf(result)).toBe(elementsOf(x));
        expect(result.data).not.toBe(x.data);
      }),
    );
  });
});

describe("broadcast", () => {
  const cases = s
    .tensors()
    .chain((x) =>
      fc.tuple(
        fc.constant(x),
        fc.array(fc.tuple(fc.nat(x.shape.length), fc.integer({ min: 1, max: 60 })), { maxLength: 2 }),
        fc.integer({ min: 1, max: 60 }),
      ),
    );

  it("repeats axes of size 1 and new axes", () => {
    fc.assert(
      fc.property(cases, ([x, added, grown]) => {
        const shape = x.shape.map((dim) => (dim === 1 ? grown : dim));
        const axes = shape.map((_, axis) => axis);
        for (const [at, size] of added) {
          shape.splice(at, 0, size);
          axes.forEach((axis, i) => (axes[i] = axis >= at ? axis + 1 : axis));
        }
        fc.pre(s.sizeOf(shape) < 30_000);
        const result = s.run("broadcast", x.type, shape, [x], { axes });
        comesFrom(x, result, (position) => axes.map((axis, i) => (x.shape[i] === 1 ? 0 : position[axis]!)));
      }),
    );
  });
});

describe("transpose", () => {
  it("permutes axes", () => {
    const cases = s.tensors().chain((x) => {
      const axes = x.shape.map((_, axis) => axis);
      return fc.tuple(fc.constant(x), fc.shuffledSubarray(axes, { minLength: axes.length }));
    });
    fc.assert(
      fc.property(cases, ([x, axes]) => {
        const shape = axes.map((axis) => x.shape[axis]!);
        const result = s.run("transpose", x.type, shape, [x], { axes });
        comesFrom(x, result, (position) => x.shape.map((_, axis) => position[axes.indexOf(axis)]!));
      }),
    );
  });

  it.each(["u8", "f16", "f32", "s64", "c128"] as const)("crosses tile borders (%s)", (type) => {
    const [x] = fc.sample(s.randomBits([67, 2, 45], type), 1);
    const result = s.run("transpose", type, [45, 2, 67], [x!], { axes: [2, 1, 0] });
    comesFrom(x!, result, ([a, b, c]) => [c!, b!, a!]);
    const swapped = s.run("transpose", type, [2, 67, 45], [x!], { axes: [1, 0, 2] });
    comesFrom(x!, swapped, ([a, b, c]) => [b!, a!, c!]);
  });
});

describe("reverse", () => {
  it("turns axes around", () => {
    const cases = s.tensors().chain((x) => fc.tuple(fc.constant(x), fc.subarray(x.shape.map((_, axis) => axis))));
    fc.assert(
      fc.property(cases, ([x, axes]) => {
        const result = s.run("reverse", x.type, x.shape, [x], { axes });
        comesFrom(x, result, (p) => p.map((at, axis) => (axes.includes(axis) ? x.shape[axis]! - 1 - at : at)));
      }),
    );
  });
});

describe("pad", () => {
  const config = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 }), fc.nat(2));
  const cases = s
    .tensors()
    .chain((x) => fc.tuple(fc.constant(x), s.randomBits([], x.type), fc.tuple(...x.shape.map(() => config))));

  it("spreads, surrounds and crops", () => {
    fc.assert(
      fc.property(cases, ([x, value, axes]) => {
        const shape = axes.map(([low, high, interior], i) => low + high + x.shape[i]! + (x.shape[i]! - 1) * interior);
        fc.pre(shape.every((dim) => dim > 0) && s.sizeOf(shape) < 20_000);
        const result = s.run("pad", x.type, shape, [x, value], { config: axes });
        const [from, [fill]] = [s.bitsOf(x), s.bitsOf(value)];
        const expected = s.positions(shape).map((position) => {
          const source = position.map((at, axis) => (at - axes[axis]![0]) / (axes[axis]![2] + 1));
          const inside = source.every((at, axis) => Number.isInteger(at) && at >= 0 && at < x.shape[axis]!);
          return inside ? from[s.flatten(x.shape, source)] : fill;
        });
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });

  it("keeps nothing where cropping is deeper than the tensor", () => {
    const x = s.fromNumbers("s32", [2], [1, 2]);
    const result = s.run("pad", "s32", [3], [x, s.fromNumbers("s32", [], [7])], { config: [[-3, 4, 0]] });
    expect(s.valuesOf(result)).toEqual([7, 7, 7]);
  });

  it("converts both operands to the type of the result", () => {
    const inputs = [s.fromNumbers("u8", [2], [1, 200]), s.fromNumbers("s64", [], [-3n])];
    expect(s.valuesOf(s.run("pad", "f32", [4], inputs, { config: [[1, 1, 0]] }))).toEqual([-3, 1, 200, -3]);
  });
});

describe("concatenate", () => {
  const cases = fc
    .tuple(s.shapes(1), s.types, fc.nat(3), fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }))
    .chain(([shape, type, at, sizes]) => {
      const axis = at % shape.length;
      const parts = sizes.map((size) => s.randomBits(shape.with(axis, size), type));
      return fc.tuple(fc.constant(axis), fc.tuple(...parts));
    });

  it("joins along an axis", () => {
    fc.assert(
      fc.property(cases, ([axis, parts]) => {
        const total = parts.reduce((sum, part) => sum + part.shape[axis]!, 0);
        const shape = parts[0]!.shape.with(axis, total);
        const result = s.run("concatenate", parts[0]!.type, shape, parts, { axis });
        const bits = parts.map(s.bitsOf);
        const expected = s.positions(shape).map((position) => {
          let [which, at] = [0, position[axis]!];
          while (at >= parts[which]!.shape[axis]!) at -= parts[which++]!.shape[axis]!;
          return bits[which]![s.flatten(parts[which]!.shape, position.with(axis, at))];
        });
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });

  it("converts parts of other types", () => {
    const parts = [s.fromNumbers("u8", [2], [255, 1]), s.fromNumbers("f16", [1], [-0.5])];
    expect(s.valuesOf(s.run("concatenate", "f16", [3], parts, { axis: 0 }))).toEqual([255, 1, -0.5]);
    const complex = s.run("concatenate", "c64", [3], parts, { axis: 0 });
    expect(s.valuesOf(complex)).toEqual([
      [255, 0],
      [1, 0],
      [-0.5, 0],
    ]);
  });
});

it("a released tensor is refused", () => {
  const x = s.fromNumbers("f32", [2], [1, 2]);
  x.backend.deallocate(x);
  expect(() => s.run("reverse", "f32", [2], [x], { axes: [0] })).toThrow(/deallocated/);
});
