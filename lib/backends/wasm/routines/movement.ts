/**
 * Routines that move elements about without looking at them.
 */
import type { Template } from "../../../backend";
import { rowMajorStrides, sizeOf, type Shape } from "../../../core/shape";
import { bytesOf, isInteger } from "../../../core/types";
import { keptByPadding } from "../../arrays/padding";
import { advance, call, i32, type Int, type Size, type Vector } from "../asm";
import { at, boxOf, copyBox, copyRun, fill, pointerTo, splatOf } from "./boxes";
import { castFunction, clamped, withTypes } from "./operands";
import { routine, type AttrsOf, type Make, type Routine } from "./routine";

const bytesOfAll = ({ type, shape }: Template): number => sizeOf(shape) * bytesOf(type);

/** Elements of the first input, from element `offset` on with these steps. */
function seen(out: Template, steps: readonly number[], offset = 0): Routine {
  const bytes = bytesOf(out.type);
  const box = boxOf(out.shape, steps, rowMajorStrides(out.shape), bytes);
  return routine({}, ({ inputs, outputs }) => copyBox(box, at(inputs[0]!, offset * bytes), at(outputs[0]!)));
}

const broadcast: Make<"broadcast"> = ([out], [x], { axes }) => {
  const strides = rowMajorStrides(x!.shape);
  const steps = out!.shape.map(() => 0);
  axes.forEach((axis, i) => (steps[axis] = x!.shape[i] === 1 ? 0 : strides[i]!));
  return seen(out!, steps);
};

const transpose: Make<"transpose"> = ([out], [x], { axes }) => {
  const strides = rowMajorStrides(x!.shape);
  return seen(
    out!,
    axes.map((axis) => strides[axis]!),
  );
};

const reverse: Make<"reverse"> = ([out], _inputs, { axes }) => {
  const strides = rowMajorStrides(out!.shape);
  const last = (axis: number): number => (out!.shape[axis]! - 1) * strides[axis]!;
  return seen(
    out!,
    strides.map((stride, axis) => (axes.includes(axis) ? -stride : stride)),
    axes.reduce((sum, axis) => sum + last(axis), 0),
  );
};

/** All elements, as they are. */
const same: Make<"reshape" | "bitcast"> = ([out]) => {
  const bytes = bytesOfAll(out!);
  return routine({}, ({ inputs, outputs }) => copyRun(bytes, at(inputs[0]!), at(outputs[0]!)));
};

const asType: Make<"asType"> = ([out], [x], { overflow }) => {
  if (out!.type === x!.type) return same([out!], [x!], {});
  const cast = castFunction(x!.type, out!.type, overflow);
  return routine({}, ({ inputs, outputs }) => void call(cast, [sizeOf(out!.shape), inputs[0]!, outputs[0]!]));
};

/** The elements as they are, or in the type of the result. */
export const converted = ({ type, shape }: Template, x: Template): Routine =>
  withTypes([x], [type], {}, ({ inputs: [from], outputs: [to] }) =>
    copyRun(sizeOf(shape) * bytesOf(type), at(from!), at(to!)),
  );

const concatenate: Make<"concatenate"> = ([out], inputs, { axis }) => {
  const { type, shape } = out!;
  const steps = rowMajorStrides(shape);
  const types = inputs.map(() => type);
  return withTypes(inputs, types, {}, (places) => {
    let offset = 0;
    inputs.forEach((input, i) => {
      const box = boxOf(input.shape, rowMajorStrides(input.shape), steps, bytesOf(type));
      copyBox(box, at(places.inputs[i]!), at(places.outputs[0]!, offset * bytesOf(type)));
      offset += input.shape[axis]! * steps[axis]!;
    });
  });
};

// ---------------------------------------------------------------------------------------------------------------- padding

type Config = AttrsOf<"pad">["config"];

