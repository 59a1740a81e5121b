/**
 * The logarithm of a sum of exponentials, in whole numbers of 2^-320 where doubles would cancel: what programs of the kernel
 * language are compared with.
 */

const BITS = 320n;
const ONE = 1n << BITS;

const times = (a: bigint, b: bigint): bigint => (a * b) >> BITS;

/** log 2 = 2 atanh(1/3) */
const LN2 = ((): bigint => {
  let sum = 0n;
  let power = (2n * ONE) / 3n;
  for (let n = 1n; power > 0n; n += 2n) {
    sum += power / n;
    power /= 9n;
  }
  return sum;
})();

/** A double in units of 2^-320; what is smaller than that is lost. */
function unitsOf(x: number): bigint {
  const exponent = x === 0 ? 0 : Math.max(Math.floor(Math.log2(Math.abs(x))) - 60, -1000);
  const mantissa = BigInt(x * 2 ** -exponent);
  const shift = BITS + BigInt(exponent);
  return shift >= 0n ? mantissa << shift : mantissa >> -shift;
}

/** exp(x) in units of 2^-320, by its Taylor series at what x is more than a multiple of log 2. */
function expOf(x: number): bigint {
  const n = BigInt(Math.round(x / Math.LN2));
  const rest = unitsOf(x) - n * LN2;
  let sum = ONE;
  let term = ONE;
  for (let i = 1n; term !== 0n && term !== -1n; i++) {
    term = times(term, rest) / i;
    sum += term;
  }
  return n >= 0n ? sum << n : sum >> -n;
}

/** log(exp(x) + exp(y)), to about 14 digits. */
export function logAddExp(x: number, y: number): number {
  const larger = x > y ? x : y;
  if (x !== x || y !== y) return NaN;
  if (!Number.isFinite(x - y)) return larger + 0;
  const above = Math.log1p(Math.exp(-Math.abs(x - y)));
  const sum = larger + above;
  if (above === 0 || Math.abs(sum) > above / 16) return sum + 0;
  const surplus = expOf(x) + expOf(y) - ONE;
  const size = surplus < 0n ? -surplus : surplus;
  const cut = BigInt(Math.max(size.toString(2).length - 60, 0));
  const value = Number(size >> cut) * 2 ** (Number(cut) - Number(BITS));
  return Math.log1p(surplus < 0n ? -value : value);
}
