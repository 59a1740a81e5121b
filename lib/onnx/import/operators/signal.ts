/**
 * Fourier transforms, windows and mel filters.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  along,
  axisOf,
  bounded,
  cast,
  operator,
  range,
  reshape,
  transpose,
  type Call,
  type Operator,
  type Operators,
} from "../operator";
import { numberOf } from "../values";
import { typeAttribute } from "./elementwise";

/** Numbers whose last axis holds the real part alone, or the imaginary part as well. */
function complexOf(x: Tensor): Tensor {
  const last = x.shape.length - 1;
  const parts = x.shape[last];
  if (parts !== 1 && parts !== 2)
    throw new ArgumentError(`the last axis must have 1 or 2 entries, got shape [${x.shape.join(", ")}]`);
  const part = (i: number): Tensor => reshape(along(x, last, i, 1), x.shape.slice(0, -1));
  return parts === 1 ? part(0) : (Nx.complex(part(0), part(1)) as Tensor);
}

const pairs = (z: Tensor): Tensor => Nx.stack([Nx.real(z), Nx.imag(z)], { axis: -1 }) as Tensor;

/** The first half of a spectrum and the entry in the middle. */
const firstHalf = (z: Tensor, axis: number): Tensor => along(z, axis, 0, Math.floor(z.shape[axis]! / 2) + 1);

/** The axis is an attribute before version 20, an input from it on. */
function dft(call: Call, x: Tensor, length?: Tensor, axisInput?: Tensor): Tensor {
  const given =
    axisInput === undefined ? call.attributes.int("axis", call.opset < 20 ? 1 : -2) : numberOf(axisInput, "axis");
  const axis = axisOf(given, x.shape.length);
  if (axis === x.shape.length - 1)
    throw new ArgumentError("the last axis holds real and imaginary parts, and cannot be transformed");
  const options = { axis, ...(length === undefined ? {} : { length: numberOf(length, "dft_length") }) };
  if (options.length !== undefined)
    bounded(
      call,
      x.shape.map((size, i) => (i === axis ? options.length! : size)),
    );
  const [isInverse, isHalf] = [call.attributes.flag("inverse"), call.attributes.flag("onesided")];
  // the first half of a spectrum is that of real numbers
  if (isInverse && isHalf) return cast(Nx.newAxis(Nx.irfft(complexOf(x), options), -1) as Tensor, x.type);
  const spectrum = (isInverse ? Nx.ifft(complexOf(x), options) : Nx.fft(complexOf(x), options)) as Tensor;
  const half = isHalf ? firstHalf(spectrum, axis) : spectrum;
  return cast(pairs(half), x.type);
}

function stft(call: Call, signal: Tensor, stepInput: Tensor, window?: Tensor, lengthInput?: Tensor): Tensor {
  const step = numberOf(stepInput, "frame_step");
  const length = lengthInput === undefined ? window?.size : numberOf(lengthInput, "frame_length");
  if (length === undefined) throw new ArgumentError("it needs a window or frame_length");
  const wide = signal.shape.length === 2 ? reshape(signal, [...signal.shape, 1]) : signal;
  const count = Math.floor((wide.shape[1]! - length) / step) + 1;
  if (!(step >= 1 && length >= 1 && count >= 1))
    throw new ArgumentError(`frames of ${length} every ${step} do not fit ${wide.shape[1]} samples`);
  bounded(call, [wide.shape[0]!, count, length, 2]);
  const places = Nx.add(
    Nx.multiply(Nx.iota([count, length], { axis: 0 }), step),
    Nx.iota([count, length], { axis: 1 }),
  );
  const frames = complexOf(Nx.take(wide, places, { axis: 1 }) as Tensor);
  const spectrum = Nx.fft(window === undefined ? frames : Nx.multiply(frames, window), { axis: 2 }) as Tensor;
  return cast(pairs(call.attributes.flag("onesided", true) ? firstHalf(spectrum, 2) : spectrum), signal.type);
}

/** A window of cosines: a periodic one is the start of one that is longer by one. */
const window = (weights: readonly number[]): Operator =>
  operator(
    1,
    (call: Call, size: Tensor) => {
      const [length] = bounded(call, [numberOf(size, "size")]);
      const period = call.attributes.flag("periodic", true) ? length! : length! - 1;
      const entries = range(length!).map((i) =>
        weights.reduce((sum, weight, k) => sum + weight * Math.cos((2 * Math.PI * k * i) / Math.max(1, period)), 0),
      );
      return Nx.tensor(entries, { type: typeAttribute(call, "output_datatype", "f32") });
    },
    { known: [0] },
  );

/** Triangles over the frequencies of a spectrum, at equal distances on the mel scale. */
function melWeights(call: Call, ...inputs: Tensor[]): Tensor {
  const [bins, length, rate, low, high] = [
    "num_mel_bins",
    "dft_length",
    "sample_rate",
    "lower_edge_hertz",
    "upper_edge_hertz",
  ].map((name, i) => numberOf(inputs[i], name)) as [number, number, number, number, number];
  const spectrum = Math.floor(length / 2) + 1;
  bounded(call, [spectrum, bins]);
  const mel = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
  const step = (mel(high) - mel(low)) / (bins + 2);
  const edges = range(bins + 2).map((i) =>
    Math.floor(((length + 1) * 700 * (10 ** ((mel(low) + i * step) / 2595) - 1)) / rate),
  );
  const weight = (bin: number, at: number): number => {
    const [left, centre, right] = [edges[bin]!, edges[bin + 1]!, edges[bin + 2]!];
    if (at === centre && left === centre) return 1;
    if (at >= left && at <= centre) return (at - left) / (centre - left);
    return at > centre && at < right ? (right - at) / (right - centre) : 0;
  };
  const rows = range(bins).map((bin) => range(spectrum).map((at) => weight(bin, at)));
  return transpose(Nx.tensor(rows, { type: typeAttribute(call, "output_datatype", "f32") }) as Tensor, [1, 0]);
}

export const SIGNAL: Operators = {
  BlackmanWindow: window([0.42, -0.5, 0.08]),
  DFT: operator([1, 3], dft, { known: [1, 2] }),
  HammingWindow: window([25 / 46, -21 / 46]),
  HannWindow: window([0.5, -0.5]),
  MelWeightMatrix: operator(5, melWeights, { known: [0, 1, 2, 3, 4] }),
  STFT: operator([2, 4], stft, { known: [1, 3] }),
};
