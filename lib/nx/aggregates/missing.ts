/**
 * Missing values: NaN as elements that reductions leave out, by the option `nan: "skip"`. Each reduction says here what it sees in
 * their place, and how many elements are left. Integers have none.
 */
import { ARG_REDUCE, CUMULATIVE } from "../../backends/primitives";
import { allAxes } from "../../core/shape";
import { unchecked } from "../../core/promotion-scope";
import { isInteger, is64Bit, toFloating, toReal } from "../../core/types";
import type { ArgReduceOp, CumulativeOp, ReduceOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { composite } from "../composite";
import { cast, run, template } from "../dispatch";
import { equal, isNan, logicalNot, where } from "../elementwise";
import { plainDivide } from "../elementwise/ratio";
import type { TieBreak } from "./arg";
import { countOf, reduceOver, workingType, type AxisReduction, type Reduction } from "./core";

/** The number that leaves the result of a reduction as it is. */
const NEUTRAL: { readonly [K in ReduceOp | CumulativeOp]: number } = {
  all: 1,
  any: 0,
  cumulativeMax: -Infinity,
  cumulativeMin: Infinity,
  cumulativeProduct: 1,
  cumulativeSum: 0,
  product: 1,
  reduceMax: -Infinity,
  reduceMin: Infinity,
  sum: 0,
};

/** Reductions whose result is one of the elements: where none is left it is NaN. */
const CHOOSES: ReadonlySet<ReduceOp | CumulativeOp> = new Set([
  "cumulativeMax",
  "cumulativeMin",
  "reduceMax",
  "reduceMin",
] as const);

/** Which elements are missing, as a mask; null where none can be. */
export function missingIn(t: Tensor, skips: boolean): Tensor | null {
  return skips && !isInteger(t.type) ? isNan(t) : null;
}

/** The tensor with a number in place of what is missing. */
export function filled(t: Tensor, missing: Tensor | null, value: number): Tensor {
  return missing === null ? t : unchecked(() => where(missing, value, t));
}

/** How many elements are left behind each result, in the type in which a mean is computed. */
export function countsOf(t: Tensor, over: Reduction, missing: Tensor | null): Tensor | number {
  if (missing === null) return countOf(t.shape, over.axes);
  return cast(reduceOver("sum", logicalNot(missing), over), toReal(workingType(t.type)));
}

/** A reduction of the vocabulary, of the elements that are not missing where these are skipped. */
export function reduceSome(op: ReduceOp, t: Tensor, over: Reduction): Tensor {
  return over.skips && !isInteger(t.type) ? reducePresent(op, t, over) : reduceOver(op, t, over);
}

const reducePresent = composite(function reducePresent(op: ReduceOp, t: Tensor, over: Reduction): Tensor {
  const missing = isNan(t);
  const value = reduceOver(op, filled(t, missing, NEUTRAL[op]), over);
  return CHOOSES.has(op) ? filled(value, reduceOver("all", missing, over), NaN) : value;
});

/**
 * The mean over axes that are resolved. Integers of up to 32 bits are summed exactly, wider ones in f64 since their sums may
 * not fit into 64 bits, half floats in f32 as their sums overflow early.
 *
 * @param missing - what {@link missingIn} the tensor, where that is known already
 */
export function meanOver(t: Tensor, over: Reduction, missing: Tensor | null = null): Tensor {
  const exact = isInteger(t.type) && !is64Bit(t.type);
  const terms = filled(exact ? t : cast(t, workingType(t.type)), missing, 0);
  return cast(plainDivide(reduceOver("sum", terms, over), countsOf(t, over, missing)), toFloating(t.type));
}

/** The mean, of the elements that are not missing where these are skipped. */
export function meanSome(t: Tensor, over: Reduction): Tensor {
  return over.skips && !isInteger(t.type) ? meanPresent(t, over) : meanOver(t, over);
}

const meanPresent = composite(function meanPresent(t: Tensor, over: Reduction): Tensor {
  return meanOver(t, over, isNan(t));
});

/**
 * Positions of the extremes among the elements that are not missing, -1 where all are. Where the extreme is what stands in for missing
 * elements, its position is the first or last that is not missing.
 */
export const argPresent = composite(function argPresent(
  op: ArgReduceOp,
  t: Tensor,
  over: AxisReduction,
  tieBreak: TieBreak,
): Tensor {
  const { axis, keepAxis, shape, names } = over;
  const missing = isNan(t);
  const at = (of: ArgReduceOp, x: Tensor): Tensor =>
    run(ARG_REDUCE, template("s64", shape, names), [x], { op: of, axis, keepAxis, tieBreak });
  const extreme = op === "argmax" ? "reduceMax" : "reduceMin";
  const among = { axes: axis === null ? allAxes(t.shape.length) : [axis], keepAxes: keepAxis, shape, names };
  const known = filled(t, missing, NEUTRAL[extreme]);
  const isWorst = equal(reduceOver(extreme, known, among), NEUTRAL[extreme]);
  const place = where(isWorst, at("argmax", logicalNot(missing)), at(op, known));
  return where(reduceOver("all", missing, among), -1, place);
});

/** Running reductions of the elements that are not missing; an extreme is NaN until there is one. */
export const cumulatePresent = composite(function cumulatePresent(
  op: CumulativeOp,
  t: Tensor,
  axis: number,
  reverse: boolean,
): Tensor {
  const missing = isNan(t);
  const running = (of: CumulativeOp, x: Tensor): Tensor =>
    run(CUMULATIVE, template(x.type, x.shape, x.names), [x], { op: of, axis, reverse });
  const value = running(op, filled(t, missing, NEUTRAL[op]));
  return CHOOSES.has(op) ? filled(value, running("cumulativeMin", missing), NaN) : value;
});
