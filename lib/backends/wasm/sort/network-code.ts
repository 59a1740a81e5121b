/**
 * Sorting short lines side by side: lanes of vectors are lines, and a network of comparisons, the same for all, exchanges
 * whole vectors (odd-even merging; Batcher, "Sorting networks and their applications", AFIPS 32, 1968, in the form of Knuth,
 * The Art of Computer Programming 3, 5.2.2, algorithm M, for any length). Positions that go with the keys make all keys
 * different, so that the order is a stable one.
 */
import {
  advance,
  call,
  copyOne,
  define,
  i32,
  i32x4,
  i64x2,
  local,
  onward,
  range,
  repeat,
  setMinimum,
  splatNumber,
  v128,
  when,
  type Code,
  type Int,
  type StackVar,
  type Tuple,
  type Vector,
} from "../asm";

/** What lines consist of. */
export interface Lanes {
  /** Bytes of a key, and of a position. */
  readonly bytes: 4 | 8;
  /** Whether positions go with the keys. */
  readonly positions: boolean;
}

/** Bytes of the keys that are exchanged together: four vectors. */
const STRIP = 64;

/** Lines that are sorted together. */
export const togetherOf = ({ bytes }: Lanes): number => STRIP / bytes;

/** Bytes from the keys of one place in the lines to those of the next. */
const rowBytes = ({ positions }: Lanes): number => (positions ? 2 * STRIP : STRIP);

/** Bytes that sorting lines of a length needs to work with. */
export const roomBytes = (lanes: Lanes, n: number): number => n * rowBytes(lanes) + 4 * togetherOf(lanes);

/** The comparisons that sort a length, as pairs of places. */
function comparisonsOf(n: number): [number, number][] {
  const pairs: [number, number][] = [];
  const top = n < 2 ? 0 : 2 ** Math.floor(Math.log2(n - 1));
  for (let p = top; p >= 1; p /= 2) {
    let [q, r, d] = [top, 0, p];
    for (;;) {
      for (let i = 0; i < n - d; i++) if ((i & p) === r) pairs.push([i, i + d]);
      if (q === p) break;
      [d, q, r] = [q - p, q / 2, p];
    }
  }
  return pairs;
}

/** The same as pairs of offsets in the room of the network. */
export function networkTable(lanes: Lanes, n: number): Int32Array {
  return Int32Array.from(comparisonsOf(n).flat(), (place) => place * rowBytes(lanes));
}

type Pair = readonly [Vector, Vector];

/** Exchanges the lanes of two vectors where a mask is set. */
function exchange([a, b]: Pair, mask: Vector, temp: Vector): void {
  local.set(temp, v128.and(v128.xor(a, b), mask));
  local.set(a, v128.xor(a, temp));
  local.set(b, v128.xor(b, temp));
}

/** Sets a mask to where the first record belongs behind the second. */
function compare({ bytes, positions }: Lanes, keys: Pair, numbers: Pair, mask: Vector): void {
  const ints = (bytes === 4 ? i32x4 : i64x2) as typeof i32x4;
  ints.gt_s(...keys);
  if (positions) {
    v128.and(ints.eq(...keys), ints.gt_s(...numbers));
    v128.or();
  }
  local.set(mask);
}

type Load = (at: Int, offset: number) => StackVar<"v128">;
const load: Load = (at, offset) => v128.load({ offset }, at);

/** Brings two strips of records into order. */
function compareStrips(lanes: Lanes, a: Int, b: Int, [x, y, mask, temp, p, q]: Tuple<Vector, 6>): void {
  for (let offset = 0; offset < STRIP; offset += 16) {
    local.set(x, load(a, offset));
    local.set(y, load(b, offset));
    if (lanes.bytes === 4 && !lanes.positions) {
      v128.store({ offset }, a, i32x4.min_u(x, y));
      v128.store({ offset }, b, i32x4.max_u(x, y));
      continue;
    }
    if (lanes.positions) {
      local.set(p, load(a, offset + STRIP));
      local.set(q, load(b, offset + STRIP));
    }
    compare(lanes, [x, y], [p, q], mask);
    const pairs: [Pair, number][] = [[[x, y], offset]];
    if (lanes.positions) pairs.push([[p, q], offset + STRIP]);
    for (const [pair, at] of pairs) {
      exchange(pair, mask, temp);
      v128.store({ offset: at }, a, pair[0]);
      v128.store({ offset: at }, b, pair[1]);
    }
  }
}

/** `sort(room, table, end)`: runs the network. */
function network(lanes: Lanes): Code {
  return define(["room", "table", "end"], ["a", "b"], 6, (v, vectors) => {
    onward(v.table, v.end, 8, () => {
      local.set(v.a, i32.add(i32.load({}, v.table), v.room));
      local.set(v.b, i32.add(i32.load({ offset: 4 }, v.table), v.room));
      compareStrips(lanes, v.a, v.b, vectors);
    });
  });
}

