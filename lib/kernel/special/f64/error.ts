/**
 * erf, erfc and erfInv in f64.
 */
import type { Builder } from "../../builder";
import {
  fastTwoSum,
  flip,
  MAGIC,
  outside,
  polynomial,
  scale,
  scaleFar,
  signOf,
  split,
  twoProduct,
  twoSum,
  withSign,
  type F64,
} from "./arith";
import { timesConstant } from "./doubled";
import { END, ERF, ERF_LOST, ERF_SLOPE, STEPS } from "./erf-table";
import { expMinusOne, reduceSum } from "./exponential";
import { logDoubled, logNormal } from "./logarithm";

interface ErfParts {
  readonly value: F64;
  readonly rest: F64;
  /** What the table's value lost by rounding. */
  readonly lost: F64;
}

/**
 * erf of |x| by its Taylor series around the nearest multiple r of 1/128, of which value and slope are in a table, as in Arm's
 * Optimized Routines (AdvSIMD erf): with d = |x| - r it is erf(r) + slope * d * (1 - r d + (2 r^2 - 1) d^2 / 3 - ...), the
 * factors of the powers of d being Hermite polynomials of r. The last term counts only near r = 0 and is kept as it is there. `extra` is
 * added to |x|.
 */
function erfParts(k: Builder, size: F64, extra?: F64): ErfParts {
  // In this order the first takes 6 for NaN, so that the index stays inside, and the second keeps NaN.
  const shifted = k.add(k.mul(k.pmin(k.f64(END), size), STEPS), MAGIC);
  const index = k.wrap(k.bits(shifted));
  const r = k.mul(k.sub(shifted, MAGIC), 1 / STEPS);
  const apart = k.sub(k.pmin(size, END), r);
  const d = extra ? k.add(apart, extra) : apart;
  const r2 = k.mul(r, r);
  const d2 = k.mul(d, d);
  const rd = k.mul(r, d);
  const second = k.sub(k.mul(r2, 2 / 3), 1 / 3);
  const third = k.sub(k.mul(r2, 1 / 3), 1 / 2);
  const fourth = k.add(k.mul(k.sub(k.mul(r2, 2 / 15), 2 / 5), r2), 1 / 10);
  const fifth = k.sub(k.mul(k.sub(k.f64(2 / 9), k.mul(r2, 2 / 45)), r2), 1 / 6);
  const low = k.sub(second, k.mul(rd, third));
  const high = k.add(k.add(fourth, k.mul(rd, fifth)), k.mul(d2, -1 / 42));
  const rest = k.sub(k.mul(d2, k.add(low, k.mul(d2, high))), rd);
  const step = k.mul(k.lookup(ERF_SLOPE, index), d);
  return {
    value: k.lookup(ERF, index),
    rest: k.add(step, k.mul(step, rest)),
    lost: k.lookup(ERF_LOST, index),
  };
}

export function erf(k: Builder, x: F64): F64 {
  const { value, rest } = erfParts(k, k.abs(x));
  return withSign(k, k.add(value, rest), signOf(k, x));
}

// log((x + 5/2) exp(x^2) erfc(x)) as a polynomial in t = (x - 5/2) / (x + 5/2), for x from 0.79 to 28. The variable is that of M. M.
// Shepherd and J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc(x)", Mathematics of Computation 36 (1981).
const ERFC = [
  0.05262263970683601, -3.3925202350569805e-7, 0.13925290696454604, 0.017983809878002945, -0.02378798432209444,
  0.0019463315876878126, 0.004720977024012849, -0.0011575351879089565, -0.0010479623271864673, 0.000395196803802325,
  0.0002545212136377229, -0.00011729648139250703, -6.631510666397974e-5, 3.182409105831604e-5, 1.7923212219949453e-5,
  -7.865804361634907e-6, -4.778104245697938e-6, 1.7579309452719893e-6, 1.1681043798330436e-6, -3.799433580268375e-7,
  -2.114534296186123e-7, 8.422318506710928e-8,
];
const ERFC_CENTRE = 2.5;
/** The first 21 bits of the coefficient of t; the second of ERFC is what they leave. */
const ERFC_SLOPE = -0.7634034156799316;
/** Below this erfc is 1 - erf, the summands of erf being taken one by one. */
const ERFC_FROM = 0.8;
/** Beyond this erfc is not a normal number. */
const ERFC_NORMAL = 26.5;

interface Tail {
  /** The first 26 bits of 1 / (x + 5/2). */
  readonly factor: F64;
  /** The relative change by all further terms: the result is the product with `1 + change`. */
  readonly change: F64;
  readonly shifted: F64;
  readonly n: F64;
}

