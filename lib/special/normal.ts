/**
 * The standard normal distribution: the share of numbers below one, and the number that has a share below it.
 */
import type { Tensor } from "../tensor";
import {
  abs,
  divide,
  equal,
  exp,
  gelu,
  greater,
  less,
  lessEqual,
  log,
  min,
  multiply,
  negate,
  sqrt,
  subtract,
  where,
} from "../nx/elementwise";
import type { UnaryFunction } from "../nx/elementwise/core";
import { differentiable, ofOne, polynomial, type OfDoubles } from "./core";

const ROOT_TWO_PI = 2.5066282746310007;

const density = (x: Tensor): Tensor => divide(exp(multiply(multiply(x, x), -0.5)), ROOT_TWO_PI);

/** Beyond this all digits of the share are those of 0 or 1. */
const END = 40;
/** Up to here the share is 1/2, and half of a number may be subnormal. */
const START = 1e-300;

/** `gelu(x) / x`: gelu is exact in the tail, where `erfc(-x / sqrt(2))` has the rounding of its argument magnified. */
function shareBelow(x: Tensor): Tensor {
  const share = divide(gelu(x), x);
  const inside = where(less(abs(x), START), 0.5, share);
  return where(greater(abs(x), END), where(greater(x, 0), 1, 0), inside);
}

/**
 * The cumulative distribution function of the standard normal distribution: the share of normal numbers below each element.
 *
 * It keeps all digits in the lower tail, where it is near 0; take the share above `x` as `normalCdf(-x)`. `Nx.gelu(x)` is
 * `x * normalCdf(x)`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.normalCdf(Nx.f32([-Infinity, -10, -1.96, 0, 1.96], { names: ["z"] }));
 * // => #Nx.Tensor<
 * //   f32[z: 5]
 * //   [0.0, 7.619853e-24, 0.024997894, 0.5, 0.9750021]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.normalCdf(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.normalCdf is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const normalCdf: UnaryFunction = ofOne(
  "normalCdf",
  differentiable("normalCdf", (x) => shareBelow(x!), [(x) => density(x!)]),
);

// M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988): quotients of
// polynomials, in the square of p - 1/2 in the middle and in sqrt(-log(p)) in the tails.
const MIDDLE = {
  above: [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  below: [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
};
const TAIL = {
  above: [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  below: [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
};
const FAR_TAIL = {
  above: [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  below: [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
};

const quotient = (x: Tensor, { above, below }: typeof MIDDLE): Tensor =>
  divide(polynomial(x, above), polynomial(x, below));

function numberAt(p: Tensor): Tensor {
  const q = subtract(p, 0.5);
  const middle = multiply(q, quotient(subtract(0.180625, multiply(q, q)), MIDDLE));
  const r = sqrt(negate(log(min(p, subtract(1, p)))));
  const size = where(lessEqual(r, 5), quotient(subtract(r, 1.6), TAIL), quotient(subtract(r, 5), FAR_TAIL));
  const tail = where(equal(r, Infinity), Infinity, size);
  return where(lessEqual(abs(q), 0.425), middle, where(less(q, 0), negate(tail), tail));
}

const quantileOf: OfDoubles = differentiable("normalQuantile", (p) => numberAt(p!), [
  (p) => divide(1, density(quantileOf(p!))),
]);

/**
 * The inverse of `Nx.normalCdf`: the number below which a share of all normal numbers lies.
 *
 * It is infinite at 0 and 1, and NaN outside of them.
 *
 * @param tensor - shares, a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.normalQuantile(Nx.f32([0, 1e-20, 0.025, 0.5, 0.975], { names: ["share"] }));
 * // => #Nx.Tensor<
 * //   f32[share: 5]
 * //   [-Inf, -9.262341, -1.959964, 0.0, 1.9599644]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.normalQuantile(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.normalQuantile is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const normalQuantile: UnaryFunction = ofOne("normalQuantile", quantileOf);
