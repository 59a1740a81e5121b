/**
 * What is before and after the Fourier transform of a cosine transform, bit for bit as the composites in `lib/signal` have it.
 */
import type { Template } from "../../../backend";
import { stagesOf } from "../../../core/stages";
import type { Tensor } from "../../../tensor";
import type { ArrayMemory } from "../../arrays/memory";
import { elementsOf, type Elements } from "../../arrays/storage";
import { cosineTurns, type CosineOptions } from "../fft/turns";

type Numbers = Float32Array | Float64Array;

/** Lines of `n` real numbers and of pairs, which begin at these places, and where the elements of each are so many numbers apart. */
type EachLine = (numbers: number, pairs: number, step: number) => void;

function eachLine({ shape }: { readonly shape: readonly number[] }, { axis }: CosineOptions, run: EachLine): void {
  const { before, size: n, after } = stagesOf(shape, [axis])[0]!;
  const count = Math.floor(n / 2) + 1;
  for (let group = 0; group < before; group++) {
    for (let column = 0; column < after; column++)
      run(group * n * after + column, 2 * (group * count * after + column), after);
  }
}

/** The block "cosinesOf": of the first half of a spectrum in `c128` the cosine transform of type 2, in `f32` or `f64`. */
export function cosinesOf(out: Template, [x]: readonly Tensor[], options: object, memory: ArrayMemory): Elements {
  const { length: n } = options as CosineOptions;
  const { re: cos, im: sin } = cosineTurns(options as CosineOptions);
  const pairs = elementsOf(x!) as Float64Array;
  const result = memory.unset(out.type, out.shape) as Numbers;
  eachLine(out, options as CosineOptions, (numbers, from, step) => {
    for (let k = 0, to = numbers, other = numbers + n * step; k < cos.length; k++, to += step, other -= step) {
      // array patterns took six times as long here
      const at = from + 2 * k * step;
      const re = pairs[at]!;
      const im = pairs[at + 1]!;
      const c = cos[k]!;
      const s = sin[k]!;
      result[to] = re * c + im * s;
      if (k > 0 && 2 * k < n) result[other] = im * c - re * s;
    }
  });
  return result;
}

/** The block "halfOfCosines": of `f32` or `f64` the half of a spectrum in `c128` whose inverse is the cosine transform of type 3. */
export function halfOfCosines(out: Template, [x]: readonly Tensor[], options: object, memory: ArrayMemory): Elements {
  const { length: n } = options as CosineOptions;
  const { re: cos, im: sin } = cosineTurns(options as CosineOptions);
  const given = elementsOf(x!) as Numbers;
  const pairs = memory.unset(out.type, out.shape) as Float64Array;
  eachLine(x!, options as CosineOptions, (numbers, to, step) => {
    for (let k = 0, from = numbers, other = numbers + n * step; k < cos.length; k++, from += step, other -= step) {
      const at = to + 2 * k * step;
      const a = given[from]!;
      const b = k === 0 ? 0 : given[other]!;
      const c = cos[k]!;
      const s = sin[k]!;
      pairs[at] = a * c - b * s;
      pairs[at + 1] = a * s + b * c;
    }
  });
  return pairs;
}
