/**
 * The binary backend: pure TypeScript, complete, the reference all others are compared with. Its memory has no arena and no
 * copier: nothing but what is written here computes or moves its elements.
 */
import { shownByName, type ReadableBackend } from "../../backend";
import { interpret } from "../../kernel/interpret/run";
import { fusedBy } from "../arrays/kernels";
import { ArrayMemory } from "../arrays/memory";
import { membersIn } from "./members";

const memory = new ArrayMemory();

/** The pure TypeScript backend. */
export const binaryBackend: ReadableBackend = shownByName({
  name: "binary",
  ...membersIn(memory),
  capabilities: { nests: ["map", "joined"] },
  fused: fusedBy(memory, interpret),
});
