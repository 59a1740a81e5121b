/**
 * What `JSON.stringify` makes of a tensor.
 */
import { Complex } from "../core/complex";
import { NxError } from "../core/errors";
import type { JsonElement, JsonTensor } from "../methods";
import type { Tensor } from "../tensor";
import { toFlatList } from "./conversion";

/** The tensor as plain data, for `JSON.stringify`. */
export function toJSON(tensor: Tensor): JsonTensor {
  const { type, shape, names, backend } = tensor;
  if (backend.describe) return { type, shape, names };
  try {
    return { type, shape, names, elements: toFlatList(tensor).map(elementOf) };
  } catch (error) {
    if (!(error instanceof NxError)) throw error;
    return { type, shape, names }; // released: text is made of whatever a program still holds
  }
}

const finite = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

function elementOf(value: number | bigint | Complex): JsonElement {
  if (typeof value === "bigint") return value.toString();
  return value instanceof Complex ? [finite(value.re), finite(value.im)] : finite(value);
}
