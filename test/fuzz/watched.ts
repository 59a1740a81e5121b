/**
 * The memory of the wasm backend under watch: what is given back is spoiled, so that whoever still reads it has other bits at once, and
 * arrays lie outside of the arena where a test wants it.
 */
import { ArrayMemory } from "../../lib/backends/arrays/memory";
import type { Elements } from "../../lib/backends/arrays/storage";
import { arena } from "../../lib/backends/wasm/memory/arena";
import { arrays } from "../../lib/backends/wasm/arrays";
import { inScratch, isSharedSoFar, scratch, views } from "../../lib/backends/wasm/memory/linear";

/** Which arrays have room in the arena: all, none, or every other one. */
export type Rooms = "all" | "none" | "some";

/** A byte that makes odd numbers of all types. */
const SPOILED = 0xc3;

const spoil = ({ buffer, byteOffset, byteLength }: ArrayBufferView): void =>
  void new Uint8Array(buffer, byteOffset, byteLength).fill(SPOILED);

/** Spoils an array outside of the arena that its last holder has given back. */
function dropped(this: ArrayMemory, array: Elements): void {
  const { keptBytes } = this;
  ArrayMemory.prototype.drop.call(this, array);
  if (this.keptBytes > keptBytes) spoil(array);
}

/** Scratch space that is spoiled before a run: tables lie at its beginning, operands behind them. */
const SPOILED_BYTES = 2 ** 19;

/** Spoils scratch space, so that addresses that nobody has written are beyond the memory. */
export function spoilScratch(): void {
  if (isSharedSoFar() === null) return;
  inScratch(() => {
    const from = scratch(SPOILED_BYTES);
    views().u8.fill(SPOILED, from, from + SPOILED_BYTES);
  });
}

/** Runs `fn` under watch. */
export function watched<R>(rooms: Rooms, fn: () => R): R {
  const { create, giveBack } = arena;
  let made = 0;
  arena.create = (type, entries) => {
    const isOutside = rooms === "none" || (rooms === "some" && made++ % 3 === 1);
    return isOutside ? null : create(type, entries);
  };
  arena.giveBack = (array) => {
    giveBack(array);
    spoil(array);
  };
  arrays.drop = dropped;
  try {
    return fn();
  } finally {
    Object.assign(arena, { create, giveBack });
    delete (arrays as Partial<ArrayMemory>).drop;
  }
}
