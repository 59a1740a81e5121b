/**
 * Points of two coordinates.
 */
import * as Plot from "@observablehq/plot";
import { ArgumentError, type Names, type Operand, type Tensor } from "nx-numerics";
import type { Colormap } from "nx-numerics/display";
import {
  checkLabels,
  checkOptions,
  expectOption,
  headline,
  numbersOf,
  realTensor,
  rowsOf,
  type SeriesOptions,
} from "./common";
import { checkColormap, limitsOf, placeIn } from "./colouring";
import { Figure, rgba, type Series } from "./figure";
import { checkAlike } from "./line";
import { apart } from "./thin";

/** Options of {@link scatter}. */
export interface ScatterOptions<N extends Names = Names> extends SeriesOptions<N> {
  /** The number of each point's group from 0 on, of the shape of the points; `labels` name the groups. */
  readonly groups?: Tensor;
  /** A number for each point, which a scale of colours shows. */
  readonly color?: Tensor;
  /** The scale of `color`: `"dusk"` (default), `"grey"` or `"poles"`. */
  readonly colormap?: Colormap;
  /** Radius of the points in pixels, 3 by default. */
  readonly radius?: number;
}

/**
 * Draws a point for each pair of elements of two tensors. Points with NaN are left out, and points that lie within a pixel of
 * another one of their colour are drawn once.
 *
 * @param x - real numbers of shape `[point]`, or of two axes with the option `series`
 * @param y - the same shape
 * @param options - `series` and `labels`; or `groups`, the number of each point's group; or `color`, a number for each point, with
 *   `colormap`; `radius`; those of {@link PlotOptions}
 * @returns a plot
 * @throws ArgumentError for other ranks, different shapes or names, and complex numbers
 * @example
 * ```ts
 * import { scatter } from "nx-numerics/plot";
 * const [beak, mass] = [Nx.f32([39, 46, 50], { names: ["penguin"] }), Nx.f32([3750, 3500, 5400], { names: ["penguin"] })];
 * const figure = scatter(beak, mass, { groups: Nx.tensor([0, 0, 1]), labels: ["Adelie", "Gentoo"], xLabel: "mm" });
 * figure;
 * // => Figure(scatter of f32[penguin: 3] by f32[penguin: 3])
 * const svg = figure.toSvg();
 * svg.match(/Adelie|Gentoo|mm →/g);
 * // => ["Adelie", "Gentoo", "mm →"]
 * svg.match(/<circle/g)?.length; // two of them in the legend
 * // => 5
 * ```
 * @example
 * ```ts
 * import { scatter } from "nx-numerics/plot";
 * scatter(Nx.f32([1, 2], { names: ["left"] }), Nx.f32([1, 2], { names: ["right"] }));
 * // throws ArgumentError: scatter expects two tensors of one shape, got f32[left: 2] and f32[right: 2]
 * ```
 */
export function scatter<N extends Names>(x: Tensor<N>, y: Tensor, options?: ScatterOptions<N>): Figure;
export function scatter(x: Tensor, y: Tensor, options: ScatterOptions = {}): Figure {
  checkOptions("scatter", options, ["series", "labels", "groups", "color", "colormap", "radius"]);
  expectOption(
    "scatter",
    "radius",
    options.radius,
    "a number of pixels above 0",
    (r) => typeof r === "number" && r > 0,
  );
  const [across, up] = [realTensor("scatter", x), realTensor("scatter", y)];
  checkAlike("scatter", across, up);
  const chosen = (["series", "groups", "color"] as const).filter((key) => options[key] !== undefined);
  if (chosen.length > 1) throw new ArgumentError(`scatter takes one of the options ${chosen.join(" and ")}, not both`);
  const common = {
    description: `scatter of ${headline(across)} by ${headline(up)}`,
    options,
    xLabel: null,
    yLabel: null,
  };
  if (options.color === undefined) return new Figure({ ...common, series: seriesOf(across, up, options) });
  const values = numbersOf(checked("color", across, options.color));
  const colormap = checkColormap("scatter", options.colormap);
  const [low, high] = limitsOf(values, colormap);
  const colours = Array.from(values, (value) => hex(rgba(colormap, placeIn(value, low, high))));
  const [xs, ys] = [numbersOf(across), numbersOf(up)];
  const paint = () => [dots(xs, ys, colours, options)];
  return new Figure({ ...common, series: [{ label: null, paint }], ramp: { colormap, low, high } });
}

const hex = ([red, green, blue]: readonly number[]): string =>
  `#${((1 << 24) | (red! << 16) | (green! << 8) | blue!).toString(16).slice(1)}`;

/** A tensor that says something of each point. */
function checked(key: string, points: Tensor, given: Operand): Tensor {
  const t = realTensor("scatter", given);
  if (points.rank === 1) checkAlike(`scatter with the option ${key}`, points, t);
  else throw new ArgumentError(`scatter with the option ${key} expects vectors, got ${headline(points)}`);
  return t;
}

function seriesOf(x: Tensor, y: Tensor, options: ScatterOptions): Series[] {
  if (options.groups !== undefined) return groupsOf(x, y, options.groups, options);
  const [across, up] = [rowsOf("scatter", x, options), rowsOf("scatter", y, options)];
  return across.rows.map(({ label, values }, i) => ({
    label,
    paint: (colour) => [dots(values, up.rows[i]!.values, colour, options)],
  }));
}

function groupsOf(x: Tensor, y: Tensor, groups: Tensor, options: ScatterOptions): Series[] {
  const numbers = numbersOf(checked("groups", x, groups));
  const count = numbers.reduce((most, one) => Math.max(most, one + 1), options.labels?.length ?? 0);
  if (/^(f|bf)/.test(groups.type) || numbers.some((one) => one < 0) || count > 64) {
    throw new ArgumentError(`option groups of scatter must be integers from 0 to 63, got ${headline(groups)}`);
  }
  checkLabels("scatter", options.labels, count);
  const [xs, ys] = [numbersOf(x), numbersOf(y)];
  return Array.from({ length: count }, (_, group) => {
    const isMember = (__: number, i: number): boolean => numbers[i] === group;
    const [across, up] = [xs.filter(isMember), ys.filter(isMember)];
    return {
      label: options.labels?.[group] ?? String(group),
      paint: (colour: string) => [dots(across, up, colour, options)],
    };
  });
}

function dots(
  x: Float64Array,
  y: Float64Array,
  colour: string | readonly string[],
  { width = 640, radius = 3 }: ScatterOptions,
): Plot.Markish {
  const kept = apart(x, y, Math.ceil(width));
  const fill = typeof colour === "string" ? colour : Array.from(kept, (i) => colour[i]!);
  return Plot.dot(
    { length: kept.length },
    {
      x: Float64Array.from(kept, (i) => x[i]!),
      y: Float64Array.from(kept, (i) => y[i]!),
      fill,
      r: radius,
    },
  );
}
