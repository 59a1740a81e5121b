/**
 * Elements in order: sort, argsort, the largest few, and turning axes around. Everything is stable, and NaN is larger than
 * every number.
 */
import type { Direction } from "../../backend";
import type { AxisOf } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { booleanOption, checkOptions, integerOption, wordOption } from "../../core/options";
import { allAxes, formatShape, resolveAxes, resolveAxis, type Names } from "../../core/shape";
import { bitsOf, isInteger, isUnsigned, resolveType, type DType } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, run, template } from "../dispatch";

/** Options of {@link sort}. */
export interface SortOptions<A = number | string> {
  /** Axis to sort along, by position (negative from the end) or by name; the first when left out. */
  readonly axis?: A;
  /** Smallest first (`"asc"`, when left out) or largest first. */
  readonly direction?: Direction;
  /** Elements that are equal keep their order either way. */
  readonly stable?: boolean;
}

/** Options of {@link argsort}. */
export interface ArgsortOptions<A = number | string> extends SortOptions<A> {
  /** Integer type of the indices, `s64` when left out. */
  readonly type?: DType;
}
