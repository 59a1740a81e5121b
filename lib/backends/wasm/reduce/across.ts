/**
 * The schedule of reductions across columns: rows go down side by side in the lanes of vectors. Accumulators are whole rows
 * of them, to which rows go in turn. Emits code that works with addresses.
 */
import { advance, block, br_if, i32, local, repeat, v128, when, type Code, type Int, type Vector } from "../asm";
import type { Recurrence } from "../../../kernel/recurrence";
import { defineWith, type Run } from "../codegen/body";
import { bodiesIn, closingOf } from "./along";
import { bodiesOf, entryBytes, heldIn, lanesOf, loader, setInit, vectorsOf, type Held, type Lanes } from "./steps";

/** How many groups of columns go side by side, and to how many accumulators rows go in turn. */
interface Shape {
  readonly groups: number;
  readonly turns: number;
}

/** Columns of a strip: a cache line of elements of 32 bits, two of 64. */
const COLUMNS = 16;

/** Strips of many columns, and of four. */
export const stripsOf = ({ count }: Lanes): readonly Shape[] =>
  [COLUMNS, 4].map((columns) => ({ groups: columns / count, turns: 1 }));

/** Strips of as few columns as go together have several accumulators, which hide delays, where the order does not matter. */
const FEW: Shape = { groups: 1, turns: 4 };

/** States of the largest shape. */
export const mostStates = (shapes: readonly Shape[]): number =>
  Math.max(...shapes.map(({ groups, turns }) => groups * turns));

/** Rows going down: where they are, and how many there are. */
type DownInts = { readonly [N in "x" | "n" | "pitch" | "at" | "left"]: Int };

/** `(x, n, pitch, columns, to)`: one block of `n` rows, `pitch` bytes apart, into a row of entries at `to`. */
export function columnsBlock(recurrence: Recurrence): Code {
  const { order, shortcut } = recurrence;
  const exact = lanesOf(recurrence);
  const lanes = lanesOf(recurrence, shortcut);
  const closing = shortcut && closingOf(shortcut, lanes.inGroups);
  const shapes = typeof order === "object" ? [{ groups: 1, turns: order.accumulators }] : [stripsOf(lanes)[0]!, FEW];
  const most = mostStates(shapes);
  const vectors = Math.max(vectorsOf(lanes, most), vectorsOf(exact, most));
  const bodies = [...bodiesOf(lanes), ...bodiesOf(exact), ...(closing ? bodiesIn(closing) : [])];
  const args = ["x", "n", "pitch", "columns", "to"] as const;
  return defineWith(args, ["at", "left"], vectors + 4, bodies, (v, all, run) => {
    const [first, second, ...both] = all.slice(vectors) as [Vector, Vector, ...Vector[]];
    const doubts = both.slice(0, lanes.width);
    const results = [first, second].slice(0, (lanes.count * entryBytes(recurrence)) / 16);
    const down = (of: Lanes, shape: Shape): readonly Held[] => downRows({ lanes: of, v, vectors: all, shape, run });
    eachStrip(lanes, shapes, v.columns, (shape, columns) => {
      const found = down(lanes, shape);
      found.forEach((held, i) => {
        if (closing) run(closing.close, [...held, []], [results]);
        storeGroup(closing ? results : held[0]!, v.to, i);
      });
      if (closing?.doubt) {
        found.forEach((held, i) => {
          run(closing.doubt!, held, [doubts]);
          doubts.forEach((doubt, k) => {
            v128.any_true(doubt);
            if (i + k > 0) i32.or();
          });
        });
        when(() => down(exact, shape).forEach((held, i) => storeGroup(held[0]!, v.to, i)));
      }
      advance(v.to, columns * entryBytes(recurrence));
      advance(v.x, columns * lanes.bytes);
    });
  });
}

/** The body for strips of columns, of which `left` says how many there are; the last strip may go on behind the last column. */
export function eachStrip(
  { count }: Lanes,
  shapes: readonly Shape[],
  left: Int,
  body: (shape: Shape, columns: number) => void,
): void {
  shapes.forEach((shape, i) => {
    const columns = shape.groups * count;
    const more = (): void => void (i === shapes.length - 1 ? i32.gt_s(left, 0) : i32.ge_s(left, columns));
    more();
    when(() =>
      repeat(() => {
        body(shape, columns);
        advance(left, -columns);
        more();
      }),
    );
  });
}

export function storeGroup(group: readonly Vector[], to: Int, i: number): void {
  group.forEach((vector, k) => v128.store({ offset: 16 * (i * group.length + k) }, to, vector));
}

interface Down {
  readonly lanes: Lanes;
  readonly v: DownInts;
  readonly vectors: readonly Vector[];
  readonly shape: Shape;
  readonly run: Run;
  /** Sets the states before the first row, where these are not the initial states of the recurrence. */
  begin?(states: readonly Held[]): void;
  /** Receives the states after each row, when the elements of all groups of columns are taken. */
  afterRow?(states: readonly Held[]): void;
}

/** All rows of some groups of columns to what is held for each. */
export function downRows(down: Down): readonly Held[] {
  const { lanes, v, run } = down;
  const { groups, turns } = down.shape;
  const states = heldIn(lanes, down.vectors, groups * turns);
  const row = (turn: number): void => {
    const own = states.slice(turn * groups, (turn + 1) * groups);
    own.forEach((held, i) => {
      run(lanes.take, [...held, []], held, loader(lanes, v.at, i * lanes.count * lanes.bytes));
    });
    down.afterRow?.(own);
    advance(v.at, v.pitch);
  };
  local.set(v.at, v.x);
  local.set(v.left, v.n);
  if (down.begin) down.begin(states);
  else for (const held of states) setInit(lanes, held);
  i32.ge_u(v.left, turns);
  when(() =>
    repeat(() => {
      for (let j = 0; j < turns; j++) row(j);
      advance(v.left, -turns);
      i32.ge_u(v.left, turns);
    }),
  );
  if (turns > 1) {
    block(null, (done) => {
      for (let j = 0; j < turns - 1; j++) {
        i32.le_u(v.left, j);
        br_if(done);
        row(j);
      }
    });
  }
  closeColumns(lanes, states, groups, run);
  return states.slice(0, groups);
}

/** `((a0+a4)+(a2+a6))+((a1+a5)+(a3+a7))` into the first. */
function closeColumns(lanes: Lanes, states: readonly Held[], groups: number, run: Run): void {
  for (let distance = states.length / 2; distance >= groups; distance /= 2) {
    for (let j = 0; j < distance; j++) joinGroups(lanes, states[j]!, states[j + distance]!, run);
  }
}

/** Joins vector by vector. */
function joinGroups(lanes: Lanes, left: Held, right: Held, run: Run): void {
  for (let k = 0; k < lanes.width; k++) {
    const [a, b] = [left, right].map((held) => held.map((group) => [group[k]!]));
    run(lanes.join, [...a!, ...b!], a!);
  }
}
