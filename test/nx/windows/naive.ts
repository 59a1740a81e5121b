/** What the tests of windows share: windows of all kinds, and where the elements of each lie, by the definition. */

import fc from "fast-check";
import * as Nx from "nx-numerics";
import { isComplex, isInteger, positions, sequence, sizeOf, type Element } from "../ndim/numbers";

/** One axis with everything spelled out. */
export interface Axis {
  readonly size: number;
  readonly window: number;
  readonly stride: number;
  readonly dilation: number;
  readonly pad: readonly [low: number, high: number];
}

export const NAMES = ["x", null, "z"];

const small = (least: number, most: number) => fc.integer({ min: least, max: most });

export const extentOf = ({ window, dilation }: Axis): number => (window - 1) * dilation + 1;

/** The axis with so much padding behind it that at least one window fits. */
export function fitting(axis: Axis): Axis {
  const [low, high] = axis.pad;
  return { ...axis, pad: [low, Math.max(high, extentOf(axis) - axis.size - low)] };
}

const anyAxis: fc.Arbitrary<Axis> = fc
  .record({
    size: small(1, 6),
    window: small(1, 4),
    stride: small(1, 3),
    dilation: small(1, 3),
    pad: fc.tuple(small(-3, 4), small(-3, 4)),
  })
  .map(fitting);

/** Windows of ranks 0 to 3. */
export const anyAxes: fc.Arbitrary<readonly Axis[]> = fc.array(anyAxis, { maxLength: 3 });

const longAxis: fc.Arbitrary<Axis> = fc
  .record({
    size: small(30, 80),
    window: small(6, 15),
    stride: fc.constantFrom(1, 1, 2, 3),
    dilation: fc.constantFrom(1, 1, 2, 3),
    pad: fc.tuple(small(-5, 12), small(-5, 12)),
  })
  .map(fitting);

const besides: fc.Arbitrary<readonly Axis[]> = fc
  .array(small(1, 3), { maxLength: 1 })
  .map((sizes) => sizes.map((size) => ({ size, window: 1, stride: 1, dilation: 1, pad: [0, 0] as const })));

/** Large windows along one axis, with axes in front and behind or without. */
export const longAxes: fc.Arbitrary<readonly Axis[]> = fc
  .tuple(besides, longAxis, besides)
  .map(([front, axis, behind]) => [...front, axis, ...behind]);

export const shapeOf = (axes: readonly Axis[]): number[] => axes.map(({ size }) => size);
export const windowOf = (axes: readonly Axis[]): number[] => axes.map(({ window }) => window);

export function resultsOf(axes: readonly Axis[]): number[] {
  return axes.map((axis) => {
    const room = axis.size + axis.pad[0] + axis.pad[1] - extentOf(axis);
    return Math.floor(room / axis.stride) + 1;
  });
}

export function optionsOf(axes: readonly Axis[]): Nx.WindowOptions {
  return {
    padding: axes.map(({ pad }) => pad),
    strides: axes.map(({ stride }) => stride),
    windowDilations: axes.map(({ dilation }) => dilation),
  };
}

/** For each window, in order, the flat positions of its elements, in order; null where one lies in the padding. */
export function windowsOf(axes: readonly Axis[]): (number | null)[][] {
  const cells = positions(windowOf(axes));
  return positions(resultsOf(axes)).map((result) =>
    cells.map((cell) =>
      axes.reduce<number | null>((flat, { size, stride, dilation, pad }, i) => {
        const place = result[i]! * stride + cell[i]! * dilation - pad[0];
        return flat === null || place < 0 || place >= size ? null : flat * size + place;
      }, 0),
    ),
  );
}

const FACTORS = [1, -1, 2, -2, 0.5, -0.5, 3];
const SPECIAL = [0, NaN, Infinity, -Infinity];

/** Numbers of few bits, whose products doubles hold exactly; one in `rare` is special. Integers are over the whole range. */
export function factors(type: Nx.DType, count: number, seed: number, rare: number): Element[] {
  const next = sequence(seed);
  const pick = (list: readonly number[]) => list[Math.floor(next() * list.length)]!;
  return Array.from({ length: count }, () => {
    const chance = next();
    if (isComplex(type)) return new Nx.Complex(pick([1, 2, -1, 0]), pick([1, -1, 0]));
    if (chance * rare < 1) return isInteger(type) ? 0 : pick(SPECIAL);
    return pick(isInteger(type) ? [1, 3, 7, 5, 201].map((x) => x % 128) : FACTORS);
  });
}

export { sizeOf };
