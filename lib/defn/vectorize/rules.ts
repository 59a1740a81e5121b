/**
 * What each primitive does to operands with further axes in front: a table total over the primitives. Where the
 * primitive itself has no place for such axes it runs once for each entry.
 */
import type { Attrs, Primitive, Template } from "../../backend";
import { ARG_REDUCE, CONV, DOT, GATHER, TAKE, TAKE_ALONG } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { sizeOf, type Shape } from "../../core/shape";
import { rerun, run, template } from "../../nx/dispatch";
import type { Tensor } from "../../tensor";
import { alignTo, reshaped, sizesOf, spreadTo, transposed, type Vectorized, type VectorizedAxes } from "./axes";

/** What a rule is given: the result as functions see it, the operands, the axes of all of them together. */
interface Given<P extends Primitive> {
  readonly out: Template;
  readonly inputs: readonly Vectorized[];
  readonly attrs: Attrs[P];
  readonly axes: VectorizedAxes;
}

/** Makes the inner tensor of the result: its shape is the sizes of the axes, then that of `out`. */
type VectorRule<P extends Primitive> = (given: Given<P>) => Tensor;

type Made = "constant" | "iota" | "eye" | "block";
type Rules = { readonly [P in Exclude<Primitive, Made>]: VectorRule<P> };

/** The result with the axes in front. */
function batched(out: Template, axes: VectorizedAxes): Template {
  const shape = Object.freeze([...sizesOf(axes), ...out.shape]);
  return template(out.type, shape, unnamed(shape.length));
}

const isPlain = ({ axes }: Vectorized): boolean => axes.length === 0;
const repeat = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value);
const shifted = (axes: readonly number[], by: number): number[] => axes.map((axis) => axis + by);
const positions = (count: number): number[] => repeat(count, 0).map((_, i) => i);

/** Operands that broadcast from the right: axes that are missing have size 1. */
function elementwise<P extends "binary" | "select">(primitive: P): VectorRule<P> {
  return ({ out, inputs, attrs, axes }) => {
    const operands = inputs.map((input) => alignTo(axes, input, out.shape.length));
    return rerun(primitive, batched(out, axes), operands, attrs);
  };
}

/** The rule of a primitive with one operand; `shift` moves the axes in its attributes behind `count` new axes. */
function moved<P extends Exclude<Primitive, Made>>(
  primitive: P,
  shift: (attrs: Attrs[P], count: number) => Attrs[P] = (attrs) => attrs,
): VectorRule<P> {
  return ({ out, inputs, attrs, axes }) =>
    rerun(primitive, batched(out, axes), [spreadTo(axes, inputs[0]!)], shift(attrs, axes.length));
}

/** As `moved`, where the operands behind the first have no vectorized axes; else once for each entry. */
function movedWith<P extends Exclude<Primitive, Made>>(
  primitive: P,
  shift: (attrs: Attrs[P], count: number, sizes: readonly number[]) => Attrs[P],
): VectorRule<P> {
  const once = each(primitive);
  return (given) => {
    const { out, inputs, attrs, axes } = given;
    const [first, ...others] = inputs;
    if (!others.every(isPlain)) return once(given);
    const operands = [spreadTo(axes, first!), ...others.map(({ inner }) => inner)];
    return rerun(primitive, batched(out, axes), operands, shift(attrs, axes.length, sizesOf(axes)));
  };
}

/** Runs the primitive once for each entry of the axes and puts the results side by side. */
function each<P extends Primitive>(primitive: P): VectorRule<P> {
  return ({ out, inputs, attrs, axes }) => {
    const bare = template(out.type, out.shape, unnamed(out.shape.length));
    const whole = inputs.map((input) => spreadTo(axes, input));
    return forEachEntry(axes, whole, [out], (entries) => [rerun(primitive, bare, entries, attrs)])[0]!;
  };
}

