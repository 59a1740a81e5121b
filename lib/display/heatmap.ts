/**
 * Matrices as heat maps in SVG. The size of the picture's text is bounded: large matrices are averaged in blocks, and cells
 * of one colour share a path.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Operand, type Tensor } from "nx-numerics";
import { COLORMAPS, colourAt, type Colormap } from "./colours";
import { asTensor, checkOptions, elementText, escapeText, hasElements, headline, integerOption, shown } from "./common";

export type { Colormap } from "./colours";

/** Options of {@link toSvgHeatmap}. */
export interface SvgHeatmapOptions {
  /**
   * `"dusk"`, from dark violet to yellow (default); `"grey"`; `"poles"`, blue below and orange above zero, which lies in
   * the middle.
   */
  readonly colormap?: Colormap;
  /** Most cells along either axis; blocks of a larger matrix are averaged; 64 by default. */
  readonly maxCells?: number;
}

/** Shades that are told apart. */
const SHADES = 48;
/** Length of the longer side, without the margins, in units of the picture. */
const SIDE = 320;
const MARGIN = 24;
const NAN_COLOUR = "#ff00a8";

/** Averages of blocks, and the extremes of the finite ones. */
interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
  readonly low: number;
  readonly high: number;
}

/**
 * A matrix as a heat map in SVG, with axis names, a scale and a description for those who cannot see it.
 *
 * Rows run down, columns across. Larger matrices are averaged in blocks over their finite elements. Infinities take the
 * colours at the ends of the scale; NaN is crossed out in pink.
 *
 * @param tensor - a real tensor of shape `[rows, columns]`
 * @param options - `colormap`: `"dusk"` (default), `"grey"` or `"poles"`, which has zero in its middle; `maxCells`: most
 *   cells along either axis
 * @returns an SVG document without scripts
 * @throws ArgumentError for another rank, complex tensors, tensors without elements, and unknown colour scales
 * @example
 * ```ts
 * import { toSvgHeatmap } from "nx-numerics/display";
 * const svg = toSvgHeatmap(Nx.tensor([[0, 1], [2, 3]], { names: ["row", "column"] }));
 * svg.slice(0, 4);
 * // => '<svg'
 * svg.match(/<title>[^<]+/)?.[0];
 * // => '<title>s64[row: 2][column: 2], from 0 to 3'
 * svg.match(/#[0-9a-f]{6}(?=" d)/g);
 * // => ['#26124a', '#375b88', '#369e7b', '#fae23c']
 * ```
 * @example
 * ```ts
 * import { toSvgHeatmap } from "nx-numerics/display";
 * toSvgHeatmap(Nx.tensor([1, 2], { names: ["x"] }));
 * // throws ArgumentError: toSvgHeatmap expects a matrix, got s64[x: 2]
 * ```
 */
export function toSvgHeatmap(tensor: Operand, options?: SvgHeatmapOptions): string {
  checkOptions("toSvgHeatmap", options, ["colormap", "maxCells"]);
  const map = checkColormap(options?.colormap ?? "dusk");
  const maxCells = integerOption("toSvgHeatmap", "maxCells", options?.maxCells, 64, 256);
  const t = checkMatrix(asTensor("toSvgHeatmap", tensor));
  const grid = gridOf(t, maxCells);
  const unit = SIDE / Math.max(grid.rows, grid.columns);
  const [width, height] = [grid.columns * unit, grid.rows * unit];
  const box = `0 0 ${round(width + MARGIN + 96)} ${round(Math.max(height, 64) + 2 * MARGIN)}`;
  const label = escapeText(description(t, grid));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${box.split(" ")[2]}" role="img" aria-label="${label}" font-family="sans-serif" font-size="11">`,
    `<title>${label}</title>`,
    `<g transform="translate(${MARGIN} ${MARGIN}) scale(${round(unit)})" shape-rendering="crispEdges">`,
    ...paths(grid, map),
    "</g>",
    ...axisLabels(t, width, height),
    ...legend(t, grid, map, width),
    "</svg>",
  ].join("");
}

function checkColormap(map: unknown): Colormap {
  if (COLORMAPS.includes(map as Colormap)) return map as Colormap;
  throw new ArgumentError(
    `option colormap of toSvgHeatmap must be one of ${COLORMAPS.map(shown).join(", ")}, got: ${shown(map)}`,
  );
}

function checkMatrix(t: Tensor): Tensor {
  const remedy = t.shape.length === 2 ? "" : "; take a part of it or use Nx.reshape";
  if (remedy !== "") throw new ArgumentError(`toSvgHeatmap expects a matrix, got ${headline(t)}${remedy}`);
  if (t.type.startsWith("c")) {
    throw new ArgumentError(`toSvgHeatmap expects a real tensor, got ${headline(t)}; take Nx.abs first`);
  }
  if (hasElements(t)) return t;
  throw new ArgumentError(`toSvgHeatmap expects a tensor with elements, got ${String(t)}`);
}

const round = (x: number): number => Math.round(x * 1000) / 1000;

