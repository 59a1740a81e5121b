/**
 * The functions that find positions of extremes. A NaN beats every number; of equal values, -0 and 0 among them, the first or
 * the last one counts. Works with addresses; results are values in a work type and row numbers in 32 bits.
 *
 * Along contiguous elements the extreme of each stretch of 128 is found first, and only the best stretch is searched for its
 * position. Across columns values and positions go down the rows side by side.
 */
import {
  advance,
  block,
  br_if,
  call,
  define,
  f32x4,
  f64x2,
  i32,
  i32x4,
  i64x2,
  i8x16,
  local,
  range,
  repeat,
  setMinimum,
  v128,
  when,
  type Code,
  type Int,
  type Vector,
} from "../asm";
import { bytesOf, type DType } from "../../../core/types";
import { words } from "../codegen/vectors";
import {
  emitJoin,
  isWideWork,
  loadAs,
  orderType,
  pushConstant,
  greatestOf,
  leastOf,
  loadOne,
  type Four,
  type WorkType,
} from "./lanes";

/** Elements whose extreme is found before any position. */
const STRETCH = 128;

export interface Search {
  readonly type: DType;
  readonly work: WorkType;
  readonly wide: boolean;
  /** Whether the least value is sought. */
  readonly least: boolean;
  /** Whether the last of equal values is. */
  readonly later: boolean;
}

export const searchOf = (type: DType, least: boolean, later: boolean): Search => {
  const work = orderType(type);
  return { type, work, wide: isWideWork(work), least, later };
};

const isFloatWork = (work: WorkType): boolean => work === "f32" || work === "f64";

const FLOATS = { f32: f32x4, f64: f64x2 };
const SIGN = 2n ** 63n;
const ALL_ONES = 2n ** 64n - 1n;

/** Pushes a mask: whether `a` is before `b` in the order that is sought; strictly, or also where they are equal. */
function pushBefore({ work, least }: Search, a: Vector, b: Vector, equal: boolean): void {
  const [left, right] = least ? [b, a] : [a, b];
  if (work === "s64" || work === "u64") return pushLongs(work, equal ? right : left, equal ? left : right, equal);
  local.get(left);
  local.get(right);
  if (work === "f32" || work === "f64") (equal ? FLOATS[work].ge : FLOATS[work].gt)();
  else if (work === "s32") (equal ? i32x4.ge_s : i32x4.gt_s)();
  else (equal ? i32x4.ge_u : i32x4.gt_u)();
}

/** `a > b`, or its opposite. */
function pushLongs(work: "s64" | "u64", a: Vector, b: Vector, opposite: boolean): void {
  for (const side of [a, b]) {
    local.get(side);
    if (work === "u64") {
      v128.const("i64x2", [SIGN, SIGN]);
      v128.xor();
    }
  }
  i64x2.gt_s();
  if (opposite) v128.not();
}

/** Pushes a mask of lanes that hold NaN. */
function pushIsNaN(work: "f32" | "f64", x: Vector): void {
  local.get(x);
  local.get(x);
  FLOATS[work].ne();
}

/** Pushes a mask: whether `x`, which comes after what is held, takes its place. */
function pushBetter(search: Search, x: Vector, held: Vector): void {
  const { work, later } = search;
  if (work !== "f32" && work !== "f64") return pushBefore(search, x, held, later);
  if (later) {
    pushBefore(search, x, held, true);
    pushIsNaN(work, x);
    v128.or();
    return;
  }
  // What is held stays where it is as good, or a NaN.
  local.get(held);
  local.get(held);
  FLOATS[work].eq();
  pushBefore(search, held, x, true);
  v128.andnot();
}

/** `held = the better of both`, with NaNs left out. */
function joinNumbers({ work, least }: Search, held: Vector, x: Vector): void {
  if (work !== "f32" && work !== "f64") return emitJoin(least ? "reduceMin" : "reduceMax", work, held, x);
  local.get(held);
  local.get(x);
  (least ? FLOATS[work].pmin : FLOATS[work].pmax)();
  local.set(held);
}

export const pushWorst = ({ work, least }: Search): void =>
  pushConstant(work, least ? greatestOf(work) : leastOf(work));

const groupsOf = ({ wide }: Search, vectors: readonly Vector[]): Four[] =>
  wide
    ? Array.from({ length: vectors.length / 2 }, (_, i) => vectors.slice(2 * i, 2 * i + 2))
    : vectors.map((v) => [v]);

