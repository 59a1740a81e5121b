/**
 * The innermost part of a product of matrices: tiles of sums that stay in registers over a stretch of k (the register
 * blocking of Goto & van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008), and the loops over the tiles
 * of a region. Operands are packed.
 */
import {
  advance,
  call,
  copyOne,
  define,
  i32,
  loadVector,
  local,
  range,
  repeat,
  setAddress,
  setMinimum,
  storeVector,
  when,
  type Code,
  type Int,
  type Lanes,
  type Vector,
} from "../asm";
import { wideTile } from "./i64-tile";

/** Rows of a tile. */
export const TILE_ROWS = 4;
/** Vectors in a row of a tile. Measured: 43.7 GFLOP/s in f32 for 4 by 2 vectors, 42.1 for 4 by 3, 40.9 for 6 by 2. */
const TILE_VECTORS = 2;

/** Columns of a tile. */
export const tileColumns = (lanes: Lanes): number => TILE_VECTORS * lanes.count;

/** Bytes that a region needs to work on tiles over its edge. */
export const edgeBytes = (lanes: Lanes): number => TILE_ROWS * tileColumns(lanes) * lanes.size;

/**
 * A tile of `rows` rows: sums over `depth` steps of a panel of a (`rows` elements a step) and one of b (a row of the tile a
 * step). The loop is not unrolled: by four it was measured to be a fifth slower.
 */
function tile(rows: number, lanes: Lanes): Code {
  const sums = rows * TILE_VECTORS;
  const width = TILE_VECTORS * 16;
  return define(["a", "b", "c", "stride", "depth", "adds"], ["end"], sums + TILE_VECTORS + 1, (x, vectors) => {
    const right = vectors.slice(sums, sums + TILE_VECTORS);
    const left = vectors[sums + TILE_VECTORS]!;
    setAddress(x.end, x.b, x.depth, width);
    repeat(() => {
      right.forEach((v, j) => {
        loadVector(lanes, x.b, 16 * j);
        local.set(v);
      });
      for (let i = 0; i < rows; i++) {
        lanes.splat(x.a, i * lanes.size);
        local.set(left);
        right.forEach((v, j) => multiplyInto(lanes, vectors[i * TILE_VECTORS + j]!, left, v));
      }
      advance(x.a, rows * lanes.size);
      advance(x.b, width);
      i32.lt_u(x.b, x.end);
    });
    storeTile(lanes, vectors, rows, TILE_VECTORS, x);
  });
}

export function multiplyInto(lanes: Lanes, sum: Vector, a: Vector, b: Vector): void {
  if (lanes.mulAdd) {
    for (const each of [a, b, sum]) local.get(each);
    lanes.mulAdd();
  } else {
    for (const each of [sum, a, b]) local.get(each);
    lanes.mul();
    lanes.add();
  }
  local.set(sum);
}

/** Stores sums, so many vectors in a row, added to what is there where that holds the sums of an earlier stretch. */
export function storeTile(
  lanes: Lanes,
  sums: readonly Vector[],
  rows: number,
  width: number,
  x: { readonly c: Int; readonly stride: Int; readonly adds: Int },
): void {
  const each = (fn: (sum: Vector, offset: number) => void) => {
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < width; j++) fn(sums[i * width + j]!, 16 * j);
      if (i < rows - 1) advance(x.c, x.stride);
    }
  };
  const store = (sum: Vector, offset: number) => {
    local.get(x.c);
    local.get(sum);
    storeVector(lanes, offset);
  };
  const addAndStore = (sum: Vector, offset: number) => {
    local.get(x.c);
    loadVector(lanes, x.c, offset);
    local.get(sum);
    lanes.add();
    storeVector(lanes, offset);
  };
  local.get(x.adds);
  when(
    () => each(addAndStore),
    () => each(store),
  );
}

/** A tile of as many rows as are given. */
function anyTile(tiles: readonly Code[]): Code {
  return define(["rows", "a", "b", "c", "stride", "depth", "adds"], [], 0, (x) => {
    tiles.forEach((code, i) => {
      i32.eq(x.rows, i + 1);
      when(() => void call(code, [x.a, x.b, x.c, x.stride, x.depth, x.adds]));
    });
  });
}

