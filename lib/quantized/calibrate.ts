/**
 * Formats chosen for numbers: from a range, or from data.
 */
import { ArgumentError, show } from "../core/errors";
import { booleanOption, checkOptions, wordOption } from "../core/options";
import { reshapeTo, rowsAlong, sliceAlong } from "../nx/aggregates/core";
import { all } from "../nx/aggregates";
import { toNumber } from "../nx/conversion";
import { abs, isFinite as areFinite } from "../nx/elementwise";
import { sort } from "../nx/ndim";
import type { Operand, Tensor } from "../tensor";
import { realTensor } from "./create";
import { FORMAT_TYPES, limitsOf, type Format, type FormatType, type FxFormat, type Sa8Format } from "./format";
import { cast } from "../nx/dispatch";

/** Options of `Nx.Quantized.formatForRange`. */
export interface RangeOptions {
  /** The format to choose numbers for, `"sa8"` when left out. */
  readonly type?: FormatType;
  /** Whether 0 is to be the element 0, so that the zero point is 0; false when left out. `fx8` and `fx16` are always symmetric. */
  readonly symmetric?: boolean;
}

/** Options of `Nx.Quantized.calibrate`. */
export interface CalibrateOptions extends RangeOptions {
  /** What of the data has to be held: all of it, `"minMax"` (default), or what lies between percentiles, `"percentile"`. */
  readonly method?: "minMax" | "percentile";
  /**
   * With the method `"percentile"`: above 50, at most 100, and 99.9 when left out. Of symmetric formats it is that of the
   * magnitudes, of others as many percent are cut from below as from above.
   */
  readonly percentile?: number;
}

/** The kind of format that options ask for. */
export type Chosen<O extends RangeOptions> = O extends { readonly type: infer T extends FormatType }
  ? T extends "sa8"
    ? Sa8Format
    : FxFormat
  : "type" extends keyof O
    ? Format
    : Sa8Format;

/**
 * A format that holds all numbers of a range with the smallest steps.
 *
 * An `sa8` range is widened to hold 0, so that 0 has an element of its own; its scale has 15 digits. `fx8` and `fx16` get as
 * many fractional bits as leave room for the larger end.
 *
 * @param low - the lower end
 * @param high - the upper end, not below the lower one
 * @param options - `type`: `"sa8"` (default), `"fx8"` or `"fx16"`; `symmetric`: whether the zero point of `sa8` is to be 0
 * @returns a format
 * @throws ArgumentError for ends that are not finite or in the wrong order
 * @example
 * ```ts
 * Nx.Quantized.formatForRange(-1, 3);
 * // => { type: 'sa8', scale: 16448, scaleFracBits: 20, zeroPoint: -64 }
 * Nx.Quantized.formatForRange(-1, 3, { symmetric: true });
 * // => { type: 'sa8', scale: 24770, scaleFracBits: 20, zeroPoint: 0 }
 * Nx.Quantized.formatForRange(-1, 3, { type: "fx16" });
 * // => { type: 'fx16', fracBits: 13 }
 * ```
 * @example
 * ```ts
 * Nx.Quantized.formatForRange(3, -1);
 * // throws ArgumentError: Nx.Quantized.formatForRange expects two finite numbers, the lower one first, got: 3 and -1
 * ```
 */
export function formatForRange<O extends RangeOptions = object>(low: number, high: number, options?: O): Chosen<O>;
export function formatForRange(low: number, high: number, options?: RangeOptions): Format {
  const fn = "Nx.Quantized.formatForRange";
  const isRange = Number.isFinite(low) && Number.isFinite(high) && low <= high;
  if (!isRange || typeof low !== "number" || typeof high !== "number") {
    throw new ArgumentError(
      `${fn} expects two finite numbers, the lower one first, got: ${show(low)} and ${show(high)}`,
    );
  }
  options = checkOptions(fn, options, ["type", "symmetric"]);
  return chosen(low, high, readRange(fn, options));
}

interface Wanted {
  readonly type: FormatType;
  readonly symmetric: boolean;
}

function readRange(fn: string, options: RangeOptions | undefined): Wanted {
  const type = wordOption(fn, "type", options?.type, FORMAT_TYPES, "sa8");
  const symmetric = booleanOption(fn, "symmetric", options?.symmetric, type !== "sa8");
  if (type === "sa8" || symmetric) return { type, symmetric };
  throw new ArgumentError(`option symmetric of ${fn} must be true or left out for ${type}, which has no zero point`);
}

function chosen(low: number, high: number, { type, symmetric }: Wanted): Format {
  const size = Math.max(-low, high, 0);
  if (type !== "sa8") return Object.freeze({ type, fracBits: fracBitsFor(size, type) });
  if (symmetric) return Object.freeze({ type, ...scaleFor(size / 127), zeroPoint: 0 });
  const [from, to] = [Math.min(low, 0), Math.max(high, 0)];
  const scale = scaleFor(to / 255 - from / 255);
  const zero = Math.round(-128 - from / (scale.scale * 2 ** -scale.scaleFracBits));
  return Object.freeze({ type, ...scale, zeroPoint: Math.min(Math.max(zero, -128), 127) });
}

/** The exponent of a positive number: the power of two that is not above it. */
function exponentOf(x: number): number {
  const guess = Math.floor(Math.log2(x)); // may be off by one next to a power of two
  return 2 ** guess > x ? guess - 1 : 2 ** (guess + 1) <= x ? guess + 1 : guess;
}

