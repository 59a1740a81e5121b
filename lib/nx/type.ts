/**
 * Element types of tensors: asking for them and converting between them.
 */
import { ArgumentError } from "../core/errors";
import { checkOptions, wordOption } from "../core/options";
import { formatShape, type Names, type Shape } from "../core/shape";
import { bitsOf, DTYPES, normalizeType, type DType } from "../core/types";
import type { Operand, Tensor } from "../tensor";
import { alias, asTensor, isScalar, run, scalarType, template } from "./dispatch";

/** Options of `Nx.asType`. */
export interface AsTypeOptions {
  /** What finite floats out of an integer type's range become: the nearest end of the range (default) or a value modulo its width. */
  readonly overflow?: "saturate" | "wrap";
}

/**
 * The element type of a tensor.
 *
 * @param tensor - a tensor, or a plain value, whose type is that of the tensor it would become
 * @returns the type
 * @throws ArgumentError for anything else
 * @example
 * ```ts
 * Nx.type(Nx.u8([[1, 2]], { names: ["x", "y"] }));
 * // => "u8"
 * Nx.type(1.5);
 * // => "f32"
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.type([1, 2]);
 * // throws ArgumentError: Nx.type expects a tensor or a number, got: [1, 2]; make a tensor of it with Nx.tensor(...) first
 * ```
 */
export function type(tensor: Operand): DType {
  return isScalar(tensor) ? scalarType(tensor) : asTensor(tensor, "Nx.type").type;
}

/**
 * Converts the elements to another type.
 *
 * Floats become integers by cutting off the fraction; those out of range become the nearest end of it, NaN becomes 0.
 * Integers wrap. Complex numbers become real ones by dropping the imaginary part.
 *
 * @param tensor - any tensor or plain value
 * @param type - the type wanted
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type instead
 * @returns a tensor of that type with the shape and names of the given one; the same tensor if it has the type already
 * @throws ArgumentError for an unknown type or overflow rule
 * @example
 * ```ts
 * Nx.asType(Nx.tensor([0.9, -1.9, 300, NaN], { names: ["x"] }), "u8");
 * // => #Nx.Tensor<
 * //   u8[x: 4]
 * //   [0, 0, 255, 0]
 * // >
 * Nx.asType(Nx.f32([300, -1]), "u8", { overflow: "wrap" });
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [44, 255]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.asType(Nx.tensor([0, 1]), "f16");
 * // => #Nx.Tensor<
 * //   f16[2]
 * //   [0.0, 1.0]
 * // >
 *
 * // @ts-expect-error
 * Nx.asType(Nx.tensor([0, 1]), "f31");
 * // throws ArgumentError: Nx.asType: invalid type "f31"; did you mean "f32"?
 * ```
 */
export function asType<N extends Names = readonly []>(
  tensor: Operand<N>,
  type: DType,
  options?: AsTypeOptions,
): Tensor<N> {
  options = checkOptions("Nx.asType", options, ["overflow"]);
  const overflow = wordOption("Nx.asType", "overflow", options?.overflow, ["saturate", "wrap"], "saturate");
  const wanted = normalizeType(type);
  const t = asTensor(tensor, "Nx.asType");
  if (t.type === wanted) return alias(t) as Tensor<N>;
  return run("asType", template(wanted, t.shape, t.names), [t], { overflow }) as Tensor<N>;
}

/**
 * Takes the bits of the elements as those of another type.
 *
 * Types of another width cut each element into several, or join several to one, along the last axis; the lowest bits come
 * first. No gradient passes through such a change of shape.
 *
 * @param tensor - any tensor or plain value
 * @param type - the type wanted
 * @returns a tensor of that type with the names of the given one, and its shape but for the last axis
 * @throws ArgumentError for a type of another width where there is no last axis, or its size is no multiple of what is joined
 * @example
 * ```ts
 * Nx.bitcast(Nx.f32([0, 1, -1], { names: ["x"] }), "u32");
 * // => #Nx.Tensor<
 * //   u32[x: 3]
 * //   [0, 1065353216, 3212836864]
 * // >
 * Nx.bitcast(Nx.u32([[1], [258]], { names: ["x", "byte"] }), "u8");
 * // => #Nx.Tensor<
 * //   u8[x: 2][byte: 4]
 * //   [
 * //     [1, 0, 0, 0],
 * //     [2, 1, 0, 0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.bitcast(Nx.u8([0, 0, 128, 63]), "f32");
 * // => #Nx.Tensor<
 * //   f32[1]
 * //   [1.0]
 * // >
 * Nx.bitcast(Nx.u8([1, 2, 3], { names: ["byte"] }), "u32");
 * // throws ArgumentError: Nx.bitcast: cannot bitcast a tensor of type u8 and shape [byte: 3] to u32: 8 bits per element are not 32, and the last axis must b
 * ```
 */
export function bitcast<N extends Names = readonly []>(tensor: Operand<N>, type: DType): Tensor<N> {
  const wanted = normalizeType(type);
  const t = asTensor(tensor, "Nx.bitcast");
  if (t.type === wanted) return alias(t) as Tensor<N>;
  return run("bitcast", template(wanted, bitcastShape(t, wanted), t.names), [t], {}) as Tensor<N>;
}

function bitcastShape(t: Tensor, wanted: DType): Shape {
  const [from, to] = [bitsOf(t.type), bitsOf(wanted)];
  if (from === to) return t.shape;
  const last = t.shape[t.shape.length - 1];
  if (last === undefined || (last * from) % to !== 0) throw widthMismatch(t, wanted);
  return Object.freeze([...t.shape.slice(0, -1), (last * from) / to]);
}

function widthMismatch(t: Tensor, wanted: DType): ArgumentError {
  const [from, to] = [bitsOf(t.type), bitsOf(wanted)];
  const same = DTYPES.filter((other) => bitsOf(other) === from);
  const reason =
    t.shape.length === 0
      ? `a scalar has no axis to cut or join elements along`
      : `the last axis must be a multiple of ${to / from} elements`;
  return new ArgumentError(
    `cannot bitcast a tensor of type ${t.type} and shape ${formatShape(t.shape, t.names)} to ${wanted}: ` +
      `${from} bits per element are not ${to}, and ${reason}; types of ${from} bits are ${same.join(", ")}`,
  );
}
