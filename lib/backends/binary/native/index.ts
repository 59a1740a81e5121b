/**
 * Named blocks that this backend does natively, by name; every other block runs as the composite that defines it. A native
 * block gives the bits of its composite. A function that makes such a block names it by a value that brought what does it (`backends/blocks.ts`),
 * so that a bundler leaves both out or neither.
 */
import type { Attrs, Template } from "../../../backend";
import type { Tensor } from "../../../tensor";
import type { ArrayMemory } from "../../arrays/memory";
import type { Elements } from "../../arrays/storage";

/** Makes the elements of `out`, or gives null where the composite has to. */
export type NativeBlock = (
  out: Template,
  inputs: readonly Tensor[],
  options: Attrs["block"]["options"],
  memory: ArrayMemory,
) => Elements | null;

const brought = new Map<string, NativeBlock>();

/** What does a block natively; undefined where the composite does. */
export const nativeBlock = (name: string): NativeBlock | undefined => brought.get(name);

/** The name of a block, in a program in which the block is done natively from then on. */
export function bringsBlock(name: string, block: NativeBlock): string {
  brought.set(name, block);
  return name;
}
