/**
 * The error functions and the reciprocal square root of f64 that accuracy is measured against: written apart from those of the kernel
 * language, accurate to 2 units in the last place.
 */

/** Evaluates a polynomial, coefficients from the highest power down. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = 0; i < coefficients.length; i++) sum = sum * x + (coefficients[i] as number);
  return sum;
}

// ---------------------------------------------------------------------------------------------------- erf and erfc
// The rational approximations of fdlibm's s_erf.c (Sun Microsystems, 1993), coefficients from the highest power down.

/** erf(1) cut to 24 bits: near 1 the approximation is of the difference to this. */
const ERF_ONE = 8.45062911510467529297e-1;

// erf(x) = x + x * P(x^2) / Q(x^2) on [0, 0.84375].
const SMALL_P = [
  -2.37630166566501626084e-5, -5.77027029648944159157e-3, -2.84817495755985104766e-2, -3.2504210724700149937e-1,
  1.28379167095512558561e-1,
];
const SMALL_Q = [
  -3.9602282787753681232e-6, 1.32494738004321644526e-4, 5.08130628187576562776e-3, 6.50222499887672944485e-2,
  3.97917223959155352819e-1, 1,
];

// erf(x) = ERF_ONE + P(x - 1) / Q(x - 1) on [0.84375, 1.25].
const ONE_P = [
  -2.166375594868790843e-3, 3.54783043256182359371e-2, -1.10894694282396677476e-1, 3.18346619901161753674e-1,
  -3.72207876035701323847e-1, 4.14856118683748331666e-1, -2.36211856075265944077e-3,
];
const ONE_Q = [
  1.1984499846799107417e-2, 1.36370839120290507362e-2, 1.26171219808761642112e-1, 7.18286544141962662868e-2,
  5.40397917702171048937e-1, 1.06420880400844228286e-1, 1,
];

// erfc(x) = exp(-x^2 - 0.5625 + R(1 / x^2) / S(1 / x^2)) / x on [1.25, 1 / 0.35], and with the second pair up to 28.
const MIDDLE_R = [
  -9.81432934416914548592, -8.12874355063065934246e1, -1.84605092906711035994e2, -1.62396669462573470355e2,
  -6.23753324503260060396e1, -1.05586262253232909814e1, -6.93858572707181764372e-1, -9.86494403484714822705e-3,
];
const MIDDLE_S = [
  -6.04244152148580987438e-2, 6.57024977031928170135, 1.08635005541779435134e2, 4.29008140027567833386e2,
  6.45387271733267880336e2, 4.34565877475229228821e2, 1.376577541435190426e2, 1.96512716674392571292e1, 1,
];
const FAR_R = [
  -4.83519191608651397019e2, -1.02509513161107724954e3, -6.37566443368389627722e2, -1.60636384855821916062e2,
  -1.77579549177547519889e1, -7.99283237680523006574e-1, -9.86494292470009928597e-3,
];
const FAR_S = [
  -2.24409524465858183362e1, 4.74528541206955367215e2, 2.55305040643316442583e3, 3.19985821950859553908e3,
  1.53672958608443695994e3, 3.25792512996573918826e2, 3.03380607434824582924e1, 1,
];

/** erf(x) / x - 1 for |x| < 0.84375. */
function erfSlope(x: number): number {
  const square = x * x;
  return polynomial(SMALL_P, square) / polynomial(SMALL_Q, square);
}

/** erf(x) - ERF_ONE for 0.84375 <= x < 1.25. */
function erfNearOne(x: number): number {
  const s = x - 1;
  return polynomial(ONE_P, s) / polynomial(ONE_Q, s);
}

/** erfc(x) for 1.25 <= x < 28. */
function erfcTail(x: number): number {
  const s = 1 / (x * x);
  const ratio =
    x < 1 / 0.35 ? polynomial(MIDDLE_R, s) / polynomial(MIDDLE_S, s) : polynomial(FAR_R, s) / polynomial(FAR_S, s);
  // exp(-x^2) needs x^2 to more than 53 bits: the square of the f32 part is exact, the rest enters the second factor.
  const head = Math.fround(x);
  const main = Math.exp(-head * head - 0.5625) / x;
  return main + main * Math.expm1((head - x) * (head + x) + ratio);
}

