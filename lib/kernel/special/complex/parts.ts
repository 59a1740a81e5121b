/**
 * What the programs of complex functions share: numbers as pairs of f64, choices of pairs, signs, sizes. Zeros, infinities, NaN and
 * the sides of branch cuts are those of C99 (Annex G), which tells the sides apart by the sign of zero.
 */
import type { Builder } from "../../builder";
import { signOf, split, twoSum, withSign, type Doubled, type F64, type I64, type M64 } from "../f64/arith";

export type { F64, M64 };

/** A complex number as its parts. */
export type Complex = readonly [re: F64, im: F64];
/** A function of one complex number. */
export type ComplexProgram = (k: Builder, z: Complex) => Complex;

export const isInfinite = (k: Builder, x: F64): M64 => k.eq(k.abs(x), Infinity);
export const isFinite = (k: Builder, x: F64): M64 => k.lt(k.abs(x), Infinity);
export const isNaN = (k: Builder, x: F64): M64 => k.ne(x, x);

/** Whether either part is NaN. */
export const isLost = (k: Builder, [re, im]: Complex): M64 => k.or(isNaN(k, re), isNaN(k, im));

/** `onTrue` where the mask holds. */
export const choose = (k: Builder, mask: M64, onTrue: Complex, onFalse: Complex): Complex => [
  k.select(mask, onTrue[0], onFalse[0]),
  k.select(mask, onTrue[1], onFalse[1]),
];

/** `usual` where the mask does not hold; what `build` gives where it does, which is computed only if such numbers occur. */
export const unusually = (k: Builder, mask: M64, usual: Complex, build: () => Complex): Complex => [
  k.coldPath(mask, usual[0], () => build()[0]),
  k.coldPath(mask, usual[1], () => build()[1]),
];

/** The sign bit; that of NaN, which is not the same everywhere, is left out. */
export const signBit = (k: Builder, x: F64): I64 => k.and(signOf(k, x), k.maskBits(k.eq(x, x)));

const LARGE = 2 ** 1000;

/** Chooses factors by how large a number is: pairs of a scale and what undoes it are chosen alike. */
export function bySize(k: Builder, size: F64, small: number): (ofLarge: number, ofSmall: number) => F64 {
  const [isLarge, isSmall] = [k.gt(size, LARGE), k.lt(size, small)];
  return (ofLarge, ofSmall) => k.select(isLarge, k.f64(ofLarge), k.select(isSmall, k.f64(ofSmall), 1));
}

/** The size of `x` with the sign of `y`, which is no NaN. */
export const copySign = (k: Builder, x: F64, y: F64): F64 => withSign(k, k.abs(x), signOf(k, y));

/** Zero with the sign of `x`. */
export const zeroOf = (k: Builder, x: F64): F64 => k.float(signBit(k, x));

/** The parts exchanged: of i times the conjugate. */
export const exchanged = ([re, im]: Complex): Complex => [im, re];

/** sqrt(a^2 + b^2) without overflow; infinite if either is, even beside NaN. */
export function hypot(k: Builder, x: F64, y: F64): F64 {
  const [a, b] = [k.abs(x), k.abs(y)];
  const root = (u: F64, v: F64): F64 => k.sqrt(k.add(k.mul(u, u), k.mul(v, v)));
  const larger = k.pmax(b, a);
  const isMedium = k.and(k.lt(larger, 2 ** 510), k.ge(larger, 2 ** -450));
  return k.coldPath(k.not(isMedium), root(a, b), () => {
    const scale = k.select(k.lt(larger, 2 ** -450), k.f64(2 ** 600), 2 ** -600);
    const scaled = k.div(root(k.mul(a, scale), k.mul(b, scale)), scale);
    const isSum = k.or(k.eq(larger, 0), k.or(isNaN(k, a), isNaN(k, b)));
    const size = k.select(isSum, k.add(a, b), scaled);
    return k.select(k.or(k.eq(a, Infinity), k.eq(b, Infinity)), k.f64(Infinity), size);
  });
}

/** x^2 and what rounding took from it. */
export function square(k: Builder, x: F64): Doubled {
  const high = k.mul(x, x);
  const part = split(k, x);
  const cross = k.mul(k.mul(part.high, part.low), 2);
  return { high, low: k.add(k.add(k.sub(k.mul(part.high, part.high), high), cross), k.mul(part.low, part.low)) };
}

/** x^2 + y^2 and what rounding took from it. */
export function squareSum(k: Builder, x: F64, y: F64): Doubled {
  const [a, b] = [square(k, x), square(k, y)];
  const { high, low } = twoSum(k, a.high, b.high);
  return { high, low: k.add(low, k.add(a.low, b.low)) };
}
