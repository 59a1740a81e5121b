/**
 * The functions that folds consist of, in the order of operations that the binary backend documents: blocks of 128 rows with
 * eight accumulators each, and blocks joined in pairs. Works with addresses; elements lie as groups x rows x columns.
 *
 * Along contiguous rows the eight accumulators are lanes of four vectors; across columns each is a vector, or two.
 * Code reads and writes whole vectors: what lies up to {@link SLACK} bytes behind an operand may be read, and behind a
 * result overwritten.
 */
import { block, br_if, call, i32, i32x4, i64, i64x2, i8x16, local, v128 } from "../asm";
import { define, onward, range, repeat, setMinimum, when, type Code, type Int, type Vector } from "../asm/code";
import type { Four, Lanes } from "./lanes";

/** Rows of a block. */
export const BLOCK = 128;
const ACCUMULATORS = 8;
export { SLACK } from "../memory";

export const workBytes = (lanes: { readonly wide: boolean }): 4 | 8 => (lanes.wide ? 8 : 4);

/** Vectors that four elements take. */
const widthOf = (lanes: Lanes): 1 | 2 => (lanes.wide ? 2 : 1);

function setIdentity(lanes: Lanes, vectors: readonly Vector[]): void {
  for (const to of vectors) {
    lanes.identity();
    local.set(to);
  }
}

const groupsOf = (lanes: Lanes, vectors: readonly Vector[]): Four[] => {
  const width = widthOf(lanes);
  return Array.from({ length: vectors.length / width }, (_, i) => vectors.slice(i * width, (i + 1) * width));
};

/** `pointer += by`. */
const advance = (pointer: Int, by: Int | number): void => local.set(pointer, i32.add(pointer, by));

// ------------------------------------------------------------------------------------------------------ contiguous rows

/** One block of `n` neighbouring elements into the entry at `to`. */
export function lineBlock(lanes: Lanes): Code {
  const { quick } = lanes;
  if (!quick) return define(["x", "n", "to"], [], 11, (v, vectors) => wholeLine(lanes, v, vectors));
  return define(["x", "n", "to"], ["from", "count"], 13, (v, vectors) => {
    const [sum, more] = vectors.slice(11) as [Vector, Vector];
    local.set(v.from, v.x);
    local.set(v.count, v.n);
    for (const vector of [sum, more]) {
      v128.const("i32x4", [0, 0, 0, 0]);
      local.set(vector);
    }
    wholeLine({ ...lanes, join: quick.join }, v, vectors, (next) => {
      next.forEach((vector, i) => quick.add(i % 2 === 0 ? sum : more, vector));
    });
    quick.add(sum, more);
    quick.pushDoubt(vectors[0]!, sum);
    when(() => {
      local.set(v.x, v.from);
      local.set(v.n, v.count);
      wholeLine(lanes, v, vectors);
    });
  });
}

/** The whole block; `look` is shown the vectors of each step. */
function wholeLine(
  lanes: Lanes,
  { x, n, to }: { readonly [N in "x" | "n" | "to"]: Int },
  vectors: readonly Vector[],
  look: (next: readonly Vector[]) => void = () => {},
): void {
  const held = vectors.slice(0, 4);
  const next = vectors.slice(4, 8);
  const [identity, mask, temp] = vectors.slice(8, 11) as [Vector, Vector, Vector];
  const step = lanes.wide ? 8 : 16;
  const load = (): void => groupsOf(lanes, next).forEach((four, i) => lanes.load(four, x, 4 * i * lanes.bytes, temp));
  const join = (): void => {
    held.forEach((to, i) => lanes.join(to, next[i]!));
    look(next);
  };
  setIdentity(lanes, [identity, ...held]);
  i32.ge_u(n, step);
  when(() =>
    repeat(() => {
      load();
      join();
      advance(x, step * lanes.bytes);
      advance(n, -step);
      i32.ge_u(n, step);
    }),
  );
  local.get(n);
  when(() => {
    load();
    splatCount(lanes, n, mask);
    next.forEach((vector, i) => keepFirst(lanes, vector, i, identity, mask));
    join();
  });
  closeLine(lanes, held, next, to);
}

function splatCount(lanes: Lanes, n: Int, mask: Vector): void {
  local.get(n);
  if (lanes.wide) {
    i64.extend_i32_u();
    i64x2.splat();
  } else i32x4.splat();
  local.set(mask);
}

