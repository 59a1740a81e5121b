/**
 * Scales of colours, each a few stops that are mixed linearly. Lightness rises evenly along "dusk" and "grey", so that they
 * read without telling hues apart; "poles" is darkest at both ends and separates them by blue and orange.
 */
import { ArgumentError } from "nx-numerics";
import { shown } from "./common";

/** Names of the scales. */
export type Colormap = "dusk" | "grey" | "poles";

type Rgb = readonly [red: number, green: number, blue: number];

const STOPS: { readonly [C in Colormap]: readonly Rgb[] } = {
  dusk: [
    [38, 18, 74],
    [62, 60, 128],
    [52, 104, 140],
    [36, 146, 134],
    [98, 186, 96],
    [250, 226, 60],
  ],
  grey: [
    [24, 24, 24],
    [245, 245, 245],
  ],
  poles: [
    [14, 58, 112],
    [86, 144, 196],
    [242, 242, 240],
    [226, 140, 72],
    [134, 54, 8],
  ],
};

export const COLORMAPS = Object.keys(STOPS) as readonly Colormap[];

/**
 * The colour at a place of a scale, which {@link toSvgHeatmap} and the plots of `nx-numerics/plot` draw with.
 *
 * @param map - `"dusk"`, `"grey"` or `"poles"`
 * @param place - from 0 to 1; what lies outside takes the colours at the ends
 * @returns the colour as `#rrggbb`
 * @throws ArgumentError for another map, and for a place that is no number
 * @example
 * ```ts
 * import { colourAt } from "nx-numerics/display";
 * [0, 0.5, 2].map((place) => colourAt("grey", place));
 * // => ["#181818", "#878787", "#f5f5f5"]
 * colourAt("gray" as never, 0);
 * // throws ArgumentError: colourAt expects one of "dusk", "grey", "poles" as its map, got: "gray"
 * ```
 */
export function colourAt(map: Colormap, place: number): string {
  if (!COLORMAPS.includes(map)) {
    const words = COLORMAPS.map((word) => JSON.stringify(word)).join(", ");
    throw new ArgumentError(`colourAt expects one of ${words} as its map, got: ${shown(map)}`);
  }
  if (typeof place !== "number" || Number.isNaN(place)) {
    throw new ArgumentError(`colourAt expects its place as a number from 0 to 1, got: ${shown(place)}`);
  }
  const stops = STOPS[map];
  const at = Math.min(Math.max(place, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const mixed = stops[low]!.map((part, i) => Math.round(part + (stops[low + 1]![i]! - part) * (at - low)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
