/**
 * Primitives that make numbers out of nothing or move elements about.
 */
import type { Primitive } from "nx-numerics/backend";
import type { Emitter } from "./emitter";
import { axesOf, sizeOf, type Value } from "./ir";
import type { Site } from "./site";

type Moving = Extract<
  Primitive,
  | "constant"
  | "iota"
  | "eye"
  | "reshape"
  | "broadcast"
  | "transpose"
  | "pad"
  | "reverse"
  | "slice"
  | "putSlice"
  | "concatenate"
>;

export const MOVEMENT: { readonly [P in Moving]: (site: Site<P>) => Value } = {
  constant: ({ e, attrs, type }) => e.scalar(attrs.value, type),
  iota: ({ e, attrs: { axis }, type, shape }) => {
    const count = e.range(axis === null ? sizeOf(shape) : shape[axis]!);
    return e.cast(e.reshape(count, axis === null ? shape : shape.map((dim, i) => (i === axis ? dim : 1))), type);
  },
  eye: ({ e, type, shape }) => {
    const [rows, columns] = [shape.at(-2)!, shape.at(-1)!];
    return e.cast(e.compare("Equal", e.reshape(e.range(rows), [rows, 1]), e.range(columns)), type);
  },
  reshape: (site) => (site.e.isElementwise ? site.lazy(0) : site.e.reshape(site.full(0), site.shape)),
  broadcast,
  transpose: (site) => {
    const x = site.lazy(0);
    if (x.shape.length === 0) return x;
    return site.e.transpose(x.shape.length === site.shape.length ? x : site.full(0), site.attrs.axes);
  },
  pad: (site) => padded(site.e, site.e.cast(site.full(0), site.type), site.value(1), site.attrs.config),
  reverse: (site) => site.e.reverse(site.full(0), site.attrs.axes),
  slice,
  putSlice,
  concatenate: (site) => {
    const parts = site.node.inputs.map((_, i) => site.e.cast(site.full(i), site.type));
    return site.e.op("Concat", parts, site.type, site.shape, { axis: site.attrs.axis });
  },
};

/** Sizes of 1 in the place of new axes: operators broadcast by themselves. */
function broadcast(site: Site<"broadcast">): Value {
  const { e, shape, attrs } = site;
  const x = site.lazy(0);
  if (e.isElementwise) return x;
  const missing = site.shapeOf(0).length - x.shape.length;
  const aligned = [...Array<number>(missing).fill(1), ...x.shape];
  const to = shape.map(() => 1);
  attrs.axes.forEach((axis, i) => (to[axis] = aligned[i]!));
  return e.reshape(x, to);
}

/** Low, high and interior padding of each axis; negative crops. */
export function padded(
  e: Emitter,
  x: Value,
  value: Value,
  config: readonly (readonly [low: number, high: number, interior: number])[],
): Value {
  const spread = config.some(([, , interior]) => interior > 0) ? interleaved(e, x, value, config) : x;
  // the padding of an element is behind it, also behind the last element
  return surrounded(e, spread, value, config.map(([low, high, interior]) => [low, high - interior])); // prettier-ignore
}

function interleaved(
  e: Emitter,
  x: Value,
  value: Value,
  config: readonly (readonly [low: number, high: number, interior: number])[],
): Value {
  const apart = e.reshape(x, x.shape.flatMap((dim) => [dim, 1])); // prettier-ignore
  const wide = surrounded(e, apart, value, config.flatMap(([, , interior]) => [[0, 0], [0, interior]])); // prettier-ignore
  return e.reshape(wide, x.shape.map((dim, i) => dim * (config[i]![2] + 1))); // prettier-ignore
}

/** Padding around the elements; negative crops. */
export function surrounded(e: Emitter, x: Value, value: Value, by: readonly (readonly number[])[]): Value {
  if (by.every(([low, high]) => low === 0 && high === 0)) return x;
  const type = e.kernel("Pad", x.type);
  const pads = e.integers([...by.map(([low]) => low!), ...by.map(([, high]) => high!)]);
  const shape = x.shape.map((dim, i) => dim + by[i]![0]! + by[i]![1]!);
  const filling = e.reshape(e.cast(value, type), []);
  return e.cast(e.op("Pad", [e.cast(x, type), pads, filling], type, shape, { mode: "constant" }), x.type);
}

function slice(site: Site<"slice">): Value {
  const { e, shape, attrs, type } = site;
  const x = site.full(0);
  const { starts, lengths, strides } = attrs;
  if (starts.every((start) => start !== null)) return e.slice(x, starts, lengths, strides, shape);
  const last = x.shape.map((dim, i) => dim - lengths[i]!);
  const from = clamped(site, starts, last, 1);
  const to = e.op("Add", [from, e.integers(lengths)], "s64", [shape.length]);
  return e.op("Slice", [x, from, to, e.integers(axesOf(shape)), e.integers(strides)], type, shape);
}

/** Starts, of which some are operands from `first` on, so that a piece fits. */
function clamped(
  site: Site<"slice" | "putSlice">,
  starts: readonly (number | null)[],
  last: readonly number[],
  first: number,
): Value {
  const { e } = site;
  let next = first;
  const parts = starts.map((start, axis) =>
    start === null ? e.reshape(signed(e, site.value(next++), last[axis]!), [1]) : e.integers([start]),
  );
  const all = e.op("Concat", parts, "s64", [parts.length], { axis: 0 });
  return e.apply("Min", [e.apply("Max", [all, e.scalar(0, "s64")], "s64"), e.integers(last)], "s64");
}

/** A start as s64, which one of u64 may be too large for before it fits. */
const signed = (e: Emitter, start: Value, last: number): Value =>
  e.cast(start.type === "u64" ? e.apply("Min", [start, e.scalar(last, "u64")], "u64") : start, "s64");

/** A piece written by the positions of its elements. */
function putSlice(site: Site<"putSlice">): Value {
  const { e, shape, type, attrs } = site;
  const [x, piece] = [e.cast(site.full(0), type), e.cast(site.full(1), type)];
  if (shape.length === 0) return piece;
  const last = shape.map((dim, i) => dim - piece.shape[i]!);
  const starts = attrs.starts.every((start) => start !== null)
    ? e.integers(attrs.starts)
    : clamped(site, attrs.starts, last, 2);
  const grid = axesOf(shape).map((axis) => {
    const along = e.reshape(e.range(piece.shape[axis]!), piece.shape.map((dim, i) => (i === axis ? dim : 1))); // prettier-ignore
    const from = e.op("Gather", [starts, e.scalar(axis, "s64")], "s64", []);
    return e.reshape(e.expand(e.apply("Add", [along, from], "s64"), piece.shape), [...piece.shape, 1]);
  });
  const positions = e.op("Concat", grid, "s64", [...piece.shape, shape.length], { axis: -1 });
  return e.move("ScatterND", x, [positions, e.cast(piece, e.kernel("ScatterND", type))], shape);
}
