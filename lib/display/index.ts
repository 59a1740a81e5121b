/**
 * `nx-numerics/display`: tensors in notebooks and on web pages, as tables of HTML and as heat maps in SVG.
 */
export { colourAt } from "./colours";
export { toSvgHeatmap, type Colormap, type SvgHeatmapOptions } from "./heatmap";
export { installDisplay, toMimeBundle, type DisplayOptions, type MimeBundle } from "./notebook";
export { toHtml, type HtmlOptions } from "./table";
