/**
 * How arrays of groups x rows x columns lie in memory where they are read: in order, or as a view of an array that is reduced without
 * being copied. Groups and columns both keep their places in the results, so lines of neighbours and columns side by side are chosen by
 * what are neighbours in memory: a transposed array is reduced along the other axis of the array that it is a view of.
 */
import { BLOCK } from "../../../kernel/recurrence";
import { collapse, type Access, type Walk } from "../../../kernel/operand";
import { rowMajorStrides } from "../../../core/shape";
import type { Grid } from "../../binary/fold";
import type { Lattice } from "../../arrays/copy";
import { isRowStep, type RowStep } from "../codegen/access";
import { SPARSE_TO } from "../schedule/copies";
import { SEEN_CALL_FROM, SHORT_ROWS } from "../schedule/reductions";
import { isShort } from "./across-rows";

/** Where the elements of a grid are, columns of which are neighbours: steps in elements. */
export interface StridedGrid {
  readonly grid: Grid;
  readonly offset: number;
  /** The axes of groups. */
  readonly groups: Walk;
  /** From a row to the next one. */
  readonly pitch: number;
  /** The same where rows are elements of a line; else 1. */
  readonly by: RowStep;
}

/** Elements one after the other. */
export const inOrder = (grid: Grid): StridedGrid => ({
  grid,
  offset: 0,
  groups: { shape: [grid.groups], strides: [grid.rows * grid.columns] },
  pitch: grid.columns,
  by: 1,
});

/** A walk over some axes as one for each of some sizes, the products of axes that are neighbours. */
function split({ shape, strides }: Walk, sizes: readonly number[]): Walk[] {
  const parts: Walk[] = [];
  let axis = shape.length - 1;
  let [left, step] = [shape[axis] ?? 1, strides[axis] ?? 0];
  for (let i = sizes.length - 1; i >= 0; i--) {
    const own: { readonly shape: number[]; readonly strides: number[] } = { shape: [], strides: [] };
    for (let need = sizes[i]!; need > 1;) {
      const dim = Math.min(need, left);
      own.shape.unshift(dim);
      own.strides.unshift(step);
      [need, left, step] = [need / dim, left / dim, step * dim];
      if (left === 1 && axis > 0) [left, step] = [shape[--axis]!, strides[axis]!];
    }
    parts.unshift(own);
  }
  return parts;
}

const joinedWalk = (...walks: readonly Walk[]): Walk =>
  collapse(
    walks.flatMap(({ shape }) => shape),
    walks.flatMap(({ strides }) => strides),
  );

/** Axes from that whose elements are farthest apart on, those that stand still first. */
function byDistance({ strides }: Walk): number[] {
  const far = (axis: number): number => Math.abs(strides[axis]!) || Infinity;
  return [...strides.keys()].sort((a, b) => (far(a) === far(b) ? a - b : far(b) - far(a)));
}

const inOrderOf = ({ shape, strides }: Walk, axes: readonly number[]): Walk => ({
  shape: axes.map((axis) => shape[axis]!),
  strides: axes.map((axis) => strides[axis]!),
});

const sizeOf = ({ shape }: Walk): number => shape.reduce((product, dim) => product * dim, 1);

/** A walk without its last axis. */
const outer = ({ shape, strides }: Walk): Walk => ({ shape: shape.slice(0, -1), strides: strides.slice(0, -1) });

/**
 * How rows along one axis are reduced where they lie, for results in the order of `kept`; null where they have to be copied. Rows of up to
 * `short` elements are done several at a time.
 */
function stridedOf(kept: Walk, reduced: Walk, offset: number, short: number): StridedGrid | null {
  const [rows, pitch] = [reduced.shape[0]!, reduced.strides[0]!];
  const isAcross = pitch !== 1 && kept.strides.at(-1) === 1 && kept.shape.at(-1)! >= 4;
  const by = isAcross ? 1 : pitch;
  if (!isRowStep(by) || (by !== 1 && isShort({ groups: sizeOf(kept), rows, columns: 1 }, short))) return null;
  const isLine = !isAcross;
  const columns = isLine ? 1 : kept.shape.at(-1)!;
  const groups = isLine ? kept : outer(kept);
  const strided = { grid: { groups: sizeOf(groups), rows, columns }, offset, groups, pitch, by };
  if (groups.shape.length < 2) return strided;
  // a call for each run of groups, of which none writes behind its results or needs room
  const isApart =
    !isShort({ groups: sizeOf(groups), rows, columns }, short) && rows <= BLOCK && (isLine || columns % 4 === 0);
  return isApart && groups.shape.at(-1)! * rows * columns >= SEEN_CALL_FROM ? strided : null;
}

