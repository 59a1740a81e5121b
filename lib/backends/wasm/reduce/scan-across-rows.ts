/**
 * Scans along lines of up to four neighbouring elements, several lines at a time, in the orders of the others. Works with
 * addresses.
 */
import { advance, call, i32, local, when, type Code, type Int, type Vector } from "../asm";
import { bytesOf } from "../../../core/types";
import { finishing, forLength, type Scan } from "../../../kernel/recurrence";
import type { Grid } from "../../binary/fold";
import { emitStore } from "../codegen/access";
import { defineWith, placed, type Run } from "../codegen/body";
import { eachGroups, isShort, loadElements, SHORT_INTS, SIDE, SPARE, transpose } from "./across-rows";
import { LINE_ARGS, type Scanning } from "./scan-code";
import { bodiesOf, lanesOf, type Lanes } from "./steps";

/** Lines at the end that are done one by one: four elements are stored of each line, of which some may lie behind it. */
const APART = SIDE - 1;

/** Whether lines are so short that several are done at a time. */
export const areShort = (grid: Grid): boolean => isShort(grid, SIDE);

/**
 * `lines(x, to, lines, n, step, toStep, line, toLine, before, after)`, as of other scans, of lines of up to four elements without
 * anything held before; `lines` is that function for any.
 */
export function shortLines(scan: Scan, length: number, { reverse, out }: Scanning, lines: Code): Code {
  const recurrence = forLength(scan, length, out);
  const { type, order } = recurrence;
  const lanes = lanesOf(recurrence);
  const finish = placed(finishing(recurrence, out), false);
  const ints = [...SHORT_INTS, "groups", "pitch", "start", "put", "at"] as const;
  return defineWith(LINE_ARGS, ints, SIDE + SPARE, [...bodiesOf(lanes), finish], (v, vectors, run) => {
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
      eachGroups(lanes.wide, { ...v, x: v.start }, (pointers) => {
        for (let j = 0; j < SIDE; j += lanes.count) loadElements(lanes, pointers, j, elements, spare, run);
        for (let n = 2; n <= SIDE; n++) {
          i32.eq(v.n, n);
          const sequence = elements.slice(0, n);
          when(() => accumulate(lanes, order === "byFours", reverse ? sequence.reverse() : sequence, run));
        }
        // In ascending order, since what is stored behind a line is of the next one.
        transpose(lanes.wide, lanes.wide ? [0, 2, 1, 3].map((i) => elements[i]!) : elements, spare);
        const width = SIDE / pointers.length;
        pointers.forEach((pointer, i) => {
          local.set(v.at, i32.sub(pointer, v.start));
          local.set(v.at, i32.add(v.put, i32.mul(v.at, bytesOf(out) / bytesOf(type))));
          const result = spare.slice(0, finish.width(finish.body.outputs[0]!.kind));
          run(finish, [elements.slice(i * width, (i + 1) * width), []], [result]);
          emitStore(out, [result], v.at, 0);
        });
      });
      advance(v.x, i32.mul(v.groups, v.line));
      advance(v.to, i32.mul(v.groups, v.toLine));
      local.set(v.lines, i32.const(APART));
    });
    call(
      lines,
      LINE_ARGS.map((name) => v[name]),
    );
  });
}

/** From the last element of a line to the first one. */
function stepBack(pointer: Int, line: Int, bytes: number): void {
  local.set(pointer, i32.sub(pointer, line));
  advance(pointer, bytes);
}

/** Each element joined with those before it; of sums by fours the third and the fourth first. */
function accumulate(lanes: Lanes, byFours: boolean, elements: readonly Vector[], run: Run): void {
  const [a, b, c, d] = elements as [Vector, Vector, Vector?, Vector?];
  // Joins a vector to the state, which is the left operand.
  const join = (to: Vector, held: Vector): void => run(lanes.join, [[held], [to]], [[to]]);
  if (d && byFours) join(d, c!);
  join(b, a);
  if (c) join(c, b);
  if (d) join(d, byFours ? b : c!);
}
