/**
 * Room for large tensors in the memory of kernels, so that kernels read and write them where they are. It is a cache with a
 * budget: where it is full, or memory cannot be shared, tensors are ordinary arrays, which kernels copy in and out.
 *
 * An array here is an ordinary view of the shared memory, which stays valid when that grows. Its room is free again once
 * it is given back or the engine has collected it. Collection is only noticed between two tasks, so a loop that lets go of
 * many large tensors without giving any back goes on with ordinary arrays, and nothing fails.
 */
import type { Elements } from "../../../kernel/operand";
import { isLarge, uncleared, type Arena } from "../../arrays/memory";
import type { ArrayType } from "../../arrays/storage";
import { tuning } from "../../tuning";
import { STEP } from "../schedule/element-wise";
import { isShared, kernelMemory, maximumBytes, settle, SLACK } from "./linear";
import { spareBytes } from "./host";
import { Refused } from "./refusal";
import {
  FREED_BYTES,
  isNeeded,
  isWorthMore,
  MEDIUM_ROOMS,
  RECENT_ROOMS,
  SMALL_ROOM_BYTES,
  SMALL_ROOMS_SHARE,
  URGED_AGAIN,
  URGED_FROM,
  WEIGHT_BYTES,
} from "../schedule/memory";

/** Rooms are multiples of a page of the system. */
const GRAIN = 4096;
/** Kernels touch up to a step of the widest elements behind an array. */
const BEHIND = STEP * 16 + SLACK;

interface Room {
  readonly at: number;
  readonly bytes: number;
  /**
   * The array that a free room was given back with, and that its next user gets if it is of the right kind: to make an array and have the
   * engine watch it takes longer than to compute some thousand elements. Null for rooms in use, which nothing may keep from being collected.
   */
  array: Elements | null;
}

/** Free rooms by address; neighbours are one. */
const free: Room[] = [];
/** Large rooms that were given back last, the latest at the end: they are in the caches, and of the sizes that a program needs. */
const recent: Room[] = [];
/** Small free rooms, by how many grains they have. */
const small: Room[][] = [];
/** How many rooms were made for arrays that are not large, by their grains. */
const medium: number[] = [];
let taken = 0;
let takenBySmall = 0;
/** The rooms of arrays, those of free rooms included. */
const rooms = new WeakMap<ArrayBufferView, Room>();
/** All buffers of the memory so far: growing makes a new buffer, while older ones stay valid. */
const buffers = new WeakSet<object>();
/** Tells which arrays the engine has collected; null where the host does not say that, and room would be taken for good. */
const collected = typeof FinalizationRegistry === "function" ? new FinalizationRegistry<Room>(reclaim) : null;

/** No room: tells that the engine has collected, where no array may have been. */
const NOTICE: Room = { at: 0, bytes: 0, array: null };

/** The state of collection. */
const use: {
  /** Bytes of rooms in use, and how many of them were taken since the engine collected, or was urged to. */
  held: number;
  unseen: number;
  /** Untouched memory, which engines count as in use though it takes no pages. */
  weight: ArrayBuffer | null;
  /** Whether the engine was urged before, and whether it has collected since the last time. */
  isUrged: boolean;
  hasCollected: boolean;
  /** Milliseconds of the last urged collection, and the factor of the budget. */
  done: number;
  times: number;
} = { held: 0, unseen: 0, weight: null, isUrged: false, hasCollected: false, done: -Infinity, times: 1 };

/** Bytes that the arena may take; half of the memory is for kernels. */
const budget = (): number => Math.min(tuning.arenaBytes * use.times, maximumBytes() / 2);

/** Doubles the budget where half of the memory allows that, and it pays for a budget of so many bytes; whether that was so. */
function doubles(pays: (bytes: number) => boolean): boolean {
  const bytes = tuning.arenaBytes * use.times;
  if (bytes !== budget() || !pays(bytes)) return false;
  use.times *= 2;
  return true;
}

/**
 * A collection takes as long as some hundred megabytes take to be computed, whatever it finds. So where one follows the other the
 * budget doubles, if the host has many times as much to spare.
 */
function allowMore(): void {
  const now = Date.now();
  doubles((bytes) => isWorthMore(now - use.done, 2 * bytes, spareBytes));
  use.done = now;
}

/** Whether the budget doubles, since most of it is in use after a collection; asked once for each, as hosts take some time to say what they have. */
function growsForUse(): boolean {
  if (!use.hasCollected) return false;
  use.hasCollected = false;
  return doubles((bytes) => isNeeded(use.held - use.unseen, bytes, spareBytes));
}

/**
 * Engines collect when much was taken since they last did, but do not count rooms: nobody would collect before the arena is full and
 * ordinary arrays are made. So some time before, memory is taken that they do count, once for each collection. The first time a buffer is
 * taken and dropped, too, for the allocator of ordinary arrays to learn from.
 */
function urge(): void {
  if (use.held < budget() * URGED_FROM || growsForUse()) return;
  use.unseen = 0;
  collected!.register({}, NOTICE);
  try {
    if (!use.isUrged) uncleared(FREED_BYTES);
    use.isUrged = true;
    use.weight = uncleared(WEIGHT_BYTES);
  } catch {
    use.weight = null; // where there is no memory engines collect anyway
  }
}