/** Replaces lanes of the `i`-th vector from the count on. */
function keepFirst(lanes: Lanes, vector: Vector, i: number, identity: Vector, count: Vector): void {
  local.get(vector);
  local.get(identity);
  local.get(count);
  if (lanes.wide) {
    v128.const("i64x2", [BigInt(2 * i), BigInt(2 * i + 1)]);
    i64x2.gt_s();
  } else {
    v128.const("i32x4", [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
    i32x4.gt_s();
  }
  v128.bitselect();
  local.set(vector);
}

/** Two whole blocks of neighbouring elements at once: with twice the accumulators nothing waits for a sum to be ready. */
function linePair(lanes: Lanes): Code {
  const width = widthOf(lanes);
  return define(["x", "to"], ["left"], 9 + width, (v, vectors) => {
    const blocks = [vectors.slice(0, 4), vectors.slice(4, 8)];
    const next = vectors.slice(8, 8 + width);
    const step = 16 / width;
    setIdentity(lanes, blocks.flat());
    local.set(v.left, i32.const(BLOCK / step));
    repeat(() => {
      for (let i = 0; i < 4; i += width) {
        blocks.forEach((held, b) => {
          lanes.load(next, v.x, (b * BLOCK + (4 * i) / width) * lanes.bytes, vectors[8 + width]!);
          next.forEach((vector, j) => lanes.join(held[i + j]!, vector));
        });
      }
      advance(v.x, step * lanes.bytes);
      local.tee(v.left, i32.sub(v.left, 1));
    });
    blocks.forEach((held, b) => closeLine(lanes, held, next, v.to, b * workBytes(lanes)));
  });
}

/** Joins four vectors to one entry, which all lanes of the first end as: lane 0 are the even accumulators, lane 1 the odd ones. */
function closeLine(lanes: Lanes, held: readonly Vector[], next: readonly Vector[], to: Int, offset = 0): void {
  const [a, b, c, d] = held as [Vector, Vector, Vector, Vector];
  lanes.join(a, c);
  lanes.join(b, d);
  lanes.join(a, b);
  const shifts = lanes.wide ? [8] : [8, 4];
  for (const bytes of shifts) {
    const lanesFrom = Array.from({ length: 16 }, (_, i) => (i + bytes) % 16);
    local.set(next[0]!, i8x16.shuffle(lanesFrom as never, a, a));
    lanes.join(a, next[0]!);
  }
  storeEntry(lanes, to, a, offset);
}

function storeEntry(lanes: Lanes, to: Int, vector: Vector, offset = 0): void {
  if (lanes.wide) v128.store64_lane({ offset }, 0, to, vector);
  else v128.store32_lane({ offset }, 0, to, vector);
}

function loadEntry(lanes: Lanes, out: Vector, at: Int, offset: number): void {
  local.set(out, lanes.wide ? v128.load64_zero({ offset }, at) : v128.load32_zero({ offset }, at));
}

// -------------------------------------------------------------------------------------------------------------- columns

/**
 * One block of `n` rows, `pitch` bytes apart, into a row of entries at `to`. Columns are taken by the vector where elements can
 * be loaded so, and by four otherwise: accumulators of two vectors each are more than machines have registers.
 */
export function columnsBlock(lanes: Lanes): Code {
  const { pair, quick } = lanes;
  const width = pair ? 1 : widthOf(lanes);
  const step = pair ? 2 : 4;
  const count = (ACCUMULATORS + 2) * width + 1;
  return define(["x", "n", "pitch", "columns", "to"], ["column", "at", "left"], count, (v, vectors) => {
    const held = Array.from({ length: ACCUMULATORS }, (_, j) => vectors.slice(j * width, (j + 1) * width));
    const next = vectors.slice(ACCUMULATORS * width, (ACCUMULATORS + 1) * width);
    const sums = vectors.slice((ACCUMULATORS + 1) * width, -1);
    const strip = { held, next, temp: vectors[count - 1]! };
    range(v.column, v.columns, step, () => {
      if (!quick) downRows(lanes, v, strip);
      else {
        for (const sum of sums) {
          v128.const("i32x4", [0, 0, 0, 0]);
          local.set(sum);
        }
        // The order of extremes does not matter, so that half of the accumulators do.
        const fewer = { ...strip, held: held.slice(0, ACCUMULATORS / 2) };
        downRows({ ...lanes, join: quick.join }, v, fewer, () => next.forEach((x, i) => quick.add(sums[i]!, x)));
        held[0]!.forEach((result, i) => {
          quick.pushDoubt(result, sums[i]!);
          if (i > 0) i32.or();
        });
        when(() => downRows(lanes, v, strip));
      }
      held[0]!.forEach((vector, i) => v128.store({ offset: 16 * i }, v.to, vector));
      advance(v.to, step * workBytes(lanes));
      advance(v.x, step * lanes.bytes);
    });
  });
}

interface Strip {
  readonly held: readonly Four[];
  readonly next: readonly Vector[];
  readonly temp: Vector;
}

/** All rows of some columns into the first accumulator; `look` is told when the next elements are loaded. */
function downRows(
  lanes: Lanes,
  v: { readonly [N in "x" | "n" | "pitch" | "at" | "left"]: Int },
  { held, next, temp }: Strip,
  look: () => void = () => {},
): void {
  const count = held.length;
  const row = (j: number): void => {
    if (lanes.pair) lanes.pair(next[0]!, v.at, 0);
    else lanes.load(next, v.at, 0, temp);
    held[j]!.forEach((to, i) => lanes.join(to, next[i]!));
    look();
    advance(v.at, v.pitch);
  };
  local.set(v.at, v.x);
  local.set(v.left, v.n);
  setIdentity(lanes, held.flat());
  i32.ge_u(v.left, count);
  when(() =>
    repeat(() => {
      for (let j = 0; j < count; j++) row(j);
      advance(v.left, -count);
      i32.ge_u(v.left, count);
    }),
  );
  block({ in: [], out: [] }, (done) => {
    for (let j = 0; j < count - 1; j++) {
      i32.le_u(v.left, j);
      br_if(done);
      row(j);
    }
  });
  closeColumns(lanes, held);
}

/** `((a0+a4)+(a2+a6))+((a1+a5)+(a3+a7))` into the first. */
function closeColumns(lanes: Lanes, held: readonly Four[]): void {
  for (let distance = held.length / 2; distance >= 1; distance /= 2) {
    for (let j = 0; j < distance; j++) held[j]!.forEach((left, i) => lanes.join(left, held[j + distance]![i]!));
  }
}

// ---------------------------------------------------------------------------------------------------------------- joins

/** Joins `count` rows of entries in place: pairs of neighbours again and again. The first row is the result. */
export function joinRows(lanes: Lanes): Code {
  const ints = ["to", "from", "pair", "half", "bytes", "offset", "left", "right"] as const;
  return define(["partials", "count", "columns"], ints, 2, (v, vectors) => {
    const [a, b] = vectors as [Vector, Vector];
    local.set(v.bytes, i32.mul(v.columns, workBytes(lanes)));
    i32.gt_u(v.count, 1);
    when(() =>
      repeat(() => {
        local.set(v.to, v.partials);
        local.set(v.from, v.partials);
        local.set(v.half, i32.shr_u(v.count, 1));
        range(v.pair, v.half, 1, () => {
          i32.eq(v.columns, 1);
          when(
            () => joinEntries(lanes, v.to, v.from, a, b),
            () => joinRow(lanes, v, a, b),
          );
          advance(v.to, v.bytes);
          local.set(v.from, i32.add(v.from, v.bytes));
          local.set(v.from, i32.add(v.from, v.bytes));
        });
        i32.and(v.count, 1);
        when(() => copyRow(lanes, v, a));
        local.set(v.count, i32.add(v.count, 1));
        local.set(v.count, i32.shr_u(v.count, 1));
        i32.gt_u(v.count, 1);
      }),
    );
  });
}

function joinEntries(lanes: Lanes, to: Int, from: Int, a: Vector, b: Vector): void {
  loadEntry(lanes, a, from, 0);
  loadEntry(lanes, b, from, workBytes(lanes));
  lanes.join(a, b);
  storeEntry(lanes, to, a);
}

type Names = "to" | "from" | "bytes" | "offset" | "left" | "right";
type Locals = { readonly [N in Names]: Int };

/** Two rows side by side into the one at `to`, which may be the first of them. */
function joinRow(lanes: Lanes, v: Locals, a: Vector, b: Vector): void {
  range(v.offset, v.bytes, 16, () => {
    local.set(v.left, i32.add(v.from, v.offset));
    local.set(v.right, i32.add(v.left, v.bytes));
    local.set(a, v128.load({}, v.left));
    local.set(b, v128.load({}, v.right));
    lanes.join(a, b);
    local.set(v.left, i32.add(v.to, v.offset));
    v128.store({}, v.left, a);
  });
}

function copyRow(lanes: Lanes, v: Locals & { readonly columns: Int }, a: Vector): void {
  i32.eq(v.columns, 1);
  when(
    () => {
      loadEntry(lanes, a, v.from, 0);
      storeEntry(lanes, v.to, a);
    },
    () =>
      range(v.offset, v.bytes, 16, () => {
        local.set(v.left, i32.add(v.from, v.offset));
        local.set(a, v128.load({}, v.left));
        local.set(v.left, i32.add(v.to, v.offset));
        v128.store({}, v.left, a);
      }),
  );
}

// ---------------------------------------------------------------------------------------------------------------- folds

/** The functions of a module of folds. */
export function foldFunctions(lanes: Lanes): { readonly [N in "blocks" | "join" | "fold"]: Code } {
  const join = joinRows(lanes);
  const line = { one: lineBlock(lanes), two: lanes.quick ? null : linePair(lanes) };
  const blocks = allBlocks(lanes, line, columnsBlock(lanes));
  return { blocks, join, fold: foldGroups(lanes, blocks, join) };
}

/** `blocks(x, rows, pitch, columns, out)`: each block into a row of entries. */
function allBlocks(lanes: Lanes, line: { readonly one: Code; readonly two: Code | null }, across: Code): Code {
  return define(["x", "rows", "pitch", "columns", "out"], ["row", "n", "step", "bytes"], 0, (v) => {
    local.set(v.step, i32.mul(v.pitch, BLOCK));
    local.set(v.bytes, i32.mul(v.columns, workBytes(lanes)));
    const { one, two } = line;
    if (two) {
      i32.eq(v.columns, 1);
      when(() => {
        local.set(v.n, i32.and(v.rows, -2 * BLOCK));
        onward(v.row, v.n, 2 * BLOCK, () => {
          call(two, [v.x, v.out]);
          advance(v.x, 2 * BLOCK * lanes.bytes);
          advance(v.out, 2 * workBytes(lanes));
        });
      });
    }
    onward(v.row, v.rows, BLOCK, () => {
      local.set(v.n, i32.sub(v.rows, v.row));
      setMinimum(v.n, v.n, BLOCK);
      i32.eq(v.columns, 1);
      when(
        () => void call(one, [v.x, v.n, v.out]),
        () => void call(across, [v.x, v.n, v.pitch, v.columns, v.out]),
      );
      local.set(v.x, i32.add(v.x, v.step));
      local.set(v.out, i32.add(v.out, v.bytes));
    });
  });
}

/** `fold(x, groups, rows, pitch, columns, out, temp)`: all rows of each group into a row of entries. */
function foldGroups(lanes: Lanes, blocks: Code, join: Code): Code {
  const ints = ["group", "count", "bytes", "offset", "left", "right", "to", "from"] as const;
  return define(["x", "groups", "rows", "pitch", "columns", "out", "temp"], ints, 1, (v, vectors) => {
    local.set(v.bytes, i32.mul(v.columns, workBytes(lanes)));
    range(v.group, v.groups, 1, () => {
      i32.le_u(v.rows, BLOCK);
      when(
        () => void call(blocks, [v.x, v.rows, v.pitch, v.columns, v.out]),
        () => {
          call(blocks, [v.x, v.rows, v.pitch, v.columns, v.temp]);
          local.set(v.count, i32.add(v.rows, BLOCK - 1));
          local.set(v.count, i32.div_u(v.count, BLOCK));
          call(join, [v.temp, v.count, v.columns]);
          local.set(v.from, v.temp);
          local.set(v.to, v.out);
          copyRow(lanes, v, vectors[0]!);
        },
      );
      i32.mul(v.rows, v.pitch);
      local.get(v.x);
      i32.add();
      local.set(v.x);
      advance(v.out, v.bytes);
    });
  });
}
