/**
 * Complex products out of real ones: operands are split into real and imaginary parts, of which each real product is made
 * by itself. Knows nothing of what a product is.
 */
import { isComplex, type DType } from "../../core/types";
import { loadC128, loadF64 } from "../arrays/convert";
import type { Elements } from "../arrays/storage";

/** Real and imaginary parts; null for the imaginary parts of a real operand, which are 0. */
type Parts = readonly [re: Float64Array, im: Float64Array | null];

/** Real elements as doubles: the array itself where it holds doubles already, or `room` where that has enough. */
export function doublesOf(type: DType, elements: Elements, count: number, room?: Float64Array): Float64Array {
  if (type === "f64") return elements as Float64Array;
  const values = room !== undefined && count <= room.length ? room : new Float64Array(count);
  loadF64(type, elements, 0, values, count);
  return values;
}

/** The parts of elements of any type. */
export function partsOf(type: DType, elements: Elements, count: number): Parts {
  if (!isComplex(type)) return [doublesOf(type, elements, count), null];
  const both = new Float64Array(2 * count);
  loadC128(type, elements, 0, both, count);
  const [re, im] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    re[i] = both[2 * i]!;
    im[i] = both[2 * i + 1]!;
  }
  return [re, im];
}

/** The complex product, interleaved, made of up to four real ones. */
export function productOfParts(
  left: Parts,
  right: Parts,
  product: (left: Float64Array, right: Float64Array) => Float64Array,
): Float64Array {
  const [ar, ai] = meeting(left, right);
  const [br, bi] = meeting(right, left);
  const re = product(ar, br);
  const minus = ai && bi && product(ai, bi);
  const im1 = bi && product(ar, bi);
  const im2 = ai && product(ai, br);
  const both = new Float64Array(2 * re.length);
  for (let i = 0; i < re.length; i++) {
    both[2 * i] = re[i]! - (minus?.[i] ?? 0);
    both[2 * i + 1] = (im1?.[i] ?? 0) + (im2?.[i] ?? 0);
  }
  return both;
}

/** The imaginary zeros of a real operand count where they meet infinities or NaN, as in products of elements. */
function meeting([re, im]: Parts, [otherRe, otherIm]: Parts): Parts {
  if (im !== null || (isFinite(otherRe) && (otherIm === null || isFinite(otherIm)))) return [re, im];
  return [re, new Float64Array(re.length)];
}

function isFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i]!)) return false;
  return true;
}
