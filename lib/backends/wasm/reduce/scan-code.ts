/**
 * The functions of scans: along lines of elements some distance apart, and across columns, where lines lie side by side. What
 * is held goes from piece to piece through memory. Works with addresses.
 */
import { advance, call, define, i32, local, range, setAddress, v128, when, whileTrue } from "../asm";
import type { Code, Int, Vector } from "../asm";
import { bytesOf, isFloat, type DType } from "../../../core/types";
import { bodyOf, elementIn, finishing, kindsOf, type Scan } from "../../../kernel/recurrence";
import { emitSplat, emitStore, emitStoreFew } from "../codegen/access";
import { defineWith, placed, type Loader, type Placed, type Run } from "../codegen/body";
import type { Group } from "../codegen/vectors";
import { downRows, eachStrip, mostStates, storeGroup, stripsOf } from "./across";
import { storeEntry } from "./along";
import { SCAN_COLUMNS_FROM } from "../schedule/reductions";
import { PIECE_ARGS, type Functions } from "./fold-code";
import { followNeighbours, followRuns, loadFour, RUN_GROUPS, storeFour } from "./scan-by-fours-code";
import { bodiesOf, entryBytes, heldIn, inSingle, lanesOf, loader, setInit, vectorsOf, type Held } from "./steps";

export const LINE_ARGS = ["x", "to", "lines", "n", "step", "toStep", "line", "toLine", "before", "after"] as const;
const COLUMN_ARGS = ["x", "to", "n", "columns", "pitch", "toPitch", "before", "after"] as const;

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

/** How the functions of a scan differ. */
export interface Scanning {
  /** The type that results are stored as. */
  readonly out: DType;
  /** Whether elements come from the last one to the first. */
  readonly reverse: boolean;
  /** Numbers of an element that are scanned side by side along lines: both parts of a complex one. */
  readonly parts: 1 | 2;
}

/** Lines that are followed at the same time: each waits for itself only. */
const LINES = 4;

/**
 * `lines(x, to, lines, n, step, toStep, line, toLine, before, after)`: `n` elements of each line, `step` bytes apart; lines are
 * `line` bytes apart and have an entry each in what is held before and after. By fours one line is followed after the other, in vectors where
 * elements are neighbours.
 */
export function linesOf(scan: Scan, scanning: Scanning, areNeighbours: boolean): Code {
  const { out, reverse, parts } = scanning;
  const isByFours = scan.order === "byFours";
  const { bodies: following, follow } = followerOf(scan);
  const lanes = lanesOf(scan);
  const element = parts === 2 ? lanes.element : inSingle(bodyOf([], (k) => [elementIn(k, scan, scan, scan.type)]));
  const finish = inSingle(finishing(scan, out));
  const size = parts === 2 ? 16 : entryBytes(scan);
  const most = isByFours ? 1 : LINES;
  const count = isByFours ? RUN_GROUPS : LINES + 1;
  const ints = ["left", "a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"] as const;
  const bodies = [element, ...following, ...bodiesOf(lanes), finish];
  return defineWith(LINE_ARGS, ints, count + 1, bodies, (v, vectors, run) => {
    const temp = vectors.at(-1)!;
    const froms = [v.a0, v.a1, v.a2, v.a3];
    const tos = [v.b0, v.b1, v.b2, v.b3];
    const all = froms.map((at, i) => lineAt({ scan, ...scanning, element, finish, ...v, temp, run }, at, tos[i]!));
    const byFours = ({ load, store }: Line): void => {
      local.set(v.left, v.n);
      const pointers = { left: v.left, at: v.a0, put: v.b0 };
      if (areNeighbours) followNeighbours(lanes, { finish, out, temp: [temp] }, pointers, vectors, reverse, run);
      local.get(v.left);
      const own = vectors.slice(0, count);
      when(() =>
        followRuns(
          lanes,
          v.left,
          own,
          run,
          ([to]) => load(to!),
          ([result]) => store(result!),
        ),
      );
    };
    const serially = (held: readonly Vector[]): void =>
      range(v.left, v.n, 1, () => held.forEach((vector, i) => follow(run, vector, all[i]!, vectors.slice(-2))));
    const together = (held: readonly Vector[]): void => {
      held.forEach((vector, i) => {
        local.set(froms[i]!, local.get(v.x));
        local.set(tos[i]!, local.get(v.to));
        loadHeld(size, vector, v.before, i * size);
        advance(v.x, v.line);
        advance(v.to, v.toLine);
      });
      if (isByFours) byFours(all[0]!);
      else serially(held);
      held.forEach((vector, i) => storeEntry(size, v.after, vector, i * size));
      for (const pointer of [v.before, v.after]) advance(pointer, held.length * size);
      advance(v.lines, -held.length);
    };
    for (const count of new Set([most, 1])) {
      whileTrue(
        () => i32.ge_s(v.lines, count),
        () => together(vectors.slice(0, count)),
      );
    }
  });
}

/** Goes along a line element by element. */
interface Line {
  load(to: Vector): void;
  store(held: Vector): void;
}

interface LineCode extends Scanning {
  readonly scan: Scan;
  /** To an element in all lanes of a vector, or to the parts of a complex one in a lane each; and from what is held to results. */
  readonly element: Placed;
  readonly finish: Placed;
  readonly step: Int;
  readonly toStep: Int;
  readonly temp: Vector;
  readonly run: Run;
}

