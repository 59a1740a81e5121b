/**
 * Where windows and kernels lie: reading steps and padding, and how far dilated windows reach. Shared with convolution.
 */
import { ArgumentError, show } from "../../core/errors";
import { isListOf } from "../../core/lists";
import type { Shape } from "../../core/shape";

/** `"valid"` for none, `"same"`, or `[low, high]` for each axis. */
export type Padding = "valid" | "same" | readonly (readonly [low: number, high: number])[];

/** Elements from the first to the last of `size` that lie `dilation` apart. */
export const reach = (size: number, dilation: number): number => (size - 1) * dilation + 1;

/** A positive integer for each axis, from one for all or a list. */
export function readSteps(fn: string, option: string, value: unknown, rank: number): readonly number[] {
  if (value === undefined) return new Array<number>(rank).fill(1);
  const list: readonly unknown[] = Array.isArray(value) ? value : new Array<unknown>(rank).fill(value);
  const isStep = (step: unknown) => typeof step === "number" && Number.isSafeInteger(step) && step >= 1;
  if (list.length === rank && Array.from(list).every(isStep)) return Object.freeze(list.slice()) as readonly number[];
  throw new ArgumentError(
    `option ${option} of ${fn} must be a positive integer or a list of ${rank}, one for each axis, got: ${show(value)}`,
  );
}

const MOST = 2 ** 31;

/** Padding of each axis; that of `"same"` depends on the extent of the dilated window only. */
export function readPadding(
  fn: string,
  value: unknown,
  window: Shape,
  dilations: readonly number[],
): readonly (readonly [low: number, high: number])[] {
  if (value === undefined || value === "valid") return window.map(() => [0, 0] as const);
  if (value === "same") {
    return window.map((size, axis) => {
      const extent = reach(size, dilations[axis]!) - 1;
      return [Math.floor(extent / 2), Math.ceil(extent / 2)] as const;
    });
  }
  const isPair = (pair: unknown) =>
    Array.isArray(pair) &&
    pair.length === 2 &&
    pair.every((size) => Number.isInteger(size) && Math.abs(size as number) < MOST);
  if (isListOf(value, isPair) && value.length === window.length) {
    return (value as [number, number][]).map(([low, high]) => [low, high] as const);
  }
  throw new ArgumentError(
    `option padding of ${fn} must be "valid", "same" or a list of ${window.length} pairs [low, high], one for each axis, got: ` +
      show(value),
  );
}