/** Computes results of the templates `outs` once for each entry of tensors that have the axes in front, and puts them side by side. */
export function forEachEntry(
  axes: VectorizedAxes,
  tensors: readonly Tensor[],
  outs: readonly Template[],
  compute: (entries: readonly Tensor[]) => readonly Tensor[],
): readonly Tensor[] {
  const sizes = sizesOf(axes);
  const count = sizeOf(sizes);
  const flat = tensors.map((t) => reshaped(t, [count, ...t.shape.slice(axes.length)]));
  const made = positions(count).map((i) => compute(flat.map((t) => entryOf(t, i))));
  return outs.map(({ type, shape }, k) => {
    const rows = made.map((results) => reshaped(results[k]!, [1, ...shape]));
    const all = template(type, Object.freeze([count, ...shape]), unnamed(shape.length + 1));
    const joined = count === 1 ? rows[0]! : run("concatenate", all, rows, { axis: 0 });
    return reshaped(joined, [...sizes, ...shape]);
  });
}

function entryOf(t: Tensor, at: number): Tensor {
  const shape = t.shape.slice(1);
  const lengths = Object.freeze([1, ...shape]);
  const starts = lengths.map((_, i) => (i === 0 ? at : 0));
  const out = template(t.type, lengths, unnamed(lengths.length));
  return reshaped(run("slice", out, [t], { starts, lengths, strides: repeat(lengths.length, 1) }), shape);
}

/** Windows of size 1 along the axes in front. */
function inFront<W extends Attrs["windowOp"] | Attrs["windowReduce"] | Attrs["windowScatter"]>(
  attrs: W,
  count: number,
): W {
  const ones = repeat(count, 1);
  return {
    ...attrs,
    window: [...ones, ...attrs.window],
    strides: [...ones, ...attrs.strides],
    dilations: [...ones, ...attrs.dilations],
    padding: [...repeat(count, [0, 0] as const), ...attrs.padding],
  };
}

/** A flat index equals the index along the flattened axis. */
const argReduce: VectorRule<"argReduce"> = ({ out, inputs, attrs, axes }) => {
  const count = axes.length;
  const x = spreadTo(axes, inputs[0]!);
  if (attrs.axis !== null) return run(ARG_REDUCE, batched(out, axes), [x], { ...attrs, axis: attrs.axis + count });
  const flat = reshaped(x, [...sizesOf(axes), sizeOf(x.shape.slice(count))]);
  const found = template(out.type, Object.freeze(sizesOf(axes)), unnamed(count));
  const result = run(ARG_REDUCE, found, [flat], { ...attrs, axis: count, keepAxis: false });
  return reshaped(result, [...sizesOf(axes), ...out.shape]);
};

/** With one set of indices for all entries the axis moves on; otherwise each entry has its own. */
const take: VectorRule<"take"> = (given) => {
  const { out, inputs, attrs, axes } = given;
  const [x, indices] = inputs as [Vectorized, Vectorized];
  if (isPlain(indices)) {
    return run(TAKE, batched(out, axes), [spreadTo(axes, x), indices.inner], { axis: attrs.axis + axes.length });
  }
  if (!isPlain(x)) return each("take")(given);
  const before = attrs.axis;
  const places = spreadTo(axes, indices);
  const raw = run(TAKE, takenTemplate(out, x.inner.shape, places.shape, before), [x.inner, places], attrs);
  // raw has the vectorized axes where the axis was: they go to the front
  const lead = positions(axes.length).map((i) => before + i);
  const rest = positions(raw.shape.length).filter((i) => !lead.includes(i));
  return transposed(raw, [...lead, ...rest]);
};

function takenTemplate(out: Template, shape: Shape, places: Shape, axis: number): Template {
  const all = Object.freeze([...shape.slice(0, axis), ...places, ...shape.slice(axis + 1)]);
  return template(out.type, all, unnamed(all.length));
}

const gather: VectorRule<"gather"> = (given) => {
  const { out, inputs, attrs, axes } = given;
  const [x, indices] = inputs as [Vectorized, Vectorized];
  if (!isPlain(x)) return each("gather")(given);
  return run(GATHER, batched(out, axes), [x.inner, spreadTo(axes, indices)], attrs);
};

const takeAlong: VectorRule<"takeAlong"> = ({ out, inputs, attrs, axes }) =>
  run(
    TAKE_ALONG,
    batched(out, axes),
    inputs.map((input) => spreadTo(axes, input)),
    { axis: attrs.axis + axes.length },
  );

