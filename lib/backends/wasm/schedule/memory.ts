/** Rooms of the arena, and requests to the host for memory. */
/** Bytes below which rooms are kept by size, so that there may be many of them, and what these may take of the budget. */
export const SMALL_ROOM_BYTES = 65_536;
export const SMALL_ROOMS_SHARE = 1 / 4;
/** Rooms that are made for arrays of a size that are not large: a program that gives back some of its results loses one each time. */
export const MEDIUM_ROOMS = 256;
/** Rooms given back last that are kept as they are, for arrays of the same size: more than most functions have temporaries at once. */
export const RECENT_ROOMS = 16;

/**
 * Parts of the arena that are in use when the engine is urged to collect, and that are taken until it is urged again. With 3/4 it has
 * collected before the arena is full: of loops that add to 1e5 or 1e6 elements, release nothing and return to the event loop, 0 to 0.1 % of the
 * results are ordinary arrays then, and 4 to 20 % where nobody urges it; with 1/2 it collects half as often again, to no use.
 */
export const URGED_FROM = 3 / 4;
export const URGED_AGAIN = 1 / 8;
/** Bytes that make V8 collect, which begins at 64 MB of external memory since it last did. */
export const WEIGHT_BYTES = 96 * 2 ** 20;
/**
 * Bytes of a buffer that is let go of at once when the engine is urged for the first time. The C library of most Linux systems (glibc, mallopt: M_MMAP_THRESHOLD)
 * takes the largest memory that was freed, up to 32 MB, as the measure: less comes from its heap, which keeps twice as much of what is freed.
 * So ordinary arrays of loops that release nothing lie where collected ones have been: results of 4 MB took 200 to 1000 microseconds of system time for
 * fresh pages, 0 to 50 so; the whole of a synchronous loop of exp 0.7 of the time, of additions of 1e5 0.8.
 */
export const FREED_BYTES = 2 ** 25 - 2 ** 16;
/** Milliseconds between two collections from which on the arena is large enough, and the part of what the host has to spare that it may be. */
const COLLECTED_EVERY = 500;
const SPARE_SHARE = 1 / 8;
/** The largest arena: twice its first size, since untouched pages cost more than touched ones. */
const GROWN_MOST = 2 ** 29;
/**
 * Whether the arena is to become so large, so many milliseconds after the last collection that was urged. Results of 4 and 40 MB that nobody
 * releases (exp of 1e6, additions of 1e7) took 1.7 and 4.4 times the processor time of released ones with 256 MB, 1.3 and 1.8 times
 * with 512 MB, 1.1 and 1.3 times with 1 GB.
 */
export const isWorthMore = (since: number, bytes: number, spareBytes: () => number): boolean =>
  since < COLLECTED_EVERY && bytes <= GROWN_MOST && bytes <= spareBytes() * SPARE_SHARE;

/** The part of the arena that is in use after a collection from which on it is too small, the largest it becomes so, and the part of what the host has to spare. */
const IN_USE_SHARE = 1 / 2;
const NEEDED_MOST = 2 ** 30;
const NEEDED_SPARE_SHARE = 1 / 2;
/**
 * Whether an arena of so many bytes is to double since so many are in use after a collection. Arrays that find no room take as much memory elsewhere, and
 * what is made of them is copied: with 600 MB of tensors in use and an arena of 256 MB `repeat` of 1000x1000 along its rows took 38 ms, `gradient` 15; 0.6
 * and 2.3 in a large one.
 */
export const isNeeded = (inUse: number, bytes: number, spareBytes: () => number): boolean =>
  inUse >= bytes * IN_USE_SHARE && 2 * bytes <= NEEDED_MOST && 2 * bytes <= spareBytes() * NEEDED_SPARE_SHARE;

/** How many times as long as a refusal took nothing is asked for again: engines collect garbage before each refusal. */
export const REFUSAL_TIMES = 20;
