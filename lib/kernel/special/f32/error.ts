/**
 * erf, erfc and erfInv of f32, in f64, each by one quotient of polynomials. Coefficients: minimax fits of
 * scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import { horner } from "../polynomial";
import { power } from "./exponential";
import { log64 } from "./logarithmic";
import { clamp, type F32, type F64 } from "./scaling";

/** erf(x) / x in x^2 for |x| up to 3.93, to 2^-25.6. */
const ERF = {
  above: [
    1.128379145353912, 0.19078401930429284, 0.05279030846592979, 0.0037796165106168313, 0.0002848086391611028,
    2.0419677982729263e-6,
  ],
  below: [
    1, 0.5024106543670506, 0.11425759801376854, 0.014997452194244766, 0.0011652142328954856, 3.8004045514844895e-5,
  ],
};
/** erfc(x) e^(x^2) for x from 0 to 10.1, to 2^-27.3. */
const ERFC = {
  above: [1.0000000057398148, 1.2384281890940363, 0.7316228008512641, 0.22922771867722896, 0.03279839954859135],
  below: [1, 2.3668079350189677, 2.4022702204307977, 1.3254034370462842, 0.40632195222163603, 0.058132950846626875],
};
/** erfInv(x) / x in -log(1 - x^2) up to 16, to 2^-26.1. */
const INVERSE = {
  above: [
    0.8862269371323004, 0.30654308441737965, 0.0595896378763224, 0.007765641750353495, 0.0006438957493080989,
    2.4311343352677783e-5,
  ],
  below: [
    1, 0.08409781311485502, 0.032189269512891194, 0.0018770875791238129, 0.0001795282726026103, 1.29075127761555e-6,
  ],
};

/** From 3.92 on the nearest f32 is 1. */
export function erf(k: Builder, x: F32): F32 {
  const a = k.promote(clamp(k, x, -3.93, 3.93));
  const z = k.mul(a, a);
  return k.demote(k.div(k.mul(a, horner(k, z, ERF.above)), horner(k, z, ERF.below)));
}

/** The same of x / sqrt(2), halved: the share of normal numbers above x. */
const NORMAL = {
  above: ERFC.above.map((c, i) => 0.5 * c * Math.SQRT1_2 ** i),
  below: ERFC.below.map((c, i) => c * Math.SQRT1_2 ** i),
};

/** The share of normal numbers above a, from 0 to 14.5. */
export function normalTail(k: Builder, a: F64): F64 {
  return tail(k, a, -Math.LOG2E / 2, NORMAL);
}

/** 2^(a^2 square) times a quotient of polynomials. */
function tail(k: Builder, a: F64, square: number, { above, below }: typeof ERFC): F64 {
  const e = power(k, k.mul(k.mul(a, a), square));
  return k.div(k.mul(e, horner(k, a, above)), horner(k, a, below));
}

/** e^(-x^2) times a smooth function; 2 less that for negative x. From 10.1 on the nearest f32 is 0. */
export function erfc(k: Builder, x: F32): F32 {
  const right = tail(k, k.promote(k.pmin(k.abs(x), 10.1)), -Math.LOG2E, ERFC);
  return k.demote(k.select(k.widen(k.lt(x, 0)), k.sub(k.f64(2), right), right));
}

/** x times a smooth function of -log(1 - x^2), which grows as erfInv^2 does (after Giles, 2010). */
export function erfInv(k: Builder, x: F32): F32 {
  const a = k.promote(x);
  const w = k.neg(log64(k, k.sub(k.f64(1), k.mul(a, a))));
  const usual = k.demote(k.div(k.mul(a, horner(k, w, INVERSE.above)), horner(k, w, INVERSE.below)));
  const size = k.abs(x);
  return k.coldPath(k.not(k.lt(size, 1)), usual, () => k.select(k.eq(size, 1), k.mul(x, Infinity), NaN));
}
