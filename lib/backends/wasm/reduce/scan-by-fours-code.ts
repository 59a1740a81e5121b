/**
 * The functions of scans by fours, of sums of floats narrower than f64: with `h` held before four elements a, b, c, d, the
 * results are h + a, h + (a + b), h + ((a + b) + c) and h + ((a + b) + (c + d)). So one addition in four waits for another.
 * Pieces of lines have a multiple of four elements, except for the last.
 */
import { advance, i32, local, range, repeat, setAddress, setMinimum, v128, when } from "../asm";
import type { Code, Int, Vector } from "../asm";
import { bytesOf, type DType } from "../../../core/types";
import { finishing, type Scan } from "../../../kernel/recurrence";
import { emitStoreFew } from "../codegen/access";
import { copy, defineWith, type Placed, type Run } from "../codegen/body";
import { words } from "../codegen/vectors";
import { storeEntry } from "./along";
import { COLUMN_ARGS, LINE_ARGS, loadHeld, type OneByOne } from "./scan-elements";
import { bodiesOf, inSingle, lanesOf, loader, setInit, type Lanes } from "./steps";

/** Elements that join each other before they join the state. */
export const RUN = 4;

/** Four doubles. */
type Four = readonly [Vector, Vector];

/** Code for four neighbouring elements in two vectors. */
class Fours {
  private readonly finish: Placed;
  readonly lanes: Lanes;

  constructor(
    scan: Scan,
    private readonly out: DType,
  ) {
    this.lanes = lanesOf(scan);
    this.finish = inSingle(finishing(scan, out));
  }

  get bodies(): readonly Placed[] {
    return [...bodiesOf(this.lanes), this.finish];
  }

  load(run: Run, to: Four, at: Int): void {
    const { lanes } = this;
    const groups = lanes.count === 2 ? to.map((vector) => [vector]) : [to];
    groups.forEach((group, i) => run(lanes.element, [], [group], loader(lanes, at, i * lanes.count * lanes.bytes)));
  }

  /** Two elements at a time: to put four results into one vector takes longer than to store them apart. */
  store(run: Run, from: Four, at: Int, temp: Vector): void {
    from.forEach((two, i) => {
      run(this.finish, [[two], []], [[temp]]);
      emitStoreFew(this.out, 2, [temp], at, 2 * i * bytesOf(this.out));
    });
  }
}

/** `to = a + b`, vector by vector. */
type Add = (to: readonly Vector[], a: readonly Vector[], b: readonly Vector[]) => void;

const adding =
  ({ join }: Lanes, run: Run): Add =>
  (to, a, b) =>
    to.forEach((vector, i) => run(join, [[a[i]!], [b[i]!]], [[vector]]));

/** Sums of up to four elements in turn, each of as many vectors as there are in `sums`; `give` is told when one is made. */
function sumRun(
  left: Int,
  add: Add,
  [sums, x, pair]: readonly (readonly Vector[])[],
  load: (to: readonly Vector[]) => void,
  give: () => void,
): void {
  const [s, a, b] = [sums!, x!, pair!];
  const steps = [
    () => load(s),
    () => {
      load(a);
      add(s, s, a);
    },
    () => {
      load(b);
      copy(a, s);
      add(s, s, b);
    },
    () => {
      load(s);
      add(b, b, s);
      add(s, a, b);
    },
  ];
  const from = (i: number): void => {
    steps[i]!();
    give();
    if (i + 1 === RUN) return;
    i32.lt_u(i + 1, left);
    when(() => from(i + 1));
  };
  from(0);
}

type LineNames = "step" | "toStep" | "left" | "at" | "put" | "count";
type LineInts = { readonly [N in LineNames]: Int };

/** Elements one by one, some distance apart; `left` of them, starting with a run. */
function followRuns(one: OneByOne, lanes: Lanes, v: LineInts, vectors: readonly Vector[], run: Run): void {
  const [held, sums, x, pair, out, temp] = vectors.map((vector) => [vector] as const);
  const add = adding(lanes, run);
  repeat(() => {
    setMinimum(v.count, v.left, RUN);
    const load = ([to]: readonly Vector[]): void => {
      one.load(run, to!, v.at);
      advance(v.at, v.step);
    };
    sumRun(v.count, add, [sums!, x!, pair!], load, () => {
      add(out!, held!, sums!);
      one.store(run, out![0], v.put, temp![0]);
      advance(v.put, v.toStep);
    });
    copy(held!, out!);
    local.set(v.left, i32.sub(v.left, v.count));
    local.get(v.left);
  });
}

