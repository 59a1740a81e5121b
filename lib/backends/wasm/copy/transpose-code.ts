/**
 * Turning planes, transposed matrices above all: neighbours in memory become neighbours across rows, four by four.
 */
import {
  advance,
  copyOne,
  define,
  i32,
  local,
  onward,
  range,
  setMinimum,
  shuffleItems,
  v128,
  when,
  type Code,
  type Vector,
} from "../asm";

/** Bytes of items that vectors bring into order. */
type TurnedSize = 4 | 8;

/** Transposes the square that the rows of vectors are. */
function transpose(size: TurnedSize, rows: readonly Vector[], temp: readonly Vector[]): void {
  const set = (to: Vector, x: Vector, y: Vector, items: readonly number[], bytes: number = size): void =>
    local.set(to, shuffleItems(bytes, items, x, y));
  const [a, b, c, d] = rows as [Vector, Vector, Vector, Vector];
  const [p, q, r, s] = temp as [Vector, Vector, Vector, Vector];
  if (size === 8) {
    set(p, a, b, [0, 2]);
    set(b, a, b, [1, 3]);
    return local.set(a, p);
  }
  set(p, a, b, [0, 4, 1, 5]);
  set(q, a, b, [2, 6, 3, 7]);
  set(r, c, d, [0, 4, 1, 5]);
  set(s, c, d, [2, 6, 3, 7]);
  set(a, p, r, [0, 2], 8);
  set(b, p, r, [1, 3], 8);
  set(c, q, s, [0, 2], 8);
  set(d, q, s, [1, 3], 8);
}

/**
 * `rows` rows of `inner` items, `pitch` bytes apart at `to`: item i of row r is at `from + i * step + r * size`. Squares of whole
 * vectors first, then what is left beside and below them, one by one.
 */
export function turnFunction(size: TurnedSize): Code {
  const side = 16 / size;
  const args = ["to", "pitch", "from", "step", "inner", "rows"] as const;
  const own = ["i", "r", "source", "target", "wholeRows", "wholeInner"] as const;
  return define(args, own, 2 * side, (v, vectors) => {
    const { to, pitch, from, step, inner, rows, i, r, source, target, wholeRows, wholeInner } = v;
    const place = (): void => {
      local.set(source, i32.add(from, i32.add(i32.mul(i, step), i32.mul(r, size))));
      local.set(target, i32.add(to, i32.add(i32.mul(r, pitch), i32.mul(i, size))));
    };
    const one = (): void => {
      place();
      copyOne(size, target, source);
    };
    local.set(wholeRows, i32.and(rows, -side));
    local.set(wholeInner, i32.and(inner, -side));
    const held = vectors.slice(0, side);
    range(i, wholeInner, side, () => {
      range(r, wholeRows, side, () => {
        place();
        for (const vector of held) {
          local.set(vector, v128.load({ align: size }, source));
          local.set(source, i32.add(source, step));
        }
        transpose(size, held, vectors.slice(side));
        for (const vector of held) {
          v128.store({ align: size }, target, vector);
          local.set(target, i32.add(target, pitch));
        }
      });
      local.set(r, wholeRows);
      i32.lt_u(r, rows);
      when(() => {
        // Rows below the squares, of the columns that these have.
        onward(r, rows, 1, () => {
          place();
          for (let k = 0; k < side; k++) {
            copyOne(size, target, source);
            local.set(source, i32.add(source, step));
            local.set(target, i32.add(target, size));
          }
        });
      });
    });
    local.set(i, wholeInner);
    onward(i, inner, 1, () => range(r, rows, 1, one));
  });
}

/** Bytes of a row of the tile that planes are turned through, and how many rows it has. */
const TILE_ROW = 256;
const TILE_ROWS = 64;
export const TILE_BYTES = TILE_ROW * TILE_ROWS;