/** Copies a rectangle of elements. */
function copyRectangle(lanes: Lanes): Code {
  return define(["from", "fromStride", "to", "toStride", "rows", "columns"], ["p", "q", "j"], 0, (x) => {
    repeat(() => {
      local.set(x.p, x.from);
      local.set(x.q, x.to);
      range(x.j, x.columns, 1, () => {
        copyOne(lanes.size, x.q, x.p);
        advance(x.p, lanes.size);
        advance(x.q, lanes.size);
      });
      advance(x.from, x.fromStride);
      advance(x.to, x.toStride);
      local.set(x.rows, i32.sub(x.rows, 1));
      local.get(x.rows);
    });
  });
}

/** A tile that reaches over the last column is worked on beside the result, of which it has `width` columns. */
function edgeTile(lanes: Lanes, any: Code): Code {
  const copy = copyRectangle(lanes);
  const stride = tileColumns(lanes) * lanes.size;
  return define(["rows", "a", "b", "c", "stride", "depth", "adds", "width", "edge"], ["own"], 0, (x) => {
    local.set(x.own, stride);
    local.get(x.adds);
    when(() => void call(copy, [x.c, x.stride, x.edge, x.own, x.rows, x.width]));
    call(any, [x.rows, x.a, x.b, x.edge, x.own, x.depth, x.adds]);
    call(copy, [x.edge, x.own, x.c, x.stride, x.rows, x.width]);
  });
}

/** Arguments of a region, all but the last in bytes or elements: see {@link region}. */
export const REGION = ["a", "b", "c", "stride", "rows", "columns", "k", "stretch", "edge"] as const;

/**
 * A region of the result: `rows` by `columns` sums over all of k, a stretch after the other, from packed panels of a and
 * b. Every sum runs in an order that depends on k and the stretch alone, so that regions can be cut in any way.
 */
export function region(lanes: Lanes): Code {
  const tiles = Array.from({ length: TILE_ROWS }, (_, i) => (lanes.type === "s64" ? wideTile : tile)(i + 1, lanes));
  const any = anyTile(tiles);
  const edge = edgeTile(lanes, any);
  const width = tileColumns(lanes);
  const names = ["at", "depth", "j", "i", "left", "right", "to", "count", "wide"] as const;
  return define(REGION, names, 0, (x) => {
    range(x.at, x.k, x.stretch, () => {
      local.set(x.depth, i32.sub(x.k, x.at));
      setMinimum(x.depth, x.depth, x.stretch);
      range(x.j, x.columns, width, () => {
        local.set(x.wide, i32.sub(x.columns, x.j));
        local.set(x.right, i32.add(i32.mul(i32.add(i32.mul(x.j, x.k), i32.mul(x.at, width)), lanes.size), x.b));
        range(x.i, x.rows, TILE_ROWS, () => {
          local.set(x.count, i32.sub(x.rows, x.i));
          setMinimum(x.count, x.count, TILE_ROWS);
          local.set(x.left, i32.add(i32.mul(i32.add(i32.mul(x.i, x.k), i32.mul(x.at, x.count)), lanes.size), x.a));
          local.set(x.to, i32.add(i32.add(i32.mul(x.i, x.stride), i32.mul(x.j, lanes.size)), x.c));
          oneTile(tiles[TILE_ROWS - 1]!, any, edge, width, x);
        });
      });
    });
  });
}

type TileLocals = {
  readonly [N in "left" | "right" | "to" | "stride" | "depth" | "at" | "count" | "wide" | "edge"]: Int;
};

function oneTile(full: Code, any: Code, edge: Code, width: number, x: TileLocals): void {
  const rest = [x.left, x.right, x.to, x.stride, x.depth, x.at];
  i32.lt_u(x.wide, width);
  when(
    () => void call(edge, [x.count, ...rest, x.wide, x.edge]),
    () => {
      i32.eq(x.count, TILE_ROWS);
      when(
        () => void call(full, rest),
        () => void call(any, [x.count, ...rest]),
      );
    },
  );
}
