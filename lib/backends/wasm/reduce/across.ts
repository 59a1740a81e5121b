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

const ONE_GROUP: Shape = { groups: 1, turns: 4 };
const FOUR_GROUPS: Shape = { groups: 4, turns: 1 };

/** Of sums and products as many as the order has; of others a cache line of columns, and of the last ones what hides delays. */
function shapesOf({ order }: Recurrence): readonly Shape[] {
  return typeof order === "object" ? [{ groups: 1, turns: order.accumulators }] : [FOUR_GROUPS, ONE_GROUP];
}

type Names = "x" | "n" | "pitch" | "at" | "left";
type Locals = { readonly [N in Names]: Int };

/** `(x, n, pitch, columns, to)`: one block of `n` rows, `pitch` bytes apart, into a row of entries at `to`. */
export function columnsBlock(recurrence: Recurrence): Code {
  const { type, shortcut } = recurrence;
  const exact = lanesOf(type, recurrence);
  const lanes = shortcut ? lanesOf(type, shortcut) : exact;
  const closing = shortcut && closingOf(shortcut, lanes.count === 2);
  const shapes = shapesOf(recurrence);
  const most = Math.max(...shapes.map(({ groups, turns }) => groups * turns));
  const vectors = Math.max(vectorsOf(lanes, most), vectorsOf(exact, most));
  const bodies = [...bodiesOf(lanes), ...bodiesOf(exact), ...(closing ? bodiesIn(closing) : [])];
  const args = ["x", "n", "pitch", "columns", "to"] as const;
  return defineWith(args, ["next", "at", "left"], vectors + 3, bodies, (v, all, run) => {
    const [doubt, first, second] = all.slice(vectors) as [Vector, Vector, Vector];
    const results = [first, second].slice(0, (lanes.count * entryBytes(recurrence)) / 16);
    const strip = (shape: Shape): void => {
      const found = downRows(lanes, v, all, shape, run);
      if (!closing) found.forEach((held, i) => storeGroup(held[0]!, v.to, i));
      else {
        found.forEach((held, i) => {
          run(closing.close, held, [results]);
          storeGroup(results, v.to, i);
        });
      }
      if (!closing?.doubt) return;
      found.forEach((held, i) => {
        run(closing.doubt!, held, [[doubt]]);
        v128.any_true(doubt);
        if (i > 0) i32.or();
      });
      when(() => downRows(exact, v, all, shape, run).forEach((held, i) => storeGroup(held[0]!, v.to, i)));
    };
    shapes.forEach((shape, i) => {
      const columns = shape.groups * lanes.count;
      // The last strip may go on behind the last column.
      const isLast = i === shapes.length - 1;
      const more = (): void => void (isLast ? i32.lt_s(0, v.columns) : i32.ge_s(v.columns, columns));
      more();
      when(() =>
        repeat(() => {
          strip(shape);
          advance(v.to, columns * entryBytes(recurrence));
          advance(v.x, columns * lanes.bytes);
          advance(v.columns, -columns);
          more();
        }),
      );
    });
  });
}

function storeGroup(group: readonly Vector[], to: Int, i: number): void {
  group.forEach((vector, k) => v128.store({ offset: 16 * (i * group.length + k) }, to, vector));
}

/** All rows of some groups of columns to what is held for each. */
function downRows(
  lanes: Lanes,
  v: Locals,
  vectors: readonly Vector[],
  { groups, turns }: Shape,
  run: Run,
): readonly Held[] {
  const states = heldIn(lanes, vectors, groups * turns);
  const row = (turn: number): void => {
    for (let i = 0; i < groups; i++) {
      const held = states[turn * groups + i]!;
      run(lanes.take, [...held, []], held, loader(lanes, v.at, i * lanes.count * lanes.bytes));
    }
    advance(v.at, v.pitch);
  };
  local.set(v.at, v.x);
  local.set(v.left, v.n);
  for (const held of states) setInit(lanes, held);
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
export function joinGroups(lanes: Lanes, left: Held, right: Held, run: Run): void {
  for (let k = 0; k < lanes.width; k++) {
    const [a, b] = [left, right].map((held) => held.map((group) => [group[k]!]));
    run(lanes.join, [...a!, ...b!], a!);
  }
}
