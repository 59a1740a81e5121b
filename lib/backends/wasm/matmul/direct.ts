/**
 * Convolutions with few filters read their input where it lies: a tile of sums reads, at each step, the positions of a line side
 * by side from an address in a table. Nothing is packed; the order of each sum is that of packed tiles.
 */
import {
  advance,
  call,
  define,
  i32,
  loadVector,
  local,
  onward,
  range,
  repeat,
  setAddress,
  setMinimum,
  when,
  type Code,
  type Lanes,
} from "../asm";
import { multiplyInto, storeTile, TILE_ROWS } from "./tile";

/** Sums of a tile in vectors, whatever its rows: as many as fit registers, so that they do not wait for each other. */
const TILE_SUMS = 8;
/** Vectors in a row of the narrowest tile. */
const NARROWEST = 2;

/** Elements that a line has at least. */
export const lineLeast = (lanes: Lanes): number => NARROWEST * lanes.count;

/** Widths of the tiles of so many rows, in vectors, the widest first. */
function widthsOf(rows: number): number[] {
  const widths: number[] = [];
  for (let vectors = NARROWEST; vectors * rows <= TILE_SUMS; vectors *= 2) widths.unshift(vectors);
  return widths.length > 0 ? widths : [NARROWEST];
}

/** Sums over `depth` steps of a panel (`rows` elements a step), and of what lies from `b` on, `steps[i]` bytes further at step i. */
function directTile(rows: number, width: number, lanes: Lanes): Code {
  const sums = rows * width;
  const args = ["a", "b", "steps", "c", "stride", "depth", "adds"] as const;
  return define(args, ["end", "p"], sums + width + 1, (x, vectors) => {
    const right = vectors.slice(sums, sums + width);
    const left = vectors[sums + width]!;
    setAddress(x.end, x.steps, x.depth, 4);
    repeat(() => {
      local.set(x.p, i32.add(i32.load({}, x.steps), x.b));
      right.forEach((v, j) => {
        loadVector(lanes, x.p, 16 * j);
        local.set(v);
      });
      for (let i = 0; i < rows; i++) {
        lanes.splat(x.a, i * lanes.size);
        local.set(left);
        right.forEach((v, j) => multiplyInto(lanes, vectors[i * width + j]!, left, v));
      }
      advance(x.a, rows * lanes.size);
      advance(x.steps, 4);
      i32.lt_u(x.steps, x.end);
    });
    storeTile(lanes, vectors, rows, width, x);
  });
}

/** All steps of a tile, a stretch after the other, from column `j` on. */
function wholeTile(rows: number, width: number, lanes: Lanes): Code {
  const tile = directTile(rows, width, lanes);
  const args = ["a", "b", "steps", "c", "stride", "k", "stretch", "j"] as const;
  return define(args, ["at", "depth", "panel", "entry"], 0, (x) => {
    setAddress(x.b, x.b, x.j, lanes.size);
    setAddress(x.c, x.c, x.j, lanes.size);
    range(x.at, x.k, x.stretch, () => {
      local.set(x.depth, i32.sub(x.k, x.at));
      setMinimum(x.depth, x.depth, x.stretch);
      setAddress(x.panel, x.a, x.at, rows * lanes.size);
      setAddress(x.entry, x.steps, x.at, 4);
      call(tile, [x.panel, x.b, x.entry, x.c, x.stride, x.depth, x.at]);
    });
  });
}

/**
 * So many rows of a line of `width` columns, in tiles as wide as there is room for. What is left is done by a tile that ends with
 * the line: it does columns again, with the same sums.
 */
function stripe(rows: number, lanes: Lanes): Code {
  const widths = widthsOf(rows);
  const tiles = widths.map((width) => wholeTile(rows, width, lanes));
  const args = ["a", "b", "steps", "c", "stride", "k", "stretch", "width"] as const;
  return define(args, ["j", "last"], 0, (x) => {
    const tileAt = (tile: Code) => call(tile, [x.a, x.b, x.steps, x.c, x.stride, x.k, x.stretch, x.j]);
    local.set(x.j, 0);
    tiles.forEach((tile, i) => {
      const columns = widths[i]! * lanes.count;
      local.set(x.last, i32.sub(x.width, columns - 1));
      i32.ge_u(x.width, columns);
      when(() => onward(x.j, x.last, columns, () => void tileAt(tile)));
    });
    i32.lt_u(x.j, x.width);
    when(() => {
      local.set(x.j, i32.sub(x.width, lineLeast(lanes)));
      tileAt(tiles.at(-1)!);
    });
  });
}

/** A line of positions for `rows` filters, which lie packed at `a`; rows of the result are `stride` bytes apart. */
export function directLine(lanes: Lanes): Code {
  const stripes = Array.from({ length: TILE_ROWS }, (_, i) => stripe(i + 1, lanes));
  const args = ["a", "rows", "b", "steps", "c", "stride", "k", "stretch", "width"] as const;
  return define(args, ["i", "count", "panel", "to"], 0, (x) => {
    range(x.i, x.rows, TILE_ROWS, () => {
      local.set(x.count, i32.sub(x.rows, x.i));
      setMinimum(x.count, x.count, TILE_ROWS);
      local.set(x.panel, i32.add(i32.mul(i32.mul(x.i, x.k), lanes.size), x.a));
      setAddress(x.to, x.c, x.i, x.stride);
      stripes.forEach((code, i) => {
        i32.eq(x.count, i + 1);
        when(() => void call(code, [x.panel, x.b, x.steps, x.to, x.stride, x.k, x.stretch, x.width]));
      });
    });
  });
}
