/**
 * Reductions of groups: what belongs to one number along the first axis. Groups are numbered from 0 on; names are whoever calls.
 */
import { SEGMENT_EXTREMES } from "../../backends/blocks";
import { ARGSORT, INDEXED, REVERSE, TAKE } from "../../backends/primitives";
import { tracingBackend } from "../../backends/registry";
import { unnamed } from "../../core/names";
import { checkSize, sizeOf } from "../../core/shape";
import { isComplex, isInteger, toAggregate, worstOf, type DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { reduceMax, sum } from "../aggregates";
import { positionsAlong, reshapeTo, sliceAlong } from "../aggregates/core";
import { toNumber } from "../conversion";
import { cumulativeSum } from "../cumulative";
import { cast, constant, run, template } from "../dispatch";
import {
  add,
  equal,
  isNan,
  less,
  logicalAnd,
  logicalOr,
  min,
  multiply,
  negate,
  quotient,
  subtract,
  where,
} from "../elementwise";

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
export const placed = (size: number, places: Tensor, elements: Tensor): Tensor =>
  scattered("put", constant(0, elements.type, Object.freeze([size])), places, elements);

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

/** The stable order of ascending elements along the first axis; NaN comes last. Places are narrow, since all that is looked up by them reads them. */
export const orderOf = (t: Tensor, direction: "asc" | "desc" = "asc"): Tensor =>
  run(ARGSORT, template("u32", t.shape, unnamed(t.shape.length)), [t], { axis: 0, direction });

/** The narrowest type that has the numbers below `count`. */
const typeOfNumbers = (count: number): DType => (count <= 2 ** 8 ? "u8" : count <= 2 ** 16 ? "u16" : "u32");

/** Labels in a type that holds the numbers below `count`; an unknown label is an error that names it. */
export const numbersOf = (labels: Tensor, groups: number, count = groups): Tensor =>
  inOrder(positionsAlong(typeOfNumbers(count), [groups], 0), labels);

/** Entries that are rows as single elements: a group for each column of each group. Numbers of groups are narrow, and leave room for one more group. */
export function flattened({ t, labels, groups }: Entries): Entries {
  const [n, width] = [t.shape[0]!, sizeOf(t.shape.slice(1))];
  const all = groups * width;
  checkSize([all]);
  const rows = numbersOf(labels, groups, all + 1);
  const flat = reshapeTo(t, [n * width]);
  if (width === 1) return { t: flat, labels: rows, groups };
  const columns = positionsAlong(rows.type, [1, width], 1);
  return {
    t: flat,
    labels: reshapeTo(add(multiply(reshapeTo(rows, [n, 1]), width), columns), [n * width]),
    groups: all,
  };
}

/**
 * The largest or the smallest element of each group: elements are put into their groups in the order of their size, where the last one
 * stays. NaN is last in any order, so a group with one has it. A group without entries has the least, or the largest, of the type.
 */
export function extremesOf(op: "max" | "min", { t, labels, groups }: Entries): Tensor {
  const worst = base({ t, labels, groups }, t.type, worstOf(op, t.type));
  return run("block", template(worst.type, worst.shape, worst.names), [worst, t, labels], {
    name: SEGMENT_EXTREMES,
    options: { op },
    fn: (none, entries, rows) => putInOrder(op, none!, flattened({ t: entries!, labels: rows!, groups })),
  });
}

function putInOrder(op: "max" | "min", worst: Tensor, { t, labels, groups }: Entries): Tensor {
  const order = orderFor(op, t);
  const chosen = scattered("put", reshapeTo(worst, [groups]), inOrder(labels, order), inOrder(t, order));
  return reshapeTo(chosen, worst.shape);
}

/** The order in which the extreme comes last, but for NaN. Negated integers could leave their type. */
function orderFor(op: "max" | "min", t: Tensor): Tensor {
  if (op === "max") return orderOf(t);
  return isInteger(t.type) ? orderOf(t, "desc") : orderOf(negate(t));
}

/** Whether each element is the same as the one of its group; all NaN are the same. */
export function isOfGroup({ t, labels }: Entries, values: Tensor): Tensor {
  const own = inOrder(values, labels);
  return isInteger(t.type) ? equal(t, own) : logicalOr(equal(t, own), logicalAnd(isNan(t), isNan(own)));
}

/**
 * The place of the first or the last element of each group of flat entries (see {@link flattened}), of those that are `wanted` (all, where
 * that is null); the number of all elements where there is none.
 */
export function placesOf(which: "first" | "last", { t, labels, groups }: Entries, wanted: Tensor | null): Tensor {
  const n = t.shape[0]!;
  const own = wanted === null ? labels : where(wanted, labels, groups); // those that are not wanted are a group more
  const [rows, places] = [own, positionsAlong("u32", [n], 0)].map((x) => (which === "last" ? x : backwards(x)));
  const none = constant(n, "u32", Object.freeze([groups + 1]));
  return sliceAlong(scattered("put", none, rows!, places!), 0, 0, groups);
}

/** The entries of the first axis, the last in front. */
export const backwards = (t: Tensor): Tensor => run(REVERSE, template(t.type, t.shape, t.names), [t], { axes: [0] });

/** Elements at places, and a number where a place is behind the last one. */
export function elementsOf(t: Tensor, places: Tensor, none: number): Tensor {
  const n = t.shape[0]!;
  return where(less(places, n), inOrder(t, min(places, n - 1)), none);
}

/** Groups whose entries stand together in their order, as many of each as `sizes` says. */
interface Sorted {
  readonly t: Tensor;
  readonly own: Tensor;
  readonly sizes: Tensor;
}

/**
 * The product of each group, 1 of one without entries: entries are brought together by group and multiplied in pairs, and pairs of these,
 * from the end of each group (the order of running products in steps that double, by Hillis and Steele, 1986). Floats are multiplied in f64.
 */
export function productsOf(entries: Entries): Tensor {
  const { t, groups } = entries;
  const type = isInteger(t.type) ? toAggregate(t.type) : isComplex(t.type) ? "c128" : "f64";
  const numbers = numbersOf(entries.labels, groups, groups + 1);
  const order = orderOf(numbers);
  const rows = reshapeTo(t, [t.shape[0]!, sizeOf(t.shape.slice(1))]);
  // behind the last group stands one of ones, which has no entries yet
  const counted = sizesOf(numbers, groups + 1);
  let sorted: Sorted = { t: cast(inOrder(rows, order), type), own: inOrder(numbers, order), sizes: counted };
  let most = longest(sorted.sizes, t.shape[0]!);
  while (most > 1) {
    const block = blockFor(sorted.t.shape[0]!, groups, most);
    sorted = multipliedInBlocks(sorted, block);
    most = Math.ceil(most / block);
  }
  const sizes = sliceAlong(sorted.sizes, 0, 0, groups);
  const starts = sliceAlong(subtract(cumulativeSum(sorted.sizes), sorted.sizes), 0, 0, groups);
  const firsts = inOrder(sorted.t, min(starts, sorted.t.shape[0]! - 1));
  const isNone = reshapeTo(equal(sizes, 0), [groups, 1]);
  const products = where(isNone, constant(1, type, firsts.shape), firsts);
  return cast(reshapeTo(products, [groups, ...t.shape.slice(1)]), toAggregate(t.type));
}

/** The most entries of a group that are multiplied at once. */
const BLOCK = 64;

/** As many entries are multiplied at once as do not make more ones than there are entries: a power of 2. */
function blockFor(entries: number, groups: number, most: number): number {
  let block = 2;
  while (block < Math.min(most, BLOCK) && (groups + 1) * (2 * block - 1) <= entries) block *= 2;
  return block;
}

/**
 * Groups filled up with ones in front to whole blocks, of which each becomes one entry. Blocks are the columns of a matrix, so that what
 * is multiplied with each other lies in rows.
 */
function multipliedInBlocks({ t, own, sizes }: Sorted, block: number): Sorted {
  const [n, width] = t.shape as [number, number];
  const groups = sizes.shape[0]! - 1;
  const blocks = Math.floor((n + (groups + 1) * (block - 1)) / block);
  const used = quotient(add(sizes, block - 1), block);
  const ends = cumulativeSum(used);
  const further = cast(subtract(multiply(ends, block), cumulativeSum(sizes)), "u32");
  const places = add(positionsAlong("u32", [n], 0), inOrder(further, own));
  const column = quotient(places, block);
  const cells = add(multiply(subtract(places, multiply(column, block)), blocks), column);
  let products = scattered("put", constant(1, t.type, Object.freeze([blocks * block, width])), cells, t);
  for (let left = block / 2; left >= 1; left /= 2) {
    const pairs = reshapeTo(products, [left, 2, blocks * width]);
    const [front, behind] = [0, 1].map((at) => reshapeTo(sliceAlong(pairs, 1, at, 1), [left * blocks, width]));
    products = multiply(behind!, front!);
  }
  const numbers = scattered("put", constant(groups, own.type, Object.freeze([blocks])), column, own);
  const rest = subtract(blocks, sum(sliceAlong(used, 0, 0, groups)));
  const isLast = equal(positionsAlong("s64", [groups + 1], 0), groups);
  return { t: products, own: numbers, sizes: where(isLast, rest, used) };
}

/** No group has more entries. */
const longest = (sizes: Tensor, entries: number): number =>
  tracingBackend() === null ? Number(toNumber(reduceMax(sizes))) : entries;
