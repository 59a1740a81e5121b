/**
 * Kernels over several elements in memory: over all of them at once where all operands lie in order, else row by row. Operands
 * whose rows are short, or whose elements are apart, are copied first.
 */
import type { NestOperand, View } from "../../../backend";
import { rowMajorStrides, sizeOf } from "../../../core/shape";
import { bytesOf } from "../../../core/types";
import { collapse, commonEnds, stepAt, type Walk } from "../../../kernel/operand";
import { withUniform } from "../../../kernel/uniform";
import type { MapStep } from "../../../program";
import { advance, call, i32, local, range } from "../asm";
import { roomBytes } from "../placement";
import { boxOf, type Address } from "../routines/boxes";
import { PROGRAM_ROW_FROM } from "../schedule/programs";
import { kernelOf } from "./steps";
import { pushAddress, type Place } from "./place";
import type { Emission, Resources } from "./resources";

/** An operand over a space of several axes: where it begins, and the bytes from entry to entry along each. */
export interface Moving {
  readonly at: Address;
  readonly steps: readonly number[];
}

/** Writes a body for every entry of some axes, in order; the body is given where each operand is then. */
export function overAxes(
  dims: readonly number[],
  operands: readonly Moving[],
  resources: Resources,
  body: (at: readonly Address[]) => void,
): Emission {
  if (dims.length === 0) return () => body(operands.map(({ at }) => at));
  const counters = dims.map(() => resources.int());
  const pointers = operands.map(({ steps }) => (steps.some((step) => step !== 0) ? resources.int() : null));
  const places = operands.map(({ at }, i): Address => (pointers[i] ? { base: pointers[i], offset: 0 } : at));
  const move = (bytes: (operand: Moving) => number): void =>
    operands.forEach((operand, i) => {
      if (pointers[i] && bytes(operand) !== 0) advance(pointers[i], bytes(operand));
    });
  const nested = (axis: number): void => {
    if (axis === dims.length) return body(places);
    range(counters[axis]!, dims[axis]!, 1, () => {
      nested(axis + 1);
      // what is inside has moved the operands to the end of its own axis
      move(({ steps }) => steps[axis]! - (axis + 1 < dims.length ? dims[axis + 1]! * steps[axis + 1]! : 0));
    });
  };
  return () => {
    operands.forEach(({ at }, i) => {
      if (!pointers[i]) return;
      pushAddress(at);
      local.set(pointers[i]);
    });
    nested(0);
  };
}

/** Copies the elements of a view, each of so many bytes, to where they lie one after the other; bytes behind them may be written, too. */
export function planCopy(
  { shape, strides, offset }: View,
  bytes: number,
  source: Address,
  target: Address,
  resources: Resources,
): Emission {
  const copy = resources.copy(boxOf(shape, strides, rowMajorStrides(shape), bytes));
  return () => {
    pushAddress(source, offset * bytes);
    pushAddress(target);
    call(copy);
  };
}

/** How an operand is read: where it lies, or from a copy of what a view shows of it. */
interface Reading {
  readonly walk: Walk;
  readonly copied: View | null;
}

/** Axes that all operands share, and how each is read and moves along them in elements. */
interface Joint {
  readonly dims: readonly number[];
  readonly readings: readonly Reading[];
  readonly steps: readonly (readonly number[])[];
}

export const walkOf = ({ view, space }: NestOperand): Walk =>
  space === "one" ? { shape: [], strides: [] } : collapse(view.shape, view.strides);

/** The elements that a view shows once each, and how they are read in its place. */
function onceEach(view: View): Reading {
  const axes = view.shape.flatMap((dim, axis) => (dim > 1 && view.strides[axis] !== 0 ? [axis] : []));
  const [shape, strides] = [axes.map((axis) => view.shape[axis]!), axes.map((axis) => view.strides[axis]!)];
  const dense = view.shape.map(() => 0);
  rowMajorStrides(shape).forEach((stride, i) => (dense[axes[i]!] = stride));
  return { walk: collapse(view.shape, dense), copied: { shape, strides, offset: view.offset } };
}

