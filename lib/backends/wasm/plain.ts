/**
 * What this backend leaves to loops in TypeScript: those of the reference backend, over arrays of this backend's memory.
 */
import { membersIn } from "../binary/members";
import { arrays } from "./arrays";

/** The members of this backend as they are without WebAssembly. */
export const plain = membersIn(arrays);
