/**
 * Functions for many short rows: several groups go side by side in the lanes of a vector, so that a row costs neither a call
 * nor a mask. Squares of elements are loaded from neighbouring rows and transposed in registers. Emits code; what is done
 * with the vectors of a square, element by element of the rows, others say.
 */
import {
  advance,
  block,
  br,
  br_if,
  i32,
  local,
  loop,
  setMinimum,
  splatNumber,
  transposeItems,
  v128,
  when,
} from "../asm";
import type { Code, Int, Vector } from "../asm";
import { bytesOf, type DType } from "../../../core/types";
import { finishing, forLength, type Recurrence, type Search, type Shortcut } from "../../../kernel/recurrence";
import { emitStore, emitStoreFew } from "../codegen/access";
import { defineWith, placed, type Placed, type Run } from "../codegen/body";
import type { Group } from "../codegen/vectors";
import type { Grid } from "../../binary/fold";
import { SHORT_ROWS } from "../schedule/reductions";
import { closingOf } from "./along";
import { PIECE_ARGS } from "./fold-code";
import { bodiesOf, heldIn, inSingle, lanesOf, loader, setInit, type Held, type Lanes } from "./steps";

/** Whether there are several groups of a row of neighbours, each of which is short. */
export const isShort = ({ groups, rows, columns }: Grid, most = SHORT_ROWS): boolean =>
  columns === 1 && groups > 1 && rows <= most;

/** Elements of a row that are looked at before whether there are more. */
export const SIDE = 4;

/** Rows side by side: lanes of a vector. */
const together = (wide: boolean): 2 | 4 => (wide ? 2 : 4);

/** The most of them. */
export const MOST_TOGETHER = 4;

/** Vectors needed to transpose squares with. */
export const SPARE = 4;

/**
 * To be called for each number of an element, in order, before it is used: loads that element and those after it of the rows
 * at the pointers, each into the vector of `elements` that is its own of four, where they are not loaded already. That is two at
 * a time where two can be loaded by themselves, else four.
 */
export function loadElements(
  lanes: Lanes,
  rows: readonly Int[],
  j: number,
  elements: readonly Vector[],
  spare: readonly Vector[],
  run: Run,
): void {
  if (j % lanes.count > 0) return;
  const load = (at: Int, out: Group): void => run(lanes.element, [], [out], loader(lanes, at, j * lanes.bytes));
  if (lanes.count === 2) {
    const [a, b] = elements.slice(j % SIDE) as [Vector, Vector];
    rows.forEach((at, i) => load(at, [spare[i]!]));
    transposeItems(8, [...spare.slice(0, 2), a, b]);
    return;
  }
  const width = SIDE / rows.length;
  rows.forEach((at, i) => load(at, elements.slice(i * width, (i + 1) * width)));
  transpose(lanes.wide, elements, spare);
}

/** Transposes four elements each of four rows, or of two rows with two vectors each, to a vector for each element. */
export function transpose(wide: boolean, square: readonly Vector[], spare: readonly Vector[]): void {
  if (!wide) return void transposeItems(4, [...square, ...spare]);
  const [a, b, c, d] = square as [Vector, Vector, Vector, Vector];
  const made = [...transposeItems(8, [a, c, ...spare.slice(0, 2)]), ...transposeItems(8, [b, d, ...spare.slice(2)])];
  square.forEach((vector, i) => local.set(vector, local.get(made[i]!)));
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
  loop((again) => {
    placeRows(v, rows);
    body(rows);
    block((done) => {
      i32.ge_u(v.group, v.limit);
      br_if(done);
      advance(v.group, count);
      setMinimum(v.group, v.group, v.limit);
      br(again);
    });
  });
}

/** Has rows begin with their first elements. */
function placeRows(v: Ints, rows: readonly Int[]): void {
  const nexts = [v.next1, v.next2, v.next3];
  local.set(v.row0, i32.add(v.x, i32.mul(v.group, v.pitch)));
  rows.slice(1).forEach((row, i) => local.set(row, i32.add(v.row0, nexts[i]!)));
}

/**
 * The function of a piece of contiguous rows that are short, in the order of the others; of the arguments behind `rows` only `to`
 * counts. Results are elements of a type. Writes whole vectors: of fewer groups than lanes, up to three behind the last one.
 */
export const reduceShort = (recurrence: Recurrence, out: DType): Code =>
  reduceRows(recurrence, out, typeof recurrence.order === "object" ? recurrence.order.accumulators : SIDE, foldInTurn);

/** The same for rows of a length. */
export function foldShort(recurrence: Recurrence, rows: number, out: DType): Code {
  const short = forLength(recurrence, rows, out);
  return short === recurrence ? reduceShort(recurrence, out) : reduceRows(short, out, 1, foldSquare);
}

/** Positions of extremes of the same rows, which begin with element 0: integers of a type. */
export const findShort = (search: Search, out: DType): Code => reduceRows(search, out, 1, foldOneByOne, search.quick);

