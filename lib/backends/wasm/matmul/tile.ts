/**
 * The innermost part of a product of matrices: tiles of sums that stay in registers over a stretch of k (the register
 * blocking of Goto & van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008), and the loops over the tiles of a
 * region. Rows of the right operand lie in one piece each, or in panels as wide as a tile; the left one lies anyhow.
 */
import {
  advance,
  bytesOfVector,
  call,
  clear,
  define,
  freshHeld,
  i32,
  loadVector,
  local,
  multiplyInto,
  range,
  repeat,
  setAddress,
  setMinimum,
  storeFirst,
  storeVector,
  when,
  type Code,
  type Held,
  type Int,
  type Lanes,
  type Vector,
} from "../asm";

/** Sums of a tile, in vectors: as many as fit registers, so that sums do not wait for each other. */
const TILE_SUMS = 8;
/** Rows of a tile at most; twice as many as vectors in a row. Measured in f32: 43.7 GFLOP/s for 4 by 2, 42.1 for 4 by 3, 40.9 for 6 by 2. */
export const TILE_ROWS = 4;

/**
 * The same where products are added unrounded, so that none takes a register: 41.3 GFLOP/s for 6 by 2, 39.7 for 5 by 2, 37.1 for 4 by 2,
 * 30.7 for 4 by 3 (f32, 256 x 256, Sapphire Rapids), since a sum then waits four cycles for the one before and eight sums are too few.
 */
const TILE_ROWS_RELAXED = 6;

/** Rows of a tile: of scalars, which take the registers of addresses, half as many. */
export const tileRows = ({ count, mulAdd }: Lanes): number =>
  count === 1 ? TILE_ROWS / 2 : mulAdd ? TILE_ROWS_RELAXED : TILE_ROWS;

/** Columns of a tile. */
export const tileColumns = ({ count }: Lanes): number => (count === 1 ? 4 : 2) * count;

/**
 * Where the rows of the right operand are found: so many bytes from one to the next (`steps`), or by distances in a table, which
 * goes on at an address (`table`).
 */
type Way = "steps" | "table";

const POINTERS = ["a0", "a1", "a2", "a3", "a4", "a5"] as const;
const TILE = ["a", "aRow", "aStep", "b", "next", "c", "stride", "depth", "adds"] as const;

interface Shape {
  readonly rows: number;
  /** Vectors of a row. */
  readonly width: number;
  /** Whether only so many columns are stored as an argument says, the last vector not whole, or it alone. */
  readonly isPart: boolean;
}

/**
 * A tile of sums over `depth` steps, of which `a` has its rows `aRow` and its steps `aStep` bytes apart, added to what is there where
 * that holds the sums of an earlier stretch. There is a loop of one iteration around all, since V8 unrolls a loop the more the deeper it
 * lies, and one with nothing around it not at all: 0.82 to 0.9 of the time (f32, 256 x 256). What begins inside of that loop is measured, too
 * (tiles of one vector: 0.8 to 0.95 of the time with everything outside, f32 and f64, 3000 x 64 x 2).
 */
function tile(way: Way, shape: Shape, lanes: Lanes): Code {
  const { rows, width, isPart } = shape;
  const bytes = bytesOfVector(lanes);
  const ints = ["outer", "from", "step", "left", "p", ...POINTERS] as const;
  return define([...TILE, ...(isPart ? (["part"] as const) : [])], ints, 0, (x) => {
    const held = freshHeld(lanes, rows * width + width + 1);
    const [sums, right, left] = [held.slice(0, rows * width), held.slice(rows * width, -1), held.at(-1)!];
    const pointers = POINTERS.slice(0, rows).map((name) => x[name]);
    const begin = (): void => {
      local.set(x.from, x.b);
      local.set(x.step, x.next);
      pointers.forEach((pointer, i) => local.set(pointer, i === 0 ? x.a : i32.add(pointers[i - 1]!, x.aRow)));
    };
    const beginsOutside = way === "table" || width === 1;
    if (beginsOutside) begin();
    range(x.outer, x.depth, x.depth, () => {
      if (!beginsOutside) begin();
      local.set(x.left, x.depth);
      for (const sum of sums) clear(lanes, sum);
      repeat(() => {
        if (way === "table") local.set(x.p, i32.add(i32.load({}, x.step), x.b));
        right.forEach((v, j) => {
          loadVector(lanes, way === "table" ? x.p : x.from, bytes * j);
          local.set(v);
        });
        pointers.forEach((pointer, i) => {
          lanes.splat(pointer, 0);
          local.set(left);
          right.forEach((v, j) => multiplyInto(lanes, sums[i * width + j]!, left, v));
          advance(pointer, x.aStep);
        });
        if (way === "table") advance(x.step, 4);
        else advance(x.from, x.next);
        local.set(x.left, i32.sub(x.left, 1));
        local.get(x.left);
      });
      storeTile(lanes, sums, shape, x);
    });
  });
}

