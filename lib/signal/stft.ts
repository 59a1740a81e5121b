/**
 * Spectra of stretches of a signal: the short-time Fourier transform, its inverse, and spectrograms. Frames are stretches of equal
 * length that overlap; they are taken, and added up again, by moving elements about, so that gradients go through.
 */
import { runTracing } from "../backends/registry";
import type {
  AxisOf,
  Given,
  Init,
  Plain,
  PlaceOf,
  Replace,
  Retitled,
  WithoutPlaces,
  Unguessed,
} from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { checkName, uniqueNames } from "../core/names";
import {
  booleanOption,
  checkOptions,
  integerOption,
  wordOption,
  type AlsoAxes,
  type AlsoAxis,
  type More,
} from "../core/options";
import { unchecked } from "../core/promotion-scope";
import { checkSize, formatShape, resolveAxes, resolveAxis, type Axis, type Name, type Names } from "../core/shape";
import { isComplex, toComplex, toFloating, toReal, type DType } from "../core/types";
import { mean, sum } from "../nx/aggregates";
import { padAlong, reshapeTo, sliceAlong } from "../nx/aggregates/core";
import { toFlatList } from "../nx/conversion";
import { asTensor, cast, run, template } from "../nx/dispatch";
import { add, divide, greater, imag, multiply, real, sqrt, subtract, where } from "../nx/elementwise";
import { numberOption } from "../nx/elementwise/core";
import { fft, ifft, irfft, rfft } from "../nx/ndim/fft";
import { iota } from "../nx/creation";
import { take } from "../nx/indexed";
import { permuted } from "../nx/shape/move";
import type { Operand, Tensor } from "../tensor";
import { WINDOWS, type WindowName } from "./windows";

/** Frames: their length, the distance of their beginnings, and their weights. */
export interface FrameOptions {
  /** A window by its name, periodic, or weights of shape `[frameLength]`; `"hann"` when left out. */
  readonly window?: WindowName | Operand;
  /** Elements of a frame; the size of `window` where that is a tensor, else 256, when left out. */
  readonly frameLength?: number;
  /** How many elements later the next frame begins; half a frame when left out. */
  readonly hop?: number;
  /** Elements to transform, of which those beyond the frame are 0; those of the frame when left out. */
  readonly fftLength?: number;
}

/** Options of `Nx.Signal.stft`. */
export interface StftOptions<A = Axis, F extends Name = Name, Q extends Name = Name> extends FrameOptions, AlsoAxes<A> {
  /** The axis of time; the last when left out. */
  readonly axis?: A;
  /** Names of the axes of frames and of frequencies; `"frame"` and `"frequency"` when left out. */
  readonly names?: readonly [F, Q];
  /** Zeros at both ends, half a frame each, so that every element is in as many frames (`"zeros"`, default), or `"none"`. */
  readonly boundary?: "zeros" | "none";
  /** Whether zeros fill up the last frame (true when left out); else elements that do not are left out. */
  readonly padded?: boolean;
  /** Spectra are divided by the sum of the window, so that a wave has the height of its amplitude halved (`"spectrum"`, default), or `"none"`. */
  readonly scaling?: "spectrum" | "none";
}

/** Options of `Nx.Signal.istft`. */
export interface IstftOptions<A = readonly [Axis, Axis] | undefined, M extends Name = Name>
  extends FrameOptions, AlsoAxis<A> {
  /** The axes of frames and of frequencies; the last two when left out. */
  readonly axes?: A;
  /** Name of the axis of time; `"time"` when left out. */
  readonly name?: M;
  /** Elements of the result; all that frames cover when left out. */
  readonly length?: number;
  /** Whether half a frame at both ends is left out, as `stft` has put it there (`"zeros"`, default), or `"none"`. */
  readonly boundary?: "zeros" | "none";
  /** Whether spectra are those of real signals, the frequencies from 0 up (true when left out), or have negative ones, too. */
  readonly oneSided?: boolean;
  /** What `stft` has divided by. */
  readonly scaling?: "spectrum" | "none";
}

/** Options of `Nx.Signal.spectrogram`. */
export interface SpectrogramOptions<A = Axis, F extends Name = Name, Q extends Name = Name>
  extends FrameOptions, AlsoAxes<A> {
  /** The axis of time; the last when left out. */
  readonly axis?: A;
  /** Names of the axes of frames and of frequencies; `"frame"` and `"frequency"` when left out. */
  readonly names?: readonly [F, Q];
  /** Elements in a unit of time, 1 when left out: densities are per unit of frequency. */
  readonly samplingRate?: number;
  /** Power per unit of frequency (`"density"`, default), or power at each frequency (`"spectrum"`). */
  readonly scaling?: "density" | "spectrum";
  /** Whether each frame has its mean taken off first (`"constant"`, default), or `"none"`. */
  readonly detrend?: "constant" | "none";
}