// ---------------------------------------------------------------------------------------------------------------- lines

/** `x` to a vector of the extreme of `n` elements in all lanes, or of NaN; the first vector is the result. */
function stretch(search: Search, { x, n }: { x: Int; n: Int }, vectors: readonly Vector[], one: Int): void {
  const { type, work, wide } = search;
  const held = vectors.slice(0, 4);
  const next = vectors.slice(4, 8);
  const [nan, temp] = vectors.slice(8, 10) as [Vector, Vector];
  const step = wide ? 8 : 16;
  for (const to of held) {
    pushWorst(search);
    local.set(to);
  }
  v128.const("i32x4", [0, 0, 0, 0]);
  local.set(nan);
  const take = (): void =>
    held.forEach((to, i) => {
      joinNumbers(search, to, next[i]!);
      if (isFloatWork(work)) noteNaN(work as "f32", nan, next[i]!);
    });
  i32.ge_u(n, step);
  when(() =>
    repeat(() => {
      groupsOf(search, next).forEach((four, i) => loadAs(work, type, four, x, 4 * i * bytesOf(type), temp));
      take();
      advance(x, step * bytesOf(type));
      advance(n, -step);
      i32.ge_u(n, step);
    }),
  );
  local.get(n);
  when(() =>
    repeat(() => {
      loadOne(work, type, next[0]!, x, temp);
      joinNumbers(search, held[0]!, next[0]!);
      if (isFloatWork(work)) noteNaN(work as "f32", nan, next[0]!);
      advance(x, bytesOf(type));
      advance(n, -1);
      local.get(n);
    }),
  );
  closeStretch(search, held, next[0]!, nan, one);
}

function noteNaN(work: "f32" | "f64", nan: Vector, x: Vector): void {
  local.get(nan);
  pushIsNaN(work, x);
  v128.or();
  local.set(nan);
}

function closeStretch(search: Search, held: readonly Vector[], temp: Vector, nan: Vector, one: Int): void {
  const [a, b, c, d] = held as [Vector, Vector, Vector, Vector];
  joinNumbers(search, a, c);
  joinNumbers(search, b, d);
  joinNumbers(search, a, b);
  for (const bytes of search.wide ? [8] : [8, 4]) {
    const lanes = Array.from({ length: 16 }, (_, i) => (i + bytes) % 16);
    local.set(temp, i8x16.shuffle(lanes, a, a));
    joinNumbers(search, a, temp);
  }
  local.set(one, v128.any_true(nan));
  local.get(one);
  when(() => {
    v128.const("i64x2", [ALL_ONES, ALL_ONES]);
    local.set(a);
  });
}

/** `(x, n, first, value, index)`: the extreme of `n` elements, the first of them number `first`. */
function lineSearch(search: Search): Code {
  const ints = ["at", "left", "rest", "start", "size", "best", "bestSize", "flag"] as const;
  return define(["x", "n", "first", "value", "index"], ints, 11, (v, vectors) => {
    const [found, held] = [vectors[0]!, vectors[10]!];
    local.set(v.at, v.x);
    local.set(v.left, v.n);
    repeat(() => {
      setMinimum(v.rest, v.left, STRETCH);
      local.set(v.left, i32.sub(v.left, v.rest));
      local.set(v.start, v.at);
      local.set(v.size, v.rest);
      stretch(search, { x: v.at, n: v.rest }, vectors, v.flag);
      i32.eq(v.start, v.x);
      pushBetter(search, found, held);
      v128.any_true();
      i32.or();
      when(() => {
        local.set(held, found);
        local.set(v.best, v.start);
        local.set(v.bestSize, v.size);
      });
      local.get(v.left);
    });
    if (search.wide) v128.store64_lane({ offset: 0 }, 0, v.value, held);
    else v128.store32_lane({ offset: 0 }, 0, v.value, held);
    locate(search, v, held, vectors);
  });
}

type Names = "x" | "first" | "index" | "at" | "best" | "bestSize" | "rest" | "flag";
type Locals = { readonly [N in Names]: Int };

