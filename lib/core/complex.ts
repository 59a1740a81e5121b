/**
 * The complex number as a plain value: what `Nx.Complex` is, what tensors of complex type read and give back. Immutable, and
 * equal by value for Immutable.js. Arithmetic lives in complex-math.
 */

import { brandOf, otherCopyOf } from "./copies";

/** One part the way tensors print floats: `1.0`, `Inf`, `NaN`, the shortest digits that read back the same. */
function formatPart(x: number): string {
  if (x !== x) return "NaN";
  if (x === Infinity || x === -Infinity) return x < 0 ? "-Inf" : "Inf";
  if (Object.is(x, -0)) return "-0.0";
  const size = Math.abs(x);
  const plain = x === 0 || (size >= 1e-4 && size < 1e16);
  const [digits, exponent] = (plain ? String(x) : x.toExponential()).split("e") as [string, string | undefined];
  const mantissa = digits.includes(".") ? digits : `${digits}.0`;
  return exponent === undefined ? mantissa : `${mantissa}e${exponent.replace("+", "")}`;
}

const scratch = new Float64Array(2);
const scratchWords = new Int32Array(scratch.buffer);

const brand = brandOf("a complex number");

/**
 * A complex number.
 *
 * @example
 * ```ts
 * new Nx.Complex(1, -2);
 * // => 1.0-2.0i
 * ```
 */
export class Complex {
  /** The real part. */
  readonly re: number;
  /** The imaginary part. */
  readonly im: number;

  /**
   * @param re - the real part
   * @param im - the imaginary part, 0 unless given
   */
  constructor(re: number, im: number = 0) {
    this.re = re;
    this.im = im;
    Object.freeze(this);
  }

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }

  /** Whether `other` is the same value: NaN parts equal NaN, and 0 equals -0, as in Immutable.js' `is`. */
  equals(other: unknown): boolean {
    if (!(other instanceof Complex) && otherCopyOf(other)?.what !== brand.what) return false;
    const { re, im } = other as Complex;
    return sameNumber(this.re, re) && sameNumber(this.im, im);
  }

  /** A 31-bit hash, equal for equal values. */
  hashCode(): number {
    scratch[0] = this.re === 0 ? 0 : this.re;
    scratch[1] = this.im === 0 ? 0 : this.im;
    let hash = 17;
    for (let i = 0; i < 4; i++) hash = (Math.imul(hash, 31) + (scratchWords[i] as number)) | 0;
    return (hash ^ (hash >>> 15)) & 0x3fffffff;
  }

  /** Nx's notation, such as `1.0-2.0i` or `NaN-Infi`. */
  toString(): string {
    const im = formatPart(this.im);
    return `${formatPart(this.re)}${im.startsWith("-") ? "" : "+"}${im}i`;
  }

  /** What Node's console and REPL show. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

function sameNumber(a: number, b: number): boolean {
  return a === b || (a !== a && b !== b);
}
