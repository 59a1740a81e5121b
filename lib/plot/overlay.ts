/**
 * Several plots in one frame.
 */
import { ArgumentError } from "nx-numerics";
import { checkOptions, shown, type PlotOptions } from "./common";
import { Figure } from "./figure";

/**
 * Draws plots over each other in one frame, with one legend; the later ones lie on top.
 *
 * @param figures - plots whose axes mean the same; labels and scales are those of the first that has them
 * @param options - what holds for the whole, in place of the options of the first
 * @returns a plot
 * @throws ArgumentError for what is no list of plots
 * @example
 * ```ts
 * import { line, overlay, scatter } from "nx-numerics/plot";
 * const x = Nx.f32([0, 1, 2, 3], { names: ["x"] });
 * const fit = overlay([
 *   scatter(x, Nx.f32([0.1, 0.9, 2.2, 2.9]), { labels: ["measured"] }),
 *   line(x, { x, labels: ["fitted"] }),
 * ]);
 * fit;
 * // => Figure(scatter of f32[x: 4] by f32[4]; line of f32[x: 4])
 * fit.toSvg().match(/measured|fitted/g);
 * // => ["measured", "fitted"]
 * overlay([]);
 * // throws ArgumentError: overlay expects a list of plots, got: []
 * ```
 */
export function overlay(figures: readonly Figure[], options?: PlotOptions): Figure {
  const isList = Array.isArray(figures) && figures.length > 0 && figures.every((one) => one instanceof Figure);
  if (!isList) throw new ArgumentError(`overlay expects a list of plots, got: ${shown(figures)}`);
  checkOptions("overlay", options, []);
  const all = figures.map(Figure.drawingOf);
  const first = all[0]!;
  const firstOf = <T>(pick: (one: (typeof all)[number]) => T): T | undefined =>
    all.map(pick).find((value) => value != null);
  const ramp = firstOf((one) => one.ramp);
  return new Figure({
    ...first,
    description: all.map((one) => one.description).join("; "),
    options: { ...first.options, ...options },
    xLabel: firstOf((one) => one.options.xLabel ?? one.xLabel) ?? null,
    yLabel: firstOf((one) => one.options.yLabel ?? one.yLabel) ?? null,
    series: all.flatMap((one) => one.series),
    ...(ramp === undefined ? {} : { ramp }),
  });
}
