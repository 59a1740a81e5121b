/**
 * Boxes of items as calls of the functions that copy planes: which two axes make the planes, and which loops go around them. The calls
 * of a box do not depend on each other. Knows bytes and steps, not types and shapes.
 */
import { isSize, type Code, type Size } from "../asm";
import type { KernelModule } from "../modules/module";
import { moduleFor } from "../modules/cache";
import { ALIKE_BYTES, RUN_PART, SHORT_ROW, SPARSE_TO, TRANSPOSED_ITEMS, TRANSPOSED_ROWS } from "../schedule/copies";
import {
  boxed,
  itemsFunction,
  repeatedFunction,
  reversedFunction,
  runsFunction,
  sparseFunction,
  spreadFunction,
} from "./code";
import { bandOf, transposeFunction } from "./transpose-code";

/** An axis: its size, and the bytes from one item to the next at both ends. */
export interface BoxAxis {
  readonly size: number;
  readonly from: number;
  readonly to: number;
}

/** Items of `bytes` bytes along axes; addresses in bytes. Source and target do not overlap. */
export interface Box {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly axes: readonly BoxAxis[];
}

export const bytesOfAll = ({ axes, bytes }: Box): number => axes.reduce((product, { size }) => product * size, bytes);

/** A call that copies a part of a box. */
export interface CopyCall {
  readonly module: KernelModule;
  readonly name: string;
  readonly args: readonly number[];
  /** The places of the arguments that say where its source and its target begin. */
  readonly from: number;
  readonly to: number;
}

const NO_AXIS: BoxAxis = { size: 1, from: 0, to: 0 };

/** The fewest axes of a box: axes of one item are dropped, and axes that continue their neighbour are joined with it. */
export function joinedAxes(axes: readonly BoxAxis[]): BoxAxis[] {
  const left: BoxAxis[] = [];
  for (const axis of axes) {
    if (axis.size === 1) continue;
    const last = left.at(-1);
    if (last && last.from === axis.from * axis.size && last.to === axis.to * axis.size) {
      left[left.length - 1] = { ...axis, size: axis.size * last.size };
    } else left.push(axis);
  }
  return left;
}

/** The same box with as few axes as possible; neighbours at both ends are one item. */
function simplified({ from, to, bytes, axes }: Box): Box {
  const left = joinedAxes(axes);
  const run = left.findIndex((axis) => axis.from === bytes && axis.to === bytes);
  if (run < 0) return { from, to, bytes, axes: left };
  const item = bytes * left[run]!.size;
  const rest = { from, to, bytes: item, axes: left.filter((_, i) => i !== run) };
  return rest.axes.some((axis) => axis.from === item && axis.to === item) ? simplified(rest) : rest;
}

/** The same items with an axis in the order of the source, where it goes against that. */
function forwards(box: Box, at: number): Box {
  const { size, from, to } = box.axes[at]!;
  const axes = box.axes.map((axis, i) => (i === at ? { size, from: -from, to: -to } : axis));
  return { ...box, from: box.from + (size - 1) * from, to: box.to + (size - 1) * to, axes };
}

/** The position of the fitting axis with the smallest value; -1 where no axis fits. */
function least(axes: readonly BoxAxis[], value: (axis: BoxAxis) => number, fits: (at: number) => boolean): number {
  let found = -1;
  for (let i = 0; i < axes.length; i++) {
    if (fits(i) && (found < 0 || value(axes[i]!) <= value(axes[found]!))) found = i;
  }
  return found;
}

/** A plane of a box: its function and the arguments of that, and which axes it covers. */
interface Plane {
  readonly name: string;
  readonly code: () => Code;
  /** Arguments from those ends on. */
  args(from: number, to: number): readonly number[];
  readonly from: number;
  readonly to: number;
}

/** How a box is copied: rows of the plane along one axis, items along another one; loops around it from the outermost on. */
interface Planned {
  readonly box: Box;
  readonly rows: BoxAxis;
  readonly items: BoxAxis;
  readonly loops: readonly BoxAxis[];
  readonly isTransposed: boolean;
}

