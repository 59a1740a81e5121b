/**
 * sin, cos and tan in f64, for all arguments, which are reduced to y from -pi/4 to pi/4 by multiples of pi/2. What follows is
 * a choice between two polynomials, or of tan and cot. (Reducing by pi, so that one polynomial serves, takes fewer
 * ops, but the sum y - y^3 / 6 + ... then errs by more than 2 units near pi/2.) The coefficients are fits of our own
 * (scripts/accuracy/f64-fits.py).
 */
import type { Builder } from "../../builder";
import { flip, parity, polynomial, signOf, twoSum, type F64, type I64, type M64 } from "./arith";
import { reduceLarge, reduceMedium, type Angle } from "./reduction";

// (sin(y) / y - 1) / y^2 and (cos(y) - 1) / y^2 as polynomials in y^2.
export const SIN = [
  -0.16666666666666666, 0.00833333333333093, -0.00019841269836730775, 2.7557316088142892e-6, -2.5051128844138243e-8,
  1.591791326060528e-10,
];
export const COS = [
  -0.5, 0.04166666666666664, -0.0013888888888880712, 2.4801587293644813e-5, -2.755731554945747e-7,
  2.0875884063880215e-9, -1.1367841139023581e-11,
];

// tan(y) = y + y^3 P(y^2) / Q(y^2), |y| <= pi/4.
const TAN_P = [0.3333333333333333, -0.021439252796547043, 0.0002447185182856804, -1.7826453943594302e-8];
const TAN_Q = [1, -0.4643177583896411, 0.024556497005951364, -0.00025586176997629135];
// (1 / y - cot(y)) / y as a polynomial in y^2, |y| <= pi/4.
const COT = [
  0.33333333333333337, 0.022222222222214243, 0.002116402116745857, 0.0002116402059492853, 2.137784624283372e-5,
  2.164186171166866e-6, 2.1984958655765963e-7, 2.129434157299952e-8, 3.003604625381611e-9,
];

/** Whether the multiple of pi/2 is odd. */
const isOddMultiple = (k: Builder, shifted: F64): M64 => k.ne(parity(k, shifted), k.i64(0, 0));

/** sin(y + n pi/2), its sign changed by `sign`: for n = 0, 1, 2, 3 it is sin(y), cos(y), -sin(y), -cos(y), and so on. */
function sinOf(k: Builder, { y, shifted }: Angle, sign: I64): F64 {
  const z = k.mul(y, y);
  const sine = k.add(y, k.mul(k.mul(y, z), polynomial(k, z, SIN)));
  const cosine = k.add(k.mul(z, polynomial(k, z, COS)), 1);
  const half = k.and(k.shl(k.bits(shifted), 62), k.i64(0x80000000 | 0, 0));
  return flip(k, k.select(isOddMultiple(k, shifted), cosine, sine), k.xor(half, sign));
}

/** cos(x) = sin(x + pi/2) */
const cosOf: Finish = (k, { y, shifted, rest }, sign) => sinOf(k, { y, rest, shifted: k.add(shifted, 1) }, sign);

/** tan(y), or -cot(y) = y C(y^2) - 1 / y after odd multiples of pi/2; the two share their division. */
function tanOf(k: Builder, { y, shifted, rest }: Angle, sign: I64): F64 {
  const odd = parity(k, shifted);
  const isOdd = isOddMultiple(k, shifted);
  const z = k.mul(y, y);
  const above = k.mul(k.mul(y, z), polynomial(k, z, TAN_P));
  const ratio = k.div(k.select(isOdd, k.f64(1), above), k.select(isOdd, y, polynomial(k, z, TAN_Q)));
  const tangent = k.add(y, k.add(ratio, rest));
  // 1 / (y + rest) = ratio - ratio^2 rest
  const correction = k.add(k.mul(y, polynomial(k, z, COT)), k.mul(k.mul(ratio, ratio), rest));
  return flip(k, k.select(isOdd, k.sub(ratio, correction), tangent), k.xor(odd, sign));
}

