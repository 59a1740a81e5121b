/**
 * Discrete Fourier transforms along an axis, of any length in n log n steps: mixed radix where all prime factors are
 * small, else by a convolution. In double precision, rounded once.
 */
import type { Attrs, Template } from "../../../backend";
import { stagesOf } from "../../../core/stages";
import { loadC128, storeC128 } from "../../arrays/convert";
import type { ArrayMemory } from "../../arrays/memory";
import type { ArrayPrimitive } from "../../arrays/primitives";
import { allocate, elementsOf, type Elements } from "../../arrays/storage";
import type { Tensor } from "../../../tensor";
import { bluestein } from "./bluestein";
import { tangle, untangle } from "./halves";
import { halfPlanOf, planOf, type Plan } from "./plan";
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
    const x = re[k]! / scale;
    const y = im[k]! / scale;
    pairs[at + k * step] = Math.abs(x) <= eps ? 0 : x;
    pairs[at + k * step + 1] = Math.abs(y) <= eps ? 0 : y;
  }
}

/** Of the numbers of a line those at even places as real parts, those at odd ones as imaginary parts. */
function pack(numbers: Elements, { re, im }: Parts, m: number, at: number, step: number): void {
  for (let k = 0; k < m; k++) {
    re[k] = numbers[at + 2 * k * step] as number;
    im[k] = numbers[at + (2 * k + 1) * step] as number;
  }
}

/** The way back, scaled; what is at most `eps` becomes 0. */
function unpack(
  { re, im }: Parts,
  numbers: Elements,
  m: number,
  at: number,
  step: number,
  scale: number,
  eps: number,
): void {
  for (let k = 0; k < m; k++) {
    const x = re[k]! / scale;
    const y = im[k]! / scale;
    numbers[at + 2 * k * step] = Math.abs(x) <= eps ? 0 : x;
    numbers[at + (2 * k + 1) * step] = Math.abs(y) <= eps ? 0 : y;
  }
}

/** Of real numbers the first half of the transform, or the way back. */
function halfTransform(memory: ArrayMemory, out: Template, x: Tensor, { axis, inverse, eps }: Attrs["fft"]): unknown {
  const { before, size: n, after } = stagesOf((inverse ? out : x).shape, [axis])[0]!;
  const m = n / 2;
  const { plan, roots } = halfPlanOf(n);
  const source = elementsOf(x);
  const result = memory.zeroed(out.type, out.shape);
  const count = (m + 1) * after;
  const pairs = allocate("c128", count);
  const line = partsOf(m + 1);
  const packed = { re: line.re.subarray(0, m), im: line.im.subarray(0, m) };
  const given = inverse ? { re: packed.im, im: packed.re } : packed;
  const transform = transformOf(plan);
  for (let group = 0; group < before; group++) {
    if (inverse) loadC128(x.type, source, group * count, pairs, count);
    for (let column = 0; column < after; column++) {
      const at = group * n * after + column;
      if (inverse) {
        split(pairs, line, m + 1, 2 * column, 2 * after);
        tangle(line, roots, m);
      } else pack(source, packed, m, at, after);
      transform(given);
      if (inverse) unpack(packed, result, m, at, after, n, eps);
      else {
        untangle(line, roots, m);
        join(line, pairs, m + 1, 2 * column, 2 * after, 2, eps);
      }
    }
    if (!inverse) storeC128(out.type, result, group * count, pairs, count);
  }
  return memory.hold(result);
}

const fft: ArrayPrimitive<"fft"> = (memory) => (out, inputs, attrs) => {
  const x = inputs[0]!;
  if (attrs.half) return halfTransform(memory, out, x, attrs);
  const { axis, inverse, eps } = attrs;
  const { before, size: n, after } = stagesOf(out.shape, [axis])[0]!;
  const source = elementsOf(x);
  const result = memory.zeroed(out.type, out.shape);
  const pairs = allocate("c128", n * after);
  const line = partsOf(n);
  const given = inverse ? { re: line.im, im: line.re } : line; // with parts exchanged the transform is the inverse one
  const transform = transformOf(planOf(n));
  for (let group = 0; group < before; group++) {
    const at = group * n * after;
    loadC128(x.type, source, at, pairs, n * after);
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
