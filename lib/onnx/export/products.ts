/**
 * Contractions and convolutions.
 */
import type { Attrs, Primitive } from "nx-numerics/backend";
import type { ElementType } from "../types";
import type { Emitter } from "./emitter";
import { sizeOf, type Value } from "./ir";
import { padded } from "./movement";
import { bitsOf, converted, isInteger } from "./numbers";
import { otherAxes, type Site } from "./site";
import { placesOf } from "./windows";

type Contracting = Extract<Primitive, "dot" | "conv">;

export const PRODUCTS: { readonly [P in Contracting]: (site: Site<P>) => Value } = { dot, conv };

/** Products are done in the type of the result; small integers in s32, whose lower bits are theirs, wide ones beside floats in f64. */
function productType(site: Site<"dot"> | Site<"conv">): ElementType {
  const { e, type } = site;
  if (isInteger(type)) return bitsOf(type) < 32 ? "s32" : e.kernel("MatMul", type);
  const isWide = [0, 1].some((i) => isInteger(site.typeOf(i)) && bitsOf(site.typeOf(i)) > 8);
  e.note("sums and products of matrices add floats in another order");
  return isWide ? "f64" : e.kernel("MatMul", type);
}

/** One product of matrices: batch axes first, contracted axes last of the left and next of the right. */
function dot(site: Site<"dot">): Value {
  const { e, attrs, type, shape } = site;
  const computed = productType(site);
  const [left, right] = ([0, 1] as const).map((i) => {
    const x = converted(e, site.full(i), computed);
    const [batch, contract] = [attrs.batch[i]!, attrs.contract[i]!];
    const rest = otherAxes(x.shape, [...batch, ...contract]);
    const sizes = (axes: readonly number[]) => axes.map((axis) => x.shape[axis]!);
    const [rows, depth] = [sizeOf(sizes(rest)), sizeOf(sizes(contract))];
    if (i === 0) return e.reshape(e.transpose(x, [...batch, ...rest, ...contract]), [...sizes(batch), rows, depth]);
    return e.reshape(e.transpose(x, [...batch, ...contract, ...rest]), [...sizes(batch), depth, rows]);
  }) as [Value, Value];
  return e.cast(e.reshape(product(e, left, right), shape), type);
}

/** A product of matrices. In `f64` onnxruntime would join it to factors before and behind it, which it has as `f32`. */
function product(e: Emitter, left: Value, right: Value): Value {
  const { type } = left;
  const isApart = type === "f64" && e.model.isStrict;
  if (type === "f64" && !isApart)
    e.note("factors of products of f64 may be rounded to f32, where engines join the two");
  const apart = (x: Value): Value => (isApart ? e.op("Reshape", [x, e.integers(x.shape)], type, x.shape) : x);
  const shape = [...left.shape.slice(0, -1), right.shape.at(-1)!];
  return apart(e.op("MatMul", [apart(left), apart(right)], type, shape));
}

function conv(site: Site<"conv">): Value {
  const { e, attrs, type, shape } = site;
  const computed = productType(site);
  const isSingle = computed === "f32";
  let x = converted(e, site.full(0), computed);
  const kernel = converted(e, site.full(1), computed);
  let pads = attrs.padding;
  if (!isSingle || attrs.inputDilation.some((by) => by > 1) || pads.some((by) => by[0] < 0 || by[1] < 0)) {
    x = padded(e, x, e.scalar(0, computed), [[0, 0, 0], [0, 0, 0], ...pads.map(([low, high], i) => [low, high, attrs.inputDilation[i]! - 1] as const)]); // prettier-ignore
    pads = pads.map(() => [0, 0]);
  }
  const groups = attrs.featureGroups * attrs.batchGroups;
  if (attrs.batchGroups > 1) x = channelsOfBatches(e, x, attrs.batchGroups);
  if (!isSingle) return e.cast(byMatrices(e, x, kernel, attrs, groups, shape), type);
  const given = e.op("Conv", [x, kernel], computed, shape, {
    kernel_shape: kernel.shape.slice(2),
    strides: attrs.strides,
    dilations: attrs.kernelDilation,
    group: groups,
    pads: [...pads.map(([low]) => low), ...pads.map(([, high]) => high)],
  });
  return e.cast(given, type);
}

/** Parts of the batch as groups of channels. */
function channelsOfBatches(e: Emitter, x: Value, parts: number): Value {
  const [batch, channels, ...spatial] = x.shape as [number, number, ...number[]];
  const apart = e.reshape(x, [parts, batch / parts, channels, ...spatial]);
  const turned = e.transpose(apart, [1, 0, 2, ...spatial.map((_, i) => i + 3)]);
  return e.reshape(turned, [batch / parts, parts * channels, ...spatial]);
}

/** What the kernel sees at each place as a row, times the kernel as a matrix: in the type's own arithmetic. */
function byMatrices(
  e: Emitter,
  x: Value,
  kernel: Value,
  { strides, kernelDilation }: Attrs["conv"],
  groups: number,
  shape: readonly number[],
): Value {
  const [batch, channels, ...spatial] = x.shape as [number, number, ...number[]];
  const [outs, ins, ...window] = kernel.shape as [number, number, ...number[]];
  const counts = shape.slice(2);
  const places = placesOf(e, spatial, { window, strides, dilations: kernelDilation }, counts);
  const flat = e.reshape(x, [batch, channels, sizeOf(spatial)]);
  const [count, size] = [sizeOf(counts), sizeOf(window)];
  const seen = e.op("Gather", [flat, e.reshape(places, [count, size])], x.type, [batch, channels, count, size], { axis: 2 }); // prettier-ignore
  const grouped = e.transpose(e.reshape(seen, [batch, groups, ins, count, size]), [0, 1, 3, 2, 4]);
  const rows = e.reshape(grouped, [batch, groups, count, ins * size]);
  const columns = e.transpose(e.reshape(kernel, [groups, outs / groups, ins * size]), [0, 2, 1]);
  return e.reshape(e.transpose(product(e, rows, columns), [0, 1, 3, 2]), shape);
}