/** The number of the element that the extreme is, by four at a time from the end that counts. */
function locate(search: Search, v: Locals, held: Vector, vectors: readonly Vector[]): void {
  const { type, work, wide, later } = search;
  const size = bytesOf(type);
  const four = vectors.slice(1, wide ? 3 : 2);
  const temp = vectors[3]!;
  local.set(v.rest, 0);
  if (later) {
    local.set(v.rest, i32.sub(v.bestSize, 1));
    local.set(v.rest, i32.and(v.rest, -4));
  }
  repeat(() => {
    local.set(v.at, i32.mul(v.rest, size));
    local.set(v.at, i32.add(v.at, v.best));
    loadAs(work, type, four, v.at, 0, temp);
    four.forEach((x) => {
      pushBefore(search, x, held, true);
      if (work === "f32" || work === "f64") {
        pushIsNaN(work, x);
        v128.or();
      }
      local.set(x);
    });
    if (wide) words(four[0]!, four[1]!, [0, 2, 4, 6]);
    else local.get(four[0]!);
    i32x4.bitmask();
    if (later) {
      // Not those behind the end.
      i32.const(1);
      i32.sub(v.bestSize, v.rest);
      local.set(v.flag);
      setMinimum(v.flag, v.flag, 4);
      local.get(v.flag);
      i32.shl();
      i32.const(1);
      i32.sub();
      i32.and();
    }
    local.set(v.flag);
    local.set(v.rest, i32.add(v.rest, later ? -4 : 4));
    i32.eqz(v.flag);
  });
  local.get(v.index);
  local.get(v.first);
  i32.sub(v.at, v.x);
  i32.const(Math.log2(size));
  i32.shr_u();
  i32.add();
  if (later) {
    i32.const(31);
    i32.clz(v.flag);
    i32.sub();
  } else i32.ctz(v.flag);
  i32.add();
  i32.store({});
}

// -------------------------------------------------------------------------------------------------------------- columns

/** Vectors of one run through rows: a cache line of 32-bit elements side by side. */
const STRIP = 4;

/** `(x, rows, pitch, columns, first, values, indices)`: a value and a row number for each column. */
function columnSearch(search: Search): Code {
  const width = search.wide ? 2 : 1;
  const args = ["x", "rows", "pitch", "columns", "first", "values", "indices"] as const;
  const count = STRIP * width * 2 + 2 * width + 2;
  return define(args, ["column", "at", "row", "next"], count, (v, vectors) => {
    const strip = (groups: number): void => {
      local.set(v.next, i32.add(v.column, 4 * groups));
      searchStrip(search, v, vectors, groups);
      advance(v.x, 4 * groups * bytesOf(search.type));
      advance(v.values, 16 * width * groups);
      advance(v.indices, 16 * groups);
      local.set(v.column, v.next);
    };
    local.set(v.column, 0);
    block({ in: [], out: [] }, (done) => {
      repeat(() => {
        local.set(v.next, i32.add(v.column, 4 * STRIP));
        i32.gt_u(v.next, v.columns);
        br_if(done);
        strip(STRIP);
        i32.const(1);
      });
    });
    i32.lt_u(v.column, v.columns);
    when(() =>
      repeat(() => {
        strip(1);
        i32.lt_u(v.column, v.columns);
      }),
    );
  });
}

type ColumnNames = "x" | "rows" | "pitch" | "first" | "values" | "indices" | "at" | "row";

function searchStrip(
  search: Search,
  v: { readonly [N in ColumnNames]: Int },
  vectors: readonly Vector[],
  groups: number,
): void {
  const { type, work, wide } = search;
  const width = wide ? 2 : 1;
  const held = groupsOf(search, vectors.slice(0, groups * width));
  const index = groupsOf(search, vectors.slice(groups * width, 2 * groups * width));
  const [next, rest] = [vectors.slice(-2 * width - 2, -width - 2), vectors.slice(-width - 2)];
  const [number, temp] = rest.slice(-2) as [Vector, Vector];
  local.set(v.at, v.x);
  const load = (out: Four, i: number): void => loadAs(work, type, out, v.at, 4 * i * bytesOf(type), temp);
  held.forEach((out, i) => load(out, i));
  // In lanes of 64 bits only the lower halves count.
  local.set(number, i32x4.splat(v.first));
  for (const out of index.flat()) local.set(out, local.get(number));
  advance(v.at, v.pitch);
  range(v.row, v.rows, 1, () => {
    // Row 0 is held already; counting it keeps the loop in one shape.
    local.get(v.row);
    when(() => {
      nextNumber(wide, number);
      held.forEach((four, i) => {
        load(next, i);
        four.forEach((to, k) => takeBetter(search, to, next[k]!, index[i]![k]!, number, temp));
      });
      advance(v.at, v.pitch);
    });
  });
  held.forEach((four, i) => {
    four.forEach((vector, k) => v128.store({ offset: 16 * (i * width + k) }, v.values, vector));
    storeNumbers(wide, index[i]!, v.indices, 16 * i, temp);
  });
}

