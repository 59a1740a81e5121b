/**
 * What goes before the QR iteration of general matrices: balancing (Parlett & Reinsch 1969, in the 2-norm as James, Langou & Lowery
 * 2014) and reflections to Hessenberg form (Golub & Van Loan 7.4.2).
 */
import { identityLines, transposeLines, type Lines } from "./lines";
import { noReflections, reflect, reflectDiagonal, reflectRows, reflectTo, setColumn } from "./reflections";

/** How much smaller rows and columns together have to become for a step of balancing to be worth its while. */
const WORTH = 0.95;

/**
 * Scales rows, and columns by the inverse, in place, until the two of a position are about as long as each other; gives the powers of
 * two that columns were multiplied by, so that no digit is lost.
 */
export function balance(a: Lines): Float64Array {
  const n = a.count;
  const scales = new Float64Array(n).fill(1);
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (let i = 0; i < n; i++) {
      const f = factorAt(a, i);
      if (f === 1) continue;
      isDone = false;
      scales[i]! *= f;
      for (const part of a.im ? [a.re, a.im] : [a.re]) {
        for (let j = 0; j < n; j++) {
          part[i * n + j]! /= f;
          part[j * n + i]! *= f;
        }
      }
    }
  }
  return scales;
}

/**
 * The power of two that makes a row and its column alike, or 1 where that changes little. Diagonal elements count, which are not scaled:
 * next to a large one, scales that make small elements beside it alike cost vectors their digits.
 */
function factorAt({ re, im, count: n }: Lines, i: number): number {
  let [row, column] = [0, 0];
  for (let j = 0; j < n; j++) {
    row += re[i * n + j]! ** 2 + (im ? im[i * n + j]! ** 2 : 0);
    column += re[j * n + i]! ** 2 + (im ? im[j * n + i]! ** 2 : 0);
  }
  if (row === 0 || column === 0) return 1;
  [row, column] = [Math.sqrt(row), Math.sqrt(column)];
  let f = 1;
  for (; 2 * f * f * column <= row; f *= 2);
  for (; f * f * column >= 2 * row; f /= 2);
  return row / f + column * f < WORTH * (row + column) ? f : 1;
}

/** A matrix as rows, and as lines the columns of the unitary matrix that it is to be multiplied by from both sides. */
export interface Similar {
  readonly h: Lines;
  readonly q: Lines;
}

/** h of zeros below the first diagonal under the main one, and q with a = q h q^H; `rows` as rows. */
export function hessenberg(rows: Lines): Similar {
  const n = rows.count;
  const columns = transposeLines(rows);
  const count = Math.max(1, n - 2);
  const reflections = noReflections(columns, count, n, 1);
  for (let k = 0; k < n - 2; k++) {
    const isReflected = reflectTo(columns, k, reflections, k);
    setColumn(columns, k, k + 1);
    if (!isReflected) continue;
    reflect(columns, k + 1, n, reflections, k);
    reflectRows(columns, reflections, k, 0);
  }
  const q = identityLines(rows.on, n, n, rows.im !== null);
  if (n > 2) reflectDiagonal(q, reflections);
  return { h: transposeLines(columns), q };
}
