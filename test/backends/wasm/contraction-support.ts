/** What the tests of contractions share: random operands, and the bound that results are held to. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Attrs, PrimitiveFunction } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import type { ArrayData } from "../../../lib/backends/arrays/storage";
import type { DType } from "../../../lib/core/types";
import type { Tensor } from "../../../lib/tensor";
import { CONTRACTION } from "../../tolerances";
import * as s from "../binary/support";

export type Real = "f32" | "f64";
export const EPSILON: { readonly [T in Real]: number } = { f32: 2 ** -23, f64: 2 ** -52 };

/** Numbers from a seed: between -1 and 1, no two the same in practice. */
export function numbers(count: number, seed: number): Float64Array {
  let state = (seed * 2654435761 + 12345) >>> 0;
  const made = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    made[i] = state / 2 ** 31 - 1;
  }
  return made;
}

export function randomTensor(type: DType, shape: readonly number[], seed: number): Tensor {
  return s.fromNumbers(type, shape, numbers(s.sizeOf(shape), seed));
}

export const real = (): fc.Arbitrary<Real> => fc.constantFrom("f32", "f64");

/** Elements of a tensor as numbers. */
export function valuesOf(x: Tensor): Float64Array {
  const out = { type: "f64", shape: x.shape, names: s.unnamed(x.shape) } as const;
  if (x.type === "f64") return (x.data as ArrayData).elements as Float64Array;
  return (binaryBackend.asType(out, [x], { overflow: "wrap" }) as ArrayData).elements as Float64Array;
}

/** The data a primitive gives, as numbers. */
export function resultOf<P extends "dot" | "conv">(
  fn: PrimitiveFunction<P>,
  type: DType,
  shape: readonly number[],
  inputs: readonly Tensor[],
  attrs: Attrs[P],
): ArrayLike<number> {
  const data = fn({ type, shape, names: s.unnamed(shape) }, inputs, attrs) as ArrayData;
  return data.elements as ArrayLike<number>;
}

/** The same in f64 by the binary backend, and what it gives for magnitudes. */
export function referenceOf<P extends "dot" | "conv">(
  primitive: P,
  shape: readonly number[],
  inputs: readonly Tensor[],
  attrs: Attrs[P],
): { readonly values: ArrayLike<number>; readonly magnitudes: ArrayLike<number> } {
  const fn = binaryBackend[primitive] as PrimitiveFunction<P>;
  const doubles = inputs.map((x) => s.fromNumbers("f64", x.shape, valuesOf(x)));
  const absolute = inputs.map((x) => s.fromNumbers("f64", x.shape, valuesOf(x).map(Math.abs)));
  return {
    values: resultOf(fn, "f64", shape, doubles, attrs),
    magnitudes: resultOf(fn, "f64", shape, absolute, attrs),
  };
}

/** Every element within the bound of a sum of k products; what is not finite must be the same. */
export function expectWithin(
  actual: ArrayLike<number>,
  { values, magnitudes }: { readonly values: ArrayLike<number>; readonly magnitudes: ArrayLike<number> },
  k: number,
  epsilon: number,
): void {
  expect(actual.length).toBe(values.length);
  for (let i = 0; i < values.length; i++) {
    const [got, wanted] = [actual[i]!, values[i]!];
    const close = Math.abs(got - wanted) <= CONTRACTION * k * epsilon * magnitudes[i]!;
    if (!close && !Object.is(got, wanted)) expect.fail(`element ${i} is ${got}, expected ${wanted}`);
  }
}

/** Whether two arrays hold the same numbers: faster on large ones than to compare them as values. */
export function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

export interface Case {
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly out: readonly number[];
  readonly attrs: Attrs["dot"];
}

/** Axes by role, with their sizes, in any order in each operand. */
export function cases(): fc.Arbitrary<Case> {
  const sizes = (maxLength: number) => fc.array(fc.integer({ min: 1, max: 6 }), { maxLength });
  const order = (length: number) => fc.shuffledSubarray([...Array(length).keys()], { minLength: length });
  return fc.record({ batch: sizes(2), m: sizes(2), k: sizes(2), n: sizes(2) }).chain(({ batch, m, k, n }) => {
    const [x, y] = [
      [...batch, ...m, ...k],
      [...batch, ...k, ...n],
    ];
    return fc.tuple(order(x.length), order(y.length)).map(([p, q]) => {
      const axes = (of: readonly number[], from: number, count: number) =>
        Array.from({ length: count }, (_, i) => of.indexOf(from + i));
      const free = (of: readonly number[], taken: readonly number[]) => of.filter((_, axis) => !taken.includes(axis));
      const contract = [axes(p, batch.length + m.length, k.length), axes(q, batch.length, k.length)] as const;
      const shared = [axes(p, 0, batch.length), axes(q, 0, batch.length)] as const;
      const [left, right] = [p.map((i) => x[i]!), q.map((i) => y[i]!)];
      const out = [
        ...batch,
        ...free(left, [...contract[0], ...shared[0]]),
        ...free(right, [...contract[1], ...shared[1]]),
      ];
      return { left, right, out, attrs: { contract, batch: shared } };
    });
  });
}
