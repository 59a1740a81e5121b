/** Rules of reductions and running reductions. */
import type { Attrs } from "../../backend";
import { CUMULATIVE } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { allAxes, inversePermutation, reducedShape, sizeOf } from "../../core/shape";
import { run, template } from "../../nx/dispatch";
import { add, divide, equal, multiply, subtract } from "../../nx/elementwise";
import { pad, transpose } from "../../nx/shape";
import { positionsAlong, reduceOver } from "../../nx/aggregates/core";
import type { CumulativeOp, ReduceOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { expand, reshapeTo, where, widened, type Rule } from "./core";
import { scatterAlong } from "./scatter";

type ReduceRule = ((g: Tensor, x: Tensor, y: Tensor, axes: readonly number[]) => Tensor) | null;

/** Elements that are equal to the extreme share the cotangent evenly. */
const extreme: ReduceRule = (g, x, y, axes) => {
  const hit = equal(x, expand(y, x.shape, axes));
  const names = unnamed(x.shape.length);
  const over = { axes, keepAxes: true, ...reducedShape(x.shape, names, axes, true) };
  const hits = reduceOver("sum", hit, over);
  return where(hit, expand(divide(g, reshapeTo(hits, g.shape)), x.shape, axes), 0);
};

function running(op: CumulativeOp, t: Tensor, axis: number, reverse: boolean): Tensor {
  return run(CUMULATIVE, template(t.type, t.shape, unnamed(t.shape.length)), [t], { op, axis, reverse });
}

/** For each element the product of all other elements, as products before and behind the element: right even for zeros. */
export function productOfOthers(t: Tensor, axis: number): Tensor {
  return multiply(productBefore(t, axis, false), productBefore(t, axis, true));
}

/** The running product along an axis without the element itself, from the front or from the back. */
function productBefore(t: Tensor, axis: number, reverse: boolean): Tensor {
  return running("cumulativeProduct", shiftAlong(t, axis, reverse ? -1 : 1, 1), axis, reverse);
}

/** Moves elements `by` positions on along an axis, filling up with `fill`; what leaves at the end is lost. */
function shiftAlong(t: Tensor, axis: number, by: number, fill: number): Tensor {
  const config = t.shape.map((_, i) => (i === axis ? ([by, -by, 0] as const) : ([0, 0, 0] as const)));
  return pad(t, fill, config);
}

/** The gradient of a product: the reduced axes are moved to the back and merged. */
const product: ReduceRule = (g, x, _y, axes) => {
  const order = [...allAxes(x.shape.length).filter((axis) => !axes.includes(axis)), ...axes];
  const count = axes.reduce((size, axis) => size * x.shape[axis]!, 1);
  const moved = transpose(x, { axes: order });
  const others = productOfOthers(reshapeTo(moved, [sizeOf(x.shape) / count, count]), 1);
  return multiply(
    expand(g, x.shape, axes),
    transpose(reshapeTo(others, moved.shape), { axes: inversePermutation(order) }),
  );
};

const REDUCE_RULES: { readonly [K in ReduceOp]: ReduceRule } = {
  all: null,
  any: null,
  product,
  reduceMax: extreme,
  reduceMin: extreme,
  sum: (g, x, _y, axes) => expand(g, x.shape, axes),
};

export const reduceRule: Rule<Attrs["reduceOp"]> = ({ attrs, inputs: [x], out, g }) => {
  const rule = REDUCE_RULES[attrs.op];
  return [rule && (() => rule(g, widened(x!), widened(out), attrs.axes))];
};

type CumulativeRule = (g: Tensor, x: Tensor, y: Tensor, axis: number, reverse: boolean) => Tensor;

/** Every result goes back to the place of the extreme it holds: the latest so far that equals it. */
const runningExtreme: CumulativeRule = (g, x, y, axis, reverse) => {
  const last = x.shape[axis]! - 1;
  const positions = positionsAlong("s64", x.shape, axis);
  const steps = reverse ? subtract(last, positions) : positions;
  const latest = running("cumulativeMax", where(equal(x, y), steps, 0), axis, reverse);
  return scatterAlong(g, reverse ? subtract(last, latest) : latest, axis, x.shape);
};

/**
 * d/dx_i = (product before i) * s_i with s_i = g_i + x_(i+1) s_(i+1), which holds where elements are 0 too. The linear
 * recurrence is solved by doubling (Kogge & Stone 1973) in log2(n) element-wise steps.
 */
const runningProduct: CumulativeRule = (g, x, _y, axis, reverse) => {
  const back = (t: Tensor, by: number) => shiftAlong(t, axis, reverse ? by : -by, 0);
  let factor = back(x, 1);
  let s = g;
  for (let by = 1; by < x.shape[axis]!; by *= 2) {
    s = add(s, multiply(factor, back(s, by)));
    factor = multiply(factor, back(factor, by));
  }
  return multiply(productBefore(x, axis, reverse), s);
};

const CUMULATIVE_RULES: { readonly [K in CumulativeOp]: CumulativeRule } = {
  cumulativeMax: runningExtreme,
  cumulativeMin: runningExtreme,
  cumulativeProduct: runningProduct,
  cumulativeSum: (g, _x, _y, axis, reverse) => running("cumulativeSum", g, axis, !reverse),
};

export const cumulativeRule: Rule<Attrs["cumulative"]> = ({ attrs, inputs: [x], out, g }) => [
  () => CUMULATIVE_RULES[attrs.op](g, widened(x!), widened(out), attrs.axis, attrs.reverse),
];
