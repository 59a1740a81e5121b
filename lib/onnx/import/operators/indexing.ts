/**
 * Operators that look elements up, or put them, at positions.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  axisOf,
  bounded,
  cast,
  filled,
  full,
  operator,
  pick,
  positions,
  product,
  range,
  reshape,
  transpose,
  type Call,
  type Operators,
} from "../operator";
import { Empty, numberOf, numbersOf } from "../values";
import { elements } from "./reductions";

function gather(call: Call, x: Tensor | Empty, indices: Tensor | Empty): Tensor | Empty {
  const axis = axisOf(call.attributes.int("axis", 0), x.shape.length);
  const shape = bounded(call, [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)]);
  if (x instanceof Empty || indices instanceof Empty) return new Empty(x.type, shape);
  return Nx.take(x, positions(indices, x.shape[axis]!), { axis }) as Tensor;
}

function gatherElements(call: Call, x: Tensor, indices: Tensor): Tensor {
  const axis = axisOf(call.attributes.int("axis", 0), x.shape.length);
  const at = positions(indices, x.shape[axis]!);
  const lead = cropped(x, indices.shape, axis);
  return Nx.takeAlongAxis(lead, at, { axis }) as Tensor;
}

/** The part of a tensor that indices of a smaller shape can reach. */
const cropped = (x: Tensor, shape: readonly number[], axis: number): Tensor =>
  shape.length === x.shape.length && shape.some((size, i) => i !== axis && size < x.shape[i]!)
    ? (Nx.slice(
        x,
        filled(shape.length, 0),
        x.shape.map((size, i) => (i === axis ? size : Math.min(size, shape[i]!))),
      ) as Tensor)
    : x;

/** Coordinates, those counted from the end as those from the start. */
function coordinates(indices: Tensor, sizes: readonly number[]): Tensor {
  const given = cast(indices, "s64");
  const limits = Nx.tensor([...sizes], { type: "s64" });
  return Nx.where(Nx.less(given, 0), Nx.add(given, limits), given) as Tensor;
}

function gatherND(call: Call, x: Tensor, indices: Tensor): Tensor {
  const batch = call.attributes.int("batch_dims", 0);
  const width = indices.shape.at(-1) ?? 0;
  if (!(batch >= 0 && batch < Math.min(x.shape.length, indices.shape.length)) || batch + width > x.shape.length) {
    throw new ArgumentError(
      `coordinates [${indices.shape.join(", ")}] do not fit a tensor of shape [${x.shape.join(", ")}]`,
    );
  }
  bounded(call, [...indices.shape.slice(0, -1), ...x.shape.slice(batch + width)]);
  const own = coordinates(indices, x.shape.slice(batch, batch + width));
  const lead = range(batch).map((axis) => {
    const shape = [...indices.shape.slice(0, -1), 1];
    return Nx.iota(shape, { axis, type: "s64" }) as Tensor;
  });
  const all = batch === 0 ? own : (Nx.concatenate([...lead, own], { axis: indices.shape.length - 1 }) as Tensor);
  return Nx.gather(x, all) as Tensor;
}

const REDUCTIONS = ["none", "add", "mul", "max", "min"] as const;

/** Rows put at positions of the first axis: the last of equal positions stays, or all are reduced with what is there. */
function scattered(call: Call, rows: Tensor, at: Tensor, updates: Tensor): Tensor {
  const how = call.attributes.choice("reduction", REDUCTIONS, "none");
  const column = reshape(at, [at.size, 1]);
  if (how === "none") return Nx.indexedPut(rows, column, updates) as Tensor;
  if (how === "add") return cast(Nx.indexedAdd(rows, column, updates) as Tensor, rows.type);
  const count = rows.shape[0]!;
  const all = Nx.concatenate([rows, cast(updates, rows.type)], { axis: 0 }) as Tensor;
  const labels = Nx.concatenate([Nx.iota([count], { type: "s64" }), cast(at, "s64")], { axis: 0 }) as Tensor;
  const reduce = { mul: Nx.segmentProduct, max: Nx.segmentMax, min: Nx.segmentMin }[how];
  return cast(reduce(all, labels, count) as Tensor, rows.type);
}

function scatterElements(call: Call, x: Tensor, indices: Tensor, updates: Tensor): Tensor {
  const rank = x.shape.length;
  const axis = axisOf(call.attributes.int("axis", 0), rank);
  const own = cast(positions(indices, x.shape[axis]!), "s64");
  const flat = range(rank).reduce<Tensor | null>((sum, i) => {
    const place = i === axis ? own : (Nx.iota([...indices.shape], { axis: i, type: "s64" }) as Tensor);
    const term = Nx.multiply(place, product(x.shape.slice(i + 1))) as Tensor;
    return sum === null ? term : (Nx.add(sum, term) as Tensor);
  }, null);
  if (flat === null) return updates;
  const put = scattered(call, reshape(x, [x.size]), reshape(flat, [flat.size]), reshape(updates, [updates.size]));
  return reshape(put, x.shape);
}