const concatenate: VectorRule<"concatenate"> = ({ out, inputs, attrs, axes }) =>
  run(
    "concatenate",
    batched(out, axes),
    inputs.map((input) => spreadTo(axes, input)),
    { axis: attrs.axis + axes.length },
  );

/** The axes in front are batch axes. */
const dot: VectorRule<"dot"> = ({ out, inputs, attrs: { contract, batch }, axes }) => {
  const count = axes.length;
  const front = positions(count);
  const both = (pairs: readonly [readonly number[], readonly number[]]) =>
    pairs.map((side) => shifted(side, count)) as [number[], number[]];
  const [left, right] = both(batch);
  return run(
    DOT,
    batched(out, axes),
    inputs.map((input) => spreadTo(axes, input)),
    {
      contract: both(contract),
      batch: [
        [...front, ...left!],
        [...front, ...right!],
      ],
    },
  );
};

/** With one kernel for all entries they are part of the batch. */
const conv: VectorRule<"conv"> = (given) => {
  const { out, inputs, attrs, axes } = given;
  const [input, kernel] = inputs as [Vectorized, Vectorized];
  if (!isPlain(kernel) || attrs.batchGroups > 1) return each("conv")(given);
  const x = spreadTo(axes, input);
  const [batch, ...rest] = x.shape.slice(axes.length);
  const count = sizeOf(sizesOf(axes));
  const flat = reshaped(x, [count * batch!, ...rest]);
  const shape = Object.freeze([count * out.shape[0]!, ...out.shape.slice(1)]);
  const result = run(CONV, template(out.type, shape, unnamed(shape.length)), [flat, kernel.inner], attrs);
  return reshaped(result, [...sizesOf(axes), ...out.shape]);
};

const reshape: VectorRule<"reshape"> = ({ out, inputs, axes }) =>
  reshaped(spreadTo(axes, inputs[0]!), [...sizesOf(axes), ...out.shape]);

const broadcast: VectorRule<"broadcast"> = ({ out, inputs, attrs, axes }) => {
  const count = axes.length;
  const own = [...positions(count), ...shifted(attrs.axes, count)];
  return run("broadcast", batched(out, axes), [spreadTo(axes, inputs[0]!)], { axes: own });
};

export const VECTOR_RULES: Rules = {
  unary: moved("unary"),
  binary: elementwise("binary"),
  select: elementwise("select"),
  asType: moved("asType"),
  bitcast: moved("bitcast"),
  map: moved("map"),
  reshape,
  broadcast,
  transpose: moved("transpose", ({ axes }, count) => ({ axes: [...positions(count), ...shifted(axes, count)] })),
  pad: movedWith("pad", ({ config }, count) => ({ config: [...repeat(count, [0, 0, 0] as const), ...config] })),
  reverse: moved("reverse", ({ axes }, count) => ({ axes: shifted(axes, count) })),
  slice: movedWith("slice", ({ starts, lengths, strides }, count, sizes) => ({
    starts: [...repeat(count, 0), ...starts],
    lengths: [...sizes, ...lengths],
    strides: [...repeat(count, 1), ...strides],
  })),
  putSlice: each("putSlice"),
  take,
  takeAlong,
  gather,
  indexed: each("indexed"),
  concatenate,
  sort: moved("sort", (attrs, count) => ({ ...attrs, axis: attrs.axis + count })),
  argsort: moved("argsort", (attrs, count) => ({ ...attrs, axis: attrs.axis + count })),
  reduceOp: moved("reduceOp", (attrs, count) => ({ ...attrs, axes: shifted(attrs.axes, count) })),
  argReduce,
  cumulative: moved("cumulative", (attrs, count) => ({ ...attrs, axis: attrs.axis + count })),
  windowOp: moved("windowOp", inFront),
  windowReduce: movedWith("windowReduce", inFront),
  windowScatter: each("windowScatter"),
  dot,
  conv,
  fft: moved("fft", (attrs, count) => ({ ...attrs, axis: attrs.axis + count })),
  reduce: movedWith("reduce", (attrs, count) => ({ ...attrs, axes: shifted(attrs.axes, count) })),
};
