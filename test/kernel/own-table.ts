/** A table that tests have besides those of the library, with room of its own in the memory of kernels. */
import { settle, TABLES_AT } from "../../lib/backends/wasm/memory/linear";
import type { Table } from "../../lib/kernel/value";

let made = 0;

export function ownTable(entries: Float64Array): Table {
  let at: number | undefined;
  return {
    name: `own ${made++}`,
    get first() {
      return ((at ??= settle(entries.byteLength)!) - TABLES_AT) / entries.BYTES_PER_ELEMENT;
    },
    entries: () => entries,
  };
}
