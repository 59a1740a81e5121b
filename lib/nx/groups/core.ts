/**
 * Reductions of groups: what belongs to one number along the first axis. Groups are numbered from 0 on; names are whoever calls.
 */
import { ARGSORT, INDEXED, TAKE, TAKE_ALONG } from "../../backends/primitives";
import { tracingBackend } from "../../backends/registry";
import { unnamed } from "../../core/names";
import { checkSize, sizeOf } from "../../core/shape";
import { finiteLimits, isComplex, isInteger, toAggregate, type DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { reduceMax } from "../aggregates";
import { positionsAlong, reshapeTo, shiftAlong } from "../aggregates/core";
import { toNumber } from "../conversion";
import { cast, constant, run, template } from "../dispatch";
import { add, equal, multiply, negate, where } from "../elementwise";

/** Entries along the first axis of a tensor, and the number of the group of each. */
export interface Entries {
  readonly t: Tensor;
  readonly labels: Tensor;
  readonly groups: number;
}

/** A row of elements for each group, with what lies in all groups to begin with. */
function base({ t, groups }: Entries, type: DType, value: number | bigint): Tensor {
  const shape = Object.freeze([groups, ...t.shape.slice(1)]);
  checkSize(shape);
  return constant(value, type, shape);
}

/** Puts rows of updates at places, or adds them up there. */
function scattered(op: "add" | "put", into: Tensor, places: Tensor, updates: Tensor): Tensor {
  const indices = reshapeTo(places, [sizeOf(places.shape), 1]);
  return run(INDEXED, template(into.type, into.shape, unnamed(into.shape.length)), [into, indices, updates], {
    op,
    axes: [0],
  });
}

/** A vector with elements put at places; zeros elsewhere. Of several for one place the last one stays. */
export const placed = (like: Tensor, places: Tensor, elements: Tensor): Tensor =>
  scattered("put", constant(0, elements.type, like.shape), places, elements);

/** Sums of groups in the type of the tensor, rounded once; 0 of one without entries. */
export const sumsOf = (entries: Entries): Tensor =>
  scattered("add", base(entries, entries.t.type, 0), entries.labels, entries.t);

/** The number of entries of each group. */
export const sizesOf = (labels: Tensor, groups: number, type: DType = "s64"): Tensor =>
  cast(sumsOf({ t: constant(1, "u32", labels.shape), labels, groups }), type);

/** The entries in an order along the first axis. */
export const inOrder = (t: Tensor, order: Tensor): Tensor =>
  run(
    TAKE,
    template(t.type, Object.freeze([order.shape[0]!, ...t.shape.slice(1)]), unnamed(t.shape.length)),
    [t, order],
    {
      axis: 0,
    },
  );

/** The stable order of ascending elements along the first axis; NaN comes last. */
export const orderOf = (t: Tensor): Tensor =>
  run(ARGSORT, template("s64", t.shape, unnamed(t.shape.length)), [t], { axis: 0, direction: "asc" });

/**
 * The largest or the smallest element of each group: elements are put into their groups in the order of their size, where the last one
 * stays. NaN is last in any order, so a group with one has it. A group without entries has the least, or the largest, of the type.
 */
export function extremesOf(op: "max" | "min", entries: Entries): Tensor {
  const { t, labels, groups } = entries;
  const { type, shape } = t;
  const into = base(entries, type, worstOf(op, type));
  const [n, width] = [shape[0]!, sizeOf(shape.slice(1))];
  if (width === 1) {
    const order = orderFor(op, reshapeTo(t, [n]));
    return scattered("put", into, inOrder(labels, order), inOrder(t, order));
  }
  const rows = reshapeTo(t, [n, width]);
  const order = orderFor(op, rows);
  const sorted = run(TAKE_ALONG, template(type, rows.shape, rows.names), [rows, order], { axis: 0 });
  const checked = inOrder(positionsAlong("s64", [groups], 0), labels); // an error names the label, not its place
  const own = run(TAKE, template("s64", order.shape, order.names), [checked, order], { axis: 0 });
  const places = add(multiply(own, width), positionsAlong("s64", [1, width], 1));
  const flat = scattered("put", reshapeTo(into, [groups * width]), places, reshapeTo(sorted, [n * width]));
  return reshapeTo(flat, into.shape);
}

/** What every other element is chosen before. */
function worstOf(op: "max" | "min", type: DType): number | bigint {
  if (!isInteger(type)) return op === "max" ? -Infinity : Infinity;
  return finiteLimits(type)[op === "max" ? "min" : "max"];
}

/** The order in which the extreme comes last, but for NaN. Negated integers could leave their type. */
function orderFor(op: "max" | "min", t: Tensor): Tensor {
  if (op === "max") return orderOf(t);
  if (!isInteger(t.type)) return orderOf(negate(t));
  return run(ARGSORT, template("s64", t.shape, unnamed(t.shape.length)), [t], { axis: 0, direction: "desc" });
}

/**
 * The product of each group, 1 of one without entries: entries are brought together by group, where running products are made in steps
 * that double (Hillis and Steele, 1986); that of the last entry is the product. Floats are multiplied in f64.
 */
export function productsOf(entries: Entries): Tensor {
  const { t, labels, groups } = entries;
  const type = isInteger(t.type) ? toAggregate(t.type) : isComplex(t.type) ? "c128" : "f64";
  const order = orderOf(labels);
  const own = cast(inOrder(labels, order), "s64");
  const column = add(reshapeTo(own, [own.shape[0]!, ...t.shape.slice(1).map(() => 1)]), 1); // 0 is what is shifted in
  let products = cast(inOrder(t, order), type);
  const most = longest(labels, groups);
  for (let step = 1; step < most; step *= 2) {
    const isSame = equal(column, shiftAlong(column, 0, step));
    products = multiply(products, where(isSame, shiftAlong(products, 0, step), 1));
  }
  return cast(scattered("put", base(entries, type, 1), own, products), toAggregate(t.type));
}

/** No group has more entries. */
const longest = (labels: Tensor, groups: number): number =>
  tracingBackend() === null ? Number(toNumber(reduceMax(sizesOf(labels, groups)))) : labels.shape[0]!;
