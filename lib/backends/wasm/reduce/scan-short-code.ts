/**
 * Running reductions along lines of up to four neighbouring elements, several lines at a time, in the orders of the others.
 * Works with addresses.
 */
import { call, i32, local } from "../asm";
import { bytesOf } from "../../../core/types";
import { advance, define, when, type Code, type Int, type Vector } from "../asm/code";
import { emitJoin, loadAs, pairOf } from "./lanes";
import { storeFour, type Running } from "./running";
import { eachGroups, loadElements, SHORT_INTS, SIDE, SPARE, turn, type Rows } from "./short-code";

/** Lines at the end that are done one by one: four elements are stored of each line, of which some may lie behind it. */
const APART = SIDE - 1;

/**
 * `lines(x, to, lines, n, step, toStep, line, toLine, before, after)`, as of other running reductions, of lines of up to four
 * elements without anything held before; `lines` is that function for any.
 */
export function shortLines(running: Running, byFours: boolean, reverse: boolean, lines: Code): Code {
  const { type, out, work, wide } = running;
  const pair = pairOf(work, type);
  const rows: Rows = {
    ...(pair && { pair }),
    wide,
    bytes: bytesOf(type),
    load: (four, at, offset, temp) => loadAs(work, type, four, at, offset, temp),
  };
  const args = ["x", "to", "lines", "n", "step", "toStep", "line", "toLine", "before", "after"] as const;
  const ints = [...SHORT_INTS, "groups", "pitch", "start", "put", "at"] as const;
  return define(args, ints, SIDE + SPARE, (v, vectors) => {
    const [elements, spare] = [vectors.slice(0, SIDE), vectors.slice(SIDE)];
    i32.gt_u(v.lines, 2 * APART);
    when(() => {
      local.set(v.groups, i32.sub(v.lines, APART));
      local.set(v.pitch, local.get(v.line));
      local.set(v.start, local.get(v.x));
      local.set(v.put, local.get(v.to));
      if (reverse) {
        stepBack(v.start, v.line, bytesOf(type));
        stepBack(v.put, v.toLine, bytesOf(out));
      }
      eachGroups(wide, { ...v, x: v.start }, (pointers) => {
        loadElements(rows, pointers, 0, elements, spare);
        if (pair) loadElements(rows, pointers, 2, elements, spare);
        for (let n = 2; n <= SIDE; n++) {
          i32.eq(v.n, n);
          const order = elements.slice(0, n);
          when(() => accumulate(running, byFours, reverse ? order.reverse() : order));
        }
        storeLines(running, pointers, v, elements, spare);
      });
      local.set(v.x, i32.add(v.x, i32.mul(v.groups, v.line)));
      local.set(v.to, i32.add(v.to, i32.mul(v.groups, v.toLine)));
      local.set(v.lines, i32.const(APART));
    });
    call(lines, [v.x, v.to, v.lines, v.n, v.step, v.toStep, v.line, v.toLine, v.before, v.after]);
  });
}

/** From the last element of a line to the first one. */
function stepBack(pointer: Int, line: Int, bytes: number): void {
  local.set(pointer, i32.sub(pointer, line));
  advance(pointer, bytes);
}

/** Each element joined with those before it; of sums by fours the third and the fourth first. */
function accumulate({ op, work }: Running, byFours: boolean, elements: readonly Vector[]): void {
  const [a, b, c, d] = elements as [Vector, Vector, Vector?, Vector?];
  const join = (to: Vector, x: Vector): void => emitJoin(op, work, to, x);
  if (d && byFours) join(d, c!);
  join(b, a);
  if (c) join(c, b);
  if (d) join(d, byFours ? b : c!);
}

type StoreInts = { readonly [N in "start" | "put" | "at"]: Int };

/** Stores the lines in ascending order, four elements each. */
function storeLines(
  running: Running,
  pointers: readonly Int[],
  { start, put, at }: StoreInts,
  elements: readonly Vector[],
  spare: readonly Vector[],
): void {
  const { wide, type, out } = running;
  const [a, b, c, d] = elements as [Vector, Vector, Vector, Vector];
  turn(wide, wide ? [a, c, b, d] : elements, spare);
  pointers.forEach((pointer, i) => {
    local.set(at, i32.sub(pointer, start));
    local.set(at, i32.add(put, i32.mul(at, bytesOf(out) / bytesOf(type))));
    storeFour(running, wide ? elements.slice(2 * i, 2 * i + 2) : elements.slice(i, i + 1), at, 0, spare);
  });
}
