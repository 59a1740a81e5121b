/**
 * The functions of running sums of floats narrower than f64, in doubles and in the order that the binary backend documents: with `h` held before
 * four elements a, b, c, d, the results are h + a, h + (a + b), h + ((a + b) + c) and h + ((a + b) + (c + d)). So one addition
 * in four waits for another. Pieces of lines have a multiple of four elements, except for the last.
 */
import {
  advance,
  define,
  f64x2,
  i32,
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
import { bytesOf } from "../../../core/types";
import { words } from "../codegen/vectors";
import { loadAs, loadOne, type Four } from "./lanes";
import { offsetBy, storeFour, storeOne, storeState, type Running } from "./running";

/** Elements whose sums are made before what is held is added. */
export const RUN = 4;

const setSum = (to: Vector, a: Vector, b: Vector): void => local.set(to, f64x2.add(a, b));

type LineNames = "x" | "to" | "n" | "step" | "toStep" | "left" | "at" | "put" | "count";
type LineInts = { readonly [N in LineNames]: Int };

/** Elements one by one, each alike in both lanes, some distance apart; `left` of them, starting with a run. */
function followRuns(running: Running, v: LineInts, vectors: readonly Vector[]): void {
  const [held, local4, x, pair, out, temp] = vectors as [Vector, Vector, Vector, Vector, Vector, Vector];
  const load = (to: Vector): void => {
    loadOne("f64", running.type, to, v.at, temp);
    advance(v.at, v.step);
  };
  const give = (): void => {
    setSum(out, held, local4);
    storeOne(running, v.put, out);
    advance(v.put, v.toStep);
  };
  const steps = [
    () => load(local4),
    () => {
      load(x);
      setSum(local4, local4, x);
    },
    () => {
      load(pair);
      local.set(x, local4);
      setSum(local4, local4, pair);
    },
    () => {
      load(local4);
      setSum(pair, pair, local4);
      setSum(local4, x, pair);
    },
  ];
  const from = (i: number): void => {
    steps[i]!();
    give();
    if (i + 1 === RUN) return;
    i32.lt_u(i + 1, v.count);
    when(() => from(i + 1));
  };
  repeat(() => {
    setMinimum(v.count, v.left, RUN);
    from(0);
    local.set(held, out);
    local.set(v.left, i32.sub(v.left, v.count));
    local.get(v.left);
  });
}

/** Both lanes of one vector and the next, the other way around. */
function reverseFour([a, b]: readonly [Vector, Vector], temp: Vector): void {
  local.set(temp, words(b, b, [2, 3, 0, 1]));
  local.set(b, words(a, a, [2, 3, 0, 1]));
  local.set(a, temp);
}

/** Runs of neighbouring elements in vectors, up to the last whole one. */
function neighbours(running: Running, v: LineInts, vectors: readonly Vector[], reverse: boolean): void {
  const [held, a, b, none, temp, spare] = vectors as [Vector, Vector, Vector, Vector, Vector, Vector];
  const { type, out } = running;
  const offset = (bytes: number): number => (reverse ? -(RUN - 1) * bytes : 0);
  const four: Four = [a, b];
  local.set(none, v128.const("f64x2", [-0, -0]));
  i32.ge_u(v.left, RUN);
  when(() => {
    advance(v.at, offset(bytesOf(type)));
    advance(v.put, offset(bytesOf(out)));
    repeat(() => {
      loadAs("f64", type, four, v.at, 0, temp);
      if (reverse) reverseFour([a, b], temp);
      local.set(a, f64x2.add(a, words(none, a, [0, 1, 4, 5])));
      local.set(b, f64x2.add(b, words(none, b, [0, 1, 4, 5])));
      local.set(b, f64x2.add(b, words(a, a, [2, 3, 2, 3])));
      local.set(temp, words(b, b, [2, 3, 2, 3]));
      setSum(a, a, held);
      setSum(b, b, held);
      setSum(held, held, temp);
      if (reverse) reverseFour([a, b], temp);
      storeFour(running, four, v.put, 0, [temp, spare]);
      advance(v.at, (reverse ? -RUN : RUN) * bytesOf(type));
      advance(v.put, (reverse ? -RUN : RUN) * bytesOf(out));
      advance(v.left, -RUN);
      i32.ge_u(v.left, RUN);
    });
    advance(v.at, -offset(bytesOf(type)));
    advance(v.put, -offset(bytesOf(out)));
  });
}

/** `lines(x, to, lines, n, step, toStep, line, toLine, before, after)`, as of other running reductions. */
export function sumLines(running: Running): Code {
  const args = ["x", "to", "lines", "n", "step", "toStep", "line", "toLine", "before", "after"] as const;
  return define(args, ["left", "at", "put", "count"], 6, (v, vectors) => {
    const held = vectors[0]!;
    const bytes = bytesOf(running.type);
    repeat(() => {
      local.set(v.left, v.n);
      local.set(v.at, v.x);
      local.set(v.put, v.to);
      local.set(held, v128.load64_splat({}, v.before));
      i32.eq(v.step, bytes);
      when(() => neighbours(running, v, vectors, false));
      i32.eq(v.step, -bytes);
      when(() => neighbours(running, v, vectors, true));
      local.get(v.left);
      when(() => followRuns(running, v, vectors));
      storeState(true, v.after, 0, held);
      advance(v.x, v.line);
      advance(v.to, v.toLine);
      advance(v.before, 8);
      advance(v.after, 8);
      advance(v.lines, -1);
      local.get(v.lines);
    });
  });
}

// -------------------------------------------------------------------------------------------------------------- columns

type ColumnNames = "x" | "to" | "rows" | "pitch" | "toPitch" | "before" | "after" | "column";
type ColumnInts = { readonly [N in ColumnNames | "offset" | "at" | "put" | "left"]: Int };

/** Four columns down all rows. */
function goDown(running: Running, v: ColumnInts, vectors: readonly Vector[]): void {
  const group = (i: number): [Vector, Vector] => [vectors[2 * i]!, vectors[2 * i + 1]!];
  const [held, sums, x, pair, out] = [group(0), group(1), group(2), group(3), group(4)];
  const temp = vectors[10]!;
  const add = (to: Four, a: Four, b: Four): void => to.forEach((_, i) => setSum(to[i]!, a[i]!, b[i]!));
  const load = (to: Four): void => {
    loadAs("f64", running.type, to, v.at, 0, temp);
    advance(v.at, v.pitch);
  };
  const copy = (to: Four, from: Four): void => to.forEach((_, i) => local.set(to[i]!, from[i]!));
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
  const give = (): void => {
    add(out, held, sums);
    storeFour(running, out, v.put, 0, vectors.slice(11, 13));
    advance(v.put, v.toPitch);
  };
  offsetBy(v.at, v.x, v.column, bytesOf(running.type));
  offsetBy(v.put, v.to, v.column, bytesOf(running.out));
  offsetBy(v.offset, v.before, v.column, 8);
  held.forEach((to, i) => local.set(to, v128.load({ offset: 16 * i }, v.offset)));
  local.set(v.left, v.rows);
  const from = (i: number): void => {
    steps[i]!();
    give();
    if (i + 1 === RUN) return;
    i32.lt_u(i + 1, v.left);
    when(() => from(i + 1));
  };
  repeat(() => {
    from(0);
    copy(held, out);
    advance(v.left, -RUN);
    i32.lt_s(0, v.left);
  });
  offsetBy(v.offset, v.after, v.column, 8);
  held.forEach((vector, i) => v128.store({ offset: 16 * i }, v.offset, vector));
}

/** `columns(x, to, rows, columns, pitch, toPitch, before, after)`, as of other running reductions. */
export function sumColumns(running: Running): Code {
  const args = ["x", "to", "rows", "columns", "pitch", "toPitch", "before", "after"] as const;
  return define(args, ["column", "offset", "at", "put", "left", "end"], 13, (v, vectors) => {
    range(v.column, v.columns, 4, () => {
      // The last four columns by themselves where groups do not end there.
      local.set(v.end, i32.sub(v.columns, 4));
      setMinimum(v.column, v.column, v.end);
      goDown(running, v, vectors);
    });
  });
}