/** Names with two axes in place of the one of time. */
export type Framed<N extends Names, A, F extends Name, Q extends Name> = Replace<N, Given<A, -1>, readonly [F, Q]>;

/** Names with one axis in place of those of frames and of frequencies, which are the last two where none are said. */
export type Unframed<N extends Names, A, M extends Name> = A extends readonly [infer T, infer Q]
  ? PlaceOf<N, Q> extends infer P extends keyof N
    ? WithoutPlaces<Retitled<N, T, M>, P>
    : Names
  : Plain<readonly [...Init<Init<N>>, M]>;

const FRAME_OPTIONS = ["window", "frameLength", "hop", "fftLength"] as const;

interface Frames {
  /** Weights in doubles. */
  readonly window: Tensor;
  readonly length: number;
  readonly hop: number;
  readonly fftLength: number;
}

function readFrames(fn: string, options: FrameOptions | undefined, fallback = 256): Frames {
  const given = options?.window ?? "hann";
  const isWord = typeof given === "string";
  const weights = isWord ? null : asTensor(given, fn);
  if (weights !== null && (weights.shape.length !== 1 || isComplex(weights.type))) {
    const got = `${weights.type}${formatShape(weights.shape, weights.names)}`;
    throw new ArgumentError(`option window of ${fn} expects real weights of one axis, got: ${got}`);
  }
  const length = integerOption(fn, "frameLength", options?.frameLength, weights?.shape[0] ?? fallback, 1);
  if (weights !== null && weights.shape[0] !== length) {
    throw new ArgumentError(`option window of ${fn} has ${weights.shape[0]} weights for frames of ${length} elements`);
  }
  const hop = integerOption(fn, "hop", options?.hop, Math.max(1, Math.floor(length / 2)), 1);
  if (hop > length) {
    throw new ArgumentError(`option hop of ${fn} must be at most the ${length} elements of a frame, got: ${hop}`);
  }
  const fftLength = integerOption(fn, "fftLength", options?.fftLength, length, 1);
  if (fftLength < length) {
    throw new ArgumentError(
      `option fftLength of ${fn} must be at least the ${length} elements of a frame, got: ${fftLength}`,
    );
  }
  const word = isWord ? wordOption(fn, "window", given, Object.keys(WINDOWS) as WindowName[], "hann") : null;
  // known while a trace runs, too: whether frames can be put together is asked of its weights
  const window: Tensor =
    word === null
      ? reshapeTo(cast(weights!, "f64"), [length])
      : runTracing(null, () => WINDOWS[word](length, { periodic: true, type: "f64" }) as Tensor);
  return { window, length, hop, fftLength };
}

/** Names of two axes: of frames and of frequencies where nothing else is said. */
export function readNames(
  fn: string,
  names: unknown,
  standard: readonly [Name, Name] = ["frame", "frequency"],
): readonly [Name, Name] {
  if (names === undefined) return standard;
  if (Array.isArray(names) && names.length === 2) return [checkName(names[0]), checkName(names[1])];
  throw new ArgumentError(`option names of ${fn} expects the names of two axes, got: ${show(names)}`);
}

/** Elements of a signal in a second. */
export function readRate(fn: string, given: unknown): number {
  const rate = numberOption(fn, "samplingRate", given, 1);
  if (rate > 0) return rate;
  throw new ArgumentError(`option samplingRate of ${fn} must be a positive number, got: ${rate}`);
}

/** A signal with its axis of time last, and how to put the two axes that come of it in its place. */
interface Signal {
  readonly t: Tensor;
  readonly back: (framed: Tensor) => Tensor;
}

