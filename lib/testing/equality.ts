/** Equality of tensors for `toEqual` of vitest and jest, a matcher of their own, and how tensors stand in diffs and snapshots. */
import { ArgumentError, inspect, Tensor } from "nx-numerics";
import { differenceOf, note, printed, printTensors } from "./differences";

/** The copy of the library that a tensor is of; null for what is no tensor of any copy. */
function copyOf(value: unknown): object | null {
  if (typeof value !== "object" || value === null) return null;
  const brand = (value as { readonly [key: symbol]: unknown })[Symbol.for("nx-numerics")];
  const { what, copy } = (brand ?? {}) as { readonly what?: string; readonly copy?: object };
  return what === "a tensor" && copy !== undefined ? copy : null;
}

/** Refuses a tensor of another copy of the library, which no tensor of this copy could equal. */
function refuseOther(value: unknown, fn: string): void {
  if (value instanceof Tensor || copyOf(value) === null) return;
  try {
    inspect(value as Tensor);
  } catch (error) {
    const { message } = error as Error;
    throw new ArgumentError(`${fn} compares tensors of one copy of the library. ${message}`);
  }
}

/**
 * A tester of equality for `expect.addEqualityTesters`: tensors are equal where type, shape, axis names and all elements are, on
 * whatever backend each is; NaN equals NaN, and 0 and -0 differ, as `toEqual` has it for numbers. Templates equal templates of the same type, shape and names. For other values
 * it says nothing.
 *
 * @param a - a value
 * @param b - another
 * @returns whether two tensors are equal; false for a tensor and something else; undefined where neither is a tensor
 * @throws ArgumentError for tensors of two copies of the library, which nothing can compare
 * @throws BackendError for a tensor that was deallocated, or whose backend is read asynchronously: compare `await Nx.read(tensor)`
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
  if (copyOf(a) !== null && copyOf(b) !== null && copyOf(a) !== copyOf(b)) {
    for (const value of [a, b]) refuseOther(value, "toEqual");
  }
  if (!(a instanceof Tensor) || !(b instanceof Tensor)) {
    return a instanceof Tensor || b instanceof Tensor ? false : undefined;
  }
  const difference = a === b ? null : differenceOf(a, b);
  note([a, b], difference);
  return difference === null;
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

/** What a matcher says to the test runner. */
export interface TensorMatch {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What {@link tensorMatchers} add to `expect(tensor)`, for the interfaces by which vitest and jest know matchers. */
export interface TensorMatchers<R = void> {
  /** The tensor has the type, shape, names and elements of another one, on whatever backends both are. */
  toEqualTensor(expected: Tensor): R;
}

/**
 * Matchers for `expect.extend`. `toEqualTensor` compares as {@link tensorEquality} does, and its message names the first element that
 * differs, both values and their distance in units in the last place.
 *
 * @example
 * ```ts
 * import { tensorMatchers } from "nx-numerics/testing";
 * const t = Nx.f32([1, 2], { names: ["x"] });
 * tensorMatchers.toEqualTensor(t, Nx.add(t, 0)).pass;
 * // => true
 * tensorMatchers.toEqualTensor(t, Nx.f32([1, 2.0000002], { names: ["x"] })).message().split("\n")[0];
 * // => "element [x: 1] is 2.0, expected 2.0000002 (1 ulp apart); 1 of 2 elements differ"
 * ```
 * @example
 * ```ts
 * import { tensorMatchers } from "nx-numerics/testing";
 * tensorMatchers.toEqualTensor(Nx.f32([1]), [1] as never);
 * // throws ArgumentError: toEqualTensor expects a tensor to compare with, got an array; write Nx.tensor(...) or toEqual
 * ```
 */
export const tensorMatchers = {
  toEqualTensor(received: unknown, expected: Tensor): TensorMatch {
    for (const value of [received, expected]) refuseOther(value, "toEqualTensor");
    if (!(expected instanceof Tensor)) {
      const kind = Array.isArray(expected)
        ? "an array"
        : expected === null
          ? "null"
          : `a value of type ${typeof expected}`;
      throw new ArgumentError(
        `toEqualTensor expects a tensor to compare with, got ${kind}; write Nx.tensor(...) or toEqual`,
      );
    }
    if (!(received instanceof Tensor)) {
      const message = () => `what was received is no tensor, expected\n${String(expected)}`;
      return { pass: false, message };
    }
    const difference = differenceOf(received, expected);
    if (difference === null) return { pass: true, message: () => `expected another tensor than\n${String(expected)}` };
    const texts = () => `Expected: ${printed(expected, difference)}\nReceived: ${printed(received, difference)}`;
    return { pass: false, message: () => `${difference.text}\n\n${texts()}` };
  },
};

/** The part of `expect` that {@link extendExpect} needs; vitest and jest have it. */
export interface ExtensibleExpect {
  addEqualityTesters(testers: (typeof tensorEquality)[]): void;
  addSnapshotSerializer(serializer: typeof tensorSerializer): void;
  extend(matchers: typeof tensorMatchers): void;
}

/**
 * Makes `expect` of vitest or jest know tensors, in a setup file: {@link tensorEquality} for `toEqual` and all matchers that compare,
 * {@link tensorMatchers}, {@link tensorSerializer} for snapshots, and diffs that show tensors as they are printed, large ones around the
 * first element that differs.
 *
 * @param expect - that of the test runner
 * @example
 * ```ts
 * // doctest: skip because it is a setup file of a project of its own
 * import { expect } from "vitest";
 * import { extendExpect } from "nx-numerics/testing";
 * extendExpect(expect);
 * ```
 */
export function extendExpect(expect: ExtensibleExpect): void {
  expect.addEqualityTesters([tensorEquality]);
  expect.addSnapshotSerializer(tensorSerializer);
  expect.extend(tensorMatchers);
  printTensors();
}
