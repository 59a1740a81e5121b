/**
 * How often values occur.
 */
import * as Plot from "@observablehq/plot";
import * as Nx from "nx-numerics";
import { histogram as countedIn } from "nx-numerics";
import { ArgumentError, type Names, type Tensor } from "nx-numerics";
import { checkOptions, expectOption, headline, numbersOf, realTensor, rowsOf, type SeriesOptions } from "./common";
import { Figure } from "./figure";
import { rangeOf } from "./thin";

/** Options of {@link histogram}. */
export interface HistogramOptions<N extends Names = Names> extends SeriesOptions<N> {
  /** The number of bins of one width, 20 by default. */
  readonly bins?: number;
  /** The first and the last edge of the bins; the least and the largest finite element by default. */
  readonly range?: readonly [low: number, high: number];
  /** Whether bars are densities, whose area is 1, in place of counts. */
  readonly density?: boolean;
}

/**
 * Draws how many elements fall into each of several bins of one width, as `Nx.histogram` counts them: NaN and what lies outside of
 * the bins is left out.
 *
 * @param values - real numbers of any shape, or of two axes with the option `series`, whose bins are the same for all series
 * @param options - `bins`, their number; `range`; `density`; `series` and `labels`; those of {@link PlotOptions}
 * @returns a plot
 * @throws ArgumentError for complex numbers, and for bins that cannot be
 * @example
 * ```ts
 * import { histogram } from "nx-numerics/plot";
 * const figure = histogram(Nx.f32([1, 2, 2, 3, 3, 3], { names: ["sample"] }), { bins: 3, xLabel: "grade" });
 * figure;
 * // => Figure(histogram of f32[sample: 6])
 * const svg = figure.toSvg();
 * svg.match(/↑ count|grade →/g);
 * // => ["↑ count", "grade →"]
 * svg.match(/<g aria-label="rect"[^>]*>(<rect[^>]*>)+/)?.[0].split("<rect").length;
 * // => 4
 * ```
 * @example
 * ```ts
 * import { histogram } from "nx-numerics/plot";
 * histogram(Nx.f32([1, 2]), { bins: 0 });
 * // throws ArgumentError: option bins of histogram must be an integer from 1 to 10000, got: 0
 * ```
 */
export function histogram<N extends Names>(values: Tensor<N>, options?: HistogramOptions<N>): Figure;
export function histogram(values: Tensor, options: HistogramOptions = {}): Figure {
  checkOptions("histogram", options, ["bins", "range", "density", "series", "labels"]);
  const { bins = 20, density = false } = options;
  expectOption("histogram", "bins", bins, "an integer from 1 to 10000", isCount);
  expectOption("histogram", "density", density, "true or false", (value) => typeof value === "boolean");
  const t = realTensor("histogram", values);
  const flat = options.series === undefined ? Nx.reshape(t, [t.size]) : t;
  const { rows } = rowsOf("histogram", flat, options);
  const range = rangeOption(options.range) ?? spreadOf(numbersOf(t));
  const bars = rows.map((row) => countedIn(Nx.f64([...row.values]), { bins, range, density }));
  const isEmpty = bars.every(([counts]) => !numbersOf(counts).some((count) => count > 0));
  return new Figure({
    description: `histogram of ${headline(t)}`,
    options,
    xLabel: null,
    yLabel: density ? "density" : "count",
    ...(isEmpty ? { y: { domain: [0, 1] } } : {}), // a scale without extent would have bars as high as the plot
    series: rows.map(({ label }, i) => {
      const [counts, edges] = bars[i]!.map(numbersOf) as [Float64Array, Float64Array];
      const channels = { x1: edges.subarray(0, -1), x2: edges.subarray(1), y1: 0, y2: counts };
      const fillOpacity = rows.length > 1 ? 0.5 : 1;
      return {
        label,
        paint: (fill) => [
          Plot.rect({ length: counts.length }, { ...channels, fill, fillOpacity, inset: 0.5 }),
          Plot.ruleY([0]),
        ],
      };
    }),
  });
}

const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= 10_000;

/** The least and the greatest value; around it, where these are the same, as wide as `Nx.histogram` makes it or as numbers that large lie apart. */
function spreadOf(values: Float64Array): [low: number, high: number] {
  const [low, high] = rangeOf(values);
  const reach = Math.max(0.5, Math.abs(low) * 2 ** -40);
  return low < high ? [low, high] : [low - reach, high + reach];
}

function rangeOption(range: unknown): readonly [number, number] | undefined {
  if (range === undefined) return undefined;
  const [low, high] = Array.isArray(range) ? (range as unknown[]) : [];
  if (typeof low === "number" && typeof high === "number" && low < high) return [low, high];
  throw new ArgumentError("option range of histogram must be two ascending numbers such as [0, 1]");
}
