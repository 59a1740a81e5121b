/**
 * The functions of scans: along lines of elements some distance apart, and across columns, where lines lie side by side. What
 * is held goes from piece to piece through memory. Works with addresses.
 */
import { advance, call, define, i32, local, range, setAddress, v128, when, whileTrue } from "../asm";
import type { Code, Int, Vector } from "../asm";
import { bytesOf, isFloat, type DType } from "../../../core/types";
import { bodyOf, finishing, kindsOf, type Scan } from "../../../kernel/recurrence";
import { emitStore } from "../codegen/access";
import { defineWith, placed, type Placed, type Run } from "../codegen/body";
import { downRows, eachStrip, mostStates, stripsOf } from "./across";
import { storeEntry } from "./along";
import { SCAN_COLUMNS_FROM } from "../schedule";
import { PIECE_ARGS, type Functions } from "./fold-code";
import { columnsByFours, linesByFours } from "./scan-by-fours-code";
import { COLUMN_ARGS, LINE_ARGS, loadHeld, oneByOne, pairByPair } from "./scan-elements";
import { bodiesOf, entryBytes, inSingle, lanesOf, setInit, vectorsOf } from "./steps";

/** The type that results are stored as: half floats are rounded faster by themselves. */
export const storedAs = ({ type, work }: Scan): DType => (isFloat(type) && bytesOf(type) === 2 ? work : type);

