/** Rules of the primitives that move elements about. */
import type { Attrs } from "../../backend";
import { ARGSORT, GATHER, INDEXED, IOTA, PUT_SLICE, REVERSE } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { allAxes, inversePermutation, sameShape, type Shape } from "../../core/shape";
import { cast, run, template } from "../../nx/dispatch";
import { equal, multiply, subtract } from "../../nx/elementwise";
import { sum } from "../../nx/aggregates";
import { pad, transpose } from "../../nx/shape";
import type { Tensor } from "../../tensor";
import { fitType, reshapeTo, unbroadcast, where, zeros, type Cotangent, type Rule } from "./core";
import { scatterAlong } from "./scatter";

type Rules = { readonly [P in Movement]: Rule<Attrs[P]> };
type Movement =
  | "select"
  | "asType"
  | "bitcast"
  | "reshape"
  | "broadcast"
  | "transpose"
  | "pad"
  | "reverse"
  | "slice"
  | "putSlice"
  | "take"
  | "takeAlong"
  | "gather"
  | "indexed"
  | "concatenate"
  | "sort";

const bareTemplate = (t: Tensor, shape: Shape) => template(t.type, Object.freeze(shape.slice()), unnamed(shape.length));

const ones = (rank: number): number[] => new Array<number>(rank).fill(1);

/** Puts a cotangent back to where a slice was taken: spread by the strides, zeros all around. */
function unslice(
  g: Tensor,
  { starts, lengths, strides }: Attrs["slice"],
  shape: Shape,
  dynamic: readonly Tensor[],
): Tensor {
  const spread = pad(
    g,
    0,
    lengths.map((length, i) => [0, length - ((g.shape[i]! - 1) * strides[i]! + 1), strides[i]! - 1] as const),
  );
  const base = zeros(g.type, shape);
  return run(PUT_SLICE, base, [base, spread, ...dynamic], { starts });
}

/** Undoes padding: crops what was added, adds zeros for what was cropped, drops what is in between. */
function unpad(g: Tensor, config: Attrs["pad"]["config"], shape: Shape): Tensor {
  const outer = pad(
    g,
    0,
    config.map(([low, high]) => [-low, -high, 0] as const),
  );
  if (config.every(([, , interior]) => interior === 0)) return outer;
  return run("slice", bareTemplate(g, shape), [outer], {
    starts: shape.map(() => 0),
    lengths: outer.shape,
    strides: config.map(([, , interior]) => interior + 1),
  });
}

/** Brings the axes that `take` put in place of `axis` to the front. */
function untake(g: Tensor, indices: Tensor, axis: number, shape: Shape): Tensor {
  const count = indices.shape.length;
  const own = allAxes(count).map((i) => i + axis);
  const order = [...own, ...allAxes(g.shape.length).filter((i) => !own.includes(i))];
  const base = zeros(g.type, shape);
  const coordinates = reshapeTo(indices, [...indices.shape, 1]);
  return run(INDEXED, base, [base, coordinates, transpose(g, { axes: order })], { op: "add", axes: [axis] });
}

/** Of updates to the same place only the last one stays: 1 for those, 0 for the rest. */
function lastOnes(indices: Tensor, updates: Tensor, shape: Shape, axes: readonly number[]): Tensor {
  const numbers = run(IOTA, template("s64", updates.shape, unnamed(updates.shape.length)), [], { axis: null });
  const base = zeros("s64", shape);
  const put = run(INDEXED, base, [base, indices, numbers], { op: "put", axes });
  return equal(run(GATHER, numbers, [put, indices], { axes }), numbers);
}

const indexed: Rule<Attrs["indexed"]> = ({ attrs: { op, axes }, inputs: [x, indices, updates], g }) => {
  const gather = () => run(GATHER, bareTemplate(g, updates!.shape), [g, indices!], { axes });
  if (op === "add") return [() => g, null, gather];
  const cleared = () => {
    const nothing = zeros(g.type, updates!.shape);
    return run(INDEXED, bareTemplate(g, x!.shape), [g, indices!, nothing], { op: "put", axes });
  };
  return [cleared, null, () => multiply(gather(), cast(lastOnes(indices!, updates!, x!.shape, axes), g.type))];
};

const none = (count: number): Cotangent[] => new Array<Cotangent>(count).fill(null);

export const MOVEMENT_RULES: Rules = {
  select: ({ inputs: [pred, onTrue, onFalse], g }) => [
    null,
    () => unbroadcast(where(pred!, g, 0), onTrue!.shape),
    () => unbroadcast(where(pred!, 0, g), onFalse!.shape),
  ],
  asType: ({ inputs: [x], g }) => [() => fitType(g, x!.type)],
  bitcast: ({ inputs: [x], g }) => [sameShape(x!.shape, g.shape) ? () => fitType(g, x!.type) : null],
  reshape: ({ inputs: [x], g }) => [() => reshapeTo(g, x!.shape)],
  broadcast: ({ attrs: { axes }, inputs: [x], g }) => [
    () => {
      const others = allAxes(g.shape.length).filter((axis) => !axes.includes(axis));
      return unbroadcast(sum(g, { axes: others }), x!.shape);
    },
  ],
  transpose: ({ attrs: { axes }, g }) => [() => transpose(g, { axes: inversePermutation(axes) })],
  pad: ({ attrs: { config }, inputs: [x, value], g }) => {
    const inside = () => unpad(g, config, x!.shape);
    return [inside, () => reshapeTo(subtract(sum(g), sum(inside())), value!.shape)];
  },
  reverse: ({ attrs, g }) => [() => run(REVERSE, bareTemplate(g, g.shape), [g], attrs)],
  slice: ({ attrs, inputs: [x, ...dynamic], g }) => [
    () => unslice(g, attrs, x!.shape, dynamic),
    ...none(dynamic.length),
  ],
  putSlice: ({ attrs: { starts }, inputs: [, piece, ...dynamic], g }) => [
    () => run(PUT_SLICE, bareTemplate(g, g.shape), [g, zeros(g.type, piece!.shape), ...dynamic], { starts }),
    () => {
      const attrs = { starts, lengths: piece!.shape, strides: ones(g.shape.length) };
      return run("slice", bareTemplate(g, piece!.shape), [g, ...dynamic], attrs);
    },
    ...none(dynamic.length),
  ],
  take: ({ attrs: { axis }, inputs: [x, indices], g }) => [() => untake(g, indices!, axis, x!.shape), null],
  takeAlong: ({ attrs: { axis }, inputs: [x, indices], g }) => [() => scatterAlong(g, indices!, axis, x!.shape), null],
  gather: ({ attrs: { axes }, inputs: [x, indices], g }) => [
    () => {
      const base = zeros(g.type, x!.shape);
      return run(INDEXED, base, [base, indices!, g], { op: "add", axes });
    },
    null,
  ],
  indexed,
  concatenate: ({ attrs: { axis }, inputs, g }) => {
    let start = 0;
    return inputs.map(({ shape }) => {
      const starts = shape.map((_, i) => (i === axis ? start : 0));
      start += shape[axis]!;
      return () => run("slice", bareTemplate(g, shape), [g], { starts, lengths: shape, strides: ones(shape.length) });
    });
  },
  sort: ({ attrs, inputs: [x], g }) => [
    () => {
      const order = run(ARGSORT, template("s64", x!.shape, unnamed(x!.shape.length)), [x!], attrs);
      return scatterAlong(g, order, attrs.axis, x!.shape);
    },
  ],
};
