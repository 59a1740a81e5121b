/**
 * What a vectorized tensor is: an ordinary one with further axes in front, which are known by name only. Functions see
 * the shape without them.
 */
import { ArgumentError, show } from "../../core/errors";
import { unnamed } from "../../core/names";
import { allAxes, sameShape, type Shape } from "../../core/shape";
import { run, template } from "../../nx/dispatch";
import { Tensor, unnoted } from "../../tensor";

/** A vectorized axis. */
export interface VectorizedAxis {
  readonly name: string;
  readonly size: number;
  /** The call of `vmap` that made it. */
  readonly entries?: EntryCall;
}

/** A call of `vmap`: while its function runs, the function sees a single entry and cannot get the axis back. */
export interface EntryCall {
  isRunning: boolean;
}

let isWatching = false;

/** Runs what looks at values without being part of the function that made them: for a hook axes of `vmap` are as any others. */
export function watching<R>(fn: () => R): R {
  const before = isWatching;
  isWatching = true;
  try {
    return fn();
  } finally {
    isWatching = before;
  }
}

/** Whether an axis is one of entries, of which a function sees one at a time. */
export const isOfEntries = ({ entries }: VectorizedAxis): boolean => entries?.isRunning === true && !isWatching;

export type VectorizedAxes = readonly VectorizedAxis[];

/** The data of a vectorized tensor: a tensor whose shape is the sizes of the axes, then the shape that functions see. */
export interface Vectorized {
  readonly inner: Tensor;
  readonly axes: VectorizedAxes;
}

export const sizesOf = (axes: VectorizedAxes): number[] => axes.map(({ size }) => size);

/** Vectorized axes as text: `[batch: 2][key: 3]`. */
export const formatAxes = (axes: VectorizedAxes): string => axes.map(({ name, size }) => `[${name}: ${size}]`).join("");

/** All axes of several tensors, in the order they are first met; those of size 1 go together with any size. */
export function unionOf(all: readonly VectorizedAxes[]): VectorizedAxes {
  const union: VectorizedAxis[] = [];
  for (const axes of all) {
    for (const axis of axes) {
      const at = union.findIndex(({ name }) => name === axis.name);
      const known = union[at];
      if (!known) union.push(axis);
      else if (known.size === 1) union[at] = axis;
      else if (axis.size !== 1 && known.size !== axis.size) throw sizeClash(known, axis);
    }
  }
  return union;
}

function sizeClash(a: VectorizedAxis, b: VectorizedAxis): ArgumentError {
  return new ArgumentError(
    `the vectorized axis ${show(a.name)} has size ${a.size} in one operand and ${b.size} in another; sizes of the same ` +
      `name must agree, or revectorize one of them under another name`,
  );
}

/** The same elements under another shape, without names. */
export function reshaped(t: Tensor, shape: Shape): Tensor {
  if (sameShape(t.shape, shape)) return t;
  return run("reshape", template(t.type, Object.freeze(shape.slice()), unnamed(shape.length)), [t], {});
}

export function transposed(t: Tensor, axes: readonly number[]): Tensor {
  if (axes.every((axis, i) => axis === i)) return t;
  const shape = Object.freeze(axes.map((axis) => t.shape[axis]!));
  return run("transpose", template(t.type, shape, unnamed(shape.length)), [t], { axes });
}

function broadcastTo(t: Tensor, shape: Shape): Tensor {
  if (sameShape(t.shape, shape)) return t;
  const out = template(t.type, Object.freeze(shape.slice()), unnamed(shape.length));
  return run("broadcast", out, [t], { axes: allAxes(shape.length) });
}

/** A tensor without names; the data is the same. */
export function nameless(t: Tensor): Tensor {
  return unnoted(() => new Tensor(t.backend, t.data, t.type, t.shape, unnamed(t.shape.length)));
}

/**
 * The inner tensor with one leading axis for each of `union`: of size 1 where the tensor does not have that axis or has it so, and
 * with axes of size 1 behind them up to the rank `rank` that functions see.
 */
export function alignTo(union: VectorizedAxes, { inner, axes }: Vectorized, rank: number): Tensor {
  const own = axes.length;
  const order = union.flatMap(({ name }) => {
    const at = axes.findIndex((axis) => axis.name === name);
    return at < 0 ? [] : [at];
  });
  const shape = inner.shape.slice(own);
  const moved = transposed(inner, [...order, ...shape.map((_, i) => own + i)]);
  const lead = union.map(({ name }) => axes.find((axis) => axis.name === name)?.size ?? 1);
  const padding = new Array<number>(Math.max(0, rank - shape.length)).fill(1);
  return reshaped(moved, [...lead, ...padding, ...shape]);
}

/** The same with the axes that the tensor lacks repeated. */
export function spreadTo(union: VectorizedAxes, value: Vectorized): Tensor {
  const aligned = alignTo(union, value, 0);
  return broadcastTo(aligned, [...sizesOf(union), ...aligned.shape.slice(union.length)]);
}
