/**
 * Reductions, places of extremes, running reductions and reductions by functions. onnxruntime ignores NaN in extremes, compares the lower
 * halves of s64 as if they had signs, and adds and multiplies s64 in double precision: strict models go round that.
 */
import type { DType } from "nx-numerics";
import type { CumulativeOp, Primitive, ReduceOp } from "nx-numerics/backend";
import type { ElementType } from "../types";
import type { Emitter } from "./emitter";
import { axesOf, sizeOf, type Value } from "./ir";
import { bitsOf, either, isFloat, isInteger, orderedS32, orderedS64, wideType } from "./numbers";
import { otherAxes, type Site } from "./site";

type Reducing = Extract<Primitive, "reduceOp" | "argReduce" | "cumulative" | "reduce">;

export const REDUCTIONS: { readonly [P in Reducing]: (site: Site<P>) => Value } = {
  reduceOp: (site) => {
    const { e, attrs, type, shape } = site;
    const isTest = attrs.op === "all" || attrs.op === "any";
    const x = isTest ? site.lazy(0) : site.full(0);
    if (e.isElementwise || attrs.axes.length === 0) return isTest ? e.bool(x) : e.cast(x, type);
    const given = isTest ? e.expand(e.bool(x), site.shapeOf(0)) : e.cast(x, type);
    return e.reshape(reduced(e, attrs.op, given, attrs.axes, attrs.keepAxes), shape);
  },
  argReduce: (site) => {
    const { e, attrs, type, shape } = site;
    const x = attrs.axis === null ? e.flattened(site.full(0)) : site.full(0);
    return e.cast(e.reshape(placeOf(e, attrs, x, attrs.axis ?? 0), shape), type);
  },
  cumulative: (site) => running(site),
  reduce: (site) => folded(site),
};

/** The shape with axes of size 1 in place of those that are reduced. */
const kept = (shape: readonly number[], axes: readonly number[]): number[] =>
  shape.map((dim, i) => (axes.includes(i) ? 1 : dim));

/** One operator of ONNX. */
function direct(e: Emitter, op: string, x: Value, axes: readonly number[], keeps = true): Value {
  const shape = keeps ? kept(x.shape, axes) : otherAxes(x.shape, axes).map((i) => x.shape[i]!);
  return e.move(op, x, [e.integers(axes)], shape, { keepdims: keeps ? 1 : 0 });
}

/** A reduction in the type of the operand. What takes several operators keeps the axes in any case. */
export function reduced(e: Emitter, op: ReduceOp, x: Value, axes: readonly number[], keeps = true): Value {
  const isWide = isInteger(x.type);
  switch (op) {
    case "all":
    case "any":
      return e.bool(direct(e, op === "all" ? "ReduceMin" : "ReduceMax", e.cast(x, "s32"), axes, keeps));
    case "sum":
      if (!isWide) {
        e.note("sums and products of matrices add floats in another order");
        // engines have no sums of half floats: what is cast anyway is cast to what rounds once
        const type = bitsOf(x.type) === 16 ? wideType(e, x.type) : x.type;
        return e.cast(direct(e, "ReduceSum", e.cast(x, type), axes, keeps), x.type);
      }
      return e.model.isStrict ? integerSum(e, x, axes) : loose(e, direct(e, "ReduceSum", x, axes, keeps));
    case "product":
      if (!isWide) return e.cast(direct(e, "ReduceProd", e.cast(x, wideType(e, x.type)), axes, keeps), x.type);
      return e.model.isStrict ? integerProduct(e, x, axes) : loose(e, direct(e, "ReduceProd", x, axes, keeps));
    case "reduceMax":
    case "reduceMin":
      return extreme(e, op === "reduceMax" ? "ReduceMax" : "ReduceMin", x, axes, keeps);
    default:
      return op satisfies never;
  }
}

function loose(e: Emitter, x: Value): Value {
  e.note("sums and products of integers go through double, and saturate");
  return x;
}

/** The reduced axes as one, behind all others. */
function lastOf(e: Emitter, x: Value, axes: readonly number[]): Value {
  const rest = otherAxes(x.shape, axes);
  const back = e.transpose(x, [...rest, ...axes]);
  return e.reshape(back, [sizeOf(rest.map((i) => x.shape[i]!)), sizeOf(axes.map((i) => x.shape[i]!))]);
}

