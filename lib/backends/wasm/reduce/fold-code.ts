/**
 * The functions that reductions consist of, in the order of operations that the binary backend documents: blocks of 128 rows
 * with eight accumulators each, and blocks joined in pairs. Works with addresses; elements lie as groups x rows x columns.
 *
 * Code reads and writes whole vectors: what lies up to {@link SLACK} bytes behind an operand may be read, and behind a
 * result overwritten.
 */
import { advance, call, define, i32, local, onward, range, setMinimum, v128, when, whileTrue } from "../asm";
import type { Code, Int, Vector } from "../asm";
import { SHORTCUT_ROWS, type Recurrence } from "../../../kernel/recurrence";
import { defineWith } from "../codegen/body";
import { SLACK } from "../memory";
import { columnsBlock } from "./across";
import { BLOCK, lineBlock, linePair, storeEntry } from "./along";
import { entryBytes, lanesOf } from "./steps";

// ---------------------------------------------------------------------------------------------------------------- joins

/** Joins `count` rows of entries in place: pairs of neighbours again and again. The first row is the result. */
function joinRows(recurrence: Recurrence): Code {
  const { join } = lanesOf(recurrence);
  const size = entryBytes(recurrence);
  const ints = ["to", "from", "pair", "half", "bytes", "offset", "left", "right"] as const;
  return defineWith(["partials", "count", "columns"], ints, 2, [join], (v, vectors, run) => {
    const [a, b] = vectors as [Vector, Vector];
    const joinBoth = (): void => run(join, [[a], [b]], [[a]]);
    local.set(v.bytes, i32.mul(v.columns, size));
    whileTrue(
      () => i32.gt_u(v.count, 1),
      () => {
        local.set(v.to, v.partials);
        local.set(v.from, v.partials);
        local.set(v.half, i32.shr_u(v.count, 1));
        range(v.pair, v.half, 1, () => {
          i32.eq(v.columns, 1);
          when(
            () => {
              loadEntry(size, a, v.from, 0);
              loadEntry(size, b, v.from, size);
              joinBoth();
              storeEntry(size, v.to, a);
            },
            () => joinRow(v, a, b, joinBoth),
          );
          advance(v.to, v.bytes);
          advance(v.from, v.bytes);
          advance(v.from, v.bytes);
        });
        i32.and(v.count, 1);
        when(() => copyRow(size, v, a));
        advance(v.count, 1);
        local.set(v.count, i32.shr_u(v.count, 1));
      },
    );
  });
}

type Names = "to" | "from" | "bytes" | "offset" | "left" | "right";
type Locals = { readonly [N in Names]: Int };

/** Two rows side by side into the one at `to`, which may be the first of them. */
function joinRow(v: Locals, a: Vector, b: Vector, joinBoth: () => void): void {
  range(v.offset, v.bytes, 16, () => {
    local.set(v.left, i32.add(v.from, v.offset));
    local.set(v.right, i32.add(v.left, v.bytes));
    local.set(a, v128.load({}, v.left));
    local.set(b, v128.load({}, v.right));
    joinBoth();
    local.set(v.left, i32.add(v.to, v.offset));
    v128.store({}, v.left, a);
  });
}

