/**
 * pow, rsqrt and cbrt of f32. Coefficients: minimax fits of scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import { horner } from "../polynomial";
import { power } from "./exponential";
import { logRatio } from "./logarithmic";
import { flipSign, isOutside, isUnusual, signBit, type F32, type F64 } from "./scaling";

/** log2((1 + s) / (1 - s)) / s in s^2, to 2^-37.7. */
const LOG2 = [2.8853900817901046, 0.9617966733168097, 0.5770835900531428, 0.41167239625767144, 0.34073637437947724];
/** y^(-1/3) for y from 0.898 to 1.103. */
const CORRECTION = [1.7313520837892884, -1.3036563063433408, 0.7465802509413694, -0.1742780339448516];

/** The square root of 1 / x: the root halves the rounding error of the quotient. */
export function rsqrt(k: Builder, x: F32): F32 {
  const root = (a: F32): F32 => k.sqrt(k.div(k.f32(1), a));
  // From 2^-126 to 2^126 the quotient is normal.
  return k.coldPath(isOutside(k, k.bits(x), 0x00800000, 0x7e800001), root(x), () => {
    const isSmall = k.lt(k.abs(x), 1);
    const scaled = root(k.mul(x, k.select(isSmall, k.f32(2 ** 48), 2 ** -48)));
    const other = k.mul(scaled, k.select(isSmall, k.f32(2 ** 24), 2 ** -24));
    return k.select(k.eq(x, 0), k.div(k.f32(1), x), k.select(k.lt(x, 0), k.f32(NaN), other));
  });
}

/** The cube root of a positive normal number. */
function cubeRoot(k: Builder, x: F32): F32 {
  // Minus a third of the word, which is a logarithm of sorts: 1 / cbrt(x) to 3.5 %. The word's upper bits become the
  // fraction of a float, so that the division by 3 is a product; the sum's fraction is the word of the result.
  const word = k.float(k.or(k.shrU(k.bits(x), 8), 0x4b000000));
  const guess = k.float(k.shl(k.bits(k.add(k.mul(word, -1 / 3), 16731304)), 8));
  const cube = k.mul(k.mul(k.mul(x, guess), guess), guess);
  const r = k.promote(k.mul(guess, horner(k, cube, CORRECTION)));
  // x r^2 is near the root; 1 - x r^3 tells how near.
  const near = k.mul(k.mul(r, r), k.promote(x));
  const miss = k.sub(k.f64(1), k.mul(near, r));
  return k.demote(k.add(near, k.mul(near, k.mul(miss, 2 / 3))));
}

/** The reciprocal cube root without division, corrected in f64 by Newton's method. */
export function cbrt(k: Builder, x: F32): F32 {
  const size = k.abs(x);
  const root = k.coldPath(isUnusual(k, size), cubeRoot(k, size), () =>
    k.select(k.and(k.gt(size, 0), k.lt(size, 1)), k.mul(cubeRoot(k, k.mul(size, 2 ** 24)), 2 ** -8), size),
  );
  return flipSign(k, root, signBit(k, x));
}

/** |x|^y as 2^(y log2|x|), for |x| that is neither 0 nor infinite; 1^Infinity is NaN. */
function positivePower(k: Builder, size: F32, y: F32): F32 {
  const { e, s } = logRatio(k, k.promote(size));
  const log2: F64 = k.add(e, k.mul(s, horner(k, k.mul(s, s), LOG2)));
  const exponent = k.mul(k.promote(y), log2);
  return k.demote(power(k, k.pmax(k.pmin(exponent, 200), -200)));
}

/**
 * What C99 (Annex F) says of powers of zeros, infinities, NaN and negative numbers. `finite` is the power of |x| where that
 * has one.
 */
function annexF(k: Builder, x: F32, y: F32, finite: F32): F32 {
  const size = k.abs(x);
  const isZero = k.eq(size, 0);
  const isInfinite = k.eq(size, Infinity);
  const isPole = k.xor(isInfinite, k.lt(y, 0));
  const ofEnds = k.select(k.or(isZero, isInfinite), k.select(isPole, k.f32(Infinity), 0), finite);
  const ofSize = k.select(k.eq(size, 1), k.f32(1), ofEnds);
  const half = k.mul(y, 0.5);
  const isWhole = k.eq(k.floor(y), y);
  const isOdd = k.and(isWhole, k.ne(k.floor(half), half));
  const signed = flipSign(k, ofSize, k.and(signBit(k, x), k.maskBits(isOdd)));
  const isRoot = k.and(k.andnot(k.lt(x, 0), isWhole), k.lt(size, Infinity));
  const isNaN = k.or(isRoot, k.or(k.ne(x, x), k.ne(y, y)));
  return k.select(k.or(k.eq(y, 0), k.eq(x, 1)), k.f32(1), k.select(isNaN, k.f32(NaN), signed));
}

/** x^y: computed for |x|, then put right where x is not positive or one of both not finite. */
export function pow(k: Builder, x: F32, y: F32): F32 {
  const usual = positivePower(k, k.abs(x), y);
  const isSpecial = k.or(isOutside(k, k.bits(x), 1, 0x7f800000), k.not(k.lt(k.abs(y), Infinity)));
  return k.coldPath(isSpecial, usual, () => annexF(k, x, y, usual));
}
