/**
 * Tensors that are images.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type AxisOf, type Names, type Tensor } from "nx-numerics";
import { checkLinear, checkOptions, headline, numbersOf, realTensor, type PlotOptions } from "./common";
import { Figure } from "./figure";
import { picture, type Pixels } from "./picture";

/** Options of {@link image}. */
export interface ImageOptions<N extends Names = Names> extends PlotOptions {
  /** The axis of the channels, the last of three by default. */
  readonly channels?: AxisOf<N>;
}

/** Pixels at most along either axis. */
const MOST_PIXELS = 8192;

/**
 * Draws a tensor of pixels as an image: `u8` from 0 to 255, or floats from 0 to 1.
 *
 * @param pixels - `[height, width]` for grey, or three axes of which one has the channels: 1 for grey, 3 for red, green and blue,
 *   4 with opacity, too
 * @param options - `channels`: the axis of the channels, the last one by default; those of {@link PlotOptions}
 * @returns a plot without axes
 * @throws ArgumentError for other shapes and types, and for floats outside of 0 and 1
 * @example
 * ```ts
 * import { image } from "nx-numerics/plot";
 * const stripes = Nx.tensor([[[255, 0, 0], [0, 0, 255]]], { type: "u8", names: ["y", "x", "channel"] });
 * const figure = image(stripes);
 * figure;
 * // => Figure(image of u8[y: 1][x: 2][channel: 3])
 * figure.toSvg().match(/<image [^>]*height="310"/)?.length;
 * // => 1
 * ```
 * @example
 * ```ts
 * import { image } from "nx-numerics/plot";
 * image(Nx.tensor([[0, 300]], { names: ["y", "x"] }));
 * // throws ArgumentError: image expects u8 from 0 to 255 or floats from 0 to 1, got s64[y: 1][x: 2]; cast it by Nx.asType(pixels, "u8")
 * image(Nx.f32([[0, 300]]));
 * // throws ArgumentError: image expects floats from 0 to 1, got f32[1][2] from 0 to 300; divide them by 255
 * ```
 */
export function image<N extends Names>(pixels: Tensor<N>, options?: ImageOptions<N>): Figure;
export function image(pixels: Tensor, options: ImageOptions = {}): Figure {
  checkOptions("image", options, ["channels"]);
  checkLinear("image", options);
  const t = channelsLast(realTensor("image", pixels), options.channels);
  const [rows, columns] = t.shape as [number, number];
  if (Math.max(rows, columns) > MOST_PIXELS) {
    throw new ArgumentError(`image draws at most ${MOST_PIXELS} pixels a side, got ${headline(t)}; take a part of it`);
  }
  const bytes = { rows, columns, bytes: rgbaOf(bytesOf(t), t.shape[2] ?? 1) } satisfies Pixels;
  const corners = { x1: 0, x2: columns, y1: 0, y2: rows };
  return new Figure({
    description: `image of ${headline(pixels)}`,
    options,
    xLabel: null,
    yLabel: null,
    axes: false,
    x: { domain: [0, columns] },
    y: { domain: [rows, 0] },
    series: [{ label: null, paint: () => [picture(corners, bytes)] }],
    aspect: rows / columns,
  });
}

function channelsLast(t: Tensor, channels: AxisOf<Names> | undefined): Tensor {
  const last = channels === undefined ? t : Nx.moveAxis(t, channels, -1);
  const isImage = t.rank === 2 || (t.rank === 3 && [1, 3, 4].includes(last.shape[2]!));
  if (isImage && !(t.rank === 2 && channels !== undefined)) return last;
  throw new ArgumentError(
    `image expects [height, width], or three axes with 1, 3 or 4 channels in the last one or in that of the option channels, ` +
      `got ${headline(t)}`,
  );
}

/** Elements as bytes. */
function bytesOf(t: Tensor): Uint8Array {
  const values = numbersOf(t);
  if (t.type === "u8") return Uint8Array.from(values);
  if (!/^b?f/.test(t.type)) {
    throw new ArgumentError(
      `image expects u8 from 0 to 255 or floats from 0 to 1, got ${headline(t)}; cast it by Nx.asType(pixels, "u8")`,
    );
  }
  const [low, high] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [0, 0]);
  const slack = 1e-3; // of sums of weights, and of half floats
  if (low >= -slack && high <= 1 + slack)
    return Uint8Array.from(values, (v) => Math.min(255, Math.max(0, Math.round(v * 255))));
  const got = Number.isNaN(low)
    ? "with NaN; Nx.where puts others in their place"
    : `from ${low} to ${high}; divide them by 255`;
  throw new ArgumentError(`image expects floats from 0 to 1, got ${headline(t)} ${got}`);
}

/** Red, green, blue and opacity of each pixel. */
function rgbaOf(bytes: Uint8Array, channels: number): Uint8Array {
  const count = bytes.length / channels;
  const all = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) all[4 * i + c] = bytes[i * channels + (channels === 1 ? 0 : c)]!;
    all[4 * i + 3] = channels === 4 ? bytes[i * channels + 3]! : 255;
  }
  return all;
}