/** Adds 1 to the numbers, of lanes of 64 bits to the lower halves. */
export function nextNumber(wide: boolean, number: Vector): void {
  local.get(number);
  v128.const("i32x4", wide ? [1, 0, 1, 0] : [1, 1, 1, 1]);
  i32x4.add();
  local.set(number);
}

function storeNumbers(wide: boolean, four: Four, at: Int, offset: number, temp: Vector): void {
  if (wide) local.set(temp, words(four[0]!, four[1]!, [0, 2, 4, 6]));
  v128.store({ offset }, at, wide ? temp : four[0]!);
}

/** Puts `x` and its number, which is greater than those before it, where it is better than what is held. */
export function takeBetter(search: Search, held: Vector, x: Vector, index: Vector, number: Vector, mask: Vector): void {
  pushBetter(search, x, held);
  local.set(mask);
  local.set(held, v128.bitselect(x, held, mask));
  local.set(index, i32x4.max_s(index, v128.and(number, mask)));
}

// ------------------------------------------------------------------------------------------------------------- together

/** `(values, indices, count, columns)`: the best of `count` rows of results, in order, into the first; columns by fours. */
function mergeRows(search: Search): Code {
  const width = search.wide ? 2 : 1;
  const ints = ["column", "row", "value", "index"] as const;
  return define(["values", "indices", "count", "columns"], ints, 4 * width + 1, (v, vectors) => {
    const fours = [0, 1, 2, 3].map((i): Four => vectors.slice(i * width, (i + 1) * width));
    const [held, next, index, number] = fours as [Four, Four, Four, Four];
    const temp = vectors[4 * width]!;
    const load = (values: Four, indices: Four): void => {
      values.forEach((to, k) => local.set(to, v128.load({ offset: 16 * k }, v.value)));
      loadNumbers(search.wide, indices, v.index);
    };
    range(v.column, v.columns, 4, () => {
      local.set(v.value, v.values);
      local.set(v.index, v.indices);
      load(held, index);
      range(v.row, v.count, 1, () => {
        load(next, number);
        local.get(v.row);
        when(() => held.forEach((to, k) => takeBetter(search, to, next[k]!, index[k]!, number[k]!, temp)));
        advance(v.value, i32.mul(v.columns, 4 * width));
        advance(v.index, i32.mul(v.columns, 4));
      });
      held.forEach((vector, k) => v128.store({ offset: 16 * k }, v.values, vector));
      storeNumbers(search.wide, index, v.indices, 0, temp);
      advance(v.values, 16 * width);
      advance(v.indices, 16);
    });
  });
}

function loadNumbers(wide: boolean, out: Four, at: Int): void {
  if (!wide) return void local.set(out[0]!, v128.load({}, at));
  out.forEach((to, k) => local.set(to, v128.load32x2_u({ offset: 8 * k }, at)));
}

/** The functions of a module: `find(x, groups, rows, pitch, columns, first, values, indices)` and `merge`. */
export function searchFunctions(search: Search): { readonly [N in "find" | "merge"]: Code } {
  const line = lineSearch(search);
  const across = columnSearch(search);
  const args = ["x", "groups", "rows", "pitch", "columns", "first", "values", "indices"] as const;
  const find = define(args, ["group"], 0, (v) => {
    range(v.group, v.groups, 1, () => {
      i32.eq(v.columns, 1);
      when(
        () => void call(line, [v.x, v.rows, v.first, v.values, v.indices]),
        () => void call(across, [v.x, v.rows, v.pitch, v.columns, v.first, v.values, v.indices]),
      );
      i32.mul(v.rows, v.pitch);
      local.get(v.x);
      i32.add();
      local.set(v.x);
      advance(v.values, i32.mul(v.columns, search.wide ? 8 : 4));
      advance(v.indices, i32.mul(v.columns, 4));
    });
  });
  return { find, merge: mergeRows(search) };
}
