/** Roots of unity, the factors of Fourier transforms: of this library's own arithmetic, so that they have the same bits in every engine. */
import { productError } from "../../../core/extended";
import { COS, SIN } from "../../../kernel/special/f64/trigonometric";
import { allocate } from "../../arrays/storage";

/** Real and imaginary parts. */
export interface Parts {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Zeros. */
export const partsOf = (n: number): Parts => ({ re: allocate("f64", n), im: allocate("f64", n) });

/** pi / 2 as a number and what the number lacks. */
const RIGHT_ANGLE = Math.PI / 2;
const RIGHT_ANGLE_REST = 6.123233995736766e-17;

/** The sum of all coefficients but the first, each times a power of x one higher than the one before. */
function polynomialRest(x: number, coefficients: readonly number[]): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 1; i--) sum = sum * x + coefficients[i]!;
  return sum;
}

/**
 * Cosine and sine of the fraction m / n of a right angle, at most a half. The angle and the square of it carry what rounding takes from them, so both
 * results are within 0.83 units in the last place.
 */
function cosineAndSine(m: number, n: number): [cosine: number, sine: number] {
  if (2 * m === n) return [Math.SQRT1_2, Math.SQRT1_2];
  const fraction = m / n;
  const whole = fraction * n;
  const fractionRest = (m - whole - productError(fraction, n, whole)) / n;
  const y = RIGHT_ANGLE * fraction;
  const rest = productError(RIGHT_ANGLE, fraction, y) + (RIGHT_ANGLE * fractionRest + RIGHT_ANGLE_REST * fraction);
  const z = y * y;
  const v = z * y;
  const zRest = productError(y, y, z) + 2 * y * rest;
  const half = 1 - z / 2;
  const cosine = half + (1 - half - z / 2 + (z * z * polynomialRest(z, COS) - zRest / 2));
  const sine = y + (v / -6 + (v * z * polynomialRest(z, SIN) + rest * half));
  return [cosine, sine];
}

/** `exp(-2 pi i k / n)` for a k below n; angles are folded into an eighth of the circle, so that all are equally exact. */
export function rootOf(k: number, n: number): [re: number, im: number] {
  const quarter = Math.floor((4 * k) / n);
  const rest = 4 * k - quarter * n;
  const folded = 2 * rest > n;
  const [a, b] = cosineAndSine(folded ? n - rest : rest, n);
  const [cos, sin] = folded ? [b, a] : [a, b];
  if (quarter === 0) return [cos, -sin];
  if (quarter === 1) return [-sin, -cos];
  return quarter === 2 ? [-cos, sin] : [sin, cos];
}

/** All roots `exp(-2 pi i k / n)`, or the first of them. */
export function rootsOf(n: number, count = n): Parts {
  const { re, im } = partsOf(count);
  // of whole quarters the first says all
  const computed = n % 4 === 0 ? n / 4 : n;
  for (let k = 0; k < Math.min(computed, count); k++) [re[k], im[k]] = rootOf(k, n);
  for (let k = computed; k < count; k++) {
    re[k] = im[k - computed]!;
    im[k] = -re[k - computed]!;
  }
  return { re, im };
}
