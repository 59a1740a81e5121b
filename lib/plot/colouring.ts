/**
 * Numbers as colours: scales, where they begin and end, and pixels of a matrix.
 */
import { ArgumentError } from "nx-numerics";
import type { Colormap } from "nx-numerics/display";
import { shown } from "./common";
import { rgba } from "./figure";
import { rangeOf } from "./thin";

const COLORMAPS: readonly Colormap[] = ["dusk", "grey", "poles"];

export function checkColormap(fn: string, map: unknown): Colormap {
  if (map === undefined) return "dusk";
  if (COLORMAPS.includes(map as Colormap)) return map as Colormap;
  throw new ArgumentError(
    `option colormap of ${fn} must be one of ${COLORMAPS.map(shown).join(", ")}, got: ${shown(map)}`,
  );
}

/** The values at the ends of a scale; zero is in the middle of "poles". */
export function limitsOf(values: Float64Array, map: Colormap): [low: number, high: number] {
  const [low, high] = rangeOf(values);
  if (map !== "poles") return [low, high];
  const reach = Math.max(Math.abs(low), Math.abs(high));
  return [-reach, reach];
}

/** From 0 to 1; infinities lie at the ends. */
export function placeIn(value: number, low: number, high: number): number {
  if (!(high > low)) return 0.5;
  return Math.min(1, Math.max(0, (value / 2 - low / 2) / (high / 2 - low / 2))); // halves, as the span may overflow
}

/** Pixels of a matrix; those of NaN are clear. */
export function pixelsOf(values: Float64Array, colormap: Colormap, low: number, high: number): Uint8Array {
  const pixels = new Uint8Array(4 * values.length);
  values.forEach((value, i) => {
    if (!Number.isNaN(value)) pixels.set(rgba(colormap, placeIn(value, low, high)), 4 * i);
  });
  return pixels;
}
