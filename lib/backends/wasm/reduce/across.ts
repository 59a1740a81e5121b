/**
 * The schedule of reductions across columns: rows go down side by side in the lanes of vectors. Accumulators are whole rows
 * of them, to which rows go in turn. Emits code that works with addresses.
 */
import { advance, block, br_if, i32, local, repeat, v128, when, whileTrue } from "../asm";
import type { Code, Int, Vector } from "../asm";
import type { Recurrence } from "../../../kernel/recurrence";
import { defineWith, type Placed, type Run } from "../codegen/body";
import type { Group } from "../codegen/vectors";
import { FAR_BYTES, FAR_ROWS_FROM } from "../schedule/reductions";
import { bodiesIn, closingOf } from "./along";
import { bodiesOf, entryBytes, heldIn, lanesOf, loader, setInit, vectorsOf, type Held, type Lanes } from "./steps";

/** How many groups of columns go side by side, and to how many accumulators rows go in turn. */
export interface Shape {
  readonly groups: number;
  readonly accumulators: number;
}

/** Columns of a strip: a cache line of elements of 32 bits, two of 64. */
export const COLUMNS = 16;

/** Strips of many columns, and of four. */
export const stripsOf = ({ count }: Lanes): readonly Shape[] =>
  [COLUMNS, 4].map((columns) => ({ groups: columns / count, accumulators: 1 }));

/** Strips of as few columns as go together have several accumulators, which hide delays, where the order does not matter. */
const FEW: Shape = { groups: 1, accumulators: 4 };

/** States of the largest shape. */
export const mostStates = (shapes: readonly Shape[]): number =>
  Math.max(...shapes.map(({ groups, accumulators }) => groups * accumulators));

/** Rows going down: where they are, and how many there are. */
type DownInts = { readonly [N in "x" | "n" | "pitch" | "at" | "left"]: Int };

/** `(x, n, pitch, columns, to)`: one block of `n` rows, `pitch` bytes apart, into a row of entries at `to`. */
export function columnsBlock(recurrence: Recurrence): Code {
  const { order, shortcut } = recurrence;
  const exact = lanesOf(recurrence);
  const lanes = lanesOf(recurrence, shortcut);
  const closing = shortcut && closingOf(shortcut, lanes.inGroups);
  const isOrdered = typeof order === "object";
  const shapes = isOrdered ? [{ groups: 1, accumulators: order.accumulators }] : [stripsOf(lanes)[0]!, FEW];
  const most = Math.max(mostStates(shapes), isOrdered ? (LEVELS * COLUMNS) / lanes.count : 0);
  const vectors = Math.max(vectorsOf(lanes, most), vectorsOf(exact, most));
  const bodies = [...bodiesOf(lanes), ...bodiesOf(exact), ...(closing ? bodiesIn(closing) : [])];
  const args = ["x", "n", "pitch", "columns", "to"] as const;
  return defineWith(args, ["at", "left", "accumulator", "step"], vectors + 4, bodies, (v, all, run) => {
    const [first, second, ...both] = all.slice(vectors) as [Vector, Vector, ...Vector[]];
    const doubts = both.slice(0, lanes.width);
    const results = [first, second].slice(0, (lanes.count * entryBytes(recurrence)) / 16);
    const down = (of: Lanes, shape: Shape): readonly Held[] => downRows({ lanes: of, v, vectors: all, shape, run });
    const onward = (columns: number): void => {
      advance(v.to, columns * entryBytes(recurrence));
      advance(v.x, columns * lanes.bytes);
    };
    if (isOrdered) {
      pushEachOther(v);
      when(() =>
        wideStrips(v.columns, () => {
          eachAccumulator({ lanes, v, vectors: all, run }).forEach((held, i) => storeGroup(held[0]!, v.to, i));
          onward(COLUMNS);
        }),
      );
    }
    eachStrip(lanes, shapes, v.columns, (shape, columns) => {
      const found = down(lanes, shape);
      found.forEach((held, i) => {
        if (closing) run(closing.close, [...held, []], [results]);
        storeGroup(closing ? results : held[0]!, v.to, i);
      });
      if (closing?.doubt) {
        pushDoubts(found, closing.doubt, doubts, run);
        when(() => down(exact, shape).forEach((held, i) => storeGroup(held[0]!, v.to, i)));
      }
      onward(columns);
    });
  });
}