function readSignal(fn: string, tensor: Operand, at: Axis | undefined, names: readonly [Name, Name]): Signal {
  const given: Tensor = asTensor(tensor, fn);
  const axis = resolveAxis(at === undefined ? -1 : at, given.shape, given.names);
  const rank = given.shape.length;
  const others = given.shape.map((_, i) => i).filter((i) => i !== axis);
  const last = axis === rank - 1 ? given : permuted(given, [...others, axis]);
  const outNames = [...given.names.slice(0, axis), ...names, ...given.names.slice(axis + 1)];
  const back = (framed: Tensor): Tensor => {
    const order = [...others.map((_, i) => i).slice(0, axis), rank - 1, rank, ...others.map((_, i) => i).slice(axis)];
    const moved = axis === rank - 1 ? framed : permuted(framed, order);
    return run(
      "reshape",
      template(moved.type, moved.shape, uniqueNames(Object.freeze(outNames), moved.shape)),
      [moved],
      {},
    );
  };
  const type = toFloating(last.type);
  const wide = type === "f16" || type === "bf16" ? "f32" : type;
  return { t: cast(reshapeTo(last, last.shape), wide), back };
}

/** Frames of the last axis as two axes, `[..., frames, length]`. */
function framesOf(fn: string, t: Tensor, { length, hop }: Frames, padded: boolean): Tensor {
  const axis = t.shape.length - 1;
  const size = t.shape[axis]!;
  const steps = (size - length) / hop;
  const count = 1 + (padded ? Math.max(0, Math.ceil(steps)) : Math.floor(steps));
  if (count < 1) {
    throw new ArgumentError(`${fn}: ${size} elements are less than a frame of ${length}; choose a smaller frameLength`);
  }
  const needed = (count - 1) * hop + length;
  checkSize([...t.shape.slice(0, -1), count, length], `${fn}: frames of shape`);
  const fitting = needed > size ? padAlong(t, axis, 0, needed - size) : t;
  const starts = multiply(iota([count, 1], { type: "s64", axis: 0 }), hop);
  return take(fitting, add(starts, iota([1, length], { type: "s64", axis: 1 })), { axis }) as Tensor;
}

/** Weights in the type of a signal, which are shared by its parts. */
const weighted = (t: Tensor, window: Tensor): Tensor => multiply(t, cast(window, toReal(t.type)));

/** Spectra of the last axis: the frequencies from 0 up of real numbers, all of complex ones. */
const spectraOf = (t: Tensor, length: number): Tensor =>
  isComplex(t.type) ? fft(t, { length, eps: 0 }) : rfft(t, { length, eps: 0 });

/**
 * The short-time Fourier transform: spectra of stretches of a signal, which overlap and fade in and out by a window.
 *
 * Its frames, its padding and its scaling are those of SciPy's `stft`; axes of frames and frequencies stand in place of that of time. Frame
 * `i` has its middle at element `i * hop`, with `boundary: "none"` half a frame later. `Nx.rfftfreq(fftLength, { spacing })` are its frequencies.
 * `Nx.Signal.istft` takes it back.
 *
 * @param tensor - a signal, or a batch of them
 * @param options - see {@link StftOptions}
 * @returns complex numbers, `c128` for `f64` and `c128`, else `c64`, with axes `frame` and `frequency` in place of that of time: of real
 *   signals the frequencies from 0 to half the sampling rate, of complex ones all in the order of `Nx.fft`
 * @throws ArgumentError for frames longer than the signal, a hop longer than a frame, and windows that are not of the length of frames
 * @example
 * ```ts
 * const wave = Nx.cos(Nx.iota([64], { names: ["time"] }).multiply(Math.PI / 4)); // an eighth of the sampling rate
 * const spectra = Nx.Signal.stft(wave, { frameLength: 16 });
 * spectra.names;
 * // => ["frame", "frequency"]
 * Nx.abs(spectra).argmax({ axis: "frequency" });
 * // => #Nx.Tensor<
 * //   s64[frame: 9]
 * //   [2, 2, 2, 2, 2, 2, 2, 2, 2]
 * // >
 * Nx.Signal.istft(spectra, { frameLength: 16 }).subtract(wave).abs().reduceMax().less(1e-6);
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.stft(Nx.iota([64]), { frameLength: 16, hop: 20 });
 * // throws ArgumentError: option hop of Nx.Signal.stft must be at most the 16 elements of a frame, got: 20
 * ```
 */
export function stft<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const F extends Name = "frame",
  const Q extends Name = "frequency",