/** A product with ones, which is done in integers. */
function integerSum(e: Emitter, x: Value, axes: readonly number[]): Value {
  const type: ElementType = bitsOf(x.type) === 64 ? x.type : "s64";
  const rows = lastOf(e, e.cast(x, type), axes);
  const ones = e.expand(e.scalar(1, type), [rows.shape[1]!, 1]);
  const sums = e.op("MatMul", [rows, ones], type, [rows.shape[0]!, 1]);
  return e.cast(e.reshape(sums, kept(x.shape, axes)), x.type);
}

function integerProduct(e: Emitter, x: Value, axes: readonly number[]): Value {
  const rows = e.transpose(lastOf(e, x, axes), [1, 0]);
  const shape = rows.shape.slice(1);
  const params: Value[] = [{ type: x.type, shape }, { type: x.type, shape }]; // prettier-ignore
  const body = e.body(params, (inner) => [inner.apply("Mul", params, x.type)]);
  const [product] = e.many("Scan", [e.expand(e.scalar(1, x.type), shape), rows], [{ type: x.type, shape }], {
    body,
    num_scan_inputs: 1,
  });
  return e.reshape(product!, kept(x.shape, axes));
}

function extreme(e: Emitter, op: "ReduceMax" | "ReduceMin", x: Value, axes: readonly number[], keeps: boolean): Value {
  if (!e.model.isStrict) {
    e.note("reduceMax and reduceMin ignore NaN, and may be wrong where integers of 64 bits share their upper halves");
    return direct(e, op, x, axes, keeps);
  }
  if (isFloat(x.type)) {
    const nan = e.bool(direct(e, "ReduceMax", e.cast(e.isNan(x), "s32"), axes, keeps));
    return e.where(nan, e.scalar(NaN, x.type), direct(e, op, x, axes, keeps));
  }
  if (bitsOf(x.type) <= 32) {
    const { value, back } = orderedS32(e, x);
    return back(direct(e, op, value, axes, keeps));
  }
  return wideExtreme(e, op, x, axes);
}

/** The upper half and the lower half of integers of 64 bits, as s32 of the same order. */
function halves(e: Emitter, x: Value): { readonly high: Value; readonly low: Value } {
  const bits = e.cast(x, "u64");
  const upper = e.op("BitShift", [bits, e.scalar(32, "u64")], "u64", x.shape, { direction: "RIGHT" });
  const lower = e.apply("BitwiseAnd", [bits, e.scalar(2 ** 32 - 1, "u64")], "u64");
  const turned = (half: Value) => e.apply("Sub", [e.cast(half, "s64"), e.scalar(2 ** 31, "s64")], "s64");
  // the bits of the upper half have the sign of the number
  const signed = e.cast(e.cast(upper, "u32"), "s32");
  return { high: signed, low: e.cast(turned(lower), "s32") };
}

/** First the extreme of the upper halves, then that of the lower halves beside it. */
function wideExtreme(e: Emitter, op: "ReduceMax" | "ReduceMin", x: Value, axes: readonly number[]): Value {
  const { value, back } = orderedS64(e, x);
  const { high, low } = halves(e, value);
  const best = direct(e, op, high, axes);
  const none = e.extreme("s32", op === "ReduceMax" ? "lowest" : "highest");
  const among = direct(e, op, e.where(e.compare("Equal", high, best), low, none), axes);
  const upper = e.apply("Mul", [e.cast(best, "s64"), e.scalar(2 ** 32, "s64")], "s64");
  const lower = e.apply("Add", [e.cast(among, "s64"), e.scalar(2 ** 31, "s64")], "s64");
  return back(e.apply("Add", [upper, lower], "s64"));
}

interface Place {
  readonly op: "argmax" | "argmin";
  readonly tieBreak: "low" | "high";
}

