/**
 * Positions of extremes along an axis or in the whole tensor. A NaN beats every number: the first one with ties broken low,
 * the last one with ties broken high. -0 and 0 are equal and so a tie.
 */
import { compareInt64 } from "../../core/int64";
import { sizeOf } from "../../core/shape";
import { isUnsigned, is64Bit } from "../../core/types";
import type { Tensor } from "../../tensor";
import { loadF64, storeF64 } from "../arrays/convert";
import type { ArrayPrimitive } from "../arrays/primitives";
import { elementsOf } from "../arrays/storage";
import { CHUNK, gridOf, walkPieces, type Grid, type Loader, type Piece } from "./fold";

interface Search {
  readonly grid: Grid;
  /** Whether the least value is sought. */
  readonly least: boolean;
  /** Whether the last of equal values is. */
  readonly later: boolean;
}

const argReduce: ArrayPrimitive<"argReduce"> =
  (memory) =>
  (out, [x], { op, axis, tieBreak }) => {
    const grid = gridOf(x!.shape, axis);
    const search: Search = { grid, least: op === "argmin", later: tieBreak === "high" };
    const found = new Float64Array(grid.groups * grid.columns);
    if (is64Bit(x!.type)) findWide(search, elementsOf(x!) as Int32Array, !isUnsigned(x!.type), found);
    else findFloat(search, x!, found);
    const result = memory.zeroed(out.type, out.shape);
    storeF64(out.type, result, 0, found, found.length);
    return memory.hold(result);
  };

/** Looks for the largest value; for the least one the values change sign as they are read. */
function findFloat({ grid, least, later }: Search, x: Tensor, found: Float64Array): void {
  const elements = elementsOf(x);
  const best = new Float64Array(found.length).fill(-Infinity);
  const buffer = new Float64Array(Math.min(CHUNK, sizeOf(x.shape)));
  const load: Loader<Float64Array> = (from, values, at, n) => {
    loadF64(x.type, elements, from, at === 0 ? values : values.subarray(at), n);
    if (least) for (let i = at; i < at + n; i++) values[i] = -values[i]!;
  };
  walkPieces(grid, buffer, load, (piece) => takePiece(piece, buffer, best, found, piece.group * grid.columns, later));
}

function takePiece(
  { row, rows, column, width, at }: Piece,
  x: Float64Array,
  best: Float64Array,
  found: Float64Array,
  to: number,
  later: boolean,
): void {
  const first = to + column;
  for (let r = 0, i = at; r < rows; r++) {
    for (let c = first; c < first + width; c++, i++) {
      const value = x[i]!;
      const held = best[c]!;
      if (value > held || (later && value === held) || (value !== value && (later || held === held))) {
        best[c] = value;
        found[c] = row + r;
      }
    }
  }
}

function findWide({ grid, least, later }: Search, x: Int32Array, signed: boolean, found: Float64Array): void {
  const { groups, rows, columns } = grid;
  const wanted = least ? -1 : 1;
  for (let g = 0, at = 0; g < groups; g++) {
    const first = 2 * g * rows * columns;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++, at += 2) {
        const to = g * columns + c;
        const order = compareInt64(x, at, x, first + 2 * (found[to]! * columns + c), signed) * wanted;
        if (order > 0 || (later && order === 0)) found[to] = r;
      }
    }
  }
}

/** The primitive of positions of extremes. */
export const searches = { argReduce };