/** Sizes of equal parts, whole squares, that so many items are cut into; of fewer items than a square all of them. */
function partOf(items: number, most: number, side: number): number {
  const each = Math.ceil(items / Math.ceil(items / most));
  return Math.min(items, Math.ceil(each / side) * side);
}

/** The rows and items of a tile for {@link tiledFunction}. */
export const tileOf = (size: TurnedSize, inner: number, rows: number): readonly [high: number, wide: number] => [
  partOf(inner, TILE_ROWS, 16 / size),
  partOf(rows, TILE_ROW / size, 16 / size),
];

/** Neighbouring items that fit a row of the tile. */
export const tileItems = (size: number): number => TILE_ROW / size;

/**
 * As {@link turnFunction}, by tiles of `high` x `wide` items that are copied to `tile` first: what lies many bytes apart pushes itself
 * out of the caches, which have few places for addresses that are alike in their lower bits. Planes have at least a square of items; the
 * last tiles begin early enough to be whole. Of `groups` groups of rows, the items of which follow each other at the source, the first
 * rows lie `gap` bytes apart at `to`; where there are several, tiles have all of them.
 */
export function tiledFunction(size: TurnedSize): Code {
  const side = 16 / size;
  const args = ["to", "pitch", "from", "step", "inner", "rows", "tile", "high", "wide", "groups", "gap"] as const;
  const own = ["i", "r", "y", "x", "g", "lastY", "lastX", "i0", "r0", "source", "target", "at", "bytes"] as const;
  return define(args, [...own, "endY", "endX", "tileY", "tileX", "group", "put"], 2 * side, (v, vectors) => {
    const held = vectors.slice(0, side);
    const fill = (): void => {
      local.set(v.source, i32.add(v.from, i32.add(i32.mul(v.y, v.step), i32.mul(v.x, size))));
      local.set(v.at, v.tile);
      range(v.i, v.high, 1, () => {
        range(v.r, v.bytes, 16, () => {
          local.set(v.i0, i32.add(v.source, v.r));
          local.set(v.r0, i32.add(v.at, v.r));
          v128.store({ align: 1 }, v.r0, v128.load({ align: 1 }, v.i0));
        });
        advance(v.source, v.step);
        advance(v.at, TILE_ROW);
      });
    };
    const empty = (): void => {
      range(v.r, v.wide, side, () => {
        setMinimum(v.r0, v.r, v.lastX);
        range(v.i, v.high, side, () => {
          setMinimum(v.i0, v.i, v.lastY);
          local.set(v.source, i32.add(v.group, i32.add(i32.mul(v.i0, TILE_ROW), i32.mul(v.r0, size))));
          local.set(v.target, i32.add(v.put, i32.mul(i32.add(v.x, v.r0), v.pitch)));
          advance(v.target, i32.mul(i32.add(v.y, v.i0), size));
          held.forEach((vector, k) => local.set(vector, v128.load({ offset: k * TILE_ROW, align: 1 }, v.source)));
          transpose(size, held, vectors.slice(side));
          for (const vector of held) {
            v128.store({ align: size }, v.target, vector);
            advance(v.target, v.pitch);
          }
        });
      });
    };
    local.set(v.bytes, i32.mul(i32.mul(v.wide, v.groups), size));
    local.set(v.lastY, i32.sub(v.high, side));
    local.set(v.lastX, i32.sub(v.wide, side));
    local.set(v.endY, i32.sub(v.inner, v.high));
    local.set(v.endX, i32.sub(v.rows, v.wide));
    range(v.tileY, v.inner, v.high, () => {
      setMinimum(v.y, v.tileY, v.endY);
      range(v.tileX, v.rows, v.wide, () => {
        setMinimum(v.x, v.tileX, v.endX);
        fill();
        local.set(v.group, v.tile);
        local.set(v.put, v.to);
        range(v.g, v.groups, 1, () => {
          empty();
          advance(v.group, i32.mul(v.wide, size));
          advance(v.put, v.gap);
        });
      });
    });
  });
}
