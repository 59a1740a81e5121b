/**
 * The functions that reductions consist of, in the order of operations that the binary backend documents: blocks of 128 rows
 * with eight accumulators each, and blocks joined in pairs. Works with addresses; elements lie as groups x rows x columns.
 *
 * Code reads and writes whole vectors: what lies up to {@link SLACK} bytes behind an operand may be read, and behind a
 * result overwritten.
 */
import {
  advance,
  call,
  copyOne,
  define,
  i32,
  local,
  memory,
  onward,
  range,
  setMinimum,
  v128,
  when,
  whileTrue,
} from "../asm";
import type { Code, Int, Vector } from "../asm";
import { BLOCK, SHORTCUT_ROWS, type Recurrence } from "../../../kernel/recurrence";
import { defineWith } from "../codegen/body";
import { SLACK } from "../memory/linear";
import { columnsBlock } from "./across";
import { lineBlock, linePair, storeEntry } from "./along";
import { entryBytes, lanesOf } from "./steps";

/** The arguments of the function that reduces, searches or scans a piece: `first` is the number of its first row, `room` a place to work in. */
export const PIECE_ARGS = ["x", "groups", "step", "rows", "pitch", "columns", "first", "to", "other", "room"] as const;

/** The functions of a module of reductions, searches or scans. */
export interface Functions extends Readonly<Record<string, Code>> {
  /** Takes {@link PIECE_ARGS}: all rows of each group, `step` bytes from one to the next, into rows of entries at `to` and `other`. */
  readonly run: Code;
}

// ---------------------------------------------------------------------------------------------------------------- joins

/**
 * `(to, other, count, columns)`: joins `count` rows of entries in place, pairs of neighbours again and again. The first row is the
 * result. What is held first lies at `to`; of searches, whose results are positions, at `other`.
 */
export function joinRows(recurrence: Recurrence): Code {
  const { join, init } = lanesOf(recurrence);
  const size = entryBytes(recurrence);
  const ints = ["into", "from", "pair", "half", "bytes", "offset", "at"] as const;
  return defineWith(["to", "other", "count", "columns"], ints, 2 * init.length, [join], (v, vectors, run) => {
    const rooms = [v.other, v.to].slice(-init.length);
    const [left, right] = [vectors.slice(0, rooms.length), vectors.slice(rooms.length)];
    const load = (to: readonly Vector[], row: Int, step: Int | 0): void =>
      to.forEach((vector, i) => {
        local.set(v.at, i32.add(i32.add(rooms[i]!, row), i32.add(v.offset, step)));
        local.set(vector, v128.load({}, v.at));
      });
    const store = (): void =>
      left.forEach((vector, i) => {
        local.set(v.at, i32.add(i32.add(rooms[i]!, v.into), v.offset));
        i32.eq(v.columns, 1);
        when(
          () => storeEntry(size, v.at, vector),
          () => v128.store({}, v.at, vector),
        );
      });
    /** A row, or a row and the one behind it, to where results go, which may be the first of them. */
    const put = (isPair: boolean): void =>
      range(v.offset, v.bytes, 16, () => {
        load(left, v.from, 0);
        if (isPair) {
          load(right, v.from, v.bytes);
          const groups = vectors.map((vector) => [vector]);
          run(join, groups, groups.slice(0, rooms.length));
        }
        store();
      });
    local.set(v.bytes, i32.mul(v.columns, size));
    whileTrue(
      () => i32.gt_u(v.count, 1),
      () => {
        local.set(v.into, 0);
        local.set(v.from, 0);
        local.set(v.half, i32.shr_u(v.count, 1));
        range(v.pair, v.half, 1, () => {
          put(true);
          advance(v.into, v.bytes);
          for (let i = 0; i < 2; i++) advance(v.from, v.bytes);
        });
        i32.and(v.count, 1);
        when(() => put(false));
        advance(v.count, 1);
        local.set(v.count, i32.shr_u(v.count, 1));
      },
    );
  });
}

// ------------------------------------------------------------------------------------------------------------ reductions

/** Rows that are reduced in one go where the order does not matter: fewer than shortcuts allow. */
const PART = SHORTCUT_ROWS / 16;

/** Bytes that `run` needs to work with. */
export const tempBytes = (recurrence: Recurrence, rows: number, columns: number): number =>
  (rows <= BLOCK ? 0 : Math.ceil(rows / BLOCK) * columns * entryBytes(recurrence)) + SLACK;

interface Blocks {
  /** `(x, n, to)` and, where there is one, `(x, to)` of two whole blocks. */
  readonly one: Code;
  readonly two: Code | null;
  /** `(x, n, pitch, columns, to)`; null where elements are always neighbours, in a single column. */
  readonly across: Code | null;
}

/**
 * The functions of a module of reductions: of lines alone, or of columns, among which a piece may have a single one. Where no row has
 * more than a block, `run` is all that is needed.
 */
export function reduceFunctions(
  recurrence: Recurrence,
  ofLines: boolean,
  isShort = false,
): Functions & { readonly [N in "blocks" | "join"]: Code } {
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
  return { blocks, join, run: reduceGroups(recurrence, of, isShort ? null : { parts, most, join }) };
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

/** Rows of more than a block, and what joins the parts of them. */
interface Parts {
  readonly parts: Code;
  readonly most: number;
  readonly join: Code;
}

/** All rows of each group into a row of entries. */
function reduceGroups(recurrence: Recurrence, of: Blocks, long: Parts | null): Code {
  const size = entryBytes(recurrence);
  return define(PIECE_ARGS, ["group", "count", "bytes"], 0, (v) => {
    local.set(v.bytes, i32.mul(v.columns, size));
    const block = (): void => callBlock(of, v.columns, [v.x, v.rows, v.to], v.pitch);
    range(v.group, v.groups, 1, () => {
      if (long) {
        const { parts, most, join } = long;
        i32.le_u(v.rows, most);
        when(block, () => {
          call(parts, [v.x, v.rows, v.pitch, v.columns, v.room]);
          local.set(v.count, i32.div_u(i32.add(v.rows, most - 1), most));
          call(join, [v.room, 0, v.count, v.columns]);
          i32.eq(v.columns, 1);
          when(
            () => copyOne(size, v.to, v.room),
            () => memory.copy(v.to, v.room, v.bytes),
          );
        });
      } else block();
      advance(v.x, v.step);
      advance(v.to, v.bytes);
    });
  });
}
