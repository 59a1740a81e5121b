/**
 * The loops of decompositions in vectors of two doubles: the same operations in the same order as those of the binary backend.
 * Works with addresses and bytes.
 */
import { advance, call, define, f64x2, i32, i8x16, local, onward, range, repeat, v128, when } from "../asm";
import type { Code, Vector } from "../asm";
import { directFunctions, DOUBLE, load, store, type Direct, type Lanes } from "./direct-code";
import type { Functions } from "../modules/module";

const VECTOR = 16;

/** How an element is added to. */
type Join = "add" | "sub";

// ---- products

/** A tile of sums that stay in registers: rows, vectors of a row, and what a vector holds. */
interface Shape {
  readonly rows: number;
  readonly vectors: number;
  readonly lanes: Lanes;
}

/** Rows of a tile, and vectors of one of its rows: eight sums, which is what the latency of an addition takes. */
const TILE: Shape = { rows: 4, vectors: 2, lanes: 2 };
/** The same for rows that are left over. */
const STRIP: Shape = { rows: 1, vectors: 8, lanes: 2 };
const columnsOf = ({ vectors, lanes }: Shape): number => vectors * lanes;

const TILE_ARGUMENTS = ["c", "cRow", "a", "aRow", "aStep", "b", "bRow", "steps"] as const;

function tile({ rows, vectors, lanes }: Shape, join: Join): Code {
  const sums = rows * vectors;
  const pointers = ["a0", "a1", "a2", "a3", "p"] as const;
  return define(TILE_ARGUMENTS, pointers, sums + vectors + 1, (x, registers) => {
    const from = [x.a0, x.a1, x.a2, x.a3].slice(0, rows);
    const [right, left] = [registers.slice(sums, sums + vectors), registers[sums + vectors]!];
    const eachSum = (act: (sum: Vector, offset: number) => void): void => {
      local.set(x.p, x.c);
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < vectors; j++) act(registers[i * vectors + j]!, VECTOR * j);
        advance(x.p, x.cRow);
      }
    };
    eachSum((sum, offset) => local.set(sum, load(lanes, x.p, offset)));
    from.forEach((pointer, i) => local.set(pointer, i === 0 ? x.a : i32.add(from[i - 1]!, x.aRow)));
    repeat(() => {
      right.forEach((v, j) => local.set(v, load(lanes, x.b, VECTOR * j)));
      from.forEach((pointer, i) => {
        local.set(left, v128.load64_splat({}, pointer));
        right.forEach((v, j) => {
          const sum = registers[i * vectors + j]!;
          local.set(sum, f64x2[join](sum, f64x2.mul(left, v)));
        });
        advance(pointer, x.aStep);
      });
      advance(x.b, x.bRow);
      local.tee(x.steps, i32.sub(x.steps, 1));
    });
    eachSum((sum, offset) => store(lanes, x.p, offset, sum));
  });
}

/** Rows of products by tiles of one height: whole tiles, then vectors, then what is left of the last one. */
function rowOfTiles(shape: Shape, join: Join): Code {
  const { rows } = shape;
  const shapes: readonly Shape[] = [shape, { rows, vectors: 1, lanes: 2 }, { rows, vectors: 1, lanes: 1 }];
  const tiles = shapes.map((each) => tile(each, join));
  return define([...TILE_ARGUMENTS, "columns"], ["j", "end"], 0, (x) => {
    local.set(x.j, 0);
    shapes.forEach((each, i) => {
      // Up to the last whole tile.
      const columns = columnsOf(each);
      local.set(x.end, i32.sub(x.columns, columns - 1));
      i32.gt_s(x.columns, columns - 1);
      when(() =>
        onward(x.j, x.end, columns, () => {
          call(tiles[i]!, [x.c, x.cRow, x.a, x.aRow, x.aStep, x.b, x.bRow, x.steps]);
          advance(x.c, columns * DOUBLE);
          advance(x.b, columns * DOUBLE);
        }),
      );
    });
  });
}

function products(join: Join): Code {
  const [tall, low] = [rowOfTiles(TILE, join), rowOfTiles(STRIP, join)];
  const names = ["c", "cRow", "a", "aRow", "aStep", "b", "bRow", "rows", "columns", "steps"] as const;
  return define(names, ["i", "end", "next", "below"], 0, (x) => {
    const each = (rows: number, code: Code): void => {
      call(code, [x.c, x.cRow, x.a, x.aRow, x.aStep, x.b, x.bRow, x.steps, x.columns]);
      advance(x.c, i32.mul(x.cRow, rows));
      advance(x.a, i32.mul(x.aRow, rows));
    };
    local.set(x.end, i32.and(x.rows, -TILE.rows));
    range(x.i, x.end, TILE.rows, () => each(TILE.rows, tall));
    onward(x.i, x.rows, 1, () => each(1, low));
  });
}

