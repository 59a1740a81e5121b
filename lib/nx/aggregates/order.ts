/**
 * Sorted lines of which some elements are missing: how many are left, and the elements at places that tensors name.
 */
import type { Direction } from "../../backend";
import { ARGSORT_AT, RANKED } from "../../backends/blocks";
import { ARGSORT, TAKE, TAKE_ALONG } from "../../backends/primitives";
import { sizeOf } from "../../core/shape";
import type { IntegerType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { cast, run, template } from "../dispatch";
import {
  add,
  divide,
  equal,
  floor,
  isNan,
  less,
  logicalNot,
  max,
  min,
  multiply,
  subtract,
  where,
} from "../elementwise";
import { keeping, positionsAlong, reduceOver, reshapeTo, sliceAlong, sortAlong } from "./core";

/** Lines sorted along an axis; what is missing stands at their end. */
export interface Ordered {
  readonly sorted: Tensor;
  readonly along: number;
  /** The place of the last element that is not missing, in f64; 0 where all are. */
  readonly last: Tensor;
  /** Where all are missing. */
  readonly isNone: Tensor;
}

/** The lines of an axis, or all elements, in ascending order. */
export function sortedPresent(x: Tensor, axis: number | null): Ordered {
  const lines = axis === null ? reshapeTo(x, [sizeOf(x.shape)]) : reshapeTo(x, x.shape);
  const along = axis ?? 0;
  const over = keeping(lines, { axes: [along], skips: false });
  const count = cast(reduceOver("sum", logicalNot(isNan(lines)), over), "f64");
  return { sorted: sortAlong(lines, along), along, last: max(subtract(count, 1), 0), isNone: equal(count, 0) };
}

/** The elements of lines at a place of each, in f64. */
export function elementsAt(lines: Tensor, along: number, places: Tensor): Tensor {
  const out = template(lines.type, places.shape, lines.names);
  return cast(run(TAKE_ALONG, out, [lines, cast(places, "s64")], { axis: along }), "f64");
}

/** The place of the last of sorted elements, times a share: which of two neighbours, or what between them, a quantile is. */
type PlaceOf = (place: Tensor) => Tensor;

/** The value of a share of sorted elements, in f64: that of its place, in proportion between two elements, from the nearer one as in NumPy. */
export function betweenPlaces(
  at: (place: Tensor) => Tensor,
  last: Tensor,
  share: number,
  whole: number,
  placeOf: PlaceOf = (place) => place,
): Tensor {
  const place = placeOf(divide(multiply(last, share), whole));
  const front = floor(place);
  const [low, high] = [at(front), at(min(add(front, 1), last))];
  const part = subtract(place, front);
  const step = subtract(high, low);
  const fromHigh = subtract(high, multiply(step, subtract(1, part)));
  return where(equal(part, 0), low, where(less(part, 0.5), add(low, multiply(step, part)), fromHigh));
}

/** Elements of a line from which on a few of them are found without sorting it, and how many are few. */
const CHOSEN_FROM = 2 ** 15;
const FEW = 16;

/** Neighbours in sorted lines, from a place on. */
export type SortedAt = (place: number, length: number) => Tensor;

/** Sorted lines, of which only what lies at certain places is asked for. */
export function sortedAt(lines: Tensor, along: number, wanted: readonly number[]): SortedAt {
  const places = [...new Set(wanted)].sort((a, b) => a - b);
  if (lines.shape[along]! < CHOSEN_FROM || places.length > FEW) {
    const sorted = sortAlong(lines, along);
    return (place, length) => sliceAlong(sorted, along, place, length);
  }
  const shape = Object.freeze(lines.shape.map((size, i) => (i === along ? places.length : size)));
  const out = template(lines.type, shape, lines.names);
  const chosen = run("block", out, [lines], {
    name: RANKED,
    options: { axis: along, places },
    fn: (x) => {
      const sorted = sortAlong(x!, along);
      const parts = places.map((place) => sliceAlong(sorted, along, place, 1));
      return run("concatenate", out, parts, { axis: along });
    },
  });
  return (place, length) => sliceAlong(chosen, along, places.indexOf(place), length);
}

/** The positions that sort lines along an axis; equal elements keep their order. */
export const argsortAlong = (type: IntegerType, lines: Tensor, axis: number, direction: Direction): Tensor =>
  run(ARGSORT, template(type, lines.shape, lines.names), [lines], { axis, direction });

/** The part of the elements of a line that are few of the positions that sort it. */
const FEW_POSITIONS = 1 / 64;

/** Whether positions that sort lines are found without sorting all, where so many are asked for of lines of a length. */
export const areChosen = (count: number, length: number): boolean =>
  length >= CHOSEN_FROM && count <= length * FEW_POSITIONS;

/** Of the positions that sort lines along an axis those at places, a vector of `u32`; as `u32`, for few of long lines. */
export function argsortAt(lines: Tensor, axis: number, direction: Direction, places: Tensor): Tensor {
  const shape = Object.freeze(lines.shape.map((size, i) => (i === axis ? places.shape[0]! : size)));
  const out = template("u32", shape, lines.names);
  return run("block", out, [lines, places], {
    name: ARGSORT_AT,
    options: { axis, direction },
    fn: (x, at) => run(TAKE, out, [argsortAlong("u32", x!, axis, direction), at!], { axis }),
  });
}

/** The first `count` of the positions that sort lines along an axis. */
export const firstOfArgsort = (
  type: IntegerType,
  lines: Tensor,
  axis: number,
  direction: Direction,
  count: number,
): Tensor =>
  areChosen(count, lines.shape[axis]!)
    ? cast(argsortAt(lines, axis, direction, positionsAlong("u32", [count], 0)), type)
    : sliceAlong(argsortAlong(type, lines, axis, direction), axis, 0, count);