/** The place of an extreme along an axis, which is kept. */
export function placeOf(e: Emitter, { op, tieBreak }: Place, x: Value, axis: number): Value {
  const attributes = { axis, keepdims: 1, select_last_index: tieBreak === "high" ? 1 : 0 };
  const at = (name: string, keys: Value): Value => {
    const type = e.kernel(name, keys.type);
    return e.op(name, [e.cast(keys, type)], "s64", kept(x.shape, [axis]), attributes);
  };
  const name = op === "argmax" ? "ArgMax" : "ArgMin";
  if (!e.model.isStrict) {
    e.note("argmax and argmin ignore NaN, and may be wrong where integers of 64 bits share their upper halves");
    return at(name, x);
  }
  if (isFloat(x.type)) {
    const nans = e.cast(e.isNan(x), "s32");
    const hasNan = e.bool(direct(e, "ReduceMax", nans, [axis]));
    return e.where(hasNan, at("ArgMax", nans), at(name, x));
  }
  if (bitsOf(x.type) <= 32) return at(name, orderedS32(e, x).value);
  const best = wideExtreme(e, op === "argmax" ? "ReduceMax" : "ReduceMin", x, [axis]);
  return at("ArgMax", e.cast(e.compare("Equal", x, best), "s32"));
}

/** Two elements joined in a running reduction. */
const join = (e: Emitter, op: Exclude<CumulativeOp, "cumulativeSum">, a: Value, b: Value): Value =>
  op === "cumulativeProduct"
    ? e.apply("Mul", [a, b], a.type)
    : either(e, op === "cumulativeMax" ? "Max" : "Min", a, b, a.type);

function running(site: Site<"cumulative">): Value {
  const { e, attrs, type, shape } = site;
  const { op, axis, reverse } = attrs;
  const x = e.cast(site.full(0), type);
  if (op === "cumulativeSum") {
    const attributes = { reverse: reverse ? 1 : 0 };
    const wide = e.cast(x, wideType(e, type));
    return e.cast(e.move("CumSum", wide, [e.scalar(axis, "s64")], shape, attributes), type);
  }
  const computed = op === "cumulativeProduct" ? e.kernel("Mul", wideType(e, type)) : e.kernel("Max", type);
  const rest = shape.filter((_, i) => i !== axis);
  const params: Value[] = [{ type: computed, shape: rest }, { type: computed, shape: rest }]; // prettier-ignore
  const body = e.body(params, (inner) => {
    const joined = join(inner, op, params[0]!, params[1]!);
    return [joined, joined];
  });
  const neutral =
    op === "cumulativeProduct"
      ? e.scalar(1, computed)
      : e.extreme(computed, op === "cumulativeMax" ? "lowest" : "highest");
  const directions = reverse ? [1] : undefined;
  const outs = [{ type: computed, shape: rest }, { type: computed, shape }]; // prettier-ignore
  const [, all] = e.many("Scan", [e.expand(neutral, rest), e.cast(x, computed)], outs, {
    body,
    num_scan_inputs: 1,
    scan_input_axes: [axis],
    scan_output_axes: [axis],
    scan_input_directions: directions,
    scan_output_directions: directions,
  });
  return e.cast(all!, type);
}

/** A function of an element and what came before, over axes in front; all other elements at once. */
export function foldedBy(
  site: Site<"reduce"> | Site<"windowReduce">,
  x: Value,
  axes: readonly number[],
  initial: Value,
): Value {
  const { e, attrs, call } = site;
  const type: DType = site.type;
  const rest = otherAxes(x.shape, axes);
  const shape = rest.map((i) => x.shape[i]!);
  const rows = e.reshape(e.transpose(x, [...axes, ...rest]), [sizeOf(axes.map((i) => x.shape[i]!)), ...shape]);
  const params: Value[] = [{ type, shape }, { type: x.type, shape }]; // prettier-ignore
  const free = site.valuesFrom(2);
  const body = e.body(params, (inner) => {
    const [given] = call(inner.scope(true), attrs.fn, [params[1]!, params[0]!, ...free]);
    return [inner.expand(inner.cast(given!, type), shape)];
  });
  const start = e.expand(e.cast(initial, type), shape);
  return e.many("Scan", [start, rows], [{ type, shape }], { body, num_scan_inputs: 1 })[0]!;
}

function folded(site: Site<"reduce">): Value {
  const { e, attrs, shape } = site;
  const axes = axesOf(site.shapeOf(0)).filter((axis) => attrs.axes.includes(axis));
  return e.reshape(foldedBy(site, site.full(0), axes, site.value(1)), shape);
}
