/** Equality of tensors for `toEqual` of vitest and jest, and how tensors stand in snapshots. */
import { Tensor } from "nx-numerics";
import { downloaded } from "./subject";
import { decode, isSame } from "./values";

/**
 * A tester of equality for `expect.addEqualityTesters`: tensors are equal where type, shape, axis names and all elements are, on
 * whatever backend each is; NaN equals NaN, and 0 and -0 differ, as `toEqual` has it for numbers. For other values it says nothing.
 *
 * @param a - a value
 * @param b - another
 * @returns whether two tensors are equal; false for a tensor and something else; undefined where neither is a tensor
 * @example
 * ```ts
 * import { tensorEquality } from "nx-numerics/testing";
 * tensorEquality(Nx.f32([1, NaN], { backend: "binary" }), Nx.f32([1, NaN], { backend: "wasm" }));
 * // => true
 * tensorEquality(Nx.f32([0], { names: ["x"] }), Nx.f32([-0], { names: ["x"] }));
 * // => false
 * tensorEquality(1, 1);
 * // => undefined
 * ```
 */
export function tensorEquality(a: unknown, b: unknown): boolean | undefined {
  if (!(a instanceof Tensor) || !(b instanceof Tensor)) {
    return a instanceof Tensor || b instanceof Tensor ? false : undefined;
  }
  const same = (x: readonly unknown[], y: readonly unknown[]): boolean =>
    x.length === y.length && x.every((value, i) => value === y[i]);
  if (a.type !== b.type || !same(a.shape, b.shape) || !same(a.names, b.names)) return false;
  const [x, y] = [a, b].map((tensor) => decode(tensor.type, downloaded(tensor)));
  return x!.every((value, i) => isSame(value, y![i]!));
}

/**
 * A snapshot serializer for `expect.addSnapshotSerializer`: tensors stand in snapshots as they are printed.
 *
 * @example
 * ```ts
 * import { tensorSerializer } from "nx-numerics/testing";
 * tensorSerializer.test(Nx.tensor(1));
 * // => true
 * ```
 */
export const tensorSerializer = {
  test: (value: unknown): boolean => value instanceof Tensor,
  serialize: (value: unknown): string => String(value as Tensor),
};
