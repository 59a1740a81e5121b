/**
 * Every function that takes an axis in place of its options takes a name, a position, one from the end, and further options behind: the
 * types know the same names of the result for each as the program gives.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { OVER_AXES } from "../../lib/core/over-axes";

const t = Nx.iota([2, 3, 4], { names: ["x", "y", "z"], type: "f32" });
const half = Nx.iota([2, 3, 4], { names: ["x", null, "z"], type: "f32" });
const key = Nx.Random.key(1);
const pick = Nx.tensor([2, 0], { names: ["pick"] });
const places = Nx.tensor([[0], [1]], { names: ["pick", null] });
const rows = Nx.ones([2, 2, 4]);
const mask = Nx.tensor([1, 0, 1]);
const waves = Nx.ones([2, 3, 4], { names: ["x", "frame", "bin"], type: "c64" });

type Listed = readonly (string | null)[];

/** Nothing to add where each result is of names `E`, as far as types know, else something that no result is. */
type Alike<R, E> = {
  readonly [I in keyof R]: R[I] extends { readonly names: infer N }
    ? [N, E] extends [E, N]
      ? R[I]
      : { readonly "names in the type": N }
    : never;
};

/** Calls whose results have the same names, at run time and in the types. */
const alike = <const E extends Listed, const R extends readonly unknown[]>(
  names: E,
  results: () => R & Alike<R, E>,
): readonly [Listed, () => readonly unknown[]] => [names, results];

const WITHOUT = ["x", "z"] as const;
const WHOLE = ["x", "y", "z"] as const;
const sizes = (row: Nx.Tensor) => row.sum();