/**
 * `copy(bases, count, room, n, step)`: moves records between lines, of which the first elements have the addresses at
 * `bases`, and the room of the network; elements of a line are `step` bytes apart.
 */
function copy(lanes: Lanes, way: "in" | "out"): Code {
  const { bytes, positions } = lanes;
  const row = rowBytes(lanes);
  return define(["bases", "count", "room", "n", "step"], ["i", "at", "base", "put", "line"], 1, (v, [number]) => {
    const move = (lane: number, from: Int): void => {
      local.set(v.at, i32.add(i32.load({ offset: 4 * lane }, from), v.base));
      if (way === "in") copyOne(bytes, v.put, v.at, 0, lane * bytes);
      else copyOne(bytes, v.at, v.put, lane * bytes + (positions ? STRIP : 0), 0);
    };
    local.set(v.base, 0);
    range(v.i, v.n, 1, () => {
      local.set(v.put, v.room);
      i32.eq(v.count, togetherOf(lanes));
      when(
        () => {
          for (let lane = 0; lane < togetherOf(lanes); lane++) move(lane, v.bases);
        },
        () => copySome(v, bytes, () => move(0, v.line)),
      );
      if (way === "in" && positions) {
        local.set(number, splatNumber(bytes, v.i));
        for (let k = 0; k < STRIP; k += 16) v128.store({ offset: STRIP + k }, v.room, number);
      }
      advance(v.base, v.step);
      advance(v.room, row);
    });
  });
}

/** Lane after lane of an incomplete strip. */
function copySome(
  v: { readonly [N in "bases" | "count" | "line" | "put" | "room"]: Int },
  bytes: number,
  move: () => void,
) {
  local.set(v.line, v.bases);
  repeat(() => {
    move();
    advance(v.line, 4);
    advance(v.put, bytes);
    local.set(v.count, i32.sub(v.count, 1));
    local.get(v.count);
  });
  // As it was: how many lanes have been counted is how far the address has come.
  local.set(v.count, i32.shr_u(i32.sub(v.line, v.bases), 2));
}

/** Puts the addresses of lines to `bases`: `first` is that of number `column` in its group, `skip` bytes lie behind groups. */
function listLines(): Code {
  const args = ["bases", "count", "first", "column", "after", "bytes", "skip"] as const;
  return define(args, ["i"], 0, (v) => {
    range(v.i, v.count, 1, () => {
      i32.store({}, v.bases, v.first);
      advance(v.bases, 4);
      advance(v.first, v.bytes);
      advance(v.column, 1);
      i32.eq(v.column, v.after);
      when(() => {
        local.set(v.column, 0);
        advance(v.first, v.skip);
      });
    });
  });
}

/**
 * `sort(x, lines, after, n, table, end, room)`: sorts lines, which lie as [lines / after, n, after], in place; where positions
 * go with the keys, these are left in their place. `room` has {@link roomBytes}, bases behind the records.
 */
function sortLines(lanes: Lanes): Code {
  const { bytes } = lanes;
  const together = togetherOf(lanes);
  const [run, into, outOf, list] = [network(lanes), copy(lanes, "in"), copy(lanes, "out"), listLines()];
  const ints = ["first", "count", "column", "step", "skip", "bases", "left"] as const;
  return define(["x", "lines", "after", "n", "table", "end", "room"], ints, 0, (v) => {
    local.set(v.step, i32.mul(v.after, bytes));
    local.set(v.skip, i32.mul(i32.sub(v.n, 1), v.step));
    local.set(v.bases, i32.mul(v.n, rowBytes(lanes)));
    advance(v.bases, v.room);
    local.set(v.first, 0);
    range(v.first, v.lines, together, () => {
      local.set(v.left, i32.sub(v.lines, v.first));
      setMinimum(v.count, v.left, together);
      // The address of the line: the address of the group and the column.
      local.set(v.column, i32.rem_u(v.first, v.after));
      i32.mul(i32.div_u(v.first, v.after), v.skip);
      i32.mul(v.first, bytes);
      i32.add();
      local.get(v.x);
      i32.add();
      local.set(v.left);
      call(list, [v.bases, v.count, v.left, v.column, v.after, bytes, v.skip]);
      call(into, [v.bases, v.count, v.room, v.n, v.step]);
      call(run, [v.room, v.table, v.end]);
      call(outOf, [v.bases, v.count, v.room, v.n, v.step]);
    });
  });
}

/** The function that sorts lines of a kind. */
export const networkFunctions = (lanes: Lanes): { readonly sort: Code } => ({ sort: sortLines(lanes) });