function storeTile(
  lanes: Lanes,
  sums: readonly Held[],
  { rows, width, isPart }: Shape,
  x: { readonly [N in "p" | "c" | "stride" | "adds" | "part"]: Int },
): void {
  const bytes = bytesOfVector(lanes);
  const each = (to: Int, act: (sum: Held, offset: number) => void): void => {
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < width; j++) act(sums[i * width + j]!, bytes * j);
      if (i < rows - 1) advance(to, x.stride);
    }
  };
  local.get(x.adds);
  when(() => {
    local.set(x.p, x.c);
    each(x.p, (sum, offset) => {
      loadVector(lanes, x.p, offset);
      local.get(sum);
      lanes.add();
      local.set(sum);
    });
  });
  const storeAll = (columns: number): void =>
    each(x.c, (sum, offset) => {
      const stored = Math.min(bytes, columns * lanes.size - offset);
      if (stored < bytes) return storeFirst(stored, x.c, sum as Vector, offset);
      local.get(x.c);
      local.get(sum);
      storeVector(lanes, offset);
    });
  if (!isPart) return storeAll(width * lanes.count);
  const most = Math.min(width * lanes.count, 2 * lanes.count - 1);
  for (let columns = (width - 1) * lanes.count + 1; columns <= most; columns++) {
    i32.eq(x.part, columns);
    when(() => storeAll(columns));
  }
}

/** Widths of the tiles of so many rows, in vectors, the widest first: as wide as keeps all registers busy. */
const widthsOf = (rows: number): number[] => [8, 4, 2].filter((width) => width === 2 || width * rows <= TILE_SUMS);

/** Where operands lie, and so many bytes from one column of the right one to the next: more than an element's where it lies in panels. */
const OPERANDS = ["a", "aRow", "aStep", "b", "next", "bColumn"] as const;
/** The result with its rows so many bytes apart. */
const RESULT = ["c", "stride"] as const;
const STRETCH = [...OPERANDS, ...RESULT, "columns", "depth", "adds"] as const;

/** A stretch of rows, whole multiples of those of a tile: in tiles as wide as there is room for, of which the last may not be whole. */
function rowsOfTiles(way: Way, rows: number, lanes: Lanes): Code {
  const whole = widthsOf(rows).map((width) => ({ columns: width * lanes.count, code: tile(way, { rows, width, isPart: false }, lanes) })); // prettier-ignore
  const [two, single] = [2, 1].map((width) => tile(way, { rows, width, isPart: true }, lanes)) as [Code, Code];
  return define(STRETCH, ["step"], 0, (x) => {
    const one = (code: Code, part: readonly Int[] = []): void =>
      void call(code, [x.a, x.aRow, x.aStep, x.b, x.next, x.c, x.stride, x.depth, x.adds, ...part]);
    for (const { columns, code } of whole) {
      const isWide = columns > tileColumns(lanes);
      i32.ge_u(x.columns, columns);
      if (isWide) {
        i32.eq(x.bColumn, lanes.size);
        i32.and();
      }
      when(() => {
        local.set(x.step, columns < tileColumns(lanes) ? columns * lanes.size : i32.mul(x.bColumn, columns));
        repeat(() => {
          one(code);
          advance(x.b, x.step);
          advance(x.c, columns * lanes.size);
          local.set(x.columns, i32.sub(x.columns, columns));
          i32.ge_u(x.columns, columns);
        });
      });
    }
    i32.gt_u(x.columns, lanes.count);
    when(
      () => one(two, [x.columns]),
      () => {
        local.get(x.columns);
        when(() => one(single, [x.columns]));
      },
    );
  });
}

const REGION = [...OPERANDS, ...RESULT, "rows", "columns", "k", "stretch"] as const;

/**
 * A region of the result: `rows` by `columns` sums over all of k, a stretch after the other. Every sum runs in an order that depends on
 * k and the stretch alone, so that regions can be cut in any way. Its arguments are addresses, distances and sizes, so that other
 * code calls it with any of them baked in.
 */
export function region(way: Way, lanes: Lanes): Code {
  const most = tileRows(lanes);
  const each = Array.from({ length: most }, (_, i) => rowsOfTiles(way, i + 1, lanes));
  return define(REGION, ["at", "depth", "whole", "i", "left", "right", "steps", "to"], 0, (x) => {
    local.set(x.whole, i32.mul(i32.div_u(x.rows, most), most));
    range(x.at, x.k, x.stretch, () => {
      local.set(x.depth, i32.sub(x.k, x.at));
      setMinimum(x.depth, x.depth, x.stretch);
      setAddress(x.left, x.a, x.at, x.aStep);
      setAddress(x.right, x.b, x.at, way === "table" ? 0 : x.next);
      setAddress(x.steps, x.next, x.at, way === "table" ? 4 : 0);
      local.set(x.to, x.c);
      const rows = (code: Code): void => {
        const operands = [x.left, x.aRow, x.aStep, x.right, x.steps, x.bColumn];
        call(code, [...operands, x.to, x.stride, x.columns, x.depth, x.at]);
      };
      range(x.i, x.whole, most, () => {
        rows(each.at(-1)!);
        advance(x.left, i32.mul(x.aRow, most));
        advance(x.to, i32.mul(x.stride, most));
      });
      each.slice(0, -1).forEach((code, i) => {
        i32.eq(i32.sub(x.rows, x.whole), i + 1);
        when(() => rows(code));
      });
    });
  });
}

/** The same region of `count` matrices, whose operands and results are so many bytes apart. */
export function regions(lanes: Lanes): Code {
  const one = region("steps", lanes);
  return define([...REGION, "count", "aNext", "bNext", "cNext"], ["i"], 0, (x) => {
    range(x.i, x.count, 1, () => {
      call(
        one,
        REGION.map((name) => x[name]),
      );
      advance(x.a, x.aNext);
      advance(x.b, x.bNext);
      advance(x.c, x.cNext);
    });
  });
}