/** By the keys of `OVER_AXES`; the last call of each has further options behind the axis, where there are any. */
// prettier-ignore
const CALLS: Readonly<Record<string, readonly [Listed, () => readonly unknown[]]>> = {
  all: alike(WITHOUT, () => [Nx.all(t, "y"), Nx.all(t, 1), Nx.all(t, -2), Nx.all(t, "y", { nan: "skip" })]),
  any: alike(WITHOUT, () => [Nx.any(t, "y"), Nx.any(t, 1), Nx.any(t, -2), Nx.any(t, "y", { nan: "skip" })]),
  argmax: alike(WITHOUT, () => [Nx.argmax(t, "y"), Nx.argmax(t, 1), Nx.argmax(t, -2), Nx.argmax(t, "y", { tieBreak: "high" })]),
  argmin: alike(WITHOUT, () => [Nx.argmin(t, "y"), Nx.argmin(t, 1), Nx.argmin(t, -2), Nx.argmin(t, "y", { tieBreak: "high" })]),
  argsort: alike(WHOLE, () => [Nx.argsort(t, "y"), Nx.argsort(t, 1), Nx.argsort(t, -2), Nx.argsort(t, "y", { direction: "desc" })]),
  compress: alike(WHOLE, () => [Nx.compress(t, mask, "y"), Nx.compress(t, mask, 1), Nx.compress(t, mask, -2), Nx.compress(t, mask, "y", { size: 1 }), Nx.compress(half, mask, 1, { name: "y" })]),
  concatenate: alike(WHOLE, () => [Nx.concatenate([t, t], "y"), Nx.concatenate([t, t], 1), Nx.concatenate([t, t], -2)]),
  convolve: alike(WHOLE, () => [Nx.convolve(t, pick, "y"), Nx.convolve(t, pick, 1), Nx.convolve(t, pick, -2), Nx.convolve(t, pick, "y", { mode: "same" })]),
  cross: alike(WHOLE, () => [Nx.cross(t, t, "y"), Nx.cross(t, t, 1), Nx.cross(t, t, -2)]),
  cumulativeMax: alike(WHOLE, () => [Nx.cumulativeMax(t, "y"), Nx.cumulativeMax(t, 1), Nx.cumulativeMax(t, -2), Nx.cumulativeMax(t, "y", { reverse: true })]),
  cumulativeMin: alike(WHOLE, () => [Nx.cumulativeMin(t, "y"), Nx.cumulativeMin(t, 1), Nx.cumulativeMin(t, -2), Nx.cumulativeMin(t, "y", { reverse: true })]),
  cumulativeProduct: alike(WHOLE, () => [Nx.cumulativeProduct(t, "y"), Nx.cumulativeProduct(t, 1), Nx.cumulativeProduct(t, -2), Nx.cumulativeProduct(t, "y", { reverse: true })]),
  cumulativeSum: alike(WHOLE, () => [Nx.cumulativeSum(t, "y"), Nx.cumulativeSum(t, 1), Nx.cumulativeSum(t, -2), Nx.cumulativeSum(t, "y", { reverse: true })]),
  "Defn.map": alike(["x"], () => [Nx.Defn.map(sizes, t, "x"), Nx.Defn.map(sizes, t, 0), Nx.Defn.map(sizes, t, "x", { reverse: true })]),
  "Defn.scan": alike(["x"], () => {
    const step = (sum: Nx.Tensor<readonly []>, row: Nx.Tensor) => [sum.add(row.sum()), sum] as const;
    const zero = Nx.f32(0, { names: [] });
    return [Nx.Defn.scan(step, zero, t, "x")[1], Nx.Defn.scan(step, zero, t, 0)[1], Nx.Defn.scan(step, zero, t, "x", { reverse: true })[1]];
  }),
  diff: alike(WHOLE, () => [Nx.diff(t, "y"), Nx.diff(t, 1), Nx.diff(t, -2), Nx.diff(t, "y", { order: 2 })]),
  fft: alike(WHOLE, () => [Nx.fft(t, "y"), Nx.fft(t, 1), Nx.fft(t, -2), Nx.fft(half, 1, { name: "y" })]),
  fft2: alike(WHOLE, () => [Nx.fft2(t, ["x", "y"]), Nx.fft2(t, [0, 1]), Nx.fft2(t, [-3, -2]), Nx.fft2(half, ["x", 1], { names: ["x", "y"] })]),
  fftshift: alike(WHOLE, () => [Nx.fftshift(t, "y"), Nx.fftshift(t, [0, 1]), Nx.fftshift(t, -2)]),
  flatten: alike(["m", "z"], () => [Nx.flatten(t, ["x", "y"], { name: "m" }), Nx.flatten(t, [0, 1], { name: "m" }), Nx.flatten(t, [-3, -2], { name: "m" })]),
  gather: alike(["pick", "x", "z"], () => [Nx.gather(t, places, "y"), Nx.gather(t, places, 1), Nx.gather(t, places, [-2])]),
  gradient: alike(WHOLE, () => [Nx.gradient(t, "y"), Nx.gradient(t, 1), Nx.gradient(t, -2), Nx.gradient(t, "y", { dx: 2 })]),
  histogram: alike(["x", "z", null], () => [Nx.histogram(t, "y")[0], Nx.histogram(t, 1)[0], Nx.histogram(t, [-2])[0], Nx.histogram(t, { axis: "y" })[0], Nx.histogram(t, "y", { bins: 2 })[0]]),
  ifft: alike(WHOLE, () => [Nx.ifft(t, "y"), Nx.ifft(t, 1), Nx.ifft(t, -2), Nx.ifft(half, 1, { name: "y" })]),
  ifft2: alike(WHOLE, () => [Nx.ifft2(t, ["x", "y"]), Nx.ifft2(t, [0, 1]), Nx.ifft2(t, [-3, -2]), Nx.ifft2(half, ["x", 1], { names: ["x", "y"] })]),
  ifftshift: alike(WHOLE, () => [Nx.ifftshift(t, "y"), Nx.ifftshift(t, [0, 1]), Nx.ifftshift(t, -2)]),
  indexedAdd: alike(WHOLE, () => [Nx.indexedAdd(t, places, rows, "y"), Nx.indexedAdd(t, places, rows, 1), Nx.indexedAdd(t, places, rows, [-2])]),
  indexedPut: alike(WHOLE, () => [Nx.indexedPut(t, places, rows, "y"), Nx.indexedPut(t, places, rows, 1), Nx.indexedPut(t, places, rows, [-2])]),
  iota: alike(WHOLE, () => [Nx.iota(t, 1), Nx.iota(t, -2), Nx.iota(t, 1, { type: "f64" })]),
  irfft: alike(WHOLE, () => [Nx.irfft(t, "y"), Nx.irfft(t, 1), Nx.irfft(t, -2), Nx.irfft(half, 1, { name: "y" })]),
  kurtosis: alike(WITHOUT, () => [Nx.kurtosis(t, "y"), Nx.kurtosis(t, 1), Nx.kurtosis(t, -2), Nx.kurtosis(t, "y", { fisher: false })]),
  "LinAlg.norm": alike(WITHOUT, () => [Nx.LinAlg.norm(t, "y"), Nx.LinAlg.norm(t, 1), Nx.LinAlg.norm(t, -2), Nx.LinAlg.norm(t, "y", { ord: 1 })]),
  logSoftmax: alike(WHOLE, () => [Nx.logSoftmax(t, "y"), Nx.logSoftmax(t, [0, 1]), Nx.logSoftmax(t, -2)]),
  logSumExp: alike(WITHOUT, () => [Nx.logSumExp(t, "y"), Nx.logSumExp(t, 1), Nx.logSumExp(t, -2), Nx.logSumExp(t, "y", { keepAxes: false })]),
  mean: alike(WITHOUT, () => [Nx.mean(t, "y"), Nx.mean(t, 1), Nx.mean(t, -2), Nx.mean(t, "y", { nan: "skip" })]),
  median: alike(WITHOUT, () => [Nx.median(t, "y"), Nx.median(t, 1), Nx.median(t, [-2]), Nx.median(t, "y", { nan: "skip" })]),
  mode: alike(WITHOUT, () => [Nx.mode(t, "y"), Nx.mode(t, 1), Nx.mode(t, [-2]), Nx.mode(t, "y", { nan: "skip" })]),
  oneHot: alike(["x", "class", "y", "z"], () => [Nx.oneHot(t.asType("s64"), 24, 1, { name: "class" }), Nx.oneHot(t.asType("s64"), 24, -3, { name: "class" })]),
  percentile: alike(WITHOUT, () => [Nx.percentile(t, 50, "y"), Nx.percentile(t, 50, 1), Nx.percentile(t, 50, [-2]), Nx.percentile(t, 50, "y", { nan: "skip" })]),
  product: alike(WITHOUT, () => [Nx.product(t, "y"), Nx.product(t, 1), Nx.product(t, -2), Nx.product(t, "y", { nan: "skip" })]),
  quantile: alike(WITHOUT, () => [Nx.quantile(t, 0.5, "y"), Nx.quantile(t, 0.5, 1), Nx.quantile(t, 0.5, [-2]), Nx.quantile(t, 0.5, "y", { nan: "skip" })]),
  "Random.categorical": alike(WITHOUT, () => [Nx.Random.categorical(key, t, "y")[0], Nx.Random.categorical(key, t, 1)[0], Nx.Random.categorical(key, t, -2)[0], Nx.Random.categorical(key, t, { axes: "y" })[0]]),
  "Random.categoricalSplit": alike(WITHOUT, () => [Nx.Random.categoricalSplit(key, t, "y"), Nx.Random.categoricalSplit(key, t, 1), Nx.Random.categoricalSplit(key, t, -2), Nx.Random.categoricalSplit(key, t, { axes: "y" })]),
  "Random.choice": alike(WHOLE, () => [Nx.Random.choice(key, t, "y")[0], Nx.Random.choice(key, t, 1, { samples: 2 })[0], Nx.Random.choice(key, t, "y", { samples: 2 })[0], Nx.Random.choice(key, t, Nx.f32([0, 1, 0]), "y", { samples: 2 })[0]]),
  "Random.shuffle": alike(WHOLE, () => [Nx.Random.shuffle(key, t, "y")[0], Nx.Random.shuffle(key, t, 1)[0], Nx.Random.shuffle(key, t, -2)[0], Nx.Random.shuffle(key, t, "y", { independent: true })[0]]),
  reduce: alike(WITHOUT, () => [Nx.reduce(t, 0, Nx.add, "y"), Nx.reduce(t, 0, Nx.add, 1), Nx.reduce(t, 0, Nx.add, -2), Nx.reduce(t, 0, Nx.add, "y", { keepAxes: false })]),
  reduceMax: alike(WITHOUT, () => [Nx.reduceMax(t, "y"), Nx.reduceMax(t, 1), Nx.reduceMax(t, -2), Nx.reduceMax(t, "y", { nan: "skip" })]),
  reduceMin: alike(WITHOUT, () => [Nx.reduceMin(t, "y"), Nx.reduceMin(t, 1), Nx.reduceMin(t, -2), Nx.reduceMin(t, "y", { nan: "skip" })]),
  repeat: alike(WHOLE, () => [Nx.repeat(t, 2, "y"), Nx.repeat(t, 2, 1), Nx.repeat(t, 2, -2)]),
  reverse: alike(WHOLE, () => [Nx.reverse(t, "y"), Nx.reverse(t, [0, 1]), Nx.reverse(t, -2)]),
  rfft: alike(WHOLE, () => [Nx.rfft(t, "y"), Nx.rfft(t, 1), Nx.rfft(t, -2), Nx.rfft(half, 1, { name: "y" })]),
  roll: alike(WHOLE, () => [Nx.roll(t, 1, "y"), Nx.roll(t, 1, 1), Nx.roll(t, 1, [-2])]),
  shuffle: alike(WHOLE, () => [Nx.shuffle(t, "y"), Nx.shuffle(t, 1), Nx.shuffle(t, { axes: -2 })]),
  "Signal.dct": alike(WHOLE, () => [Nx.Signal.dct(t, "y"), Nx.Signal.dct(t, 1), Nx.Signal.dct(t, -2), Nx.Signal.dct(t, "y", { type: 2 })]),
  "Signal.hilbert": alike(WHOLE, () => [Nx.Signal.hilbert(t, "y"), Nx.Signal.hilbert(t, 1), Nx.Signal.hilbert(t, { axes: -2 }), Nx.Signal.hilbert(t, "y", { length: 3 })]),
  "Signal.idct": alike(WHOLE, () => [Nx.Signal.idct(t, "y"), Nx.Signal.idct(t, 1), Nx.Signal.idct(t, -2), Nx.Signal.idct(t, "y", { norm: "backward" })]),
  "Signal.istft": alike(["x", "time"], () => [Nx.Signal.istft(waves, ["frame", "bin"]), Nx.Signal.istft(waves, [1, -1]), Nx.Signal.istft(waves.transpose([1, 2, 0]), ["frame", "bin"]).transpose(), Nx.Signal.istft(waves, ["frame", "bin"], { length: 2 })]),
  "Signal.spectrogram": alike(["x", "frame", "frequency", "z"], () => [Nx.Signal.spectrogram(t, "y", { frameLength: 2 }), Nx.Signal.spectrogram(t, 1, { frameLength: 2 }), Nx.Signal.spectrogram(t, { axes: -2, frameLength: 2 })]),
  "Signal.stft": alike(["x", "frame", "frequency", "z"], () => [Nx.Signal.stft(t, "y"), Nx.Signal.stft(t, 1), Nx.Signal.stft(t, -2), Nx.Signal.stft(t, "y", { frameLength: 2 })]),
  skewness: alike(WITHOUT, () => [Nx.skewness(t, "y"), Nx.skewness(t, 1), Nx.skewness(t, -2), Nx.skewness(t, "y", { bias: false })]),
  sliceAlongAxis: alike(WHOLE, () => [Nx.sliceAlongAxis(t, 0, 2, "y"), Nx.sliceAlongAxis(t, 0, 2, 1), Nx.sliceAlongAxis(t, 0, 2, -2), Nx.sliceAlongAxis(t, 0, 3, "y", { strides: 2 })]),
  softmax: alike(WHOLE, () => [Nx.softmax(t, "y"), Nx.softmax(t, [0, 1]), Nx.softmax(t, -2)]),
  sort: alike(WHOLE, () => [Nx.sort(t, "y"), Nx.sort(t, 1), Nx.sort(t, -2), Nx.sort(t, "y", { direction: "desc" })]),
  split: alike(WHOLE, () => [Nx.split(t, 1, "y")[0]!, Nx.split(t, 1, 1)[0]!, Nx.split(t, 1, -2)[0]!]),
  squeeze: alike(WITHOUT, () => [Nx.squeeze(t.sum("y", { keepAxes: true }), "y"), Nx.squeeze(t.sum(1, { keepAxes: true }), 1), Nx.squeeze(t.sum(-2, { keepAxes: true }), [-2])]),
  stack: alike(["x", "n", "y", "z"], () => [Nx.stack([t, t], 1, { name: "n" }), Nx.stack([t, t], -3, { name: "n" }), Nx.stack([t, t], { axes: 1, name: "n" })]),
  standardDeviation: alike(WITHOUT, () => [Nx.standardDeviation(t, "y"), Nx.standardDeviation(t, 1), Nx.standardDeviation(t, -2), Nx.standardDeviation(t, "y", { ddof: 1 })]),
  sum: alike(WITHOUT, () => [Nx.sum(t, "y"), Nx.sum(t, 1), Nx.sum(t, -2), Nx.sum(t, "y", { nan: "skip" })]),
  take: alike(["x", "pick", "z"], () => [Nx.take(t, pick, "y"), Nx.take(t, pick, 1), Nx.take(t, pick, -2)]),
  takeAlongAxis: alike(WHOLE, () => [Nx.takeAlongAxis(t, t.argsort("y"), "y"), Nx.takeAlongAxis(t, t.argsort(1), 1), Nx.takeAlongAxis(t, t.argsort(-2), -2)]),
  transpose: alike(["z", "x", "y"], () => [Nx.transpose(t, ["z", "x", "y"]), Nx.transpose(t, [2, 0, 1]), Nx.transpose(t, [-1, "x", -2])]),
  trapezoid: alike(WITHOUT, () => [Nx.trapezoid(t, "y"), Nx.trapezoid(t, 1), Nx.trapezoid(t, -2), Nx.trapezoid(t, "y", { dx: 2 })]),
  unique: alike(WHOLE, () => [Nx.unique(t, "y").values, Nx.unique(t, 1).values, Nx.unique(t, -2).values, Nx.unique(t, "y", { size: 2 }).values, Nx.unique(half, 1, { name: "y" }).values]),
  unstack: alike(WITHOUT, () => [Nx.unstack(t, "y")[0]!, Nx.unstack(t, 1)[0]!, Nx.unstack(t, -2)[0]!]),
  unwrap: alike(WHOLE, () => [Nx.unwrap(t, "y"), Nx.unwrap(t, 1), Nx.unwrap(t, -2), Nx.unwrap(t, "y", { period: 2 })]),
  variance: alike(WITHOUT, () => [Nx.variance(t, "y"), Nx.variance(t, 1), Nx.variance(t, -2), Nx.variance(t, "y", { ddof: 1 })]),
  weightedMean: alike(WITHOUT, () => [Nx.weightedMean(t, t, "y"), Nx.weightedMean(t, t, 1), Nx.weightedMean(t, t, -2), Nx.weightedMean(t, t, "y", { nan: "skip" })]),
  zscore: alike(WHOLE, () => [Nx.zscore(t, "y"), Nx.zscore(t, [0, 1]), Nx.zscore(t, -2), Nx.zscore(t, "y", { ddof: 1 })]),
};

