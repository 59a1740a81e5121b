/**
 * Tables of text for the terminal.
 */

/** Three digits, more where the number is large. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US").replaceAll(",", " ");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Rows with columns as wide as their widest entry; the first column to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((entry, i) => (i === 0 ? entry.padEnd(widths[i]!) : entry.padStart(widths[i]!))).join("  "),
  );
}
