/** Numbers of distinct elements, in one pass over their order: the composite in `lib/nx/groups` makes five. */
import type { Template } from "../../../backend";
import type { Tensor } from "../../../tensor";
import type { ArrayMemory } from "../../arrays/memory";
import { elementsOf, type Elements } from "../../arrays/storage";
import { load } from "./load";

/** The block "distinct", of a vector and its ascending order, NaN last: for each element how many smaller ones there are. Null for integers that doubles do not hold. */
export function distinct(
  { type, shape }: Template,
  [line, order]: readonly Tensor[],
  _options: object,
  memory: ArrayMemory,
): Elements | null {
  const count = shape[0]!;
  const x = new Float64Array(count);
  if (!load(line!, 0, x, count)) return null;
  const places = elementsOf(order!);
  const result = memory.unset(type, shape);
  let number = 0;
  let before = x[places[0]!]!;
  for (let i = 0; i < count; i++) {
    const place = places[i]!;
    const value = x[place]!;
    // all NaN are one
    if (value !== before && before === before) number++;
    result[place] = number;
    before = value;
  }
  return result;
}
