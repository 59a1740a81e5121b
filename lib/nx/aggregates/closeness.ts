/**
 * Comparing tensors up to rounding: allClose, isClose.
 */
import { ArgumentError, show } from "../../core/errors";
import { checkOptions, booleanOption } from "../../core/options";
import { commonType } from "../../core/promotion";
import { unchecked } from "../../core/promotion-scope";
import type { Merged } from "../../core/axis-types";
import type { Names } from "../../core/shape";
import type { Right } from "../../methods";
import type { Operand, Tensor } from "../../tensor";
import { cast, pair } from "../dispatch";
import { abs, add, equal, isNan, less, lessEqual, logicalAnd, logicalOr, multiply, subtract } from "../elementwise";
import { broadcastPair, mergedNames } from "../elementwise/core";
import { workingType } from "./core";
import { all } from "./reductions";

/** Options of `Nx.allClose` and `Nx.isClose`. */
export interface ClosenessOptions {
  /** Difference allowed in proportion to the second operand; 1e-5 when left out. */
  readonly rtol?: number;
  /** Difference allowed in any case; 1e-8 when left out. */
  readonly atol?: number;
  /** Whether a NaN is close to a NaN; it is not when left out. */
  readonly equalNan?: boolean;
}

/**
 * Tells whether two tensors are the same up to rounding: 1 where `|a - b| <= atol + rtol * |b|` for all elements, else 0.
 *
 * Equal infinities are close to each other and to nothing else. Integers are compared in double precision and half floats in
 * `f32`, so that differences neither wrap nor vanish.
 *
 * @param a - numbers of any type and shape
 * @param b - numbers that broadcast against `a`; the tolerance `rtol` is in proportion to these
 * @param options - `rtol` (1e-5) and `atol` (1e-8), numbers that are not negative; `equalNan` to have NaN close to NaN
 * @returns a `u8` scalar, 1 or 0
 * @throws ArgumentError for shapes that do not broadcast, names that differ and tolerances that are no such number
 * @example
 * ```ts
 * Nx.allClose(Nx.tensor([1e10, 1e-7]), Nx.tensor([1.00001e10, 1e-8]));
 * // => #Nx.Tensor<
 * //   u8
 * //   0
 * // >
 * Nx.allClose(Nx.tensor([1e-8, 1e-8]), Nx.tensor([1e-8, 1e-9]));
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([NaN, 1], { names: ["x"] });
 * Nx.allClose(t, t);
 * // => #Nx.Tensor<
 * //   u8
 * //   0
 * // >
 * Nx.allClose(t, t, { equalNan: true });
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * Nx.allClose(t, t, { rtol: -1 });
 * // throws ArgumentError: option rtol of Nx.allClose must be a number of at least 0, got: -1
 * ```
 */
export function allClose(a: Operand, b: Operand, options?: ClosenessOptions): Tensor<readonly []> {
  return all(closeness("Nx.allClose", a, b, options));
}

/**
 * Tells for each pair of elements whether they are the same up to rounding: 1 where `|a - b| <= atol + rtol * |b|`, else 0.
 *
 * Equal infinities are close to each other and to nothing else. Integers are compared in double precision and half floats in
 * `f32`, so that differences neither wrap nor vanish.
 *
 * @param a - numbers of any type and shape
 * @param b - numbers that broadcast against `a`; the tolerance `rtol` is in proportion to these
 * @param options - `rtol` (1e-5) and `atol` (1e-8), numbers that are not negative; `equalNan` to have NaN close to NaN
 * @returns a `u8` tensor of the shape both broadcast to, with the merged names
 * @throws ArgumentError for shapes that do not broadcast, names that differ and tolerances that are no such number
 * @example
 * ```ts
 * Nx.isClose(Nx.f32([1, 2, NaN], { names: ["x"] }), Nx.f32([1.000001, 2.1, NaN]));
 * // => #Nx.Tensor<
 * //   u8[x: 3]
 * //   [1, 0, 0]
 * // >
 * Nx.isClose(1, 1.1, { atol: 0.2 });
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * Nx.isClose(1, 1.1, { atol: -1 });
 * // throws ArgumentError: option atol of Nx.isClose must be a number of at least 0, got: -1
 * ```
 */
export function isClose<L extends Names = readonly [], R extends Names = readonly []>(
  a: Operand<L>,
  b: Right<L, R>,
  options?: ClosenessOptions,
): Tensor<Merged<L, R>> {
  return closeness("Nx.isClose", a, b, options) as Tensor as Tensor<Merged<L, R>>;
}

function closeness(fn: string, a: Operand, b: Operand, options: ClosenessOptions | undefined): Tensor {
  options = checkOptions(fn, options, ["rtol", "atol", "equalNan"]);
  const rtol = tolerance(fn, "rtol", options?.rtol, 1e-5);
  const atol = tolerance(fn, "atol", options?.atol, 1e-8);
  const equalNan = booleanOption(fn, "equalNan", options?.equalNan, false);
  const tensors = pair(a, b, fn);
  broadcastPair(fn, ...tensors);
  mergedNames(...tensors);
  const type = workingType(commonType(fn, tensors[0], tensors[1]));
  const x = cast(tensors[0], type);
  const y = cast(tensors[1], type);
  return unchecked(() => {
    const difference = abs(subtract(x, y));
    const within = lessEqual(difference, add(multiply(abs(y), rtol), atol));
    // The tolerance of an infinite b is infinite too, and nothing but itself is close to it.
    const close = logicalOr(equal(x, y), logicalAnd(within, less(difference, Infinity)));
    return equalNan ? logicalOr(close, logicalAnd(isNan(x), isNan(y))) : close;
  });
}

function tolerance(fn: string, key: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value >= 0) return value;
  throw new ArgumentError(`option ${key} of ${fn} must be a number of at least 0, got: ${show(value)}`);
}
