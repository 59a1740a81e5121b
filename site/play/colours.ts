/** Colours from dark blue over green to yellow that rise evenly in lightness (viridis). */

type Colour = readonly [red: number, green: number, blue: number];

const STOPS: readonly Colour[] = [
  [68, 1, 84],
  [65, 68, 135],
  [42, 120, 142],
  [34, 168, 132],
  [122, 209, 81],
  [253, 231, 37],
];

/** The colour of a part of the way from the lowest value, 0, to the highest, 1. */
export function colourOf(part: number): Colour {
  const at = Math.min(Math.max(part, 0), 1) * (STOPS.length - 1);
  const below = Math.min(Math.floor(at), STOPS.length - 2);
  const [from, to] = [STOPS[below]!, STOPS[below + 1]!];
  const between = (channel: 0 | 1 | 2): number =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (at - below));
  return [between(0), between(1), between(2)];
}