// ---- dots

/** Vectors of sums: elements are summed by their positions modulo 8. */
const SUMS = 4;

function dots(): Code {
  const names = ["out", "x", "xRow", "count", "y", "length"] as const;
  return define(names, ["i", "k", "p", "q", "eights", "pairs"], SUMS, (x, sums) => {
    const join = (lanes: Lanes, sum: Vector, offset: number): void =>
      local.set(sum, f64x2.add(sum, f64x2.mul(load(lanes, x.p, offset), load(lanes, x.q, offset))));
    const step = (bytes: number): void => {
      advance(x.p, bytes);
      advance(x.q, bytes);
    };
    local.set(x.eights, i32.and(x.length, -2 * SUMS));
    local.set(x.pairs, i32.and(x.length, -2));
    range(x.i, x.count, 1, () => {
      local.set(x.p, x.x);
      local.set(x.q, x.y);
      for (const sum of sums) local.set(sum, v128.const("f64x2", [0, 0]));
      range(x.k, x.eights, 2 * SUMS, () => {
        sums.forEach((sum, i) => join(2, sum, VECTOR * i));
        step(SUMS * VECTOR);
      });
      onward(x.k, x.pairs, 2, () => {
        join(2, sums[0]!, 0);
        step(VECTOR);
      });
      onward(x.k, x.length, 1, () => join(1, sums[0]!, 0));
      const [s0, s1, s2, s3] = sums;
      local.set(s0, f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3)));
      local.set(s1, i8x16.shuffle([8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7], s0, s0));
      store(1, x.out, 0, f64x2.add(s0, s1));
      advance(x.out, DOUBLE);
      advance(x.x, x.xRow);
    });
  });
}

// ---- rotations

/** A strip of all rows, of which the one that is rotated next stays in registers. */
function rotateStrip(vectors: number, lanes: Lanes): Code {
  return define(["x", "xRow", "rotations", "count"], ["next"], 2 * vectors + 2, (x, registers) => {
    const [held, come] = [registers.slice(0, vectors), registers.slice(vectors, 2 * vectors)];
    const [c, s] = registers.slice(2 * vectors) as [Vector, Vector];
    held.forEach((v, j) => local.set(v, load(lanes, x.x, VECTOR * j)));
    repeat(() => {
      local.set(c, v128.load64_splat({}, x.rotations));
      local.set(s, v128.load64_splat({ offset: DOUBLE }, x.rotations));
      local.set(x.next, i32.add(x.x, x.xRow));
      held.forEach((v, j) => {
        local.set(come[j]!, load(lanes, x.next, VECTOR * j));
        store(lanes, x.x, VECTOR * j, f64x2.add(f64x2.mul(c, v), f64x2.mul(s, come[j]!)));
        local.set(v, f64x2.sub(f64x2.mul(c, come[j]!), f64x2.mul(s, v)));
      });
      local.set(x.x, x.next);
      advance(x.rotations, 2 * DOUBLE);
      local.tee(x.count, i32.sub(x.count, 1));
    });
    held.forEach((v, j) => store(lanes, x.x, VECTOR * j, v));
  });
}

/** Doubles of a strip: a cache line. */
const STRIP_DOUBLES = 8;

function rotateRows(): Code {
  const strips = [
    [STRIP_DOUBLES, rotateStrip(STRIP_DOUBLES / 2, 2)],
    [2, rotateStrip(1, 2)],
    [1, rotateStrip(1, 1)],
  ] as const;
  return define(["x", "xRow", "rotations", "count", "length"], ["k", "end"], 0, (x) => {
    local.set(x.k, 0);
    for (const [doubles, code] of strips) {
      local.set(x.end, i32.and(x.length, -doubles));
      onward(x.k, x.end, doubles, () => {
        call(code, [x.x, x.xRow, x.rotations, x.count]);
        advance(x.x, doubles * DOUBLE);
      });
    }
  });
}

const subtractProducts = products("sub");

/** The code of whole real matrices. */
export const direct: Direct = directFunctions(subtractProducts);

/** All of them. */
export const lineFunctions = (): Functions => ({
  addProducts: products("add"),
  subtractProducts,
  dots: dots(),
  rotateRows: rotateRows(),
  ...direct,
});