/** Chooses the axes of planes. */
export function planned(given: Box): Planned {
  const box = simplified(given);
  const { axes, bytes } = box;
  const [fromOf, toOf] = [({ from }: BoxAxis) => Math.abs(from), ({ to }: BoxAxis) => to];
  const isRun = bytes > 16 || !isSize(bytes);
  // the axis along which items are neighbours at the target
  const last = least(
    axes,
    (axis) => Math.abs(toOf(axis)),
    () => true,
  );
  if (!isRun && last >= 0 && axes[last]!.to === bytes && axes[last]!.from !== 0) {
    const near = least(axes, fromOf, (i) => i !== last && axes[i]!.from !== 0);
    if (near >= 0 && axes[near]!.from === -bytes) return planned(forwards(box, near));
    if (near >= 0 && axes[near]!.from === bytes) return planOf(box, near, last, true);
  }
  const items = isRun ? -1 : last;
  const rows = least(
    axes,
    (axis) => Math.abs(toOf(axis)),
    (i) => i !== items,
  );
  return planOf(box, rows, items, false);
}

/**
 * The plan with these axes of a box as rows and items; -1 for none. Loops go from the axis whose items are farthest apart at both ends to
 * that whose items are nearest at either: what shares a line of the cache comes soon after each other (all six axes of 8 x 8 x 8 x 8 x 16 x 16
 * of f32 the other way round: 984 microseconds in the order of the target, 758 so).
 */
function planOf(box: Box, rows: number, items: number, isTransposed: boolean): Planned {
  const { axes } = box;
  const near = ({ from, to }: BoxAxis): number => Math.min(Math.abs(from), Math.abs(to));
  const loops = axes.filter((_, i) => i !== items && i !== rows).sort((a, b) => near(b) - near(a));
  return { box, rows: axes[rows] ?? NO_AXIS, items: axes[items] ?? NO_AXIS, loops, isTransposed };
}

/** The largest piece that a run of bytes can be copied in. */
export const pieceOf = (bytes: number): Size =>
  bytes >= 16 ? 16 : bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;

/** Functions that take `(from, fromRow, to, toRow, outer, ...)`. */
const rowsOf = (name: string, code: () => Code, { rows }: Planned, last: number): Plane => ({
  name,
  code,
  args: (from, to) => [from, rows.from, to, rows.to, rows.size, last],
  from: 0,
  to: 2,
});

function planeOf(plan: Planned): Plane {
  const { box, rows, items, isTransposed } = plan;
  const { bytes } = box;
  if (isTransposed) return transposed(plan);
  if (bytes > 16 || !isSize(bytes) || items.size === 1) {
    const piece = pieceOf(bytes);
    return rowsOf(`runs${piece}`, () => runsFunction(piece), plan, bytes);
  }
  const isDense = items.to === bytes && bytes !== 16;
  if (isDense && items.from === 0 && items.size * bytes < 16) {
    if (rows.from === bytes && rows.to === items.size * bytes) {
      const code = (): Code => spreadFunction(bytes, items.size);
      const args = (from: number, to: number): number[] => [from, to, rows.size];
      return { name: `spread${bytes}x${items.size}`, code, args, from: 0, to: 1 };
    }
  }
  if (isDense && items.size * bytes >= 16) {
    if (items.from === 0) return rowsOf(`repeated${bytes}`, () => repeatedFunction(bytes), plan, items.size);
    if (items.from === -bytes) return rowsOf(`reversed${bytes}`, () => reversedFunction(bytes), plan, items.size);
    const step = items.from / bytes;
    if (step >= 2 && step <= SPARSE_TO && Number.isInteger(step)) {
      return rowsOf(`sparse${bytes}x${step}`, () => sparseFunction(bytes, step), plan, items.size);
    }
  }
  return single(bytes, rows, items);
}

/** Items one by one. */
function single(bytes: Size, rows: BoxAxis, items: BoxAxis): Plane {
  const [outer, inner] = items.size < SHORT_ROW && rows.size > items.size ? [items, rows] : [rows, items];
  const args = (from: number, to: number): number[] => [
    ...[from, outer.from, inner.from],
    ...[to, outer.to, inner.to, outer.size, inner.size],
  ];
  return { name: `items${bytes}`, code: () => itemsFunction(bytes), args, from: 0, to: 3 };
}

/** Rows whose first items are neighbours. */
function transposed({ box, rows, items }: Planned): Plane {
  const size = box.bytes as Size;
  if (items.size < 16 / size) return single(size, rows, items);
  const args = (from: number, to: number): number[] => [to, rows.to, from, items.from, items.size, rows.size];
  const isBand = rows.to % ALIKE_BYTES === 0 || rows.size < 16 / size;
  const squares = isBand ? bandOf(size) : 1;
  return { name: `transposed${size}x${squares}`, code: () => transposeFunction(size, squares), args, from: 2, to: 0 };
}