/** `start(state, columns)`: what is held before the first element. */
function start(scan: Scan): Code {
  const lanes = lanesOf(scan);
  return defineWith(["state", "columns"], ["column"], 1, [], (v, vectors) => {
    setInit(lanes, [vectors]);
    range(v.column, v.columns, 16 / entryBytes(scan), () => {
      v128.store({}, v.state, vectors[0]!);
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
function serialLines(scan: Scan, out: DType, parts: Scanning["parts"]): Code {
  const one = parts === 2 ? pairByPair(scan, out) : oneByOne(scan, out);
  const follow = followerOf(scan);
  const size = parts === 2 ? 16 : entryBytes(scan);
  const ints = ["left", "a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"] as const;
  return defineWith(LINE_ARGS, ints, LINES + 2, [...one.bodies, ...follow.bodies], (v, vectors, run) => {
    const [next, temp] = vectors.slice(LINES) as [Vector, Vector];
    const together = (count: number): void => {
      const from = [v.a0, v.a1, v.a2, v.a3].slice(0, count);
      const to = [v.b0, v.b1, v.b2, v.b3];
      from.forEach((at, i) => {
        local.set(at, local.get(v.x));
        local.set(to[i]!, local.get(v.to));
        loadHeld(size, vectors[i]!, v.before, i * size);
        advance(v.x, v.line);
        advance(v.to, v.toLine);
      });
      range(v.left, v.n, 1, () => {
        from.forEach((at, i) => {
          one.load(run, next, at);
          follow.join(run, vectors[i]!, next, temp);
          one.store(run, vectors[i]!, to[i]!, temp);
          advance(at, v.step);
          advance(to[i]!, v.toStep);
        });
      });
      from.forEach((_, i) => storeEntry(size, v.after, vectors[i]!, i * size));
      for (const pointer of [v.before, v.after]) advance(pointer, count * size);
      advance(v.lines, -count);
    };
    for (const count of [LINES, 1]) {
      whileTrue(
        () => i32.ge_s(v.lines, count),
        () => together(count),
      );
    }
  });
}

/** Joins one element, alike in all lanes, to what is held; exactly only where neither number certainly is the result. */
function followerOf(scan: Scan) {
  const { join } = lanesOf(scan);
  const [kind] = kindsOf(scan);
  const { settled } = scan;
  const exact = (run: Run, held: Vector, x: Vector): void => run(join, [[held], [x]], [[held]]);
  if (!settled) return { bodies: [join], join: exact };
  const tested = (test: typeof settled.stays): Placed =>
    inSingle(bodyOf([kind!, kind!], (k, [held, x]) => [test(k, held!, x!)]));
  const [stays, goes] = [tested(settled.stays), tested(settled.goes)];
  const holds = (run: Run, test: Placed, held: Vector, x: Vector, temp: Vector): void => {
    run(test, [[held], [x]], [[temp]]);
    v128.any_true(temp);
  };
  return {
    bodies: [join, stays, goes],
    join(run: Run, held: Vector, x: Vector, temp: Vector): void {
      holds(run, stays, held, x, temp);
      i32.eqz();
      when(() => {
        holds(run, goes, held, x, temp);
        when(
          () => local.set(held, local.get(x)),
          () => exact(run, held, x),
        );
      });
    },
  };
}

/**
 * `columns(x, to, rows, columns, pitch, toPitch, before, after)`: rows `pitch` bytes apart; what is held is read from
 * `before` and written to `after`. At least four columns: the last ones are done by themselves where groups do not end there.
 */
function serialColumns(scan: Scan, out: DType): Code {
  const lanes = lanesOf(scan);
  const finish = placed(finishing(scan, out), false);
  const width = finish.width(finish.body.outputs[0]!.kind);
  const shapes = stripsOf(lanes);
  const count = vectorsOf(lanes, mostStates(shapes));
  const ints = ["at", "left", "put", "beyond"] as const;
  return defineWith(COLUMN_ARGS, ints, count + width, [...bodiesOf(lanes), finish], (v, vectors, run) => {
    const result = vectors.slice(count);
    const pointers: readonly (readonly [Int, number])[] = [
      [v.x, lanes.bytes],
      [v.to, bytesOf(out)],
      [v.before, entryBytes(scan)],
      [v.after, entryBytes(scan)],
    ];
    eachStrip(lanes, shapes, v.columns, (shape, columns) => {
      local.set(v.beyond, i32.sub(v.columns, columns));
      i32.lt_s(v.beyond, 0);
      when(() => {
        for (const [pointer, bytes] of pointers) setAddress(pointer, pointer, v.beyond, bytes);
      });
      local.set(v.put, local.get(v.to));
      const found = downRows({
        ...{ lanes, v, vectors, shape, run },
        begin: (states) =>
          states.forEach(([group], i) => {
            group!.forEach((to, k) => local.set(to, v128.load({ offset: 16 * (i * lanes.width + k) }, v.before)));
          }),
        afterRow(states) {
          const all = states.flatMap(([group]) => group!);
          const each = all.length / ((states.length * lanes.count) / 4);
          for (let i = 0; i * each < all.length; i++) {
            run(finish, [all.slice(i * each, (i + 1) * each), []], [result]);
            emitStore(out, [result], v.put, 4 * i * bytesOf(out));
          }
          advance(v.put, v.toPitch);
        },
      });
      found.forEach(([group], i) => {
        group!.forEach((from, k) => v128.store({ offset: 16 * (i * lanes.width + k) }, v.after, from));
      });
      for (const [pointer, bytes] of pointers) advance(pointer, columns * bytes);
    });
  });
}

/** How the functions of a scan differ. */
export interface Scanning {
  /** The type that results are stored as. */
  readonly out: DType;
  /** Whether elements come from the last one to the first. */
  readonly reverse: boolean;
  /** Numbers of an element that are scanned side by side along lines: both parts of a complex one. */
  readonly parts: 1 | 2;
}

/** `lines`, of neighbouring elements or of such as are some distance apart. */
export const linesOf = (scan: Scan, { out, reverse, parts }: Scanning, areNeighbours: boolean): Code =>
  scan.order === "byFours"
    ? linesByFours(scan, out, oneByOne(scan, out), areNeighbours ? { reverse } : null)
    : serialLines(scan, out, parts);

/**
 * The functions of a module: of lines alone, which may be done in a way of their own, or of columns, too. `start(state, n)` sets what is
 * held before; `run` goes on from what is held at `room`, and puts what it holds in the end to `other`.
 */
export function scanFunctions(scan: Scan, scanning: Scanning, ofLines: Code | null): Functions {
  const { out, reverse, parts } = scanning;
  const lines = ofLines ?? linesOf(scan, scanning, false);
  const across = scan.order === "byFours" ? columnsByFours : serialColumns;
  const columns = ofLines ? null : across(scan, out);
  const ints = ["toStep", "toGroup", "last", "column"] as const;
  const run = define(PIECE_ARGS, ints, 0, (v) => {
    local.set(v.toStep, i32.mul(v.columns, bytesOf(out)));
    local.set(v.toGroup, i32.mul(v.rows, v.toStep));
    if (reverse) {
      local.set(v.last, i32.sub(v.rows, 1));
      for (const [pointer, pitch] of [[v.x, v.pitch] as const, [v.to, v.toStep] as const]) {
        advance(pointer, i32.mul(v.last, pitch));
        local.set(pitch, i32.sub(0, pitch));
      }
    }
    const byColumn = (): void =>
      range(v.column, v.columns, parts, () => {
        const steps = [v.pitch, v.toStep, v.step, v.toGroup];
        call(lines, [v.x, v.to, v.groups, v.rows, ...steps, v.room, v.other]);
        advance(v.x, parts * bytesOf(scan.type));
        advance(v.to, parts * bytesOf(out));
        for (const held of [v.room, v.other]) advance(held, parts * entryBytes(scan));
      });
    if (columns === null) return byColumn();
    i32.lt_u(v.columns, SCAN_COLUMNS_FROM);
    when(byColumn, () =>
      range(v.column, v.groups, 1, () => {
        call(columns, [v.x, v.to, v.rows, v.columns, v.pitch, v.toStep, v.room, v.other]);
        advance(v.x, v.step);
        advance(v.to, v.toGroup);
      }),
    );
  });
  return { start: start(scan), run };
}