function scatterND(call: Call, x: Tensor, indices: Tensor, updates: Tensor): Tensor {
  const width = indices.shape.at(-1) ?? 0;
  if (width < 1 || width > x.shape.length) {
    throw new ArgumentError(
      `coordinates [${indices.shape.join(", ")}] do not fit a tensor of shape [${x.shape.join(", ")}]`,
    );
  }
  const [lead, rest] = [x.shape.slice(0, width), x.shape.slice(width)];
  const steps = Nx.tensor(
    lead.map((_, i) => product(lead.slice(i + 1))),
    { type: "s64" },
  );
  const at = Nx.sum(Nx.multiply(coordinates(indices, lead), steps), { axes: [indices.shape.length - 1] }) as Tensor;
  const put = scattered(
    call,
    reshape(x, [product(lead), ...rest]),
    reshape(at, [at.size]),
    reshape(updates, [at.size, ...rest]),
  );
  return reshape(put, x.shape);
}

/** New entries of an axis, from a place on that each entry of the batch has; a circular one goes on at the start. */
function tensorScatter(call: Call, cache: Tensor, update: Tensor, places?: Tensor): Tensor {
  const axis = axisOf(call.attributes.int("axis", -2), cache.shape.length);
  const [size, count, batch] = [cache.shape[axis]!, update.shape[axis]!, cache.shape[0]!];
  const isCircular = call.attributes.choice("mode", ["linear", "circular"], "linear") === "circular";
  const isLike =
    update.shape.length === cache.shape.length &&
    update.shape.every((one, i) => (i === axis ? one <= size : one === cache.shape[i]));
  if (axis === 0 || !isLike)
    throw new ArgumentError(
      `entries of shape [${update.shape.join(", ")}] do not fit axis ${axis} of a cache of shape [${cache.shape.join(", ")}]`,
    );
  const start = reshape(places === undefined ? full([batch], 0, "s64") : cast(places, "s64"), [batch, 1]);
  const at = Nx.add(Nx.iota([batch, count], { axis: 1, type: "s64" }), start);
  const own = (isCircular ? Nx.remainder(at, size) : at) as Tensor;
  const rows = Nx.stack([Nx.iota([batch, count], { axis: 0, type: "s64" }), own], { axis: -1 }) as Tensor;
  const order = [0, axis, ...range(cache.shape.length).filter((i) => i !== 0 && i !== axis)];
  const moved = transpose(update, order);
  const entries = reshape(moved, [batch * count, ...moved.shape.slice(2)]);
  const put = Nx.indexedPut(transpose(cache, order), reshape(rows, [batch * count, 2]), entries) as Tensor;
  return transpose(put, range(order.length).map((i) => order.indexOf(i))); // prettier-ignore
}

/** Where elements are not 0: a row of coordinates for each axis. */
function nonZero(_: Call, x: Tensor): Tensor | Empty {
  const found: number[] = [];
  elements(x, "where elements are not 0").forEach((element, i) => {
    if (Number(element) !== 0) found.push(i);
  });
  const rank = Math.max(1, x.shape.length);
  if (found.length === 0) return new Empty("s64", [rank, 0]);
  const sizes = x.shape.length === 0 ? [1] : x.shape;
  const rows = sizes.map((size, i) => found.map((at) => Math.floor(at / product(sizes.slice(i + 1))) % size));
  return Nx.tensor(rows, { type: "s64" });
}

function compress(call: Call, x: Tensor, condition: Tensor): Tensor | Empty {
  const axis = call.attributes.int("axis");
  const rows = axis === undefined ? reshape(x, [x.size]) : x;
  const at = axis === undefined ? 0 : axisOf(axis, x.shape.length);
  const kept = numbersOf(condition, "condition").flatMap((element, i) => (element === 0 ? [] : [i]));
  if (kept.length > 0) return pick(rows, at, kept);
  return new Empty(
    x.type,
    rows.shape.map((size, i) => (i === at ? 0 : size)),
  );
}

function oneHot(call: Call, indices: Tensor, depth: Tensor, values: Tensor): Tensor {
  const count = numberOf(depth, "depth");
  const rank = indices.shape.length + 1;
  const axis = axisOf(call.attributes.int("axis", -1), rank);
  const shape = bounded(call, [...indices.shape.slice(0, axis), count, ...indices.shape.slice(axis)]);
  const own = cast(indices, "s64");
  const at = Nx.newAxis(Nx.where(Nx.less(own, 0), Nx.add(own, count), own), axis) as Tensor;
  const isHot = Nx.equal(Nx.iota(shape, { axis, type: "s64" }), at);
  const [off, on] = [0, 1].map((i) => reshape(Nx.slice(values, [i], [1]) as Tensor, []));
  return Nx.where(isHot, on!, off!) as Tensor;
}

export const INDEXING: Operators = {
  Compress: operator(2, compress, { known: [1] }),
  Gather: operator(2, gather, { empty: [0, 1] }),
  GatherElements: operator(2, gatherElements),
  GatherND: operator(2, gatherND),
  NonZero: operator(1, nonZero, { note: "the input must be known" }),
  OneHot: operator(3, oneHot, { known: [1] }),
  Scatter: operator(3, scatterElements),
  ScatterElements: operator(3, scatterElements),
  ScatterND: operator(3, scatterND),
  TensorScatter: operator([2, 3], tensorScatter),
};
