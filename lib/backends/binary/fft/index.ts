/**
 * Discrete Fourier transforms along an axis, of any length in n log n steps: mixed radix where all prime factors are
 * small, else by a convolution. In double precision, rounded once.
 */
import { stagesOf } from "../../../core/stages";
import { loadC128, storeC128 } from "../../arrays/convert";
import type { ArrayPrimitive } from "../../arrays/primitives";
import { allocate, elementsOf } from "../../arrays/storage";
import { bluestein } from "./bluestein";
import { planOf, type Plan } from "./plan";
import { partsOf, type Parts } from "./roots";
import { mixedRadix, type Transform } from "./stages";

/** What is done with a line, for the time of a call. */
const transformOf = (plan: Plan): Transform => ("inner" in plan ? bluestein(plan) : mixedRadix(plan));

/** A line of pairs, the first at `at`, neighbours `step` numbers apart, as parts. */
function split(pairs: Float64Array, { re, im }: Parts, n: number, at: number, step: number): void {
  for (let k = 0; k < n; k++) {
    re[k] = pairs[at + k * step]!;
    im[k] = pairs[at + k * step + 1]!;
  }
}

/** Parts as such a line, scaled; those of at most `eps` become 0. */
function join(
  { re, im }: Parts,
  pairs: Float64Array,
  n: number,
  at: number,
  step: number,
  scale: number,
  eps: number,
): void {
  for (let k = 0; k < n; k++) {
    const [x, y] = [re[k]! / scale, im[k]! / scale];
    pairs[at + k * step] = Math.abs(x) <= eps ? 0 : x;
    pairs[at + k * step + 1] = Math.abs(y) <= eps ? 0 : y;
  }
}

const fft: ArrayPrimitive<"fft"> =
  (memory) =>
  (out, [x], { axis, inverse, eps }) => {
    const { before, size: n, after } = stagesOf(out.shape, [axis])[0]!;
    const source = elementsOf(x!);
    const result = memory.zeroed(out.type, out.shape);
    const pairs = allocate("c128", n * after);
    const line = partsOf(n);
    const given = inverse ? { re: line.im, im: line.re } : line; // with parts exchanged the transform is the inverse one
    const transform = transformOf(planOf(n));
    for (let group = 0; group < before; group++) {
      const at = group * n * after;
      loadC128(x!.type, source, at, pairs, n * after);
      for (let column = 0; column < after; column++) {
        split(pairs, line, n, 2 * column, 2 * after);
        transform(given);
        join(line, pairs, n, 2 * column, 2 * after, inverse ? n : 1, eps);
      }
      storeC128(out.type, result, at, pairs, n * after);
    }
    return memory.hold(result);
  };

/** The primitive of Fourier transforms. */
export const transforms = { fft };
