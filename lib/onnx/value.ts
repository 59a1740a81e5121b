/**
 * What an ONNX model takes and gives, as both directions describe it.
 */
import type { DType } from "nx-numerics";

/** An input or an output of an ONNX model. */
export interface OnnxValue {
  /** The name that engines know it by. */
  readonly name: string;
  /** The type of its elements as a tensor; truth values of ONNX are `u8`. */
  readonly type: DType;
  /** The size of each axis: a number, the name of a size that each call decides, or `null` where the model does not say. */
  readonly dims: readonly (number | string | null)[];
  /** The names of its axes. */
  readonly names: readonly (string | null)[];
}

/** The key under which a model keeps the names of the axes of a value (`metadata_props`), as a list in JSON. */
export const NAMES_KEY = "nx.names";