/** The error function. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size < 0.84375) return x + x * erfSlope(x);
  if (size < 1.25) return x < 0 ? -ERF_ONE - erfNearOne(size) : ERF_ONE + erfNearOne(size);
  if (size >= 6) return x < 0 ? -1 : 1;
  if (x !== x) return NaN;
  return x < 0 ? erfcTail(size) - 1 : 1 - erfcTail(size);
}

/** The complementary error function 1 - erf(x), accurate where it is small. */
export function erfc(x: number): number {
  const size = Math.abs(x);
  if (size < 0.84375) {
    const product = x * erfSlope(x);
    return x < 0.25 ? 1 - (x + product) : 0.5 - (x - 0.5 + product);
  }
  if (size < 1.25) return x < 0 ? 1 + (ERF_ONE + erfNearOne(size)) : 1 - ERF_ONE - erfNearOne(size);
  if (x !== x) return NaN;
  if (x < -6) return 2;
  if (x >= 28) return 0;
  return x < 0 ? 2 - erfcTail(size) : erfcTail(size);
}

// ---------------------------------------------------------------------------------------------------------- erfInv

/** Half the square root of pi: the slope of erfInv at 0. */
const HALF_SQRT_PI = 0.886226925452758;

// erfInv(x) / x - HALF_SQRT_PI as a polynomial in x^2 on [0, 0.5], interpolated at Chebyshev points in 300 bits.
const CENTRE = [
  0.13083771913216474, -0.11497221315493988, 0.10143021528353693, -0.007852587159953673, 0.032788059003665944,
  0.026591020861865034, 0.031866138333202024, 0.03644985236302551, 0.04283774535397422, 0.051731237412024775,
  0.06495961900605039, 0.08655212922014222, 0.12755617530578778, 0.23201366653465383, -3.7949772712483256e-17,
];

// Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988), PPND16:
// erfInv(x) is the percentage point of (1 + x) / 2 divided by the square root of 2.
const INNER_P = [
  2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
  1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.387132872796366608,
];
const INNER_Q = [
  5.226495278852854561e3, 2.8729085735721942674e4, 3.930789580009271061e4, 2.1213794301586595867e4,
  5.3941960214247511077e3, 6.871870074920579083e2, 4.2313330701600911252e1, 1,
];
const OUTER_P = [
  7.7454501427834140764e-4, 2.27238449892691845833e-2, 2.4178072517745061177e-1, 1.27045825245236838258,
  3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734,
];
const OUTER_Q = [
  1.05075007164441684324e-9, 5.475938084995344946e-4, 1.51986665636164571966e-2, 1.4810397642748007459e-1,
  6.8976733498510000455e-1, 1.6763848301838038494, 2.05319162663775882187, 1,
];
const TAIL_P = [
  2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.2426609473880784386e-3, 2.6532189526576123093e-2,
  2.9656057182850489123e-1, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772,
];
const TAIL_Q = [
  2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
  1.48753612908506148525e-2, 1.3692988092273580531e-1, 5.9983220655588793769e-1, 1,
];

/** erfInv(x) to about 15 digits, for x from 0.5 up to below 1. */
function erfInvStart(x: number): number {
  const inner = 0.180625 - 0.25 * x * x;
  if (x <= 0.85) return ((x / 2) * Math.SQRT1_2 * polynomial(INNER_P, inner)) / polynomial(INNER_Q, inner);
  const r = Math.sqrt(-Math.log((1 - x) / 2));
  if (r <= 5) return (Math.SQRT1_2 * polynomial(OUTER_P, r - 1.6)) / polynomial(OUTER_Q, r - 1.6);
  return (Math.SQRT1_2 * polynomial(TAIL_P, r - 5)) / polynomial(TAIL_Q, r - 5);
}

/** The inverse of erf: +-1 give infinities, |x| > 1 gives NaN, the sign of zero is kept. */
export function erfInv(x: number): number {
  const size = Math.abs(x);
  if (x === 0) return x;
  if (size < 0.5) return x * HALF_SQRT_PI + x * polynomial(CENTRE, x * x);
  if (!(size < 1)) return size === 1 ? x * Infinity : NaN;
  const start = erfInvStart(size);
  // One Newton step on erfc(y) = 1 - x, which is well conditioned here.
  const value = start + (erfc(start) - (1 - size)) * HALF_SQRT_PI * Math.exp(start * start);
  return x < 0 ? -value : value;
}

/** 1 / sqrt(x); -0 gives -Infinity. */
export function rsqrt(x: number): number {
  return 1 / Math.sqrt(x);
}
