/**
 * Functions for many short rows: several groups go side by side in the lanes of a vector, so that a row costs neither a call
 * nor a mask. Squares of elements are loaded from neighbouring rows and transposed in registers. Emits code; what is done
 * with the vectors of a square, element by element of the rows, others say.
 */
import { block, br, br_if, f32x4, i32, local, loop, v128 } from "../asm";
import { bytesOf, isFloat, is64Bit, type DType } from "../../../core/types";
import { emitStore } from "../codegen/access";
import { words } from "../codegen/vectors";
import { advance, define, setMinimum, when, type Code, type Int, type Vector } from "../asm/code";
import type { Four, Lanes, PairLoad } from "./lanes";

/** Rows of more elements are done one by one (measured: these take as long from about 24 for extremes, from 48 for sums). */
export const SHORT = 31;

export const isShort = (rows: number, columns: number): boolean => columns === 1 && rows <= SHORT;

/** Elements of a row that are looked at before whether there are more. */
export const SIDE = 4;

/** Rows side by side: lanes of a vector. */
const together = (wide: boolean): 2 | 4 => (wide ? 2 : 4);

/** The most of them. */
export const MOST_TOGETHER = 4;

/** Vectors needed to turn squares with. */
export const SPARE = 4;

export interface Rows {
  readonly wide: boolean;
  /** Bytes of a stored element. */
  readonly bytes: number;
  load(out: Four, at: Int, offset: number, temp: Vector): void;
  readonly pair?: PairLoad;
}

/**
 * To be called for each number of an element, in order, before it is used: loads that element and those after it of the rows
 * at the pointers, each into the vector of `elements` that is its own of four, where they are not loaded already. That is two at
 * a time where two can be loaded by themselves, else four.
 */
export function loadElements(
  { wide, bytes, load, pair }: Rows,
  rows: readonly Int[],
  j: number,
  elements: readonly Vector[],
  spare: readonly Vector[],
): void {
  if (pair) {
    if (j % 2 === 1) return;
    const [a, b] = elements.slice(j % SIDE) as [Vector, Vector];
    pair(spare[0]!, rows[0]!, j * bytes);
    pair(spare[1]!, rows[1]!, j * bytes);
    local.set(a, words(spare[0]!, spare[1]!, [0, 1, 4, 5]));
    local.set(b, words(spare[0]!, spare[1]!, [2, 3, 6, 7]));
    return;
  }
  if (j % SIDE > 0) return;
  const width = SIDE / rows.length;
  rows.forEach((at, i) => load(elements.slice(i * width, (i + 1) * width), at, j * bytes, spare[0]!));
  turn(wide, elements, spare);
}

/** Turns four elements each of four rows, or of two rows with two vectors each, into a vector for each element. */
export function turn(wide: boolean, square: readonly Vector[], spare: readonly Vector[]): void {
  const [a, b, c, d] = square as [Vector, Vector, Vector, Vector];
  const [p, q, r, s] = spare as [Vector, Vector, Vector, Vector];
  if (wide) {
    // Rows a b and c d.
    local.set(p, words(a, c, [2, 3, 6, 7]));
    local.set(q, words(b, d, [0, 1, 4, 5]));
    local.set(d, words(b, d, [2, 3, 6, 7]));
    local.set(a, words(a, c, [0, 1, 4, 5]));
    local.set(b, local.get(p));
    local.set(c, local.get(q));
    return;
  }
  local.set(p, words(a, b, [0, 4, 1, 5]));
  local.set(q, words(c, d, [0, 4, 1, 5]));
  local.set(r, words(a, b, [2, 6, 3, 7]));
  local.set(s, words(c, d, [2, 6, 3, 7]));
  local.set(a, words(p, q, [0, 1, 4, 5]));
  local.set(b, words(p, q, [2, 3, 6, 7]));
  local.set(c, words(r, s, [0, 1, 4, 5]));
  local.set(d, words(r, s, [2, 3, 6, 7]));
}

type Names = "group" | "limit" | "row0" | "row1" | "row2" | "row3" | "next1" | "next2" | "next3";
export const SHORT_INTS = ["group", "limit", "row0", "row1", "row2", "row3", "next1", "next2", "next3"] as const;
type Ints = { readonly [N in Names | "x" | "groups" | "pitch"]: Int };

/**
 * The body for some groups at a time, with a pointer to the row of each; the number of the first is `group`. The last ones
 * are done with some before them once more where they do not fill the lanes, or where there are too few, with the last of
 * them in place of those that there are not: results are overwritten by themselves, or behind the end.
 */
export function eachGroups(wide: boolean, v: Ints, body: (rows: readonly Int[]) => void): void {
  const count = together(wide);
  const rows = [v.row0, v.row1, v.row2, v.row3].slice(0, count);
  const nexts = [v.next1, v.next2, v.next3].slice(0, count - 1);
  local.set(v.limit, i32.sub(v.groups, 1));
  nexts.forEach((next, i) => {
    local.set(next, i32.const(i + 1));
    setMinimum(next, next, v.limit);
    local.set(next, i32.mul(next, v.pitch));
  });
  // The last group that lanes begin with.
  setMinimum(v.limit, v.groups, count);
  local.set(v.limit, i32.sub(v.groups, v.limit));
  local.set(v.group, 0);
  loop(null, (again) => {
    local.set(v.row0, i32.add(v.x, i32.mul(v.group, v.pitch)));
    nexts.forEach((next, i) => local.set(rows[i + 1]!, i32.add(v.row0, next)));
    body(rows);
    block(null, (done) => {
      i32.ge_u(v.group, v.limit);
      br_if(done);
      advance(v.group, count);
      setMinimum(v.group, v.group, v.limit);
      br(again);
    });
  });
}

