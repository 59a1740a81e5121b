/**
 * Element types of tensors: asking for them and converting between them.
 */
import { ArgumentError } from "../core/errors";
import { checkOptions, wordOption } from "../core/options";
import { formatShape, type Names } from "../core/shape";
import { bitsOf, DTYPES, normalizeType, type DType } from "../core/types";
import type { Operand, Tensor } from "../tensor";
import { asTensor, isScalar, run, scalarType, template } from "./dispatch";

/** Options of `Nx.asType`. */
export interface AsTypeOptions {
  /** What finite floats out of an integer type's range become: the nearest end of the range (default) or a value modulo its width. */
  readonly overflow?: "saturate" | "wrap";
}

export function type(tensor: Operand): DType {
  return isScalar(tensor) ? scalarType(tensor) : asTensor(tensor, "Nx.type").type;
}

export function asType<N extends Names = readonly []>(tensor: Operand<N>, type: DType, options?: AsTypeOptions): Tensor<N> {
  checkOptions("Nx.asType", options, ["overflow"]);
  const overflow = wordOption("Nx.asType", "overflow", options?.overflow, ["saturate", "wrap"], "saturate");
  const wanted = normalizeType(type);
  const t = asTensor(tensor, "Nx.asType");
  if (t.type === wanted) return t as Tensor<N>;
  return run("asType", template(wanted, t.shape, t.names), [t], { overflow }) as Tensor<N>;
}

export function bitcast<N extends Names = readonly []>(tensor: Operand<N>, type: DType): Tensor<N> {
  const wanted = normalizeType(type);
  const t = asTensor(tensor, "Nx.bitcast");
  if (bitsOf(t.type) !== bitsOf(wanted)) throw widthMismatch(t, wanted);
  if (t.type === wanted) return t as Tensor<N>;
  return run("bitcast", template(wanted, t.shape, t.names), [t], {}) as Tensor<N>;
}

function widthMismatch(t: Tensor, wanted: DType): ArgumentError {
  const same = DTYPES.filter((other) => bitsOf(other) === bitsOf(t.type));
  return new ArgumentError(
    `cannot bitcast a tensor of type ${t.type} and shape ${formatShape(t.shape, t.names)} to ${wanted}: ` +
      `${bitsOf(t.type)} bits per element are not ${bitsOf(wanted)}; types of ${bitsOf(t.type)} bits are ${same.join(", ")}`,
  );
}
