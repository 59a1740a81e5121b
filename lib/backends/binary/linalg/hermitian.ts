/**
 * Telling matrices that are not hermitian, of which half would be left unread, from those that are so within rounding.
 */
import { ArgumentError } from "../../../core/errors";
import type { DType } from "../../../core/types";
import type { Lines } from "./lines";

/** Half of the digits that each type has: what sums in another order leave is far below. */
export const TOLERANCE: { readonly [K in DType]?: number } = {
  bf16: 2 ** -4,
  f16: 2 ** -5,
  f32: 2 ** -12,
  c64: 2 ** -12,
  f64: 2 ** -26,
  c128: 2 ** -26,
};

type Matrix = Pick<Lines, "count" | "re" | "im">;

/** Refuses a matrix, at a position of its numbers, with an element that differs from the conjugate of the one opposite, next to the largest of all. */
export function checkHermitian(fn: string, a: Matrix, type: DType, at = 0): void {
  const { count: n, re, im } = a;
  let largest = 0;
  for (const part of im ? [re, im] : [re]) {
    for (let k = at; k < at + n * n; k++) {
      const size = Math.abs(part[k]!);
      if (size > largest || size !== size) largest = size;
    }
  }
  const allowed = largest * (TOLERANCE[type] ?? 0);
  for (let i = 0; i < n; i++) {
    for (let j = i, upper = at + i * n + i, lower = upper; j < n; j++, upper++, lower += n) {
      if (Math.abs(re[upper]! - re[lower]!) > allowed || (im && Math.abs(im[upper]! + im[lower]!) > allowed)) {
        throw notHermitian(fn, a, at, i, j);
      }
    }
  }
}

function notHermitian(fn: string, { count: n, re, im }: Matrix, at: number, i: number, j: number): ArgumentError {
  const text = (row: number, column: number): string => {
    const k = at + row * n + column;
    return im ? `${re[k]!}${im[k]! < 0 ? "-" : "+"}${Math.abs(im[k]!)}i` : `${re[k]!}`;
  };
  const rest = i === j ? ", which the diagonal cannot hold" : ` and element [${j}][${i}] is ${text(j, i)}`;
  return new ArgumentError(
    `${fn} expects hermitian matrices, but element [${i}][${j}] of this ${n}x${n} matrix is ${text(i, j)}${rest}; ` +
      `take the mean of the matrix and its adjoint if it is meant to be hermitian`,
  );
}
