/**
 * The steps of scans by fours, of sums of floats narrower than f64: with `h` held before four elements a, b, c, d, the
 * results are h + a, h + (a + b), h + ((a + b) + c) and h + ((a + b) + (c + d)). So one addition in four waits for another.
 * Pieces of lines have a multiple of four elements, except for the last.
 */
import { advance, i32, local, repeat, when } from "../asm";
import type { Int, Vector } from "../asm";
import { bytesOf, type DType } from "../../../core/types";
import { emitStoreFew } from "../codegen/access";
import { copy, type Placed, type Run } from "../codegen/body";
import { words, type Group } from "../codegen/vectors";
import { loader, setInit, type Lanes } from "./steps";

/** Elements that join each other before they join the state. */
export const RUN = 4;

/** Loads four neighbouring elements to two vectors. */
export function loadFour(lanes: Lanes, to: Group, at: Int, run: Run): void {
  const groups = lanes.count === 2 ? to.map((vector) => [vector]) : [to];
  groups.forEach((group, i) => run(lanes.element, [], [group], loader(lanes, at, i * lanes.count * lanes.bytes)));
}

/** How results are made of what is held in a vector, and stored. */
interface Stored {
  readonly finish: Placed;
  readonly out: DType;
  readonly temp: Group;
}

/** Stores two elements at a time: to put four results into one vector takes longer than to store them apart. */
export const storeFour = ({ finish, out, temp }: Stored, from: Group, at: Int, run: Run): void =>
  from.forEach((two, i) => {
    run(finish, [[two], []], [temp]);
    emitStoreFew(out, 2, temp, at, 2 * i * bytesOf(out));
  });

/** `to = a + b`, vector by vector. */
type Add = (to: Group, a: Group, b: Group) => void;

const adding =
  ({ join }: Lanes, run: Run): Add =>
  (to, a, b) =>
    to.forEach((vector, i) => run(join, [[a[i]!], [b[i]!]], [[vector]]));

/** Vectors for what is held, which come first, sums of a run, elements, and results: as many of each. */
export const RUN_GROUPS = 5;

/** Elements, or rows of them, one after the other, `left` of them, which begin with a run; `give` is told each result. */
export function followRuns(
  lanes: Lanes,
  left: Int,
  vectors: readonly Vector[],
  run: Run,
  load: (to: Group) => void,
  give: (result: Group) => void,
): void {
  const add = adding(lanes, run);
  const size = vectors.length / RUN_GROUPS;
  const groups: Group[] = Array.from({ length: RUN_GROUPS }, (_, i) => vectors.slice(i * size, (i + 1) * size));
  const [held, sums, x, pair, result] = groups as [Group, Group, Group, Group, Group];
  const steps = [
    () => load(sums),
    () => {
      load(x);
      add(sums, sums, x);
    },
    () => {
      load(pair);
      copy(x, sums);
      add(sums, sums, pair);
    },
    () => {
      load(sums);
      add(pair, pair, sums);
      add(sums, x, pair);
    },
  ];
  const from = (i: number): void => {
    steps[i]!();
    add(result, held, sums);
    give(result);
    if (i + 1 === RUN) return;
    i32.lt_u(i + 1, left);
    when(() => from(i + 1));
  };
  repeat(() => {
    from(0);
    copy(held, result);
    advance(left, -RUN);
    i32.gt_s(left, 0);
  });
}

/** Both lanes of one vector and the next, the other way around. */
function reverseFour([a, b]: Group, temp: Vector): void {
  local.set(temp, words(b!, b!, [2, 3, 0, 1]));
  local.set(b!, words(a!, a!, [2, 3, 0, 1]));
  local.set(a!, temp);
}

/** Runs of neighbouring elements in vectors, up to the last whole one. */
export function followNeighbours(
  lanes: Lanes,
  stored: Stored,
  v: { readonly [N in "left" | "at" | "put"]: Int },
  vectors: readonly Vector[],
  reverse: boolean,
  run: Run,
): void {
  const [held, a, b, none, temp] = vectors as [Vector, Vector, Vector, Vector, Vector];
  const add = adding(lanes, run);
  const pointers = [[v.at, lanes.bytes] as const, [v.put, bytesOf(stored.out)] as const];
  const shift = (count: number): void => pointers.forEach(([pointer, bytes]) => advance(pointer, count * bytes));
  const toFirst = reverse ? 1 - RUN : 0;
  setInit(lanes, [[none]]);
  i32.ge_u(v.left, RUN);
  when(() => {
    shift(toFirst);
    repeat(() => {
      loadFour(lanes, [a, b], v.at, run);
      if (reverse) reverseFour([a, b], temp);
      local.set(temp, words(none, a, [0, 1, 4, 5]));
      add([a], [a], [temp]);
      local.set(temp, words(none, b, [0, 1, 4, 5]));
      add([b], [b], [temp]);
      local.set(temp, words(a, a, [2, 3, 2, 3]));
      add([b], [b], [temp]);
      local.set(temp, words(b, b, [2, 3, 2, 3]));
      add([a, b], [a, b], [held, held]);
      add([held], [held], [temp]);
      if (reverse) reverseFour([a, b], temp);
      storeFour(stored, [a, b], v.put, run);
      shift(reverse ? -RUN : RUN);
      advance(v.left, -RUN);
      i32.ge_u(v.left, RUN);
    });
    shift(-toFirst);
  });
}