describe("axes in place of options", () => {
  it("have a row for every function", () => expect(Object.keys(CALLS).toSorted()).toEqual([...OVER_AXES].toSorted()));

  it.each(Object.entries(CALLS))("give Nx.%s the names that the types say", (_, [names, results]) => {
    for (const result of results()) expect((result as Nx.Tensor).names).toEqual(names);
  });
});

describe("numbers in place of options that are no axes", () => {
  const x = Nx.f64([1, 2, 3, 4], { names: ["x"] });
  const written = (name: string, number: number, option: string): string =>
    `${name}: a number in place of options is an axis, and shape [x: 4] has no axis ${number}; write { ${option}: ${number} }`;

  it.each([
    ["Nx.fft", 16, "length", () => Nx.fft(x, 16 as never)],
    ["Nx.ifft", 16, "length", () => Nx.ifft(x, 16 as never)],
    ["Nx.rfft", 16, "length", () => Nx.rfft(x, 16 as never)],
    ["Nx.irfft", 6, "length", () => Nx.irfft(x, 6 as never)],
    ["Nx.histogram", 10, "bins", () => Nx.histogram(x, 10 as never)],
    ["Nx.LinAlg.norm", 2, "ord", () => Nx.LinAlg.norm(x, 2 as never)],
    ["Nx.LinAlg.norm", Infinity, "ord", () => Nx.LinAlg.norm(x, Infinity as never)],
    ["Nx.diff", 2, "order", () => Nx.diff(x, 2 as never)],
    ["Nx.Signal.dct", 2, "type", () => Nx.Signal.dct(x, 2 as never)],
    ["Nx.Signal.hilbert", 8, "length", () => Nx.Signal.hilbert(x, 8 as never)],
    ["Nx.Random.choice", 3, "samples", () => Nx.Random.choice(key, x, 3 as never)],
  ])("say how %s takes the number %d", (name, number, option, call) =>
    expect(call).toThrow(new Nx.ArgumentError(written(name, number, option))),
  );

  it("are axes where the tensor has them", () => {
    const matrix = Nx.f64([[3, 0], [4, 2]]); // prettier-ignore
    expect(Nx.LinAlg.norm(matrix, 1).toList()).toEqual([3, Math.sqrt(20)]);
    expect(Nx.diff(matrix, 0).toList()).toEqual([[1, 2]]);
    expect(() => Nx.fft(x, -2 as never)).toThrow("given axis (-2) invalid");
  });
});