/** How rows are reduced where they lie, and where the results are, in their order, if they are made in the order of memory. */
interface InPlace {
  readonly strided: StridedGrid;
  readonly results: (Lattice & { readonly shape: readonly number[] }) | null;
}

/** A view of groups x rows x columns that is reduced along rows. */
export class StridedView {
  private readonly kept: Walk;
  private readonly reduced: Walk;
  private readonly offset: number;

  constructor(
    { walk, offset }: Access,
    private readonly grid: Grid,
    /** Whether the order of rows does not matter. */
    isFree = false,
  ) {
    this.offset = offset;
    const [groups, rows, columns] = split(walk, [grid.groups, grid.rows, grid.columns]) as [Walk, Walk, Walk];
    this.kept = joinedWalk(groups, columns);
    this.reduced = joinedWalk(isFree ? inOrderOf(rows, byDistance(rows)) : rows);
  }

  /** How rows are reduced where they lie; null where they are along several axes, or have to be copied. */
  inPlace(short = SHORT_ROWS): InPlace | null {
    const { kept, reduced, offset } = this;
    if (reduced.shape.length !== 1) return null;
    const strided = stridedOf(kept, reduced, offset, short);
    return strided ? { strided, results: null } : this.inMemoryOrder(short);
  }

  /**
   * The same with kept axes in the order of memory and along it. Of every second to fourth column those between are reduced, too, since they are
   * on the lines that are read.
   */
  private inMemoryOrder(short: number): InPlace | null {
    const { kept, reduced, offset } = this;
    const order = byDistance(kept);
    const { shape, strides } = inOrderOf(kept, order);
    const steps = strides.map(Math.abs);
    const sizes = [...shape];
    const [last, columns] = [steps.length - 1, steps.at(-1) ?? 0];
    const apart = columns > 1 && columns <= SPARSE_TO && Math.abs(reduced.strides[0]!) > columns ? columns : 1;
    if (apart > 1) [sizes[last], steps[last]] = [(sizes[last]! - 1) * apart + 1, 1];
    const begin = strides.reduce((at, stride, i) => at + Math.min(0, stride) * (shape[i]! - 1), offset);
    const strided = stridedOf(joinedWalk({ shape: sizes, strides: steps }), reduced, begin, short);
    if (!strided) return null;
    const results = { shape: kept.shape, offset: 0, steps: [...kept.strides] };
    rowMajorStrides(sizes).forEach((step, i) => {
      const to = (i === last ? apart * step : step) * (strides[i]! < 0 ? -1 : 1);
      results.steps[order[i]!] = to;
      results.offset -= Math.min(0, to) * (shape[i]! - 1);
    });
    return { strided, results };
  }

  /**
   * The same for rows along several axes, the last of which is reduced first. Rows have the same order of operations as all at once
   * where lines along that axis are powers of two of blocks.
   */
  inParts(): { readonly strided: StridedGrid; readonly count: number } | null {
    const { kept, reduced, grid, offset } = this;
    const dim = reduced.shape.at(-1) ?? 0;
    const isWhole = dim % BLOCK === 0 && Number.isInteger(Math.log2(dim / BLOCK));
    if (reduced.shape.length < 2 || grid.columns > 1 || !isWhole) return null;
    const inner = { shape: [dim], strides: [reduced.strides.at(-1)!] };
    const strided = stridedOf(joinedWalk(kept, outer(reduced)), inner, offset, SHORT_ROWS);
    return strided && { strided, count: grid.rows / dim };
  }
}

/** The first element of a group. */
export function elementOf({ offset, groups: { shape, strides } }: StridedGrid, group: number): number {
  let element = offset;
  for (let axis = shape.length - 1, rest = group; axis >= 0; axis--) {
    element += (rest % shape[axis]!) * strides[axis]!;
    rest = Math.floor(rest / shape[axis]!);
  }
  return element;
}

/** Groups that are one step apart: the first of them, how many were there before, and how many they are. */
interface RunOfGroups {
  readonly from: number;
  readonly step: number;
  readonly done: number;
  readonly count: number;
}

/** Some groups in such runs. */
export function runsOf(strided: StridedGrid, start: number, n: number): RunOfGroups[] {
  const { shape, strides } = strided.groups;
  const [inner, step] = [shape.at(-1) ?? 1, strides.at(-1) ?? 0];
  const runs: RunOfGroups[] = [];
  for (let done = 0; done < n;) {
    const count = Math.min(n - done, inner - ((start + done) % inner));
    runs.push({ from: elementOf(strided, start + done), step, done, count });
    done += count;
  }
  return runs;
}
