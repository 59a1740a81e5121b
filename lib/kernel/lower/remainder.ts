/**
 * The remainder of floats in the kernel language.
 */
import type { Builder } from "../builder";
import type { Value } from "../value";

type F64 = Value<"f64">;

/** Quotients below this are found in one step: with a divisor of up to 32 bits the product back is exact. */
const STEP_BITS = 21;
/** Bits of the largest quotient of an f32 by an f32: from 2^128 to 2^-149. */
const QUOTIENT_BITS = 277;

/**
 * x - y trunc(x / y), exactly, with the sign of x: what `%` gives. Of x with up to 53 bits and y with up to 32. The quotient may
 * come out too large by 1, where the true one is closer below an integer than doubles tell; the remainder is negative then.
 */
export function floatRemainder(k: Builder, x: F64, y: F64): F64 {
  const [a, b] = [k.abs(x), k.abs(y)];
  const quotient = k.div(a, b);
  const isFar = k.or(k.not(k.lt(quotient, 2 ** STEP_BITS)), k.eq(b, Infinity));
  const size = k.coldPath(isFar, reduced(k, a, b, quotient), () => reducedFar(k, a, b));
  const signed = k.float(k.or(k.bits(size), k.and(k.bits(x), k.i64(0x80000000, 0))));
  // A NaN has no sign to take.
  return k.select(k.ne(size, size), k.f64(NaN), signed);
}

function reduced(k: Builder, a: F64, b: F64, quotient: F64): F64 {
  const rest = k.sub(a, k.mul(k.trunc(quotient), b));
  return k.select(k.lt(rest, 0), k.add(rest, b), rest);
}

/** Multiples of y are taken off from the largest on, as in long division by digits of 20 bits. */
function reducedFar(k: Builder, a: F64, b: F64): F64 {
  const digit = STEP_BITS - 1;
  let rest = a;
  for (let shift = digit * Math.ceil((QUOTIENT_BITS - digit) / digit); shift >= 0; shift -= digit) {
    const multiple = k.mul(b, 2 ** shift);
    rest = reduced(k, rest, multiple, k.div(rest, multiple));
  }
  const isNaN = k.or(k.not(k.lt(a, Infinity)), k.not(k.ne(b, 0)));
  // An infinite divisor leaves x; NaN on either side is NaN.
  return k.select(k.or(isNaN, k.ne(b, b)), k.f64(NaN), k.select(k.eq(b, Infinity), a, rest));
}
