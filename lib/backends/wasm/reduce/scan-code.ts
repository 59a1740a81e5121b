/**
 * The functions of running reductions: along lines of elements some distance apart, and across columns, where lines lie side
 * by side. Each result is the one before it joined with the next element, one after the other, in the type work is done in
 * (sums of floats narrower than f64 go by fours); what is held goes from piece to piece through memory. Works with addresses.
 */
import {
  advance,
  define,
  f32x4,
  f64x2,
  i32,
  local,
  range,
  repeat,
  v128,
  when,
  type Code,
  type Int,
  type StackVar,
  type Vector,
} from "../asm";
import { bytesOf, isFloat, isUnsigned, is64Bit, type DType } from "../../../core/types";
import { ofTwo, SCANS } from "../../../kernel/recurrence";
import type { CumulativeOp } from "../../../ops";
import {
  emitJoin,
  greatestOf,
  isWideWork,
  leastOf,
  loadAs,
  loadOne,
  pushConstant,
  type Four,
  type WorkType,
} from "./lanes";
import { offsetBy, storeFour, storeOne, storeState, type Running } from "./running";
import { sumColumns, sumLines } from "./running-sum-code";
import { shortLines } from "./scan-short-code";

export type { Running };

const OPS = {
  cumulativeSum: "sum",
  cumulativeProduct: "product",
  cumulativeMax: "reduceMax",
  cumulativeMin: "reduceMin",
} as const satisfies { readonly [K in CumulativeOp]: Running["op"] };

/** Sums and products of floats run in f64; integers wrap, and extremes are of the type itself. */
function workOf(op: CumulativeOp, type: DType): WorkType {
  const ordered = op === "cumulativeMax" || op === "cumulativeMin";
  if (isFloat(type)) return type === "f64" || !ordered ? "f64" : "f32";
  if (is64Bit(type)) return type as "s64" | "u64";
  return isUnsigned(type) ? "u32" : "s32";
}

export function runningOf(op: CumulativeOp, type: DType): Running {
  const work = workOf(op, type);
  const half = type === "f16" || type === "bf16";
  return { op: OPS[op], type, work, out: half ? work : type, wide: isWideWork(work) };
}

/** What leaves the first element as it is: of sums -0, since 0 would change the sign of that. */
function pushStart({ op, work }: Running): void {
  const float = work === "f32" || work === "f64";
  if (op === "sum") pushConstant(work, float ? -0 : 0);
  else if (op === "product") pushConstant(work, 1);
  else pushConstant(work, op === "reduceMax" ? leastOf(work) : greatestOf(work));
}

/** `start(state, columns)`: what is held before the first element. */
function start(running: Running): Code {
  return define(["state", "columns"], ["column"], 1, (v, vectors) => {
    const vector = vectors[0]!;
    pushStart(running);
    local.set(vector);
    range(v.column, v.columns, running.wide ? 2 : 4, () => {
      v128.store({}, v.state, vector);
      advance(v.state, 16);
    });
  });
}

/** Lines that are followed at the same time: each waits for itself only. */
const LINES = 4;

/**
 * `lines(x, to, lines, n, step, toStep, line, toLine, before, after)`: `n` elements of each line, `step` bytes apart; lines are
 * `line` bytes apart and have an entry each in what is held before and after.
 */
function runLines(running: Running): Code {
  const args = ["x", "to", "lines", "n", "step", "toStep", "line", "toLine", "before", "after"] as const;
  const ints = ["left", "a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"] as const;
  return define(args, ints, LINES + 2, (v, vectors) => {
    const [from, to] = [
      [v.a0, v.a1, v.a2, v.a3],
      [v.b0, v.b1, v.b2, v.b3],
    ];
    const together = (count: number): void => {
      followLines(running, v, from.slice(0, count), to.slice(0, count), vectors);
      for (let i = 0; i < count; i++) {
        advance(v.x, v.line);
        advance(v.to, v.toLine);
      }
      advance(v.before, count * (running.wide ? 8 : 4));
      advance(v.after, count * (running.wide ? 8 : 4));
      advance(v.lines, -count);
    };
    i32.ge_s(v.lines, LINES);
    when(() =>
      repeat(() => {
        together(LINES);
        i32.ge_s(v.lines, LINES);
      }),
    );
    local.get(v.lines);
    when(() =>
      repeat(() => {
        together(1);
        local.get(v.lines);
      }),
    );
  });
}

type LineNames = "x" | "to" | "n" | "step" | "toStep" | "line" | "toLine" | "before" | "after" | "left";

function followLines(
  running: Running,
  v: { readonly [N in LineNames]: Int },
  from: readonly Int[],
  to: readonly Int[],
  vectors: readonly Vector[],
): void {
  const size = running.wide ? 8 : 4;
  const [next, temp] = vectors.slice(LINES) as [Vector, Vector];
  from.forEach((at, i) => {
    placeAfter(at, i === 0 ? v.x : from[i - 1]!, i === 0 ? null : v.line);
    placeAfter(to[i]!, i === 0 ? v.to : to[i - 1]!, i === 0 ? null : v.toLine);
    const entry = { offset: i * size };
    local.set(vectors[i]!, running.wide ? v128.load64_splat(entry, v.before) : v128.load32_splat(entry, v.before));
  });
  range(v.left, v.n, 1, () => {
    from.forEach((at, i) => {
      loadOne(running.work, running.type, next, at, temp);
      follow(running, vectors[i]!, next);
      storeOne(running, to[i]!, vectors[i]!);
      advance(at, v.step);
      advance(to[i]!, v.toStep);
    });
  });
  from.forEach((_, i) => storeState(running.wide, v.after, i * size, vectors[i]!));
}

