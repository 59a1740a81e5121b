/**
 * Where things are in the block of shared memory through which the threads talk: counters, a ring of jobs, and the bytes
 * of the modules that the jobs call. Offsets are in words of 32 bits unless they say bytes.
 *
 * The block is apart from the memory the kernels work in, so that it neither moves when that grows nor has to be placed
 * before the first tensor is staged, and no kernel can write into it.
 */

/** Jobs posted so far, as a position that only grows (and wraps); sleeping workers wait for it to change. */
export const TAIL = 0;
/** The first position that no worker has looked at. */
export const NEXT = 16;
/** Workers that sleep, or are about to. */
export const SLEEPING = 32;
/** Not zero when the workers are to leave. */
export const STOP = 33;
/** Changes when all modules are forgotten, so that their numbers and places may be used again. */
export const EPOCH = 34;
/** One word for each worker there has ever been; its states are below. */
export const WORKERS = 48;
/** Workers there can be in the life of a pool, those that took the place of lost ones included. */
export const MAX_WORKERS = 144;

/** Not 0, as while it starts. */
export const READY = 1;
/** Left by itself, or lost. */
export const GONE = 2;

/** The ring: a job at position p lies in slot p modulo `SLOTS`. */
export const RING = 192;
export const SLOTS = 64;
/** Three cache lines for each slot; a job of up to 12 arguments touches one. */
export const SLOT_WORDS = 48;

/** Within a slot: its state, the module's number, the function's number among the exports, arguments. */
export const STATE = 0;
export const MODULE = 1;
export const FUNCTION = 2;
export const COUNT = 3;
export const ARGUMENTS = 4;
export const MAX_ARGUMENTS = SLOT_WORDS - ARGUMENTS;

/** In place of a module's number: the arguments are the address and the number of words that say the calls, one after the other. */
export const SEQUENCE = -1;

/**
 * States of a slot. The caller moves it from free to queued, and from queued or any end state back to free; a worker from
 * queued to running, and from there to an end state. All by compare-and-exchange or exchange, so that a job is begun once.
 */
export const FREE = 0;
export const QUEUED = 1;
export const DONE = 2;
/** The kernel trapped; the slot's arguments hold the characters of the message. */
export const FAILED = 3;
/** The worker cannot run that module at all; the caller can. */
export const REFUSED = 4;
/** Added to the number of the worker that runs the job. */
export const RUNNING = 256;
/** Added to that when the caller sleeps until the job ends. */
export const AWAITED = 512;

/** Bytes of the modules: a table of address and length in bytes, then the bytes. */
export const MODULES = RING + SLOTS * SLOT_WORDS;
export const MAX_MODULES = 1024;
export const MODULE_BYTES = 4 * (MODULES + 2 * MAX_MODULES);
/** Bytes of the whole block; pages that are never written cost nothing. */
export const BLOCK_BYTES = 4 * 1024 * 1024;

/** Word at which the slot of a position begins. */
export const slotAt = (position: number): number => RING + (position & (SLOTS - 1)) * SLOT_WORDS;
