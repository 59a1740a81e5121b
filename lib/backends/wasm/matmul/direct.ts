/**
 * Tiles of sums that read operands where they lie: for products so small, or convolutions of so few filters, that packing takes
 * longer than it saves. Rows of the right operand lie in one piece each; the left one lies anyhow. The order of each sum is that of
 * packed tiles: from the first product to the last, a stretch after the other.
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
import { clearVector } from "./vector";

/**
 * Where the rows of the right operand are found: so many bytes from one to the next (`steps`), or by distances in a table, which
 * goes on at an address (`table`).
 */
type Way = "steps" | "table";

/** Vectors of a tile: as many as fit registers, so that sums do not wait for each other. */
const TILE_SUMS = 8;

/** Widths of the tiles of so many rows, in vectors, the widest first; the last ones are of two and of one. */
function widthsOf(rows: number): number[] {
  const widths = [2, 1];
  for (let width = 4; width * rows <= TILE_SUMS; width *= 2) widths.unshift(width);
  return widths;
}

/** Where operands lie: `a` with its rows and steps so many bytes apart, `b` as the way says. */
const OPERANDS = ["a", "aRow", "aStep", "b", "next"] as const;
/** The result with its rows so many bytes apart. */
const RESULT = ["c", "stride"] as const;

const MATRIX = [...OPERANDS, ...RESULT, "rows", "columns", "k", "stretch"] as const;

const POINTERS = ["a0", "a1", "a2", "a3"] as const;

/** All steps of a tile, a stretch after the other, from column `j` on. */
function wholeTile(way: Way, rows: number, width: number, lanes: Lanes): Code {
  const sums = rows * width;
  const names = ["at", "depth", "from", "step", "p", "to", ...POINTERS] as const;
  return define([...OPERANDS, ...RESULT, "k", "stretch", "j"], names, sums + width + 1, (x, vectors) => {
    const [right, left] = [vectors.slice(sums, sums + width), vectors[sums + width]!];
    const pointers = POINTERS.slice(0, rows).map((name) => x[name]);
    setAddress(x.b, x.b, x.j, lanes.size);
    setAddress(x.c, x.c, x.j, lanes.size);
    local.set(x.from, x.b);
    local.set(x.step, x.next);
    pointers.forEach((pointer, i) => local.set(pointer, i === 0 ? x.a : i32.add(pointers[i - 1]!, x.aRow)));
    range(x.at, x.k, x.stretch, () => {
      local.set(x.depth, i32.sub(x.k, x.at));
      setMinimum(x.depth, x.depth, x.stretch);
      vectors.slice(0, sums).forEach(clearVector);
      repeat(() => {
        if (way === "table") local.set(x.p, i32.add(i32.load({}, x.step), x.b));
        right.forEach((v, j) => {
          loadVector(lanes, way === "table" ? x.p : x.from, 16 * j);
          local.set(v);
        });
        pointers.forEach((pointer, i) => {
          lanes.splat(pointer, 0);
          local.set(left);
          right.forEach((v, j) => multiplyInto(lanes, vectors[i * width + j]!, left, v));
          advance(pointer, x.aStep);
        });
        if (way === "table") advance(x.step, 4);
        else advance(x.from, x.next);
        local.set(x.depth, i32.sub(x.depth, 1));
        local.get(x.depth);
      });
      local.set(x.to, x.c);
      storeTile(lanes, vectors, rows, width, { c: x.to, stride: x.stride, adds: x.at });
    });
  });
}

/**
 * So many rows, in tiles as wide as there is room for. What is left is done by a tile that ends with the columns, of which there
 * are at least as many as lanes: it does some again, with the same sums.
 */
function rowsOfTiles(way: Way, rows: number, lanes: Lanes): Code {
  const { count } = lanes;
  const widths = widthsOf(rows);
  const tiles = widths.map((width) => wholeTile(way, rows, width, lanes));
  const [two, one] = tiles.slice(-2) as [Code, Code];
  return define([...OPERANDS, ...RESULT, "k", "stretch", "columns"], ["j", "end"], 0, (x) => {
    const tileAt = (code: Code): void => {
      call(code, [...OPERANDS.map((name) => x[name]), x.c, x.stride, x.k, x.stretch, x.j]);
    };
    const last = (code: Code, width: number): void => {
      local.set(x.j, i32.sub(x.columns, width * count));
      tileAt(code);
    };
    local.set(x.j, 0);
    i32.ge_u(x.columns, 2 * count);
    when(
      () => {
        tiles.slice(0, -1).forEach((code, i) => {
          const columns = widths[i]! * count;
          i32.ge_u(x.columns, columns);
          when(() => {
            local.set(x.end, i32.sub(x.columns, columns - 1));
            onward(x.j, x.end, columns, () => tileAt(code));
          });
        });
        local.set(x.end, i32.sub(x.columns, x.j));
        i32.gt_u(x.end, count);
        when(
          () => last(two, 2),
          () => {
            local.get(x.end);
            when(() => last(one, 1));
          },
        );
      },
      () => {
        tileAt(one);
        i32.gt_u(x.columns, count);
        when(() => last(one, 1));
      },
    );
  });
}

/**
 * Sums of `rows` by `columns`, at least as many as lanes: the function of a small product or of a line of a convolution. Its arguments are addresses, distances
 * and sizes, so that other code calls it with any of them baked in.
 */
export function direct(way: Way, lanes: Lanes): Code {
  const each = Array.from({ length: TILE_ROWS }, (_, i) => rowsOfTiles(way, i + 1, lanes));
  return define(MATRIX, ["i", "count", "left", "to"], 0, (x) => {
    range(x.i, x.rows, TILE_ROWS, () => {
      local.set(x.count, i32.sub(x.rows, x.i));
      setAddress(x.left, x.a, x.i, x.aRow);
      setAddress(x.to, x.c, x.i, x.stride);
      const tiles = (code: Code): void => {
        call(code, [x.left, x.aRow, x.aStep, x.b, x.next, x.to, x.stride, x.k, x.stretch, x.columns]);
      };
      i32.ge_u(x.count, TILE_ROWS);
      when(
        () => tiles(each.at(-1)!),
        () =>
          each.slice(0, -1).forEach((code, i) => {
            i32.eq(x.count, i + 1);
            when(() => tiles(code));
          }),
      );
    });
  });
}

/** The same of `count` matrices, whose operands and results are so many bytes apart. */
export function products(lanes: Lanes): Code {
  const one = direct("steps", lanes);
  return define([...MATRIX, "count", "aNext", "bNext", "cNext"], ["i"], 0, (x) => {
    range(x.i, x.count, 1, () => {
      call(
        one,
        MATRIX.map((name) => x[name]),
      );
      advance(x.a, x.aNext);
      advance(x.b, x.bNext);
      advance(x.c, x.cNext);
    });
  });
}
