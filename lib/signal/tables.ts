/**
 * Tables of cosine transforms and analytic signals, which depend on the length: places and factors along an axis.
 */
import { keepingTable } from "../backends/binary/fft/turns";

function integers(name: string, length: number, at: (i: number) => number): Int32Array {
  return keepingTable(`${name} ${length}`, length, () => {
    const table = new Int32Array(length);
    for (let i = 0; i < length; i++) table[i] = at(i);
    return table;
  });
}

/** Places of the elements of a signal so that those at even places come first, in their order, and then the others, from the last one on. */
export const folded = (length: number): Int32Array => {
  const even = Math.ceil(length / 2);
  return integers("folded", length, (i) => (i < even ? 2 * i : 2 * (length - i) - 1));
};

/** The inverse of {@link folded}. */
export const unfolded = (length: number): Int32Array =>
  integers("unfolded", length, (i) => (i % 2 === 0 ? i / 2 : length - (i + 1) / 2));

/** Places as {@link folded} has them, the first one first and the others from the last one on: the spectrum is the conjugate one. */
export const turnedBack = (length: number): Int32Array => {
  const places = folded(length);
  return integers("turned back", length, (i) => places[(length - i) % length]!);
};

/** The inverse of {@link turnedBack}. */
export const turnedForth = (length: number): Int32Array => {
  const places = unfolded(length);
  return integers("turned forth", length, (i) => (length - places[i]!) % length);
};

/** How often each frequency of a signal counts in its analytic signal, for an odd length: 0 once, positive ones twice, negative ones not at all. */
export const sides = (length: number): Float64Array =>
  keepingTable(`sides ${length}`, length, () => {
    const table = new Float64Array(length).fill(2, 0, (length + 1) / 2);
    table[0] = 1;
    return table;
  });

/** The factors of the first and the last element, and of all others. */
export const edgesOf = (length: number, edge: number, inner: number): Float64Array =>
  keepingTable(`edges ${length} ${edge} ${inner}`, length, () => {
    const table = new Float64Array(length).fill(inner);
    table[0] = table[length - 1] = edge;
    return table;
  });
