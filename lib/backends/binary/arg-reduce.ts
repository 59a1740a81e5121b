/**
 * Positions of extremes along an axis or in the whole tensor. A NaN beats every number: the first one with ties broken low,
 * the last one with ties broken high. -0 and 0 are equal and so a tie.
 */
import type { PrimitiveFunction } from "../../backend";
import { compareInt64 } from "../../core/int64";
import { sizeOf, type Shape } from "../../core/shape";
import { isUnsigned, isWide } from "../../core/types";
import { loadF64, storeF64 } from "./convert";
import type { Grid } from "./fold";
import { allocateFor, BinaryData, elementsOf, type Elements } from "./storage";

/** What is better: larger or smaller, and whether the later of two equals is. */
interface Rule {
  readonly sign: 1 | -1;
  readonly later: boolean;
}

/** Entries of the load buffer. */
const CHUNK = 4096;

export const argReduce: PrimitiveFunction<"argReduce"> = (out, [x], { op, axis, tieBreak }) => {
  const grid = gridOf(x!.shape, axis);
  const rule: Rule = { sign: op === "argmax" ? 1 : -1, later: tieBreak === "high" };
  const elements = elementsOf(x!);
  const found = new Float64Array(grid.groups * grid.columns);
  if (isWide(x!.type)) findWide(elements as Int32Array, grid, rule, !isUnsigned(x!.type), found);
  else {
    const load = (from: number, buffer: Float64Array, n: number) =>
      loadF64(x!.type, elements as Elements, from, buffer, n);
    if (grid.columns === 1) findInRows(load, grid, rule, found);
    else findInColumns(load, grid, rule, found);
  }
  const result = allocateFor(out.type, out.shape);
  storeF64(out.type, result, 0, found, found.length);
  return new BinaryData(result);
};

type Load = (from: number, buffer: Float64Array, n: number) => void;

function gridOf(shape: Shape, axis: number | null): Grid {
  if (axis === null) return { groups: 1, rows: sizeOf(shape), columns: 1 };
  return { groups: sizeOf(shape.slice(0, axis)), rows: shape[axis]!, columns: sizeOf(shape.slice(axis + 1)) };
}

/** Whether a value takes the place of the best so far. */
function beats(value: number, best: number, { sign, later }: Rule): boolean {
  if (value !== value) return later || best === best;
  return sign * value > sign * best || (later && value === best);
}

/** The elements of a result lie side by side. */
function findInRows(load: Load, { groups, rows }: Grid, rule: Rule, found: Float64Array): void {
  const buffer = new Float64Array(Math.min(CHUNK, rows));
  for (let group = 0; group < groups; group++) {
    let best = -rule.sign * Infinity;
    let at = 0;
    for (let from = 0; from < rows; from += buffer.length) {
      const n = Math.min(buffer.length, rows - from);
      load(group * rows + from, buffer, n);
      if (from === 0) best = buffer[0]!;
      for (let i = from === 0 ? 1 : 0; i < n; i++) {
        if (!beats(buffer[i]!, best, rule)) continue;
        best = buffer[i]!;
        at = from + i;
      }
    }
    found[group] = at;
  }
}

/** The elements of a result lie one row apart: whole rows are taken at a time, in tiles of columns. */
function findInColumns(load: Load, { groups, rows, columns }: Grid, rule: Rule, found: Float64Array): void {
  const buffer = new Float64Array(Math.min(CHUNK, columns));
  const best = new Float64Array(buffer.length);
  for (let group = 0; group < groups; group++) {
    for (let column = 0; column < columns; column += buffer.length) {
      const n = Math.min(buffer.length, columns - column);
      load(group * rows * columns + column, best, n);
      for (let row = 1; row < rows; row++) {
        load((group * rows + row) * columns + column, buffer, n);
        takeRow(buffer, best, n, row, rule, found, group * columns + column);
      }
    }
  }
}

function takeRow(
  buffer: Float64Array,
  best: Float64Array,
  n: number,
  row: number,
  rule: Rule,
  found: Float64Array,
  to: number,
): void {
  for (let i = 0; i < n; i++) {
    if (!beats(buffer[i]!, best[i]!, rule)) continue;
    best[i] = buffer[i]!;
    found[to + i] = row;
  }
}

/** 64-bit integers compare by their halves. */
function findWide(
  data: Int32Array,
  { groups, rows, columns }: Grid,
  rule: Rule,
  signed: boolean,
  found: Float64Array,
): void {
  for (let result = 0; result < groups * columns; result++) {
    const first = Math.floor(result / columns) * rows * columns + (result % columns);
    let at = 0;
    for (let row = 1; row < rows; row++) {
      const order =
        rule.sign * compareInt64(data, 2 * (first + row * columns), data, 2 * (first + at * columns), signed);
      if (order > 0 || (rule.later && order === 0)) at = row;
    }
    found[result] = at;
  }
}
