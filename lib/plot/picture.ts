/**
 * A picture of pixels as a mark: one element `image` over a part of the frame.
 */
import * as Plot from "@observablehq/plot";
import { pngAddress } from "./png";

/** `[rows, columns, 4]` bytes, the rows from the top. */
export interface Pixels {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly columns: number;
}

/** Corners in the values of both axes. */
export interface Corners {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}

export function picture({ x1, x2, y1, y2 }: Corners, { bytes, rows, columns }: Pixels): Plot.Markish {
  const href = pngAddress(bytes, columns, rows);
  return Plot.rect([0], {
    x1: [x1],
    x2: [x2],
    y1: [y1],
    y2: [y2],
    render(_index, _scales, values, _dimensions, { document }) {
      const [left, right, top, bottom] = [values.x1, values.x2, values.y1, values.y2].map(
        (channel) => channel![0] as number,
      );
      const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
      const attributes = {
        x: Math.min(left!, right!),
        y: Math.min(top!, bottom!),
        width: Math.abs(right! - left!),
        height: Math.abs(bottom! - top!),
        preserveAspectRatio: "none",
        "image-rendering": "pixelated",
        href,
      };
      for (const [name, value] of Object.entries(attributes)) image.setAttribute(name, String(value));
      return image;
    },
  });
}