/** Code that pads a tensor of a shape, elements of so many bytes, with what a vector holds again and again. */
export function padding(
  from: Shape,
  to: Shape,
  config: Config,
  bytes: number,
): (source: Int, value: () => Vector, target: Int) => void {
  const kept = keptByPadding(from, to, config);
  const box = boxOf(kept.shape, kept.from.steps, kept.to.steps, bytes);
  return (source, value, target) => {
    if (sizeOf(kept.shape) < sizeOf(to)) fill(sizeOf(to) * bytes, [value()], at(target));
    if (kept.shape.includes(0)) return;
    copyBox(box, at(source, kept.from.offset * bytes), at(target, kept.to.offset * bytes));
  };
}

const pad: Make<"pad"> = ([out], [x, value], { config }) => {
  const { type, shape } = out!;
  const bytes = bytesOf(type) as Size;
  const padded = padding(x!.shape, shape, config, bytes);
  return withTypes([x!, value!], [type, type], {}, ({ inputs, outputs }) =>
    padded(inputs[0]!, () => splatOf(bytes, at(inputs[1]!)), outputs[0]!),
  );
};

// ----------------------------------------------------------------------------------------------------------------- slices

/** Where a slice begins: elements from the first one, as far as they are known, and code that adds those of dynamic starts. */
interface Start {
  readonly offset: number;
  /** Moves a pointer by the dynamic starts, whose numbers lie at these addresses. */
  move(pointer: Int, starts: readonly Int[]): void;
}

/** Starts are clamped so that `span` elements fit each axis; a null start is the next of `dynamic`. */
function startOf(
  starts: readonly (number | null)[],
  dynamic: readonly Template[],
  shape: Shape,
  span: readonly number[],
  bytes: number,
): Start {
  const strides = rowMajorStrides(shape);
  const most = shape.map((size, axis) => size - span[axis]!);
  const known = starts.map((start, axis) => Math.max(0, Math.min(start ?? 0, most[axis]!)) * strides[axis]!);
  const open = starts.flatMap((start, axis) => (start === null ? [axis] : []));
  return {
    offset: known.reduce((sum, each) => sum + each, 0),
    move: (pointer, places) =>
      open.forEach((axis, i) => {
        if (most[axis] === 0) return;
        const start = clamped(dynamic[i]!.type, places[i]!, most[axis]!);
        advance(pointer, i32.mul(start, strides[axis]! * bytes));
      }),
  };
}

const areIntegers = (inputs: readonly Template[]): boolean => inputs.every(({ type }) => isInteger(type));

const slice: Make<"slice"> = ([out], [x, ...dynamic], { starts, lengths, strides }) => {
  if (!areIntegers(dynamic)) return null;
  const bytes = bytesOf(out!.type);
  const steps = rowMajorStrides(x!.shape).map((stride, axis) => stride * strides[axis]!);
  const box = boxOf(out!.shape, steps, rowMajorStrides(out!.shape), bytes);
  const start = startOf(starts, dynamic, x!.shape, lengths, bytes);
  return routine({ inputs: 1 + dynamic.length }, ({ inputs: [source, ...places], outputs }) => {
    const moved = pointerTo(source!);
    start.move(moved, places);
    copyBox(box, at(moved, start.offset * bytes), at(outputs[0]!));
  });
};

const putSlice: Make<"putSlice"> = ([out], [x, piece, ...dynamic], { starts }) => {
  if (!areIntegers(dynamic)) return null;
  const { type, shape } = out!;
  const bytes = bytesOf(type);
  const box = boxOf(piece!.shape, rowMajorStrides(piece!.shape), rowMajorStrides(shape), bytes);
  const start = startOf(starts, dynamic, shape, piece!.shape, bytes);
  return withTypes([x!, piece!, ...dynamic], [type, type], {}, ({ inputs, outputs: [target] }) => {
    const [source, from, ...places] = inputs;
    copyRun(bytesOfAll(out!), at(source!), at(target!));
    const moved = pointerTo(target!);
    start.move(moved, places);
    copyBox(box, at(from!), at(moved, start.offset * bytes));
  });
};

/** The routines of primitives that move elements. */
export const movement = {
  reshape: same,
  bitcast: same,
  asType,
  broadcast,
  transpose,
  reverse,
  pad,
  slice,
  putSlice,
  concatenate,
};