/** Both lanes of one vector and the next, the other way around. */
function reverseFour([a, b]: Four, temp: Vector): void {
  local.set(temp, words(b, b, [2, 3, 0, 1]));
  local.set(b, words(a, a, [2, 3, 0, 1]));
  local.set(a, temp);
}

/** Runs of neighbouring elements in vectors, up to the last whole one. */
function neighbours(
  fours: Fours,
  out: DType,
  v: LineInts,
  vectors: readonly Vector[],
  reverse: boolean,
  run: Run,
): void {
  const [held, a, b, none, temp] = vectors as [Vector, Vector, Vector, Vector, Vector];
  const { lanes } = fours;
  const add = adding(lanes, run);
  const pointers = [[v.at, lanes.bytes] as const, [v.put, bytesOf(out)] as const];
  const shift = (count: number): void => pointers.forEach(([pointer, bytes]) => advance(pointer, count * bytes));
  const toFirst = reverse ? 1 - RUN : 0;
  setInit(lanes, [[none]]);
  i32.ge_u(v.left, RUN);
  when(() => {
    shift(toFirst);
    repeat(() => {
      fours.load(run, [a, b], v.at);
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
      fours.store(run, [a, b], v.put, temp);
      shift(reverse ? -RUN : RUN);
      advance(v.left, -RUN);
      i32.ge_u(v.left, RUN);
    });
    shift(-toFirst);
  });
}

/** `lines(x, to, lines, n, step, toStep, line, toLine, before, after)`, as of other scans; of neighbours in vectors. */
export function linesByFours(
  scan: Scan,
  out: DType,
  one: OneByOne,
  ofNeighbours: { readonly reverse: boolean } | null,
): Code {
  const fours = new Fours(scan, out);
  const { lanes } = fours;
  const bodies = [...one.bodies, ...fours.bodies];
  return defineWith(LINE_ARGS, ["left", "at", "put", "count"], 6, bodies, (v, vectors, run) => {
    const held = vectors[0]!;
    repeat(() => {
      local.set(v.left, v.n);
      local.set(v.at, v.x);
      local.set(v.put, v.to);
      loadHeld(8, held, v.before, 0);
      if (ofNeighbours) neighbours(fours, out, v, vectors, ofNeighbours.reverse, run);
      local.get(v.left);
      when(() => followRuns(one, lanes, v, vectors, run));
      storeEntry(8, v.after, held);
      advance(v.x, v.line);
      advance(v.to, v.toLine);
      advance(v.before, 8);
      advance(v.after, 8);
      advance(v.lines, -1);
      local.get(v.lines);
    });
  });
}

/** `columns(x, to, rows, columns, pitch, toPitch, before, after)`, as of other scans: four columns at a time. */
export function columnsByFours(scan: Scan, out: DType): Code {
  const fours = new Fours(scan, out);
  const ints = ["column", "offset", "at", "put", "left", "end"] as const;
  return defineWith(COLUMN_ARGS, ints, 11, fours.bodies, (v, vectors, run) => {
    const group = (i: number): Four => [vectors[2 * i]!, vectors[2 * i + 1]!];
    const [held, sums, x, pair, result] = [group(0), group(1), group(2), group(3), group(4)];
    const add = adding(fours.lanes, run);
    range(v.column, v.columns, 4, () => {
      // The last four columns by themselves where groups do not end there.
      local.set(v.end, i32.sub(v.columns, 4));
      setMinimum(v.column, v.column, v.end);
      setAddress(v.at, v.x, v.column, fours.lanes.bytes);
      setAddress(v.put, v.to, v.column, bytesOf(out));
      setAddress(v.offset, v.before, v.column, 8);
      held.forEach((to, i) => local.set(to, v128.load({ offset: 16 * i }, v.offset)));
      local.set(v.left, v.n);
      const load = (to: readonly Vector[]): void => {
        fours.load(run, to as Four, v.at);
        advance(v.at, v.pitch);
      };
      repeat(() => {
        sumRun(v.left, add, [sums, x, pair], load, () => {
          add(result, held, sums);
          fours.store(run, result, v.put, vectors[10]!);
          advance(v.put, v.toPitch);
        });
        copy(held, result);
        advance(v.left, -RUN);
        i32.gt_s(v.left, 0);
      });
      setAddress(v.offset, v.after, v.column, 8);
      held.forEach((vector, i) => v128.store({ offset: 16 * i }, v.offset, vector));
    });
  });
}
