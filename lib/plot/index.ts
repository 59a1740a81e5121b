/**
 * `nx-numerics/plot`: lines, bands, points, histograms, heat maps and images straight from named tensors, drawn by Observable Plot
 * (`@observablehq/plot`, an optional peer) as SVG: text in every host, elements in a page.
 */
export type { PlotOptions, Positions, SeriesOptions } from "./common";
export { Figure, type DocumentLike, type SvgElement } from "./figure";
export { heatmap, type HeatmapOptions } from "./heatmap";
export { histogram, type HistogramOptions } from "./histogram";
export { image, type ImageOptions } from "./image";
export { band, line, type LineOptions } from "./line";
export { overlay } from "./overlay";
export { scatter, type ScatterOptions } from "./scatter";
