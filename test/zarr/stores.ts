/** Stores that tests look into: they count, wait and fail. */
import type { WritableZarrStore } from "nx-numerics/zarr";

export type Entries = Map<string, Uint8Array>;

export interface Watched extends WritableZarrStore {
  readonly entries: Entries;
  /** Keys of chunks that were read, and of all that was written, in order. */
  readonly reads: string[];
  readonly writes: string[];
  /** How many chunks were being read at once, at most. */
  readonly most: () => number;
}

export interface Behaviour {
  /** What is to happen before a value is given: it may wait or throw. */
  onGet?(key: string, signal: AbortSignal | undefined): Promise<void> | void;
  onSet?(key: string, write: number): Promise<void> | void;
}

const isChunk = (key: string): boolean => /\/(c\/)?\d[^a-z]*$/.test(key);

/** A store over a map. */
export function watched(entries: Entries = new Map(), { onGet, onSet }: Behaviour = {}): Watched {
  const [reads, writes]: [string[], string[]] = [[], []];
  let [now, most] = [0, 0];
  return {
    entries,
    reads,
    writes,
    most: () => most,
    async get(key, options) {
      if (!isChunk(key)) return entries.get(key);
      reads.push(key);
      most = Math.max(most, ++now);
      try {
        await new Promise((resolve) => setTimeout(resolve, 0));
        await onGet?.(key, options?.signal);
        return entries.get(key);
      } finally {
        now--;
      }
    },
    async set(key, value) {
      writes.push(key);
      await onSet?.(key, writes.length);
      entries.set(key, value);
    },
    delete: (key) => entries.delete(key),
  };
}
