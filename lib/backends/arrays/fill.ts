/**
 * Filling arrays by copying what is there already: in shared memory `fill` takes twice as long for words and eight times as long for
 * bytes, elsewhere as long.
 */
import type { Elements } from "./storage";

/** Bytes of an array that one value is written to by `fill`: a few copies take longer. */
const SMALL_BYTES = 4096;
/** Bytes that are copied at a time, which stay in the first cache: copies of half of 16 MB each time took 1.5 times as long. */
const COPIED_BYTES = 32_768;

/** Repeats the first `length` entries, twice as many each time up to some. */
export function repeatFirst(entries: Elements, length: number): void {
  if (length === 1 && entries.byteLength < SMALL_BYTES) return void entries.fill(entries[0]!);
  const most = COPIED_BYTES / entries.BYTES_PER_ELEMENT;
  for (let done = length, block = length; done < entries.length; done += block) {
    if (done <= most) block = done;
    entries.copyWithin(done, 0, Math.min(block, entries.length - done));
  }
}
