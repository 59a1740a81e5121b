/**
 * Discrete Fourier transforms of the last axis, of any length in n log n steps: mixed radix where all prime factors are
 * small, else by a convolution. In double precision, rounded once.
 */
import { sizeOf } from "../../../core/shape";
import { loadC128, storeC128 } from "../../arrays/convert";
import type { ArrayPrimitive } from "../../arrays/primitives";
import { allocate, elementsOf } from "../../arrays/storage";
import { bluestein } from "./bluestein";
import { planOf, type Plan } from "./plan";
import { partsOf, type Parts } from "./roots";
import { mixedRadix, type Transform } from "./stages";

/** What is done with a line, for the time of a call. */
const transformOf = (plan: Plan): Transform => ("inner" in plan ? bluestein(plan) : mixedRadix(plan));

function split(pairs: Float64Array, { re, im }: Parts, n: number): void {
  for (let k = 0; k < n; k++) {
    re[k] = pairs[2 * k]!;
    im[k] = pairs[2 * k + 1]!;
  }
}

/** Parts as pairs, scaled; those of at most `eps` become 0. */
function join({ re, im }: Parts, pairs: Float64Array, n: number, scale: number, eps: number): void {
  for (let k = 0; k < n; k++) {
    const [x, y] = [re[k]! / scale, im[k]! / scale];
    pairs[2 * k] = Math.abs(x) <= eps ? 0 : x;
    pairs[2 * k + 1] = Math.abs(y) <= eps ? 0 : y;
  }
}

const fft: ArrayPrimitive<"fft"> =
  (memory) =>
  (out, [x], { inverse, eps }) => {
    const n = out.shape[out.shape.length - 1]!;
    const count = sizeOf(out.shape);
    const source = elementsOf(x!);
    const result = memory.zeroed(out.type, out.shape);
    const pairs = allocate("c128", n);
    const line = partsOf(n);
    const given = inverse ? { re: line.im, im: line.re } : line; // with parts exchanged the transform is the inverse one
    const transform = transformOf(planOf(n));
    for (let at = 0; at < count; at += n) {
      loadC128(x!.type, source, at, pairs, n);
      split(pairs, line, n);
      transform(given);
      join(line, pairs, n, inverse ? n : 1, eps);
      storeC128(out.type, result, at, pairs, n);
    }
    return memory.hold(result);
  };

/** The primitive of Fourier transforms. */
export const transforms = { fft };
