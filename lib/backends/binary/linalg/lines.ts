/**
 * Matrices as contiguous lines (their rows or their columns, as an algorithm wants them), real or complex, and the few
 * operations on lines that all algorithms are made of. Work is in doubles.
 */

/** `count` lines of `length` numbers; `im` is null for real ones. */
export interface Lines {
  readonly count: number;
  readonly length: number;
  readonly re: Float64Array;
  readonly im: Float64Array | null;
}

export function zeroLines(count: number, length: number, isComplex: boolean): Lines {
  const size = count * length;
  return { count, length, re: new Float64Array(size), im: isComplex ? new Float64Array(size) : null };
}

export function identityLines(count: number, length: number, isComplex: boolean): Lines {
  const lines = zeroLines(count, length, isComplex);
  for (let i = 0; i < Math.min(count, length); i++) lines.re[i * length + i] = 1;
  return lines;
}

/** Rows as columns, or the other way round; with `conjugate` the adjoint. */
export function transposeLines({ count, length, re, im }: Lines, conjugate = false): Lines {
  const result = zeroLines(length, count, im !== null);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < length; j++) {
      result.re[j * count + i] = re[i * length + j]!;
      if (im) result.im![j * count + i] = conjugate ? -im[i * length + j]! : im[i * length + j]!;
    }
  }
  return result;
}

/** A complex number that the functions below leave their result in. */
export const found = { re: 0, im: 0 };

/** The sum of conj(x) y over positions `from` to `to` of two lines, left in `found`. */
export function dotLines(x: Lines, i: number, y: Lines, j: number, from: number, to: number): void {
  const a = i * x.length;
  const b = j * y.length;
  if (x.im && y.im) return dotComplex(x, a, y, b, from, to);
  found.re = dotReal(x.re, a, y.re, b, from, to);
  found.im = 0;
}

function dotReal(x: Float64Array, a: number, y: Float64Array, b: number, from: number, to: number): number {
  let s0 = 0;
  let s1 = 0;
  let k = from;
  for (; k + 1 < to; k += 2) {
    s0 += x[a + k]! * y[b + k]!;
    s1 += x[a + k + 1]! * y[b + k + 1]!;
  }
  if (k < to) s0 += x[a + k]! * y[b + k]!;
  return s0 + s1;
}

function dotComplex(x: Lines, a: number, y: Lines, b: number, from: number, to: number): void {
  let re = 0;
  let im = 0;
  for (let k = from; k < to; k++) {
    const [xr, xi, yr, yi] = [x.re[a + k]!, x.im![a + k]!, y.re[b + k]!, y.im![b + k]!];
    re += xr * yr + xi * yi;
    im += xr * yi - xi * yr;
  }
  found.re = re;
  found.im = im;
}

/** `x += f y` over positions `from` to `to` of two lines, f = fr + i fi. */
export function addScaled(
  x: Lines,
  i: number,
  fr: number,
  fi: number,
  y: Lines,
  j: number,
  from: number,
  to: number,
): void {
  const a = i * x.length;
  const b = j * y.length;
  if (x.im && y.im) {
    for (let k = from; k < to; k++) {
      const [yr, yi] = [y.re[b + k]!, y.im[b + k]!];
      x.re[a + k]! += fr * yr - fi * yi;
      x.im[a + k]! += fr * yi + fi * yr;
    }
    return;
  }
  addReal(x.re, a, fr, y.re, b, from, to);
}

function addReal(x: Float64Array, a: number, f: number, y: Float64Array, b: number, from: number, to: number): void {
  for (let k = from; k < to; k++) x[a + k]! += f * y[b + k]!;
}

/** `x *= f` for a whole line. */
export function scaleLine(x: Lines, i: number, fr: number, fi: number): void {
  const a = i * x.length;
  for (let k = a; k < a + x.length; k++) {
    const re = x.re[k]!;
    if (x.im) {
      const im = x.im[k]!;
      x.re[k] = fr * re - fi * im;
      x.im[k] = fr * im + fi * re;
    } else x.re[k] = fr * re;
  }
}

