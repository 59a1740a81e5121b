/**
 * What `JSON.stringify` makes of a tensor.
 */
import { Complex } from "../core/complex";
import { NxError } from "../core/errors";
import type { JsonElement, JsonTensor } from "../methods";
import type { Tensor } from "../tensor";
import { toFlatList } from "./conversion";

/**
 * Type, shape, names and elements as plain data; `JSON.stringify` calls it. Files keep more and are smaller: see `Nx.serialize`.
 *
 * @param tensor - any tensor; one without elements, such as a template, gives none
 * @returns an object that JSON can hold: infinities, NaN and integers beyond 2^53 are text, complex numbers pairs
 * @example
 * ```ts
 * JSON.stringify(Nx.tensor([1.5, Infinity], { names: ["x"] }));
 * // => '{"type":"f32","shape":[2],"names":["x"],"elements":[1.5,"Infinity"]}'
 * ```
 */
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

/** JSON has no NaN, no infinities, and readers of it drop the sign of zero. */
const finite = (value: number): number | string =>
  Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? "-0" : String(value);

function elementOf(value: number | bigint | Complex): JsonElement {
  if (typeof value === "bigint") return value.toString();
  return value instanceof Complex ? [finite(value.re), finite(value.im)] : finite(value);
}
