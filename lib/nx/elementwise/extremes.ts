/**
 * The larger and the smaller of two, and both at once.
 */
import { MAX, MIN } from "../../backends/ops";
import { ArgumentError } from "../../core/errors";
import { formatShape, type Names } from "../../core/shape";
import { finiteLimits, type DType, type IntegerType } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { cast, constantOn, run, template, typeOfOperands } from "../dispatch";
import { asExact, boundedBy, extremePair } from "../exact";
import { asOperand, binary, type BinaryFunction } from "./core";

/**
 * Takes the larger of two elements.
 *
 * Where either is NaN, so is the result. See `Nx.reduceMax` for the largest element of a tensor.
 *
 * @param left - a real tensor or number
 * @param right - a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a tensor of the merged type with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.max(1, 2);
 * // => #Nx.Tensor<
 * //   s64
 * //   2
 * // >
 * Nx.max(1, Nx.tensor([0.5, 2, 3], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   f32[data: 3]
 * //   [1.0, 2.0, 3.0]
 * // >
 * Nx.max(Nx.tensor([[1], [2]], { names: ["x", null] }), Nx.tensor([[0, 20]], { names: [null, "y"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [1, 20],
 * //     [2, 20]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.max(Nx.tensor([NaN, -Infinity, 1]), Nx.tensor([1, 0, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [NaN, 0.0, NaN]
 * // >
 * Nx.max(new Nx.Complex(1, 2), 0);
 * // throws ArgumentError: Nx.max is not defined for complex tensors, got type c64
 * ```
 */
export const max: BinaryFunction = binary(MAX, extremePair("max"));

/**
 * Takes the smaller of two elements.
 *
 * Where either is NaN, so is the result. See `Nx.reduceMin` for the smallest element of a tensor.
 *
 * @param left - a real tensor or number
 * @param right - a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a tensor of the merged type with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.min(1, 2);
 * // => #Nx.Tensor<
 * //   s64
 * //   1
 * // >
 * Nx.min(Nx.u8([1, 2, 3], { names: ["data"] }), 2);
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [1, 2, 2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.min(Nx.tensor([NaN, Infinity, 1]), Nx.tensor([1, 0, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [NaN, 0.0, NaN]
 * // >
 * Nx.min(new Nx.Complex(1, 2), 0);
 * // throws ArgumentError: Nx.min is not defined for complex tensors, got type c64
 * ```
 */
export const min: BinaryFunction = binary(MIN, extremePair("min"));

/**
 * Puts every element that lies outside of the closed interval from `min` to `max` on its nearer end.
 *
 * NaN stays NaN. Where `min` is above `max`, `max` wins. The bounds are not weak: `Nx.clip(u8Tensor, 2, 6)` is `s64`, the type
 * of plain integers, while a float tensor keeps its type next to integer bounds. Integers between whole numbers are exact: where
 * the merged type does not hold what can come out, they keep their own, or have that of a bound that alone can come out.
 *
 * @param tensor - a real tensor or number
 * @param min - the lower bound, a real number or scalar tensor
 * @param max - the upper bound, a real number or scalar tensor
 * @returns a tensor of the type that merges all three where it holds the integers that can come out, of the tensor's shape and names
 * @throws ArgumentError for a bound that is no scalar, and for complex operands
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] });
 * Nx.clip(t, 2, 4);
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [2, 2, 3],
 * //     [4, 4, 4]
 * //   ]
 * // >
 * Nx.clip(t, Nx.f32(2), Nx.max(1, 3));
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 3]
 * //   [
 * //     [2.0, 2.0, 3.0],
 * //     [3.0, 3.0, 3.0]
 * //   ]
 * // >
 * Nx.clip(Nx.asType(t, "f32"), 1, 4);
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 3]
 * //   [
 * //     [1.0, 2.0, 3.0],
 * //     [4.0, 4.0, 4.0]
 * //   ]
 * // >
 * Nx.clip(Nx.u64([3n, 2n ** 63n + 5n]), 4n, 2n ** 63n);
 * // => #Nx.Tensor<
 * //   u64[2]
 * //   [4, 9223372036854775808]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.clip(Nx.tensor([NaN, Infinity, -Infinity]), 0, 2);
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [NaN, 2.0, 0.0]
 * // >
 * Nx.clip(Nx.iota([3], { names: ["x"] }), Nx.tensor([0, 1, 2]), 2);
 * // throws ArgumentError: Nx.clip expects min to be a number or a scalar tensor, got shape [3] for a tensor of shape [x: 3]
 * ```
 */
export function clip<N extends Names = readonly []>(tensor: Operand<N>, min: Operand, max: Operand): Tensor<N>;
export function clip(tensor: Operand, min: Operand, max: Operand): Tensor {
  const t = asExact(tensor, "Nx.clip");
  const type = refuseComplex("clip", typeOfOperands([t, min, max], "Nx.clip"));
  const exact = boundedBy(t, type, min, max, (x, low, high) => {
    const ends = finiteLimits(x.type as IntegerType);
    return clipped(x, low ?? constantOn(x, ends.min, x.type), high ?? constantOn(x, ends.max, x.type), x.type);
  });
  return exact ?? clipped(t, bound(t, "min", min, type), bound(t, "max", max, type), type);
}

function clipped(t: Tensor, min: Tensor, max: Tensor, type: DType): Tensor {
  return run("block", template(type, t.shape, t.names), [t, min, max], {
    name: "clip",
    options: {},
    fn: (x, low, high) => smaller(larger(x!, low!), high!),
  });
}

const larger: BinaryFunction = max;
const smaller: BinaryFunction = min;

/** A bound in the type of the result, so that no element is rounded twice. */
function bound(t: Tensor, name: string, value: Operand, type: DType): Tensor {
  const given = asOperand(value, type);
  if (given.shape.length === 0) return cast(given, type);
  throw new ArgumentError(
    `Nx.clip expects ${name} to be a number or a scalar tensor, got shape ${formatShape(given.shape, given.names)} for a ` +
      `tensor of shape ${formatShape(t.shape, t.names)}; use Nx.max and Nx.min for bounds that differ by element`,
  );
}