function reclaim(room: Room): void {
  if (use.weight) allowMore();
  use.weight = null;
  use.hasCollected = true;
  use.unseen = 0;
  if (room === NOTICE) return;
  use.held -= room.bytes;
  release(room);
}

function release(room: Room): void {
  if (room.bytes < SMALL_ROOM_BYTES) return void (small[room.bytes / GRAIN] ??= []).push(room);
  recent.push(room);
  if (recent.length > RECENT_ROOMS) join(recent.shift()!);
}

/** Puts a large room among those by address. */
function join(room: Room): void {
  forget(room);
  let i = free.findIndex(({ at }) => at > room.at);
  if (i < 0) i = free.length;
  let { at, bytes } = room;
  const [before, after] = [free[i - 1], free[i]];
  const joinsBefore = before !== undefined && before.at + before.bytes === at;
  const joinsAfter = after !== undefined && at + bytes === after.at;
  if (joinsBefore) [at, bytes] = [before.at, before.bytes + bytes];
  if (joinsAfter) bytes += after.bytes;
  free.splice(joinsBefore ? i - 1 : i, Number(joinsBefore) + Number(joinsAfter), { at, bytes, array: null });
}

/** Lets go of the array of a free room. */
function forget(room: Room): void {
  const { array } = room;
  if (array === null) return;
  room.array = null;
  rooms.delete(array);
  collected!.unregister(array);
}

/** A free room: one of exactly the size that was given back last, else, of large rooms, the smallest that is large enough. */
function reuse(bytes: number): Room | null {
  if (bytes < SMALL_ROOM_BYTES) return small[bytes / GRAIN]?.pop() ?? null;
  for (let i = recent.length - 1; i >= 0; i--) if (recent[i]!.bytes === bytes) return recent.splice(i, 1)[0]!;
  const room = part(bytes);
  if (room !== null || recent.length === 0) return room;
  for (const each of recent) join(each);
  recent.length = 0;
  return part(bytes);
}

/** The smallest of the rooms by address that is large enough, or a part of it. */
function part(bytes: number): Room | null {
  let best = -1;
  free.forEach((room, i) => {
    if (room.bytes >= bytes && (best < 0 || room.bytes < free[best]!.bytes)) best = i;
  });
  if (best < 0) return null;
  const room = free[best]!;
  if (room.bytes === bytes) free.splice(best, 1);
  else free[best] = { at: room.at + bytes, bytes: room.bytes - bytes, array: null };
  return { at: room.at, bytes, array: null };
}

/** More of the memory, few rooms for arrays that are not large; where the host gives no more, tensors do without. */
function extend(bytes: number, isMedium: boolean): Room | null {
  const grains = bytes / GRAIN;
  if (isMedium && (medium[grains] ?? 0) >= MEDIUM_ROOMS) return null;
  const isSmall = bytes < SMALL_ROOM_BYTES;
  const isBeyond = (): boolean =>
    taken + bytes > budget() || (isSmall && takenBySmall + bytes > budget() * SMALL_ROOMS_SHARE);
  if (isBeyond() && (!growsForUse() || isBeyond())) return null;
  try {
    const at = settle(bytes);
    if (at === null) return null;
    taken += bytes;
    if (isSmall) takenBySmall += bytes;
    if (isMedium) medium[grains] = (medium[grains] ?? 0) + 1;
    return { at, bytes, array: null };
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** The array of a room that is in use from now on: the one that it was given back with, or another. */
function arrayIn<T extends Elements>(room: Room, type: ArrayType<T>, entries: number): T {
  const before = room.array;
  if (before !== null && before.length === entries && before instanceof type) {
    room.array = null;
    return before;
  }
  forget(room);
  const { buffer } = kernelMemory();
  buffers.add(buffer);
  const array = new type(buffer, room.at, entries);
  rooms.set(array, room);
  collected!.register(array, room, array);
  return array;
}

/** The arena of the kernels' memory. */
export const arena: Arena = {
  create<T extends Elements>(type: ArrayType<T>, entries: number): T | null {
    if (!collected || !isShared()) return null;
    const own = entries * type.BYTES_PER_ELEMENT;
    const bytes = Math.ceil((own + BEHIND) / GRAIN) * GRAIN;
    const room = (taken <= tuning.arenaBytes * use.times ? reuse(bytes) : null) ?? extend(bytes, !isLarge(own));
    if (!room) return null;
    const array = arrayIn(room, type, entries);
    use.held += bytes;
    use.unseen += bytes;
    if (use.unseen >= budget() * URGED_AGAIN) urge();
    return array;
  },
  owns: (array) => rooms.get(array)?.array === null,
  covers: (array) => buffers.has(array.buffer),
  giveBack(array) {
    const room = rooms.get(array)!;
    room.array = array;
    use.held -= room.bytes;
    use.unseen = Math.max(0, use.unseen - room.bytes);
    release(room);
  },
};

/** Where the elements of an array are in the memory of kernels; null for those of ordinary arrays. */
export const addressOf = (array: ArrayBufferView): number | null => {
  const room = rooms.get(array);
  return room !== undefined && room.array === null ? room.at : null;
};