/** Rows that are transposed at a time, so that what is read of a line of the cache is written before the line is gone. */
const together = ({ isTransposed, rows, items }: Planned): number =>
  isTransposed ? Math.max(TRANSPOSED_ROWS, Math.floor(TRANSPOSED_ITEMS / items.size)) : rows.size;

/** The calls that copy a box as planned. */
export function callsOf(plan: Planned): CopyCall[] {
  const { box, rows, items, loops } = plan;
  const calls: CopyCall[] = [];
  if (box.bytes === 0 || [rows, items, ...loops].some(({ size }) => size === 0)) return calls;
  const around: number[] = [];
  for (const from of [-2, -4]) {
    const { size, from: fromStep, to } = loops.at(from) ?? NO_AXIS;
    const inner = loops.at(from + 1) ?? NO_AXIS;
    around.push(size, fromStep, to, inner.size, inner.from, inner.to);
  }
  // two pairs of loops go with the planes, and each iteration of the others is a call
  const further = loops.slice(0, -4);
  const most = together(plan);
  const ofRows = (size: number): { readonly plane: Plane; readonly module: KernelModule } => {
    const plane = planeOf({ ...plan, rows: { ...rows, size } });
    return { plane, module: moduleFor(`move ${plane.name}`, () => ({ [plane.name]: boxedOf(plane, plane.code()) })) };
  };
  const whole = ofRows(Math.min(most, rows.size));
  for (let row = 0; row < rows.size; row += most) {
    const { plane, module } = row + most > rows.size && row > 0 ? ofRows(rows.size - row) : whole;
    const { name, from: source, to: target } = plane;
    const go = (axis: number, from: number, to: number): void => {
      if (axis === further.length) {
        const args = [...plane.args(from, to), ...around];
        return void calls.push({ module, name, args, from: source, to: target });
      }
      const { size: count, from: fromStep, to: toStep } = further[axis]!;
      for (let i = 0; i < count; i++) go(axis + 1, from + i * fromStep, to + i * toStep);
    };
    go(0, box.from + row * rows.from, box.to + row * rows.to);
  }
  return calls;
}

/** A function of planes with two pairs of loops around it. */
function boxedOf(plane: Plane, code: Code): Code {
  const { from, to } = plane;
  const count = plane.args(0, 0).length;
  return boxed(boxed(code, { count, from, to }), { count: count + 6, from, to });
}

/** Some of an axis of a plan: from one place of it on, so many. */
function partOf(plan: Planned, axis: BoxAxis, first: number, size: number): Planned {
  const cut = (each: BoxAxis): BoxAxis => (each === axis ? { ...each, size } : each);
  const { box } = plan;
  const begun = { ...box, from: box.from + first * axis.from, to: box.to + first * axis.to };
  return { ...plan, box: begun, rows: cut(plan.rows), items: cut(plan.items), loops: plan.loops.map(cut) };
}

/** A plan in about so many parts that can be done at the same time. */
export function partsOf(plan: Planned, count: number): Planned[] {
  const { rows, items, loops, box } = plan;
  const whole = [...loops, rows, items];
  const most = Math.max(...whole.map(({ size }) => size));
  if (most === 1) return partsOfRun(plan);
  const axis = whole.find(({ size }) => size >= Math.min(count, most))!;
  const unit = loops.includes(axis) || !isSize(box.bytes) ? 1 : TRANSPOSED_ROWS;
  const each = Math.ceil(axis.size / count / unit) * unit;
  const parts: Planned[] = [];
  for (let i = 0; i < axis.size; i += each) parts.push(partOf(plan, axis, i, Math.min(each, axis.size - i)));
  return parts;
}

/** A run of bytes as rows. */
function partsOfRun(plan: Planned): Planned[] {
  const parts: Planned[] = [];
  const { box } = plan;
  for (let at = 0; at < box.bytes; at += RUN_PART) {
    const bytes = Math.min(RUN_PART, box.bytes - at);
    parts.push({ ...plan, box: { ...box, from: box.from + at, to: box.to + at, bytes } });
  }
  return parts;
}
