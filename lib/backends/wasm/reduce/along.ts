/**
 * The schedule of reductions along contiguous elements: lanes of four vectors are the accumulators, and join each other in
 * the end. Emits code that works with addresses.
 */
import { advance, i32, i32x4, i64, i64x2, i8x16, local, repeat, setAddress, v128, when } from "../asm";
import type { Code, Int, Vector } from "../asm";
import { BLOCK, bodyOf, kindsOf, positionKind } from "../../../kernel/recurrence";
import type { Body, Order, Recurrence, Shortcut } from "../../../kernel/recurrence";
import { SLACK } from "../memory/linear";
import { defineWith, type Placed, type Run } from "../codegen/body";
import { bodiesOf, entryBytes, heldIn, inSingle, inVectors, lanesOf, loader, setInit, vectorsOf } from "./steps";
import type { Held, Lanes } from "./steps";

/** Vectors of accumulators: eight lanes of sums and products are four; of others twice as many, where they are read in time. */
const VECTORS = 4;
const MANY_VECTORS = 8;

export function vectorCount(order: Order, { init, count, width, bytes }: Lanes): number {
  const step = (MANY_VECTORS / width) * count * Math.abs(bytes);
  return order === "any" && init.length === 1 && step <= SLACK ? MANY_VECTORS : VECTORS;
}

/** What a shortcut needs in the end, in groups of lanes or in single vectors. */
interface Closing {
  readonly close: Placed;
  readonly doubt: Placed | null;
}

export function closingOf(shortcut: Shortcut, place: (body: Body) => Placed): Closing {
  const kinds = kindsOf(shortcut);
  const { close, doubt } = shortcut;
  const closing = bodyOf([...kinds, positionKind(shortcut)], (k, given) => close(k, given.slice(0, -1), given.at(-1)!));
  return { close: place(closing), doubt: doubt ? place(bodyOf(kinds, (k, state) => [doubt(k, state)])) : null };
}

export const bodiesIn = ({ close, doubt }: Closing): readonly Placed[] => (doubt ? [close, doubt] : [close]);

/** Neighbouring elements: where they are, and how many there are. */
type LineInts = { readonly [N in "x" | "n"]: Int };

/** `(x, n, to)`: one block of `n` neighbouring elements into the entry at `to`. */
export function lineBlock(recurrence: Recurrence): Code {
  const { shortcut } = recurrence;
  const exact = lanesOf(recurrence);
  const quick = shortcut && lanesOf(recurrence, shortcut);
  const closing = shortcut && closingOf(shortcut, inSingle);
  const number = vectorCount(recurrence.order, quick ?? exact);
  const count = number * Math.max(exact.init.length, quick?.init.length ?? 0);
  const bodies = [...bodiesOf(exact), ...(quick ? [...bodiesOf(quick), ...bodiesIn(closing!)] : [])];
  const size = entryBytes(recurrence);
  return defineWith(["x", "n", "to"], ["from", "count"], 2 * count + 2, bodies, (v, vectors, run) => {
    const whole = (lanes: Lanes): Held => joinLanes(lanes, wholeLine(lanes, v, vectors, number, run), run);
    if (!quick || !closing) return storeEntry(size, v.to, whole(exact)[0]![0]!);
    local.set(v.from, v.x);
    local.set(v.count, v.n);
    const held = whole(quick);
    const [result, doubt] = vectors.slice(-2) as [Vector, Vector];
    run(closing.close, [...held, []], [[result]]);
    storeEntry(size, v.to, result);
    if (!closing.doubt) return;
    run(closing.doubt, held, [[doubt]]);
    v128.any_true(doubt);
    when(() => {
      local.set(v.x, v.from);
      local.set(v.n, v.count);
      storeEntry(size, v.to, whole(exact)[0]![0]!);
    });
  });
}

