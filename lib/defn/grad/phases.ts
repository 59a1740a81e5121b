/**
 * The phases of complex vectors that are only determined up to one: decompositions turn each column so that its largest
 * component is real and positive, and so a change of the matrix turns the columns too. Not public.
 */
import { argmax, reduceMax, sum } from "../../nx/aggregates";
import { positionsAlong } from "../../nx/aggregates/core";
import {
  abs,
  add,
  complex,
  conjugate,
  divide,
  equal,
  greaterEqual,
  imag,
  logicalAnd,
  multiply,
} from "../../nx/elementwise";
import type { Tensor } from "../../tensor";
import { where, zeros } from "./core";

/** A real tensor times i. */
export const timesI = (t: Tensor): Tensor => complex(zeros(t.type, t.shape), t);

/** Components this close to the largest count as large as it is: a little more than the decompositions allow. */
const NEAR = { c64: 1e-6, c128: 2e-10 };

/** For each column the one component that was made real and positive: 1 there, else 0. */
function madeReal(columns: Tensor): Tensor {
  const axis = columns.shape.length - 2;
  const sizes = abs(columns);
  const most = reduceMax(sizes, { axes: [axis], keepAxes: true });
  const isNear = greaterEqual(sizes, multiply(most, 1 - NEAR[columns.type === "c64" ? "c64" : "c128"]));
  const first = argmax(logicalAnd(isNear, equal(imag(columns), 0)), { axis, keepAxis: true });
  return equal(positionsAlong("s64", columns.shape, axis), first);
}

/** The derivative of the loss by the angle of each column, for the cotangent `g` of the literature (that is, conjugated). */
export const rotationOf = (columns: Tensor, g: Tensor): Tensor =>
  sum(imag(multiply(conjugate(g), columns)), { axes: [columns.shape.length - 2], keepAxes: true });

/**
 * The cotangent of columns in any phase, from the cotangent of the rotated columns. When the real component r of a column moves
 * by dr, the column is rotated by the angle -Im(dr) / r.
 */
export function beforeRotation(columns: Tensor, g: Tensor, rotations: Tensor): Tensor {
  const at = madeReal(columns);
  const sizes = where(at, abs(columns), 1);
  return add(g, timesI(where(at, divide(rotations, sizes), 0)));
}
