/**
 * The functions that take axes in place of their options, and then may have the others behind these: `t.mean("day", { keepAxes: true })`.
 * Names as in messages, without the `Nx.` in front; a test says which is missing.
 */
// prettier-ignore
export const OVER_AXES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "all", "any", "argmax", "argmin", "argsort", "compress", "concatenate", "convolve", "cross", "cumulativeMax", "cumulativeMin",
  "cumulativeProduct", "cumulativeSum", "Defn.map", "Defn.scan", "diff", "fft", "fft2", "fftshift", "flatten", "gather", "gradient", "histogram", "ifft", "ifft2",
  "ifftshift", "indexedAdd", "indexedPut", "iota", "irfft", "kurtosis", "LinAlg.norm", "logSoftmax", "logSumExp", "mean", "median",
  "mode", "oneHot", "percentile", "product", "quantile", "Random.categorical", "Random.categoricalSplit", "Random.choice",
  "Random.shuffle", "reduce", "reduceMax", "reduceMin", "repeat", "reverse", "rfft", "roll", "shuffle", "Signal.dct", "Signal.hilbert",
  "Signal.idct", "Signal.istft", "Signal.spectrogram", "Signal.stft", "skewness", "sliceAlongAxis", "softmax", "sort", "split", "squeeze", "stack", "standardDeviation",
  "sum", "take", "takeAlongAxis", "transpose", "trapezoid", "unique", "unstack", "unwrap", "variance", "weightedMean", "zscore",
]);
