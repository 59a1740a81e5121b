/**
 * What the aggregates share: reading their options, the shape and names of what is left, running the primitives on axes
 * that are resolved already, and the types of their options. It never sees elements.
 */
import { IOTA, PAD, SORT } from "../../backends/primitives";
import { booleanOption, checkOptions, skipsNan, type NanPolicy } from "../../core/options";
import { unnamed } from "../../core/names";
import {
  allAxes,
  formatShape,
  freeAxes,
  reducedShape,
  resolveAxes,
  resolveAxis,
  SCALAR_SHAPE,
  sizeOf,
  type Axis,
  type AxisList,
  type Names,
  type Shape,
} from "../../core/shape";
import { isInteger, type DType } from "../../core/types";
import { reduceType, type ReduceOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { constant, run, template } from "../dispatch";

/** Which axes a reduction removes. An axis or a list of axes may stand in place of these options. */
export interface AxesChoice<A = Axis | AxisList | undefined, K = boolean> {
  /** Axes to reduce, one or a list, by position (negative from the end) or by name; all of them when left out. */
  readonly axes?: A;
  /** The same as `axes`. */
  readonly axis?: A;
  /** Keep the reduced axes, with size 1. */
  readonly keepAxes?: K;
  /** The same as `keepAxes`. */
  readonly keepAxis?: K;
  /** `"skip"` leaves NaN out, as missing values; `"propagate"`, when left out: the result is NaN where one is. */
  readonly nan?: NanPolicy;
}

/** Which axis a reduction removes. An axis may stand in place of these options. */
export interface AxisChoice<A = Axis | undefined, K = boolean> {
  /** Axis to reduce, by position (negative from the end) or by name; all elements when left out. */
  readonly axis?: A;
  /** The same as `axis`. */
  readonly axes?: A | readonly [A];
  /** Keep the reduced axis, with size 1. */
  readonly keepAxis?: K;
  /** The same as `keepAxis`. */
  readonly keepAxes?: K;
  /** `"skip"` leaves NaN out, as missing values; `"propagate"`, when left out: the result is NaN where one is. */
  readonly nan?: NanPolicy;
}

/** Options of a reduction, or the axes that may stand in their place. */
export type AxesArgument<O = AxesChoice> = O | Axis | AxisList | undefined;
/** The same for one axis. */
export type AxisArgument<O = AxisChoice> = O | Axis | undefined;

/** A reduction that is resolved for one tensor: the axes that go, and the shape and names of the result. */
export interface Reduction {
  readonly axes: readonly number[];
  readonly keepAxes: boolean;
  /** Whether NaN is left out. */
  readonly skips: boolean;
  readonly shape: Shape;
  readonly names: Names;
}

/** The same for one axis; null means all elements. */
export interface AxisReduction {
  readonly axis: number | null;
  readonly keepAxis: boolean;
  /** Whether NaN is left out. */
  readonly skips: boolean;
  readonly shape: Shape;
  readonly names: Names;
}

export const AXES_OPTIONS: readonly string[] = ["axes", "keepAxes", "nan"];
export const AXIS_OPTIONS: readonly string[] = ["axis", "keepAxis", "nan"];

const WHOLE: Reduction[] = [];

/** The reduction of everything, made once for each rank: the commonest call should cost next to nothing. */
function wholeOf(rank: number): Reduction {
  return (WHOLE[rank] ??= Object.freeze({
    axes: Object.freeze(allAxes(rank)),
    keepAxes: false,
    skips: false,
    shape: SCALAR_SHAPE,
    names: unnamed(0),
  }));
}

/** Reads `axes`, `keepAxes` and `nan`; `extra` are the other options of the function. */
export function readAxes(
  fn: string,
  { shape, names }: Tensor,
  given: AxesArgument,
  extra: readonly string[] = [],
): Reduction {
  if (given === undefined) return wholeOf(shape.length);
  const options = checkOptions<AxesChoice>(fn, given, extra.length === 0 ? AXES_OPTIONS : [...AXES_OPTIONS, ...extra])!;
  const keepAxes = booleanOption(fn, "keepAxes", options.keepAxes, false);
  const skips = skipsNan(fn, options);
  if (options.axes === undefined && !keepAxes && !skips) return wholeOf(shape.length);
  const axes = options.axes === undefined ? allAxes(shape.length) : resolveAxes(options.axes, shape, names);
  axes.sort((a, b) => a - b);
  return { axes, keepAxes, skips, ...reducedShape(shape, names, axes, keepAxes) };
}

/** Reads `axis`, `keepAxis` and `nan`. */
export function readAxis(
  fn: string,
  { shape, names }: Tensor,
  given: AxisArgument,
  extra: readonly string[] = [],
): AxisReduction {
  const options = checkOptions<AxisChoice>(fn, given, extra.length === 0 ? AXIS_OPTIONS : [...AXIS_OPTIONS, ...extra]);
  const keepAxis = booleanOption(fn, "keepAxis", options?.keepAxis, false);
  const skips = skipsNan(fn, options);
  if (options?.axis === undefined) {
    return { axis: null, keepAxis, skips, ...reducedShape(shape, names, allAxes(shape.length), keepAxis) };
  }
  const axis = resolveAxis(options.axis, shape, names);
  return { axis, keepAxis, skips, ...reducedShape(shape, names, [axis], keepAxis) };
}

/** A reduction of lines: the tensor whose lines they are along an axis, of all elements where it is null. */
export interface LineReduction extends AxisReduction {
  readonly lines: Tensor;
}

/** Reads `axes`, `keepAxes` and `nan` for what sorts lines; `extra` are other options. Several axes become the last one of a copy. */
export function readLines(fn: string, t: Tensor, given: AxesArgument, extra: readonly string[] = []): LineReduction {
  const { axes, keepAxes: keepAxis, skips, shape, names } = readAxes(fn, t, given, extra);
  const rest = { keepAxis, skips, shape, names };
  if (axes.length === 1) return { lines: t, axis: axes[0]!, ...rest };
  if (axes.length === t.shape.length) return { lines: t, axis: null, ...rest };
  const kept = freeAxes(t.shape, axes, []);
  const lengths = kept.map((axis) => t.shape[axis]!);
  const lines = reshapeTo(ordered(t, [...kept, ...axes]), [...lengths, countOf(t.shape, axes)]);
  return { lines, axis: kept.length, ...rest };
}

/** A reduction of the vocabulary over axes that are resolved. */
export function reduceOver(
  op: ReduceOp,
  t: Tensor,
  { axes, keepAxes, shape, names }: Omit<Reduction, "skips">,
): Tensor {
  return run("reduceOp", template(reduceType(op, t.type), shape, names), [t], { op, axes, keepAxes });
}

/** The same reduction with its axes kept, so that the result broadcasts against the tensor. */
export function keeping({ shape, names }: Tensor, { axes, skips }: Pick<Reduction, "axes" | "skips">): Reduction {
  return { axes, keepAxes: true, skips, ...reducedShape(shape, names, axes, true) };
}

/** The number of elements behind each result. */
export function countOf(shape: Shape, axes: readonly number[]): number {
  let count = 1;
  for (const axis of axes) count *= shape[axis]!;
  return count;
}

/**
 * Type to compute in where a result is built of several steps: half floats would round, or overflow, at each of them,
 * and f32 cannot hold large integers.
 */
export function workingType(type: DType): DType {
  if (isInteger(type)) return "f64";
  return type === "f16" || type === "bf16" ? "f32" : type;
}

/** The elements of a sorted copy along an axis, ascending. */
export function sortAlong(t: Tensor, axis: number): Tensor {
  return run(SORT, template(t.type, t.shape, t.names), [t], { axis, direction: "asc" });
}

/** `length` positions of an axis from `start` on. */
export function sliceAlong(t: Tensor, axis: number, start: number, length: number): Tensor {
  const lengths = Object.freeze(t.shape.map((size, i) => (i === axis ? length : size)));
  const starts = t.shape.map((_, i) => (i === axis ? start : 0));
  const strides = t.shape.map(() => 1);
  return run("slice", template(t.type, lengths, t.names), [t], { starts, lengths, strides });
}

/** What is before and what is behind each two neighbours along an axis: all but the last position, and all but the first. */
export function adjacent(t: Tensor, axis: number): readonly [before: Tensor, behind: Tensor] {
  const count = t.shape[axis]! - 1;
  return [sliceAlong(t, axis, 0, count), sliceAlong(t, axis, 1, count)];
}

/** Moves the elements of an axis `by` positions on, filling with zeros; what leaves at the end is lost. */
export function shiftAlong(t: Tensor, axis: number, by: number): Tensor {
  return padAlong(t, axis, by, -by);
}

/** Zeros in front of and behind the elements of an axis; a negative number crops. */
export function padAlong(t: Tensor, axis: number, low: number, high: number): Tensor {
  const shape = Object.freeze(t.shape.map((size, i) => (i === axis ? size + low + high : size)));
  const config = t.shape.map((_, i) => (i === axis ? ([low, high, 0] as const) : ([0, 0, 0] as const)));
  return run(PAD, template(t.type, shape, t.names), [t, constant(0, t.type)], { config });
}

/** The same elements in a new shape, unnamed. */
export function reshapeTo(t: Tensor, shape: Shape): Tensor {
  return run("reshape", template(t.type, Object.freeze(shape.slice()), unnamed(shape.length)), [t], {});
}

/** The lines of an axis as the rows of a matrix; all elements as one row when the axis is null. */
export function rowsAlong(t: Tensor, axis: number | null): Tensor {
  const size = sizeOf(t.shape);
  const length = axis === null ? size : t.shape[axis]!;
  return reshapeTo(axis === null ? t : moveToEnd(t, axis), [size / length, length]);
}

function moveToEnd(t: Tensor, axis: number): Tensor {
  return ordered(t, [...allAxes(t.shape.length).filter((i) => i !== axis), axis]);
}

function ordered(t: Tensor, axes: readonly number[]): Tensor {
  if (axes.every((axis, i) => axis === i)) return t;
  const permuted = <T>(values: readonly T[]): readonly T[] => Object.freeze(axes.map((i) => values[i]!));
  return run("transpose", template(t.type, permuted(t.shape), permuted(t.names)), [t], { axes });
}

/** Positions along an axis. */
export function positionsAlong(type: DType, shape: Shape, axis: number): Tensor {
  return run(IOTA, template(type, Object.freeze(shape.slice()), unnamed(shape.length)), [], { axis });
}

/** The same elements, as constants to gradients. */
export function untraced(t: Tensor): Tensor {
  return run("block", t, [t], { name: "stopGrad", options: {}, fn: (given) => given! });
}

/** Type, shape and names of a tensor, for messages. */
export function shapeText({ type, shape, names }: Tensor): string {
  return `${type}${formatShape(shape, names)}`;
}
