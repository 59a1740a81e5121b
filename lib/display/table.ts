/**
 * Tensors as tables of HTML. Only the elements that are shown are read.
 */
import * as Nx from "nx-numerics";
import type { Operand, Tensor } from "nx-numerics";
import { asTensor, checkOptions, elementText, escapeText, hasElements, headline, integerOption } from "./common";

/** Options of {@link toHtml}. */
export interface HtmlOptions {
  /** Rows shown of each matrix before the middle ones are left out; 20 by default. */
  readonly maxRows?: number;
  /** Columns shown before the middle ones are left out; 12 by default. */
  readonly maxColumns?: number;
  /** Matrices shown of a tensor with more than two axes; 4 by default. */
  readonly maxTables?: number;
}

const OPTIONS = ["maxRows", "maxColumns", "maxTables"];
const STYLE = "border-collapse:separate;border-spacing:.7em 0;text-align:right;font-variant-numeric:tabular-nums";
const GAP = "…";

/**
 * A tensor as a table of HTML: type and shape as the caption, the last axis across, the one before it down, and a table for
 * each index of the axes before them. Where there is much, the middle is left out.
 *
 * @param tensor - any tensor or number
 * @param options - `maxRows`, `maxColumns`: how many are shown of each matrix; `maxTables`: how many matrices
 * @returns HTML without scripts, in which names and elements are escaped
 * @throws ArgumentError for what is no tensor and for options out of range
 * @example
 * ```ts
 * import { toHtml } from "nx-numerics/display";
 * const html = toHtml(Nx.tensor([[1, 2], [3, 4]], { names: ["x", "<y>"] }));
 * html.includes("s64[x: 2][&lt;y&gt;: 2]");
 * // => true
 * html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ").trim();
 * // => 's64[x: 2][&lt;y&gt;: 2] x \\ &lt;y&gt; 0 1 0 1 2 1 3 4'
 * ```
 * @example
 * ```ts
 * import { toHtml } from "nx-numerics/display";
 * const [, cell] = toHtml(Nx.tensor([1.5, NaN])).split("</td>");
 * cell?.endsWith(">NaN");
 * // => true
 * toHtml(Nx.tensor([1]), { maxRows: 0 });
 * // throws ArgumentError: option maxRows of toHtml must be an integer from 1 to 1000, got: 0
 * ```
 */
export function toHtml(tensor: Operand, options?: HtmlOptions): string {
  checkOptions("toHtml", options, OPTIONS);
  const maxRows = integerOption("toHtml", "maxRows", options?.maxRows, 20, 1000);
  const maxColumns = integerOption("toHtml", "maxColumns", options?.maxColumns, 12, 1000);
  const maxTables = integerOption("toHtml", "maxTables", options?.maxTables, 4, 100);
  const t = asTensor("toHtml", tensor);
  const caption = `<div><code>${escapeText(headline(t))}</code></div>`;
  if (!hasElements(t)) return `${caption}<pre>${escapeText(String(t))}</pre>`;
  const outer = t.shape.slice(0, -2);
  const count = outer.reduce((product, size) => product * size, 1);
  const tables = kept(count, maxTables).map((index) => {
    return index === null ? `<div>${GAP}</div>` : matrix(t, unravel(index, outer), maxRows, maxColumns);
  });
  return `<div>${caption}${tables.join("")}</div>`;
}

/** The indices shown of so many: all, or those at both ends around a gap. */
function kept(size: number, most: number): (number | null)[] {
  if (size <= most) return Array.from({ length: size }, (_, i) => i);
  const before = Math.ceil(most / 2);
  const after = most - before;
  return [
    ...Array.from({ length: before }, (_, i) => i),
    null,
    ...Array.from({ length: after }, (_, i) => size - after + i),
  ];
}

function unravel(index: number, shape: readonly number[]): number[] {
  const position = new Array<number>(shape.length);
  let rest = index;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    position[axis] = rest % shape[axis]!;
    rest = Math.floor(rest / shape[axis]!);
  }
  return position;
}

/** One matrix; of a vector its only row, of a scalar its only cell. */
function matrix(t: Tensor, outer: readonly number[], maxRows: number, maxColumns: number): string {
  const rank = t.shape.length;
  const rows = kept(t.shape[rank - 2] ?? 1, maxRows);
  const columns = kept(t.shape[rank - 1] ?? 1, maxColumns);
  const body = rows.map((row) => {
    const head = rank < 2 ? "" : `<th scope="row">${row ?? GAP}</th>`;
    if (row === null) return `<tr>${head}${columns.map(() => `<td>${GAP}</td>`).join("")}</tr>`;
    return `<tr>${head}${cells(t, [...outer, row].slice(0, Math.max(rank - 1, 0)), columns)}</tr>`;
  });
  return `${sectionTitle(t, outer)}<table style="${STYLE}">${columnHeads(t, columns)}<tbody>${body.join("")}</tbody></table>`;
}

function sectionTitle({ names }: Tensor, outer: readonly number[]): string {
  if (outer.length === 0) return "";
  const parts = outer.map((index, axis) => (names[axis] == null ? `[${index}]` : `[${names[axis]}: ${index}]`));
  return `<div><code>${escapeText(parts.join(""))}</code></div>`;
}

function columnHeads({ shape, names }: Tensor, columns: readonly (number | null)[]): string {
  const rank = shape.length;
  if (rank === 0) return "";
  const down = names[rank - 2] ?? "";
  const across = names[rank - 1] ?? "";
  const corner = rank < 2 ? "" : `<th>${escapeText(down || across ? `${down} \\ ${across}` : "")}</th>`;
  const heads = columns.map((column) => `<th scope="col">${column ?? GAP}</th>`);
  return `<thead style="opacity:.6"><tr>${corner}${heads.join("")}</tr></thead>`;
}

function cells(t: Tensor, position: readonly number[], columns: readonly (number | null)[]): string {
  const row = rowValues(t, position, columns);
  return columns
    .map((column, i) => `<td>${column === null ? GAP : escapeText(elementText(row[i]!, t.type))}</td>`)
    .join("");
}

/** The elements shown of one row; a place for the gap as well. */
function rowValues(
  t: Tensor,
  position: readonly number[],
  columns: readonly (number | null)[],
): (number | bigint | Nx.Complex)[] {
  if (t.shape.length === 0) return [Nx.toNumber(t)];
  const row = position.length === 0 ? t : t.at(...position);
  const gap = columns.indexOf(null);
  if (gap < 0) return Nx.toFlatList(row);
  const size = row.shape[0]!;
  const after = columns.length - gap - 1;
  const first = Nx.toFlatList(row, { limit: gap });
  return [...first, 0, ...(after === 0 ? [] : Nx.toFlatList(row.at(Nx.range(size - after, size))))];
}
