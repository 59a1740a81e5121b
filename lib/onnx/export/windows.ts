/**
 * Windows: pooling where it is the last axes of a batch of images, else the elements of all windows, gathered, and reduced.
 */
import type { Primitive, WindowOp, Windows } from "nx-numerics/backend";
import type { Emitter } from "./emitter";
import { axesOf, sizeOf, type Value } from "./ir";
import { positions } from "./indexing";
import { padded, surrounded } from "./movement";
import { isFloat } from "./numbers";
import { foldedBy, placeOf, reduced } from "./reductions";
import type { Site } from "./site";

type Windowed = Extract<Primitive, "windowOp" | "windowReduce" | "windowScatter">;

export const WINDOWS: { readonly [P in Windowed]: (site: Site<P>) => Value } = {
  windowOp: (site) => {
    const { e, attrs, type, shape } = site;
    const x = e.cast(site.full(0), type);
    return pooled(site, x) ?? overWindows(e, x, neutral(e, attrs.op, x), attrs, shape, REDUCE[attrs.op]);
  },
  windowReduce: (site) => {
    const { e, attrs, shape } = site;
    const initial = site.value(1);
    const all = framed(e, surrounded(e, site.full(0), initial, attrs.padding), attrs, shape);
    return foldedBy(site, all, axesOf(all.shape).slice(shape.length), initial);
  },
  windowScatter,
};

const REDUCE = {
  windowMax: "reduceMax",
  windowMin: "reduceMin",
  windowProduct: "product",
  windowSum: "sum",
} as const satisfies Record<WindowOp, unknown>;

/** What padding holds. */
function neutral(e: Emitter, op: WindowOp, { type }: Value): Value {
  if (op === "windowMax" || op === "windowMin") return e.extreme(type, op === "windowMax" ? "lowest" : "highest");
  return e.scalar(op === "windowSum" ? 0 : 1, type);
}

/** Pooling over up to three axes behind two that windows leave alone. */
function pooled({ e, attrs, shape, type }: Site<"windowOp">, x: Value): Value | null {
  const { op, window, strides, padding, dilations } = attrs;
  const isPool = shape.length >= 3 && shape.length <= 5 && [0, 1].every((i) => window[i] === 1 && strides[i] === 1 && padding[i]!.every((by) => by === 0)); // prettier-ignore
  if (!isPool || !isFloat(type) || type === "f64" || op === "windowProduct") return null;
  if (op !== "windowSum") e.note("windowMax and windowMin over images ignore NaN");
  const outer = surrounded(e, e.cast(x, "f32"), neutral(e, op, { type: "f32", shape: [] }), padding);
  const attributes = { kernel_shape: window.slice(2), strides: strides.slice(2) };
  const dilated = { ...attributes, dilations: dilations.slice(2) };
  const negated = (value: Value) => e.apply("Neg", [value], "f32");
  switch (op) {
    case "windowMax":
      return e.cast(e.op("MaxPool", [outer], "f32", shape, dilated), type);
    case "windowMin":
      return e.cast(negated(e.op("MaxPool", [negated(outer)], "f32", shape, dilated)), type);
    case "windowSum": {
      if (dilations.some((by) => by !== 1)) return null;
      const means = e.op("AveragePool", [outer], "f32", shape, attributes);
      return e.cast(e.apply("Mul", [means, e.scalar(sizeOf(window), "f32")], "f32"), type);
    }
    default:
      return op satisfies never;
  }
}

/** Where in a flattened tensor the elements of windows lie: an array of the shape of the windows, then of one window. */
export function placesOf(
  e: Emitter,
  shape: readonly number[],
  at: Pick<Windows, "window" | "strides" | "dilations">,
  counts: readonly number[],
): Value {
  const rank = 2 * shape.length;
  let step = sizeOf(shape);
  const terms = shape.flatMap((dim, axis) => {
    step /= dim;
    const along = (count: number, place: number, by: number) =>
      e.apply("Mul", [positions(e, count, place, rank), e.scalar(by, "s64")], "s64");
    return [
      along(counts[axis]!, axis, step * at.strides[axis]!),
      along(at.window[axis]!, shape.length + axis, step * at.dilations[axis]!),
    ];
  });
  return terms.reduce((sum, term) => e.apply("Add", [sum, term], "s64"));
}

