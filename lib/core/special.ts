/**
 * Scalar functions of f64 that JavaScript's Math lacks or gets wrong at the edges. Accurate to 2 units in the last place or
 * better; IEEE 754 and C99 (Annex F) for zeros, infinities and NaN. Pure functions of numbers, nothing of tensors or types.
 */

export { pow } from "./pow";

/** The nearest integer, halves away from zero; the sign is kept (-0.3 gives -0). */
export function roundHalfAway(x: number): number {
  const whole = Math.trunc(x);
  // x - whole is exact; adding 0.5 before truncating is not.
  return Math.abs(x - whole) >= 0.5 ? whole + (x < 0 ? -1 : 1) : whole;
}

/** The nearest integer, halves to the even one; the sign is kept. Adding 2^52 rounds away all fractions. */
export function roundHalfEven(x: number): number {
  const size = Math.abs(x);
  if (!(size < 2 ** 52)) return x;
  const whole = size + 2 ** 52 - 2 ** 52;
  return x < 0 || Object.is(x, -0) ? -whole : whole;
}

/** -1 or 1 by the sign of `x`; zeros and NaN are returned as they are. */
export function sign(x: number): number {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}

/** The C fmod: exact, of the sign of `x`. Processors give a NaN of another sign than engines do where they know the operands. */
export function remainder(x: number, y: number): number {
  const rest = x % y;
  return rest === rest ? rest : NaN;
}

const BIG = 2 ** 510;
const SMALL = 2 ** -450;

/** sqrt(x^2 + y^2) without overflow; infinite if either is, even beside NaN. */
export function hypot(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const larger = a > b ? a : b;
  if (larger < BIG && larger >= SMALL) return Math.sqrt(a * a + b * b);
  if (a === Infinity || b === Infinity) return Infinity;
  if (larger === 0 || a !== a || b !== b) return a + b;
  const scale = larger < SMALL ? 2 ** 600 : 2 ** -600;
  const u = a * scale;
  const v = b * scale;
  return Math.sqrt(u * u + v * v) / scale;
}

/** The absolute value of `x` with the sign of `y` (a zero's too). */
export function copySign(x: number, y: number): number {
  const size = Math.abs(x);
  return y < 0 || (y === 0 && 1 / y < 0) ? -size : size;
}