const within = (bits: number): number => Math.min(Math.max(bits, -128), 127);

/** The most fractional bits with which a magnitude does not overflow. */
function fracBitsFor(size: number, type: FxFormat["type"]): number {
  const [, largest] = limitsOf(type);
  if (size === 0) return Math.log2(largest + 1);
  const most = exponentOf(largest) - exponentOf(size);
  return within(size * 2 ** most <= largest ? most : most - 1);
}

/**
 * A step as a scale of 15 digits; all zeros have the step 1. Very small steps have fewer digits, and are rounded up: what is
 * lost by rounding down, 255 times over, would be more than a step.
 */
function scaleFor(step: number): Pick<Sa8Format, "scale" | "scaleFracBits"> {
  if (step === 0) return { scale: 1, scaleFracBits: 0 };
  const digits = 14 - exponentOf(step);
  const scaleFracBits = within(digits);
  const scale = (digits > scaleFracBits ? Math.ceil : Math.round)(step * 2 ** scaleFracBits);
  if (scale === 32768 && scaleFracBits > -128) return { scale: 16384, scaleFracBits: scaleFracBits - 1 };
  return { scale: Math.min(Math.max(scale, 1), 32767), scaleFracBits };
}

/**
 * A format chosen from data: from its least and its largest element, or from percentiles, which let outliers saturate so that
 * all others are finer.
 *
 * The data is read, so this cannot be done inside of functions that are traced.
 *
 * @param tensor - a real tensor of finite numbers
 * @param options - `type`: `"sa8"` (default), `"fx8"` or `"fx16"`; `symmetric`: whether the zero point of `sa8` is to be 0;
 *   `method`: `"minMax"` (default) or `"percentile"`; `percentile`: above 50 and up to 100, 99.9 when left out
 * @returns a format, to be given to `Nx.Quantized.quantize`
 * @throws ArgumentError for complex tensors, for infinities and NaN, and for options that are none
 * @example
 * ```ts
 * const t = Nx.f32([-1, 0, 0.5, 3], { names: ["x"] });
 * const format = Nx.Quantized.calibrate(t);
 * Nx.Quantized.quantize(t, format).values;
 * // => #Nx.Tensor<
 * //   s8[x: 4]
 * //   [-128, -64, -32, 127]
 * // >
 * Nx.Quantized.calibrate(t, { type: "fx16" });
 * // => { type: 'fx16', fracBits: 13 }
 * ```
 * @example
 * ```ts
 * const t = Nx.f32([...Array(99).fill(0.5), 1000]);
 * Nx.Quantized.calibrate(t, { type: "fx8" }).fracBits;
 * // => -3
 * Nx.Quantized.calibrate(t, { type: "fx8", method: "percentile", percentile: 98 }).fracBits;
 * // => 7
 * Nx.Quantized.calibrate(Nx.f32([1, NaN]));
 * // throws ArgumentError: Nx.Quantized.calibrate expects finite numbers
 * ```
 */
export function calibrate<O extends CalibrateOptions = object>(tensor: Operand, options?: O): Chosen<O>;
export function calibrate(tensor: Operand, options?: CalibrateOptions): Format {
  const fn = "Nx.Quantized.calibrate";
  const t = realTensor(tensor, fn);
  options = checkOptions(fn, options, ["type", "symmetric", "method", "percentile"]);
  const wanted = readRange(fn, options);
  const cut = readCut(fn, options);
  if (toNumber(all(areFinite(t))) === 0) {
    throw new ArgumentError(`${fn} expects finite numbers, got infinities or NaN; Nx.clamp or Nx.where them first`);
  }
  const [low, high] = rangeOf(cast(t, "f64"), cut, wanted.symmetric);
  return chosen(low, high, wanted);
}

/** The share of the data that is cut at the upper end. */
function readCut(fn: string, options: CalibrateOptions | undefined): number {
  const method = wordOption(fn, "method", options?.method, ["minMax", "percentile"], "minMax");
  const percentile = options?.percentile;
  if (percentile === undefined) return method === "minMax" ? 0 : 0.001;
  if (method === "minMax") {
    throw new ArgumentError(`option percentile of ${fn} goes with { method: "percentile" }, got method "minMax"`);
  }
  if (typeof percentile === "number" && percentile > 50 && percentile <= 100) return (100 - percentile) / 100;
  throw new ArgumentError(
    `option percentile of ${fn} must be a number above 50, at most 100, got: ${show(percentile)}`,
  );
}

function rangeOf(t: Tensor, cut: number, symmetric: boolean): readonly [low: number, high: number] {
  const sorted = sort(rowsAlong(symmetric ? abs(t) : t, null), { axis: -1 });
  const high = quantile(sorted, 1 - cut);
  return [symmetric ? -high : quantile(sorted, cut), high];
}

/** The number that a share of sorted ones lies below, between two of them by the straight line through both. */
function quantile(sorted: Tensor, share: number): number {
  const last = sorted.size - 1;
  const place = share * last;
  const below = Math.floor(place);
  const at = (i: number): number => toNumber(reshapeTo(sliceAlong(sorted, 1, Math.min(i, last), 1), [])) as number;
  const part = place - below;
  return part === 0 ? at(below) : at(below) * (1 - part) + at(below + 1) * part; // their distance might overflow
}
