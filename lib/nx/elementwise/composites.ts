/**
 * Functions of two and three tensors made of others: signs, and ways from one number to another.
 */
import type { Merge } from "../../core/axis-types";
import type { Names } from "../../core/shape";
import { commonType } from "../../core/promotion";
import { unchecked } from "../../core/promotion-scope";
import { isInteger, mergeTypes, toFloating } from "../../core/types";
import type { Right } from "../../methods";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { asTensorLike, asTensors, cast, isWeak, pair } from "../dispatch";
import { add, multiply, subtract } from "./arithmetic";
import { equal, less } from "./comparison";
import { binaryOf, broadcastPair, inFloats, mergedNames, type BinaryFunction } from "./core";
import { divide } from "./division";
import { where } from "./selection";
import { abs, negate } from "./sign";

/**
 * Gives the magnitude of the left tensor the sign of the right one.
 *
 * -0 is negative. NaN has no sign that can be relied on, and counts as positive.
 *
 * @param left - a real tensor or number
 * @param right - what has the signs; shapes broadcast, plain numbers are weak
 * @returns a tensor of the merged type with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.copysign(Nx.f32([1, -2, 3, -4], { names: ["x"] }), Nx.f32([-1, 1, -0, 0]));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-1.0, 2.0, -3.0, 4.0]
 * // >
 * Nx.copysign(Nx.u8([1, 2]), -1);
 * // => #Nx.Tensor<
 * //   s16[2]
 * //   [-1, -2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.copysign(new Nx.Complex(1, 2), -1);
 * // throws ArgumentError: Nx.copysign is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const copysign: BinaryFunction = binaryOf("copysign", (x, y) => {
  const type = refuseComplex("copysign", mergeTypes(x.type, y.type));
  const size = abs(cast(x, type));
  return where(isNegative(y), negate(size), size);
});

/** Of zeros 1 / -0 tells, which is -Infinity. */
function isNegative(y: Tensor): Tensor {
  return less(isInteger(y.type) ? y : where(equal(y, 0), divide(1, y), y), 0);
}

/**
 * Goes from `start` in the direction of `end` by a share of the way: `start + (end - start) * weight`.
 *
 * A weight of 0 gives `start` and one of 1 gives `end`, exactly, where both are finite; others may lie outside of 0 to 1.
 *
 * @param start - a real tensor or number
 * @param end - a real tensor or number; shapes broadcast, plain numbers are weak
 * @param weight - the share, a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a float tensor of the merged type, `f32` for integers, with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * const start = Nx.f32([1, 2, 3], { names: ["x"] });
 * Nx.lerp(start, Nx.f32([4, 5, 6]), 0.5);
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [2.5, 3.5, 4.5]
 * // >
 * Nx.lerp(start, 10, Nx.f32([[0], [1], [1.5]], { names: ["step", null] }));
 * // => #Nx.Tensor<
 * //   f32[step: 3][x: 3]
 * //   [
 * //     [1.0, 2.0, 3.0],
 * //     [10.0, 10.0, 10.0],
 * //     [14.5, 14.0, 13.5]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.lerp(Nx.u8([200]), Nx.u8([100]), 0.25);
 * // => #Nx.Tensor<
 * //   f32[1]
 * //   [175.0]
 * // >
 * Nx.lerp(Nx.f32([1, 2, 3], { names: ["x"] }), Nx.f32([1, 2]), 0.5);
 * // throws ArgumentError: Nx.lerp cannot broadcast tensors of shapes [x: 3] and [2]: axis "x" of size 3 meets axis 0 of size 2; axes align from
 * ```
 */
export function lerp<S extends Names = readonly [], E extends Names = readonly [], W extends Names = readonly []>(
  start: Operand<S>,
  end: Right<S, E>,
  weight: Right<Merge<S, E>, W>,
): Tensor<Merge<Merge<S, E>, W>>;
export function lerp(start: Operand, end: Operand, weight: Operand): Tensor {
  const between =
    isWeak(start) && isWeak(end) ? asTensors([start, end, weight], "Nx.lerp") : pair(start, end, "Nx.lerp");
  const [from, to] = between as [Tensor, Tensor];
  const shape = broadcastPair("Nx.lerp", from, to);
  const names = mergedNames(from, to);
  const share = asTensorLike(weight, { type: toFloating(commonType("Nx.lerp", from, to)) }, "Nx.lerp");
  broadcastPair("Nx.lerp", { shape, names }, share);
  const go = () => inFloats("lerp", [from, to, share], along);
  return isWeak(weight) ? unchecked(go) : go(); // the number is to fit the floats that it is used with
}

/** From the nearer end, so that both are met exactly. */
function along(from: Tensor, to: Tensor, share: Tensor): Tensor {
  const way = subtract(to, from);
  const back = subtract(to, multiply(way, subtract(1, share)));
  return where(less(share, 0.5), add(from, multiply(way, share)), back);
}