/** An exact square as its head and the rest. */
interface Square {
  readonly head: F64;
  readonly rest: F64;
}

function squareOf(k: Builder, x: F64): Square {
  const { high, low } = split(k, x);
  return { head: k.mul(high, high), rest: k.mul(low, k.add(x, high)) };
}

/**
 * erfc(x) for x from ERFC_FROM on, namely exp(-x^2 + P(t)) / (x + 5/2). The square is taken as an exact head and
 * the rest, since the exponent is needed to an absolute 2^-53. Of the reciprocal 26 bits are taken, so that what they leave,
 * 1 - head (x + 5/2), is as good as exact. `extra` is added to x.
 */
function erfcTail(k: Builder, x: F64, square: Square, extra?: F64): Tail {
  const near = twoSum(k, k.f64(ERFC_CENTRE), x);
  const below = extra ? { high: near.high, low: k.add(near.low, extra) } : near;
  const factor = split(k, k.div(k.f64(1), below.high)).high;
  const parts = split(k, below.high, 26);
  const left = k.sub(k.sub(k.f64(1), k.mul(factor, parts.high)), k.mul(factor, k.add(parts.low, below.low)));
  // 1 / (x + 5/2) = factor / (1 - left) = factor + factor * series
  const series = k.add(left, k.mul(left, left));
  // t = 1 - 5 / (x + 5/2) = tHead - tRest, of which the head is exact and short, so that ERFC_SLOPE times it is exact too.
  const five = k.mul(factor, 2 * ERFC_CENTRE);
  const tHead = k.sub(k.f64(1), five);
  const tRest = k.mul(five, series);
  const smooth = k.sub(polynomial(k, k.sub(tHead, tRest), ERFC), k.mul(tRest, ERFC_SLOPE));
  const { shifted, n, r } = reduceSum(k, k.neg(square.head), k.mul(tHead, ERFC_SLOPE), k.sub(smooth, square.rest));
  const power = expMinusOne(k, r);
  const change = k.add(power, k.mul(series, k.add(power, 1)));
  return { factor, change, shifted, n };
}

const valueOf = (k: Builder, { factor, change }: Tail): F64 => k.add(factor, k.mul(factor, change));

export function erfc(k: Builder, x: F64): F64 {
  const tail = erfcTail(k, x, squareOf(k, x));
  const { value: near, rest } = erfParts(k, k.abs(x));
  const sign = signOf(k, x);
  const central = k.sub(k.sub(k.f64(1), flip(k, near, sign)), flip(k, rest, sign));
  const usual = k.select(k.lt(x, ERFC_FROM), central, scale(k, valueOf(k, tail), tail.shifted));
  return k.coldPath(outside(k, x, -Infinity, ERFC_NORMAL), usual, () => {
    const cut = k.pmin(x, 28);
    const far = erfcTail(k, cut, squareOf(k, cut));
    return scaleFar(k, valueOf(k, far), far.n);
  });
}

/** What the double leaves of 1 / sqrt(2). */
const SQRT1_2_REST = -4.833646656726457e-17;
/** Below this the share of normal numbers below x is that of a tail; further down x times that may be subnormal. */
const TAIL_BELOW = -ERFC_FROM * Math.SQRT2;
const TAIL_NORMAL = -37;

/**
 * x / 2 times the tail, where x is not above TAIL_BELOW, as a product with a short number and what is left. The exponent is half
 * the square of x itself.
 */
function timesTail(k: Builder, x: F64): Tail & { readonly value: F64 } {
  const size = k.neg(x);
  const { high, low } = timesConstant(k, size, Math.SQRT1_2, SQRT1_2_REST);
  const square = squareOf(k, size);
  const tail = erfcTail(k, high, { head: k.mul(square.head, 0.5), rest: k.mul(square.rest, 0.5) }, low);
  const half = split(k, k.mul(x, 0.5));
  const product = k.mul(k.mul(x, 0.5), tail.factor);
  const lost = k.add(k.sub(k.mul(half.high, tail.factor), product), k.mul(half.low, tail.factor));
  return { ...tail, value: k.add(product, k.add(k.mul(product, tail.change), lost)) };
}

