/**
 * Transposes of planes: neighbours in memory become neighbours across rows, a square of vectors at a time.
 */
import { advance, copyOne, define, i32, local, onward, range, transposeItems, v128 } from "../asm";
import type { Code, Int, Size } from "../asm";

/** Squares of a band: sixteen items, or a line of the cache where these are more. */
export const bandOf = (size: Size): number => (size < 8 ? 4 : size);

/**
 * `rows` rows of `inner` items, `pitch` bytes apart at `to`: item i of row r is at `from + i * step + r * size`. Bands of some squares
 * beside each other come first: they fill lines of the cache at once, as rows a power of two apart push each other out of it. Then come
 * single squares, and what is left below and beside them one by one.
 */
export function transposeFunction(size: Size, squares = 1): Code {
  const side = 16 / size;
  const args = ["to", "pitch", "from", "step", "inner", "rows"] as const;
  const own = ["i", "r", "k", "at", "put", "source", "target", "wholeRows", "whole"] as const;
  return define(args, own, 2 * side, (v, vectors) => {
    const held = vectors.slice(0, side);
    const puts = held.map(() => local.fresh("i32"));
    /** Has rows begin with their i-th items. */
    const begin = (): void => {
      local.set(v.source, i32.add(v.from, i32.mul(v.i, v.step)));
      local.set(v.target, i32.add(v.to, i32.mul(v.i, size)));
    };
    /** A band of all rows: squares side by side. */
    const band = (count: number): void => {
      begin();
      range(v.r, v.wholeRows, side, () => {
        local.set(v.at, v.source);
        for (const put of puts) {
          local.set(put, v.target);
          advance(v.target, v.pitch);
        }
        for (let square = 0; square < count; square++) {
          for (const vector of held) {
            local.set(vector, v128.load({ align: 1 }, v.at));
            advance(v.at, v.step);
          }
          const place = { offset: 16 * square, align: 1 } as const;
          transposeItems(size, vectors).forEach((vector, j) => v128.store(place, puts[j]!, vector));
        }
        advance(v.source, 16);
      });
      local.set(v.r, v.wholeRows);
      onward(v.r, v.rows, 1, () => singles(size, count * side, v));
    };
    local.set(v.wholeRows, i32.and(v.rows, -side));
    local.set(v.i, 0);
    for (const count of new Set([squares, Math.min(squares, 2), 1])) {
      local.set(v.whole, i32.and(v.inner, -side * count));
      onward(v.i, v.whole, side * count, () => band(count));
    }
    onward(v.i, v.inner, 1, () => {
      begin();
      range(v.r, v.rows, 1, () => singles(size, 1, v));
    });
  });
}

type Row = { readonly [N in "at" | "put" | "k" | "source" | "target" | "step" | "pitch"]: Int };

/** So many items of a row, one by one; then the next row. */
function singles(size: Size, count: number, v: Row): void {
  const each = Math.min(count, 4);
  local.set(v.at, v.source);
  local.set(v.put, v.target);
  range(v.k, count, each, () => {
    for (let item = 0; item < each; item++) {
      copyOne(size, v.put, v.at, 0, item * size);
      advance(v.at, v.step);
    }
    advance(v.put, each * size);
  });
  advance(v.source, size);
  advance(v.target, v.pitch);
}
