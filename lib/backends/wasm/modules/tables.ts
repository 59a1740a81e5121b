/**
 * Tables of the kernel language in the memory of kernels. Each is written to its place before the first module that reads it is there.
 */
import { tablesIn } from "../../../kernel/key";
import type { Table } from "../../../kernel/value";
import { TABLES_AT, views } from "../memory/linear";
import { readyBytes } from "./ready";

const placed = new Set<Table>();

/** Where a table lies in memory; it is there from then on. */
export function tableAddress(table: Table): number {
  const at = TABLES_AT + table.first * Float64Array.BYTES_PER_ELEMENT;
  if (placed.has(table)) return at;
  const bytes = readyBytes(`table ${table.name}`, () => new Uint8Array(table.entries().buffer));
  views().u8.set(bytes, at);
  placed.add(table);
  return at;
}

/** Puts the tables into memory that the kernels in the key of a module read. */
export const placeTables = (key: string): void => tablesIn(key).forEach(tableAddress);