/** Accumulators that the order of sums and products has. */
const ACCUMULATORS = 8;

/**
 * `fold(x, groups, rows, pitch, columns, out, temp)` of contiguous rows that are short, in the order of the other folds;
 * `pitch` and `columns` do not count. Results are of the type that {@link storedAs} says. Writes whole vectors: of fewer groups
 * than lanes, up to three entries behind the last one.
 */
export const foldShort = (lanes: Lanes, out: DType): Code =>
  foldRows(lanes, out, lanes.ordered ? ACCUMULATORS : SIDE, lanes.ordered ? foldOrdered : foldUnordered);

/** The same for rows of up to four elements. */
export const foldFew = (lanes: Lanes, out: DType): Code => foldRows(lanes, out, 1, foldSquare);

function foldRows(lanes: Lanes, out: DType, held: number, fold: (task: Task, count: Int) => void): Code {
  const args = ["x", "groups", "rows", "pitch", "columns", "out", "temp"] as const;
  return define(args, [...SHORT_INTS, "left"], held + SIDE + SPARE, (v, vectors) => {
    const results = vectors.slice(0, held);
    const [elements, spare] = [vectors.slice(held, held + SIDE), vectors.slice(held + SIDE)];
    local.set(v.pitch, i32.mul(v.rows, lanes.bytes));
    eachGroups(lanes.wide, v, (rows) => {
      local.set(v.left, v.rows);
      fold({ lanes, rows, left: v.left, results, elements, spare }, v.rows);
      local.set(v.left, i32.add(v.out, i32.mul(v.group, bytesOf(out))));
      storeResults(lanes, out, results[0]!, v.left);
    });
  });
}

interface Task {
  readonly lanes: Lanes;
  /** Where rows are, and how many elements are left in each. */
  readonly rows: readonly Int[];
  readonly left: Int;
  /** Accumulators; the first one is the result. */
  readonly results: readonly Vector[];
  readonly elements: readonly Vector[];
  readonly spare: readonly Vector[];
}

/** With eight accumulators, as the order has them; rows of up to four elements need none. */
function foldOrdered(task: Task, count: Int): void {
  const { lanes, results } = task;
  i32.le_u(count, SIDE);
  when(
    () => foldSquare(task, count),
    () => {
      setIdentity(lanes, results);
      foldSquares(task);
      for (const distance of [4, 2, 1]) joinDistant(lanes, results, distance);
    },
  );
}

/** Joined to the identity last, which gives the same as it does first. */
function foldSquare({ lanes, rows, results, elements, spare }: Task, count: Int): void {
  joinFew(lanes, elements, count, (j) => loadElements(lanes, rows, j, elements, spare));
  setIdentity(lanes, results.slice(0, 1));
  lanes.join(results[0]!, elements[0]!);
}

/** The first four elements are the accumulators of the rest. */
function foldUnordered(task: Task, count: Int): void {
  const { lanes, results, spare, rows, left } = task;
  const load = (j: number): void => loadElements(lanes, rows, j, results, spare);
  load(0);
  if (lanes.pair) load(2);
  i32.gt_u(count, SIDE);
  when(() => {
    for (const row of rows) advance(row, SIDE * lanes.bytes);
    advance(left, -SIDE);
    foldSquares(task);
  });
  joinFew(lanes, results, count, () => {});
}

function setIdentity(lanes: Lanes, vectors: readonly Vector[]): void {
  for (const to of vectors) {
    lanes.identity();
    local.set(to);
  }
}

/** `(a + c) + (b + d)` of those of four elements that there are, into the first; they are loaded when needed. */
function joinFew(lanes: Lanes, elements: readonly Vector[], count: Int, load: (j: number) => void): void {
  const [a, b, c, d] = elements as [Vector, Vector, Vector, Vector];
  load(0);
  i32.gt_u(count, 2);
  when(() => {
    load(2);
    lanes.join(a, c);
    i32.gt_u(count, 3);
    when(() => lanes.join(b, d));
  });
  i32.gt_u(count, 1);
  when(() => lanes.join(a, b));
}

/** All elements that are left in the rows, in turn to the accumulators. */
function foldSquares({ lanes, rows, left, results, elements, spare }: Task): void {
  const last = results.length - 1;
  block(null, (done) => {
    loop(null, (again) => {
      results.forEach((to, j) => {
        loadElements(lanes, rows, j, elements, spare);
        lanes.join(to, elements[j % SIDE]!);
        if (j === last) return;
        i32.le_u(left, j + 1);
        br_if(done);
      });
      for (const row of rows) advance(row, results.length * lanes.bytes);
      advance(left, -results.length);
      i32.lt_s(0, left);
      br_if(again);
    });
  });
}

/** Joins the first accumulators with those some places on. */
function joinDistant(lanes: Lanes, accumulators: readonly Vector[], distance: number): void {
  for (let j = 0; j < distance; j++) lanes.join(accumulators[j]!, accumulators[j + distance]!);
}

/** The type that results are stored as where they are to become elements of a type: that type, or the one of the work. */
export function storedAs({ work, wide }: Pick<Lanes, "work" | "wide">, type: DType): DType {
  if (type === work) return type;
  if (isFloat(type)) return type === "f32" && work === "f64" ? type : work;
  // An integer of as many bits, or the lower ones.
  return work !== "f32" && work !== "f64" && is64Bit(type) === wide ? type : work;
}

function storeResults({ wide, work }: Lanes, out: DType, results: Vector, at: Int): void {
  if (wide && out === "f32" && work === "f64") v128.store64_lane({}, 0, at, f32x4.demote_f64x2_zero(results));
  else if (wide) v128.store({}, at, results);
  else emitStore(out, [[results]], at, 0);
}
