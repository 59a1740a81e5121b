/**
 * Turning planes, transposed matrices above all: neighbours in memory become neighbours across rows, a square of vectors at a time.
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
type TurnedSize = 2 | 4 | 8 | 16;

/**
 * Transposes the square that the first half of some vectors is, with the others to work in; gives those that hold it then. Each turn
 * puts the items of two vectors, half of them apart, one beside the other.
 */
function transpose(size: TurnedSize, vectors: readonly Vector[]): readonly Vector[] {
  const side = 16 / size;
  const half = side / 2;
  let [from, to] = [vectors.slice(0, side), vectors.slice(side)];
  for (let turn = 1; turn < side; turn *= 2) {
    to.forEach((vector, i) => {
      const items = Array.from({ length: side }, (_, k) => (i % 2) * half + Math.floor(k / 2) + (k % 2) * side);
      const pair = Math.floor(i / 2);
      local.set(vector, shuffleItems(size, items, from[pair]!, from[pair + half]!));
    });
    [from, to] = [to, from];
  }
  return from;
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
        for (const vector of transpose(size, vectors)) {
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
          for (const vector of transpose(size, vectors)) {
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
