/**
 * A chirp in noise: the spectrogram finds the frequency at each moment, and a mask in it takes away the noise.
 */
import * as Nx from "nx-numerics";

const samplingRate = 1024;
const time = Nx.iota([2 * samplingRate], { type: "f64", names: ["time"] }).divide(samplingRate);
const frequencyAt = (t: Nx.Tensor) => t.multiply(100).add(100); // from 100 to 300 hertz in two seconds
const chirp = Nx.formula`sin(2 * pi * (100 * ${time} + 50 * ${time} ** 2))`;
const noise = Nx.Random.normalSplit(Nx.Random.key(0), 0, 1, { shape: time.shape, type: "f64" });
const signal = chirp.add(noise);

const frames = { frameLength: 256, hop: 64 } as const;
const power = Nx.Signal.spectrogram(signal, { ...frames, samplingRate });
const frequencies = Nx.rfftfreq(frames.frameLength, { spacing: 1 / samplingRate, name: "frequency" });
const middles = Nx.iota([power.axisSize("frame")], { type: "f64", names: ["frame"] })
  .multiply(frames.hop)
  .add(frames.frameLength / 2)
  .divide(samplingRate);
export const loudest = frequencies.take(power.argmax("frequency"));
export const off = loudest.subtract(frequencyAt(middles)).abs();

const spectrum = Nx.Signal.stft(signal, frames);
const isLoud = spectrum.abs().greater(spectrum.abs().median().multiply(3));
export const cleaned = Nx.Signal.istft(spectrum.multiply(isLoud), {
  ...frames,
  length: time.size,
  name: "time",
}).real();
const error = (estimate: Nx.Tensor) => estimate.subtract(chirp).square().mean().sqrt();
export const [before, after] = [error(signal), error(cleaned)];

console.log(
  `loudest frequencies: at most ${off.reduceMax().item().toFixed(2)} hertz off, bins are ${samplingRate / frames.frameLength} wide`,
);
loudest.print();
console.log(`noise ${before.item().toFixed(3)} before, ${after.item().toFixed(3)} after masking`);