/** The whole block to a state in single vectors, and another one to work with. */
export function wholeLine(
  lanes: Lanes,
  { x, n }: LineInts,
  vectors: readonly Vector[],
  number: number,
  run: Run,
): readonly [Held, Held] {
  const { width, count, bytes } = lanes;
  const states = heldIn(lanes, vectors, number / width);
  const others = heldIn(lanes, vectors.slice(vectorsOf(lanes, number / width)), number / width);
  const mask = vectors.at(-1)!;
  const step = states.length * count;
  const take = (to: readonly Held[]): void =>
    states.forEach((held, i) => run(lanes.take, [...held, []], to[i]!, loader(lanes, x, i * count * bytes)));
  for (const held of states) setInit(lanes, held);
  const steps = (): void =>
    repeat(() => {
      take(states);
      advance(x, step * bytes);
      advance(n, -step);
      i32.ge_u(n, step);
    });
  const rest = (): void => {
    local.get(n);
    when(() => {
      take(others);
      splatCount(lanes, n, mask);
      const [to, from] = [inVectors(states), inVectors(others)];
      to.forEach((held, i) => keepFirst(lanes, held, from[i]!, i, mask));
    });
  };
  // The last elements once more in place of those behind the end.
  const again = (): void => {
    local.get(n);
    when(() => {
      advance(n, -step);
      setAddress(x, x, n, bytes);
      take(states);
    });
  };
  i32.ge_u(n, step);
  if (lanes.isIdempotent) {
    when(() => {
      steps();
      again();
    }, rest);
  } else {
    when(steps);
    rest();
  }
  return [joinLine(lanes, inVectors(states), run), others[0]!];
}

function splatCount({ wide }: Lanes, n: Int, mask: Vector): void {
  local.get(n);
  if (wide) {
    i64.extend_i32_u();
    i64x2.splat();
  } else i32x4.splat();
  local.set(mask);
}

/** Takes over the lanes of the `i`-th vector up to the count. */
function keepFirst({ wide }: Lanes, held: Held, next: Held, i: number, count: Vector): void {
  held.forEach(([to], j) => {
    local.get(next[j]![0]!);
    local.get(to!);
    local.get(count);
    if (wide) {
      v128.const("i64x2", [BigInt(2 * i), BigInt(2 * i + 1)]);
      i64x2.gt_s();
    } else {
      v128.const("i32x4", [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
      i32x4.gt_s();
    }
    v128.bitselect();
    local.set(to!);
  });
}

/** `(x, to)`: two whole blocks of neighbouring elements at once: with twice the accumulators nothing waits for a sum to be ready. */
export function linePair(recurrence: Recurrence): Code {
  const lanes = lanesOf(recurrence);
  const { width, count, bytes } = lanes;
  const number = VECTORS / width;
  const each = vectorsOf(lanes, number);
  const step = number * count;
  return defineWith(["x", "to"], ["left"], 3 * each, bodiesOf(lanes), (v, vectors, run) => {
    const blocks = [heldIn(lanes, vectors, number), heldIn(lanes, vectors.slice(each), number)];
    for (const held of blocks.flat()) setInit(lanes, held);
    local.set(v.left, i32.const(BLOCK / step));
    repeat(() => {
      for (let i = 0; i < number; i++) {
        blocks.forEach((states, b) => {
          run(lanes.take, [...states[i]!, []], states[i]!, loader(lanes, v.x, (b * BLOCK + i * count) * bytes));
        });
      }
      advance(v.x, step * bytes);
      local.tee(v.left, i32.sub(v.left, 1));
    });
    blocks.forEach((states, b) => {
      const other = heldIn(lanes, vectors.slice(2 * each), 1)[0]!;
      const [result] = joinLanes(lanes, [joinLine(lanes, inVectors(states), run), other], run);
      storeEntry(entryBytes(recurrence), v.to, result![0]!, b * entryBytes(recurrence));
    });
  });
}

/** Joins vectors to the first one: lane 0 are the even accumulators, lane 1 the odd ones. */
function joinLine(lanes: Lanes, states: readonly Held[], run: Run): Held {
  for (let distance = states.length / 2; distance >= 1; distance /= 2) {
    for (let j = 0; j < distance; j++) {
      const [left, right] = [states[j]!, states[j + distance]!];
      run(lanes.join, [...left, ...right], left);
    }
  }
  return states[0]!;
}

/** Joins the lanes of a state, which all hold the same then. */
export function joinLanes(lanes: Lanes, [held, other]: readonly [Held, Held], run: Run): Held {
  const rotated = other.map(([vector]) => [vector!]);
  for (const bytes of lanes.wide ? [8] : [8, 4]) {
    const from = Array.from({ length: 16 }, (_, i) => (i + bytes) % 16);
    rotated.forEach(([to], i) => local.set(to!, i8x16.shuffle(from, held[i]![0]!, held[i]![0]!)));
    run(lanes.join, [...held, ...rotated], held);
  }
  return held;
}

/** Stores what lane 0 holds, or both lanes. */
export function storeEntry(bytes: 4 | 8 | 16, to: Int, vector: Vector, offset = 0): void {
  if (bytes === 16) return v128.store({ offset }, to, vector);
  if (bytes === 8) v128.store64_lane({ offset }, 0, to, vector);
  else v128.store32_lane({ offset }, 0, to, vector);
}