>(
  tensor: Operand<N>,
  options?: A | StftOptions<A, F, Q>,
  ..._more: More<StftOptions<undefined, F, Q>>
): Tensor<Framed<N, A, Unguessed<F>, Unguessed<Q>>>;
export function stft(tensor: Operand, given?: Axis | StftOptions): Tensor {
  const fn = "Nx.Signal.stft";
  const allowed = [...FRAME_OPTIONS, "axis", "names", "boundary", "padded", "scaling"];
  const options = checkOptions<StftOptions>(fn, given, allowed);
  const frames = readFrames(fn, options);
  const { t, back } = readSignal(fn, tensor, options?.axis, readNames(fn, options?.names));
  const boundary = wordOption(fn, "boundary", options?.boundary, ["zeros", "none"], "zeros");
  const padded = booleanOption(fn, "padded", options?.padded, true);
  const scaling = wordOption(fn, "scaling", options?.scaling, ["spectrum", "none"], "spectrum");
  const edge = boundary === "zeros" ? Math.floor(frames.length / 2) : 0;
  return unchecked(() => {
    const whole = edge === 0 ? t : padAlong(t, t.shape.length - 1, edge, edge);
    const window = scaling === "spectrum" ? divide(frames.window, sum(frames.window)) : frames.window;
    return back(spectraOf(weighted(framesOf(fn, whole, frames, padded), window), frames.fftLength));
  });
}

/**
 * Frames that are added up where they overlap, `[..., frames, length]` to `[..., time]`: each is cut into pieces as long as the hop, and
 * the pieces of one number are a signal of their own.
 */
function overlapped(t: Tensor, hop: number): Tensor {
  const axis = t.shape.length - 1;
  const [count, length] = [t.shape[axis - 1]!, t.shape[axis]!];
  const pieces = Math.ceil(length / hop);
  const batch = t.shape.slice(0, axis - 1);
  const whole = pieces * hop === length ? t : padAlong(t, axis, 0, pieces * hop - length);
  let total: Tensor | null = null;
  for (let i = 0; i < pieces; i++) {
    const signal = reshapeTo(sliceAlong(whole, axis, i * hop, hop), [...batch, count * hop]);
    const placed = pieces === 1 ? signal : padAlong(signal, axis - 1, i * hop, (pieces - 1 - i) * hop);
    total = total === null ? placed : add(total, placed);
  }
  return sliceAlong(total!, axis - 1, 0, (count - 1) * hop + length);
}

/** Weights below this are taken as 0, as SciPy does. */
const LEAST_WEIGHT = 1e-10;

/** Refuses windows whose squares, added up at the distance of the hop, are 0 somewhere: what they hide is in no frame. */
function checkCovers(fn: string, { window, length, hop }: Frames): void {
  if (window.backend.absorbs !== undefined) return; // weights of a trace or of entries are known when it runs
  const squares = (runTracing(null, () => toFlatList(cast(window, "f64"))) as number[]).map((w) => w * w);
  const sums = new Float64Array(hop);
  for (let i = 0; i < length; i++) sums[i % hop]! += squares[i]!;
  const worst = sums.reduce((least, value, i) => (value < sums[least]! ? i : least), 0);
  if (sums[worst]! > LEAST_WEIGHT) return;
  throw new ArgumentError(
    `${fn} cannot put frames of ${length} elements together that begin every ${hop}: the window is 0 wherever element ${worst} of a hop ` +
      `is in a frame (NOLA); choose a smaller hop, or another window`,
  );
}

/**
 * The inverse of `Nx.Signal.stft`: the signal whose short-time spectra are nearest, in the sense of least squares.
 *
 * With the options of `stft` it gives back its signal to rounding, wherever the squares of the windows do not add up to 0.
 *
 * @param tensor - spectra, with axes of frames and of frequencies
 * @param options - see {@link IstftOptions}
 * @returns real numbers, or complex ones with `oneSided: false`, with an axis `time` in place of the two
 * @throws ArgumentError where the window hides elements (the condition "nonzero overlap-add", NOLA), and where the number of frequencies is
 *   not that of `fftLength`
 * @example
 * ```ts
 * const signal = Nx.f64([1, 4, 2, 8, 5, 7, 1, 3], { names: ["time"] });
 * const spectra = Nx.Signal.stft(signal, { frameLength: 4, hop: 1 });
 * Nx.Signal.istft(spectra, { frameLength: 4, hop: 1 }).round();
 * // => #Nx.Tensor<
 * //   f64[time: 8]
 * //   [1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 1.0, 3.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.istft(Nx.Signal.stft(Nx.iota([64]), { frameLength: 16, hop: 16 }), { frameLength: 16, hop: 16 });
 * // throws ArgumentError: Nx.Signal.istft cannot put frames of 16 elements together that begin every 16: the window is 0 wherever element 0 of a hop is in a frame (NOLA)
 * ```
 */
export function istft<
  N extends Names = readonly [],
  const A extends readonly [AxisOf<N>, AxisOf<N>] | undefined = undefined,
  const M extends Name = "time",