/** x / 2 (1 + erf(x / sqrt(2))), as a tail where the sum would cancel. */
export function gelu(k: Builder, x: F64): F64 {
  const sign = signOf(k, x);
  // From there on all of the share is below x.
  const size = k.pmin(k.abs(x), END * Math.SQRT2);
  const { high, low } = timesConstant(k, size, Math.SQRT1_2, SQRT1_2_REST);
  const { value, rest, lost } = erfParts(k, high, low);
  const { high: main, low: left } = fastTwoSum(k, k.f64(1), flip(k, value, sign));
  const half = k.mul(x, 0.5);
  const first = twoProduct(k, half, main);
  const second = k.mul(half, k.add(left, k.add(flip(k, rest, sign), flip(k, lost, sign))));
  const central = withSign(k, k.add(first.high, k.add(first.low, second)), sign);
  const tail = timesTail(k, k.pmin(x, TAIL_BELOW));
  const usual = k.select(k.lt(x, TAIL_BELOW), scale(k, tail.value, tail.shifted), central);
  return k.coldPath(outside(k, x, TAIL_NORMAL, 1e300), usual, () => {
    const far = timesTail(k, k.pmax(x, -39));
    return k.select(k.gt(x, 0), x, scaleFar(k, far.value, far.n));
  });
}

/**
 * With w = -log(1 - x^2) up to 5, erfInv(x) / x is VALUE + SLOPE (w - CENTRE), both exact to 58 bits there, and (w - CENTRE)^2
 * times a polynomial in w - 5/2.
 */
const INVERSE_CENTRE = 1.3011474609375;
const INVERSE_VALUE = 1.2023301429903437;
const INVERSE_SLOPE = 0.2497589557980201;
const INVERSE = [
  -0.0002400075234832909, -0.001769501741716023, 0.0002125125491613597, 5.045349578054261e-6, -4.424808891828473e-6,
  3.9517035683428794e-7, 4.22246879667735e-8, -1.2306500402690893e-8, 4.866769221057813e-10, 1.937193297917481e-10,
  -3.0513777892659883e-11, -6.600700572448951e-13, 6.916325763853775e-13, -6.046593840127077e-14,
  -7.759985293435156e-15, 2.0804513449679895e-15, -5.651765151508114e-17, -3.7594902257551763e-17,
  4.462037550635461e-18, 3.4140185414253675e-19, -7.692671995329627e-20,
];
/** erfInv(x) - s as a polynomial in s - 17/4, s = sqrt(-log(1 - x)), for x from INVERSE_UP_TO to 1 - 2^-53. */
const INVERSE_TAIL = [
  -0.2409375519082416, 0.029801060623083134, -0.0039299062397510805, 0.00045558775147473197, -2.802190816025009e-5,
  -7.321644923326025e-6, 4.185327770685353e-6, -1.4128587655147892e-6, 4.0359160163980386e-7, -1.0579068509472692e-7,
  2.624760635071762e-8, -6.255993502343685e-9, 1.4433407617451008e-9, -3.231458897851688e-10, 7.039903130648519e-11,
  -1.515983897471125e-11, 3.1779990367159707e-12, -5.687158621112525e-13, 9.54639684174157e-14, -3.012936096247926e-14,
  7.418145223401422e-15, 1.679403664877936e-16, -2.4952689782960655e-16,
];
/** Where 1 - x^2 is exp(-5). */
const INVERSE_UP_TO = 0.9966252;

/**
 * The inverse of erf. The variable is that of Giles, "Approximating the erfinv function" (GPU Computing Gems 2, 2010), in which
 * erfInv(x) / x is nearly linear; the tail takes log(1 - x) alone, of which it is the smoother function.
 */
export function erfInv(k: Builder, x: F64): F64 {
  const size = k.abs(x);
  const below = k.sub(k.f64(1), size);
  const w = logDoubled(k, k.add(below, k.mul(below, size)), -1);
  const u = k.sub(w.high, INVERSE_CENTRE);
  const bend = k.mul(k.mul(u, u), polynomial(k, k.sub(w.high, 2.5), INVERSE));
  const linear = k.add(k.mul(u, INVERSE_SLOPE), k.add(bend, k.mul(w.low, INVERSE_SLOPE)));
  const ratio = k.add(linear, INVERSE_VALUE);
  return k.coldPath(k.not(k.le(size, INVERSE_UP_TO)), k.mul(x, ratio), () => {
    const s = k.sqrt(k.neg(logNormal(k, below)));
    const tail = k.add(s, polynomial(k, k.sub(s, 4.25), INVERSE_TAIL));
    const edge = k.select(k.eq(size, 1), k.f64(Infinity), k.f64(NaN));
    return withSign(k, k.select(k.lt(size, 1), tail, edge), signOf(k, x));
  });
}
