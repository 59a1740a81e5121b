/**
 * Positions of extremes in many short rows, several rows at a time: values and element numbers go along the rows in the lanes
 * of vectors, by the rules of the other searches. Works with addresses.
 */
import { block, br_if, i32, i64x2, local, loop, v128 } from "../asm";
import { bytesOf } from "../../../core/types";
import { words } from "../codegen/vectors";
import { advance, define, type Code, type Int, type Vector } from "../asm/code";
import { nextNumber, pushWorst, takeBetter, type Search } from "./arg-code";
import { loadAs, pairOf } from "./lanes";
import { eachGroups, loadElements, SHORT_INTS, SIDE, SPARE, type Rows } from "./short-code";

const ARGS = ["x", "groups", "rows", "pitch", "columns", "first", "values", "indices"] as const;

/**
 * `find(x, groups, rows, pitch, columns, first, values, indices)` of contiguous rows that are short, which begin with element
 * 0; `pitch`, `columns` and `first` do not count, and `values` are not written. Numbers have 32 bits, or `long` ones 64. Of
 * fewer groups than lanes, up to three are written behind the last one.
 */
export function findShort(search: Search, long: boolean): Code {
  const { type, work, wide } = search;
  const pair = pairOf(work, type);
  const rows: Rows = {
    ...(pair && { pair }),
    wide,
    bytes: bytesOf(type),
    load: (out, at, offset, temp) => loadAs(work, type, out, at, offset, temp),
  };
  return define(ARGS, [...SHORT_INTS, "left"], 4 + SIDE + SPARE, (v, vectors) => {
    const [held, index, number] = vectors as [Vector, Vector, Vector];
    local.set(v.pitch, i32.mul(v.rows, rows.bytes));
    eachGroups(wide, v, (pointers) => {
      pushWorst(search);
      local.set(held);
      for (const to of [index, number]) {
        v128.const("i32x4", [0, 0, 0, 0]);
        local.set(to);
      }
      local.set(v.left, v.rows);
      searchSquares(search, rows, pointers, v.left, vectors);
      local.set(v.left, i32.add(v.indices, i32.mul(v.group, long ? 8 : 4)));
      storeNumbers(wide, long, index, v.left, vectors[3]!);
    });
  });
}

/** All `left` elements of the rows, four by four. */
function searchSquares(
  search: Search,
  rows: Rows,
  pointers: readonly Int[],
  left: Int,
  [held, index, number, mask, ...rest]: readonly Vector[],
): void {
  const [elements, spare] = [rest.slice(0, SIDE), rest.slice(SIDE)];
  block(null, (done) => {
    loop(null, (again) => {
      for (let j = 0; j < SIDE; j++) {
        loadElements(rows, pointers, j, elements, spare);
        takeBetter(search, held!, elements[j]!, index!, number!, mask!);
        nextNumber(search.wide, number!);
        if (j === SIDE - 1) continue;
        i32.le_u(left, j + 1);
        br_if(done);
      }
      for (const pointer of pointers) advance(pointer, SIDE * rows.bytes);
      advance(left, -SIDE);
      i32.lt_s(0, left);
      br_if(again);
    });
  });
}

function storeNumbers(wide: boolean, long: boolean, numbers: Vector, at: Int, temp: Vector): void {
  if (wide === long) return v128.store({}, at, numbers);
  if (long) {
    v128.store({}, at, i64x2.extend_low_i32x4_u(numbers));
    return v128.store({ offset: 16 }, at, i64x2.extend_high_i32x4_u(numbers));
  }
  local.set(temp, words(numbers, numbers, [0, 2, 0, 2]));
  v128.store64_lane({ offset: 0 }, 0, at, temp);
}
