/**
 * Routines that go along lines of elements: reductions, places of extremes and running reductions, in the order of operations of the
 * primitives.
 */
import { sizeOf } from "../../../core/shape";
import { bytesOf, isComplex, isInteger, type DType } from "../../../core/types";
import { ARG_REDUCTIONS, forLength, REDUCTIONS, SCANS, type Recurrence } from "../../../kernel/recurrence";
import type { ReduceOp } from "../../../ops";
import { gridOf, type Grid } from "../../binary/fold";
import { advance, call, type Code, type Int } from "../asm";
import { columnsBlock } from "../reduce/across";
import { BLOCK, lineBlock } from "../reduce/along";
import { columnSearch, lineSearch } from "../reduce/arg-code";
import { isStored } from "../reduce/finisher";
import { reduceFunctions, tempBytes } from "../reduce/fold-code";
import { foldsOf } from "../reduce/reduce";
import { functionFor, scanFunctions, storedAs, strides, type Strides } from "../reduce/scan-code";
import { areShort, shortLines } from "../reduce/scan-across-rows";
import { findShort, foldShort, isShort } from "../reduce/across-rows";
import { entryBytes } from "../reduce/steps";
import { pointerTo, times } from "./boxes";
import type { Make } from "./make";
import { converted } from "./movement";
import { castFunction, withTypes } from "./operands";
import { Rooms, routine, type Places } from "./routine";
import { shared } from "./shared";

/** How `n` entries of a work type are made that are results as they are, or are converted to these. */
function entriesIn(rooms: Rooms, work: DType, out: DType, n: number) {
  const room = isStored(work, out) ? null : rooms.take({ type: work, shape: [n + SPARE] });
  return (places: Places, to: Int, make: (entries: Int) => void): void => {
    const entries = room?.(places) ?? to;
    make(entries);
    if (room) call(castFunction(work, out, "wrap"), [n, entries, to]);
  };
}

/** Entries that functions read or write behind the last entry, beyond the slack of a buffer. */
const SPARE = 16;

// ------------------------------------------------------------------------------------------------------------- reductions

/** The code of a fold from elements at an address to results at another address. */
type Fold = (places: Places, from: Int, to: Int) => void;

/** The fold of a grid by an op, from elements of a type to elements of another one. */
function foldOf(rooms: Rooms, op: ReduceOp, type: DType, out: DType, { groups, rows, columns }: Grid): Fold {
  const recurrence = REDUCTIONS[op](type)!;
  if (groups > 1 && isShort(rows, columns)) {
    const isFew = forLength(recurrence, rows, out) !== recurrence;
    const code = shared(`fold ${op} ${type} ${out} ${isFew}`, () => foldShort(recurrence, rows, out));
    return (_, from, to) => void call(code, [from, groups, rows * bytesOf(type), rows, 0, 0, to, 0]);
  }
  const { work } = recurrence;
  const entries = entriesIn(rooms, work, out, groups * columns);
  const temp = rows > BLOCK ? rooms.take({ type: "u8", shape: [tempBytes(recurrence, rows, columns)] }) : null;
  const block = blockOf(op, recurrence, columns === 1);
  const size = bytesOf(type);
  const make = (places: Places, from: Int, put: Int): void => {
    if (temp) {
      const ofLines = columns === 1;
      const fold = shared(`fold ${op} ${type} ${ofLines}`, () => reduceFunctions(recurrence, ofLines).fold);
      return void call(fold, [from, groups, rows * columns * size, rows, columns * size, columns, put, temp(places)]);
    }
    const [x, y] = [pointerTo(from), pointerTo(put)];
    times(groups, () => {
      call(block, columns === 1 ? [x, rows, y] : [x, rows, columns * size, columns, y]);
      advance(x, rows * columns * size);
      advance(y, columns * entryBytes(recurrence));
    });
  };
  return (places, from, to) => entries(places, to, (put) => make(places, from, put));
}

/** The function of one block: of neighbours, or of rows of columns. */
const blockOf = (op: ReduceOp, recurrence: Recurrence, isLine: boolean): Code =>
  shared(`block ${op} ${recurrence.type} ${isLine}`, () => (isLine ? lineBlock : columnsBlock)(recurrence));

const reduceOp: Make<"reduceOp"> = ([out], [x], { op, axes }) => {
  // Over no axes elements are taken over, unless they are asked whether they are true.
  if (axes.length === 0 && op !== "all" && op !== "any") return converted(out!, x!);
  const folds = foldsOf(op, x!, out!.type, axes);
  if (!folds) return null;
  const rooms = new Rooms();
  const steps = folds.map(({ from, to, grid }, i) => {
    const fold = foldOf(rooms, op, from, to, grid);
    const isLast = i === folds.length - 1;
    return { fold, room: isLast ? null : rooms.take({ type: to, shape: [grid.groups * grid.columns + SPARE] }) };
  });
  return routine({ rooms }, (places) => {
    let from = places.inputs[0]!;
    for (const { fold, room } of steps) {
      const to = room?.(places) ?? places.outputs[0]!;
      fold(places, from, to);
      from = to;
    }
  });
};

