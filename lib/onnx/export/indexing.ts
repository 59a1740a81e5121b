/**
 * Primitives that read or write by indices, and sorting.
 */
import type { Primitive } from "nx-numerics/backend";
import type { Emitter } from "./emitter";
import { axesOf, inverse, type Value } from "./ir";
import { bitsOf, isFloat, orderedS64, wideType } from "./numbers";
import { otherAxes, type Site } from "./site";

type Indexing = Extract<Primitive, "take" | "takeAlong" | "gather" | "indexed" | "sort" | "argsort">;

export const INDEXING: { readonly [P in Indexing]: (site: Site<P>) => Value } = {
  take: (site) => site.e.op("Gather", [site.full(0), indices(site)], site.type, site.shape, { axis: site.attrs.axis }),
  takeAlong: (site) =>
    site.e.op("GatherElements", [site.full(0), indices(site)], site.type, site.shape, { axis: site.attrs.axis }),
  gather: (site) => {
    const { e, attrs, type, shape } = site;
    const x = site.full(0);
    const front = e.transpose(x, [...attrs.axes, ...otherAxes(x.shape, attrs.axes)]);
    return e.op("GatherND", [front, indices(site)], type, shape);
  },
  indexed,
  sort: (site) => sorted(site).values(),
  argsort: (site) => site.e.cast(sorted(site).indices, site.type),
};

function indices(site: Site<"take" | "takeAlong" | "gather" | "indexed">): Value {
  site.e.note("indices out of range end the run of the whole model, and those below 0 count from the back");
  return site.e.cast(site.full(1), "s64");
}

/** With the axes that indices are for in front. */
function indexed(site: Site<"indexed">): Value {
  const { e, attrs, type, shape } = site;
  const axes = [...attrs.axes, ...otherAxes(shape, attrs.axes)];
  const computed = e.kernel("ScatterND", attrs.op === "add" ? wideType(e, type) : type);
  const cast = (value: Value) => e.cast(e.cast(value, type), computed);
  if (attrs.op === "put") e.note("indexedPut: which of equal indices stays is up to the engine");
  const front = e.transpose(cast(site.full(0)), axes);
  const reduction = attrs.op === "add" ? "add" : undefined;
  const written = e.op("ScatterND", [front, indices(site), cast(site.full(2))], computed, front.shape, { reduction });
  return e.cast(e.transpose(written, inverse(axes)), type);
}

interface Sorted {
  readonly indices: Value;
  readonly values: () => Value;
}

/** By `TopK` of all, which is stable. */
function sorted(site: Site<"sort" | "argsort">): Sorted {
  const { e, attrs } = site;
  const x = site.full(0);
  const isDescending = attrs.direction === "desc";
  const gathered = (value: Value, at: Value) =>
    e.op("GatherElements", [value, at], value.type, value.shape, { axis: attrs.axis });
  const top = (keys: Value, largest: boolean): readonly Value[] =>
    e.many("TopK", [keys, e.integers([keys.shape[attrs.axis]!])], [{ ...keys }, { type: "s64", shape: keys.shape }], {
      axis: attrs.axis,
      largest: largest ? 1 : 0,
      sorted: 1,
    });
  if (!isFloat(x.type)) {
    const isWide = bitsOf(x.type) === 64;
    const keys = isWide ? orderedS64(e, x) : { value: e.cast(x, "s64"), back: (y: Value) => e.cast(y, x.type) };
    const [values, at] = top(keys.value, isDescending);
    return { indices: at!, values: () => keys.back(values!) };
  }
  const keys = e.cast(x, e.kernel("TopK", x.type));
  if (!e.model.isStrict) {
    e.note("where sorting puts NaN is up to the engine");
    const [values, at] = top(keys, isDescending);
    return { indices: at!, values: () => e.cast(values!, x.type) };
  }
  // NaN as infinities first, then all NaN to their end, in the order they have
  const isNan = e.isNan(keys);
  const [, first] = top(e.where(isNan, e.scalar(Infinity, keys.type), keys), isDescending);
  const flags = gathered(e.cast(isNan, "s32"), first!);
  const [, second] = top(flags, isDescending);
  const at = gathered(first!, second!);
  return { indices: at, values: () => gathered(x, at) };
}

/** Positions along an axis, as the axis of a shape of this rank. */
export const positions = (e: Emitter, count: number, axis: number, rank: number): Value =>
  e.reshape(e.range(count), axesOf(Array(rank).fill(0)).map((i) => (i === axis ? count : 1))); // prettier-ignore