type Finish = (k: Builder, angle: Angle, sign: I64) => F64;

function periodic(k: Builder, size: F64, sign: I64, finish: Finish): F64 {
  const medium = reduceMedium(k, size);
  return k.coldPath(medium.bad, finish(k, medium, sign), () =>
    k.select(k.lt(size, Infinity), finish(k, reduceLarge(k, size), sign), k.f64(NaN)),
  );
}

export const sin = (k: Builder, x: F64): F64 => periodic(k, k.abs(x), signOf(k, x), sinOf);

export const cos = (k: Builder, x: F64): F64 => periodic(k, k.abs(x), k.i64(0, 0), cosOf);

export const tan = (k: Builder, x: F64): F64 => periodic(k, k.abs(x), signOf(k, x), tanOf);

// ------------------------------------------------------------------------------------------------------ both at once

/** The sine and the cosine of a number, and the cosine less 1. */
export interface SinCos {
  readonly sin: F64;
  readonly cos: F64;
  readonly cosLessOne: F64;
}

/** Those of an angle, to little more than half a unit in the last place: by the sums of fdlibm's k_sin.c and k_cos.c. */
function bothOf(k: Builder, { y, rest, shifted }: Angle, sign: I64): SinCos {
  const z = k.mul(y, y);
  const half = k.mul(z, 0.5);
  const head = k.sub(k.f64(1), half);
  const sine = k.add(y, k.add(k.mul(k.mul(y, z), polynomial(k, z, SIN)), k.mul(rest, head)));
  const tail = k.sub(k.mul(k.mul(z, z), polynomial(k, z, COS.slice(1))), k.mul(y, rest));
  const cosine = k.add(head, k.add(k.sub(k.sub(k.f64(1), head), half), tail));
  const isOdd = isOddMultiple(k, shifted);
  const turn = k.and(k.shl(k.bits(shifted), 62), k.i64(0x80000000 | 0, 0));
  const cos = flip(k, k.select(isOdd, sine, cosine), k.xor(turn, parity(k, shifted)));
  const isWhole = k.eq(k.shl(k.bits(shifted), 62), k.i64(0, 0));
  return {
    sin: flip(k, k.select(isOdd, cosine, sine), k.xor(turn, sign)),
    cos,
    cosLessOne: k.select(isWhole, k.neg(k.sub(half, tail)), k.sub(cos, 1)),
  };
}

/** Beyond this `low` may be more than a small angle, and is left out. */
const LOW_LIMIT = 2 ** 48;

/** The angle plus a small one. */
function moved(k: Builder, { y, rest, shifted }: Angle, by: F64): Angle {
  const { high, low } = twoSum(k, y, k.add(rest, by));
  return { y: high, rest: low, shifted };
}

/** Those of x + `low`, a number that is nothing beside x; NaN where x is not finite. */
export function sinCos(k: Builder, x: F64, low?: F64): SinCos {
  const size = k.abs(x);
  const sign = signOf(k, x);
  const more = low && flip(k, low, sign);
  const medium = reduceMedium(k, size);
  const usual = bothOf(k, more ? moved(k, medium, more) : medium, sign);
  const large = (): SinCos => {
    const angle = reduceLarge(k, size);
    return bothOf(k, more ? moved(k, angle, k.select(k.lt(size, LOW_LIMIT), more, 0)) : angle, sign);
  };
  const of = (which: keyof SinCos): F64 =>
    k.coldPath(medium.bad, usual[which], () => k.select(k.lt(size, Infinity), large()[which], k.f64(NaN)));
  return { sin: of("sin"), cos: of("cos"), cosLessOne: of("cosLessOne") };
}

/** The same of an angle of pi at most. */
export const sinCosOfPart = (k: Builder, x: F64): SinCos => bothOf(k, reduceMedium(k, k.abs(x)), signOf(k, x));