/** A line from an address on, whose results go to another. */
function lineAt({ scan, out, parts, element, finish, step, toStep, temp, run }: LineCode, at: Int, put: Int): Line {
  const splat: Loader = ({ part }, vectors) => emitSplat(scan.type, part, vectors, at);
  return {
    load(to) {
      run(element, [], [[to]], parts === 2 ? loader(lanesOf(scan), at, 0) : splat);
      advance(at, step);
    },
    store(held) {
      run(finish, [[held], []], [[temp]]);
      emitStoreFew(out, parts, [temp], put, 0);
      advance(put, toStep);
    },
  };
}

/** Loads an entry of a state to all lanes, or both parts of a complex entry. */
function loadHeld(bytes: 4 | 8 | 16, to: Vector, at: Int, offset: number): void {
  if (bytes === 16) return local.set(to, v128.load({ offset }, at));
  local.set(to, bytes === 8 ? v128.load64_splat({ offset }, at) : v128.load32_splat({ offset }, at));
}

/** Joins one element of a line, alike in all lanes, to what is held; exactly only where neither number certainly is the result. */
function followerOf(scan: Scan) {
  const { join } = lanesOf(scan);
  const [kind] = kindsOf(scan);
  const { settled } = scan;
  const tested = (test: NonNullable<typeof settled>["stays"]): Placed =>
    inSingle(bodyOf([kind!, kind!], (k, [held, x]) => [test(k, held!, x!)]));
  const tests = settled ? { stays: tested(settled.stays), goes: tested(settled.goes) } : null;
  return {
    bodies: [join, ...(tests ? [tests.stays, tests.goes] : [])],
    follow(run: Run, held: Vector, { load, store }: Line, [x, temp]: readonly Vector[]): void {
      const exact = (): void => run(join, [[held], [x!]], [[held]]);
      const holds = (test: Placed): void => {
        run(test, [[held], [x!]], [[temp!]]);
        v128.any_true(temp!);
      };
      load(x!);
      if (tests) {
        holds(tests.stays);
        i32.eqz();
        when(() => {
          holds(tests.goes);
          when(() => local.set(held, local.get(x!)), exact);
        });
      } else exact();
      store(held);
    },
  };
}

/**
 * `columns(x, to, rows, columns, pitch, toPitch, before, after)`: rows `pitch` bytes apart; what is held is read from
 * `before` and written to `after`. At least four columns: the last ones are done by themselves where groups do not end there.
 */
function columnsOf(scan: Scan, out: DType): Code {
  const lanes = lanesOf(scan);
  const isByFours = scan.order === "byFours";
  const finish = placed(finishing(scan, out), isByFours);
  const width = finish.width(finish.body.outputs[0]!.kind);
  const shapes = isByFours ? [{ groups: 4 / lanes.count, accumulators: 1 }] : stripsOf(lanes);
  const count = vectorsOf(lanes, mostStates(shapes)) * (isByFours ? RUN_GROUPS : 1);
  const ints = ["at", "left", "put", "beyond"] as const;
  return defineWith(COLUMN_ARGS, ints, count + width, [...bodiesOf(lanes), finish], (v, vectors, run) => {
    const result = vectors.slice(count);
    const pointers: readonly (readonly [Int, number])[] = [
      [v.x, lanes.bytes],
      [v.to, bytesOf(out)],
      [v.before, entryBytes(scan)],
      [v.after, entryBytes(scan)],
    ];
    const give = (all: Group): void => {
      const each = lanes.wide ? 2 : 1;
      if (isByFours) storeFour({ finish, out, temp: result }, all, v.put, run);
      else {
        for (let i = 0; i * each < all.length; i++) {
          run(finish, [all.slice(i * each, (i + 1) * each), []], [result]);
          emitStore(out, [result], v.put, 4 * i * bytesOf(out));
        }
      }
      advance(v.put, v.toPitch);
    };
    const runs = (): void => {
      local.set(v.at, v.x);
      local.set(v.left, v.n);
      const load = (to: Group): void => {
        loadFour(lanes, to, v.at, run);
        advance(v.at, v.pitch);
      };
      followRuns(lanes, v.left, vectors.slice(0, count), run, load, give);
    };
    eachStrip(lanes, shapes, v.columns, (shape, columns) => {
      local.set(v.beyond, i32.sub(v.columns, columns));
      i32.lt_s(v.beyond, 0);
      when(() => {
        for (const [pointer, bytes] of pointers) setAddress(pointer, pointer, v.beyond, bytes);
      });
      local.set(v.put, local.get(v.to));
      const held = (states: readonly Held[]): Group => states.flatMap(([group]) => group!);
      const all = held(heldIn(lanes, vectors, shape.groups));
      all.forEach((to, i) => local.set(to, v128.load({ offset: 16 * i }, v.before)));
      if (isByFours) runs();
      else downRows({ lanes, v, vectors, shape, run, begin: () => {}, afterRow: (states) => give(held(states)) });
      storeGroup(all, v.after, 0);
      for (const [pointer, bytes] of pointers) advance(pointer, columns * bytes);
    });
  });
}

/**
 * The functions of a module: of lines alone, which may be done in a way of their own, or of columns, too. `start(state, n)` sets what is
 * held before; `run` goes on from what is held at `room`, and puts what it holds in the end to `other`.
 */
export function scanFunctions(scan: Scan, scanning: Scanning, ofLines: Code | null): Functions {
  const { out, reverse, parts } = scanning;
  const lines = ofLines ?? linesOf(scan, scanning, false);
  const columns = ofLines ? null : columnsOf(scan, out);
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
