/**
 * The functions that find positions of extremes. Works with addresses; results are values in a work type and row numbers in
 * integers as wide.
 *
 * Along contiguous elements the extreme of each stretch of 256 is found first, and only the best stretch is searched for its
 * position. Across columns values and positions go down some rows side by side, all columns before the next rows.
 */
import {
  advance,
  call,
  define,
  i32,
  i32x4,
  i64,
  i64x2,
  local,
  range,
  repeat,
  select,
  setAddress,
  setMinimum,
  splatNumber,
  v128,
  when,
  type Code,
  type Int,
  type Vector,
} from "../asm";
import { bodyOf, elementIn, kindsOf, type Search } from "../../../kernel/recurrence";
import { defineWith, type Placed, type Run } from "../codegen/body";
import { COLUMNS, downRows, eachStrip, mostStates, pushDoubts, storeGroup, stripsOf, type Shape } from "./across";
import { closingOf, joinLanes, storeEntry, vectorCount, wholeLine } from "./along";
import { joinRows, PIECE_ARGS, type Functions } from "./fold-code";
import { SEARCHED_AT_ONCE, SEARCHED_ROWS } from "../schedule/reductions";
import { bodiesOf, entryBytes, inSingle, lanesOf, loader, setInit, vectorsOf, type Held, type Lanes } from "./steps";

// ---------------------------------------------------------------------------------------------------------------- lines

/** `(x, n, first, value, index)`: the extreme of `n` elements, the first of them number `first`. */
function lineSearch(search: Search): Code {
  const lanes = lanesOf(search, search.extreme);
  const kind = kindsOf(search.extreme)[0]!;
  const { close } = closingOf(search.extreme, inSingle);
  const better = inSingle(bodyOf([kind, kind], (k, [x, held]) => [search.better(k, x!, held!)]));
  const isFound = lanes.inGroups(
    bodyOf([kind], (k, [held]) => [search.isFound(k, elementIn(k, search, search, lanes.loaded), held!)]),
  );
  const number = vectorCount("any", lanes);
  const count = 2 * number * lanes.init.length;
  const ints = ["at", "n0", "left", "start", "size", "best", "bestSize", "flag"] as const;
  const bodies = [...bodiesOf(lanes), close, better, isFound];
  return defineWith(["x", "n", "first", "value", "index"], ints, count + 4, bodies, (v, vectors, run) => {
    const [held, found, mask] = vectors.slice(count) as [Vector, Vector, Vector];
    local.set(v.at, v.x);
    local.set(v.left, v.n);
    repeat(() => {
      setMinimum(v.size, v.left, SEARCHED_AT_ONCE);
      local.set(v.left, i32.sub(v.left, v.size));
      local.set(v.start, v.at);
      local.set(v.n0, v.size);
      const whole = wholeLine(lanes, { x: v.at, n: v.n0 }, vectors, number, run);
      run(close, [...whole[0], []], [[found]]);
      local.set(v.at, i32.add(v.start, i32.mul(v.size, lanes.bytes)));
      run(better, [[found], [held]], [[mask]]);
      i32.eq(v.start, v.x);
      v128.any_true(mask);
      i32.or();
      when(() => {
        // Some lane is better: so is the best of all.
        run(close, [...joinLanes(lanes, whole, run), []], [[held]]);
        local.set(v.best, v.start);
        local.set(v.bestSize, v.size);
      });
      local.get(v.left);
    });
    storeEntry(entryBytes(search), v.value, held);
    locate(lanes, isFound, search.later, v, held, mask, run);
  });
}

/** Groups of elements that are searched at a time. */
const LOCATED = 4;

type Names = "x" | "first" | "index" | "at" | "best" | "bestSize" | "size" | "flag";

/** The number of the element that the extreme is, by some at a time from the end that counts. */
function locate(
  lanes: Lanes,
  isFound: Placed,
  later: boolean,
  v: { readonly [N in Names]: Int },
  held: Vector,
  mask: Vector,
  run: Run,
): void {
  const { bytes, wide } = lanes;
  const count = LOCATED * lanes.count;
  local.set(v.size, 0);
  if (later) {
    local.set(v.size, i32.sub(v.bestSize, 1));
    local.set(v.size, i32.and(v.size, -count));
  }
  repeat(() => {
    setAddress(v.at, v.best, v.size, bytes);
    local.set(v.flag, 0);
    for (let j = 0; j < LOCATED; j++) {
      run(isFound, [[held]], [[mask]], loader(lanes, v.at, j * lanes.count * bytes));
      const bits = wide ? i64x2.bitmask(mask) : i32x4.bitmask(mask);
      local.set(v.flag, i32.or(i32.shl(bits, j * lanes.count), v.flag));
    }
    if (later) {
      // Not those behind the end.
      local.set(v.at, i32.sub(v.bestSize, v.size));
      setMinimum(v.at, v.at, count);
      local.set(v.flag, i32.and(v.flag, i32.sub(i32.shl(1, v.at), 1)));
    }
    advance(v.size, later ? -count : count);
    i32.eqz(v.flag);
  });
  advance(v.size, later ? count : -count);
  local.set(v.flag, later ? i32.sub(31, i32.clz(v.flag)) : i32.ctz(v.flag));
  advance(v.flag, v.size);
  local.set(v.best, bytes > 0 ? i32.sub(v.best, v.x) : i32.sub(v.x, v.best));
  local.set(v.best, i32.shr_u(v.best, Math.log2(Math.abs(bytes))));
  advance(v.flag, v.best);
  advance(v.flag, v.first);
  if (wide) i64.store({}, v.index, i64.extend_i32_u(v.flag));
  else i32.store({}, v.index, v.flag);
}

