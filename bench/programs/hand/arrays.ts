/**
 * Single functions on large arrays, as loops over typed arrays.
 */
import type { Inputs, Plain, PlainResult, Programs } from "../program";

const bins = ({ x, places, bins }: Inputs<Plain>) => {
  const indices = Int32Array.from(places!.data);
  return (): Float32Array => {
    const sums = new Float64Array(bins!.data.length);
    for (let i = 0; i < indices.length; i++) sums[indices[i]!]! += x!.data[i]!;
    return Float32Array.from(sums);
  };
};

const softmaxEager = ({ x }: Inputs<Plain>) => {
  const columns = x!.shape[1]!;
  return (): Float32Array => {
    const out = new Float32Array(x!.data.length);
    for (let from = 0; from < out.length; from += columns) {
      let most = -Infinity;
      for (let i = from; i < from + columns; i++) most = Math.max(most, x!.data[i]!);
      let total = 0;
      for (let i = from; i < from + columns; i++) total += out[i] = Math.exp(x!.data[i]! - most);
      for (let i = from; i < from + columns; i++) out[i]! /= total;
    }
    return out;
  };
};

export const arrays: Programs<Plain, PlainResult> = { bins, softmaxEager };