function copyRow(size: 4 | 8, v: Locals & { readonly columns: Int }, a: Vector): void {
  i32.eq(v.columns, 1);
  when(
    () => {
      loadEntry(size, a, v.from, 0);
      storeEntry(size, v.to, a);
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

function loadEntry(size: 4 | 8, out: Vector, at: Int, offset: number): void {
  local.set(out, size === 8 ? v128.load64_zero({ offset }, at) : v128.load32_zero({ offset }, at));
}

// ------------------------------------------------------------------------------------------------------------ reductions

/** Rows that are reduced in one go where the order does not matter: fewer than shortcuts allow. */
const PART = SHORTCUT_ROWS / 16;

/** Bytes that `fold` needs to work with. */
export const tempBytes = (recurrence: Recurrence, rows: number, columns: number): number =>
  (rows <= BLOCK ? 0 : Math.ceil(rows / BLOCK) * columns * entryBytes(recurrence)) + SLACK;

interface Blocks {
  /** `(x, n, to)` and, where there is one, `(x, to)` of two whole blocks. */
  readonly one: Code;
  readonly two: Code | null;
  /** `(x, n, pitch, columns, to)`; null where elements are always neighbours, in a single column. */
  readonly across: Code | null;
}

/** The functions of a module of reductions: of lines alone, or of columns, among which a piece may have a single one. */
export function reduceFunctions(
  recurrence: Recurrence,
  ofLines: boolean,
): { readonly [N in "blocks" | "join" | "fold"]: Code } {
  const isOrdered = typeof recurrence.order === "object";
  const of: Blocks = {
    one: lineBlock(recurrence),
    two: isOrdered && ofLines ? linePair(recurrence) : null,
    across: ofLines ? null : columnsBlock(recurrence),
  };
  const join = joinRows(recurrence);
  const blocks = allBlocks(recurrence, of, BLOCK);
  // Where the order does not matter, many rows are as good as a block.
  const most = isOrdered ? BLOCK : PART;
  const parts = isOrdered ? blocks : allBlocks(recurrence, of, most);
  return { blocks, join, fold: reduceGroups(recurrence, of, parts, most, join) };
}

/** One block: of neighbours, or of rows of columns. */
function callBlock({ one, across }: Blocks, columns: Int, ofOne: readonly [Int, Int, Int], pitch: Int): void {
  const line = (): void => void call(one, ofOne);
  if (across === null) return line();
  const [x, n, to] = ofOne;
  i32.eq(columns, 1);
  when(line, () => void call(across, [x, n, pitch, columns, to]));
}

/** `blocks(x, rows, pitch, columns, out)`: each block of so many rows into a row of entries. */
function allBlocks(recurrence: Recurrence, of: Blocks, block: number): Code {
  const { two } = of;
  const { bytes } = lanesOf(recurrence);
  const size = entryBytes(recurrence);
  return define(["x", "rows", "pitch", "columns", "out"], ["row", "n", "step", "bytes"], 0, (v) => {
    local.set(v.step, i32.mul(v.pitch, block));
    local.set(v.bytes, i32.mul(v.columns, size));
    if (two) {
      local.set(v.n, i32.and(v.rows, -2 * BLOCK));
      onward(v.row, v.n, 2 * BLOCK, () => {
        call(two, [v.x, v.out]);
        advance(v.x, 2 * BLOCK * bytes);
        advance(v.out, 2 * size);
      });
    }
    onward(v.row, v.rows, block, () => {
      local.set(v.n, i32.sub(v.rows, v.row));
      setMinimum(v.n, v.n, block);
      callBlock(of, v.columns, [v.x, v.n, v.out], v.pitch);
      advance(v.x, v.step);
      advance(v.out, v.bytes);
    });
  });
}

/** `fold(x, groups, step, rows, pitch, columns, out, temp)`: all rows of each group, `step` bytes from one to the next, into a row of entries. */
function reduceGroups(recurrence: Recurrence, of: Blocks, parts: Code, most: number, join: Code): Code {
  const size = entryBytes(recurrence);
  const ints = ["group", "count", "bytes", "offset", "left", "right", "to", "from"] as const;
  return define(["x", "groups", "step", "rows", "pitch", "columns", "out", "temp"], ints, 1, (v, vectors) => {
    local.set(v.bytes, i32.mul(v.columns, size));
    range(v.group, v.groups, 1, () => {
      i32.le_u(v.rows, most);
      when(
        () => callBlock(of, v.columns, [v.x, v.rows, v.out], v.pitch),
        () => {
          call(parts, [v.x, v.rows, v.pitch, v.columns, v.temp]);
          local.set(v.count, i32.add(v.rows, most - 1));
          local.set(v.count, i32.div_u(v.count, most));
          call(join, [v.temp, v.count, v.columns]);
          local.set(v.from, v.temp);
          local.set(v.to, v.out);
          copyRow(size, v, vectors[0]!);
        },
      );
      advance(v.x, v.step);
      advance(v.out, v.bytes);
    });
  });
}