// -------------------------------------------------------------------------------------------------------------- columns

/** `(x, n, pitch, columns, first, values, indices)`: a value and a row number for each column. */
function columnSearch(search: Search): Code {
  const exact = lanesOf(search, search.shortcut);
  const { quick } = search;
  const lanes = quick ? lanesOf(search, quick) : exact;
  const { close, doubt } = closingOf(quick ?? search.shortcut, lanes.inGroups);
  const args = ["x", "n", "pitch", "columns", "first", "values", "indices"] as const;
  const ints = ["at", "left", "rows", "strip", "columnsLeft", "each", "isOn", "value", "index"] as const;
  const shapes = stripsOf(lanes);
  const count = vectorsOf(lanes, mostStates(shapes));
  const bodies = [...bodiesOf(lanes), ...(quick ? bodiesOf(exact) : []), close, ...(doubt ? [doubt] : [])];
  return defineWith(args, ints, count + 3, bodies, (v, vectors, run) => {
    const [before, last, mask] = vectors.slice(count) as [Vector, Vector, Vector];
    const begin = (of: Lanes, states: readonly Held[]): void => {
      local.get(v.isOn);
      when(
        () => states.forEach((held, i) => goOn(lanes, held, { value: v.value, index: v.index, before, i })),
        () => states.forEach((held) => setInit(of, held)),
      );
    };
    const down = (of: Lanes, shape: Shape): readonly Held[] => {
      const ints = { x: v.strip, n: v.rows, pitch: v.pitch, at: v.at, left: v.left };
      return downRows({ lanes: of, v: ints, vectors, shape, run, begin: (states) => begin(of, states) });
    };
    local.set(v.each, select("i32", v.n, i32.const(SEARCHED_ROWS), i32.le_s(v.columns, COLUMNS)));
    local.set(v.isOn, i32.const(0));
    repeat(() => {
      setMinimum(v.rows, v.n, v.each);
      local.set(before, splatNumber(lanes.wide ? 8 : 4, i32.sub(v.first, 1)));
      advance(v.first, v.rows);
      local.set(last, splatNumber(lanes.wide ? 8 : 4, i32.sub(v.first, 1)));
      local.set(v.strip, v.x);
      local.set(v.columnsLeft, v.columns);
      local.set(v.value, v.values);
      local.set(v.index, v.indices);
      eachStrip(lanes, shapes, v.columnsLeft, (shape, columns) => {
        const found = down(lanes, shape);
        if (doubt) {
          pushDoubts(found, doubt, [mask], run);
          when(() => void down(exact, shape));
        }
        found.forEach((held, i) => {
          run(close, [...held, [last]], held.slice(0, 2));
          storeGroup(held[0]!, v.value, i);
          storeGroup(held[1]!, v.index, i);
        });
        advance(v.strip, columns * lanes.bytes);
        for (const to of [v.value, v.index]) advance(to, columns * entryBytes(search));
      });
      advance(v.x, i32.mul(v.rows, v.pitch));
      local.set(v.isOn, i32.const(1));
      local.tee(v.n, i32.sub(v.n, v.rows));
    });
  });
}

/** What is held after the rows above, of the `i`-th group of columns at the addresses; `before` is the number of the last of them. */
function goOn(
  { wide }: Lanes,
  [held, age, total]: Held,
  { value, index, before, i }: { value: Int; index: Int; before: Vector; i: number },
): void {
  loadGroup(held!, value, i);
  loadGroup(age!, index, i);
  for (const vector of age!) local.set(vector, (wide ? i64x2 : i32x4).sub(before, vector));
  // a NaN that was found is one in the sum
  total?.forEach((vector, k) => local.set(vector, local.get(held![k]!)));
}

function loadGroup(group: readonly Vector[], from: Int, i: number): void {
  group.forEach((vector, k) => local.set(vector, v128.load({ offset: 16 * (i * group.length + k) }, from)));
}

// -------------------------------------------------------------------------------------------------------------- groups

/** The functions of a module: of lines alone, or of columns, among which a piece may have a single one. */
export function searchFunctions(search: Search, ofLines: boolean): Functions {
  const line = lineSearch(search);
  const across = ofLines ? null : columnSearch(search);
  const run = define(PIECE_ARGS, ["group"], 0, (v) => {
    range(v.group, v.groups, 1, () => {
      const alone = (): void => void call(line, [v.x, v.rows, v.first, v.other, v.to]);
      if (across === null) alone();
      else {
        i32.eq(v.columns, 1);
        when(alone, () => void call(across, [v.x, v.rows, v.pitch, v.columns, v.first, v.other, v.to]));
      }
      advance(v.x, v.step);
      for (const to of [v.other, v.to]) setAddress(to, to, v.columns, entryBytes(search));
    });
  });
  return { run, join: joinRows(search) };
}
