/**
 * Lines, and bands between two lines.
 */
import { areaY, line as lineMark } from "@observablehq/plot";
import { ArgumentError, type Names, type Tensor } from "nx-numerics";
import { checkOptions, headline, positionsOf, realTensor, rowsOf, type Positions, type SeriesOptions } from "./common";
import { Figure } from "./figure";
import { thinned } from "./thin";

/** Options of {@link line} and {@link band}. */
export interface LineOptions<N extends Names = Names> extends SeriesOptions<N> {
  /** Where the elements stand on the horizontal axis: a vector, or a list of numbers or dates; their indices by default. */
  readonly x?: Positions;
}

const OPTIONS = ["x", "series", "labels"];

/**
 * Draws a line through the elements of a vector, or a line for each entry of one axis of a matrix. NaN makes a gap.
 *
 * Lines of more elements than the picture has columns keep the extremes in each column, so that they look as they would.
 *
 * @param y - real numbers of shape `[x]`, or of two axes with the option `series`
 * @param options - `x`: positions along the axis; `series`: the axis whose entries are lines of their own, and their `labels`;
 *   those of {@link PlotOptions}
 * @returns a plot; the name of the axis stands at it
 * @throws ArgumentError for other ranks, complex numbers, and positions or labels of another number
 * @example
 * ```ts
 * import { line } from "nx-numerics/plot";
 * const temperature = Nx.tensor([[3, 8, 15, 20], [9, 13, 20, 27]], { names: ["city", "month"] });
 * const figure = line(temperature, { series: "city", labels: ["Oslo", "Rome"], yLabel: "°C" });
 * figure;
 * // => Figure(line of s64[city: 2][month: 4])
 * const svg = figure.toSvg();
 * svg.match(/Oslo|Rome|month →|↑ °C/g);
 * // => ["Oslo", "Rome", "↑ °C", "month →"]
 * svg.match(/aria-label="line"/g)?.length;
 * // => 2
 * ```
 * @example
 * ```ts
 * import { line } from "nx-numerics/plot";
 * line(Nx.tensor([[1, 2], [3, 4]], { names: ["city", "month"] }));
 * // throws ArgumentError: line expects a vector, or a matrix and the option series, the axis whose entries are drawn in colours of their own; got s64[city: 2][month: 2]; write series: "city" or "month"
 * ```
 */
export function line<N extends Names>(y: Tensor<N>, options?: LineOptions<N>): Figure;
export function line(y: Tensor, options: LineOptions = {}): Figure {
  checkOptions("line", options, OPTIONS);
  const t = realTensor("line", y);
  const { rows, length, name } = rowsOf("line", t, options);
  const x = positionsOf("line", "x", options.x, length, name);
  return new Figure({
    description: `line of ${headline(t)}`,
    options,
    xLabel: name,
    yLabel: null,
    series: rows.map(({ label, values }) => ({
      label,
      paint: (stroke) => {
        const kept = thinned(x, values, columnsOf(options));
        return [lineMark({ length: kept.y.length }, { ...kept, stroke })];
      },
    })),
  });
}

const columnsOf = ({ width = 640 }: LineOptions): number => Math.ceil(width);

/**
 * Fills the band between two vectors, or a band for each entry of one axis of two matrices: an interval around a line, which
 * {@link overlay} draws on it. A band without a label has the colour of what is drawn on it.
 *
 * @param low - real numbers of shape `[x]`, or of two axes with the option `series`
 * @param high - the same shape and names
 * @param options - those of {@link line}
 * @returns a plot
 * @throws ArgumentError for other ranks, different shapes or names, and complex numbers
 * @example
 * ```ts
 * import { band, line, overlay } from "nx-numerics/plot";
 * const mean = Nx.f32([1, 2, 4], { names: ["day"] });
 * const figure = overlay([band(mean.subtract(0.5), mean.add(0.5)), line(mean)]);
 * figure;
 * // => Figure(band between f32[day: 3] and f32[day: 3]; line of f32[day: 3])
 * figure.toSvg().match(/aria-label="(area|line)"/g);
 * // => ['aria-label="area"', 'aria-label="line"']
 * ```
 * @example
 * ```ts
 * import { band } from "nx-numerics/plot";
 * band(Nx.f32([1, 2], { names: ["day"] }), Nx.f32([1, 2, 3], { names: ["day"] }));
 * // throws ArgumentError: band expects two tensors of one shape, got f32[day: 2] and f32[day: 3]
 * ```
 */
export function band<N extends Names>(low: Tensor<N>, high: Tensor<N>, options?: LineOptions<N>): Figure;
export function band(low: Tensor, high: Tensor, options: LineOptions = {}): Figure {
  checkOptions("band", options, OPTIONS);
  const [from, to] = [realTensor("band", low), realTensor("band", high)];
  checkAlike("band", from, to);
  const lower = rowsOf("band", from, options);
  const upper = rowsOf("band", to, options);
  const x = positionsOf("band", "x", options.x, lower.length, lower.name ?? upper.name);
  return new Figure({
    description: `band between ${headline(from)} and ${headline(to)}`,
    options,
    xLabel: lower.name ?? upper.name,
    yLabel: null,
    series: lower.rows.map(({ label, values }, i) => ({
      label,
      isUnder: true,
      paint: (fill) => [
        areaY({ length: values.length }, { x, y1: values, y2: upper.rows[i]!.values, fill, fillOpacity: 0.25 }),
      ],
    })),
  });
}

/** Refuses two tensors of different shapes, or whose axes have different names. */
export function checkAlike(fn: string, left: Tensor, right: Tensor): void {
  const isAlike = (axis: number): boolean => {
    const [a, b] = [left.names[axis], right.names[axis]];
    return left.shape[axis] === right.shape[axis] && (a == null || b == null || a === b);
  };
  if (left.rank === right.rank && left.shape.every((_, axis) => isAlike(axis))) return;
  throw new ArgumentError(`${fn} expects two tensors of one shape, got ${headline(left)} and ${headline(right)}`);
}
