/**
 * Mel filters: bands of frequencies as wide as ears tell them apart.
 */
import type { Unguessed } from "../core/axis-types";
import { defaultFloat } from "../core/default-types";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, integerOption, wordOption } from "../core/options";
import { checkSize, type Name } from "../core/shape";
import { normalizeType, type DType } from "../core/types";
import { tensor } from "../nx/creation";
import { numberOption } from "../nx/elementwise/core";
import type { Tensor } from "../tensor";
import { readNames, readRate } from "./stft";

/** Options of `Nx.Signal.melFilters`. */
export interface MelOptions<M extends Name = Name, Q extends Name = Name> {
  /** Elements of the Fourier transforms whose spectra are filtered. */
  readonly fftLength: number;
  /** Elements of the signal in a second. */
  readonly samplingRate: number;
  /** The lowest frequency in hertz; 0 when left out. */
  readonly lowest?: number;
  /** The highest frequency in hertz; half the sampling rate when left out. */
  readonly highest?: number;
  /** The scale of M. Slaney's Auditory Toolbox, or that of the Hidden Markov Toolkit; `"slaney"` when left out. */
  readonly scale?: "slaney" | "htk";
  /** `"area"`: all bands have the same area; `"peak"`: the same height, 1. `"area"` when left out. */
  readonly norm?: "area" | "peak";
  /** Names of the axes of bands and of frequencies; `"mel"` and `"frequency"` when left out. */
  readonly names?: readonly [M, Q];
  /** A float type; the default one when left out. */
  readonly type?: DType;
}

/** A scale of pitches: mels of frequencies in hertz, and back. */
interface Scale {
  readonly mel: (hertz: number) => number;
  readonly hertz: (mel: number) => number;
}

/** Slaney's scale is linear up to here, with so many hertz a mel, and logarithmic above, with 27 mels for a factor of 6.4. */
const LINEAR_TO = 1000;
const HERTZ = 200 / 3;
const STEP = Math.log(6.4) / 27;

const SCALES: Readonly<Record<"slaney" | "htk", Scale>> = {
  slaney: {
    mel: (hertz) => (hertz < LINEAR_TO ? hertz / HERTZ : LINEAR_TO / HERTZ + Math.log(hertz / LINEAR_TO) / STEP),
    hertz: (mel) => (mel < LINEAR_TO / HERTZ ? mel * HERTZ : LINEAR_TO * Math.exp((mel - LINEAR_TO / HERTZ) * STEP)),
  },
  htk: {
    mel: (hertz) => 2595 * Math.log10(1 + hertz / 700),
    hertz: (mel) => 700 * (10 ** (mel / 2595) - 1),
  },
};

/**
 * Mel filters: weights that make a mel spectrogram of a spectrogram, as triangles that overlap by half.
 *
 * They are those of librosa's `filters.mel`, whose scale and areas are of M. Slaney's Auditory Toolbox (Technical Report 1998-010, Interval
 * Research). NxSignal's `mel_filters` are these, too. A product along the axis `frequency` filters a spectrogram. A band that is narrower than the
 * distance of two frequencies may have no weights.
 *
 * @param bands - number of bands, at least 1
 * @param options - see {@link MelOptions}
 * @returns weights of shape `[bands, fftLength / 2 + 1]` (rounded down), with axes `mel` and `frequency`
 * @throws ArgumentError for a number of bands or of elements that is no positive integer, a sampling rate that is not positive, and frequencies
 *   that are not between 0 and half of it
 * @example
 * ```ts
 * const filters = Nx.Signal.melFilters(4, { fftLength: 16, samplingRate: 8000, norm: "peak" });
 * filters.multiply(100).round();
 * // => #Nx.Tensor<
 * //   f32[mel: 4][frequency: 9]
 * //   [
 * //     [0.0, 93.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
 * //     [0.0, 7.0, 89.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0],
 * //     [0.0, 0.0, 11.0, 96.0, 49.0, 0.0, 0.0, 0.0, 0.0],
 * //     [0.0, 0.0, 0.0, 0.0, 51.0, 98.0, 65.0, 33.0, 0.0]
 * //   ]
 * // >
 * const power = Nx.Signal.spectrogram(Nx.iota([64], { type: "f32" }).sin(), { frameLength: 16, samplingRate: 8000 });
 * Nx.dot(power, filters, { contract: "frequency" }).names;
 * // => ["frame", "mel"]
 * ```
 * @example
 * ```ts
 * Nx.Signal.melFilters(40, { fftLength: 512, samplingRate: 8000, highest: 8000 });
 * // throws ArgumentError: Nx.Signal.melFilters expects 0 <= lowest < highest <= 4000, half the sampling rate, got: 0 and 8000
 * ```
 */
export function melFilters<const M extends Name = "mel", const Q extends Name = "frequency">(
  bands: number,
  options: MelOptions<M, Q>,
): Tensor<readonly [Unguessed<M>, Unguessed<Q>]>;
export function melFilters(bands: number, given: MelOptions): Tensor {
  const fn = "Nx.Signal.melFilters";
  const allowed = ["fftLength", "samplingRate", "lowest", "highest", "scale", "norm", "names", "type"];
  const options = checkOptions(fn, given, allowed) as MelOptions | undefined;
  if (!Number.isSafeInteger(bands) || bands < 1) {
    throw new ArgumentError(`${fn} expects the number of bands as a positive integer, got: ${show(bands)}`);
  }
  if (options?.fftLength === undefined || options.samplingRate === undefined) {
    throw new ArgumentError(`${fn} needs the options fftLength and samplingRate`);
  }
  const fftLength = integerOption(fn, "fftLength", options.fftLength, 0, 1);
  const rate = readRate(fn, options.samplingRate);
  checkSize([bands, Math.floor(fftLength / 2) + 1], `${fn}: weights of shape`);
  const lowest = numberOption(fn, "lowest", options.lowest, 0);
  const highest = numberOption(fn, "highest", options.highest, rate / 2);
  if (!(lowest >= 0 && lowest < highest && highest <= rate / 2)) {
    throw new ArgumentError(
      `${fn} expects 0 <= lowest < highest <= ${rate / 2}, half the sampling rate, got: ${lowest} and ${highest}`,
    );
  }
  const { mel, hertz } = SCALES[wordOption(fn, "scale", options.scale, ["slaney", "htk"], "slaney")];
  const norm = wordOption(fn, "norm", options.norm, ["area", "peak"], "area");
  const [from, to] = [mel(lowest), mel(highest)];
  const edges = Array.from({ length: bands + 2 }, (_, i) => hertz(from + ((to - from) * i) / (bands + 1)));
  const frequencies = Array.from({ length: Math.floor(fftLength / 2) + 1 }, (_, i) => (i * rate) / fftLength);
  const weights = Array.from({ length: bands }, (_, band) => {
    const [low, middle, high] = edges.slice(band, band + 3) as [number, number, number];
    const height = norm === "area" ? 2 / (high - low) : 1;
    const rise = (f: number): number => Math.min((f - low) / (middle - low), (high - f) / (high - middle));
    return frequencies.map((f) => height * Math.max(0, rise(f)));
  });
  const type = options.type === undefined ? defaultFloat() : normalizeType(options.type);
  return tensor(weights, { type, names: readNames(fn, options.names, ["mel", "frequency"]) }) as Tensor;
}