/**
 * Joins one element, alike in all lanes, to what is held. The exact extreme of floats takes many instructions that wait for
 * each other; it is needed only where neither number is the greater one.
 */
function follow({ op, work }: Running, held: Vector, x: Vector): void {
  const exact = (): void => emitJoin(op, work, held, x);
  if ((work !== "f32" && work !== "f64") || op === "sum" || op === "product") return exact();
  const lanes = work === "f32" ? f32x4 : f64x2;
  const [worse, better] = op === "reduceMax" ? [lanes.lt, lanes.gt] : [lanes.gt, lanes.lt];
  v128.any_true((worse as BinaryOp)(x, held));
  i32.eqz();
  when(() => {
    v128.any_true((better as BinaryOp)(x, held));
    when(() => local.set(held, local.get(x)), exact);
  });
}

type BinaryOp = (a: Vector, b: Vector) => StackVar<"v128">;

function placeAfter(pointer: Int, base: Int, by: Int | null): void {
  local.set(pointer, local.get(base));
  if (by) advance(pointer, by);
}

/** Groups of four columns that go down the rows side by side. */
const GROUPS = 4;

/**
 * `columns(x, to, rows, columns, pitch, toPitch, before, after)`: rows `pitch` bytes apart; what is held is read from
 * `before` and written to `after`. At least four columns: the last four are done by themselves where groups do not end there.
 */
function runColumns(running: Running): Code {
  const args = ["x", "to", "rows", "columns", "pitch", "toPitch", "before", "after"] as const;
  const width = running.wide ? 2 : 1;
  return define(args, ["column", "offset", "at", "put", "row", "end"], (GROUPS + 2) * width + 1, (v, vectors) => {
    const strip = (groups: number): void => goDown(running, v, vectors, groups);
    local.set(v.column, 0);
    for (const groups of [GROUPS, 1]) {
      local.set(v.end, i32.add(v.column, 4 * groups));
      i32.le_u(v.end, v.columns);
      when(() =>
        repeat(() => {
          strip(groups);
          local.set(v.column, local.get(v.end));
          local.set(v.end, i32.add(v.end, 4 * groups));
          i32.le_u(v.end, v.columns);
        }),
      );
    }
    i32.lt_u(v.column, v.columns);
    when(() => {
      local.set(v.column, i32.sub(v.columns, 4));
      strip(1);
    });
  });
}

type ColumnNames =
  "x" | "to" | "rows" | "pitch" | "toPitch" | "before" | "after" | "column" | "offset" | "at" | "put" | "row";

function goDown(
  running: Running,
  v: { readonly [N in ColumnNames]: Int },
  vectors: readonly Vector[],
  groups: number,
): void {
  const { work, type, wide, out } = running;
  const width = wide ? 2 : 1;
  const held = Array.from({ length: groups }, (_, i): Four => vectors.slice(i * width, (i + 1) * width));
  const next = vectors.slice(GROUPS * width, (GROUPS + 1) * width);
  const spare = vectors.slice((GROUPS + 1) * width);
  offsetBy(v.at, v.x, v.column, bytesOf(type));
  offsetBy(v.put, v.to, v.column, bytesOf(out));
  offsetBy(v.offset, v.before, v.column, wide ? 8 : 4);
  held.flat().forEach((to, i) => local.set(to, v128.load({ offset: 16 * i }, v.offset)));
  range(v.row, v.rows, 1, () => {
    held.forEach((four, i) => {
      loadAs(work, type, next, v.at, 4 * i * bytesOf(type), spare[width]!);
      four.forEach((to, k) => emitJoin(running.op, work, to, next[k]!));
      storeFour(running, four, v.put, 4 * i * bytesOf(out), spare);
    });
    advance(v.at, v.pitch);
    advance(v.put, v.toPitch);
  });
  offsetBy(v.offset, v.after, v.column, wide ? 8 : 4);
  held.flat().forEach((vector, i) => v128.store({ offset: 16 * i }, v.offset, vector));
}

/** Sums of floats narrower than f64 have an order of their own. */
const isFloatSum = ({ op, type, work }: Running): boolean => op === "sum" && work === "f64" && type !== "f64";

/** The functions of a module. */
export const scanFunctions = (running: Running): { readonly [N in "start" | "lines" | "columns"]: Code } => ({
  start: start(running),
  lines: isFloatSum(running) ? sumLines(running) : runLines(running),
  columns: isFloatSum(running) ? sumColumns(running) : runColumns(running),
});

/** The functions of a module for lines of up to four neighbouring elements; with `single` of up to two. */
export function shortScanFunctions(
  op: CumulativeOp,
  running: Running,
  reverse: boolean,
  single: boolean,
): { readonly [N in "start" | "lines"]: Code } {
  const lines = isFloatSum(running) ? sumLines(running) : runLines(running);
  const two = single && (OPS[op] === "sum" || OPS[op] === "product") ? ofTwo(OPS[op], running.type) : null;
  return {
    start: start(running),
    lines: shortLines(two ?? SCANS[op](running.type), running.out, reverse, lines),
  };
}