>(
  tensor: Operand<N>,
  options?: A | (IstftOptions<A, M> & object),
  ..._more: More<IstftOptions<undefined, M>>
): Tensor<Unframed<N, A, M>>;
export function istft(tensor: Operand, given?: readonly [Axis, Axis] | IstftOptions): Tensor {
  const fn = "Nx.Signal.istft";
  const allowed = [...FRAME_OPTIONS, "axes", "name", "length", "boundary", "oneSided", "scaling"];
  const options = checkOptions(fn, given, allowed) as IstftOptions | undefined;
  const oneSided = booleanOption(fn, "oneSided", options?.oneSided, true);
  const { t, back } = readSpectra(
    fn,
    tensor,
    options?.axes,
    options?.name === undefined ? "time" : checkName(options.name),
  );
  const bins = t.shape.at(-1)!;
  const frames = readFrames(fn, options, options?.fftLength ?? (oneSided ? Math.max(1, 2 * (bins - 1)) : bins));
  const expected = oneSided ? Math.floor(frames.fftLength / 2) + 1 : frames.fftLength;
  if (bins !== expected) {
    throw new ArgumentError(
      `${fn} expects ${expected} frequencies for transforms of ${frames.fftLength} elements, got ${bins}; give options frameLength ` +
        `and fftLength as to Nx.Signal.stft`,
    );
  }
  checkCovers(fn, frames);
  const boundary = wordOption(fn, "boundary", options?.boundary, ["zeros", "none"], "zeros");
  const scaling = wordOption(fn, "scaling", options?.scaling, ["spectrum", "none"], "spectrum");
  const length = options?.length === undefined ? null : integerOption(fn, "length", options.length, 0, 1);
  const edge = boundary === "zeros" ? Math.floor(frames.length / 2) : 0;
  return unchecked(() => back(cutTo(fn, joined(t, frames, oneSided, scaling), edge, length)));
}

/** The least squares of all frames: sums of them, weighted again, over sums of the squares of the weights. */
function joined(t: Tensor, frames: Frames, oneSided: boolean, scaling: "spectrum" | "none"): Tensor {
  const inverse = { length: frames.fftLength, eps: 0 };
  const stretches = sliceAlong(oneSided ? irfft(t, inverse) : ifft(t, inverse), t.shape.length - 1, 0, frames.length);
  const window = scaling === "spectrum" ? multiply(frames.window, sum(frames.window)) : frames.window;
  const total = overlapped(weighted(stretches, window), frames.hop);
  const count = t.shape.at(-2)!;
  const squares = multiply(frames.window, frames.window);
  const each = add(reshapeTo(squares, [1, frames.length]), multiply(iota([count, 1], { type: "f64" }), 0));
  const weights = overlapped(each, frames.hop);
  return divide(total, cast(where(greater(weights, LEAST_WEIGHT), weights, 1), toReal(total.type)));
}

/** The elements between the edges, as many as asked for. */
function cutTo(fn: string, t: Tensor, edge: number, length: number | null): Tensor {
  const axis = t.shape.length - 1;
  const most = t.shape[axis]! - edge - (length === null ? edge : 0);
  if (most < 1 || (length !== null && length > most)) {
    throw new ArgumentError(
      `${fn}: the frames cover ${Math.max(0, most)} elements${length === null ? "" : `, not the ${length} of option length`}`,
    );
  }
  return sliceAlong(t, axis, edge, length ?? most);
}

/** Spectra with their axes last, and how to put the axis of time in their place. */
function readSpectra(fn: string, tensor: Operand, given: unknown, name: Name): Signal {
  const t: Tensor = asTensor(tensor, fn);
  if (t.shape.length < 2) {
    throw new ArgumentError(
      `${fn} expects axes of frames and of frequencies, got shape ${formatShape(t.shape, t.names)}`,
    );
  }
  const axes = resolveAxes(given === undefined ? [-2, -1] : given, t.shape, t.names);
  if (axes.length !== 2) throw new ArgumentError(`option axes of ${fn} must list two axes, got: ${show(given)}`);
  const others = t.shape.map((_, i) => i).filter((i) => !axes.includes(i));
  const place = others.filter((i) => i < axes[0]!).length;
  const kept = others.map((i) => t.names[i]!);
  const names = [...kept.slice(0, place), name, ...kept.slice(place)];
  const back = (signal: Tensor): Tensor => {
    const positions = others.map((_, i) => i);
    const moved = permuted(signal, [...positions.slice(0, place), others.length, ...positions.slice(place)]);
    return run(
      "reshape",
      template(moved.type, moved.shape, uniqueNames(Object.freeze(names), moved.shape)),
      [moved],
      {},
    );
  };
  const last = permuted(t, [...others, ...axes]);
  return { t: cast(reshapeTo(last, last.shape), toComplex(t.type)), back };
}

