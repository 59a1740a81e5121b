/**
 * The memory of this backend's tensors: large ones lie in the memory of kernels as far as there is room, and are copied there.
 */
import { ArrayMemory } from "../arrays/memory";
import { arena } from "./memory/arena";
import { copier } from "./copy";

/** Where the arrays of tensors come from and go to. */
export const arrays = new ArrayMemory(arena, copier);