/** The elements of windows of a padded tensor. */
function framed(e: Emitter, x: Value, at: Windows, counts: readonly number[]): Value {
  const places = placesOf(e, x.shape, at, counts);
  return e.op("Gather", [e.flattened(x), places], x.type, [...counts, ...at.window], { axis: 0 });
}

/** One axis of windows after the other, since they are boxes. */
function overWindows(
  e: Emitter,
  x: Value,
  filling: Value,
  at: Windows,
  counts: readonly number[],
  op: (typeof REDUCE)[WindowOp],
): Value {
  let value = surrounded(e, x, filling, at.padding);
  for (const axis of axesOf(counts)) {
    const count = counts[axis]!;
    const size = at.window[axis]!;
    if (size === 1 && at.strides[axis] === 1 && value.shape[axis] === count) continue;
    const from = e.apply("Mul", [e.reshape(e.range(count), [count, 1]), e.scalar(at.strides[axis]!, "s64")], "s64");
    const within = e.apply("Mul", [e.range(size), e.scalar(at.dilations[axis]!, "s64")], "s64");
    const places = e.apply("Add", [from, within], "s64");
    const apart = [...value.shape.slice(0, axis), count, size, ...value.shape.slice(axis + 1)];
    const all = e.op("Gather", [value, places], value.type, apart, { axis });
    const shape = value.shape.map((dim, i) => (i === axis ? count : dim));
    value = e.reshape(reduced(e, op, all, [axis + 1]), shape);
  }
  return value;
}

/** Whether elements at places of a padded tensor are elements of the tensor. */
function insideOf(e: Emitter, shape: readonly number[], { padding }: Windows, places: Value): Value {
  const marks = surrounded(e, e.expand(e.scalar(1, "s32"), shape), e.scalar(0, "s32"), padding);
  return e.bool(e.op("Gather", [e.flattened(marks), places], "s32", places.shape, { axis: 0 }));
}

/** The last element of each row that is as extreme as the one at a place, but for padding, which no element need be beyond. */
function lastInside(e: Emitter, all: Value, extreme: Value, inside: Value): Value {
  const value = e.move("GatherElements", all, [extreme], extreme.shape, { axis: 1 });
  const isEqual = e.compare("Equal", all, value);
  const isExtreme = e.model.isStrict && isFloat(all.type) ? e.logic("Or", isEqual, e.isNan(all)) : isEqual;
  return placeOf(e, { op: "argmax", tieBreak: "high" }, e.cast(e.logic("And", isExtreme, inside), "s32"), 1);
}

/** Each element of the source is added at the place of the last extreme of its window. */
function windowScatter(site: Site<"windowScatter">): Value {
  const { e, attrs, type, shape } = site;
  const computed = e.kernel("ScatterElements", type);
  const source = e.cast(e.cast(site.full(1), type), computed);
  const counts = source.shape;
  const given = site.full(0);
  const x = surrounded(e, given, e.extreme(given.type, attrs.op === "max" ? "lowest" : "highest"), attrs.padding);
  const rows = [sizeOf(counts), sizeOf(attrs.window)];
  const places = e.reshape(placesOf(e, x.shape, attrs, counts), rows);
  const all = e.op("Gather", [e.flattened(x), places], x.type, rows, { axis: 0 });
  const extreme = placeOf(e, { op: attrs.op === "max" ? "argmax" : "argmin", tieBreak: "high" }, all, 1);
  const isPadded = attrs.padding.some(([low, high]) => low > 0 || high > 0);
  const best = isPadded ? lastInside(e, all, extreme, insideOf(e, given.shape, attrs, places)) : extreme;
  const at = e.flattened(e.op("GatherElements", [places, best], "s64", [rows[0]!, 1], { axis: 1 }));
  const zeros = e.expand(e.scalar(0, computed), [sizeOf(x.shape)]);
  const added = e.op("ScatterElements", [zeros, at, e.flattened(source)], computed, zeros.shape, { axis: 0, reduction: "add" }); // prettier-ignore
  const cropped = padded(e, e.reshape(added, x.shape), e.scalar(0, computed), attrs.padding.map(([low, high]) => [-low, -high, 0])); // prettier-ignore
  const sum = e.apply("Add", [cropped, e.cast(site.value(2), computed)], computed);
  return e.cast(e.reshape(sum, shape), type);
}
