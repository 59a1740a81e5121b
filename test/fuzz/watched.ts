/**
 * The memory of the wasm backend under watch: what is given back is spoiled, so that whoever still reads it has other bits at once, and
 * arrays lie outside of the arena where a test wants it.
 */
import { ArrayMemory } from "../../lib/backends/arrays/memory";
import type { Elements } from "../../lib/backends/arrays/storage";
import { arena } from "../../lib/backends/wasm/arena";
import { arrays } from "../../lib/backends/wasm/arrays";

/** Which arrays have room in the arena: all, none, or every other one. */
export type Rooms = "all" | "none" | "some";

/** A byte that makes odd numbers of all types. */
const SPOILED = 0xc3;

/** Spoils an array that its last holder has given back. */
function dropped(this: ArrayMemory, array: Elements): void {
  const { keptBytes } = this;
  const isOwned = arena.owns(array);
  ArrayMemory.prototype.drop.call(this, array);
  const isGivenBack = isOwned ? !arena.owns(array) : this.keptBytes > keptBytes;
  if (isGivenBack) new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(SPOILED);
}

/** Runs `fn` under watch. */
export function watched<R>(rooms: Rooms, fn: () => R): R {
  const { create } = arena;
  let made = 0;
  arena.create = (type, entries) => {
    const isOutside = rooms === "none" || (rooms === "some" && made++ % 3 === 1);
    return isOutside ? null : create(type, entries);
  };
  arrays.drop = dropped;
  try {
    return fn();
  } finally {
    arena.create = create;
    delete (arrays as Partial<ArrayMemory>).drop;
  }
}