/** The function of rows. With a `quick` shortcut, rows about which it has doubts are done again. */
function reduceRows(
  recurrence: Recurrence,
  out: DType,
  count: number,
  fold: (squares: Squares, count: Int) => void,
  quick: Shortcut | null = null,
): Code {
  const { order, shortcut } = recurrence;
  const isOrdered = order !== "any";
  // Doing rows again would take longer than a shortcut of extremes saves.
  const short = shortcut && !shortcut.doubt ? shortcut : null;
  const exact = lanesOf(recurrence, short ?? recurrence);
  const lanes = quick ? lanesOf(recurrence, quick) : exact;
  const doubt = quick?.doubt ? closingOf(quick, inSingle).doubt! : null;
  const { wide } = lanes;
  const finishes = [quick ?? short, ...(quick ? [short] : [])].map((steps) =>
    placed(finishing(recurrence, out, steps), wide),
  );
  const asksLast = finishes.some(({ body: { inputs, values } }) => values.includes(inputs.at(-1)!));
  const held = Math.max(lanes.init.length, exact.init.length) * count + Number(asksLast);
  const bodies = [...bodiesOf(lanes), ...(quick ? bodiesOf(exact) : []), ...(doubt ? [doubt] : []), ...finishes];
  return defineWith(PIECE_ARGS, [...SHORT_INTS, "left"], held + SIDE + SPARE, bodies, (v, all, run) => {
    const [elements, spare] = [all.slice(held, held + SIDE), all.slice(held + SIDE)];
    const last = asksLast ? [all[held - 1]!] : [];
    local.set(v.pitch, local.get(v.step));
    for (const vector of last) {
      local.set(v.left, i32.sub(v.rows, 1));
      local.set(vector, splatNumber(wide ? 8 : 4, v.left));
    }
    const through = (of: Lanes, finish: Placed, rows: readonly Int[]): void => {
      const states = heldIn({ ...of, width: 1 }, all, count);
      local.set(v.left, v.rows);
      fold({ lanes: of, rows, left: v.left, states, isOrdered, elements, spare, run }, v.rows);
      if (of === lanes && doubt) {
        run(doubt, states[0]!, [[spare[0]!]]);
        v128.any_true(spare[0]!);
        when(
          () => {
            placeRows(v, rows);
            through(exact, finishes[1]!, rows);
          },
          () => give(finish, states[0]!),
        );
      } else give(finish, states[0]!);
    };
    const give = (finish: Placed, state: Held): void => {
      local.set(v.left, i32.add(v.to, i32.mul(v.group, bytesOf(out))));
      const result = spare.slice(0, finish.width(finish.body.outputs[0]!.kind));
      run(finish, [...state, last], [result]);
      if (wide) emitStoreFew(out, 2, result, v.left, 0);
      else emitStore(out, [result], v.left, 0);
    };
    eachGroups(wide, v, (rows) => through(lanes, finishes[0]!, rows));
  });
}

interface Squares {
  readonly lanes: Lanes;
  /** Where rows are, and how many elements are left in each. */
  readonly rows: readonly Int[];
  readonly left: Int;
  /** Accumulators; the first one is the result. */
  readonly states: readonly Held[];
  /** Whether the order of operations matters. */
  readonly isOrdered: boolean;
  readonly elements: readonly Vector[];
  readonly spare: readonly Vector[];
  readonly run: Run;
}

/** Joins an element, or another state, to what is held: the same where that is a single value. */
const join = ({ lanes, run }: Squares, held: Held, x: Held): void => run(lanes.join, [...held, ...x], held);

/** With as many accumulators as there are; rows of up to four elements need none, and in any order the first four begin them. */
function foldInTurn(squares: Squares, count: Int): void {
  const { lanes, rows, left, states, isOrdered, spare, run } = squares;
  i32.le_u(count, SIDE);
  when(
    () => foldSquare(squares, count),
    () => {
      const results = states.map(([group]) => group![0]!);
      if (isOrdered) for (const held of states) setInit(lanes, held);
      else {
        for (let j = 0; j < SIDE; j++) loadElements(lanes, rows, j, results, spare, run);
        for (const row of rows) advance(row, SIDE * lanes.bytes);
        advance(left, -SIDE);
      }
      foldSquares(squares);
      for (let distance = states.length / 2; distance >= 1; distance /= 2) {
        for (let j = 0; j < distance; j++) join(squares, states[j]!, states[j + distance]!);
      }
    },
  );
}

/**
 * `(a + c) + (b + d)` of those of four elements that there are, each of which is loaded when it is needed. Where the order matters they are
 * joined to the identity last, which gives the same as it does first.
 */
function foldSquare(squares: Squares, count: Int): void {
  const { lanes, rows, states, isOrdered, elements, spare, run } = squares;
  const load = (j: number): void => loadElements(lanes, rows, j, elements, spare, run);
  const [a, b, c, d] = elements.map((vector): Held => [[vector]]) as [Held, Held, Held, Held];
  load(0);
  i32.gt_u(count, 2);
  when(() => {
    load(2);
    join(squares, a, c);
    i32.gt_u(count, 3);
    when(() => join(squares, b, d));
  });
  i32.gt_u(count, 1);
  when(() => join(squares, a, b));
  if (isOrdered) {
    setInit(lanes, states[0]!);
    join(squares, states[0]!, a);
  } else local.set(states[0]![0]![0]!, elements[0]!);
}

/** Joined to a single accumulator. */
function foldOneByOne(squares: Squares): void {
  setInit(squares.lanes, squares.states[0]!);
  foldSquares(squares);
}

/** All elements that are left in the rows, in turn to the accumulators. */
function foldSquares({ lanes, rows, left, states, elements, spare, run }: Squares): void {
  const count = Math.max(SIDE, states.length);
  block((done) => {
    loop((again) => {
      for (let j = 0; j < count; j++) {
        const held = states[j % states.length]!;
        loadElements(lanes, rows, j, elements, spare, run);
        run(lanes.step, [...held, [elements[j % SIDE]!], []], held);
        if (j === count - 1) continue;
        i32.le_u(left, j + 1);
        br_if(done);
      }
      for (const row of rows) advance(row, count * lanes.bytes);
      advance(left, -count);
      i32.lt_s(0, left);
      br_if(again);
    });
  });
}
