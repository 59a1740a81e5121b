/**
 * Matrices in colours.
 */
import { ArgumentError, type Tensor } from "nx-numerics";
import type { Colormap } from "nx-numerics/display";
import { checkColormap, limitsOf, pixelsOf } from "./colouring";
import {
  checkLinear,
  checkOptions,
  expectOption,
  headline,
  numbersOf,
  positionsOf,
  realTensor,
  shown,
  type PlotOptions,
  type Positions,
} from "./common";
import { Figure } from "./figure";
import { picture } from "./picture";

/** Options of {@link heatmap}. */
export interface HeatmapOptions extends PlotOptions {
  /** `"dusk"`, from dark violet to yellow (default); `"grey"`; `"poles"`, blue below and orange above zero, which lies in the middle. */
  readonly colormap?: Colormap;
  /** The values at the ends of the scale of colours; the least and the greatest element by default. */
  readonly colorDomain?: readonly [low: number, high: number];
  /** Where the columns stand: as many evenly spaced numbers; their indices by default. */
  readonly x?: Positions;
  /** Where the rows stand, ascending upwards; without it their indices, downwards. */
  readonly y?: Positions;
}

/** Cells at most along either axis; blocks of larger matrices are averaged. */
const MOST_CELLS = 1024;

/** The cells of a picture, the rows from the top. */
interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

/**
 * Draws a matrix as a picture in which colours are numbers: rows run down and columns across, as tensors print; with positions of the
 * rows these ascend upwards, as on a map. NaN is clear. Blocks of matrices beyond 1024 cells a side are averaged.
 *
 * @param matrix - real numbers of shape `[rows, columns]`
 * @param options - `colormap` and `colorDomain`; `x`, `y`: evenly spaced positions of columns and rows; those of {@link PlotOptions}
 * @returns a plot with the axes' names at them and the scale beside it
 * @throws ArgumentError for other ranks, complex numbers, and positions that are not evenly spaced
 * @example
 * ```ts
 * import { heatmap } from "nx-numerics/plot";
 * const figure = heatmap(Nx.iota([3, 4], { names: ["north", "east"] }));
 * figure;
 * // => Figure(heat map of s64[north: 3][east: 4], from 0 to 11)
 * figure.toSvg().match(/↑ north|↓ north|east →|<image/g);
 * // => ["<image", "↓ north", "east →", "<image"]
 * ```
 * @example
 * ```ts
 * import { heatmap } from "nx-numerics/plot";
 * heatmap(Nx.iota([4], { names: ["east"] }));
 * // throws ArgumentError: heatmap expects a matrix, got s64[east: 4]
 * heatmap(Nx.iota([2, 3]), { x: [0, 1, 5] });
 * // throws ArgumentError: option x of heatmap must be evenly spaced, got: [0, 1, 5]
 * ```
 */
export function heatmap(matrix: Tensor, options: HeatmapOptions = {}): Figure {
  checkOptions("heatmap", options, ["colormap", "colorDomain", "x", "y"]);
  checkLinear("heatmap", options);
  const t = realTensor("heatmap", matrix);
  if (t.rank !== 2)
    throw new ArgumentError(`heatmap expects a matrix, got ${headline(t)}${t.rank > 2 ? "; take a part of it" : ""}`);
  const colormap = checkColormap("heatmap", options.colormap);
  const isRange = (v: unknown): boolean =>
    Array.isArray(v) && v.length === 2 && v.every((one) => typeof one === "number");
  expectOption("heatmap", "colorDomain", options.colorDomain, "two numbers such as [0, 1]", isRange);
  const all = numbersOf(t);
  const [low, high] = options.colorDomain ?? limitsOf(all, colormap);
  const [rowName, columnName] = t.names as [string | null, string | null];
  const [top, bottom] = spanOf("y", options.y, t.shape[0]!, rowName);
  const [left, right] = spanOf("x", options.x, t.shape[1]!, columnName);
  const isDown = options.y === undefined;
  const grid = flipped(averaged(all, t.shape[0]!, t.shape[1]!), !isDown && top < bottom, left > right);
  const pixels = { ...grid, bytes: pixelsOf(grid.values, colormap, low, high) };
  const cells = {
    x1: Math.min(left, right),
    x2: Math.max(left, right),
    y1: Math.min(top, bottom),
    y2: Math.max(top, bottom),
  };
  return new Figure({
    description: `heat map of ${headline(t)}, from ${short(low)} to ${short(high)}`,
    options,
    xLabel: columnName,
    yLabel: rowName,
    yDown: isDown,
    x: { domain: [cells.x1, cells.x2], grid: false },
    y: { domain: isDown ? [cells.y2, cells.y1] : [cells.y1, cells.y2], grid: false },
    series: [{ label: null, paint: () => [picture(cells, pixels)] }],
    ramp: { colormap, low, high },
    aspect: Math.min(1.2, Math.max(0.2, t.shape[0]! / t.shape[1]!)),
  });
}

const short = (value: number): string => String(Number(value.toPrecision(6)));

/** Where cells begin and end that have their middle at these positions. */
function spanOf(key: "x" | "y", given: unknown, count: number, name: string | null): [from: number, to: number] {
  const at = positionsOf("heatmap", key, given, count, name);
  const places = Float64Array.from(at, Number);
  const step = count > 1 ? (places[count - 1]! - places[0]!) / (count - 1) : 1;
  const isEven =
    step !== 0 && places.every((place, i) => Math.abs(place - places[0]! - i * step) <= Math.abs(step) * 0.01);
  if (!isEven) throw new ArgumentError(`option ${key} of heatmap must be evenly spaced, got: ${shown(given)}`);
  return [places[0]! - step / 2, places[count - 1]! + step / 2];
}

/** The matrix, or the means of the finite elements of its blocks. */
function averaged(values: Float64Array, height: number, width: number): Grid {
  const [down, across] = [Math.ceil(height / MOST_CELLS), Math.ceil(width / MOST_CELLS)];
  if (down === 1 && across === 1) return { rows: height, columns: width, values };
  const [rows, columns] = [Math.ceil(height / down), Math.ceil(width / across)];
  const sums = new Float64Array(rows * columns);
  const counts = new Float64Array(rows * columns);
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    const cell = Math.floor(Math.floor(i / width) / down) * columns + Math.floor((i % width) / across);
    sums[cell]! += value;
    counts[cell]!++;
  });
  return { rows, columns, values: sums.map((sum, i) => sum / counts[i]!) };
}

/** The rows from below, the columns from the right. */
function flipped({ rows, columns, values }: Grid, isUp: boolean, isLeft: boolean): Grid {
  if (!isUp && !isLeft) return { rows, columns, values };
  const turned = values.map((_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    return values[(isUp ? rows - 1 - row : row) * columns + (isLeft ? columns - 1 - column : column)]!;
  });
  return { rows, columns, values: turned };
}
