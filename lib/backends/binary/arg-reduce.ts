/**
 * Positions of extremes along an axis or in the whole tensor. A NaN beats every number: the first one with ties broken low,
 * the last one with ties broken high. -0 and 0 are equal and so a tie.
 */
import type { PrimitiveFunction } from "../../backend";
import { compareInt64 } from "../../core/int64";
import { sizeOf, type Shape } from "../../core/shape";
import { isUnsigned, isWide } from "../../core/types";
import { loadF64, storeF64 } from "./convert";
import { walkPieces, type Grid, type Piece } from "./fold";
import { allocateFor, BinaryData, elementsOf } from "./storage";

/** What is better: larger or smaller, and whether the later of two equals is. */
interface Rule {
  readonly sign: 1 | -1;
  readonly later: boolean;
}

/** Takes one row of candidates into the best so far; the row's values are in `x` from `at`, its results from `to`. */
type TakeRow = (x: Float64Array, at: number, width: number, row: number, to: number) => void;

export const argReduce: PrimitiveFunction<"argReduce"> = (out, [x], { op, axis, tieBreak }) => {
  const grid = gridOf(x!.shape, axis);
  const rule: Rule = { sign: op === "argmax" ? 1 : -1, later: tieBreak === "high" };
  const elements = elementsOf(x!);
  const found = new Float64Array(grid.groups * grid.columns);
  if (isWide(x!.type)) findWide(elements as Int32Array, grid, rule, !isUnsigned(x!.type), found);
  else findFloats(grid, rule, found, (from, buffer, _at, n) => loadF64(x!.type, elements, from, buffer, n));
  const result = allocateFor(out.type, out.shape);
  storeF64(out.type, result, 0, found, found.length);
  return new BinaryData(result);
};

function gridOf(shape: Shape, axis: number | null): Grid {
  if (axis === null) return { groups: 1, rows: sizeOf(shape), columns: 1 };
  return { groups: sizeOf(shape.slice(0, axis)), rows: shape[axis]!, columns: sizeOf(shape.slice(axis + 1)) };
}

function findFloats(
  grid: Grid,
  rule: Rule,
  found: Float64Array,
  load: Parameters<typeof walkPieces<Float64Array>>[2],
): void {
  const best = new Float64Array(found.length);
  const buffer = new Float64Array(4096);
  const takeRow = chooseRow(rule, best, found);
  walkPieces(grid, buffer, load, ({ group, column, width, row, rows, at }: Piece) => {
    const to = group * grid.columns + column;
    let r = 0;
    if (row === 0) {
      for (let c = 0; c < width; c++) best[to + c] = buffer[at + c]!;
      r = 1;
    }
    if (width === 1) takeColumn(rule, buffer, at, r, rows, row, best, found, to);
    else for (; r < rows; r++) takeRow(buffer, at + r * width, width, row + r, to);
  });
}