// ------------------------------------------------------------------------------------------------------ places of extremes

const argReduce: Make<"argReduce"> = ([out], [x], { op, axis, tieBreak }) => {
  const { type } = x!;
  if (isComplex(type) || !isInteger(out!.type)) return null;
  const grid = gridOf(x!.shape, axis);
  const { groups, rows, columns } = grid;
  const search = ARG_REDUCTIONS[op](type, tieBreak);
  const name = `${op} ${type} ${tieBreak}`;
  if (groups > 1 && isShort(rows, columns)) {
    const code = shared(`find ${name} ${out!.type}`, () => findShort(search, out!.type));
    return routine(
      {},
      ({ inputs, outputs }) => void call(code, [inputs[0]!, groups, rows * bytesOf(type), rows, 0, 0, outputs[0]!, 0]),
    );
  }
  const size = entryBytes(search);
  const stored = size === 8 ? "s64" : "s32";
  const rooms = new Rooms();
  const values = rooms.take({ type: stored, shape: [groups * columns + SPARE] });
  const numbers = entriesIn(rooms, stored, out!.type, groups * columns);
  const isLine = columns === 1;
  const code = shared(`search ${name} ${isLine}`, () => (isLine ? lineSearch : columnSearch)(search));
  const pitch = columns * bytesOf(type);
  return routine({ rooms }, (places) =>
    numbers(places, places.outputs[0]!, (target) => {
      const [from, value, number] = [pointerTo(places.inputs[0]!), values(places), pointerTo(target)];
      times(groups, () => {
        call(code, isLine ? [from, rows, 0, value, number] : [from, rows, pitch, columns, 0, value, number]);
        advance(from, rows * pitch);
        advance(value, columns * size);
        advance(number, columns * size);
      });
    }),
  );
};

// ------------------------------------------------------------------------------------------------------ running reductions

interface Scanning extends Grid {
  readonly type: DType;
  readonly out: DType;
  readonly reverse: boolean;
  readonly start: Code;
  readonly run: Code;
}

/** Calls for all lines: columns that lie side by side at once, or each place of a row by itself. */
function scanAll(scanning: Scanning, x: Int, to: Int, before: Int, after: Int): void {
  const { type, out, groups, rows, columns, reverse, start, run } = scanning;
  const [own, its] = [type, out].map((of) => strides({ rows, columns }, reverse, bytesOf(of))) as [Strides, Strides];
  const [from, put] = [pointerTo(x, own.first), pointerTo(to, its.first)];
  const isAlong = functionFor(columns) === "lines";
  call(start, [before, isAlong ? groups : columns]);
  times(isAlong ? columns : groups, () => {
    const steps = [own.step, its.step, ...(isAlong ? [own.group, its.group] : [])];
    call(run, [from, put, ...(isAlong ? [groups, rows] : [rows, columns]), ...steps, before, after]);
    advance(from, isAlong ? bytesOf(type) : own.group);
    advance(put, isAlong ? bytesOf(out) : its.group);
  });
}

const cumulative: Make<"cumulative"> = ([out], [x], { op, axis, reverse }) => {
  const { type, shape } = out!;
  if (isComplex(type)) return null;
  const grid = gridOf(shape, axis);
  const { groups, rows, columns } = grid;
  const count = sizeOf(shape);
  if (rows === 1) return converted(out!, x!);
  const scan = SCANS[op](type);
  const stored = storedAs(scan);
  const name = `${op} ${type}`;
  const functions = scanFunctions(scan, stored);
  const start = shared(`start ${name}`, () => functions.start);
  const which = functionFor(columns);
  const any = shared(`scan ${name} ${which}`, () => functions[which]);
  const run = areShort(grid)
    ? shared(`scan ${name} ${reverse} ${rows <= 2}`, () => shortLines(scan, rows, reverse, stored, any))
    : any;
  const rooms = new Rooms();
  const held = { type: "f64" as const, shape: [Math.max(groups, columns) + SPARE] };
  const [before, after] = [rooms.take(held), rooms.take(held)];
  const results = entriesIn(rooms, stored, type, count);
  const scanning = { ...grid, type, out: stored, reverse, start, run };
  return withTypes([x!], [type], { rooms }, (places) =>
    results(places, places.outputs[0]!, (to) =>
      scanAll(scanning, places.inputs[0]!, to, before(places), after(places)),
    ),
  );
};

/** The routines of reductions, of places of extremes and of running reductions. */
export const reductions = { reduceOp, argReduce, cumulative };
