/**
 * Blocks of loops that nobody gives back. Memory of kernels is none that engines count, so they see no reason to collect what a loop has let
 * go of: they are given one, in memory that they do count and nobody touches, and a loop that is faster than they are waits for them.
 */
import { Tensor } from "nx-numerics";
import { turn } from "./stream";

/** Bytes of blocks after which the engine is urged to collect, and after which a loop waits until it has. */
const [URGED_AFTER, WAITS_AFTER] = [24 * 2 ** 20, 64 * 2 ** 20];

/** Milliseconds that a loop waits at most: a program may keep all of its blocks. */
const PATIENCE = 100;

/** Bytes that make V8 collect, which begins at 64 MB of external memory since it last did. */
const WEIGHT = 96 * 2 ** 20;

const state: {
  /** Bytes of blocks that loops have gone beyond and the engine has not collected, and how many of them the program seems to keep. */
  bytes: number;
  kept: number;
  weight: ArrayBuffer | null;
} = { bytes: 0, kept: 0, weight: null };

function reclaimed(bytes: number): void {
  state.bytes -= bytes;
  state.kept = Math.min(state.kept, state.bytes);
  state.weight = null;
}

/** Tells which blocks the engine has collected; null where hosts do not say so. */
const collected = typeof FinalizationRegistry === "function" ? new FinalizationRegistry<number>(reclaimed) : null;

/** A loop has gone beyond a block of so many bytes, which the program may have let go of. */
export async function leftBehind(block: Tensor, bytes: number): Promise<void> {
  if (collected === null || isReleased(block)) return;
  collected.register(block, bytes);
  state.bytes += bytes;
  const more = state.bytes - state.kept;
  if (more >= URGED_AFTER) state.weight ??= weightOrNot();
  if (more < Math.max(WAITS_AFTER, state.kept)) return;
  const [before, start] = [state.bytes, performance.now()];
  while (state.bytes === before && performance.now() - start < PATIENCE) {
    const waiting = turn();
    if (waiting === undefined) break;
    await waiting;
  }
  if (state.bytes < before) return;
  state.kept = before;
  state.weight = null;
}

function weightOrNot(): ArrayBuffer | null {
  try {
    return new ArrayBuffer(WEIGHT);
  } catch {
    return null; // where there is no memory engines collect anyway
  }
}

/** Whether a tensor was released: nothing shares elements with it then. */
function isReleased(block: Tensor): boolean {
  const { backend, type, shape, names } = block;
  if (backend.alias === undefined) return false;
  try {
    backend.deallocate(new Tensor(backend, backend.alias(block), type, shape, names));
    return false;
  } catch {
    return true;
  }
}
