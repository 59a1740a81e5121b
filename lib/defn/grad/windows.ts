/** Rules of the functions over windows. */
import type { Attrs, Windows } from "../../backend";
import { INDEXED, IOTA, PUT_SLICE, TAKE, TAKE_ALONG, WINDOW_OP, WINDOW_SCATTER } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { allAxes, sizeOf, type Shape } from "../../core/shape";
import { isInteger, worstOf } from "../../core/types";
import { sum } from "../../nx/aggregates";
import { constant, run, template } from "../../nx/dispatch";
import { add, equal, greaterEqual, isNan, logicalAnd, logicalOr, max, multiply } from "../../nx/elementwise";
import { positionsAlong, reduceOver } from "../../nx/aggregates/core";
import { pad } from "../../nx/shape";
import { reach } from "../../nx/windows/geometry";
import type { WindowOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { expand, reshapeTo, where, widened, zeros, type Rule } from "./core";
import { productOfOthers } from "./reductions";

/** Every place within a window, the last axis first to move. */
function offsets(window: readonly number[]): number[][] {
  return window.reduce<number[][]>(
    (rest, size) => rest.flatMap((offset) => allAxes(size).map((i) => [...offset, i])),
    [[]],
  );
}

/** Where in the padded tensor the elements lie that stand at one place of all windows. */
function sliceAt(offset: readonly number[], { strides, dilations }: Windows, results: Shape): Attrs["slice"] {
  return {
    starts: offset.map((at, axis) => at * dilations[axis]!),
    lengths: results.map((size, axis) => (size - 1) * strides[axis]! + 1),
    strides,
  };
}

/** The elements of all windows side by side, along a new first axis. */
function unfold(x: Tensor, windows: Windows, results: Shape, fill: number | bigint): Tensor {
  const padded = pad(
    x,
    constant(fill, x.type),
    windows.padding.map(([low, high]) => [low, high, 0] as const),
  );
  const shape = Object.freeze([1, ...results]);
  const slices = offsets(windows.window).map((offset) => {
    const out = template(x.type, results, unnamed(results.length));
    return reshapeTo(run("slice", out, [padded], sliceAt(offset, windows, results)), shape);
  });
  const all = Object.freeze([slices.length, ...results]);
  return run("concatenate", template(x.type, all, unnamed(all.length)), slices, { axis: 0 });
}

/** The transpose of `unfold`: what stands at a place of several windows is added up. */
function foldBack(patches: Tensor, windows: Windows, shape: Shape): Tensor {
  const results = patches.shape.slice(1);
  const padded = shape.map((size, axis) => size + windows.padding[axis]![0] + windows.padding[axis]![1]);
  const base = zeros(patches.type, padded);
  const places = offsets(windows.window).map((offset, k) => {
    const { starts, strides } = sliceAt(offset, windows, results);
    const one = reshapeTo(sliceFirst(patches, k), results);
    const spread = pad(
      one,
      0,
      strides.map((stride) => [0, 0, stride - 1] as const),
    );
    return run(PUT_SLICE, base, [base, spread], { starts });
  });
  const total = places.reduce((sum, place) => add(sum, place));
  return pad(
    total,
    0,
    windows.padding.map(([low, high]) => [-low, -high, 0] as const),
  );
}

function sliceFirst(t: Tensor, k: number): Tensor {
  const shape = Object.freeze([1, ...t.shape.slice(1)]);
  const starts = t.shape.map((_, i) => (i === 0 ? k : 0));
  const out = template(t.type, shape, unnamed(shape.length));
  return run("slice", out, [t], { starts, lengths: shape, strides: t.shape.map(() => 1) });
}

/** Flat position in `x` of the last extreme of each window, which a NaN is; -1 where it lies in the padding. */
function extremePlaces(x: Tensor, op: "max" | "min", windows: Windows, results: Shape): Tensor {
  const values = unfold(x, windows, results, worstOf(op, x.type));
  const flat = run(IOTA, template("s64", x.shape, unnamed(x.shape.length)), [], { axis: null });
  const places = unfold(flat, windows, results, -1);
  const over = { axes: [0], keepAxes: true, shape: Object.freeze([1, ...results]), names: unnamed(x.shape.length + 1) };
  const best = reduceOver(op === "max" ? "reduceMax" : "reduceMin", values, over);
  const rank = positionsAlong("s64", values.shape, 0);
  const isBest = isInteger(x.type) ? equal(values, best) : logicalOr(equal(values, best), isNan(values));
  const isElement = logicalAnd(isBest, greaterEqual(places, 0)); // those that nothing is below equal the padding
  const last = reduceOver("reduceMax", where(isElement, rank, 0), over);
  const found = run(TAKE_ALONG, template("s64", over.shape, over.names), [places, last], { axis: 0 });
  return reshapeTo(found, results);
}

/** Adds elements at flat positions, none where the position is negative. */
function scatterFlat(g: Tensor, places: Tensor, shape: Shape): Tensor {
  const count = sizeOf(g.shape);
  const kept = reshapeTo(where(greaterEqual(places, 0), g, 0), [count]);
  const base = zeros(g.type, [sizeOf(shape)]);
  const indices = reshapeTo(max(places, 0), [count, 1]);
  return reshapeTo(run(INDEXED, base, [base, indices, kept], { op: "add", axes: [0] }), shape);
}

type WindowRule = (g: Tensor, x: Tensor, windows: Windows) => Tensor;

/** The cotangent spread by the strides, summed over the windows that an element is part of. */
const spreadSum: WindowRule = (g, x, windows) => {
  const { window, padding, strides, dilations } = windows;
  const config = x.shape.map((size, axis) => {
    const low = reach(window[axis]!, dilations[axis]!) - 1 - padding[axis]![0];
    const spread = reach(g.shape[axis]!, strides[axis]!);
    return [low, size - spread + padding[axis]![0], strides[axis]! - 1] as const;
  });
  const out = template(g.type, x.shape, unnamed(x.shape.length));
  const nothing = window.map(() => [0, 0] as const);
  const ones = window.map(() => 1);
  return run(WINDOW_OP, out, [pad(g, 0, config)], {
    op: "windowSum",
    window,
    padding: nothing,
    strides: ones,
    dilations,
  });
};

const extreme =
  (op: "max" | "min"): WindowRule =>
  (g, x, windows) => {
    if (windows.dilations.some((dilation) => dilation > 1)) {
      return scatterFlat(g, extremePlaces(x, op, windows, g.shape), x.shape);
    }
    const out = template(g.type, x.shape, unnamed(x.shape.length));
    return run(WINDOW_SCATTER, out, [x, g, constant(0, g.type)], { op, ...windows });
  };

const product: WindowRule = (g, x, windows) => {
  const patches = unfold(x, windows, g.shape, 1);
  const others = multiply(productOfOthers(patches, 0), expand(g, patches.shape, [0]));
  return foldBack(others, windows, x.shape);
};

const WINDOW_RULES: { readonly [K in WindowOp]: WindowRule } = {
  windowMax: extreme("max"),
  windowMin: extreme("min"),
  windowProduct: product,
  windowSum: spreadSum,
};

export const windowRule: Rule<Attrs["windowOp"]> = ({ attrs: { op, ...windows }, inputs: [x], g }) => [
  () => WINDOW_RULES[op](g, widened(x!), windows),
];

/** The source is read back from where it was added; the positions themselves have no cotangent. */
export const windowScatterRule: Rule<Attrs["windowScatter"]> = ({ attrs: { op, ...windows }, inputs, g }) => {
  const [x, source, initial] = inputs as [Tensor, Tensor, Tensor];
  const back = () => {
    const places = extremePlaces(x, op, windows, source.shape);
    const flat = reshapeTo(g, [sizeOf(g.shape)]);
    const out = template(g.type, source.shape, unnamed(source.shape.length));
    const taken = run(TAKE, out, [flat, max(places, 0)], { axis: 0 });
    return where(greaterEqual(places, 0), taken, 0);
  };
  return [null, back, () => reshapeTo(sum(g), initial.shape)];
};
