/**
 * sin, cos and tan of f32, in f64: two parts of pi suffice to reduce numbers up to 2^16 to full precision, and one polynomial
 * to the whole half period. Coefficients: minimax fits of scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import { table } from "../../tables";
import type { Value } from "../../value";
import { horner } from "../polynomial";
import { flipSign, signBit, toInteger, toInteger64, type F32, type F64 } from "./scaling";

/** pi as the sum of 33 bits, whose products with numbers of 20 bits are exact, and the rest (fdlibm's e_rem_pio2.c). */
const PI_HIGH = 3.1415926534682512;
const PI_LOW = 1.2154201013012384e-10;

/** Below this the product with 1 / pi in f32 finds the right multiple of pi, or one next to it close to a tie. */
const MEDIUM = 65536;

/** sin(r) / r in r^2 for |r| a little beyond pi / 2, to 2^-27.4. */
const SIN = [
  0.9999999945183409, -0.16666656435291424, 0.008333019446883808, -0.00019807006816800854, 2.600981266141002e-6,
];
/** tan(r) / r in r^2 for |r| up to pi / 4, as a quotient, to 2^-26. */
const TAN = {
  above: [0.9999999850997836, -0.09580861362488714],
  below: [1, -0.4291426443986699, 0.009719268655782619],
};

/** The first 256 bits of 1 / pi behind the point. */
const INVERSE_PI = 0x517cc1b727220a94fe13abe8fa9a6ee06db14acc9e21c820ff28b1d5ef5de2b0n;
const CHUNK = 29;

/** 2^(e - 150) / pi modulo 2 for e from 0 to 256, in three parts: bits 2^0 to 2^-28, the next 29, the next 53. */
function inversePiTable(): Float64Array {
  const parts = new Float64Array(3 * 257);
  for (let e = 0; e < 257; e++) {
    const bits = (low: number, count: number): number => {
      const shift = BigInt(256 - (e - 150) + low);
      return Number(BigInt.asUintN(count, INVERSE_PI >> shift)) * 2 ** low;
    };
    parts[3 * e] = bits(1 - CHUNK, CHUNK);
    parts[3 * e + 1] = bits(1 - 2 * CHUNK, CHUNK);
    parts[3 * e + 2] = bits(1 - 2 * CHUNK - 53, 53);
  }
  return parts;
}

const INVERSE_PI_PARTS = table("inversePi", inversePiTable);

/** A reduced argument: x = (n + offset) period + r, and a word with n in its low bits. */
interface Reduced {
  readonly r: F64;
  readonly word: Value<"i32">;
}

/** Reduction of |x| below 2^16 (Cody and Waite). The word has n + `bias`. */
function reduceMedium(k: Builder, x: F32, period: 1 | 0.5, offset: 0 | 0.5 = 0, bias = 0): Reduced {
  const periods = k.mul(x, 1 / (period * Math.PI));
  const { whole, word } = toInteger(k, offset === 0 ? periods : k.sub(periods, offset), bias);
  const n = k.promote(offset === 0 ? whole : k.add(whole, offset));
  const r = k.sub(k.sub(k.promote(x), k.mul(n, period * PI_HIGH)), k.mul(n, period * PI_LOW));
  return { r, word };
}

/**
 * Reduction of any finite |x| (Payne and Hanek): the mantissa times those bits of 2^exponent / pi that matter. The first
 * product and the sum with the second, if it is small, are exact. Infinities give NaN.
 */
function reduceLarge(k: Builder, x: F32, period: 1 | 0.5, offset: 0 | 0.5 = 0, bias = 0): Reduced {
  const bits = k.and(k.bits(x), 0x7fffffff);
  const index = k.mul(k.add(k.shrU(bits, 23), 1 / period - 1), 3);
  const mantissa = k.promote(k.float(k.or(k.and(bits, 0x7fffff), 0x4b000000)));
  const first = k.mul(mantissa, k.lookup(INVERSE_PI_PARTS, index));
  const head = k.sub(k.sub(first, k.mul(k.nearest(k.mul(first, 0.5)), 2)), offset);
  const second = k.mul(mantissa, k.lookup(INVERSE_PI_PARTS, k.add(index, 1)));
  const { whole, word } = toInteger64(k, k.add(head, second), bias);
  const near = k.add(k.sub(head, whole), second);
  const periods = k.add(near, k.mul(mantissa, k.lookup(INVERSE_PI_PARTS, k.add(index, 2))));
  const notFinite = k.promote(k.sub(x, x));
  return { r: k.add(k.mul(periods, period * Math.PI), notFinite), word: k.wrap(word) };
}

/** sin(r), negative if the word is odd. */
function sine(k: Builder, { r, word }: Reduced): F32 {
  return flipSign(k, k.demote(k.mul(r, horner(k, k.mul(r, r), SIN))), k.shl(word, 31));
}

/** x = n pi + r: the sine of r, of the other sign for odd n. */
export function sin(k: Builder, x: F32): F32 {
  return k.coldPath(k.gt(k.abs(x), MEDIUM), sine(k, reduceMedium(k, x, 1)), () =>
    flipSign(k, sine(k, reduceLarge(k, x, 1)), signBit(k, x)),
  );
}

/** x = (n + 1/2) pi + r: the sine of r, of the other sign for even n. */
export function cos(k: Builder, x: F32): F32 {
  const usual = sine(k, reduceMedium(k, x, 1, 0.5, 1));
  return k.coldPath(k.gt(k.abs(x), MEDIUM), usual, () => sine(k, reduceLarge(k, x, 1, 0.5, 1)));
}

/** The tangent of r as a quotient; for odd words its negative reciprocal. */
function tangent(k: Builder, { r, word }: Reduced): F32 {
  const z = k.mul(r, r);
  const above = k.mul(r, horner(k, z, TAN.above));
  const below = horner(k, z, TAN.below);
  const odd = k.widen(k.ne(k.and(word, 1), 0));
  const quotient = k.div(k.select(odd, below, above), k.select(odd, above, below));
  return flipSign(k, k.demote(quotient), k.shl(word, 31));
}

/** x = n pi / 2 + r. */
export function tan(k: Builder, x: F32): F32 {
  return k.coldPath(k.gt(k.abs(x), MEDIUM), tangent(k, reduceMedium(k, x, 0.5)), () =>
    flipSign(k, tangent(k, reduceLarge(k, x, 0.5)), signBit(k, x)),
  );
}
