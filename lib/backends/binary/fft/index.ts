/**
 * Discrete Fourier transforms of the last axis, of any length in n log n steps: mixed radix where all prime factors are
 * small, else by a convolution. In double precision, rounded once.
 */
import type { PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { loadC128, storeC128 } from "../convert";
import { allocate, allocateFor, BinaryData, elementsOf } from "../storage";
import { bluestein } from "./bluestein";
import { factorsOf, mixedRadix, partsOf, type Parts, type Transform } from "./stages";

/** Up to this prime factor the square of it costs less than a convolution. */
const LARGEST_RADIX = 61;

/** Transforms kept for the lengths used last; long ones cost more memory than they save time. */
const PLANS = new Map<number, Transform>();
const PLANS_KEPT = 16;
const LONGEST_KEPT = 2 ** 17;

function makePlan(length: number): Transform {
  const factors = factorsOf(length);
  return Math.max(1, ...factors) > LARGEST_RADIX ? bluestein(length) : mixedRadix(length, factors);
}

function planOf(length: number): Transform {
  const kept = PLANS.get(length);
  const plan = kept ?? makePlan(length);
  if (length > LONGEST_KEPT) return plan;
  PLANS.delete(length);
  PLANS.set(length, plan); // the one used last comes last
  if (PLANS.size > PLANS_KEPT) PLANS.delete(PLANS.keys().next().value!);
  return plan;
}

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

const fft: PrimitiveFunction<"fft"> = (out, [x], { inverse, eps }) => {
  const n = out.shape[out.shape.length - 1]!;
  const count = sizeOf(out.shape);
  const source = elementsOf(x!);
  const result = allocateFor(out.type, out.shape);
  const pairs = allocate("c128", n);
  const line = partsOf(n);
  const given = inverse ? { re: line.im, im: line.re } : line; // with parts exchanged the transform is the inverse one
  const transform = planOf(n);
  for (let at = 0; at < count; at += n) {
    loadC128(x!.type, source, at, pairs, n);
    split(pairs, line, n);
    transform(given);
    join(line, pairs, n, inverse ? n : 1, eps);
    storeC128(out.type, result, at, pairs, n);
  }
  return new BinaryData(result);
};

/** The primitive of Fourier transforms. */
export const transforms = { fft };