/**
 * A spectrogram: how much power a signal has at each frequency, frame by frame.
 *
 * It is SciPy's `spectrogram`, with frames that overlap by half and a window `"hann"` where nothing else is said. Of real signals powers of
 * negative frequencies are added to those of positive ones. There is no padding: the middle of frame `i` is at element
 * `i * hop + frameLength / 2`.
 *
 * @param tensor - a signal, or a batch of them
 * @param options - see {@link SpectrogramOptions}
 * @returns real numbers that are not negative, `f64` for `f64` and `c128`, else `f32`, with axes `frame` and `frequency` in place of that of time
 * @throws ArgumentError for frames longer than the signal, a hop longer than a frame, and windows that are not of the length of frames
 * @example
 * ```ts
 * const time = Nx.iota([1024], { type: "f32", names: ["time"] }).divide(1024); // a second
 * const chirp = Nx.sin(time.multiply(time).add(time).multiply(2 * Math.PI * 100)); // from 100 to 300 hertz
 * const power = Nx.Signal.spectrogram(chirp, { frameLength: 128, samplingRate: 1024 });
 * power.names;
 * // => ["frame", "frequency"]
 * Nx.rfftfreq(128, { spacing: 1 / 1024 }).take(power.argmax({ axis: "frequency" }));
 * // => #Nx.Tensor<
 * //   f32[frame: 15]
 * //   [112.0, 128.0, 136.0, 152.0, 160.0, 176.0, 184.0, 200.0, 216.0, 224.0, 240.0, 248.0, 264.0, 272.0, 288.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.spectrogram(Nx.iota([100]));
 * // throws ArgumentError: Nx.Signal.spectrogram: 100 elements are less than a frame of 256; choose a smaller frameLength
 * ```
 */
export function spectrogram<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const F extends Name = "frame",
  const Q extends Name = "frequency",
>(
  tensor: Operand<N>,
  options?: A | SpectrogramOptions<A, F, Q>,
  ..._more: More<SpectrogramOptions<undefined, F, Q>>
): Tensor<Framed<N, A, Unguessed<F>, Unguessed<Q>>>;
export function spectrogram(tensor: Operand, given?: Axis | SpectrogramOptions): Tensor {
  const fn = "Nx.Signal.spectrogram";
  const allowed = [...FRAME_OPTIONS, "axis", "names", "samplingRate", "scaling", "detrend"];
  const options = checkOptions<SpectrogramOptions>(fn, given, allowed);
  const frames = readFrames(fn, options);
  const rate = readRate(fn, options?.samplingRate);
  const scaling = wordOption(fn, "scaling", options?.scaling, ["density", "spectrum"], "density");
  const detrend = wordOption(fn, "detrend", options?.detrend, ["constant", "none"], "constant");
  const { t, back } = readSignal(fn, tensor, options?.axis, readNames(fn, options?.names));
  return unchecked(() => {
    const stretches = framesOf(fn, t, frames, false);
    const level = detrend === "none" ? stretches : subtract(stretches, mean(stretches, { axes: [-1], keepAxes: true }));
    const { window, fftLength } = frames;
    const total = sum(window);
    const power = scaling === "density" ? multiply(sum(multiply(window, window)), rate) : multiply(total, total);
    const spectra = spectraOf(weighted(level, divide(window, sqrt(power))), fftLength);
    const [re, im] = [real(spectra), imag(spectra)];
    const sided = multiply(add(multiply(re, re), multiply(im, im)), sidesOf(t.type, fftLength, spectra));
    return back(sided);
  });
}

/** 2 for frequencies that stand for a negative one, too: all but 0 and half the sampling rate, of real signals. */
function sidesOf(type: DType, fftLength: number, { shape }: Tensor): Tensor | number {
  if (isComplex(type)) return 1;
  const count = shape.at(-1)!;
  const position: Tensor = iota([count], { type: "f64" });
  const isFirst = where(greater(position, 0), 2, 1);
  const sides = fftLength % 2 === 0 ? where(greater(position, count - 1.5), 1, isFirst) : isFirst;
  return cast(sides, toFloating(type));
}