/** Turns two lines in their plane: p becomes `c p - s q` and q becomes `s p + c q`. */
export function rotateLines(x: Lines, p: number, q: number, c: number, s: number): void {
  rotateReal(x.re, p * x.length, q * x.length, c, s, x.length);
  if (x.im) rotateReal(x.im, p * x.length, q * x.length, c, s, x.length);
}

function rotateReal(x: Float64Array, a: number, b: number, c: number, s: number, length: number): void {
  for (let k = 0; k < length; k++) {
    const p = x[a + k]!;
    const q = x[b + k]!;
    x[a + k] = c * p - s * q;
    x[b + k] = s * p + c * q;
  }
}

/**
 * The same by what is added, so that rounding is in proportion to the angle (Rutishauser 1966) and many small turns do not
 * change lengths: with `tau = s / (1 + c)` p becomes `p - s (w q + tau p)` and q becomes `q + s (conj(w) p - tau q)`, where
 * w = wr + i wi has modulus 1 (and is real for real lines).
 */
export function turnLines(x: Lines, p: number, q: number, s: number, tau: number, wr: number, wi: number): void {
  const a = p * x.length;
  const b = q * x.length;
  if (!x.im) return turnReal(x.re, a, b, s * wr, s * tau, x.length);
  for (let k = 0; k < x.length; k++) {
    const [pr, pi, qr, qi] = [x.re[a + k]!, x.im[a + k]!, x.re[b + k]!, x.im[b + k]!];
    x.re[a + k] = pr - s * (wr * qr - wi * qi + tau * pr);
    x.im[a + k] = pi - s * (wr * qi + wi * qr + tau * pi);
    x.re[b + k] = qr + s * (wr * pr + wi * pi - tau * qr);
    x.im[b + k] = qi + s * (wr * pi - wi * pr - tau * qi);
  }
}

function turnReal(x: Float64Array, a: number, b: number, s: number, lost: number, length: number): void {
  for (let k = 0; k < length; k++) {
    const p = x[a + k]!;
    const q = x[b + k]!;
    x[a + k] = p - (s * q + lost * p);
    x[b + k] = q + (s * p - lost * q);
  }
}

export function swapLines(x: Lines, i: number, j: number): void {
  if (i === j) return;
  for (const part of x.im ? [x.re, x.im] : [x.re]) {
    const held = part.slice(i * x.length, (i + 1) * x.length);
    part.copyWithin(i * x.length, j * x.length, (j + 1) * x.length);
    part.set(held, j * x.length);
  }
}

/** Largest modulus of a part of an element; NaN where there is one. */
export function largestPart({ re, im }: Lines): number {
  let most = 0;
  for (let k = 0; k < re.length; k++) {
    const size = Math.max(Math.abs(re[k]!), im ? Math.abs(im[k]!) : 0);
    if (!(size <= most)) most = size;
    if (most !== most) return most;
  }
  return most;
}

/** Divides by a power of two close to the largest element, which is exact; gives that power. */
export function normalise(x: Lines): number {
  const most = largestPart(x);
  if (most === 0) return 1;
  const scale = 2 ** Math.max(-1000, Math.min(1000, Math.floor(Math.log2(most))));
  for (let k = 0; k < x.re.length; k++) {
    x.re[k]! /= scale;
    if (x.im) x.im[k]! /= scale;
  }
  return scale;
}

/**
 * Makes the component of largest modulus of a line real and positive; of several the first that is within rounding of it.
 * Leaves in `found` what the line was multiplied with.
 */
export function makePositive(x: Lines, i: number): void {
  const a = i * x.length;
  let most = 0;
  let at = a;
  for (let k = a; k < a + x.length; k++) {
    const size = x.im ? Math.hypot(x.re[k]!, x.im[k]!) : Math.abs(x.re[k]!);
    if (size > most * (1 + 1e-10)) {
      most = size;
      at = k;
    }
  }
  const [re, im] = most === 0 ? [1, 0] : [x.re[at]! / most, -(x.im?.[at] ?? 0) / most];
  if (re !== 1 || im !== 0) scaleLine(x, i, re, im);
  if (x.im) x.im[at] = 0;
  found.re = re;
  found.im = im;
}
