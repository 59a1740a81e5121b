/**
 * Tables of doubles that kernels look numbers up in. Each has a place among all of them, so that backends know where it lies before any
 * is there, and write the same code in every process.
 */
import type { Table } from "./value";

/** How many entries each table has. */
const LENGTHS = { twoByPi: 50, inversePi: 771, erf: 769, erfLost: 769, erfSlope: 769 };

/** Tables begin at multiples of a cache line, which has so many entries. */
const LINE = 8;

const reserved = (lengths: readonly number[]): number =>
  lengths.reduce((sum, length) => sum + Math.ceil(length / LINE) * LINE, 0);

/** The entries that all tables take together. */
export const tableEntries = (): number => reserved(Object.values(LENGTHS));

/** The table of a name. */
export function table(name: keyof typeof LENGTHS, make: () => Float64Array): Table {
  const before = Object.keys(LENGTHS).indexOf(name);
  let entries: Float64Array | undefined;
  return {
    name,
    first: reserved(Object.values(LENGTHS).slice(0, before)),
    entries: () => (entries ??= make()),
  };
}