function gridOf(t: Tensor, maxCells: number): Grid {
  const [height, width] = t.shape as [number, number];
  const step = Math.max(1, Math.ceil(height / maxCells), Math.ceil(width / maxCells));
  const [rows, columns] = [Math.min(height, maxCells, Math.ceil(height / step)), Math.ceil(width / step)];
  const elements = Nx.asType(t, "f64").toFloat64Array();
  const values = new Float64Array(rows * columns);
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = blockMean(elements, width, height, Math.floor(i / columns) * step, (i % columns) * step, step);
    values[i] = value;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? { rows, columns, values, low: 0, high: 0 } : { rows, columns, values, low, high };
}

/** Mean of the finite elements of a block; where there are none an infinity, else NaN. */
function blockMean(
  elements: Float64Array,
  width: number,
  height: number,
  top: number,
  left: number,
  step: number,
): number {
  let [mean, count, other] = [0, 0, NaN];
  for (let row = top; row < Math.min(top + step, height); row++) {
    for (let column = left; column < Math.min(left + step, width); column++) {
      const x = elements[row * width + column]!;
      if (Number.isFinite(x)) mean += x / ++count - mean / count;
      else if (x === x) other = x;
    }
  }
  return count > 0 ? mean : other;
}

/** Where the colours of a scale begin and end; zero is in the middle of "poles". */
function limits({ low, high }: Grid, map: Colormap): readonly [number, number] {
  const reach = Math.max(Math.abs(low), Math.abs(high));
  return map === "poles" ? [-reach, reach] : [low, high];
}

function shadeOf(value: number, [low, high]: readonly [number, number]): number {
  if (value === Infinity) return SHADES - 1;
  if (value === -Infinity) return 0;
  const place = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5; // halves, the span may overflow
  return Math.round(place * (SHADES - 1));
}

/** One path for each colour: runs of cells, as rectangles one unit high. */
function paths(grid: Grid, map: Colormap): string[] {
  const range = limits(grid, map);
  const drawn = new Map<number, string>();
  for (let row = 0; row < grid.rows; row++) {
    const shades = Array.from(grid.values.subarray(row * grid.columns, (row + 1) * grid.columns), (value) =>
      Number.isNaN(value) ? -1 : shadeOf(value, range),
    );
    for (let start = 0, end = 0; start < shades.length; start = end) {
      while (end < shades.length && shades[end] === shades[start]) end++;
      const shape = shades[start]! < 0 ? crosses(start, end, row) : `M${start} ${row}h${end - start}v1H${start}z`;
      drawn.set(shades[start]!, (drawn.get(shades[start]!) ?? "") + shape);
    }
  }
  return [...drawn]
    .sort(([a], [b]) => a - b)
    .map(([shade, d]) => {
      if (shade >= 0) return `<path fill="${colourAt(map, shade / (SHADES - 1))}" d="${d}"/>`;
      return `<path stroke="${NAN_COLOUR}" stroke-width=".12" fill="none" d="${d}"/>`;
    });
}

/** A cross in each of the cells. */
function crosses(start: number, end: number, row: number): string {
  let d = "";
  for (let column = start; column < end; column++) d += `M${column} ${row}l1 1m-1 0l1-1`;
  return d;
}

function axisLabels({ names, shape }: Tensor, width: number, height: number): string[] {
  const text = (axis: number): string =>
    escapeText(names[axis] == null ? `${shape[axis]}` : `${names[axis]}: ${shape[axis]}`);
  const middle = MARGIN + height / 2;
  return [
    `<text x="${round(MARGIN + width / 2)}" y="${MARGIN - 8}" text-anchor="middle" fill="currentColor">${text(1)}</text>`,
    `<text transform="translate(${MARGIN - 8} ${round(middle)}) rotate(-90)" text-anchor="middle" fill="currentColor">${text(0)}</text>`,
  ];
}

/** A strip of the colours with the values at its ends. */
function legend({ type }: Tensor, grid: Grid, map: Colormap, width: number): string[] {
  const [low, high] = limits(grid, map);
  const x = round(MARGIN + width + 12);
  const steps = 12;
  const strip = Array.from({ length: steps }, (_, i) => {
    const fill = colourAt(map, 1 - i / (steps - 1));
    return `<rect x="${x}" y="${round(MARGIN + (i * 64) / steps)}" width="10" height="${round(64 / steps + 0.2)}" fill="${fill}"/>`;
  });
  const text = (value: number, y: number): string =>
    `<text x="${x + 14}" y="${y}" fill="currentColor">${escapeText(limitText(value, type))}</text>`;
  return [...strip, text(high, MARGIN + 9), text(low, MARGIN + 64)];
}

/** A value at an end of the scale: an average need not be an element of an integer type. */
function limitText(value: number, type: Nx.DType): string {
  const integer = /^[su]/.test(type);
  if (integer) return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  return elementText(value, type);
}

function description(t: Tensor, grid: Grid): string {
  const averaged =
    t.shape[0]! > grid.rows || t.shape[1]! > grid.columns ? ` in ${grid.rows} by ${grid.columns} averages` : "";
  return `${headline(t)}, from ${limitText(grid.low, t.type)} to ${limitText(grid.high, t.type)}${averaged}`;
}
