/**
 * Named blocks that this backend does natively, by name; every other block runs as the composite that defines it. A native
 * block gives the bits of its composite. A function that makes such a block names it by a value that brought what does it (`backends/blocks.ts`),
 * so that a bundler leaves both out or neither.
 */
import type { Attrs, Template } from "../../../backend";
import type { DType } from "../../../core/types";
import type { Draw } from "../../../kernel/threefry";
import type { Tensor } from "../../../tensor";
import type { ArrayMemory } from "../../arrays/memory";
import type { Elements } from "../../arrays/storage";

/** Makes the elements of `out`, or gives null where the composite has to. */
type NativeBlock = (
  out: Template,
  inputs: readonly Tensor[],
  options: Attrs["block"]["options"],
  memory: ArrayMemory,
) => Elements | null;

/** The draw of pseudo-random numbers that a block is, for results of a type; null where it is none. */
type DrawFor = (type: DType, options: Attrs["block"]["options"]) => Draw | null;

interface Native {
  readonly block: NativeBlock;
  readonly draw: DrawFor | null;
}

const brought = new Map<string, Native>();

/** What does a block natively; undefined where the composite does. */
export const nativeBlock = (name: string): NativeBlock | undefined => brought.get(name)?.block;

/** The draw that a block is, from its key; null where it is none, or draws what kernels do not. */
export function drawOf(
  { type }: Template,
  key: Template | undefined,
  { name, options }: Omit<Attrs["block"], "fn">,
): Draw | null {
  return key?.type === "u32" ? (brought.get(name)?.draw?.(type, options) ?? null) : null;
}

/** The name of a block, in a program in which the block is done natively from then on. */
export function bringsBlock(name: string, block: NativeBlock, draw: DrawFor | null = null): string {
  brought.set(name, { block, draw });
  return name;
}
