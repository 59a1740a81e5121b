/**
 * Named blocks that this backend does natively, by name; every other block runs as the composite that defines it. A native
 * block gives the bits of its composite.
 */
import type { Attrs, Template } from "../../../backend";
import type { Tensor } from "../../../tensor";
import type { ArrayMemory } from "../../arrays/memory";
import type { Elements } from "../../arrays/storage";
import { roll } from "./roll";
import { threefry2x32, threefryFloats, threefryIntegers } from "./threefry";

/** Makes the elements of `out`, or gives null where the composite has to. */
type NativeBlock = (
  out: Template,
  inputs: readonly Tensor[],
  options: Attrs["block"]["options"],
  memory: ArrayMemory,
) => Elements | null;

/** The native blocks. */
export const NATIVE: ReadonlyMap<string, NativeBlock> = new Map<string, NativeBlock>([
  ["roll", roll],
  ["threefry2x32", threefry2x32],
  ["threefryFloats", threefryFloats],
  ["threefryIntegers", threefryIntegers],
]);