/** Whether lines of the rows push each other out of the caches: rows are many, and a multiple of a power of two apart. */
function pushEachOther({ n, pitch }: DownInts): void {
  i32.gt_u(n, FAR_ROWS_FROM);
  i32.eqz(i32.and(pitch, FAR_BYTES - 1));
  i32.and();
}

/** The body for strips of {@link COLUMNS} columns, as long as there are so many left. */
function wideStrips(left: Int, body: () => void): void {
  whileTrue(
    () => i32.ge_s(left, COLUMNS),
    () => {
      body();
      advance(left, -COLUMNS);
    },
  );
}

/** Sums that wait for the other half of a tree of eight, and the accumulator that is filled. */
const LEVELS = 4;

type AccumulatorInts = DownInts & { readonly [N in "accumulator" | "step"]: Int };

/**
 * What is held for each of {@link COLUMNS} columns when one of eight accumulators after the other has taken its rows: of a row all of a cache
 * line is read at once, and no line is read again. Accumulators come in the order in which the tree of them joins neighbours: 0, 4, 2, 6, 1, 5, 3, 7.
 */
function eachAccumulator({
  lanes,
  v,
  vectors,
  run,
}: Omit<Down, "shape" | "v"> & { v: AccumulatorInts }): readonly Held[] {
  const groups = COLUMNS / lanes.count;
  const states = heldIn(lanes, vectors, LEVELS * groups);
  const [held, ...levels] = Array.from({ length: LEVELS }, (_, i) => states.slice(i * groups, (i + 1) * groups));
  const row = (): void => {
    held!.forEach((group, i) =>
      run(lanes.take, [...group, []], group, loader(lanes, v.at, i * lanes.count * lanes.bytes)),
    );
    advance(v.at, v.step);
    advance(v.left, -1);
  };
  /** Joins what came last to what waits at a level, or has it wait there, by the digits of the number of the accumulator. */
  const rise = (level: number): void => {
    const [from, to] = [level === 0 ? held! : levels[level - 1]!, levels[level]!];
    i32.and(v.accumulator, 1 << level);
    when(
      () => {
        to.forEach((left, i) => joinGroups(lanes, left, from[i]!, run));
        if (level + 1 < levels.length) rise(level + 1);
      },
      () => to.forEach(([group], i) => group!.forEach((vector, k) => local.set(vector, local.get(from[i]![0]![k]!)))),
    );
  };
  local.set(v.step, i32.mul(v.pitch, 8));
  local.set(v.accumulator, 0);
  repeat(() => {
    local.set(
      v.left,
      i32.or(i32.or(i32.shl(i32.and(v.accumulator, 1), 2), i32.and(v.accumulator, 2)), i32.shr_u(v.accumulator, 2)),
    );
    local.set(v.at, i32.add(v.x, i32.mul(v.left, v.pitch)));
    local.set(v.left, i32.shr_u(i32.add(i32.sub(v.n, v.left), 7), 3));
    for (const group of held!) setInit(lanes, group);
    whileTrue(() => local.get(v.left), row);
    rise(0);
    advance(v.accumulator, 1);
    i32.lt_u(v.accumulator, 8);
  });
  return levels.at(-1)!;
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
    whileTrue(
      () => (i === shapes.length - 1 ? i32.gt_s(left, 0) : i32.ge_s(left, columns)),
      () => {
        body(shape, columns);
        advance(left, -columns);
      },
    );
  });
}

/** Whether there are doubts about any state; the masks are written over. */
export function pushDoubts(states: readonly Held[], doubt: Placed, masks: Group, run: Run): void {
  states.forEach((held, i) => {
    run(doubt, held, [masks]);
    masks.forEach((mask, k) => {
      v128.any_true(mask);
      if (i + k > 0) i32.or();
    });
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
  const { groups, accumulators } = down.shape;
  const states = heldIn(lanes, down.vectors, groups * accumulators);
  const row = (accumulator: number): void => {
    const own = states.slice(accumulator * groups, (accumulator + 1) * groups);
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
  whileTrue(
    () => i32.ge_u(v.left, accumulators),
    () => {
      for (let j = 0; j < accumulators; j++) row(j);
      advance(v.left, -accumulators);
    },
  );
  if (accumulators > 1) {
    block((done) => {
      for (let j = 0; j < accumulators - 1; j++) {
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