function jointOf(operands: readonly NestOperand[], size: number): Joint {
  const walks: Walk[] = [];
  let ends: readonly number[] = [size];
  const readings = operands.map((operand): Reading => {
    const { view } = operand;
    for (const reading of [{ walk: walkOf(operand), copied: null }, onceEach(view)]) {
      const inner = reading.walk.strides.at(-1) ?? 0;
      const joined = inner === 0 || inner === 1 ? commonEnds([...walks, reading.walk], size) : null;
      if (!joined || (joined.length > 1 && joined[0]! < PROGRAM_ROW_FROM)) continue;
      ends = joined;
      walks.push(reading.walk);
      return reading;
    }
    return { walk: { shape: [size], strides: [1] }, copied: view };
  });
  const starts = [1, ...ends.slice(0, -1)];
  const dims = starts.map((start, i) => ends[i]! / start).reverse();
  const steps = readings.map(({ walk }) => starts.map((start) => stepAt(walk, start)).reverse());
  return { dims, readings, steps };
}

/** Elements that are copied before kernels over so many elements read them. */
export const copiedElements = (operands: readonly NestOperand[], size: number): number =>
  jointOf(operands, size).readings.reduce((sum, { copied }) => sum + (copied ? sizeOf(copied.shape) : 0), 0);

/** Whether an operand is read in order, element by element. */
export function isInOrder(operand: NestOperand, size: number): boolean {
  const { shape, strides } = walkOf(operand);
  return operand.view.offset === 0 && shape.length === 1 && shape[0] === size && strides[0] === 1;
}

/** Operands over so many elements: rows of which each operand reads in order, or of which it reads one element each. */
interface Aligned {
  readonly rows: readonly number[];
  /** Elements of a row. */
  readonly inner: number;
  readonly operands: readonly Moving[];
  /** Whether an operand is one element in a row. */
  readonly uniform: readonly boolean[];
  /** Bytes from row to row, along the axes of the rows, of what lies in order. */
  inOrder(bytes: number): readonly number[];
  /** Copies operands that do not suit to rooms of the frame. */
  copy(): void;
  readonly rooms: readonly number[];
}

export function align(
  operands: readonly NestOperand[],
  places: readonly Place[],
  size: number,
  resources: Resources,
): Aligned {
  const { dims, readings, steps } = jointOf(operands, size);
  const rows = dims.slice(0, -1);
  const copies: Emission[] = [];
  const rooms: number[] = [];
  const inOrder = (bytes: number): number[] =>
    rows.map((_, axis) => dims.slice(axis + 1).reduce((a, b) => a * b, 1) * bytes);
  const moving = operands.map(({ type, view }, i): Moving => {
    const bytes = bytesOf(type);
    const at = places[i]!.at!;
    const { copied } = readings[i]!;
    const own = steps[i]!.slice(0, -1).map((n) => n * bytes);
    if (!copied) return { at: { ...at, offset: at.offset + view.offset * bytes }, steps: own };
    const room = resources.frame.take(roomBytes(type, sizeOf(copied.shape)));
    rooms.push(room);
    const to = { base: resources.base, offset: room };
    copies.push(planCopy(copied, bytes, at, to, resources));
    return { at: to, steps: own };
  });
  const uniform = steps.map((own) => own.at(-1) === 0);
  const copy = (): void => {
    for (const each of copies) each();
  };
  return { rows, inner: dims.at(-1)!, operands: moving, uniform, inOrder, copy, rooms };
}

/** The code of a nest of several elements. */
export function planRows(
  step: MapStep,
  inputs: readonly Place[],
  outputs: readonly Place[],
  resources: Resources,
): Emission {
  const { nest } = step;
  const { rows, inner, operands, uniform, inOrder, copy, rooms } = align(nest.operands, inputs, nest.rows, resources);
  const results = outputs.map(({ type, at }): Moving => ({ at: at!, steps: inOrder(bytesOf(type)) }));
  const run = resources.kernel(withUniform(kernelOf(step), uniform), inner);
  const all = overAxes(rows, [...operands, ...results], resources, (at) => {
    i32.const(inner);
    for (const address of at) pushAddress(address);
    call(run);
  });
  for (const room of rooms) resources.frame.give(room);
  return () => {
    copy();
    all();
  };
}
