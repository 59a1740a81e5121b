/** Products of matrices of 64-bit integers, exact modulo 2^64. Integers are pairs of halves (low, high). */

/** `c += a b` for row-major matrices of `[m, k]`, `[k, n]` and `[m, n]` pairs; offsets are in elements. */
export function matmulWide(
  a: Int32Array,
  aAt: number,
  b: Int32Array,
  bAt: number,
  c: Int32Array,
  cAt: number,
  m: number,
  k: number,
  n: number,
): void {
  for (let i = 0; i < m; i++) {
    for (let l = 0; l < k; l++) {
      const at = 2 * (aAt + i * k + l);
      addScaled(c, 2 * (cAt + i * n), b, 2 * (bAt + l * n), n, a[at]!, a[at + 1]!);
    }
  }
}

/** Adds a multiple of a row: products of halves are put together of 16-bit parts, which doubles hold exactly. */
function addScaled(c: Int32Array, to: number, b: Int32Array, from: number, n: number, low: number, high: number): void {
  const a0 = low & 0xffff;
  const a1 = low >>> 16;
  for (let j = 0; j < n; j++, to += 2, from += 2) {
    const bLow = b[from]!;
    const b0 = bLow & 0xffff;
    const b1 = bLow >>> 16;
    const middle = a1 * b0 + a0 * b1;
    const sum = a0 * b0 + (middle % 65536) * 65536 + (c[to]! >>> 0);
    const carry = Math.floor(sum / 2 ** 32) + a1 * b1 + Math.floor(middle / 65536);
    c[to] = sum % 2 ** 32;
    c[to + 1] = (c[to + 1]! + Math.imul(low, b[from + 1]!) + Math.imul(high, bLow) + (carry % 2 ** 32)) | 0;
  }
}
